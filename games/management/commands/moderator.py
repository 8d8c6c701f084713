"""`manage.py moderator`: give somebody the role of a moderator, or end it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User


class Command(BaseCommand):
    """Give or end the role; without a name, list who has it."""

    help = "Make somebody a moderator, who decides about reports. Without a name, list the moderators."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options."""
        parser.add_argument("name", nargs="?", help="the name of an account")
        parser.add_argument("--remove", action="store_true", help="end the role")

    def handle(self, *args: Any, name: str | None, remove: bool, **options: Any) -> None:
        """Change the role and say so."""
        if name is None:
            names = (
                User.objects.filter(is_moderator=True).order_by("username").values_list("username", flat=True)
            )
            self.stdout.write("\n".join(names) or "Nobody is a moderator, except for superusers.")
            return
        found = User.objects.filter(username__iexact=name, is_active=True, is_guest=False).first()
        if found is None:
            raise CommandError(f"There is no active account with the name {name}.")
        found.is_moderator = not remove
        found.save(update_fields=["is_moderator"])
        words = "is no longer a moderator" if remove else "is a moderator, and needs a second factor for it"
        self.stdout.write(f"{found.username} {words}.")
