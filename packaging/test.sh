#!/usr/bin/env bash
# Every check of the project, as continuous integration runs it; 1 if any of them fails.
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"

say "Slipstream's checks: system packages only if some are missing, Python packages into .venv, then the checks"
ensure_python
ensure_window_libraries
command -v Xvfb >/dev/null || install_packages xvfb
ensure_environment requirements-dev.txt

cd -- "$root"
export PATH=$venv/bin:$PATH QT_QPA_PLATFORM=offscreen
failed=()

step() {
    say "$*"
    "$@" || failed+=("$*")
}

step ruff check .
step ruff format --check .
step mypy
step lint-imports
step python -m pytest

[ ${#failed[@]} -eq 0 ] || fail "Failed: $(printf '%s; ' "${failed[@]}")"
say "All checks passed in $SECONDS s"
