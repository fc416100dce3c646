# Sourced by start.sh and test.sh: finds a Python, adds what the system lacks, fills .venv from a lock file.
# shellcheck shell=bash
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

say() { printf '== %s\n' "$*" >&2; }

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Install packages with apt, after saying so. Asks for a password only where sudo does.
install_packages() {
    local as_root=()
    command -v apt-get >/dev/null || fail "This system has no apt; install what Debian calls $* and run this again."
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "Ask an administrator to run: apt-get install $*"
        as_root=(sudo)
    fi
    say "Installing system packages: $*"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    "${apt[@]}" update >&2 || say "The package lists could not be refreshed; trying with the old ones."
    "${apt[@]}" install -y --no-install-recommends "$@" </dev/null >&2 ||
        fail "apt-get could not install $*; see its message above."
}

# Print the first Python that fits and can make virtual environments; 1 if there is none.
find_python() {
    local candidate
    for candidate in $(type -ap python3 || true) python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' \
            2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    return 1
}

# Debian 12 and Ubuntu 24.04 have a fitting python3; Ubuntu 22.04 has python3.11 beside its own.
ensure_python() {
    python=$(find_python) && return
    if command -v apt-get >/dev/null; then
        install_packages python3 python3-venv
        python=$(find_python) && return
        local version
        for version in 3.13 3.12 3.11; do
            [ -n "$(apt-cache madison "python$version-venv")" ] || continue
            install_packages "python$version" "python$version-venv"
            break
        done
    fi
    python=$(find_python) || fail "Slipstream needs Python 3.11 to 3.14 with its venv module;" \
        "install one (for instance with: uv python install 3.12) and run this again."
}

ensure_window_libraries() {
    local missing
    missing=$("$python" "$root/engine/system_libraries.py")
    # shellcheck disable=SC2086 # a list of names
    [ -z "$missing" ] || install_packages $missing
}

# ensure_environment LOCK: make .venv hold exactly what the lock file pins, and this checkout. A copy of all that
# decides the outcome is the stamp, so a second run costs one comparison.
ensure_environment() {
    local lock=$root/packaging/$1 stamp=$venv/$1.stamp quiet=(-q) wanted
    [ -t 2 ] && quiet=()
    wanted=$(printf '%s\n' "$root" && cat "$lock" "$root/pyproject.toml")
    if [ -x "$venv/bin/slipstream" ] && [ -f "$stamp" ] && [ "$wanted" = "$(cat "$stamp")" ]; then
        return
    fi
    say "Installing Python packages into $venv, each checked against the hash in packaging/$1"
    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        "$python" -m venv --clear "$venv"
    fi
    local pip=("$venv/bin/python" -m pip --no-input --disable-pip-version-check)
    PIP_USER=0 "${pip[@]}" install "${quiet[@]}" --require-hashes -r "$lock" >&2 ||
        fail "The Python packages could not be installed; see pip's message above, and run this again."
    PIP_USER=0 "${pip[@]}" install -q --no-deps --no-build-isolation --editable "$root" >&2
    # OpenVINO's usage reporting; it is optional, and Slipstream promises to send nothing.
    "${pip[@]}" uninstall -q -y openvino-telemetry >&2
    printf '%s\n' "$wanted" >"$stamp"
}
