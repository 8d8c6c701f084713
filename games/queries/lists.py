"""The lists of games on the home page and the solo page."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import F, Q

from accounts.models import User, Viewer
from games.models import Game, GameQuerySet, Seat
from games.queries.chat import unread_counts
from games.queries.deals.duplicates import ListedMatch, listed_matches
from games.queries.hand_overs import ShownOffer, listed_offers
from games.queries.summaries import GameSummary, summaries
from games.queries.votes import asked_games

FINISHED_SHOWN = 10
FINISHED_ON_PAGE = 25
OPEN_TABLES_SHOWN = 20
SOLO_SHOWN = 10
MOST_URGENT = (F("deadline").asc(nulls_last=True), "moved_at")


@dataclass(frozen=True)
class Lobby:
    """What the home page shows to one viewer."""

    invitations: Sequence[GameSummary]
    my_turn: Sequence[GameSummary]
    waiting: Sequence[GameSummary]
    my_tables: Sequence[GameSummary]
    open_tables: Sequence[GameSummary]
    finished: Sequence[GameSummary]
    has_more_finished: bool = False
    seat_offers: Sequence[ShownOffer] = ()
    matches: Sequence[ListedMatch] = ()

    @property
    def is_idle(self) -> bool:
        """Whether the viewer has no running game, no table and no invitation."""
        return not (self.my_turn or self.waiting or self.my_tables or self.invitations)

    @property
    def is_first(self) -> bool:
        """Whether the viewer has never had a game."""
        return self.is_idle and not self.finished


def lobby(viewer: Viewer) -> Lobby:
    """Return the viewer's own games and tables, and the tables that they can join.

    The games that wait for the viewer are sorted by their deadline, the others by their last action, newest
    first. Without a deadline, the game that has waited longest is first.
    """
    if not viewer.is_authenticated:
        tables = summaries(open_tables()[:OPEN_TABLES_SHOWN], viewer)
        return Lobby(
            (), (), (), (), tables, (), seat_offers=listed_offers(viewer), matches=listed_matches(viewer)
        )
    mine = Game.objects.with_seat_of(viewer)
    my_turn = mine.waiting_for(viewer)
    waiting = mine.running().exclude(pk__in=Game.objects.waiting_for(viewer).values("pk"))
    my_tables = Game.objects.multiplayer().open().with_seat_of(viewer).order_by("-opened_at")
    invitations = Game.objects.with_seat_kept_for(viewer).order_by("-opened_at")
    others = open_tables().exclude(pk__in=mine.values("pk")).exclude(pk__in=invitations.values("pk"))
    unread, asked = unread_counts(viewer), asked_games(viewer)
    finished = summaries(finished_games(viewer)[: FINISHED_SHOWN + 1], viewer, unread=unread)
    return Lobby(
        invitations=summaries(invitations, viewer),
        my_turn=summaries(
            my_turn.order_by(*MOST_URGENT), viewer, with_thumbs=True, unread=unread, asked=asked
        ),
        waiting=summaries(
            waiting.order_by("-moved_at"), viewer, with_thumbs=True, unread=unread, asked=asked
        ),
        my_tables=summaries(my_tables, viewer, unread=unread),
        open_tables=summaries(others[:OPEN_TABLES_SHOWN], viewer, with_habits=True),
        finished=finished[:FINISHED_SHOWN],
        has_more_finished=len(finished) > FINISHED_SHOWN,
        seat_offers=listed_offers(viewer),
        matches=listed_matches(viewer),
    )


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


def finished_page(viewer: User, number: str) -> tuple[list[GameSummary], Page[Game]]:
    """Return one page of the viewer's finished games, and the page object for links to the other pages."""
    page = Paginator(finished_games(viewer), FINISHED_ON_PAGE).get_page(number)
    return summaries(finished_games(viewer).filter(pk__in=[game.pk for game in page]), viewer), page


def has_played_with_three(viewer: Viewer) -> bool:
    """Return whether the viewer has a seat in a game for three or four players that has started."""
    games = Game.objects.filter(seat_count__gte=3, started_at__isnull=False)
    return viewer.is_authenticated and games.with_seat_of(viewer).exists()


def count_turns(viewer: Viewer) -> int:
    """Return the number of games in which it is the viewer's turn."""
    return Game.objects.waiting_for(viewer).count() if viewer.is_authenticated else 0


def next_turn(viewer: Viewer, exclude: Game) -> Game | None:
    """Return the most urgent game that waits for the viewer's turn, except the game `exclude`."""
    if not viewer.is_authenticated:
        return None
    return Game.objects.waiting_for(viewer).exclude(pk=exclude.pk).order_by(*MOST_URGENT).first()


def rematch_of(game: Game, viewer: Viewer) -> GameSummary | None:
    """Return the rematch of a finished game as `viewer` sees it; None if nobody has offered one."""
    return next(iter(summaries(Game.objects.filter(rematch_of=game), viewer)), None)


def game_before(rematch: Game, viewer: Viewer) -> GameSummary | None:
    """Return the finished game that a rematch follows; None if `viewer` may not find it."""
    games = Game.objects.filter(rematch=rematch)
    if viewer.is_authenticated:
        games = games.filter(Q(is_public=True) | Q(pk__in=viewer.seats.values("game")))
    else:
        games = games.listed()
    return next(iter(summaries(games, viewer)), None)


def running_solo_games(viewer: User) -> list[GameSummary]:
    """Return the viewer's running solo games, newest action first."""
    games = Game.objects.solo().running().with_seat_of(viewer)
    return summaries(games.order_by("-moved_at"), viewer, with_thumbs=True)


def finished_solo_games(viewer: User) -> list[GameSummary]:
    """Return the viewer's last solo games with a score, newest first."""
    games = Game.objects.solo().over().with_seat_of(viewer).filter(score__isnull=False)
    return summaries(games.order_by("-moved_at")[:SOLO_SHOWN], viewer)
