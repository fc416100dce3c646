"""Conversations on disk: one SQLite file, its backups, its search index."""
