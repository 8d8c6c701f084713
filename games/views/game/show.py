"""Shows a game or table, as a whole page or as a partial for htmx."""

import uuid
from functools import cache

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.addresses import unconfirmed_address
from accounts.clock import zone_of
from accounts.models import User, Viewer
from games.forms.actions import ChoiceForm
from games.forms.once import OnceForm
from games.forms.tables import AddBotsForm, InviteForm
from games.http import SiteRequest, wants_partial
from games.models import Game
from games.novaluna.board.board import Board, build_board
from games.novaluna.board.players import unchanged_players
from games.queries.access import access_game, access_version
from games.queries.chat import chat_of
from games.queries.clocks import estimated_turn
from games.queries.deals.public import own_nonce, public_deal
from games.queries.habits import minimum_of, rating_demand_of
from games.queries.hand_overs import seat_offers
from games.queries.lists import game_before, next_turn, rematch_of
from games.queries.notes import lines_of, note_of
from games.queries.notifications import is_silent
from games.queries.nudges import nudge_state
from games.queries.profiles import played_with
from games.queries.same_deal import same_deal
from games.queries.standings import verdict
from games.queries.summaries import summary
from games.queries.viewing import view_game, wants_tips
from games.queries.votes import LatestVote, latest_vote, possible_votes
from games.services import presence
from games.services.errors import Refused
from games.shown.clocks import describe_estimate
from games.titles.registry import title_named

# How long a game takes without breaks.
MINUTES_PER_PLAYER = 15


def show(request: SiteRequest, game: Game, *, error: str = "", status: int = 200) -> HttpResponse:
    """Show the game as it is now, or its table before it starts."""
    page = _table if game.is_open else _board
    return page(request, game, error, status)


def show_changes(request: SiteRequest, game: Game, *, since: int, knows_seats: bool) -> HttpResponse:
    """Show the game as it is now to a page that shows it after action `since`, which htmx updates.

    The page keeps the displays that are still the same, and the game menu until the game ends. If it knows
    who plays each seat now, it also keeps the players that are still the same.
    """
    return _board(request, game, "", 200, since, knows_seats=knows_seats)


def show_refusal(request: SiteRequest, game: Game, refused: Refused) -> HttpResponse:
    """Show the game as it is now, with the reason for a refusal. Raises Http404 if its table was closed."""
    game = access_game(request.user, game.key)
    return show(request, game, error=str(refused.message), status=refused.status)


def without_choice(response: HttpResponse, game: Game) -> HttpResponse:
    """Remove the choice from the address of a page that htmx updates, because the new board has no choice."""
    response["HX-Replace-Url"] = game.get_absolute_url()
    return response


def board_context(request: SiteRequest, game: Game, board: Board) -> dict[str, object]:
    """Return the template variables that the page and the text mode of a started game share."""
    deal = public_deal(game)
    asks_before_refill = _asks_before_refill(request, board)
    votes = possible_votes(game, request.user) if board.can_resign else None
    latest = latest_vote(game, request.user) if board.can_resign else LatestVote()
    return {
        "game": game,
        "board": board,
        "request_id": uuid.uuid4(),
        "is_resigning": "resign" in request.GET and board.can_resign and not board.is_past,
        "asks_before_refill": asks_before_refill,
        "is_refilling": "refill" in request.GET and asks_before_refill,
        "is_asking_hint": "hint" in request.GET and board.can_ask_hint and game.is_rated,
        "commitment": deal.commitment,
        "revealed_text": deal.revealed_text,
        "deal_is_opened": bool(deal.revealed_text),
        "tip": board.tip if board.tip and wants_tips(request.user, game) else None,
        "offers_lessons": board.is_over and board.is_seated and wants_tips(request.user, game),
        # On the viewer's own turn, no page shows it.
        "next_game": cache(lambda: next_turn(request.user, exclude=game)),
        "is_silent": is_silent(game, request.user) if board.is_seated and game.is_running else None,
        "nudge": nudge_state(game, request.user) if game.is_running and not board.is_past else None,
        "possible_votes": votes,
        "can_vote": votes is not None,
        "can_hand_over": board.can_resign and not board.is_solo and game.duplicate is None,
        "vote": latest.running,
        "agreed_pace": latest.agreed_pace,
        "seat_offers": seat_offers(game, request.user) if board.can_resign else (),
        "turn_estimate": _describe_turn(request, game, board),
        "rematch": rematch_of(game, request.user) if board.is_over and not board.is_solo else None,
        "same_deal": same_deal(game, request.user) if board.is_solo else None,
        "verdict": verdict(game, request.user) if board.is_over and board.is_solo else None,
    }


