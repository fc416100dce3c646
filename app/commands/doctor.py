"""`slipstream doctor`: the machine's checks, the problems among them on standard error."""

import json
from argparse import Namespace
from dataclasses import asdict

from app.commands.streams import say, tell
from app.crash_report import reports
from engine import doctor
from engine.doctor_files import Check
from engine.models.paths import home


def run(options: Namespace) -> int:
    checks = [*doctor.checks(), *crashes()]
    fine = all(check.ok for check in checks)
    if options.json:
        say(json.dumps({"ok": fine, "checks": [asdict(check) for check in checks]}, ensure_ascii=False))
        return 0 if fine else 1
    for check in checks:
        (say if check.ok else tell)(line(check))
    return 0 if fine else 1


def crashes() -> list[Check]:
    """The last one, if there was any. No problem by itself: the report is for whoever looks into it."""
    return [Check("last crash", True, f"a report lies in {report}") for report in reports(home())[:1]]


def line(check: Check) -> str:
    """One check in one line."""
    if check.ok:
        return f"ok       {check.name}: {check.detail}"
    return f"problem  {check.name}: {check.detail}; {check.remedy}."
