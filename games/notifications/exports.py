"""Making the export of a person, and the email that says where it is."""

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import override

from accounts import outbox
from accounts.addresses import confirmed_address
from accounts.languages import language_of
from games.models import Export
from games.queries.people.own_archive import own_archive
from games.services.private import exports


def make(export_id: int) -> None:
    """Make the file of an export; do nothing if it is not due or another worker makes it."""
    export = exports.claim(export_id)
    if export is None:
        return
    with override(language_of(export.user) or settings.LANGUAGE_CODE):
        file = own_archive(export.user)
        with transaction.atomic():
            if exports.store(export, file):
                _tell(export)


def _tell(export: Export) -> None:
    """Send the link to the confirmed main address; without one, only the page has it."""
    address = confirmed_address(export.user)
    if address is None:
        return
    path = reverse("games:export_file", args=[export.key])
    facts = {"user": export.user, "url": settings.SITE_URL + path, "days": export.KEPT.days}
    subject = " ".join(render_to_string("mail/export_subject.txt", facts).split())
    outbox.owe(address, subject, render_to_string("mail/export.txt", facts))
