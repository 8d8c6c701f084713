"""Template filters for reviews."""

from collections.abc import Sequence

from django import template

from games.queries.notes import KeptLine

register = template.Library()


@register.filter
def beginning_at(lines: Sequence[KeptLine], number: int) -> tuple[KeptLine, ...]:
    """Return the lines of the viewer that begin where action `number` was played."""
    return tuple(line for line in lines if line.next_number == number)
