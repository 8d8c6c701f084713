"""The lists of games on the home page and the solo page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.database.statements import Statement
from accounts.models import User, Viewer
from games.marked import gettext as _
from games.models import Game, GameQuerySet, Seat, apart_from, is_awaited, seats_of
from games.queries.chat import unread_counts
from games.queries.deals.duplicates import ListedMatch, listed_matches
from games.queries.hand_overs import ShownOffer, listed_offers
from games.queries.summaries import GameSummary, summaries
from games.queries.votes import asked_games
from games.shown.words import join_words
from games.titles.registry import TITLES, Title, first_title

FINISHED_SHOWN = 5
OPEN_TABLES_SHOWN = 20
SOLO_SHOWN = 10
UNFINISHED = (Game.Status.OPEN, Game.Status.RUNNING)
NEVER = datetime.max.replace(tzinfo=UTC)
# The order of games that wait for one person, of which only their own seat is joined.
MOST_URGENT = (Coalesce("seats__deadline", "deadline").asc(nulls_last=True), "moved_at")


@dataclass(frozen=True)
class Lobby:
    """What the home page shows to one viewer."""

    invitations: Sequence[GameSummary]
    my_turn: Sequence[GameSummary]
    waiting: Sequence[GameSummary]
    my_tables: Sequence[GameSummary]
    open_tables: Sequence[GameSummary]
    finished: Sequence[GameSummary]
    live: Sequence[GameSummary] = ()  # in which the viewer waits, and a clock runs
    seat_offers: Sequence[ShownOffer] = ()
    matches: Sequence[ListedMatch] = ()

    @property
    def has_tables(self) -> bool:
        """Whether there is something of others to join."""
        return bool(self.open_tables or self.matches)

    @property
    def is_idle(self) -> bool:
        """Whether the viewer has no running game, no table and no invitation."""
        return not (self.my_turn or self.live or self.waiting or self.my_tables or self.invitations)

    @property
    def is_first(self) -> bool:
        """Whether the viewer has never had a game."""
        return self.is_idle and not self.finished


def lobby(viewer: Viewer) -> Lobby:
    """Return the viewer's own games and tables, and the tables that they can join.

    Running games are sorted by the deadline that their card shows. Without one, the game that has waited
    longest is first.
    """
    if not viewer.is_authenticated:
        tables = summaries(open_tables()[:OPEN_TABLES_SHOWN], viewer)
        return Lobby(
            (), (), (), (), tables, (), seat_offers=listed_offers(viewer), matches=listed_matches(viewer)
        )
    own = (Seat.objects.of(viewer) | Seat.objects.kept_for(viewer)).values("game")
    unfinished = Game.objects.filter(pk__in=own).exclude(status=Game.Status.OVER)
    apart = apart_from(viewer.pk)
    others = open_tables().exclude(pk__in=own).exclude(opened_by__in=apart)
    others = others.exclude(pk__in=Seat.objects.filter(user__in=apart).values("game"))
    unread, asked = unread_counts(viewer), asked_games(viewer)
    # One query, because most people have few games, and a query takes longer than its rows.
    found = summaries(unfinished.order_by("-opened_at"), viewer, with_thumbs=True, unread=unread, asked=asked)
    tables = [summary for summary in found if summary.game.is_open]
    running = [summary for summary in found if summary.game.is_running]
    waiting = sorted((summary for summary in running if not summary.is_your_turn), key=_urgency)
    finished = summaries(finished_games(viewer)[:FINISHED_SHOWN], viewer, unread=unread)
    return Lobby(
        invitations=[summary for summary in tables if not summary.you],
        my_turn=sorted((summary for summary in running if summary.is_your_turn), key=_urgency),
        live=[summary for summary in waiting if summary.game.is_live],
        waiting=[summary for summary in waiting if not summary.game.is_live],
        my_tables=[summary for summary in tables if summary.you],
        open_tables=summaries(others[:OPEN_TABLES_SHOWN], viewer, with_habits=True),
        finished=finished,
        seat_offers=listed_offers(viewer),
        matches=listed_matches(viewer),
    )


def _urgency(summary: GameSummary) -> tuple[datetime, datetime]:
    """Return the order of `MOST_URGENT`."""
    return summary.deadline or NEVER, _last_action(summary)


def _last_action(summary: GameSummary) -> datetime:
    """Return when a running game had its last action."""
    return summary.game.moved_at or NEVER


def open_tables() -> GameQuerySet:
    """Return the tables that everybody may join, newest first."""
    free = Seat.objects.free_for_anybody()
    return (
        Game.objects.multiplayer().open().listed().filter(pk__in=free.values("game")).order_by("-opened_at")
    )


def finished_games(viewer: User) -> GameQuerySet:
    """Return the games of the viewer that are over, last ended first."""
    over = Game.objects.with_seat_of(viewer).over().select_related("rematch")
    return over.order_by("-moved_at", "-pk")


def has_played(viewer: Viewer, title: Title) -> bool:
    """Return whether the viewer has a seat in a game of the title that has started, as `Options` needs it.

    Games for two count only if no table of the title has more seats.
    """
    fewest = min(3, title.table_sizes[-1])
    games = Game.objects.filter(title=title.key, seat_count__gte=fewest, started_at__isnull=False)
    return viewer.is_authenticated and games.with_seat_of(viewer).exists()


def usual_title_of(viewer: Viewer) -> Title:
    """Return the title that the viewer has played last, or the first one of the site."""
    if viewer.is_authenticated and len(TITLES) > 1:
        seats = Seat.objects.filter(user=viewer, game__title__in=[*TITLES], game__started_at__isnull=False)
        latest = seats.order_by("-game__moved_at", "-pk").values_list("game__title", flat=True).first()
        if latest is not None:
            return TITLES[latest]
    return first_title()


def count_waiting(viewer: Viewer) -> int:
    """Return the number of games that wait for the viewer's move, and of their invitations."""
    if not viewer.is_authenticated:
        return 0
    return len(_waiting_seats.rows(viewer.pk))


