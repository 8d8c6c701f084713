"""Accepts and declines invitations by reply: each answer counts until the game starts, the latest one last.

Words can be read wrongly, so each answer that changes something gets an email that says what was done, and
how to change it. A reply that is not clear changes nothing and gets one too.
"""

import logging
import uuid

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.translation import override

from accounts.addresses import confirmed_address
from accounts.by_mail import Barred, account_of
from accounts.languages import language_of
from games.models import ReceivedReply, Seat
from games.notifications.answers import owe_answer
from games.notifications.mailbox import Receipt
from games.queries.mail_links import InvitedSeat, invitation_url, invited_seat, needs_link
from games.replies import Reply, read_answer
from games.services.errors import Refused
from games.services.invitations import accept_by_mail, decline_by_mail, give_back
from games.services.play import lock_game
from games.shown.addresses import rules_url

logger = logging.getLogger(__name__)

Outcome = ReceivedReply.Outcome

MOST_ANSWERS = 5  # to the replies to an invitation
_LONGEST_QUOTE = 60


def answer_invitation(token: str, reply: Reply) -> Receipt:
    """Accept or decline an invitation, once for each Message-ID, or owe an email that says what to write."""
    request_id = uuid.uuid5(reply.request_id, token)
    with transaction.atomic():
        invited = _locked(token)
        if ReceivedReply.objects.filter(request_id=request_id).exists():
            return Receipt.HANDLED
        if invited is None:
            return Receipt.ONLY_BY_LINK if needs_link(token) else Receipt.INVITATION_OVER
        try:
            # In a transaction of its own, so that no account is made for a seat that somebody else gets.
            with transaction.atomic():
                outcome = _answer(invited, reply)
        except (Refused, Barred) as refused:
            logger.info("A reply to an invitation came too late: %s", refused)
            return Receipt.INVITATION_OVER
        ReceivedReply.objects.create(
            request_id=request_id, user=invited.user, game=invited.seat.game, outcome=outcome
        )
    return Receipt.HANDLED


def _locked(token: str) -> InvitedSeat | None:
    """Return the seat of an invitation, with its game locked; None if the invitation is over."""
    invited = invited_seat(token)
    if invited is None:
        return None
    lock_game(pk=invited.seat.game_id)
    # It may have been withdrawn while this waited for the lock.
    return invited_seat(token)


def _answer(invited: InvitedSeat, reply: Reply) -> Outcome:
    """Do what a reply says. Raises Refused."""
    answer = read_answer(reply.lines)
    seat = invited.seat
    has_accepted = seat.user is not None
    if answer is None:
        _owe(invited, reply, "started" if has_accepted and not seat.game.is_open else "unclear")
        return Outcome.ASKED
    if answer:
        if not has_accepted:
            _accept(invited)
            _owe(invited, reply, "accepted")
        return Outcome.ACCEPTED
    if not has_accepted and not seat.has_declined:
        decline_by_mail(seat)
        _owe(invited, reply, "declined")
    elif seat.user is not None and seat.game.is_open:
        give_back(seat, seat.user, invited.address, invited.invited_at)
        _owe(invited, reply, "declined")
    elif has_accepted:
        _owe(invited, reply, "started")
    return Outcome.DECLINED


def _accept(invited: InvitedSeat) -> None:
    """Seat the invited person, with a new account if there is none. Raises Gone, Conflict and Barred."""
    game = invited.seat.game
    # The page of a game has the rules of titles that have no page with them.
    rules_path = rules_url(game.title) or game.get_absolute_url()
    accept_by_mail(game, invited.user or account_of(invited.address, rules_path), invited.address)


def _owe(invited: InvitedSeat, reply: Reply, outcome: str) -> None:
    """Owe the invited person an email that says what was done with a reply, unless there were too many."""
    user, game = invited.user, invited.seat.game
    address = confirmed_address(user) if user else invited.address
    rows = Seat.objects.filter(pk=invited.seat.pk, answers_to_replies__lt=MOST_ANSWERS)
    if not address or not rows.update(answers_to_replies=F("answers_to_replies") + 1):
        return
    game.refresh_from_db()
    if outcome == "accepted" and not game.is_open:
        return  # The game has started, and its emails say so.
    with override((user and language_of(user)) or settings.LANGUAGE_CODE):
        line = next(iter(reply.lines), "")
        values = {
            "outcome": outcome,
            "quote": line if len(line) <= _LONGEST_QUOTE else f"{line[:_LONGEST_QUOTE]}…",
            "url": invitation_url(game, user or address),
        }
        owe_answer(
            address,
            "mail/invitation_answer",
            values,
            subject="mail/invitation_answer",
            reply_to=invited.reply_to,
            in_reply_to=reply.message_id,
        )
