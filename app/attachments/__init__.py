"""Text files as context: read in a process of their own, counted, shown as chips, sent with a message."""
