"""PyInstaller's hook for PyNaCl: its library imports cffi's at run time, where no analysis of Python code sees it."""

hiddenimports = ["_cffi_backend"]
