"""Choosing and fetching models."""
