"""The email channel."""

from datetime import datetime, timedelta
from email.headerregistry import Address
from email.mime.image import MIMEImage
from smtplib import SMTPException, SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone

from accounts.addresses import confirmed_address, refuse_emails
from accounts.models import User
from accounts.outbox import AUTOMATIC, message_id
from accounts.return_paths import return_path
from games.models import Notification
from games.notifications.channel import AddressRefused, Channel, NotSent
from games.notifications.kind import Message
from games.queries.notifications import EMAILS

A_DAY = timedelta(days=1)


class MailChannel(Channel):
    """Sends messages to a user's confirmed email address, as text and HTML."""

    def address_of(self, user: User) -> str | None:
        """Return the confirmed email address of `user`; None if there is none."""
        return confirmed_address(user)

    def send(self, message: Message, user: User, address: str) -> None:
        """Send the message.

        Raises AddressRefused if the server accepts the sender and refuses the recipient with a 5xx reply, and
        NotSent for every other error of the mail server.
        """
        try:
            build_mail(message, user, address).send()
        except SMTPRecipientsRefused as refused:
            raise (AddressRefused if _is_permanent(refused) else NotSent)(str(refused)) from refused
        except (SMTPException, OSError) as error:
            raise NotSent(f"{type(error).__name__}: {error}") from error

    def switch_off(self, user: User, error: str, since: datetime) -> None:
        """Let `user` confirm the address again, unless the mail server refuses everybody's.

        An email to them that was sent since the first refusal shows that only one message is refused.
        """
        lately = timezone.now() - A_DAY
        by_mail = Notification.objects.filter(channel__in=EMAILS, sent_at__gt=lately)
        if by_mail.exclude(user=user).exists() and not by_mail.filter(user=user, sent_at__gt=since).exists():
            refuse_emails(user)


def _is_permanent(refused: SMTPRecipientsRefused) -> bool:
    return all(code >= 500 for code, _reason in refused.recipients.values())


class _Mail(EmailMultiAlternatives):
    """An email whose attachments belong to its HTML, so that mail programs don't show them a second time."""

    mixed_subtype = "related"


def build_mail(message: Message, user: User, address: str) -> EmailMultiAlternatives:
    """Return a message as an email to `user`."""
    mail = _Mail(
        subject=message.subject,
        body=message.text,
        from_email=return_path(address, user.pk) or None,
        to=[str(Address(user.get_username(), addr_spec=address))],
        reply_to=[message.reply_to] if message.reply_to else None,
        headers={
            # Without it, Django would show the address for reports.
            "From": settings.DEFAULT_FROM_EMAIL,
            # After a crash an email can be sent twice.
            "Message-ID": message_id(message.id),
            # Mail programs show emails with the same reference as one conversation.
            "References": message_id(message.thread),
            "List-Unsubscribe": f"<{message.unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            **AUTOMATIC,
        },
    )
    mail.attach_alternative(message.html, "text/html")
    if message.picture is not None:
        image = MIMEImage(message.picture.jpeg, "jpeg")
        image.add_header("Content-ID", f"<{message.picture.cid}>")
        image.add_header("Content-Disposition", "inline", filename="board.jpg")
        mail.attach(image)
    return mail
