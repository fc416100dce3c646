"""What speculation does now, and what it is worth: switch, state, live panel."""
