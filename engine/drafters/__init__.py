"""Drafters guess tokens. A guess only warms the target's cache; it never changes the answer."""
