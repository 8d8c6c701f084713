"""Emails to addresses, such as password resets and invitations: stored by requests, sent by a worker.

Their texts contain secret links, so each is deleted when it is sent, or when it could not be sent for a day,
or for an hour if the mail server refuses its recipient for good. A `PastMail` keeps what became of it.
"""

import logging
import re
from datetime import timedelta
from email.utils import parseaddr
from smtplib import SMTPException, SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.utils import timezone

from accounts.mail_retries import LEASE, is_due, pause_after
from accounts.models import AccountMail, PastMail, ReturnedMail
from accounts.queueing import queue
from accounts.return_paths import return_path

logger = logging.getLogger(__name__)

DELIVER = "accounts.deliver"
# The address of emails that are stored only because a request must take as long with them as without.
NOBODY = ""
# Emails with these fields get no absence notes and no other automatic replies; Exchange reads the second.
AUTOMATIC = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "OOF, AutoReply"}
# People who wait for a link ask for it again long before that.
LAST_TRY_AFTER = timedelta(days=1)
LAST_TRY_AFTER_REFUSAL = timedelta(hours=1)


def owe(
    address: str,
    subject: str,
    text: str,
    html: str = "",
    stop_url: str = "",
    *,
    reply_to: str = "",
    in_reply_to: str = "",
) -> None:
    """Store, in the caller's transaction, an email to `address`, and queue its delivery after the commit.

    A POST to `stop_url` stops further emails like it (RFC 8058). The email may answer others, and ask for
    replies to the address `reply_to`. `in_reply_to` is the Message-ID of the email that it answers, after
    those of earlier emails of the conversation. An email to NOBODY is deleted instead of sent.
    """
    mail = AccountMail.objects.create(
        address=address.lower(),  # As accounts store it, so that it is found when they are removed.
        subject=subject,
        text=text,
        html=html,
        stop_url=stop_url,
        reply_to=reply_to,
        in_reply_to=in_reply_to,
        due_at=timezone.now(),
    )
    queue_delivery(mail.pk)


def queue_delivery(mail_id: int) -> None:
    """After the commit, queue the delivery of an email. If the broker is down, the sweep queues it later."""
    transaction.on_commit(lambda: queue(DELIVER, mail_id), robust=True)


def deliver(mail_id: int) -> None:
    """Send an email and delete it; do nothing if it is not due or another worker has claimed it."""
    now = timezone.now()
    if not AccountMail.objects.filter(is_due(now), pk=mail_id).update(due_at=now + LEASE):
        return
    mail = AccountMail.objects.get(pk=mail_id)
    if mail.address == NOBODY:
        mail.delete()
        return
    try:
        build(mail).send()
    except Exception as error:
        is_ours = not isinstance(error, SMTPException | OSError)
        logger.warning("Cannot send account mail %s: %s", mail_id, error, exc_info=is_ours)
        last_try_after = LAST_TRY_AFTER_REFUSAL if _is_refused_for_good(error) else LAST_TRY_AFTER
        _retry_later(mail, last_try_after, f"{type(error).__name__}: {error}")
    else:
        _end(mail)


def forget(address: str) -> None:
    """Delete what became of emails to an address, because its owner wants no more of them or has left it."""
    for what_became in (PastMail, ReturnedMail):
        what_became._default_manager.filter(address=address.lower()).delete()


def due_ids() -> list[int]:
    """Return the ids of the emails that are due, oldest first, at most 1000."""
    due = AccountMail.objects.filter(is_due(timezone.now()))
    return list(due.order_by("due_at").values_list("pk", flat=True)[:1000])


def message_id(name: str) -> str:
    """Return a Message-ID on the sender's domain. Mail programs show emails with the same id once."""
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    return f"<{name}@{host}>"


def build(mail: AccountMail) -> EmailMultiAlternatives:
    """Return a stored email as it is sent."""
    id = message_id(f"account-{mail.pk}-{mail.created_at:%Y%m%d%H%M%S}")
    headers = {
        # Without it, Django would show the address for reports.
        "From": settings.DEFAULT_FROM_EMAIL,
        "Message-ID": id,
        **AUTOMATIC,
    }
    if mail.stop_url:
        headers["List-Unsubscribe"] = f"<{mail.stop_url}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if mail.in_reply_to:
        # Some servers add other words to the id of an email.
        if ids := re.findall(r"<[^<>\s]+>", mail.in_reply_to):
            headers["In-Reply-To"], headers["References"] = ids[-1], " ".join(ids)
        headers["Auto-Submitted"] = "auto-replied"
    reply_to = [mail.reply_to] if mail.reply_to else None
    built = EmailMultiAlternatives(
        mail.subject,
        mail.text,
        from_email=return_path(mail.address) or None,
        to=[mail.address],
        headers=headers,
        reply_to=reply_to,
    )
    if mail.html:
        built.attach_alternative(mail.html, "text/html")
    return built


def _is_refused_for_good(error: Exception) -> bool:
    """Return whether the mail server refused the recipient with a status that means never (5xx)."""
    if not isinstance(error, SMTPRecipientsRefused):
        return False
    return all(code >= 500 for code, _text in error.recipients.values())


def _retry_later(mail: AccountMail, last_try_after: timedelta, error: str) -> None:
    due_at = timezone.now() + pause_after(mail.attempts)
    if due_at > mail.created_at + last_try_after:
        logger.error("Account mail %s is deleted, because it could not be sent.", mail.pk)
        _end(mail, error)
    else:
        AccountMail.objects.filter(pk=mail.pk).update(due_at=due_at, attempts=mail.attempts + 1)


def _end(mail: AccountMail, error: str = "") -> None:
    """Delete an email that was sent, or could not be sent because of this error; keep what became of it."""
    with transaction.atomic():
        deleted, _rows = AccountMail.objects.filter(pk=mail.pk).delete()
        if not deleted:
            return  # The account was removed meanwhile, with all that is about its address.
        PastMail.objects.create(
            address=mail.address,
            subject=mail.subject,
            created_at=mail.created_at,
            ended_at=timezone.now(),
            attempts=mail.attempts + 1,
            is_sent=not error,
            error=error,
        )
