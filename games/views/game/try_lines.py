"""Try lines: a viewer plays on from any position for themselves, and a player keeps such lines.

The address has the whole line, so a try stores nothing, and nobody else can notice it.
"""

from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.forms.actions import MALFORMED, LineForm, PageForm
from games.http import SiteRequest, no_store, wants_partial
from games.models import Game
from games.queries.access import access_game
from games.queries.notes import lines_of, note_of
from games.queries.viewing import view_game
from games.services.errors import Refused
from games.services.private import notes
from games.titles.history import query_at
from games.titles.registry import title_named
from games.titles.talents import Talent
from games.titles.try_lines import PlayedLine, TryLines
from games.titles.view import Followed

BOARD, TEXT = "games:try_line", "games:text_try_line"


@require_safe
@no_store
def try_line(request: SiteRequest, key: str, start: int, line: str = "") -> HttpResponse:
    """Show the position after a line from action `start`, with `add` one action longer.

    The page leads on through `whole`, a longer line, and back to `review`, a part of the review. With both,
    the viewer follows the line and chooses nothing.
    """
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
    view = view_game(game, request.user, with_clocks=False)
    played = _pages(game).play_line(view, cleaned["start"], cleaned["line"])
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
    view, part = view_game(game, request.user), PageForm.read(request).review_part
    played = pages.play_line(view, start, line)
    whole, count = pages.play_line(view, start, request.GET.get("whole", "")), len(played.actions)
    if whole.actions[:count] != played.actions:
        whole = played
    shown = played.view
    if part and "whole" in request.GET and whole.actions:
        shown = replace(shown, at=shown.version, followed=Followed(count, len(whole.actions)))
    board = title.pages.board(shown, request.GET)
    if "add" in request.GET and board.chosen is not None and not played.problem:
        longer = played.with_action(board.chosen)
        return redirect(_address(game, page, played.start, longer, review=part))
    problem = error or played.problem or board.problem
    context = _context(request, game, page, played, whole, part, shown.followed) | {
        "board": board,
        "text": title.pages.text(shown, board) if page == TEXT else None,
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
    request: SiteRequest,
    game: Game,
    page: str,
    played: PlayedLine,
    whole: PlayedLine,
    part: str,
    followed: Followed | None,
) -> dict[str, object]:
    start, count, last = played.start, len(played.actions), len(whole.actions)
    # With both, the page would follow the viewer's own line as the better one.
    kept = [bool(followed) or (not part and n < last) for n in range(last + 1)]
    here = [
        _address(game, page, start, whole.text_to(n), whole=whole.text if kept[n] else "", review=part)
        for n in range(last + 1)
    ]
    at = query_at(start if start < game.version else None)
    leave_url = reverse("games:text" if page == TEXT else "games:game", args=[game.key]) + at
    if part:
        leave_url = f"{reverse('games:review', args=[game.key])}#{part}-{start + 1}"
    entries = title_named(game.title).pages.board(whole.view, {}).history.entries[:last]
    return {
        "game": game,
        "played": played,
        "count": count,
        "review_part": part,
        "followed": followed,
        "url": _address(game, page, start, played.text),
        "own_url": _address(game, page, start, played.text, review=part),
        "undo_url": here[count - 1] if count else "",
        "next_url": here[count + 1] if count < last else "",
        "start_url": here[0],
        "other_url": _address(game, BOARD if page == TEXT else TEXT, start, played.text),
        "leave_url": leave_url,
        # The log of a board is newest first.
        "entries": list(zip(reversed(entries), here[1:], strict=True)),
        "is_seated": note_of(game, request.user) is not None,
        "lines": lines_of(game, request.user),
        "line_form": LineForm(),
    }


def _address(game: Game, page: str, start: int, line: str = "", **query: str) -> str:
    """Return the address of a page of a line, with the parts of the query that are not empty."""
    address = reverse(page, args=[game.key, start, line] if line else [game.key, start])
    filled = urlencode({name: value for name, value in query.items() if value})
    return f"{address}?{filled}" if filled else address
