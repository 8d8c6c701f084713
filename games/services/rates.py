"""How often one person may do something that is stored."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.utils import timezone

from games.services.errors import TooOften

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def check_rate(
    rows: QuerySet[Any], time: str, most: int, period: timedelta, refusal: "str | _StrPromise"
) -> None:
    """Raise TooOften if as many of these rows as are allowed have their `time` within the latest `period`.

    The next one is allowed when the oldest of the latest `most` rows is older than that.
    """
    now = timezone.now()
    lately = rows.filter(**{f"{time}__gt": now - period}).order_by(f"-{time}")
    for oldest in lately.values_list(time, flat=True)[most - 1 : most]:
        raise TooOften(refusal, oldest + period - now)
