"""Emails that people send to the site, and the addresses that take them."""

import re
import uuid
from email.message import EmailMessage

from accounts.models import AccountMail
from games.models import Action, Game, Notification, Seat
from games.notifications.replies import Receipt, receive
from games.queries.mail_links import MailTurn, reply_address_for
from tests.play import fresh, game_of, mover, person, play_some, turn_mail

SENDER = "ines@example.org"


def game_by_mail() -> Game:
    """Return a game after four actions. Nobody has it open, and nobody is owed anything about it."""
    game = play_some(game_of(person("Ines"), person("Tobias")), 4)
    Seat.objects.update(seen_at=None)
    Notification.objects.all().delete()
    return game


def turn_now(game: Game) -> MailTurn:
    game = fresh(game)
    assert game.to_move is not None
    return MailTurn(game, mover(game), game.to_move, game.version + 1)


def address_of(game: Game) -> str:
    return reply_address_for(turn_now(game))


def email(text: str, **fields: str) -> bytes:
    message = EmailMessage()
    defaults = {"From": SENDER, "Subject": "Re: Your turn", "Message_ID": f"<{uuid.uuid4()}@example.org>"}
    for name, value in (defaults | fields).items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return bytes(message)


def good_move(game: Game) -> str:
    """Return the first move that the turn email lists."""
    found = re.search(
        r"^or reply with: (take .*|refill)$", turn_mail(fresh(game), mover(game)).body, re.MULTILINE
    )
    assert found
    return found[1]


def count_actions(game: Game) -> int:
    return Action.objects.filter(game=game).count()


def waiting(game: Game) -> MailTurn:
    """Return what the address of the player of two who waits allows, in an answer that is sent now."""
    seat = game.seats.select_related("user").exclude(number=fresh(game).to_move).get()
    assert seat.user is not None
    return MailTurn(fresh(game), seat.user, seat.number, fresh(game).version + 1)


def answer_to(text: str, address: str) -> AccountMail | None:
    """Return the email that answers a reply; None without one."""
    AccountMail.objects.all().delete()
    assert receive(email(text), address, SENDER) is Receipt.HANDLED
    return AccountMail.objects.first()


def answered(text: str, address: str) -> AccountMail:
    answer = answer_to(text, address)
    assert answer is not None
    return answer
