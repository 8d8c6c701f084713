"""The mails that a game sends."""

from email.headerregistry import Address
from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import override

from accounts.languages import language_of
from accounts.mail_links import unsubscribe_url
from accounts.models import User
from games.board import told
from games.engine import Display, MultiplayerPosition, Step
from games.models import Game
from games.people import people
from games.services.logs import Log, public_log


def turn_mail(game: Game, user: User, address: str, version: int) -> EmailMultiAlternatives:
    """Return the mail that tells `user` that the turn after action `version` is theirs, in their language."""
    with override(language_of(user) or settings.LANGUAGE_CODE):
        return _turn_mail(game, user, address, version)


def _turn_mail(game: Game, user: User, address: str, version: int) -> EmailMultiAlternatives:
    log = public_log(game)
    seated = people(game.seats.select_related("user"), user)
    me = next(person.seat for person in seated if person.is_you)
    position = log.position
    unsubscribe = unsubscribe_url(user)
    context = {
        "user": user,
        "game": game,
        "game_url": settings.SITE_URL + game.get_absolute_url(),
        "opponents": [person.name for person in seated if not person.is_you],
        "since": [told(step, seated, me) for step in _since_last_turn(log, me)],
        "rows": [
            {
                "name": person.name,
                "is_you": person.is_you,
                "discs": position.discs[person.seat],
                "time": position.track.time[person.seat]
                if isinstance(position, MultiplayerPosition)
                else None,
            }
            for person in seated
        ],
        "display": _picture(position.displays[me]),
        "unsubscribe_url": unsubscribe,
        "settings_url": settings.SITE_URL + reverse("accounts:settings"),
    }
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    mail = EmailMultiAlternatives(
        subject=" ".join(render_to_string("mail/turn_subject.txt", context).split()),
        body=render_to_string("mail/turn.txt", context),
        to=[str(Address(user.get_username(), addr_spec=address))],
        headers={
            # The same turn has the same id, so that a mail sent twice after a crash shows once.
            "Message-ID": f"<turn-{game.key}-{version}-{user.pk}@{host}>",
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    mail.attach_alternative(render_to_string("mail/turn.html", context), "text/html")
    return mail


def _since_last_turn(log: Log, seat: int) -> list[Step]:
    """Return what the others did after the last action of `seat`, oldest first."""
    own = [number for number, step in enumerate(log.steps, 1) if getattr(step.action, "seat", None) == seat]
    return list(log.steps[own[-1] if own else 0 :])


def _picture(display: Display) -> list[list[dict[str, object] | None]]:
    """Return the display as rows of cells for a small picture."""
    xs, ys = [cell.x for cell in display.tiles], [cell.y for cell in display.tiles]
    if not xs:
        return []
    tiles = {(cell.x, cell.y): tile for cell, tile in display.tiles.items()}
    return [
        [
            {"colour": tile.colour.word, "cost": tile.cost} if (tile := tiles.get((x, y))) else None
            for x in range(min(xs), max(xs) + 1)
        ]
        for y in range(min(ys), max(ys) + 1)
    ]
