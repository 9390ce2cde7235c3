# Sourced by ./run and ./test: installs missing packages, configures and builds. Quiet when there is nothing to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CCACHE_SLOPPINESS=pch_defines,time_macros  # or ccache would pass by whatever uses a precompiled header

# Install what packages.txt lists and the machine lacks.
install_packages() {
  command -v dpkg-query >/dev/null || return 0  # not Debian: CMake will say what it does not find
  local wanted missing=()
  wanted=$(sed 's/#.*//' packages.txt)
  for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      echo "carom needs these Debian packages, and cannot install them without root:" >&2
      echo "  sudo apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]} ..." >&2
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
         apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "carom: these packages could not be installed: ${missing[*]}" >&2
    exit 1
  fi
  rm -f "$log"
}

# configure <preset> [cmake args]: only when the build folder is not there yet (ninja notices later changes itself).
configure() {
  local preset=$1
  shift
  [ -f "build/$preset/build.ninja" ] && [ $# -eq 0 ] && return 0
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake --preset "$preset" "${launcher[@]}" "$@" >"/tmp/carom-configure.$$" 2>&1 ||
    { cat "/tmp/carom-configure.$$" >&2; rm -f "/tmp/carom-configure.$$"; exit 1; }
  rm -f "/tmp/carom-configure.$$"
}

# build <preset> [targets]: quiet unless something is built or fails.
build() {
  local preset=$1
  shift
  ninja -C "build/$preset" --quiet "$@" | { grep -v '^ninja: no work to do' >&2 || true; }
}
