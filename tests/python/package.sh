#!/usr/bin/env bash
# package.sh <build folder> <source folder> <python>: carom as pip installs it into a virtual environment, and as a wheel
# that works with the source tree out of reach.
set -euo pipefail
build=$1 source=$2 python=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
for module in venv ensurepip setuptools wheel; do
  "$python" -c "import $module" 2>/dev/null || { echo "SKIPPED: $python has no $module"; exit 77; }
done
unset PYTHONPATH

# pip builds where the sources are: here in a copy of what it reads. CAROM_BUILD: what is compiled already is used.
mkdir -p "$work/tree"
cp -r "$source"/{pyproject.toml,setup.py,CMakeLists.txt,README.md,LICENSE} "$work/tree"
mkdir "$work/tree/python" && cp -r "$source/python/carom" "$work/tree/python/carom"
export CAROM_BUILD=$build PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
"$python" -m venv --system-site-packages "$work/venv"
pip() { (cd "$work/tree" && "$work/venv/bin/pip" "$@") >"$work/log" 2>&1 || { cat "$work/log"; fail "pip $*"; }; }
pip install --no-build-isolation --no-index --no-deps -q .
cat >"$work/use.py" <<'INNER'
import sys, carom, numpy as np
assert carom.__file__.startswith(sys.argv[1]), carom.__file__
assert carom.planar([[2.5, -1.5], [-1.5, 2.5]], [0.6, -1], friction=0.7, restitution=0.5).mode == "C-sticking"
assert len(carom.spatial_batch(np.eye(3), np.array([[0.0, 0, -1]] * 100), 0.3, 0.5)) == 100
assert carom.run("falling_rod_case_2").plots["routh_diagram"].svg.startswith("<svg")
assert "superball" in carom.scenarios()
assert not carom.reproduce("wang-mason-1992", only="wm.case2.poisson.px").notes and "cradle" in carom.sets()
INNER
(cd / && "$work/venv/bin/python" "$work/use.py" "$work/venv") || fail "the installed module"
"$work/venv/bin/pip" show -f carom | grep 'carom/py.typed' >/dev/null || fail "py.typed is not installed"

pip wheel --no-build-isolation --no-index --no-deps -q -w "$work/wheels" .
wheel=$(ls "$work"/wheels/carom-*.whl)
[[ "$wheel" == *linux* ]] || fail "a wheel with compiled code must name its platform: $wheel"
pip install --no-index --no-deps -q --target "$work/elsewhere" "$wheel"
grep -qaF "$source" "$work"/elsewhere/carom/_core*.so && fail "the module knows the source tree"
shown=$(nm -D --defined-only "$work"/elsewhere/carom/_core*.so | grep -c ' T ')
[ "$shown" -le 3 ] || fail "the module shows more than its entry: $shown functions"
rm -rf "$work/tree" "$work/venv"
hide='mount -t tmpfs none "$1"; cd /; PYTHONPATH=$2/elsewhere exec "$3" "$2/use.py" "$2/elsewhere"'
if unshare -rm true 2>/dev/null; then
  unshare -rm bash -c "$hide" hide "$source" "$work" "$python" || fail "the wheel without the source tree"
else
  (cd / && PYTHONPATH=$work/elsewhere "$python" "$work/use.py" "$work/elsewhere") || fail "the wheel"
fi
echo "the module installs with pip and as a wheel: $(basename "$wheel"), $(stat -c %s "$wheel") bytes"
