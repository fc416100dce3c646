"""Makes this system's installer: `python packaging/build.py`, with any Python 3.11 to 3.14 that has venv.

A fresh environment from the lock files, PyInstaller's one-folder program pruned to what runs, checks on it, the
system's own wrapper around it, and the program out of the wrapper tried once more. Everything goes to dist/.
"""

import argparse
import sys
from pathlib import Path

from builder import checks, environment, freeze, project, sbom, signing, systems
from builder.project import Build, BuildError


def main() -> int:
    options = _parse()
    build = Build.for_this_machine(options.out, options.quick)
    try:
        artefacts = make(
            build, smoke_home=options.smoke_home, reuse=options.reuse, smoke=not options.no_smoke
        )
    except BuildError as error:
        sys.stderr.write(f"The build failed: {error}\n")
        return 1
    for artefact in artefacts:
        project.tell(f"{artefact} ({artefact.stat().st_size / 1e6:.1f} MB)")
    return 0


def make(build: Build, smoke_home: Path | None, reuse: bool, smoke: bool) -> list[Path]:
    """The finished artefacts. `reuse` wraps the tree that the last run froze; BuildError says what is wrong."""
    _remove_results(build)
    if not reuse:
        environment.prepare(build)
        freeze.freeze(build)
    checks.check_tree(build)
    bill = sbom.write(build)
    home = checks.smoke_home(build, smoke_home) if smoke else None
    if home:
        checks.smoke(build.program, home)
    try:
        return _results(build, bill, home)
    except BaseException:
        _remove_results(build)
        raise


def _results(build: Build, bill: Path, home: Path | None) -> list[Path]:
    artefacts = systems.of(build).wrap(build)
    if home:
        for artefact in artefacts:
            checks.smoke_wrapped(build, artefact, home)
    return [*artefacts, *signing.publish([*artefacts, bill], build)]


def _remove_results(build: Build) -> None:
    """What an earlier run made of this version: after a failure nothing is there to be taken for sound."""
    bill = build.out / sbom.file_name(build)
    for file in (*systems.of(build).artefacts(build), bill, *signing.sums(build)):
        file.unlink(missing_ok=True)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--out", type=Path, default=project.ROOT / "dist", help="default: dist/")
    parser.add_argument(
        "--smoke-home",
        type=Path,
        metavar="FOLDER",
        help="a SLIPSTREAM_HOME with the starter (default: build/smoke-home, fetched by the frozen program)",
    )
    parser.add_argument("--reuse", action="store_true", help="wrap what the last run froze")
    parser.add_argument("--quick", action="store_true", help="compress little: a larger installer, sooner")
    parser.add_argument("--no-smoke", action="store_true", help="leave the trial with the starter model out")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
