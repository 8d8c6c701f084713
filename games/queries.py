"""Every list that a page shows."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Min, QuerySet, Window
from django.db.models.functions import RowNumber

from accounts.models import User
from games.engine import TILES
from games.models import Action, Game, Hint, Seat
from games.words import bots, in_a_row

Viewer = User | AnonymousUser

FINISHED_SHOWN = 10
OPEN_TABLES_SHOWN = 20
SOLO_SHOWN = 10
LEADERS_A_PAGE = 50


@dataclass(frozen=True)
class SeatSummary:
    """A seat as a list shows it to one viewer."""

    number: int
    name: str
    bot: str
    is_you: bool
    is_free: bool
    discs: int | None
    time: int | None
    rank: int | None
    has_left: bool

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)


@dataclass(frozen=True)
class ThumbTile:
    """A tile of a small picture, `x` and `y` counted from its top left."""

    x: int
    y: int
    colour: str


@dataclass(frozen=True)
class GameSummary:
    """A table or game as a list shows it to one viewer."""

    game: Game
    seats: Sequence[SeatSummary]
    thumb: Sequence[ThumbTile] = ()

    @property
    def key(self) -> str:
        return self.game.key

    @property
    def url(self) -> str:
        return self.game.get_absolute_url()

    @property
    def opponents(self) -> str:
        """The others by name; empty where there are none yet."""
        names = [seat.name for seat in self.seats if not seat.is_you and not seat.is_free]
        return in_a_row(names)

    @property
    def bot_levels(self) -> str:
        """The bots among the others, by their levels; empty where there are none."""
        return bots([seat.bot for seat in self.seats if seat.bot])

    @cached_property
    def you(self) -> SeatSummary | None:
        return next((seat for seat in self.seats if seat.is_you), None)

    @property
    def free_seats(self) -> int:
        return sum(seat.is_free for seat in self.seats)

    @property
    def to_move_name(self) -> str:
        return "" if self.game.to_move is None else self.seats[self.game.to_move].name

    @property
    def my_discs(self) -> int | None:
        return self.you.discs if self.you else None

    @property
    def leader_discs(self) -> int | None:
        """The fewest discs left among the others."""
        return min(
            (seat.discs for seat in self.seats if not seat.is_you and seat.discs is not None), default=None
        )

    @property
    def winner_name(self) -> str:
        return "" if self.game.winner is None else self.seats[self.game.winner].name

    @property
    def i_won(self) -> bool:
        return self.you is not None and self.game.winner == self.you.number

    @property
    def thumb_cols(self) -> int:
        return max((tile.x for tile in self.thumb), default=-1) + 1

    @property
    def thumb_rows(self) -> int:
        return max((tile.y for tile in self.thumb), default=-1) + 1


@dataclass(frozen=True)
class Lobby:
    """What the home page shows to one viewer."""

    my_turn: Sequence[GameSummary]
    waiting: Sequence[GameSummary]
    my_tables: Sequence[GameSummary]
    open_tables: Sequence[GameSummary]
    finished: Sequence[GameSummary]


@dataclass(frozen=True)
class Leader:
    """A row of the leaderboard: somebody's best solo game."""

    rank: int
    name: str
    score: int
    tiles: int
    ended_at: datetime | None
    url: str
    is_you: bool


def lobby(viewer: Viewer) -> Lobby:
    """Return the tables and games that matter to `viewer`, the most urgent first."""
    tables = Game.objects.multiplayer().open()
    others = tables.listed().order_by("-opened_at")
    if not viewer.is_authenticated:
        return Lobby((), (), (), summaries(others[:OPEN_TABLES_SHOWN], viewer), ())
    mine = Game.objects.seating(viewer)
    running = mine.running().order_by("moved_at")
    return Lobby(
        my_turn=summaries(running.waiting_for(viewer), viewer, with_thumbs=True),
        waiting=summaries(running.exclude(pk__in=Game.objects.waiting_for(viewer).values("pk")), viewer),
        my_tables=summaries(tables.seating(viewer).order_by("-opened_at"), viewer),
        open_tables=summaries(others.exclude(pk__in=mine.values("pk"))[:OPEN_TABLES_SHOWN], viewer),
        finished=summaries(mine.over().order_by("-moved_at")[:FINISHED_SHOWN], viewer),
    )


def turns_waiting(viewer: Viewer) -> int:
    """Return in how many games it is the viewer's turn."""
    return Game.objects.waiting_for(viewer).count() if viewer.is_authenticated else 0


def next_turn(viewer: Viewer, besides: Game) -> Game | None:
    """Return the game that has waited longest for the viewer, other than `besides`."""
    if not viewer.is_authenticated:
        return None
    return Game.objects.waiting_for(viewer).exclude(pk=besides.pk).order_by("moved_at").first()


def summary(game: Game, viewer: Viewer) -> GameSummary:
    return summaries(Game.objects.filter(pk=game.pk), viewer)[0]


