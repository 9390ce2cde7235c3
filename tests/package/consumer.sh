#!/usr/bin/env bash
# consumer.sh <build folder> <source folder>: install carom into a temporary folder, build a project against it, run both
# programs, all with the source tree out of reach.
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

cmake --install "$build" --prefix "$work/prefix" >"$work/installed"
outside=$(sed -n 's/^-- \(Installing\|Up-to-date\): //p' "$work/installed" | grep -v "^$work/prefix/" || true)
[ -z "$outside" ] || fail "installed outside the prefix: $outside"
grep -qaF "$source" "$work/prefix/bin/carom" && fail "the installed program knows the source tree"

for file in share/man/man1/carom.1 share/bash-completion/completions/carom share/zsh/site-functions/_carom \
  share/fish/vendor_completions.d/carom.fish share/carom/schema/scenario.schema.json share/carom/schema/solve.schema.json; do
  [ -s "$work/prefix/$file" ] || fail "not installed: $file"
done

for library in "$work"/prefix/lib*/libcarom_*.so "$work"/prefix/lib*/*/libcarom_*.so; do
  [ -e "$library" ] || continue
  strange=$(nm -DC --defined-only "$library" | cut -c20- | grep -E '^(Eigen|boost|fmt|tbb)::|\(anonymous namespace\)' | head -3 || true)
  [ -z "$strange" ] || fail "$library shows what it should hide: $strange"
done

# Moved, an installation still works; and nothing in it may need the source tree, which hides behind an empty folder where
# the system lets us (a mount of our own).
mv "$work/prefix" "$work/moved"
cp "$(dirname "$0")"/{CMakeLists.txt,main.cpp} "$work/"
cat >"$work/use.sh" <<'INNER'
set -euo pipefail
work=$1
cd "$work"
cmake -S "$work" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/moved" >/dev/null
cmake --build "$work/build"
"$work/build/consumer"
if command -v pkg-config >/dev/null; then # the same without CMake
  export PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name carom.pc)")
  c++ -std=c++20 -O1 main.cpp -o with_pkg_config $(pkg-config --cflags --libs carom)
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir carom) ./with_pkg_config
fi
"$work/moved/bin/carom" list | grep falling_rod_case_2 >/dev/null  # reads to the end: no broken pipe
"$work/moved/bin/carom" run falling_rod_case_2 >/dev/null
test -s out/falling_rod_case_2/routh_diagram.svg
mv "$work/moved/share" "$work/elsewhere"
code=0
"$work/moved/bin/carom" list >"$work/listed" 2>"$work/said" || code=$?
[ "$code" -eq 1 ] && [ ! -s "$work/listed" ] && grep -q 'no scenarios in' "$work/said"
INNER
hide='mount -t tmpfs none "$1" && exec bash "$2/use.sh" "$2"'
if unshare -rm true 2>/dev/null; then
  unshare -rm bash -c "$hide" hide "$source" "$work"
else
  echo "The source tree stays visible: this system allows no mounts of one's own."
  bash "$work/use.sh" "$work"
fi
