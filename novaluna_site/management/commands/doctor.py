"""Says what is wrong with the site, and what to do about it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, connection

from novaluna_site.health import installation, outside, services
from novaluna_site.health.finding import Finding

CHECKS: Mapping[str, Callable[[], Iterator[Finding]]] = {
    "settings": installation.site_settings,
    "addresses of emails": installation.addresses,
    "push messages": installation.push_messages,
    "packages": installation.packages,
    "files": installation.files,
    "disk": installation.disk,
    "backups": installation.backups,
    "address and proxy": outside.proxy,
    "mail server": services.mail_server,
    "Redis": services.redis_server,
    "database": services.database,
}
# These need the database.
CHECKS_OF_ROWS: Mapping[str, Callable[[], Iterator[Finding]]] = {
    "tables": services.missing_migrations,
    "version of the tables": services.unknown_migrations,
    "PostgreSQL": services.postgresql,
    "units, queues and messages": services.parts,
    "games": services.comparison,
}


class Command(BaseCommand):
    help = "Say what is wrong with the site and what to do about it. Exit with status 1 if anything is."
    # It must also run while the database is away, and reports what these checks find itself.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--mail", metavar="ADDRESS", help="also send an email to this address")

    def handle(self, *args: Any, mail: str | None, **options: Any) -> None:
        found = sum(self._check(name, check) for name, check in CHECKS.items())
        if any(services.database()):
            self.stdout.write(f"  ?  {', '.join(CHECKS_OF_ROWS)}: not checked, without the database")
        else:
            found += sum(self._check(name, check) for name, check in CHECKS_OF_ROWS.items())
        if mail:
            found += self._check(f"an email to {mail}", lambda: _send(mail))
        if found:
            self.stdout.write(f"{found} problems." if found > 1 else "1 problem.")
            raise SystemExit(1)
        self.stdout.write("All is well.")

    def _check(self, name: str, check: Callable[[], Iterator[Finding]]) -> int:
        """Print what a check finds, and return how much that is."""
        if name in _unused():
            self.stdout.write(f"  –  {name}: not used")
            return 0
        try:
            findings = list(check())
        except DatabaseError as error:
            findings = [Finding(f"It cannot be checked: {error}", "Run deploy/manage migrate first.")]
        self.stdout.write(f"  {'✗' if findings else '✓'}  {name}")
        for finding in findings:
            self.stdout.write(f"     {finding.what}\n     → {finding.do}")
        return len(findings)


def _unused() -> set[str]:
    """Return the names of the checks about something that this site does without."""
    unused = {
        "address and proxy": not installation.is_public(),
        "mail server": settings.EMAIL_BACKEND == "novaluna_site.mailbox.EmailBackend",
        "Redis": not settings.REDIS_URL,
        "PostgreSQL": connection.vendor != "postgresql",
    }
    return {name for name, is_unused in unused.items() if is_unused}


def _send(address: str) -> Iterator[Finding]:
    try:
        send_mail(
            f"A test from {settings.SITE_NAME}", "manage.py doctor has sent this email.", None, [address]
        )
    except OSError as error:  # Every SMTPException is one.
        yield Finding(f"It could not be sent: {type(error).__name__}: {error}.", "Check EMAIL_URL.")
