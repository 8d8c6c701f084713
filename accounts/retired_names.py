"""Names of removed accounts. Nobody gets them for a year: others would take them for the earlier person.

Only a keyed hash of each name is kept. Names of guests are free immediately, because the site chooses them.
"""

from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import RetiredName, User


def is_retired(name: str) -> bool:
    """Return whether an account with this name, in any case of letters, was removed within a year."""
    since = timezone.now() - RetiredName.KEPT
    return RetiredName.objects.filter(mark=_mark_of(name), retired_at__gt=since).exists()


@receiver(pre_delete, sender=User)
def retire(instance: User, **_signal: object) -> None:
    """Keep the name of a member who is removed from others."""
    if not instance.is_guest:
        RetiredName.objects.update_or_create(
            mark=_mark_of(instance.username), defaults={"retired_at": timezone.now()}
        )


def _mark_of(name: str) -> str:
    return salted_hmac("accounts.retired_names", name.lower(), algorithm="sha256").hexdigest()
