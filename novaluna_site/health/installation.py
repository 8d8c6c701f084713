"""Checks of how the site is installed: settings, files, packages, disk, backups."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from email.utils import parseaddr
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, staticfiles_storage
from django.http.request import validate_host
from django.utils import timezone

from accounts.outside import vapid
from novaluna_site.backups import space
from novaluna_site.backups.files import backups_in, made_at
from novaluna_site.health.finding import Finding

LEAST_SPACE = 1_000_000_000  # bytes
LEAST_SHARE = 0.05  # of a disk
SHORTEST_KEY = 40
LOOPBACK = ("127.0.0.1", "localhost", "::1")
LONGEST_REPLY_NAME = 5
BACKUP_EVERY = timedelta(hours=26)  # a day, and time to make one
# Those that every system needs; others have a condition after their version.
PINNED = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([\w.+!-]+) \\$", re.MULTILINE)


def is_public() -> bool:
    """Return whether the site is for others than the person at this machine."""
    return urlsplit(settings.SITE_URL).hostname not in LOOPBACK


def site_settings() -> Iterator[Finding]:
    """Yield what is wrong with the settings of a public site."""
    if not is_public():
        return
    address = urlsplit(settings.SITE_URL)
    if settings.DEBUG:
        yield Finding(
            "Debug pages are on, so an error shows settings and code to everybody.", "Remove DEBUG."
        )
    if address.scheme != "https":
        yield Finding(
            f"SITE_URL begins with {address.scheme}://, so passwords travel unencrypted.",
            "Put a proxy with TLS in front, such as Caddy, and write https:// in SITE_URL.",
        )
    if not validate_host(address.hostname or "", settings.ALLOWED_HOSTS):
        yield Finding(
            f"ALLOWED_HOSTS does not have {address.hostname}, so every page is an error.",
            f"Set ALLOWED_HOSTS to {address.hostname}.",
        )
    if len(settings.SECRET_KEY) < SHORTEST_KEY:
        yield Finding(
            "The secret key is short. Who guesses it can log in as anybody and calculate deals.",
            'Make one: python3 -c "import secrets; print(secrets.token_urlsafe(50))". Everybody is logged '
            "out, and links in emails stop working, unless the old one stays in SECRET_KEY_FALLBACKS.",
        )
    if not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        yield Finding(
            "TRUSTED_PROXIES is 0, so all visitors count as one address, and few can log in or sign up.",
            "Set it to the number of proxies in front of the site, which is 1 with the Caddyfile here.",
        )


def addresses() -> Iterator[Finding]:
    """Yield what is wrong with the addresses of emails."""
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    domain = sender.rpartition("@")[2]
    if is_public() and ("." not in domain or domain.rpartition(".")[2] in vapid.NOT_PUBLIC):
        yield Finding(
            f"Emails come from {sender or 'nobody'}, so mail servers refuse them or call them spam.",
            "Set DEFAULT_FROM_EMAIL to an address at a domain of yours.",
        )
    name, _at, host = settings.REPLY_ADDRESS.rpartition("@")
    if settings.REPLY_ADDRESS and (not name or len(name) > LONGEST_REPLY_NAME or "." not in host):
        yield Finding(
            f"The reply address {settings.REPLY_ADDRESS} cannot work with a token of 57 characters.",
            f"NOVALUNA_REPLY_ADDRESS needs a name of at most {LONGEST_REPLY_NAME} characters and a domain.",
        )


def push_messages() -> Iterator[Finding]:
    """Yield why browsers get no push messages, if the site is to send them."""
    for error in vapid.check_push():
        yield Finding(str(error.msg), str(error.hint))


def files() -> Iterator[Finding]:
    """Yield which files are missing, or cannot be written."""
    try:
        with tempfile.TemporaryFile(dir=settings.DATA_DIR):
            pass
    except OSError as error:
        yield Finding(
            f"The site cannot write to {settings.DATA_DIR}: {error.strerror}.",
            f"Give the folder to the site's user: chown -R novaluna {settings.DATA_DIR}",
        )
    if not isinstance(staticfiles_storage, ManifestStaticFilesStorage):
        return
    collected = staticfiles_storage.hashed_files
    names = (name for finder in get_finders() for name, _storage in finder.list([]))
    if missing := sorted(name for name in names if name.replace("\\", "/") not in collected):
        yield Finding(
            f"{len(missing)} files for pages are missing, such as {missing[0]}, so pages fail or look wrong.",
            "Run deploy/manage collectstatic --noinput, and restart novaluna-web.",
        )


def packages() -> Iterator[Finding]:
    """Yield which packages are not those of this version of the site."""
    pinned = PINNED.findall((settings.BASE_DIR / "requirements/base.txt").read_text())
    other = [
        f"{name} {installed or 'is missing'}"
        for name, wanted in pinned
        if (installed := _version(name)) != wanted
    ]
    if other:
        yield Finding(
            f"{len(other)} packages are not those of this version of the site, such as {other[0]}.",
            "Run make install-production, and restart the units.",
        )


def disk() -> Iterator[Finding]:
    """Yield which disks are nearly full."""
    for folder in (settings.DATA_DIR, settings.BACKUPS_DIR, space.disk_of_database()):
        if not folder.exists():
            continue
        usage = shutil.disk_usage(folder)
        if usage.free < max(LEAST_SPACE, usage.total * LEAST_SHARE):
            yield Finding(
                f"Only {usage.free // 1_000_000} MB are free on the disk of {folder}.",
                "Remove what is not needed, or use a larger disk. A full disk stops the site.",
            )
            return


def backups() -> Iterator[Finding]:
    """Yield whether the latest backup is too old."""
    latest = max(filter(None, map(made_at, backups_in(settings.BACKUPS_DIR))), default=None)
    if latest is None:
        if is_public():
            yield Finding(
                f"There is no backup in {settings.BACKUPS_DIR}.",
                "Run deploy/backup every day, and keep copies on another machine.",
            )
        return
    age = timezone.now() - latest
    if age > BACKUP_EVERY:
        yield Finding(
            f"The latest backup is {age / timedelta(hours=1):.0f} hours old.",
            "Check the timer that runs deploy/backup, and its journal.",
        )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
