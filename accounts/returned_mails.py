"""Emails that came back, because another mail server could not deliver them after ours had accepted them."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Max, Min
from django.utils import timezone

from accounts.addresses import refuse_emails_to
from accounts.models import ReturnedMail

# A mailbox can be full for some days. So an address whose emails come back for such a reason is refused only
# after several, over some time.
LEAST_RETURNED = 3
LEAST_TIME = timedelta(days=1)
REMEMBERED = timedelta(days=30)


def store_return(address: str, error: str, *, is_dead: bool) -> None:
    """Store that an email to an address came back, and why; send it no more emails about games if it is dead.

    An address is dead if the report says so, or after several reports of other kinds.
    """
    address, now = address.lower(), timezone.now()
    with transaction.atomic():
        latest = ReturnedMail.objects.create(address=address, error=error, received_at=now)
        if is_dead or _is_repeated(address, now):
            ReturnedMail.objects.filter(pk=latest.pk).update(has_stopped_emails=True)
            refuse_emails_to(address)


def _is_repeated(address: str, now: datetime) -> bool:
    """Return whether several emails have come back since emails were last stopped, over some time."""
    lately = ReturnedMail.objects.filter(address=address, received_at__gt=now - REMEMBERED)
    stopped_at = lately.filter(has_stopped_emails=True).aggregate(at=Max("received_at"))["at"]
    if stopped_at is not None:
        lately = lately.filter(received_at__gt=stopped_at)
    times = lately.aggregate(first=Min("received_at"), count=Count("pk"))
    return times["count"] >= LEAST_RETURNED and now - times["first"] >= LEAST_TIME
