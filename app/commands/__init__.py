"""The subcommands of `slipstream`, one a module; none imports Qt when it is loaded."""
