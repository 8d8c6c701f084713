"""Limits of emails about accounts: to one person, from one sender, and in all."""

import logging

from allauth.core import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

logger = logging.getLogger(__name__)

GMAIL = {"gmail.com", "googlemail.com"}
AN_HOUR = 60 * 60  # seconds


def fold_address(email: str) -> str:
    """Return the same text for addresses that reach one person: in any case, and with anything after a plus.

    >>> fold_address("Ines+moon@Example.org")
    'ines@example.org'
    >>> fold_address("i.nes@googlemail.com")
    'ines@gmail.com'
    """
    local, _at, domain = email.lower().rpartition("@")
    local = local.partition("+")[0]
    if domain in GMAIL:
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def consume(request: HttpRequest, email: str, *, is_reset: bool = False, dry_run: bool = False) -> bool:
    """Return whether the request may cause an email to this address now; count it unless it is a `dry_run`.

    Password resets count by the exact address, so that nobody uses up the resets of an account by asking for
    those of similar addresses. The sender counts first: a refused sender uses up nothing of the recipient.
    The settings have the limits, in ACCOUNT_RATE_LIMITS.
    """

    def is_within(action: str, key: str | None = None) -> bool:
        return ratelimit.consume(request, action=action, key=key, dry_run=dry_run)

    if not is_within("mail_sender"):
        return False
    if request.user.is_authenticated and not is_within("mail_account"):
        return False
    if not _site_may_send(request):
        return False
    if is_reset:
        return is_within("mail_reset", email.lower())
    return is_within("mail_recipient", fold_address(email))


def consume_invitation(request: HttpRequest, recipient: str) -> bool:
    """Return whether the request may send an invitation to this person now, and count it.

    `recipient` is an email address or a player's name. Addresses count in the same way with and without an
    account.
    """
    if not ratelimit.consume(request, action="invitation"):
        return False
    if "@" not in recipient:
        key = f"{request.user.pk}:{recipient.lower()}"
        return bool(ratelimit.consume(request, action="invitation_recipient", key=key))
    key = fold_address(recipient)
    return _site_may_send(request) and bool(
        ratelimit.consume(request, action="invitation_recipient", key=key)
    )


def count_stored(request: HttpRequest) -> None:
    """Count an email of this request that will be sent."""
    ratelimit.consume(request, action="mail_site", key="all")


def _site_may_send(request: HttpRequest) -> bool:
    if ratelimit.consume(request, action="mail_site", key="all", dry_run=True):
        return True
    # A flood of requests must not flood the log.
    if cache.add("mail_site_is_logged", True, AN_HOUR):
        logger.warning("No more account mails are sent this hour: NOVALUNA_MAILS_PER_HOUR is reached.")
    return False
