"""Try lines: a viewer plays on from any position for themselves, and a player keeps such lines.

The address has the whole line, so a try stores nothing, and nobody else can notice it.
"""

from typing import Any, cast

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.forms.actions import MALFORMED, LineForm
from games.http import SiteRequest, no_store, wants_partial
from games.models import Game
from games.queries.access import access_game
from games.queries.notes import lines_of, note_of
from games.queries.viewing import view_game
from games.services.errors import Refused
from games.services.private import notes
from games.titles.boards import Board
from games.titles.history import query_at
from games.titles.registry import title_named
from games.titles.talents import Talent
from games.titles.try_lines import PlayedLine, TryLines

BOARD, TEXT = "games:try_line", "games:text_try_line"


@require_safe
@no_store
def try_line(request: SiteRequest, key: str, start: int, line: str = "") -> HttpResponse:
    """Show the position after a line from action `start`, with `add` one action longer."""
    return _show(request, access_game(request.user, key, needs=Talent.TRY_LINES), BOARD, start, line)


@require_safe
@no_store
def text(request: SiteRequest, key: str, start: int, line: str = "") -> HttpResponse:
    """Show the same page without pictures."""
    return _show(request, access_game(request.user, key, needs=Talent.TRY_LINES), TEXT, start, line)


@require_POST
@no_store
def keep(request: SiteRequest, key: str) -> HttpResponse:
    """Store the posted line among the viewer's private notes, as far as it is legal."""
    game = access_game(request.user, key, needs=Talent.TRY_LINES)
    if game.is_open:
        return redirect(game)
    page = TEXT if "text" in request.POST else BOARD
    form = LineForm(request.POST)
    if not form.is_valid():
        return _show(request, game, page, game.version, "", error=str(MALFORMED), status=400)
    cleaned = form.cleaned_data
    played = _pages(game).play_line(view_game(game, request.user), cleaned["start"], cleaned["line"])
    if not played.actions or played.problem:
        error = played.problem or str(MALFORMED)
        return _show(request, game, page, played.start, played.text, error=error, status=400)
    try:
        notes.keep_line(key, request.user, played.start, played.text, cleaned["name"])
    except Refused as refused:
        return _show(
            request, game, page, played.start, played.text, error=str(refused.message), status=refused.status
        )
    return redirect(f"{_address(game, page, played.start, played.text)}#lines")


@require_POST
@no_store
def drop(request: SiteRequest, key: str, pk: int) -> HttpResponse:
    """Delete a line that the viewer has kept, and lead back to where it began."""
    game = access_game(request.user, key, needs=Talent.TRY_LINES)
    start = next((line.start for line in lines_of(game, request.user) if line.pk == pk), game.version)
    notes.drop_line(key, request.user, pk)
    if game.is_open:
        return redirect(game)
    return redirect(f"{_address(game, TEXT if 'text' in request.POST else BOARD, start)}#lines")


def _show(
    request: SiteRequest,
    game: Game,
    page: str,
    start: int,
    line: str,
    *,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    if game.is_open:
        return redirect(game)
    title, pages = title_named(game.title), _pages(game)
    played = pages.play_line(view_game(game, request.user), start, line)
    board = title.pages.board(played.view, request.GET)
    if "add" in request.GET and board.chosen is not None and not played.problem:
        return redirect(_address(game, page, played.start, played.with_action(board.chosen)))
    problem = error or played.problem or board.problem
    context = _context(request, game, page, played, board) | {
        "text": title.pages.text(played.view, board) if page == TEXT else None,
        "error": problem,
    }
    template = pages.try_part if wants_partial(request) else pages.try_page
    template = pages.try_text_page if page == TEXT else template
    status = 400 if problem and status == 200 else status
    return render(request, template, context, status=status)


def _pages(game: Game) -> TryLines[Any]:
    """Return what its title shows of lines; `access_game` has checked that it has them."""
    return cast("TryLines[Any]", title_named(game.title).pages)


def _context(
    request: SiteRequest, game: Game, page: str, played: PlayedLine, board: Board
) -> dict[str, object]:
    here = [_address(game, page, played.start, played.text_to(n)) for n in range(len(played.actions) + 1)]
    at = query_at(played.start if played.start < game.version else None)
    return {
        "game": game,
        "board": board,
        "played": played,
        "url": here[-1],
        "undo_url": here[-2] if played.actions else "",
        "start_url": here[0],
        "other_url": _address(game, BOARD if page == TEXT else TEXT, played.start, played.text),
        "leave_url": reverse("games:text" if page == TEXT else "games:game", args=[game.key]) + at,
        # The log of the board is newest first.
        "entries": list(zip(reversed(board.history.entries[: len(played.actions)]), here[1:], strict=True)),
        "is_seated": note_of(game, request.user) is not None,
        "lines": lines_of(game, request.user),
        "line_form": LineForm(),
    }


def _address(game: Game, page: str, start: int, line: str = "") -> str:
    return reverse(page, args=[game.key, start, line] if line else [game.key, start])
