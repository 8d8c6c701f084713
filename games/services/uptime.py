"""When the site was up: its parts note that they work. Nobody acts on a deadline that passed without them.

Each part renews its row in `SitePart`: the sweep with each run, so that it also speaks for Celery beat, and
the web processes and the other workers from threads of their own. A part whose row is older than two minutes
was down. It stores an `Outage`, a pause of everybody's clocks. A clock of the machine that jumps ahead looks
the same. A part whose worker lives but takes no task is found by `services/queues.py`.

An outage begins when a part was seen last, and nobody acts on a deadline before all parts have been seen
after it. So no outage that is found later covers a deadline on which somebody has acted.
"""

import logging
from datetime import datetime, timedelta

from django.db import DatabaseError, transaction
from django.db.models import F, Max, Q, Value
from django.db.models.functions import Least
from django.utils import timezone

from accounts.mail_retries import LEASE
from accounts.models import AccountMail
from games.models import Action, Channel, Notification, Outage, Seat, SitePart
from games.services import queues

logger = logging.getLogger(__name__)

# Clocks get the time of a longer gap back.
SHORT_GAP = timedelta(minutes=2)
# A part that was not seen for this long has had a break.
LONGEST_SILENCE = timedelta(seconds=30)
# After a break nobody acts on a deadline for this long, because a short gap is not given back.
GRACE = SHORT_GAP
# A process does not renew a row that another one has just renewed.
RENEWED_EVERY = timedelta(seconds=0.8)


def renew(name: str, *, is_start: bool = False) -> None:
    """Store that a part of the site works now, and the outage that has ended, if it was down until now.

    At its start, players get some time before anybody acts on a deadline, even if it was down for seconds.
    If nothing can be stored, the part counts as down.
    """
    try:
        now = timezone.now()
        is_fresh = SitePart.objects.filter(name=name, seen_at__range=(now - RENEWED_EVERY, now))
        if is_start or not is_fresh.exists():
            _renew(name, is_start=is_start)
    except DatabaseError as error:
        logger.warning("Cannot store that the part %s of the site works: %s", name, error)


@transaction.atomic
def _renew(name: str, *, is_start: bool) -> None:
    rows = SitePart.objects.select_for_update().filter(name=name)
    part = rows.first()
    is_first = part is None
    if part is None:
        first = _last_sign_of_life() if name == SitePart.Name.SWEEP else timezone.now()
        SitePart.objects.get_or_create(name=name, defaults={"up_since": first, "seen_at": first})
        part = rows.get()
    now = timezone.now()  # After the wait for the lock.
    gap = now - part.seen_at
    if gap > SHORT_GAP:
        Outage.objects.create(started_at=part.seen_at, ended_at=now, is_assumed=is_first)
        level = logging.INFO if is_start else logging.WARNING
        words = "is new, and was not seen" if is_first else "was down"
        logger.log(level, "The part %s of the site %s for %s. No clock ran.", name, words, gap)
    elif -gap > LONGEST_SILENCE:
        _note_set_back(now)
        if name == SitePart.Name.SWEEP:  # One part alone, because the second one would do it again.
            _bring_forward(-gap, now)
    if is_start or abs(gap) > LONGEST_SILENCE:
        part.up_since = now
    part.seen_at = now
    part.save(update_fields=["up_since", "seen_at"])


def _note_set_back(now: datetime) -> None:
    """End outages now that end in the future: a clock that was wrong found them. Clocks are counted again."""
    wrong = Outage.objects.filter(ended_at__gt=now)
    wrong.update(started_at=Least("started_at", Value(now)), ended_at=now, given_to=0)


def _bring_forward(by: timedelta, now: datetime) -> None:
    """Let messages that were due in some time, when the clock was set back, be due in that time from now on.

    Messages that a worker sends now stay claimed, and daily emails keep their hour.
    """
    later: dict[str, object] = {"due_at__gt": now + LEASE}
    AccountMail.objects.filter(**later).update(due_at=F("due_at") - by)
    waits_for_hour = Q(channel=Channel.DIGEST, attempts=0, claimed_at=None)
    notifications = Notification.objects.pending().filter(**later).exclude(waits_for_hour)
    notifications.update(due_at=F("due_at") - by)


def _last_sign_of_life() -> datetime:
    """Return when the site was up at the latest, before it noted it: a player moved or looked at a game."""
    now = timezone.now()
    moved_at = Action.objects.order_by("-pk").values_list("at", flat=True).first()
    seen_at = Seat.objects.aggregate(latest=Max("seen_at"))["latest"]
    return min(now, max(filter(None, (moved_at, seen_at)), default=now))


def acts_until() -> datetime | None:
    """Return the latest deadline on which somebody may act now; None if nobody may act on any.

    Until then, the players had a site that answered. A part without a row is not in use.
    """
    now = timezone.now()
    # Read before the outages, because a part stores its outage together with its row, and so does a queue.
    parts = list(SitePart.objects.all())
    served = queues.served_until({part.name for part in parts})
    is_known = any(part.name == SitePart.Name.SWEEP for part in parts)
    if not is_known or any(part.up_since + GRACE > part.seen_at for part in parts) or is_giving_back():
        return None
    return min(now, *(part.seen_at for part in parts), *served)


def is_up() -> bool:
    """Return whether all parts of the site work, and all clocks are right."""
    until = acts_until()
    return until is not None and timezone.now() - until <= LONGEST_SILENCE


def is_giving_back() -> bool:
    """Return whether some clocks have not got the time of an outage back yet."""
    return Outage.objects.pending().exists()
