"""The channel that sends mails."""

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
    """Sends to the confirmed address of a person, as text and HTML."""

    def address_of(self, user: User) -> str | None:
        """Return the confirmed address of `user`."""
        return confirmed_address(user)

    def send(self, message: Message, user: User, address: str) -> None:
        """Hand the mail to the mail server."""
        try:
            build_mail(message, user, address).send()
        except SMTPRecipientsRefused as refused:
            if all(code >= 500 for code, _reason in refused.recipients.values()):
                raise AddressRefused(str(refused)) from refused
            raise


def build_mail(message: Message, user: User, address: str) -> EmailMultiAlternatives:
    """Return a message as a mail to `user`."""
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    mail = EmailMultiAlternatives(
        subject=message.subject,
        body=message.text,
        to=[str(Address(user.get_username(), addr_spec=address))],
        headers={
            # A mail that is sent twice after a crash has the same id, and shows once.
            "Message-ID": f"<{message.id}@{host}>",
            "List-Unsubscribe": f"<{message.unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    mail.attach_alternative(message.html, "text/html")
    return mail
