"""Duplicate matches as their page and the home page show them: who plays, and the standings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Exists, OuterRef, Prefetch
from django.http import Http404

from accounts.models import User, Viewer
from games import marked
from games.log.deals import revealed_deal
from games.marked import MarkedText
from games.marked import gettext as _
from games.models import (
    DuplicateEntry,
    DuplicateInvitation,
    DuplicateMatch,
    Game,
    Seat,
    apart_from,
    seating_of_match,
)
from games.queries.deals.teams import Team, describe_outcome, playing_teams, waiting_teams
from games.shown.lists import lists_of
from games.shown.words import BOT_LEVELS, join_words
from games.titles.lists import Lists

LISTED = 10


@dataclass(frozen=True)
class Result:
    """Whether a seat of a finished game left, its place, and how far it was ahead of the others."""

    has_left: bool
    place: int
    lead: float

    def beats(self, other: "Result") -> bool:
        """Whether this result is better: first who has not left, then the place, then the lead."""
        return self._order < other._order

    @property
    def _order(self) -> tuple[bool, int, float]:
        return self.has_left, self.place, -self.lead


@dataclass(frozen=True)
class Score:
    """The result of a player, compared with those of the others in the same seat, in percent.

    `rank` is the place among all players of the match; equal scores share it.
    """

    name: str
    level: str  # of a bot, as a word
    is_you: bool
    seat: int
    table: int
    url: str
    result: Result
    percent: float
    rank: int = 0


@dataclass(frozen=True)
class TableOfMatch:
    """A table of a match. `url` is empty while the viewer may not see the game, and before the start."""

    number: int
    players: str
    is_over: bool
    is_yours: bool
    url: str

    @property
    def is_playable(self) -> bool:
        """Whether the viewer plays at this table now."""
        return self.is_yours and not self.is_over and bool(self.url)


@dataclass(frozen=True)
class MatchView:
    """A duplicate match as one viewer sees it.

    `people` are those who have entered before the start, and `invited` those who may still do so. Until then,
    `tables` are as they would start now. `seats` has the scores of each seat, the best first, and `scores`
    those of all seats; both are empty until the last game is over. A match of `teams` has no scores.
    """

    match: DuplicateMatch
    people: Sequence[User]
    tables: Sequence[TableOfMatch]
    seats: Sequence[Sequence[Score]]
    is_over: bool
    is_yours: bool
    teams: Sequence[Team] = ()
    invited: Sequence[User] = ()

    @property
    def outcome(self) -> str:
        """How a match of teams ended, as a sentence without a full stop; empty before, and without teams."""
        return describe_outcome(self.teams) if self.teams and self.is_over else ""

    @property
    def invited_names(self) -> str:
        """The names of those who are invited, as "a, b and c"."""
        return join_words([marked.name(person.username) for person in self.invited])

    @property
    def free_places(self) -> int:
        return self.match.places - len(self.people)

    @property
    def rule_of_leads(self) -> str:
        """Which result is better, in the words of the title."""
        return lists_of(self.match.deal.title).rule_of_leads

    @property
    def finished_tables(self) -> int:
        return sum(table.is_over for table in self.tables)

    @property
    def scores(self) -> list[Score]:
        """The scores of all seats with their ranks, the best first."""
        found = sorted((score for seat in self.seats for score in seat), key=lambda score: -score.percent)
        percents = [score.percent for score in found]
        return [replace(score, rank=1 + percents.index(score.percent)) for score in found]

    @property
    def own(self) -> Score | None:
        """The score of the viewer; None before the end and for spectators."""
        return next((score for score in self.scores if score.is_you), None)


@dataclass(frozen=True)
class ListedMatch:
    """A match that waits for players, as the home page lists it."""

    match: DuplicateMatch
    entered: int
    is_yours: bool
    is_invited: bool


def access_match(key: str) -> DuplicateMatch:
    """Return the match with this key, which is too long to guess. Raises Http404."""
    match = DuplicateMatch.objects.select_related("deal", "opened_by").filter(key=key).first()
    if match is None:
        raise Http404
    return match


def view_match(match: DuplicateMatch, viewer: Viewer) -> MatchView:
    """Return a match as `viewer` sees it."""
    if match.started_at is None:
        entries = list(match.entries.select_related("user"))
        people = [entry.user for entry in entries]
        teams = waiting_teams(match, entries, viewer) if match.has_teams else ()
        invitations = match.invitations.exclude(user__in=people).select_related("user")
        return MatchView(
            match,
            people,
            _planned_tables(match, entries, teams, viewer),
            (),
            is_over=False,
            is_yours=viewer in people,
            teams=teams,
            invited=[invitation.user for invitation in invitations],
        )
    seats = Seat.objects.select_related("user").order_by("number")
    games = list(
        Game.objects.filter(deal=match.deal_id)
        .select_related("deal", "daily")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("pk")
    )
    is_open = revealed_deal(games[0]) is not None
    teams = playing_teams(games, viewer) if match.has_teams else ()
    tables = [_table(number, game, viewer, teams, is_open=is_open) for number, game in enumerate(games, 1)]
    return MatchView(
        match,
        (),
        tables,
        _scores_by_seat(games, viewer) if is_open and not teams else (),
        # Each table counts for teams, also one that only bots still play.
        is_over=all(game.is_over for game in games) if teams else is_open,
        is_yours=any(table.is_yours for table in tables),
        teams=teams,
    )


def matchpoints(results: Sequence[Result]) -> list[float]:
    """Return the matchpoints of each result, in percent of the most that are possible.

    A result gets one point for each other that it beats and half a point for each that equals it, as in
    duplicate bridge (Law 78A of the Laws of Duplicate Bridge, 2017, which counts in half points). A result
    without others has half of the points.

    >>> first, second, left = Result(False, 1, 3.0), Result(False, 2, -2.0), Result(True, 2, 0.0)
    >>> matchpoints([first, second, second, left])
    [100.0, 50.0, 50.0, 0.0]
    """
    most = len(results) - 1
    if not most:
        return [50.0]
    return [
        100 * (sum(own.beats(other) + (not other.beats(own)) for other in results) - 1) / (2 * most)
        for own in results
    ]


def listed_matches(viewer: Viewer) -> list[ListedMatch]:
    """Return the matches that wait for players and that `viewer` may find, newest first."""
    own = {"match": OuterRef("pk"), "user": viewer.pk, "user__isnull": False}
    found = DuplicateMatch.objects.waiting().shown_to(viewer).select_related("deal", "opened_by")
    if viewer.is_authenticated:
        apart = DuplicateEntry.objects.filter(user__in=apart_from(viewer.pk))
        found = found.exclude(pk__in=apart.values("match"))
    counted = found.annotate(
        entered=Count("entries"),
        is_yours=Exists(DuplicateEntry.objects.filter(**own)),
        is_invited=Exists(DuplicateInvitation.objects.filter(**own)),
    )
    return [
        ListedMatch(match, match.entered, match.is_yours, match.is_invited)
        for match in counted.order_by("-is_invited", "-opened_at")[:LISTED]
    ]


def _planned_tables(
    match: DuplicateMatch, entries: Sequence[DuplicateEntry], teams: Sequence[Team], viewer: Viewer
) -> list[TableOfMatch]:
    """Return the tables of a match that has not started: who gets which seat there."""
    found = []
    for number, seats in enumerate(seating_of_match(match, entries), 1):
        users = [None if entry is None else entries[entry].user for entry in seats]
        by_seat = [
            _("seat %(number)d: %(name)s")
            % {"number": seat, "name": _("free") if user is None else marked.name(user.username)}
            for seat, user in enumerate(users, 1)
        ]
        players = _join(_by_team(number, teams) or by_seat)
        found.append(TableOfMatch(number, players, is_over=False, is_yours=viewer in users, url=""))
    return found


def _by_team(number: int, teams: Sequence[Team]) -> list[str]:
    """Return who plays at a table of a match of teams, team by team."""
    return [
        _("%(team)s: %(players)s") % {"team": team.name, "players": team.players[number - 1]}
        for team in teams
    ]


def _join(players: Sequence[str]) -> str:
    return MarkedText(" · ").join(players)


def _table(number: int, game: Game, viewer: Viewer, teams: Sequence[Team], *, is_open: bool) -> TableOfMatch:
    seats = game.seats.all()
    is_yours = any(seat.is_of(viewer) for seat in seats)
    return TableOfMatch(
        number,
        _join(_by_team(number, teams)) if teams else join_words([seat.name for seat in seats]),
        game.is_over,
        is_yours,
        game.get_absolute_url() if is_open or is_yours else "",
    )


def _scores_by_seat(games: Sequence[Game], viewer: Viewer) -> list[list[Score]]:
    """Return the scores of each seat, the best first. A game of bots that still runs does not count."""
    finished = [
        (number, game, list(game.seats.all())) for number, game in enumerate(games, 1) if game.is_over
    ]
    found = []
    for seat in range(games[0].seat_count):
        results = [_result(lists_of(game.title), seats, seat) for _number, game, seats in finished]
        scores = [
            Score(
                seats[seat].name,
                str(BOT_LEVELS[seats[seat].bot]) if seats[seat].bot else "",
                seats[seat].is_of(viewer),
                seat,
                number,
                game.get_absolute_url(),
                result,
                percent,
            )
            for (number, game, seats), result, percent in zip(
                finished, results, matchpoints(results), strict=True
            )
        ]
        found.append(sorted(scores, key=lambda score: -score.percent))
    return found


def _result(lists: Lists, seats: Sequence[Seat], number: int) -> Result:
    """Return what a seat reached in its game, which is over."""
    places = [seat.place for seat in seats]
    result = lists.compare_at_table(number, places, [seat.figures or {} for seat in seats])
    return Result(seats[number].has_left, result.place, result.lead)
