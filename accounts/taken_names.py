"""Names under which somebody would be taken for another person: like a player's, or of a removed account.

Nobody gets the name of a removed account, or one that moderators have refused, for a year. Only a keyed hash
of it is kept. A name that the site has drawn for a guest is free immediately.
"""

from django.db.models import F, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Lower, Replace
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import usernames
from accounts.drawn_names import is_drawn
from accounts.models import RetiredName, User


def is_retired(name: str) -> bool:
    """Return whether an account with this name, or one that looks like it, was removed within a year."""
    since = timezone.now() - RetiredName.KEPT
    return RetiredName.objects.filter(mark__in=_marks_of(name), retired_at__gt=since).exists()


def is_like_another(name: str, user: User | None) -> bool:
    """Return whether a player other than `user` has a name that looks like this one."""
    plain: Combinable = F("username")
    for character, shown in usernames.CONFUSABLE_LETTERS.items():
        plain = Replace(plain, Value(character), Value(shown))
    others = User.objects.exclude(pk=user.pk) if user else User.objects.all()
    like = others.annotate(likeness=Lower(plain)).filter(likeness=usernames.likeness(name))
    return like.exclude(username__iexact=name).exists()


@receiver(pre_delete, sender=User)
def retire(instance: User, **_signal: object) -> None:
    """Keep the name of a person who is removed from others, except one that was drawn for a guest."""
    if not (instance.is_guest and is_drawn(instance.username)):
        keep_from_others(instance.username)


def keep_from_others(name: str) -> None:
    """Let nobody take a name, or one that looks like it, for a year."""
    for mark in _marks_of(name):
        RetiredName.objects.update_or_create(mark=mark, defaults={"retired_at": timezone.now()})


def release(name: str) -> None:
    """Let people take a name again."""
    RetiredName.objects.filter(mark__in=_marks_of(name)).delete()


def _marks_of(name: str) -> list[str]:
    """Return the marks of a name in any case of letters, and of all names that look like it."""
    whole = salted_hmac("accounts.taken_names", name.lower(), algorithm="sha256")
    likeness = salted_hmac("accounts.taken_names.likeness", usernames.likeness(name), algorithm="sha256")
    return [whole.hexdigest(), likeness.hexdigest()]