def summaries(games: QuerySet[Game], viewer: Viewer, *, with_thumbs: bool = False) -> list[GameSummary]:
    """Return each game with its seats in the viewer's eyes, in the order of `games`."""
    found = list(games.prefetch_related("seats__user"))
    thumbs = _thumbs(found, viewer) if with_thumbs else {}
    return [
        GameSummary(game, [_seat(seat, viewer) for seat in game.seats.all()], thumbs.get(game.pk, ()))
        for game in found
    ]


def live_version(key: str) -> int | None:
    """Return a number that changes whenever a game's page does: its actions, or below 0 a table's changes."""
    found = Game.objects.filter(key=key).values_list("status", "version", "changes").first()
    if found is None:
        return None
    status, version, changes = found
    return -1 - changes if status == Game.Status.OPEN else version


def awaited_hint(game: Game, viewer: Viewer) -> Hint | None:
    """Return the hint on this turn that the viewer has asked for and that is still thought about."""
    asked = Hint.objects.filter(game=game, number=game.version + 1, payload__isnull=True)
    return asked.filter(game__seats__user=viewer.pk, game__seats__number=F("seat")).first()


def solo_running(viewer: User) -> list[GameSummary]:
    games = Game.objects.solo().running().seating(viewer)
    return summaries(games.order_by("-moved_at"), viewer, with_thumbs=True)


def solo_results(viewer: User) -> list[GameSummary]:
    """Return the viewer's last finished solo games, newest first."""
    games = Game.objects.solo().over().seating(viewer).filter(score__isnull=False)
    return summaries(games.order_by("-moved_at")[:SOLO_SHOWN], viewer)


def personal_best(viewer: Viewer) -> int | None:
    """Return the viewer's lowest solo score without hints, if there is one."""
    if not viewer.is_authenticated:
        return None
    best: int | None = Game.objects.solo().rated().seating(viewer).aggregate(best=Min("score"))["best"]
    return best


def leaderboard(
    viewer: Viewer, page: int | str = 1, size: int = LEADERS_A_PAGE
) -> tuple[list[Leader], Page[Any]]:
    """Return one page of the best solo games, one a player; equal scores share a rank, the earlier first.

    Games with hints don't count.
    """
    finished = Seat.objects.filter(
        game__mode=Game.Mode.SOLO, game__score__isnull=False, game__is_rated=True, user__isnull=False
    )
    best = finished.annotate(
        nth=Window(RowNumber(), partition_by="user", order_by=["game__score", "game__moved_at"])
    ).filter(nth=1)
    pages = Paginator(best.select_related("game", "user").order_by("game__score", "game__moved_at"), size)
    shown = pages.get_page(page)
    seats = list(shown.object_list)
    scores = [seat.game.score or 0 for seat in seats]
    # On a later page the first rank may be shared with rows of the page before.
    better = best.filter(game__score__lt=scores[0]).count() if scores else 0
    tiles = _tiles_placed([seat.game_id for seat in seats])
    leaders = [
        Leader(
            rank=better + 1 if score == scores[0] else shown.start_index() + scores.index(score),
            name=seat.name,
            score=score,
            tiles=tiles[seat.game_id],
            ended_at=seat.game.moved_at,
            url=seat.game.get_absolute_url(),
            is_you=seat.user_id == viewer.pk,
        )
        for seat, score in zip(seats, scores, strict=True)
    ]
    return leaders, shown


def _seat(seat: Seat, viewer: Viewer) -> SeatSummary:
    return SeatSummary(
        number=seat.number,
        name=seat.name,
        bot=seat.bot,
        is_you=seat.user_id is not None and seat.user_id == viewer.pk,
        is_free=seat.is_free,
        discs=seat.discs,
        time=seat.time,
        rank=seat.rank,
        has_left=seat.has_left,
    )


def _thumbs(games: Iterable[Game], viewer: Viewer) -> dict[int, list[ThumbTile]]:
    """Return the viewer's display in each game, straight from the log."""
    placed: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    mine = Action.objects.filter(
        game__in=list(games), game__seats__user=viewer.pk, game__seats__number=F("seat"), payload__do="place"
    )
    for game_id, payload in mine.values_list("game_id", "payload"):
        placed[game_id].append(payload)
    return {game_id: _thumb(payloads) for game_id, payloads in placed.items()}


def _thumb(payloads: Sequence[dict[str, Any]]) -> list[ThumbTile]:
    left, top = min(p["x"] for p in payloads), min(p["y"] for p in payloads)
    return [ThumbTile(p["x"] - left, p["y"] - top, TILES[p["tile"]].colour.word) for p in payloads]


def _tiles_placed(game_ids: Sequence[int]) -> dict[int, int]:
    places = Action.objects.filter(game__in=game_ids, payload__do="place")
    return dict(places.values_list("game_id").annotate(Count("pk")).order_by())
