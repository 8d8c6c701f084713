"""The site's mailbox: which addresses receive emails, and what was done with one."""

from email.utils import parseaddr
from enum import Enum, auto

from django.conf import settings

from accounts.return_paths import read_return_path
from games.replies import is_reply_address


class Receipt(Enum):
    """What was done with an email."""

    HANDLED = auto()
    IGNORED = auto()
    UNREADABLE = auto()
    NO_SUCH_ADDRESS = auto()
    INVITATION_OVER = auto()
    ONLY_BY_LINK = auto()


def receives(address: str) -> bool:
    """Return whether the site receives emails to an address: one with a valid token, or a public one."""
    return is_reply_address(address) or read_return_path(address) is not None or is_public(address)


def is_public(address: str) -> bool:
    """Return whether an address is the sender of all emails, or the mailbox for replies without a token.

    Mail programs that ignore Reply-To answer the sender, and some servers remove the token.
    """
    addresses = (parseaddr(settings.DEFAULT_FROM_EMAIL)[1], settings.REPLY_ADDRESS)
    return bool(address) and address.strip().lower() in {one.lower() for one in addresses}


def refusal(receipt: Receipt) -> str:
    """Return why an email is refused; empty if it is not.

    Its sender reads it in a bounce of their own mail server, so it is in ASCII and English.
    """
    if receipt is Receipt.UNREADABLE:
        return "This email cannot be read. Please send one line of plain text."
    if receipt is Receipt.INVITATION_OVER:
        return "This invitation cannot be answered now. Open the link in the invitation to see why."
    if receipt is Receipt.ONLY_BY_LINK:
        return "This invitation cannot be answered by email. Please open the link in that email to answer."
    if receipt is Receipt.NO_SUCH_ADDRESS:
        return (
            "Nobody reads this address. To move, answer an email about your turn at its Reply-To address, "
            f"or log in at {settings.SITE_URL}/"
        )
    return ""
