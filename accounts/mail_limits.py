"""Limits of emails about accounts: to one person, from one sender, and of each kind in all."""

import logging

from allauth.core import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

from accounts import known_browsers, pots, refusals

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


def wait_for_mail(
    request: HttpRequest, email: str, *, is_reset: bool = False, is_sent: bool = True, dry_run: bool = False
) -> int:
    """Return in how many seconds the request may cause an email to this address.

    If it is 0, the email is counted, unless this is a `dry_run`.

    Password resets count by the exact address, so that nobody uses up the resets of an account by asking for
    those of similar addresses. The sender counts first: a refused sender uses up nothing of the recipient.
    What is not sent, because the address has no account, uses up nothing of the pot, and takes as long.
    The settings have the limits, in ACCOUNT_RATE_LIMITS.
    """
    is_member = request.user.is_authenticated
    wait = _wait(request, "mail_sender", dry_run=dry_run)
    if wait := wait or (is_member and _wait(request, "mail_account", dry_run=dry_run)):
        return wait
    # No flood by strangers keeps people from a new password in a browser that they have used.
    is_bounded = not (is_reset and known_browsers.is_known(request, email))
    pot = "mails_reset" if is_reset else "mails_account" if is_member else "mails_sign_up"
    half = _half_of(request, pot, dry_run=dry_run) if is_bounded else None
    if is_bounded and half is None:
        return refusals.wait_for(request, pot)
    action, key = ("mail_reset", email.lower()) if is_reset else ("mail_recipient", fold_address(email))
    if wait := _wait(request, action, key, dry_run=dry_run):
        return wait
    if half and not dry_run:
        pots.take(request, half, pots.ALL if is_sent else "unsent")
    return 0


def wait_for_invitation(request: HttpRequest, recipient: str) -> int:
    """Return in how many seconds the request may send an invitation to this person; count it if it is 0.

    `recipient` is an email address or a player's name. Addresses count in the same way with and without an
    account.
    """
    if wait := _wait(request, "invitation"):
        return wait
    if "@" not in recipient:
        return _wait(request, "invitation_recipient", f"{request.user.pk}:{recipient.lower()}")
    half = _half_of(request, "mails_invitation")
    if half is None:
        return refusals.wait_for(request, "mails_invitation")
    if wait := _wait(request, "invitation_recipient", fold_address(recipient)):
        return wait
    pots.take(request, half)
    return 0


def _wait(request: HttpRequest, action: str, key: str | None = None, *, dry_run: bool = False) -> int:
    """Return 0 if this limit allows the request now, and count it; else the seconds until it does."""
    if ratelimit.consume(request, action=action, key=key, dry_run=dry_run):
        return 0
    return refusals.wait_for(request, action, key)


def _half_of(request: HttpRequest, pot: str, *, dry_run: bool = False) -> str | None:
    half = pots.half_of(request, pot, dry_run=dry_run)
    # A flood of requests must not flood the log.
    if half is None and cache.add(f"{pot}_is_logged", True, AN_HOUR):
        logger.warning("NOVALUNA_MAILS_PER_HOUR is reached for %s: some get no email this hour.", pot)
    return half
