"""The queries in the addresses of a game's pages: at which action, and what is chosen."""

from urllib.parse import urlencode

from games.choosing import NOTHING_CHOSEN, Choice


def page_query(at: int | None = None, choice: Choice = NOTHING_CHOSEN) -> str:
    """Return the query of a page that shows action `at` (None: the newest) and has this choice.

    >>> from games.engine import Cell
    >>> page_query(3, Choice("B1", Cell(2, -1)))
    '?at=3&tile=B1&x=2&y=-1'
    >>> page_query()
    ''
    """
    fields: dict[str, object] = {} if at is None else {"at": at}
    if choice.tile is not None:
        fields["tile"] = choice.tile
        if choice.cell is not None:
            fields |= {"x": choice.cell.x, "y": choice.cell.y}
    return f"?{urlencode(fields)}" if fields else ""
