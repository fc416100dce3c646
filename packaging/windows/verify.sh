#!/usr/bin/env bash
# Installs, upgrades and removes setup.exe under Wine, with a small stand-in for the program. Changes nothing outside a
# temporary folder. Needs (Debian): nsis wine64 gcc-mingw-w64-x86-64. Any Python 3.11 or later serves.
#
# Debian's Wine without its 32-bit part runs 64-bit programs only, so the installer is compiled for amd64 here;
# the real one is 32-bit, like every NSIS installer, since NSIS for Windows has no 64-bit form.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d -t slipstream-nsis.XXXXXX)
export WINEPREFIX=$work/prefix WINEARCH=win64 WINEDEBUG=-all DISPLAY= HOME=$work/home XDG_CACHE_HOME=$work/cache
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
wineserver=$(command -v wineserver || echo /usr/lib/wine/wineserver)
mkdir -p "$HOME"
trap '"$wineserver" -k 2>/dev/null || true; rm -rf "$work"' EXIT

checks=0
check() { # check WHAT COMMAND...: the command succeeds
    local what=$1
    shift
    "$@" >/dev/null 2>&1 || { printf 'FAILED: %s (%s)\n' "$what" "$*" >&2; exit 1; }
    checks=$((checks + 1))
    printf '  ok  %s\n' "$what"
}
absent() { [ ! -e "$1" ]; }
registry() { "$wine" reg query "HKCU\\Software\\$1" "${@:2}" 2>/dev/null | tr -d '\r'; }
has_key() { registry "$1" | grep -q .; }
has_value() { registry "$1" | grep -qF -- "$2"; } # has_value KEY TEXT
no_value() { ! has_value "$1" "$2"; }
in_windows() { printf 'Z:%s' "${1//\//\\}"; }
run_setup() { "$wine" "$work/$1" /S "${@:2}"; }
fails_with() { local code=0; "${@:2}" || code=$?; [ "$code" -eq "$1" ]; }

# tree FOLDER FILE...: a stand-in for the frozen program
x86_64-w64-mingw32-gcc -O1 -s -o "$work/stand_in.exe" "$here/stand_in.c"
tree() {
    local file
    mkdir -p "$1/_internal/engine/assets"
    cp "$work/stand_in.exe" "$1/slipstream.exe"
    cp "$work/stand_in.exe" "$1/slipstreamw.exe"
    for file in "${@:2}"; do
        mkdir -p "$1/$(dirname -- "$file")"
        printf '%s\n' "$file" >"$1/$file"
    done
}
tree "$work/first/frozen/slipstream" '_internal/base.txt' '_internal/only in 1/$cost ü.txt'
tree "$work/second/frozen/slipstream" '_internal/base.txt' '_internal/only in 2/new.txt'

compile() { # compile FOLDER VERSION SETUP: by the code that makes the real one
    mkdir -p "$work/$1/icons"
    PYTHONPATH=$here/.. python3 - "$work/$1" "$2" "$work/$3" <<'PYTHON'
import sys
from pathlib import Path
from builder import icon_files, windows
from builder.project import Build

work, version, setup = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
pixel = bytes.fromhex(  # a PNG of one pixel; Windows scales it
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360f8cff01f0005010201cf9d2b790000000049454e44ae426082"
)
icon = icon_files.ico(dict.fromkeys(icon_files.ICO_SIZES, pixel))
(work / "icons" / "slipstream.ico").write_bytes(icon)
windows.compile_installer(Build("windows", version, work, setup.parent), setup, "Target amd64-unicode", "!define QUICK")
PYTHON
}
compile first 0.1.0 first.exe
compile second 0.2.0 second.exe

