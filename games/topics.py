"""The topics that open pages follow beside their game, as `games/live.py` sends them."""

TABLES = "tables"  # what everybody may join: open tables, and people who look for somebody


def of_person(user_id: int) -> str:
    """Return the topic of everything that concerns one person: their games and their tables."""
    return f"user {user_id}"


def of_spectators(key: str) -> str:
    """Return the topic of what those who watch the game `key` write."""
    return f"spectators {key}"
