"""The page that a link in a turn email opens: it shows one move, and its button plays it without a log-in.

It needs no cookies, which some mail programs keep from the pages that they show. The token in the address is
the only right that counts here, and no other site knows it. So a check against forged requests would only
keep out the person themselves.
"""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.http import SiteRequest, no_store
from games.models import Action, Channel, Game, Kind, is_current, wanted_channels
from games.queries.access import access_game
from games.queries.mail_links import MOVE, MailTurn, opponents_of, turn_of, url_for_reader
from games.queries.notifications import is_silent
from games.queries.viewing import view_game
from games.replies import Purpose
from games.services.errors import Conflict, Suspended
from games.services.play import play_by_mail
from games.shown.headings import heading
from games.titles.actions import Resign
from games.titles.lines import CannotPlay
from games.titles.pages import AnyPages
from games.titles.registry import title_named
from games.titles.view import AnyView
from games.views.game.show import show

_NAMESPACE = uuid.UUID("0f6f9d0e-8f0c-4c3e-a6a5-4a3f3a1f7d21")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def mail_move(request: SiteRequest, token: str) -> HttpResponse:
    """Show the move of a link and, on POST, play it for the person to whom the email was sent.

    GET changes nothing, because malware scanners follow the links in emails. The link allows this one turn
    and nothing else: after it, the page is what the visitor may see anyway.
    """
    turn = turn_of(Purpose.MOVE, token)
    if turn is None:
        return render(request, "games/mail_move_refused.html", status=HTTPStatus.NOT_FOUND)
    line = request.GET.get(MOVE, "")
    # The same for each press of the button, so that a second one plays nothing.
    request_id = uuid.uuid5(_NAMESPACE, f"{token.lower()} {line}")
    played = Action.objects.filter(game=turn.game, request_id=request_id).first()
    if played is not None:
        return _show_played(request, turn, played.number)
    view = view_game(turn.game, turn.user)
    if not (view.is_my_turn and is_current(turn.game.seats.get(number=turn.seat), turn.number)):
        return _show_game(request, turn, HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK)
    try:
        action = _read(line, view, title_named(turn.game.title).pages)
    except CannotPlay as error:
        context = {"problem": error.reason, "board_url": _board_url(turn)}
        return render(request, "games/mail_move_refused.html", context, status=HTTPStatus.BAD_REQUEST)
    if request.method != "POST":
        return _show_choice(request, turn, action, view)
    try:
        play_by_mail(turn.game.key, turn.user, action, turn.number, request_id)
    except Conflict:
        return _show_game(request, turn, HTTPStatus.CONFLICT)
    except Suspended as refused:
        context = {"problem": str(refused.message), "board_url": _board_url(turn)}
        return render(request, "games/mail_move_refused.html", context, status=refused.status)
    return redirect(request.get_full_path())


def _read(line: str, view: AnyView, pages: AnyPages) -> Any:
    """Return the action of a link. Raises CannotPlay."""
    assert view.viewer is not None, "the token names a seat"
    action = pages.read_action(line, view.newest, view.viewer)
    if isinstance(action, Resign):
        raise CannotPlay(_("You can't resign by a link. Please open the board."))
    return action


def _show_choice(request: SiteRequest, turn: MailTurn, action: Any, view: AnyView) -> HttpResponse:
    """Show what the move would bring, with a button to confirm it."""
    pages = title_named(turn.game.title).pages
    text = pages.explain_action(action, view)
    context = {
        "title": text.title,
        "detail": text.detail,
        "asks": True,
        "is_somebody_else": request.user.is_authenticated and request.user != turn.user,
        **pages.move_values(view, action),
    }
    return _render(request, turn, view, context)


def _show_played(request: SiteRequest, turn: MailTurn, number: int) -> HttpResponse:
    """Show the move after it was played by this link, as action `number` of the log."""
    title, view = title_named(turn.game.title), view_game(turn.game, turn.user, number)
    pages, newest = title.pages, replace(view, at=None)
    is_again = Game.objects.waiting_for(turn.user).filter(pk=turn.game.pk).exists()
    wants_mails = Channel.MAIL in wanted_channels(turn.user)[Kind.TURN]
    context = {
        "title": pages.describe_step(view.steps[number - 1], view),
        "detail": "",
        "asks": False,
        "ending": heading(newest, title.rules.sides(newest.start.seats)) if newest.is_over else "",
        "is_again": is_again,
        "gets_mails": wants_mails and not is_silent(turn.game, turn.user),
        **pages.move_values(view, None),
    }
    return _render(request, turn, view, context)


def _render(
    request: SiteRequest, turn: MailTurn, view: AnyView, context: Mapping[str, object]
) -> HttpResponse:
    shared = {
        "player": turn.user,
        "opponents": opponents_of(turn.game, turn.user),
        "board_url": _board_url(turn),
    }
    template = f"{title_named(turn.game.title).pages.mail_templates}/move.html"
    return render(request, template, {**shared, **context})


def _show_game(request: SiteRequest, turn: MailTurn, status: HTTPStatus) -> HttpResponse:
    """Show the game to a visitor, or redirect a user to it, because it has moved on since the email.

    Raises NotYet if the visitor may not see it.
    """
    game = access_game(request.user, turn.game.key)
    if request.user == turn.user:
        messages.info(request, _("The game has moved on since this email. This is the board now."))
        return redirect(game)
    if request.user.is_authenticated:
        messages.info(request, _("The game has moved on since this email."))
        return redirect(_board_url(turn))  # It asks whether they are the player.
    messages.info(
        request, _("The game has moved on since this email. This is the board now. Log in to do more.")
    )
    return show(request, game, status=status)


def _board_url(turn: MailTurn) -> str:
    return url_for_reader(turn.game.get_absolute_url(), turn.user)
