# Sourced by ./run and ./test: installs missing packages, configures and builds. Quiet when there is nothing to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CCACHE_SLOPPINESS=pch_defines,time_macros  # or ccache would pass by whatever uses a precompiled header

# install_packages <part>...: install what these parts of packages.txt list and the machine lacks.
install_packages() {
  command -v dpkg-query >/dev/null || return 0  # not Debian: CMake will say what it does not find
  local wanted missing=()
  wanted=$(awk -v parts=" $* " '/^\[/ { on = index(parts, " " substr($1, 2, length($1) - 2) " ") } /^[a-z]/ && on' packages.txt)
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

# configure <preset> <part>...: when the build folder is not there yet, or was configured without one of these parts of
# packages.txt (ninja notices later changes itself).
configure() {
  local preset=$1 parts=build/$1/carom-parts part
  shift
  if [ -f "build/$preset/build.ninja" ]; then
    local missing=
    for part in "$@"; do grep -qsx "$part" "$parts" || missing=1; done
    [ -z "$missing" ] && return 0
  fi
  local launcher=() log
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  log=$(mktemp)
  cmake --preset "$preset" "${launcher[@]}" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; exit 1; }
  rm -f "$log"
  printf '%s\n' "$@" >>"$parts"
}

# build <preset> [targets]: quiet unless something is built, which is counted, or fails.
build() {
  local preset=$1 back='\n'
  shift
  [ -t 2 ] && back='\r'
  ninja -C "build/$preset" "$@" | awk -v back="$back" '
    /^\[[0-9]+\/[0-9]+\] / {  # how far it is: every step on a terminal, every tenth of the way in a log
      split(substr($1, 2), at, "[/\\]]")
      if (back == "\r" || int(10 * at[1] / at[2]) > tenth) printf "  built %d of %d%s", at[1], at[2], back
      tenth = int(10 * at[1] / at[2]); open = back == "\r"; fflush()
      next
    }
    /^ninja: (no work to do|Entering directory)/ { next }
    { if (open) printf "\n"; open = 0; print; fflush() }
    END { if (open) printf "\n" }' >&2
}
