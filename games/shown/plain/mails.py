"""Emails of a title that has only rules and words: the position in words, and its legal actions as links."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from games.marked import gettext as _
from games.shown.plain.sections import Section
from games.shown.plain.words import AnyWords
from games.shown.words import begin_sentence, join_words
from games.titles.mails import Offer
from games.titles.rules import AnyRules
from games.titles.view import AnyView

MOST_OFFERS = 24  # a longer list is easier to read on the page of the game


class Row(NamedTuple):
    """The figures of a side at its place: of one player, or of partners who have the same."""

    names: str
    figures: str


class PlainMails:
    """What emails, answers to replies and links show. There are no pictures, so links show the site's."""

    mail_templates = "games/plain/mail"

    rules: AnyRules
    words: AnyWords

    def offers(self, view: AnyView) -> Sequence[Offer]:
        """Return the viewer's legal actions, or the first of them."""
        if view.viewer is None or not view.is_my_turn:
            return []
        legal = islice(view.newest.legal(view.viewer), MOST_OFFERS)
        return [
            Offer(self.words.write_action(action), self.words.describe_action(action, view), "")
            for action in legal
        ]

    def turn_values(self, view: AnyView) -> Mapping[str, object]:
        """Return the position in words, the figures of all, and lines of an example of a plan."""
        newest, seat = view.newest, view.viewer
        legal = newest.legal(seat) if seat is not None and view.is_my_turn else ()
        plannable = self.words.plannable(newest, seat) if seat is not None and view.can_plan else ()
        return {
            "sections": self._sections(view),
            "rows": self._rows(view),
            "has_more_offers": len(legal) > MOST_OFFERS,
            "plannable": [self.words.write_action(action) for action in plannable[:2]],
        }

    def end_values(self, view: AnyView) -> Mapping[str, object]:
        """Return the last position in words, and the figures of all, best first."""
        return {"sections": self._sections(view), "rows": self._rows(view)}

    def move_values(self, view: AnyView, _action: Any) -> Mapping[str, object]:
        """Return the position in words. What an action brings is for the player to see."""
        return {"sections": self._sections(view)}

    def draw_turn(self, _view: AnyView) -> bytes | None:
        """Return nothing."""
        return None

    def draw_preview(self, _view: AnyView) -> bytes | None:
        """Return nothing."""
        return None

    def _sections(self, view: AnyView) -> list[Section]:
        return [section for section in self.words.describe_position(view) if not section.is_empty]

    def _rows(self, view: AnyView) -> list[Row]:
        """Return a row for each player, or for partners together, best first in a finished game."""
        position, sides = view.newest, self.rules.sides(view.start.seats)
        places = position.places or [1] * position.seats
        rows: dict[tuple[int, str, int], list[int]] = {}
        for seat in sorted(range(position.seats), key=lambda seat: (places[seat], seat)):
            figures = self.words.describe_figures(position.figures(seat))
            rows.setdefault((places[seat], figures, sides[seat]), []).append(seat)
        return [Row(_names(seats, view), figures) for (_place, figures, _side), seats in rows.items()]


def _names(seats: Sequence[int], view: AnyView) -> str:
    """Return names as the beginning of a line, the viewer's first."""
    own_first = sorted(seats, key=lambda seat: (seat != view.viewer, seat))
    names = [_("You") if seat == view.viewer else view.people[seat].name for seat in own_first]
    return begin_sentence(join_words(names))
