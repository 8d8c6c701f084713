"""Removal of rows and people that nobody needs any more."""

from games.services.pruning.overdue import WARNING, prune

__all__ = ["WARNING", "prune"]
