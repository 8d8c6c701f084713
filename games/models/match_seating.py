"""Who gets which seat at which table of a duplicate match. It follows from the entries: nobody can choose."""

from collections.abc import Sequence

from games.models.duplicates import TEAMS, DuplicateEntry, DuplicateMatch, side_of_team
from games.titles.registry import title_named


def seating_of_match(match: DuplicateMatch, entries: Sequence[DuplicateEntry]) -> list[list[int | None]]:
    """Return for each table and seat of a match which of its entries has it; None for a bot."""
    if not match.has_teams:
        return seating(len(entries), match.table_count, match.seat_count)
    sides = title_named(match.deal.title).rules.sides(match.seat_count)
    return seating_of_teams([entry.team or 0 for entry in entries], sides)


def seating(people: int, tables: int, seats: int) -> list[list[int | None]]:
    """Return for each table and seat which person has it, by the order in which they entered; None for a bot.

    People are dealt to the tables in turn, and each table begins with the next seat. So no seat has all of
    those who entered first, or all the bots.

    >>> seating(5, 3, 2)
    [[0, 3], [4, 1], [2, None]]
    """
    found: list[list[int | None]] = [[None] * seats for _table in range(tables)]
    for person in range(people):
        round_number, table = divmod(person, tables)
        found[table][(table + round_number) % seats] = person
    return found


def seating_of_teams(teams: Sequence[int], sides: Sequence[int]) -> list[list[int | None]]:
    """Return the same for a match of teams, from the team of each person and the side of each seat.

    Each team has the first side at the table of its own number, and the second side at the other table. Its
    first people are partners at its own table. So if people are missing, the teams still play the same cards
    at different tables.

    >>> seating_of_teams([0, 1, 0, 1, 1], (0, 1, 0, 1))
    [[0, 4, 2, None], [1, None, 3, None]]
    """
    found: list[list[int | None]] = [[None] * len(sides) for _table in range(TEAMS)]
    for team in range(TEAMS):
        people = (person for person, own in enumerate(teams) if own == team)
        places = [
            (table, seat)
            for table in range(TEAMS)
            for seat, side in enumerate(sides)
            if side == side_of_team(team, table)
        ]
        places.sort(key=lambda place: sides[place[1]])
        for person, (table, seat) in zip(people, places, strict=False):
            found[table][seat] = person
    return found
