"""Answers to emails that belong to no turn, which say where to write a move.

People answer emails about several turns or about other news, and some mail programs answer the sender.
"""

import logging
import uuid
from datetime import timedelta
from email.parser import BytesHeaderParser
from email.utils import parseaddr

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts.addresses import confirmed_address, owner_of
from accounts.languages import language_of
from accounts.models import User
from games.models import Game, ReceivedReply
from games.notifications.answers import owe_answer
from games.notifications.facts import PlayerFacts
from games.notifications.mailbox import Receipt
from games.queries.lists import MOST_URGENT
from games.queries.mail_links import person_reply_address, url_for_reader
from games.replies import Reply
from games.replies.characters import one_line
from games.replies.reading import beginning_of

logger = logging.getLogger(__name__)

# A program whose replies are not recognised, or a stranger who uses the address of a user, causes so many.
MOST_A_DAY = 5
MOST_TURNS = 20
Outcome = ReceivedReply.Outcome


def answer_person(user: User, reply: Reply) -> Receipt:
    """Owe `user` an answer to an email to an address of theirs, once for each Message-ID.

    The same text of emails that may be automatic gets one answer a day.
    """
    return _answer(user, reply) if user.is_active and confirmed_address(user) else Receipt.NO_SUCH_ADDRESS


def answer_sender(raw: bytes, reply: Reply) -> Receipt:
    """Owe an answer to an email to an address that is the same for everybody, as `answer_person` does.

    The sender is easy to forge, so nothing is played, and only owners of a confirmed address get an answer.
    """
    message = BytesHeaderParser().parsebytes(beginning_of(raw))
    user = owner_of(one_line(parseaddr(str(message.get("From", "")))[1]))
    return _answer(user, reply) if user is not None else Receipt.NO_SUCH_ADDRESS


def _answer(user: User, reply: Reply) -> Receipt:
    # A person may write the same words about another turn, on another day.
    day = f"{timezone.now().date()}" if reply.is_doubtful else ""
    request_id = uuid.uuid5(reply.request_id, f"{user.pk}{day}")
    with transaction.atomic(), override(language_of(user) or settings.LANGUAGE_CODE):
        # Locked, so that copies of an email that arrive at the same time are handled one after the other.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if ReceivedReply.objects.filter(request_id=request_id).exists():
            return Receipt.HANDLED
        lately = ReceivedReply.objects.filter(user=user, received_at__gt=timezone.now() - timedelta(days=1))
        is_limited = lately.filter(outcome=Outcome.POINTED).count() >= MOST_A_DAY
        outcome = Outcome.LIMITED if is_limited else Outcome.POINTED
        ReceivedReply.objects.create(request_id=request_id, user=user, outcome=outcome)
        if not is_limited:
            _owe(user, reply)
    logger.info("An email of user %s for no turn: %s", user.pk, outcome)
    return Receipt.HANDLED


def _owe(user: User, reply: Reply) -> None:
    """Store an email with the turns of `user`, and where they can write a move in each."""
    address = confirmed_address(user)
    assert address is not None, "checked before"
    games = Game.objects.waiting_for(user).filter(seat_count__gt=1).select_related("deal")
    turns = [_turn(game, user) for game in games.order_by(*MOST_URGENT)[:MOST_TURNS]]
    values: dict[str, object] = {
        "turns": turns,
        "can_reply": bool(person_reply_address(user)),
        "home_url": settings.SITE_URL + reverse("games:home"),
        "settings_url": settings.SITE_URL + reverse("games:notifications"),
    }
    owe_answer(
        address,
        "mail/signpost",
        values,
        subject="mail/signpost",
        # With one turn, the answer to this answer can be its move.
        reply_to=turns[0]["reply_to"] if len(turns) == 1 else person_reply_address(user),
        in_reply_to=reply.message_id,
    )


def _turn(game: Game, user: User) -> dict[str, str]:
    facts = PlayerFacts(game, user)
    values = {"opponents": facts.opponents, "title_name": facts.title_name}
    subject = render_to_string("mail/turn_subject.txt", values)
    return {
        "subject": " ".join(subject.split()),
        "move_by": facts.move_by,
        "url": url_for_reader(game.get_absolute_url(), user),
        "reply_to": facts.reply_to,
    }
