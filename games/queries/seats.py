"""Seats as lists show them to one viewer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from accounts.avatars import Avatar, avatar_of
from accounts.models import Viewer
from games import marked
from games.marked import gettext as _
from games.models import Seat
from games.queries.habits import Habits
from games.shown.lists import lists_of
from games.shown.words import describe_level
from games.titles.lists import Figures
from games.titles.people import Wording


@dataclass(frozen=True)
class SeatSummary:
    """A seat as a list shows it to one viewer."""

    number: int
    name: str
    bot: str
    is_you: bool
    is_guest: bool
    is_free: bool
    kept_for: str  # the name of the person for whom a free seat is kept; empty if anybody may take it
    is_kept_for_you: bool
    is_by_address: bool  # only the opener and the invited person read so
    declined_by: str  # the name of the person who does not want the seat; empty if nobody has declined it
    is_declined_by_you: bool
    title: str
    place: int | None  # in a game that is over
    figures: Figures | None = field(hash=False)
    has_left: bool
    caretaker: str = ""  # the level of the bot that plays for a person now
    counts: bool = False  # whether the place counts for the person
    avatar: Avatar | None = None  # of a person
    # No kept part of a page shows these two, so it stays the same when they change.
    is_awaited: bool = field(default=False, compare=False)
    deadline: datetime | None = field(default=None, compare=False)
    # Only where somebody decides whether to join: when their time does not count, how reliable they are, and
    # how strong.
    pauses: str = ""
    reliability: Wording | None = None
    rating: Wording | None = None

    @property
    def label(self) -> str:
        """The name, with "(guest)" after the name of a guest."""
        return _("%(name)s (guest)") % {"name": self.name} if self.is_guest else self.name

    @property
    def label_with_level(self) -> str:
        """The name, with "(guest)" or "(bot · easy)" after it."""
        if not self.bot:
            return self.label
        return _("%(name)s (bot · %(level)s)") % {"name": self.name, "level": describe_level(self.bot)}

    @property
    def figures_text(self) -> str:
        """The figures in words, such as "3 points"; empty before the start."""
        return "" if self.figures is None else lists_of(self.title).describe_figures(self.figures)


def seats_ahead(title: str, seats: Sequence[SeatSummary | Seat]) -> frozenset[int]:
    """Return the seats that stand best in a running game; none if all are level, or if nobody can say."""
    progress_of = lists_of(title).progress_of
    progress = {
        seat.number: number
        for seat in seats
        if not seat.has_left and seat.figures and (number := progress_of(seat.figures)) is not None
    }
    most = max(progress.values(), default=0)
    ahead = frozenset(seat for seat, number in progress.items() if number == most)
    return ahead if len(ahead) < len(progress) else frozenset()


def seat_summary(seat: Seat, viewer: Viewer, habits: Habits, *, is_opener: bool) -> SeatSummary:
    """Return a seat as `viewer` sees it; `is_opener` is set if they have opened its table."""
    name = _invited(seat, is_opener=is_opener)
    is_invited = seat.is_free and seat.invited is not None and seat.invited == viewer
    return SeatSummary(
        number=seat.number,
        name=seat.name,
        bot=seat.bot,
        is_you=seat.is_of(viewer),
        is_guest=seat.is_of_guest,
        is_free=seat.is_free,
        kept_for="" if seat.has_declined else name,
        is_kept_for_you=is_invited and not seat.has_declined,
        is_by_address=seat.is_free and seat.invited_address != "",
        declined_by=name if seat.has_declined else "",
        is_declined_by_you=is_invited and seat.has_declined,
        title=seat.game.title,
        place=seat.place,
        figures=seat.figures,
        has_left=seat.has_left,
        caretaker=seat.caretaker if seat.game.is_running else "",
        avatar=avatar_of(seat.user_id) if seat.user_id else None,
        counts=seat.counts,  # type: ignore[attr-defined]  # an annotation of the caller
        is_awaited=seat.is_awaited,
        deadline=seat.time_is_up_at,
        **habits._asdict(),
    )


def _invited(seat: Seat, *, is_opener: bool) -> str:
    """Return who is invited to a free seat, as the opener of the table wrote it; empty if nobody is.

    Only the opener sees an address, and nobody sees a name with it, which would reveal whose address it is.
    """
    if not seat.is_free:
        return ""
    if seat.invited_address:
        return marked.name(seat.invited_address) if is_opener else _("somebody")
    return marked.name(seat.invited.username) if seat.invited else ""
