"""`slipstream doctor`: the machine's checks, the problems among them on standard error."""

import json
from argparse import Namespace
from dataclasses import asdict

from app.commands.streams import say, tell
from engine import doctor
from engine.doctor import Check


def run(options: Namespace) -> int:
    checks = doctor.checks()
    fine = all(check.ok for check in checks)
    if options.json:
        say(json.dumps({"ok": fine, "checks": [asdict(check) for check in checks]}, ensure_ascii=False))
        return 0 if fine else 1
    for check in checks:
        (say if check.ok else tell)(line(check))
    return 0 if fine else 1


def line(check: Check) -> str:
    """One check in one line."""
    if check.ok:
        return f"ok       {check.name}: {check.detail}"
    return f"problem  {check.name}: {check.detail}; {check.remedy}."
