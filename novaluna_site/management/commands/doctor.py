"""Says what is wrong with the site, and what to do about it."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.conf import settings
from django.core.mail import send_mail
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, connection

from novaluna_site.health import installation, outside, services
from novaluna_site.health.finding import Finding

MAILBOX = "novaluna_site.mailbox.EmailBackend"


class Check(NamedTuple):
    """A check, the name that is printed for it, and whether this site does without what it checks."""

    name: str
    find: Callable[[], Iterator[Finding]]
    is_unused: Callable[[], bool] = lambda: False


CHECKS = (
    Check("settings", installation.site_settings),
    Check("addresses of emails", installation.addresses),
    Check("push messages", installation.push_messages),
    Check("packages", installation.packages),
    Check("files", installation.files),
    Check("disk", installation.disk),
    Check("backups", installation.backups),
    Check("address and proxy", outside.proxy, lambda: not installation.is_public()),
    Check("mail server", services.mail_server, lambda: settings.EMAIL_BACKEND == MAILBOX),
    Check("Redis", services.redis_server, lambda: not settings.REDIS_URL),
    Check("database", services.database),
)
# These need the database.
CHECKS_OF_ROWS = (
    Check("tables", services.missing_migrations),
    Check("version of the tables", services.unknown_migrations),
    Check("PostgreSQL", services.postgresql, lambda: connection.vendor != "postgresql"),
    Check("units, queues and messages", services.parts),
    Check("games", services.comparison),
)


class Command(BaseCommand):
    help = "Say what is wrong with the site and what to do about it. Exit with status 1 if anything is."
    # It must also run while the database is away, and reports what these checks find itself.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--mail", metavar="ADDRESS", help="also send an email to this address")

    def handle(self, *args: Any, mail: str | None, **options: Any) -> None:
        found = sum(self._check(check) for check in CHECKS)
        if any(services.database()):
            self.stdout.write(
                f"  ?  {', '.join(check.name for check in CHECKS_OF_ROWS)}: not checked, without the database"
            )
        else:
            found += sum(self._check(check) for check in CHECKS_OF_ROWS)
        if mail:
            found += self._check(Check(f"an email to {mail}", lambda: _send(mail)))
        if found:
            self.stdout.write(f"{found} problems." if found > 1 else "1 problem.")
            raise SystemExit(1)
        self.stdout.write("All is well.")

    def _check(self, check: Check) -> int:
        """Print what a check finds, and return how much that is."""
        if check.is_unused():
            self.stdout.write(f"  –  {check.name}: not used")
            return 0
        try:
            findings = list(check.find())
        except DatabaseError as error:
            findings = [Finding(f"It cannot be checked: {error}", "Run deploy/manage migrate first.")]
        self.stdout.write(f"  {'✗' if findings else '✓'}  {check.name}")
        for finding in findings:
            self.stdout.write(f"     {finding.what}\n     → {finding.do}")
        return len(findings)


def _send(address: str) -> Iterator[Finding]:
    try:
        send_mail(
            f"A test from {settings.SITE_NAME}", "manage.py doctor has sent this email.", None, [address]
        )
    except OSError as error:  # Every SMTPException is one.
        yield Finding(f"It could not be sent: {type(error).__name__}: {error}.", "Check EMAIL_URL.")
