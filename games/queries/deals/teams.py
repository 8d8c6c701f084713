"""The two teams of a duplicate match: who is in them, and what they have reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import User, Viewer
from games import marked
from games.marked import gettext as _
from games.marked import ngettext
from games.models import TEAMS, DuplicateEntry, DuplicateMatch, Game, Seat, seating_of_match, side_of_team
from games.shown.words import join_words
from games.titles.registry import title_named


@dataclass(frozen=True)
class Team:
    """A team as one viewer sees it. Its `number` counts from 0.

    `people` have joined it before the start, and `free_places` are left. `players` has its people and bots,
    or free seats, at each table, as "a and b". `points` has what they have reached there; it is empty until
    both tables are over. A player of the team has left `tables_left` of them.
    """

    number: int
    is_yours: bool
    people: Sequence[User] = ()
    free_places: int = 0
    players: Sequence[str] = ()
    points: Sequence[int] = ()
    tables_left: int = 0

    @property
    def name(self) -> str:
        return [_("Team A"), _("Team B")][self.number]

    @property
    def total(self) -> int:
        """The points of both tables."""
        return sum(self.points)

    def beats(self, other: Team) -> bool:
        """Return whether this team wins: it has left fewer tables or, with as many, it has more points."""
        return (self.tables_left, -self.total) < (other.tables_left, -other.total)


def waiting_teams(match: DuplicateMatch, entries: Sequence[DuplicateEntry], viewer: Viewer) -> list[Team]:
    """Return the teams of a match that has not started, with those who have joined them."""
    tables, sides = seating_of_match(match, entries), _sides(match.deal.title, match.seat_count)
    found = []
    for number in range(TEAMS):
        people = [entry.user for entry in entries if entry.team == number]
        own = [
            [entry for entry, side in zip(seats, sides, strict=True) if side == side_of_team(number, table)]
            for table, seats in enumerate(tables)
        ]
        players = [
            _names_of([entries[one].user for one in seats if one is not None], len(seats)) for seats in own
        ]
        found.append(Team(number, viewer in people, people, match.team_size - len(people), players))
    return found


def playing_teams(games: Sequence[Game], viewer: Viewer) -> list[Team]:
    """Return the teams of a match by the games of its tables, whose seats are loaded in their order."""
    is_over = all(game.is_over for game in games)
    found = []
    for number in range(TEAMS):
        seats = [_seats_of(number, table, game) for table, game in enumerate(games)]
        found.append(
            Team(
                number,
                is_yours=any(seat.is_of(viewer) for own in seats for seat in own),
                players=[join_words([seat.name for seat in own]) for own in seats],
                # All seats of a side have its points.
                points=[(own[0].figures or {}).get("points", 0) for own in seats] if is_over else (),
                tables_left=sum(any(seat.has_left for seat in own) for own in seats),
            )
        )
    return found


def describe_outcome(teams: Sequence[Team]) -> str:
    """Return how a match of teams ended, without a full stop, with the viewer's team first."""
    first, second = sorted(teams, key=lambda team: not team.is_yours)
    if not first.is_yours and second.beats(first):
        first, second = second, first
    words = {"points": first.total, "others": second.total, "team": first.name, "other_team": second.name}
    if not first.beats(second) and not second.beats(first):
        return _("The duplicate match ended in a tie, %(points)d points each") % words
    is_by_leaving = first.tables_left != second.tables_left
    if not first.is_yours:
        if is_by_leaving:
            return _("%(team)s won the duplicate match, because %(other_team)s left a table") % words
        return _("%(team)s won the duplicate match, %(points)d to %(others)d") % words
    if first.beats(second):
        if is_by_leaving:
            return _("Your team won the duplicate match, because the other team left a table")
        return _("Your team won the duplicate match, %(points)d to %(others)d") % words
    if is_by_leaving:
        return _("Your team lost the duplicate match, because it left a table")
    return _("Your team lost the duplicate match, %(points)d to %(others)d") % words


def _seats_of(team: int, table: int, game: Game) -> list[Seat]:
    """Return the seats of a team at a table."""
    sides, own = _sides(game.title, game.seat_count), side_of_team(team, table)
    return [seat for seat, side in zip(game.seats.all(), sides, strict=True) if side == own]


def _names_of(people: Sequence[User], seats: int) -> str:
    """Return the names of people who have some of these seats, and how many are free."""
    names: list[str] = [marked.name(person.username) for person in people]
    if free := seats - len(people):
        names.append(ngettext("%(count)d free seat", "%(count)d free seats", free) % {"count": free})
    return join_words(names)


def _sides(title: str, seats: int) -> Sequence[int]:
    return title_named(title).rules.sides(seats)
