"""Bounces of our emails: an address that does not exist gets no more emails, and its user reads why."""

import logging
from collections.abc import Collection

from allauth.account.models import EmailAddress

from accounts.models import User
from accounts.return_paths import ReturnPath, read_return_path
from accounts.returned_mails import store_return
from games.queries.mail_links import invited_seat, person_of, turn_of
from games.replies import Purpose, token_of_address
from games.replies.bounces import Fate, read_reports

logger = logging.getLogger(__name__)


def user_of_return_path(recipient: str) -> User | None:
    """Return the user whom an envelope sender of this site names; None for other addresses.

    The address must be one of theirs: after a backup was restored, somebody else can have their id.
    """
    path = read_return_path(recipient)
    addresses = EmailAddress.objects.filter(user=path.user).select_related("user") if path else ()
    return next((own.user for own in addresses if path and path.is_of(own.email)), None)


def store_bounce_at(recipient: str, raw: bytes) -> None:
    """Store what a bounce says about the address that got the email with this envelope sender or Reply-To.

    The tokens in both show to whom the email was sent, also if it was forwarded and came back from there.
    """
    token = token_of_address(recipient)
    turn, invitation = turn_of(Purpose.REPLY, token), invited_seat(token)
    if path := read_return_path(recipient):
        _store_returned(path, raw)
    elif user := person_of(token) or (turn and turn.user):
        addresses = EmailAddress.objects.filter(user=user).order_by("-primary")
        if own := [address.lower() for address in addresses.values_list("email", flat=True)]:
            # An email to another address of theirs is from before they have chosen this one.
            _store(own[0], raw, others=own[1:])
    elif invitation and invitation.address:
        _store(invitation.address, raw)


def _store_returned(path: ReturnPath, raw: bytes) -> None:
    """Store what a bounce at an envelope sender says about the address that it names."""
    candidates = {address for report in read_reports(raw) for address in report.recipients}
    own = EmailAddress.objects.filter(user=path.user, primary=True)
    candidates.update(address.lower() for address in own.values_list("email", flat=True))
    for address in candidates:
        if path.is_of(address):
            _store(address, raw)


def _store(address: str, raw: bytes, others: Collection[str] = ()) -> None:
    """Store what a bounce says about an address.

    Reports that name it count, or else those that name none of the addresses `others`.
    """
    reports = read_reports(raw)
    about_it = [one for one in reports if address in one.recipients]
    about_it = about_it or [one for one in reports if one.recipients.isdisjoint(others)]
    for fate in (Fate.DEAD, Fate.NOT_REACHED):
        for report in about_it:
            if report.fate is fate:
                logger.info("An email came back: %s", fate.name)
                store_return(address, report.error, is_dead=fate is Fate.DEAD)
                return