def _seats_that_wait_for(viewer: int) -> QuerySet[Any, Any]:
    """Return the seats that wait for a person; most people have few."""
    own = Seat.objects.filter(Q(user=viewer) | Q(invited=viewer), game__status__in=UNFINISHED)
    is_turn = Q(user=viewer, game__status=Game.Status.RUNNING, caretaker="") & is_awaited()
    is_invited = Q(invited=viewer, user=None, bot="", joined_at=None, has_declined=False)
    return own.filter(is_turn | is_invited).order_by().values_list("pk")


# Every page shows their number.
_waiting_seats = Statement(_seats_that_wait_for)


@dataclass(frozen=True)
class NextTurn:
    """A game in which it is the viewer's turn."""

    key: str
    words: str  # for a link to it, such as "Next game: Halley and Ines"


def next_turn(viewer: Viewer, exclude: Game) -> NextTurn | None:
    """Return the most urgent game that waits for the viewer's turn, but not `exclude` nor its rematch."""
    if not viewer.is_authenticated:
        return None
    games = _waiting_games.rows(viewer.pk)
    game = next((game for game in games if exclude.pk not in (game.pk, game.rematch_of_id)), None)
    if game is None:
        return None
    names = join_words([seat.name for seat in seats_of(game) if not seat.is_of(viewer)])
    words = _("Next game: %(names)s") % {"names": names} if names else _("Next game: solo")
    return NextTurn(game.key, words)


# The three most urgent games in which it is a person's turn, the most urgent one first.
_waiting_games = Statement(lambda viewer: Game.objects.waiting_for(viewer).order_by(*MOST_URGENT)[:3])


def rematch_of(game: Game, viewer: Viewer) -> GameSummary | None:
    """Return the rematch of a finished game as `viewer` sees it; None if nobody has offered one."""
    return next(iter(summaries(Game.objects.filter(rematch_of=game), viewer)), None)


def game_before(rematch: Game, viewer: Viewer) -> GameSummary | None:
    """Return the finished game that a rematch follows; None if `viewer` may not find it."""
    games = Game.objects.filter(rematch=rematch).findable_by(viewer)
    return next(iter(summaries(games, viewer)), None)


def running_solo_games(viewer: User) -> list[GameSummary]:
    """Return the viewer's running solo games, newest action first."""
    games = Game.objects.solo().running().with_seat_of(viewer)
    return summaries(games.order_by("-moved_at"), viewer, with_thumbs=True)


def finished_solo_games(viewer: User) -> list[GameSummary]:
    """Return the viewer's last solo games with a score, newest first."""
    games = Game.objects.solo().over().with_seat_of(viewer).filter(score__isnull=False)
    return summaries(games.order_by("-moved_at")[:SOLO_SHOWN], viewer)
