"""The file of an export: a ZIP with the rows of a person as JSON, records of their games, and a README."""

import json
import zipfile
from collections import defaultdict
from tempfile import SpooledTemporaryFile

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from games.queries.browsing.archive import Filters, records
from games.queries.people.own_rows import FILES, WITHHELD, own_rows

RECORDS = "records.jsonl"
IN_MEMORY = 10_000_000  # bytes


def own_archive(user: User) -> bytes:
    """Return the ZIP, with texts in the active language."""
    with SpooledTemporaryFile(IN_MEMORY) as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("README.txt", _readme(user))
            files: defaultdict[str, dict[str, object]] = defaultdict(dict)
            for name, rows_name, rows in own_rows(user):
                files[name][rows_name] = rows
            for name, lists in files.items():
                content = {"note": str(FILES[name]), **lists}
                archive.writestr(
                    f"{name}.json", json.dumps(content, indent=1, ensure_ascii=False, default=str)
                )
            with archive.open(RECORDS, "w") as lines:
                for record in records(user, Filters()):
                    lines.write(json.dumps(record).encode() + b"\n")
        file.seek(0)
        return file.read()


def _readme(user: User) -> str:
    names = {"site": settings.SITE_NAME, "name": user.username, "day": f"{timezone.now():%Y-%m-%d %H:%M}"}
    lines = [
        _("What %(site)s stores about %(name)s, as of %(day)s (UTC).") % names,
        "",
        *(f"{name}.json: {about}" for name, about in FILES.items()),
        f"{RECORDS}: {_('The records of your finished games, one a line, for programs that replay them.')}",
        "",
        _("People are in it by name, games by the key in their address."),
        _(
            "It leaves out what others wrote, except for lines that you have reported, and what you may "
            "not know yet, such as hidden cards."
        ),
        _("It also leaves out:"),
        *(f"- {why}" for why in WITHHELD.values()),
        "",
    ]
    return "\n".join(lines)
