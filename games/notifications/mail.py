"""The email channel."""

from email.headerregistry import Address
from email.utils import parseaddr
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from accounts.addresses import confirmed_address
from accounts.models import User
from games.notifications.channel import AddressRefused, Channel
from games.notifications.kind import Message


class MailChannel(Channel):
    """Sends messages to a user's confirmed email address, as text and HTML."""

    def address_of(self, user: User) -> str | None:
        """Return the confirmed email address of `user`; None if there is none."""
        return confirmed_address(user)

    def send(self, message: Message, user: User, address: str) -> None:
        """Send the message. Raises AddressRefused if the mail server refuses the address for good."""
        try:
            build_mail(message, user, address).send()
        except SMTPRecipientsRefused as refused:
            if all(code >= 500 for code, _reason in refused.recipients.values()):
                raise AddressRefused(str(refused)) from refused
            raise


def build_mail(message: Message, user: User, address: str) -> EmailMultiAlternatives:
    """Return a message as an email to `user`."""
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    mail = EmailMultiAlternatives(
        subject=message.subject,
        body=message.text,
        to=[str(Address(user.get_username(), addr_spec=address))],
        headers={
            # After a crash an email can be sent twice. Mail programs show emails with the same id once.
            "Message-ID": f"<{message.id}@{host}>",
            "List-Unsubscribe": f"<{message.unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    mail.attach_alternative(message.html, "text/html")
    return mail
