"""Pages of long lists."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet


class LongPaginator(Paginator):
    """Pages of an ordered queryset, of which the last is almost as quick as the first.

    To skip rows, a database reads them. So this counts from the nearer end of the list and reads only keys,
    which are in the index of the order; then it reads the rows of the page.
    """

    object_list: QuerySet[Any]

    def page(self, number: int | str) -> Page[Any]:
        """Return a page. Raises InvalidPage if there is no such page."""
        number = self.validate_number(number)
        start = (number - 1) * self.per_page
        end = min(start + self.per_page, self.count)
        keys = self.object_list.select_related(None).values_list("pk", flat=True)
        if start > self.count // 2:
            keys = keys.reverse()[self.count - end : self.count - start]
        else:
            keys = keys[start:end]
        return Page(self.object_list.filter(pk__in=keys), number, self)
