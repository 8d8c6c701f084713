"""Shows a game or table, as a whole page or as a partial for htmx."""

import uuid
from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from accounts.addresses import unconfirmed_address
from accounts.models import User, Viewer
from games.clocks import PACES
from games.forms.actions import PageForm
from games.forms.once import OnceForm
from games.forms.tables import AddBotsForm, InviteForm
from games.http import SiteRequest, wants_partial
from games.models import Game
from games.queries.access import access_game, access_version
from games.queries.chat import chat_of
from games.queries.deals.public import own_nonce, public_deal
from games.queries.habits import minimum_of, rating_demand_of
from games.queries.lists import game_before
from games.queries.notes import lines_of, note_of
from games.queries.people.names import names_offered, played_with
from games.queries.summaries import summary
from games.queries.viewing import view_game
from games.services import presence
from games.services.errors import Refused
from games.shown.clocks import A_MINUTE
from games.titles.registry import title_named
from games.views.game.game_page import game_page


def show(request: SiteRequest, game: Game, *, error: str = "", status: int = 200) -> HttpResponse:
    """Show the game as it is now, or its table before it starts."""
    page = _table if game.is_open else _board
    return page(request, game, error, status)


def show_refused_invitation(
    request: SiteRequest, game: Game, form: InviteForm, refused: Refused
) -> HttpResponse:
    """Show the table as it is now, with what the viewer has typed and the reason for the refusal beside it.

    `show_refusal` shows the reason if the table has no such field any more. Raises Http404 as it does.
    """
    game = access_game(request.user, game.key)
    context = table_context(request, game) if game.is_open else {}
    if not context.get("invite_form") or wants_partial(request):
        return show_refusal(request, game, refused)
    form.add_error("who", refused.message)
    form.fields["who"].widget.attrs["autofocus"] = True
    return render(request, "games/table.html", context | {"invite_form": form}, status=refused.status)


def show_changes(request: SiteRequest, game: Game, *, since: int, knows_seats: bool) -> HttpResponse:
    """Show the game as it is now to a page that shows it after action `since`, which htmx updates.

    The page keeps the parts of seats that are still the same, and the game menu until the game ends. If it
    knows who plays each seat now, it also keeps the players that are still the same.
    """
    return _board(request, game, "", 200, since, knows_seats=knows_seats)


def show_between(request: SiteRequest, game: Game) -> HttpResponse:
    """Show a started game as it was after `game.version` actions, to a page that shows a newer one after it.

    The page keeps its action bar and its game menu until then.
    """
    return _board(request, game, "", 200, is_between=True)


def show_refusal(request: SiteRequest, game: Game, refused: Refused) -> HttpResponse:
    """Show the game as it is now, with the reason for a refusal. Raises Http404 if its table was closed."""
    game = access_game(request.user, game.key)
    return show(request, game, error=str(refused.message), status=refused.status)


def without_choice(response: HttpResponse, game: Game) -> HttpResponse:
    """Remove the choice from the address of a page that htmx updates, because the new board has no choice."""
    response["HX-Replace-Url"] = game.get_absolute_url()
    return response


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


def _board(
    request: SiteRequest,
    game: Game,
    error: str,
    status: int,
    since: int | None = None,
    *,
    knows_seats: bool = False,
    is_between: bool = False,
) -> HttpResponse:
    form = PageForm.read(request)
    if not wants_partial(request):
        # Loading a whole page marks presence. A partial does not, because a hidden tab can request one.
        presence.mark_in(game, request.user)
    # Others may have acted since the game was read. The page then shows how their actions came.
    view = view_game(game, request.user, form.action_number, form.review_part, until=game.version)
    view = replace(view, is_between=is_between)
    pages = title_named(game.title).pages
    board = pages.board(view, request.GET, is_planning=form.is_planning, since=since)
    context = {
        "page": game_page(request, game, board),
        "game": game,
        "board": board,
        **chat_context(request, game),
        "error": error,
        "shows_older": form.shows_older or "older" in request.POST,
        "is_update": is_between or since is not None,
        "unchanged_players": board.unchanged_players if knows_seats else (),
        # The page of a finished game waits for a rematch.
        "live": game.is_running or (board.is_seated and not board.is_solo),
    }
    return render(request, board.part if wants_partial(request) else board.page, context, status=status)


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
        "minutes": _minutes_of(game),
        "once_form": OnceForm(),
        "can_leave": table.you is not None and not is_opener,
        "can_close": is_opener,
        "bots_form": AddBotsForm(title_named(game.title)),
        "invite_form": InviteForm() if inviter else None,
        "address_to_confirm": unconfirmed_address(inviter) if inviter else None,
        "suggested": played_with(inviter, game) if inviter else (),
        "names": names_offered("", inviter) if inviter else (),
        "commitment": public_deal(game).commitment if game.deal else "",
        "own_nonce": own_nonce(game, request.user) if table.you else "",
        "share_url": request.build_absolute_uri(game.get_absolute_url()),
        "version": version,
        **chat_context(request, game),
    }


def _minutes_of(game: Game) -> int:
    """Return about how long a game takes without breaks: at most what people use of short live clocks."""
    usual = title_named(game.title).pages.minutes(game.all_options, game.seat_count)
    if not game.is_live:
        return usual
    return min(usual, round(1.5 * game.seat_count * PACES[game.pace].bank / A_MINUTE))


def _inviter(viewer: Viewer, game: Game) -> User | None:
    """Return the viewer if they may invite people by name and email to their table, else None."""
    if not isinstance(viewer, User) or viewer.is_guest or viewer.pk != game.opened_by_id:
        return None
    return viewer
