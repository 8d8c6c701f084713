"""What administrators may do on the pages of rows that only services write."""

from django.db.models import Model
from django.http import HttpRequest


class ReadOnly:
    """Mixin for admin pages on which rows can't be added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