"$wine" wineboot -i >/dev/null 2>&1
user=$WINEPREFIX/drive_c/users/$(ls "$WINEPREFIX/drive_c/users" | grep -v -i public | head -1)
program=$user/AppData/Local/Programs/Slipstream
menu="$user/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Slipstream.lnk"
chats=$user/AppData/Local/slipstream
uninstall='Microsoft\Windows\CurrentVersion\Uninstall\Slipstream'
mkdir -p "$chats/models"
echo chats >"$chats/history.sqlite3"
"$wine" reg add 'HKCU\Software\Classes\.gguf\OpenWithProgids' /v Other.gguf /d '' /f >/dev/null 2>&1

echo "On Windows 7"
"$wine" winecfg -v win7
check "setup refuses with 2" fails_with 2 run_setup first.exe
check "and leaves nothing" absent "$program"
"$wine" winecfg -v win10

echo "Installing, as a user, silently"
check "setup ends with 0" run_setup first.exe
check "the program is there" cmp "$work/stand_in.exe" "$program/slipstreamw.exe"
check "names with blanks, dollars and umlauts" cmp "$work/first/frozen/slipstream/_internal/only in 1/\$cost ü.txt" "$program/_internal/only in 1/\$cost ü.txt"
check "Start-menu entry" test -s "$menu"
check "listed among the programs, with its version" has_value "$uninstall" 0.1.0
check "the system can remove it silently" has_value "$uninstall" 'uninstall.exe" /S'
check "nothing for all users" absent "$WINEPREFIX/drive_c/Program Files/Slipstream"
check "the installed program runs" "$wine" "$program/slipstream.exe" "$(in_windows "$work/told.txt")" it runs
check "and tells its arguments" grep -qx it "$work/told.txt"

echo "Opening a .gguf file"
check "Slipstream is offered" has_value 'Classes\.gguf\OpenWithProgids' Slipstream.gguf
check "the command imports the file" has_value 'Classes\Slipstream.gguf\shell\open\command' 'models import "%1"'

echo "Upgrading in place"
check "setup ends with 0" run_setup second.exe
check "the new version's files" test -s "$program/_internal/only in 2/new.txt"
check "not the old one's" absent "$program/_internal/only in 1"
check "one entry, with the new version" has_value "$uninstall" 0.2.0
check "chats stay" grep -qx chats "$chats/history.sqlite3"

echo "While the program runs"
mkfifo "$work/keyboard"
exec 9<>"$work/keyboard"
"$wine" "$program/slipstreamw.exe" <&9 &
running=$!
for _ in $(seq 100); do
    fails_with 2 run_setup second.exe && break
    sleep 0.1
done
check "setup refuses with 2" fails_with 2 run_setup second.exe
check "and leaves everything" test -s "$program/_internal/only in 2/new.txt"
"$wineserver" -k
wait "$running" 2>/dev/null || true

echo "Removing"
touch "$program/a file of the user"
check "uninstall ends with 0" "$wine" "$program/uninstall.exe" /S "_?=C:\\users\\$(basename "$user")\\AppData\\Local\\Programs\\Slipstream"
check "the program is gone" absent "$program/slipstream.exe"
check "with its folders" absent "$program/_internal"
check "a file of the user is not" test -e "$program/a file of the user"
check "no Start-menu entry" absent "$menu"
check "not listed any more" no_value "$uninstall" Slipstream
check "no file type" no_value 'Classes\Slipstream.gguf' import
check "another program's stays" has_value 'Classes\.gguf\OpenWithProgids' Other.gguf
check "chats stay" grep -qx chats "$chats/history.sqlite3"

echo "Into a folder of the user's choice, and the way the system removes it"
check "setup /D=" run_setup first.exe "/D=C:\\Elsewhere\\Slip"
chosen="$WINEPREFIX/drive_c/Elsewhere/Slip"
check "is there" test -s "$chosen/slipstream.exe"
"$wine" "$chosen/uninstall.exe" /S
for _ in $(seq 100); do
    [ -e "$chosen" ] || break
    sleep 0.1
done
check "and all of it is gone" absent "$chosen"

echo "All $checks checks passed."
