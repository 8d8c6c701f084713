"""Limits of emails about accounts: to one person, from one sender, and of each kind in all."""

import logging

from allauth.core import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

from accounts import known_browsers, pots

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


def consume(
    request: HttpRequest, email: str, *, is_reset: bool = False, is_sent: bool = True, dry_run: bool = False
) -> bool:
    """Return whether the request may cause an email to this address now; count it unless it is a `dry_run`.

    Password resets count by the exact address, so that nobody uses up the resets of an account by asking for
    those of similar addresses. The sender counts first: a refused sender uses up nothing of the recipient.
    What is not sent, because the address has no account, uses up nothing of the pot, and takes as long.
    The settings have the limits, in ACCOUNT_RATE_LIMITS.
    """

    def is_within(action: str, key: str | None = None) -> bool:
        return ratelimit.consume(request, action=action, key=key, dry_run=dry_run)

    is_member = request.user.is_authenticated
    if not is_within("mail_sender") or (is_member and not is_within("mail_account")):
        return False
    # No flood by strangers keeps people from a new password in a browser that they have used.
    is_bounded = not (is_reset and known_browsers.is_known(request, email))
    pot = "mails_reset" if is_reset else "mails_account" if is_member else "mails_sign_up"
    half = _half_of(request, pot, dry_run=dry_run) if is_bounded else None
    if is_bounded and half is None:
        return False
    action, key = ("mail_reset", email.lower()) if is_reset else ("mail_recipient", fold_address(email))
    if not is_within(action, key):
        return False
    if half and not dry_run:
        pots.take(request, half, pots.ALL if is_sent else "unsent")
    return True


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
    half = _half_of(request, "mails_invitation")
    key = fold_address(recipient)
    if half is None or not ratelimit.consume(request, action="invitation_recipient", key=key):
        return False
    pots.take(request, half)
    return True


def _half_of(request: HttpRequest, pot: str, *, dry_run: bool = False) -> str | None:
    half = pots.half_of(request, pot, dry_run=dry_run)
    # A flood of requests must not flood the log.
    if half is None and cache.add(f"{pot}_is_logged", True, AN_HOUR):
        logger.warning("NOVALUNA_MAILS_PER_HOUR is reached for %s: some get no email this hour.", pot)
    return half
