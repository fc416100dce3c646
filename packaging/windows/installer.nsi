; Installs Slipstream for the user who runs it: no administrator, no reboot. builder/windows.py compiles this.
; Silent: setup.exe /S [/D=C:\folder], uninstall.exe /S. Exit codes: 0 done, 1 cancelled, 2 not possible.
;
; Given by builder/windows.py: VERSION, NUMBERS (the same, four of them), TREE (the frozen program), LISTS (the folder
; of installed.nsh and removed.nsh, which name every file of it), OUTPUT, ICON, PICTURE, SIZE_KB; optionally SIGN, the
; command that signs the uninstaller, and QUICK, for a trial without compression.

Unicode true
!ifndef QUICK
  SetCompressor /SOLID lzma
!endif
!define TITLE "Slipstream"
!define PROGRAM "slipstream.exe"
!define WINDOW "slipstreamw.exe" ; the same program without a console
!define APP_ID "Slipstream"
!define FILE_TYPE "Slipstream.gguf"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${APP_ID}"

!include MUI2.nsh
!include LogicLib.nsh
!include WinVer.nsh
!include x64.nsh

Name "${TITLE}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\${TITLE}"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
RequestExecutionLevel user
AllowSkipFiles off ; a file that can't be written is asked about again, never left out
ManifestDPIAware true
BrandingText "${TITLE} ${VERSION}"
VIProductVersion "${NUMBERS}"
VIAddVersionKey ProductName "${TITLE}"
VIAddVersionKey FileDescription "${TITLE} installer"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey LegalCopyright "Apache License 2.0"
!ifdef SIGN
  !uninstfinalize '${SIGN}' = 0
!endif

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURE}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\${WINDOW}"
!define MUI_FINISHPAGE_RUN_TEXT "Open ${TITLE}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; Windows does not let go of a running program's file: a copy would stop half-way.
!macro REFUSE_WHILE_RUNNING FILE
  ${If} ${FileExists} "$INSTDIR\${FILE}"
    ClearErrors
    FileOpen $0 "$INSTDIR\${FILE}" a
    ${If} ${Errors}
      MessageBox MB_ICONSTOP "${TITLE} is running. Close it, then try again." /SD IDOK
      SetErrorLevel 2
      Quit
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

Function .onInit
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastBuild} 17763 ; what Qt needs
    MessageBox MB_ICONSTOP "${TITLE} needs 64-bit Windows 10, version 1809, or later." /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
FunctionEnd

Section
  !insertmacro REFUSE_WHILE_RUNNING "${PROGRAM}"
  !insertmacro REFUSE_WHILE_RUNNING "${WINDOW}"
  SetShellVarContext current
  Call RemoveOlderVersion

  ClearErrors
  !include "${LISTS}\installed.nsh"
  ${If} ${Errors}
    MessageBox MB_ICONSTOP "Not every file of ${TITLE} could be written to $INSTDIR. Make room, then run this again." \
      /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${TITLE}.lnk" "$INSTDIR\${WINDOW}" "" "$INSTDIR\${WINDOW}" 0 SW_SHOWNORMAL "" \
    "Chat with language models on your own processor"

  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "${TITLE}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\${WINDOW}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "${TITLE}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${SIZE_KB}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1

  ; Offered under "Open with"; a program that the user chose for .gguf stays the first.
  WriteRegStr HKCU "Software\Classes\.gguf\OpenWithProgids" "${FILE_TYPE}" ""
  WriteRegStr HKCU "Software\Classes\${FILE_TYPE}" "" "Language model (GGUF)"
  WriteRegStr HKCU "Software\Classes\${FILE_TYPE}\DefaultIcon" "" "$INSTDIR\${WINDOW},0"
  WriteRegStr HKCU "Software\Classes\${FILE_TYPE}\shell\open" "" "Import into ${TITLE}"
  WriteRegStr HKCU "Software\Classes\${FILE_TYPE}\shell\open" "FriendlyAppName" "${TITLE}"
  WriteRegStr HKCU "Software\Classes\${FILE_TYPE}\shell\open\command" "" \
    '"$SYSDIR\cmd.exe" /c ""$INSTDIR\${PROGRAM}" models import "%1" & pause"'
  Call TellExplorer
SectionEnd

Section "Uninstall"
  !insertmacro REFUSE_WHILE_RUNNING "${PROGRAM}"
  !insertmacro REFUSE_WHILE_RUNNING "${WINDOW}"
  SetShellVarContext current
  Delete "$SMPROGRAMS\${TITLE}.lnk"
  ; Only what was installed, file by file: chats and models, and whatever else lies in the folder, stay.
  !include "${LISTS}\removed.nsh"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  DeleteRegValue HKCU "Software\Classes\.gguf\OpenWithProgids" "${FILE_TYPE}"
  DeleteRegKey /ifempty HKCU "Software\Classes\.gguf\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "Software\Classes\.gguf"
  DeleteRegKey HKCU "Software\Classes\${FILE_TYPE}"
  Call un.TellExplorer
SectionEnd

; An older version knows its own files. With _?= its uninstaller runs in place, so that it can be waited for.
Function RemoveOlderVersion
  ReadRegStr $1 HKCU "${UNINSTALL_KEY}" "InstallLocation"
  ${If} $1 == ""
  ${OrIfNot} ${FileExists} "$1\uninstall.exe"
    Return
  ${EndIf}
  DetailPrint "Removing the older version"
  ExecWait '"$1\uninstall.exe" /S _?=$1' $2
  ${If} $2 <> 0
    MessageBox MB_ICONSTOP "The older version in $1 can't be removed. Close ${TITLE}, then try again." /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  Delete "$1\uninstall.exe"
  RMDir "$1"
FunctionEnd

!macro TELL_EXPLORER UN
Function ${UN}TellExplorer
  System::Call "shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)" ; SHCNE_ASSOCCHANGED
FunctionEnd
!macroend
!insertmacro TELL_EXPLORER ""
!insertmacro TELL_EXPLORER "un."
