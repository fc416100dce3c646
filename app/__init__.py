"""The chat window and the command line; knows the engine by its public names only."""

__version__ = "0.1.0"
INTERRUPTED = 130  # exit code after Ctrl-C, as shells give it
