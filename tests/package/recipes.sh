#!/usr/bin/env bash
# recipes.sh <source folder>: the recipes say what the build says: version, licence, options and dependencies.
set -euo pipefail
source=$1
recipes=$source/packaging
fail() { echo "FAILED: $*"; exit 1; }
version=$(sed -n 's/^project(carom VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
grep -q "\"version\": \"$version\"" "$recipes/vcpkg/ports/carom/vcpkg.json" || fail "vcpkg: not version $version"
grep -q "^  version: $version$" "$recipes/conda/meta.yaml" || fail "conda: not version $version"
for recipe in vcpkg/ports/carom/vcpkg.json conda/meta.yaml; do
  grep -q BSD-3-Clause "$recipes/$recipe" || fail "$recipe: another licence"
  for package in boost eigen fmt cli11 tbb tinyxml2 yaml; do
    grep -qi "$package" "$recipes/$recipe" || fail "$recipe: lacks $package"
  done
done
# Every option that a recipe sets is one of the build.
for option in $(grep -oh 'CAROM_[A-Z_]*' -r "$recipes" | sort -u); do
  grep -q "^option($option " "$source/CMakeLists.txt" || fail "there is no option $option"
done
if command -v python3 >/dev/null; then
  python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$recipes/vcpkg/ports/carom/vcpkg.json" || fail "vcpkg.json"
fi
echo "recipes as expected"
