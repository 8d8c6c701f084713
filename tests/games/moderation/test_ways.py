"""A mute covers every way in which words of one person reach another; a new way fails until it does."""

from django.apps import apps
from django.db.models import CharField, Field, TextField

from tests.games.test_blocked_pair import ROWS_OF_WAYS

# Texts in rows by which people reach each other. A mute keeps people from writing the first ones; the others
# are written by the site, or are addresses and marks.
MUTED = {"ChatLine.text"}
NO_WORDS = {
    *("DuplicateEntry.nonce", "Notification.why_dropped", "Notification.error", "Seat.bot_name"),
    *("Seat.invited_address", "Seat.nonce", "Seat.caretaker", "Seat.bot", "Seek.title", "Seek.nonce"),
    *("SeatOffer.key",),
}


def is_free_text(field: Field) -> bool:  # type: ignore[type-arg]
    return isinstance(field, CharField | TextField) and not field.choices


def test_every_text_by_which_people_reach_others_is_covered_by_a_mute() -> None:
    texts = {
        f"{name}.{field.name}"
        for name in ROWS_OF_WAYS.split()
        for field in apps.get_model("games", name)._meta.concrete_fields
        if is_free_text(field)
    }
    assert texts - MUTED - NO_WORDS == set(), "may a muted person write this? Check it, and list it"
    assert texts >= MUTED
