"""Statistics over all finished games of a person in one title, from what is stored about them.

The games are those of `SeatQuerySet.with_results`, as on profiles. Nothing is searched or replayed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from statistics import fmean
from typing import NamedTuple

from django.db.models import Count
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import User
from games.clocks import LIVE_PACES
from games.marked import gettext as _
from games.marked import name, ngettext
from games.models import Action, Game, RatingChange, Seat, SeatQuerySet
from games.queries.browsing.findings import MANY, findings, points_of_luck
from games.queries.browsing.losses import NO_LOSSES, Losses, losses_of
from games.queries.people.results import ENOUGH, ResultsRow, have_bars
from games.queries.scores import OverTime, OwnHistogram, over_time, own_histogram, scores_over_time
from games.queries.sides import side_of_seats
from games.queries.standings import SoloStanding, solo_standing
from games.queries.summaries import GameSummary, summaries
from games.shown.lists import lists_of
from games.shown.words import BOT_LEVELS
from games.titles.lists import Figures, FinishedGame, Statistic
from games.titles.registry import TITLES, has_talent
from games.titles.talents import Talent

# People with a rating that differs by no more than this are about as strong.
AS_STRONG = 100
AT_A_TIME = 10  # games in a row of the table over time
MOST_ROWS, MOST_POINTS, MOST_PEOPLE = 6, 60, 8


class Split(NamedTuple):
    """All games divided into kinds: a heading, what it says, and a row for each kind."""

    key: str
    heading: str
    about: str
    rows: Sequence[ResultsRow]


@dataclass(frozen=True)
class Insights:
    """The statistics of a person in one title; `titles` has the keys and names of all titles.

    `findings` are the sentences about what stands out, the clearest first. `curve` is the score in the games
    before each moment. `over_time` has the latest games first. A split whose games are all of one kind is
    left out, and `solo` and its charts are only for titles with solo games.
    """

    title: str = ""
    titles: Sequence[tuple[str, str]] = ()
    total: ResultsRow | None = None
    began: datetime | None = None
    ended: datetime | None = None
    findings: Sequence[str] = ()
    curve: OverTime | None = None
    over_time: Sequence[ResultsRow] = ()
    splits: Sequence[Split] = ()
    statistics: Sequence[Statistic] = ()
    losses: Losses = NO_LOSSES
    few: Sequence[GameSummary] = ()  # the games themselves while they are too few for a score
    solo: SoloStanding | None = None
    scores: OverTime | None = None
    histogram: OwnHistogram | None = None

    @property
    def missing(self) -> int:
        """How many more games it takes until the page shows a score and compares kinds of games."""
        return max(0, ENOUGH - (self.total.played if self.total else 0))

    @property
    def is_enough(self) -> bool:
        """Whether there are enough games for a score."""
        return not self.missing

    @property
    def luck(self) -> Sequence[int]:
        """By how many points luck moves the score of all games, and of the fewest that have a score."""
        return (
            [points_of_luck(self.total, games) for games in (self.total.played, ENOUGH)] if self.total else []
        )

    @property
    def has_bars(self) -> bool:
        """Whether a table has a bar, so that its mark needs a sentence."""
        return have_bars(chain(self.over_time, *(split.rows for split in self.splits)))


class _Seat(NamedTuple):
    """The columns of a seat that count, and of its game."""

    game: int
    number: int
    place: int | None
    figures: Figures | None
    bot: str
    user: int | None
    has_left: bool
    seats: int
    pace: str
    ended: datetime

    @property
    def last_figures(self) -> Figures:
        """What the seat had at the end of a game that it played to the end; else nothing."""
        return {} if self.has_left else self.figures or {}


class _Game(NamedTuple):
    """A finished game: the seat of the person, those of their opponents, and the number of sides."""

    own: _Seat
    opponents: Sequence[_Seat]
    sides: int

    @property
    def outcome(self) -> str:
        if self.own.place != 1:
            return "lost"
        return "won" if any((seat.place or 0) > 1 for seat in self.opponents) else "drawn"

    @property
    def points(self) -> float:
        """A win counts 1, a draw half of it."""
        return {"won": 1.0, "drawn": 0.5, "lost": 0.0}[self.outcome]


def insights(viewer: User, title: str = "") -> Insights:
    """Return the statistics of a person in a title of the site, or else in the one they play most."""
    seats = Seat.objects.with_results().filter(user=viewer, game__status=Game.Status.OVER)
    counted = seats.values_list("game__title").annotate(games=Count("pk")).order_by("-games", "game__title")
    played = [key for key, _games in counted]
    titles = list(dict.fromkeys([*TITLES, *played]))
    chosen = title if title in titles else next(iter([*played, *titles]))
    own = Insights(title=chosen, titles=[(key, lists_of(key).name) for key in titles])
    if has_talent(chosen, Talent.SOLO) and (solo := solo_standing(viewer)):
        own = replace(own, solo=solo, scores=scores_over_time(viewer), histogram=own_histogram(viewer))
    return _with_others(own, viewer, seats) if chosen in played else own


def _with_others(own: Insights, viewer: User, seats: SeatQuerySet) -> Insights:
    """Return the statistics with what the games with others add."""
    chosen = own.title
    games = _games_of(viewer, chosen, Seat.objects.filter(game__in=seats.values("game"), game__title=chosen))
    lists = lists_of(chosen)
    finished = [
        FinishedGame(
            game.own.place or 0, game.own.last_figures, [seat.last_figures for seat in game.opponents]
        )
        for game in games
    ]
    by_turn = _by_turn(games) if lists.one_seat_begins else _by_seat(games)
    recent = _over_time(games)
    paces = _("Live games"), _("Other games")
    splits = [
        Split(
            "players",
            _("By number of players"),
            "",
            _rows((_players(game.own.seats), game) for game in games),
        ),
        by_turn,
        Split(
            "opponents",
            _("By opponents"),
            _(
                "In rated games, people count as stronger or weaker if their rating before the game was more "
                "than 100 above or below yours."
            ),
            _by_opponents(viewer, games),
        ),
        Split("people", _("By person"), _("The people you have played with most."), _by_person(games)),
        Split(
            "pace",
            _("By pace"),
            _("A live game ends in one sitting. Other games go on for days."),
            _rows(((paces[game.own.pace not in LIVE_PACES], game) for game in games), paces),
        ),
    ]
    return replace(
        own,
        total=_rows((_("All games"), game) for game in games)[0],
        began=games[-1].own.ended,
        ended=games[0].own.ended,
        findings=findings({split.key: split.rows for split in splits} | {"time": _lately(games)}),
        curve=_curve(games),
        over_time=recent,
        splits=[split for split in splits if len(split.rows) > 1],
        statistics=lists.statistics(finished),
        losses=losses_of(viewer, chosen),
        few=_few(viewer, games),
    )


def _few(viewer: User, games: Sequence[_Game]) -> list[GameSummary]:
    """Return the games, the latest first, if they are too few for a score."""
    if len(games) >= ENOUGH:
        return []
    ids = [game.own.game for game in games]
    return summaries(Game.objects.filter(pk__in=ids).order_by("-moved_at"), viewer)


def _games_of(viewer: User, title: str, seats: SeatQuerySet) -> list[_Game]:
    columns = (
        "game",
        "number",
        "place",
        "figures",
        "bot",
        "user",
        "has_left",
        "game__seat_count",
        "game__pace",
        "game__moved_at",
    )
    by_game: defaultdict[int, list[_Seat]] = defaultdict(list)
    for row in seats.values_list(*columns):
        by_game[row[0]].append(_Seat(*row))
    found = []
    for everybody in by_game.values():
        own = next(seat for seat in everybody if seat.user == viewer.pk)
        sides = side_of_seats(title, own.seats)
        opponents = [seat for seat in everybody if sides[seat.number] != sides[own.number]]
        found.append(_Game(own, opponents, len({*sides})))
    return sorted(found, key=lambda game: game.own.ended, reverse=True)


def _curve(games: Sequence[_Game]) -> OverTime | None:
    """Return the score in per cent of the ten games before each moment; None while there are few games."""
    points = [game.points for game in reversed(games)]
    ended = [game.own.ended for game in reversed(games)]
    every = max(1, len(points) // MOST_POINTS)
    return over_time(
        [
            (round(100 * fmean(points[max(0, last - AT_A_TIME) : last])), ended[last - 1])
            for last in range(len(points), ENOUGH - 1, -every)
        ][::-1],
        max,
    )


def _over_time(games: Sequence[_Game]) -> list[ResultsRow]:
    """Return a row for the latest games, and one for as many before each time; the last has the rest."""
    starts = range(0, min(len(games), MOST_ROWS * AT_A_TIME), AT_A_TIME)
    parts = [games[start : start + AT_A_TIME] for start in starts]
    parts[-1] = games[starts[-1] :] if len(parts) == MOST_ROWS else parts[-1]
    return [row for part in parts for row in _rows((_until(part[0], len(part)), game) for game in part)]


def _lately(games: Sequence[_Game]) -> list[ResultsRow]:
    """Return a row for the latest games, and one for all before."""
    return [_row("", part) for part in (games[:MANY], games[MANY:]) if part]


def _until(latest: _Game, count: int) -> str:
    """Return how many games a row has, and when the latest of them ended."""
    words = {"count": count, "day": date_format(timezone.localtime(latest.own.ended), "SHORT_DATE_FORMAT")}
    return ngettext("%(count)d game until %(day)s", "%(count)d games until %(day)s", count) % words


def _players(count: int) -> str:
    return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}


def _rows(labelled: Iterable[tuple[str, _Game]], order: Sequence[str] = ()) -> list[ResultsRow]:
    """Return a row for each label with games, in this order, else in alphabetical order."""
    kinds: defaultdict[str, list[_Game]] = defaultdict(list)
    for label, game in labelled:
        kinds[label].append(game)
    return [_row(label, kinds[label]) for label in order or sorted(kinds) if label in kinds]


def _row(label: str, games: Sequence[_Game]) -> ResultsRow:
    outcomes = Counter(game.outcome for game in games)
    even = round(fmean(100 / game.sides for game in games))
    return ResultsRow(
        label=label, won=outcomes["won"], drawn=outcomes["drawn"], lost=outcomes["lost"], even=even
    )


def _by_turn(games: Sequence[_Game]) -> Split:
    """Return a row for the games that the person began, and one for the others."""
    first = dict(
        Action.objects.filter(game__in=[game.own.game for game in games], number=1).values_list(
            "game", "seat"
        )
    )
    labels = _("You moved first"), _("You moved later")
    rows = _rows(
        ((labels[first[game.own.game] != game.own.number], game) for game in games if game.own.game in first),
        labels,
    )
    return Split("turn", _("By turn order"), _("Whether you made the first move of the game."), rows)


def _by_seat(games: Sequence[_Game]) -> Split:
    """Return a row for each seat that the person has had."""
    rows = _rows((_("Seat %(number)d") % {"number": game.own.number + 1}, game) for game in games)
    return Split("seat", _("By seat"), _("Seats are counted around the table."), rows)


def _by_person(games: Sequence[_Game]) -> list[ResultsRow]:
    """Return a row for each of the people whom the person has played most, the most games first."""
    met: defaultdict[int, list[_Game]] = defaultdict(list)
    for game in games:
        for seat in game.opponents:
            if seat.user is not None:
                met[seat.user].append(game)
    most = sorted(met, key=lambda user: (-len(met[user]), user))[:MOST_PEOPLE]
    names = dict(User.objects.filter(pk__in=most).values_list("pk", "username"))
    return [_row(name(names[user]), met[user]) for user in most]


def _by_opponents(viewer: User, games: Sequence[_Game]) -> list[ResultsRow]:
    """Return a row for each strength of opponents: of people if there were any, else of the best bot."""
    changes = RatingChange.objects.filter(game__rating_changes__user=viewer, user__isnull=False)
    ratings = {
        (game, user): mean
        for game, user, mean in changes.values_list("game", "user", "mean_before").order_by()
    }
    levels = list(BOT_LEVELS)
    order: list[str] = [
        _("People who were stronger"),
        _("People about as strong"),
        _("People who were weaker"),
        _("People in games that are not rated"),
        *(_("Bots: %(level)s") % {"level": BOT_LEVELS[level]} for level in reversed(levels)),
    ]

    def label(game: _Game) -> str:
        people = [seat for seat in game.opponents if not seat.bot]
        if not people:
            best = max((levels.index(seat.bot) for seat in game.opponents if seat.bot in levels), default=0)
            return order[len(order) - 1 - best]
        own = ratings.get((game.own.game, viewer.pk))
        theirs = [ratings[key] for seat in people if (key := (seat.game, seat.user)) in ratings]
        if own is None or not theirs:
            return order[3]
        difference = fmean(theirs) - own
        return order[1] if abs(difference) <= AS_STRONG else order[0] if difference > 0 else order[2]

    return _rows(((label(game), game) for game in games), order)
