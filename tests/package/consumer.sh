#!/usr/bin/env bash
# consumer.sh <build folder>: install carom into a temporary folder, build a project against it, run both programs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >/dev/null
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build"
"$work/build/consumer"
cd "$work"
"$work/prefix/bin/carom" list | grep -q falling_rod_case_2  # the installed program finds the installed scenarios
"$work/prefix/bin/carom" run falling_rod_case_2 >/dev/null
test -s out/falling_rod_case_2/routh_diagram.svg