def _describe_turn(request: SiteRequest, game: Game, board: Board) -> str:
    """Return in words when it is probably the viewer's turn; empty if nobody can say."""
    turn = estimated_turn(game, board.people_before_viewer)
    if turn is None or not isinstance(request.user, User):
        return ""
    return describe_estimate(turn, zone_of(request.user.time_zone), timezone.now())


def chat_context(request: SiteRequest, game: Game) -> dict[str, object]:
    """Return the template variables of the chat and the note, which htmx does not replace with the board."""
    if wants_partial(request):
        return {}
    return {
        "chat": chat_of(game, request.user),
        "chat_request_id": uuid.uuid4(),
        "note": note_of(game, request.user),
        "lines": lines_of(game, request.user),
    }


def _asks_before_refill(request: SiteRequest, board: Board) -> bool:
    """Return whether a refill has to be confirmed: as a move, unless nothing else is possible."""
    if board.refill is None or not isinstance(request.user, User):
        return False
    return request.user.confirm_moves and board.refill.is_allowed and not board.refill.is_forced


def _board(
    request: SiteRequest,
    game: Game,
    error: str,
    status: int,
    since: int | None = None,
    *,
    knows_seats: bool = False,
) -> HttpResponse:
    form = ChoiceForm.read(request)
    if not wants_partial(request):
        # Loading a whole page marks presence. A partial does not, because a hidden tab can request one.
        presence.mark_in(game, request.user)
    view = view_game(game, request.user, form.action_number)
    board = build_board(view, form.choice, is_planning=form.is_planning)
    context = board_context(request, game, board) | {
        **chat_context(request, game),
        "error": error,
        "shows_older": form.shows_older or "older" in request.POST,
        "unchanged_seats": None if since is None else view.unchanged_seats(since),
        "unchanged_players": () if since is None or not knows_seats else unchanged_players(view, since),
        # The page of a finished game waits for a rematch.
        "live": game.is_running or (board.is_seated and not board.is_solo),
    }
    return render(
        request, f"games/{'_game' if wants_partial(request) else 'game'}.html", context, status=status
    )


def _table(request: SiteRequest, game: Game, error: str, status: int) -> HttpResponse:
    context = table_context(request, game) | {"error": error}
    return render(
        request, f"games/{'_table' if wants_partial(request) else 'table'}.html", context, status=status
    )


def table_context(request: SiteRequest, game: Game, invited_seat: int | None = None) -> dict[str, object]:
    """Return the template variables of the page of a table, and of an invitation to it.

    `invited_seat` is the one that an invitation by email offers to the reader, who need not be logged in.
    """
    # The version comes first. If a seat changes before the seats are read, the page loads them once more.
    version = access_version(request.user, game.key)
    table = summary(game, request.user)
    is_opener = request.user.is_authenticated and request.user.pk == game.opened_by_id
    is_kept = table.is_kept_for_you
    inviter = _inviter(request.user, game) if table.free_seats else None
    return {
        "game": game,
        "summary": table.for_invited(invited_seat),
        "game_before": game_before(game, request.user) if game.rematch_of_id else None,
        # A rematch shows its seats, because its players know each other.
        "is_invited": table.you is None and (not game.rematch_of_id if is_kept else table.free_seats > 0),
        "seat_url": reverse("games:join", args=[game.key]),
        "decline_url": reverse("games:decline", args=[game.key]) if is_kept else "",
        "rating_demand": rating_demand_of(game, request.user),
        "minimum": None if is_kept or table.has_declined else minimum_of(game, request.user),
        "minutes": game.seat_count * MINUTES_PER_PLAYER,
        "once_form": OnceForm(),
        "can_leave": table.you is not None and not is_opener,
        "can_close": is_opener,
        "bots_form": AddBotsForm(title_named(game.title)),
        "invite_form": InviteForm() if inviter else None,
        "address_to_confirm": unconfirmed_address(inviter) if inviter else None,
        "suggested": played_with(inviter, game) if inviter else (),
        "commitment": public_deal(game).commitment if game.deal else "",
        "own_nonce": own_nonce(game, request.user) if table.you else "",
        "share_url": request.build_absolute_uri(game.get_absolute_url()),
        "version": version,
        **chat_context(request, game),
    }


def _inviter(viewer: Viewer, game: Game) -> User | None:
    """Return the viewer if they may invite people by name and email to their table, else None."""
    if not isinstance(viewer, User) or viewer.is_guest or viewer.pk != game.opened_by_id:
        return None
    return viewer
