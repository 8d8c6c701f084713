"""The daily deal: the attempt of each person that counts, and practice."""

import uuid
from datetime import date

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.log.deals import daily_deal
from games.models import DailyDeal, Game, today
from games.services.errors import Conflict
from games.services.tables import open_solo
from games.titles.registry import title_with
from games.titles.talents import Talent


def publish(day: date) -> DailyDeal:
    """Store the deal of a day and return it; the first call of the day commits the site to it.

    The caller has checked that the day is not in the future, because everybody sees a deal that is stored.
    Raises UnknownTitle if the site has no daily deals.
    """
    found = DailyDeal.objects.select_related("deal").filter(day=day).first()
    if found is not None:
        return found
    with transaction.atomic():
        deal = daily_deal(title_with(Talent.DAILY), day)
        deal.save()
        stored, is_new = DailyDeal.objects.get_or_create(day=day, defaults={"deal": deal})
        if not is_new:
            deal.delete()
        return stored


def begin(user: User, day: date) -> Game:
    """Begin the attempt of `user` at the deal of this day and return it, or the one that they have begun.

    Raises Conflict if the day is over, or `user` has too many solo games.
    """
    if day != today():
        raise Conflict(_("The day of that deal is over. This is the deal of a new day."))
    daily = publish(day)
    with transaction.atomic():
        # Locked, so that two simultaneous requests of one person find the same attempt.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        attempt = Game.objects.attempts().filter(daily=daily, opened_by=user).first()
        return attempt or open_solo(user, daily=daily)


def practise(user: User, day: date, request_id: uuid.UUID) -> Game:
    """Start a game on the deal of a day that does not count, and return it; once for each request.

    Raises Conflict if the deal of the day is not published, if `user` still has to finish their own attempt,
    or has too many solo games.
    """
    daily = DailyDeal.objects.select_related("deal").filter(day=day).first()
    if daily is None or not (daily.is_over or _has_finished(user, daily)):
        raise Conflict(_("You can practise on this deal when you have finished it, or when its day is over."))
    return open_solo(user, request_id, daily=daily, is_practice=True)


def _has_finished(user: User, daily: DailyDeal) -> bool:
    return Game.objects.finished_attempts(daily).with_seat_of(user).exists()
