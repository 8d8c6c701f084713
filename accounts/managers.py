"""How users are made, and changed many at once."""

from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import UserManager
from django.db import models, transaction

from accounts.staff import rights

if TYPE_CHECKING:
    from accounts.models import User


class PeopleQuerySet(models.QuerySet["User"]):
    """Users, of whom each change of a right is sent, however it is made."""

    def update(self, **columns: Any) -> int:
        """Update the rows, and send the signal for each user whose rights change."""
        if not columns.keys() & set(rights.RIGHTS):
            return super().update(**columns)
        with transaction.atomic():
            before = {user.pk: user.rights for user in self.select_for_update(no_key=True, of=("self",))}
            number = super().update(**columns)
            for user in self.model.objects.filter(pk__in=before):
                user.send_rights(before[user.pk])
        return number


class People(UserManager["User"]):
    """Makes users. The operator who makes a superuser vouches for the address, so it is confirmed."""

    use_in_migrations = False

    def get_queryset(self) -> PeopleQuerySet:
        return PeopleQuerySet(self.model, using=self._db)

    @transaction.atomic
    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **fields: Any
    ) -> "User":
        from allauth.account.models import EmailAddress  # It needs the model of users.

        user = super().create_superuser(username, email, password, **fields)
        if user.email:
            EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
        return user
