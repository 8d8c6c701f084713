"""The daily deal as its page and the pages of its games show it to one viewer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.http import Http404
from django.utils import timezone

from accounts.models import Viewer
from games.log.deals import daily_deal, text_of
from games.models import DailyDeal, Game, today
from games.queries.share import share_text
from games.titles.registry import title_with
from games.titles.talents import Talent

DAYS_SHOWN = 7


@dataclass(frozen=True)
class DailyView:
    """The deal of one day as one viewer sees it.

    `attempt` is the viewer's game that counts, if they have begun it; `is_finished` says whether it had a
    score when the day was over. `revealed_text` is empty until then.
    """

    day: date
    ends_at: datetime
    is_over: bool
    commitment: str
    revealed_text: str
    attempt: Game | None
    is_finished: bool
    earlier_days: Sequence[date]

    @property
    def time_left(self) -> timedelta:
        """How long the day still lasts; none if it is over."""
        return max(self.ends_at - timezone.now(), timedelta(0))

    @property
    def share_text(self) -> str:
        """The result of the viewer as a text to share; empty without one."""
        return share_text(self.attempt) if self.attempt else ""

    @property
    def can_practise(self) -> bool:
        """Whether the viewer may play the deal again, without its counting."""
        return self.is_over or self.is_finished

    @property
    def is_given_up(self) -> bool:
        """Whether the viewer's attempt has ended without a score."""
        return self.attempt is not None and self.attempt.is_over and self.attempt.score is None


def daily_view(viewer: Viewer, day: date) -> DailyView:
    """Return the deal of a day as `viewer` sees it. Raises Http404 for a day without one."""
    daily = access_daily(day)
    attempt = None
    if viewer.is_authenticated and daily.pk:
        attempt = (
            Game.objects.attempts().with_seat_of(viewer).filter(daily=daily).select_related("daily").first()
        )
    earlier = DailyDeal.objects.filter(day__lt=today()).values_list("day", flat=True)
    return DailyView(
        day=day,
        ends_at=daily.ends_at,
        is_over=daily.is_over,
        commitment=daily.deal.commitment,
        revealed_text=text_of(daily.deal) if daily.is_over else "",
        attempt=attempt,
        is_finished=attempt is not None and attempt.score is not None and not attempt.is_only_practice,
        earlier_days=list(earlier[:DAYS_SHOWN]),
    )


def access_daily(day: date) -> DailyDeal:
    """Return the deal of a day. Raises Http404 for a day without one.

    The deal of today need not be stored yet: the first attempt or the next sweep stores it.
    """
    daily = DailyDeal.objects.select_related("deal").filter(day=day).first()
    if daily is not None:
        return daily
    if day != today():
        raise Http404
    return DailyDeal(day=day, deal=daily_deal(title_with(Talent.DAILY), day))
