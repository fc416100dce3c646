"""What the user can set: of the program, and of each chat."""
