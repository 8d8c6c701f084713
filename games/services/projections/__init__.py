"""Projections: values that are stored for lists and queries, derived from the logs of games."""
