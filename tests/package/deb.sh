#!/usr/bin/env bash
# deb.sh <build folder>: the Debian packages that cpack makes hold what they should, ask for what they need, and run from an
# empty folder. (grep reads to the end: no pipe breaks.)
set -euo pipefail
build=$1
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || { echo "no dpkg here: nothing to check"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; fail cpack; }
program=$(ls "$work"/packages/carom_*.deb) development=$(ls "$work"/packages/libcarom-dev_*.deb)
dpkg-deb -x "$program" "$work/root"
root=$work/root
for file in usr/bin/carom usr/share/carom/scenarios/cradle.yaml usr/share/carom/reproduce/wang-mason-1992.yaml usr/share/carom/validate/cradle.yaml usr/share/man/man1/carom.1 usr/share/doc/carom/copyright \
  usr/share/bash-completion/completions/carom usr/share/carom/schema/scenario.schema.json; do
  [ -s "$root/$file" ] || fail "the package lacks $file"
done
[ -e "$root/usr/include" ] && fail "the program's package holds headers"
depends=$(dpkg-deb -f "$program" Depends)
for library in libc6 libfmt libtbb libyaml libtinyxml2; do
  [[ "$depends" == *"$library"* ]] || fail "does not depend on $library: $depends"
done
if [[ "$depends" == *libmumps* ]]; then
  [[ "$(dpkg-deb -f "$program" Recommends)" == *libopenblas0-serial* ]] || fail "does not recommend a fast BLAS"
fi
[[ "$(dpkg-deb -f "$development" Depends)" == *libeigen3-dev* ]] || fail "libcarom-dev does not depend on Eigen"
dpkg-deb -c "$development" | grep carom.pc >/dev/null || fail "libcarom-dev lacks carom.pc"
cd "$work"
"$root/usr/bin/carom" run falling_rod_case_2 >answer
grep -q C-sticking answer || fail "the program does not run"
"$root/usr/bin/carom" new rod | "$root/usr/bin/carom" run - -q --no-files || fail "a new scenario does not run"
# A root with nothing but the program, the libraries it names and a shell's worth of files: no /proc, no /tmp, no source tree.
if unshare -rm true 2>/dev/null; then
  ldd "$root/usr/bin/carom" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
  in_root() { unshare -rm chroot "$root" /usr/bin/carom "$@"; }
  in_root list | grep falling_rod_case_2 >/dev/null || fail "the program finds no scenarios in a root of its own"
  in_root run falling_rod_case_2 --no-files | grep C-sticking >/dev/null || fail "the program does not run in a root of its own"
fi
echo "packages as expected: $depends"
