"""The chat window and the command line; knows the engine by its public names only."""

__version__ = "0.1.0"
