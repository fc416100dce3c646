#!/usr/bin/env bash
# Set Slipstream up in .venv and start it. Arguments go to slipstream: bash packaging/start.sh ask "Why?"
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"

say "Slipstream: system packages only if some are missing, Python packages into .venv, then the chat"
ensure_python
[ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || ensure_window_libraries
ensure_environment requirements.txt

slipstream=$venv/bin/slipstream
if [ $# -gt 0 ]; then
    exec "$slipstream" "$@"
fi
if "$venv/bin/python" -c 'import sys; from engine.system_libraries import display; sys.exit(display() is None)'; then
    exec "$slipstream"
fi
question="Explain photosynthesis in two sentences."
say "There is no display here, so this asks in the terminal: slipstream ask --stats \"$question\""
exec "$slipstream" ask --stats "$question"
