"""Backups of the database: making, keeping, restoring and trying them."""
