"""The names of cards, suits and sides, and the other words that all texts of LUNAR share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from games.lunar.engine.actions import Source
from games.lunar.engine.cards import Card, Kind, Suit
from games.lunar.engine.setup import side_of
from games.marked import MarkedText, ngettext
from games.marked import gettext as _
from games.shown.words import join_words
from games.titles.view import AnyView

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# The names of suits in lines, in the drawings and in style sheets.
SUIT_KEYS = {Suit.WOLF: "wolf", Suit.OWL: "owl", Suit.LYNX: "lynx", Suit.BAT: "bat"}

SUIT_WORDS = {
    Suit.WOLF: gettext_lazy("wolf"),
    Suit.OWL: gettext_lazy("owl"),
    Suit.LYNX: gettext_lazy("lynx"),
    Suit.BAT: gettext_lazy("bat"),
}
_WITH_ARTICLE = {
    Suit.WOLF: gettext_lazy("the wolf"),
    Suit.OWL: gettext_lazy("the owl"),
    Suit.LYNX: gettext_lazy("the lynx"),
    Suit.BAT: gettext_lazy("the bat"),
}
_ONE_OF = {
    Suit.WOLF: gettext_lazy("a wolf"),
    Suit.OWL: gettext_lazy("an owl"),
    Suit.LYNX: gettext_lazy("a lynx"),
    Suit.BAT: gettext_lazy("a bat"),
}
KIND_WORDS: dict[Kind, _StrPromise] = {Kind.RANK: gettext_lazy("rank"), Kind.SUIT: gettext_lazy("suit")}


def suit_word(suit: Suit) -> str:
    """Return the name of a suit: "wolf"."""
    return str(SUIT_WORDS[suit])


def one_of(suit: Suit) -> str:
    """Return any card of a suit in a sentence: "an owl"."""
    return str(_ONE_OF[suit])


def card_name(card: Card) -> str:
    """Return the name of a card: "7", "wolf with a star", or the kind of a hidden one."""
    if card.is_hidden:
        return str(KIND_WORDS[card.kind])
    return _with_star(card[0] if card.kind is Kind.RANK else suit_word(card.suit), card)


def the_card(card: Card) -> str:
    """Return the name of a card in a sentence: "the 7", "the wolf with a star"."""
    if card.kind is Kind.RANK:
        return _with_star(_("the %(rank)d") % {"rank": card.rank}, card)
    return _with_star(str(_WITH_ARTICLE[card.suit]), card)


def _with_star(name: str, card: Card) -> str:
    return _("%(card)s with a star") % {"card": name} if card.has_star else name


def join_cards(cards: Iterable[Card]) -> str:
    """Return the names of cards as a list: "2, 7, owl and wolf with a star"."""
    return join_words([card_name(card) for card in cards])


def describe_hand(ranks: int, suits: int) -> str:
    """Return how many cards a hand has: "4 ranks, 5 suits"."""
    return _("%(ranks)s, %(suits)s") % {
        "ranks": ngettext("%(count)d rank", "%(count)d ranks", ranks) % {"count": ranks},
        "suits": ngettext("%(count)d suit", "%(count)d suits", suits) % {"count": suits},
    }


def second_place(first: Source) -> str:
    """Return from where the second card must come in the game for two."""
    if first is Source.SKY:
        return _("Your first card came from the sky, so the second must come from your hand.")
    return _("Your first card came from your hand, so the second must come from the sky.")


def format_tricks(count: int) -> str:
    """Return a number of tricks in words."""
    return ngettext("%(count)d trick", "%(count)d tricks", count) % {"count": count}


def format_points(count: int) -> str:
    """Return a number of points in words."""
    return ngettext("%(count)d point", "%(count)d points", count) % {"count": count}


def format_stars(count: int) -> str:
    """Return a number of stars in words."""
    return ngettext("%(count)d star", "%(count)d stars", count) % {"count": count}


def sides_of(view: AnyView) -> list[int]:
    """Return the side of each seat."""
    return [side_of(seat) for seat in range(view.start.seats)]


def seats_of_side(side: int, view: AnyView) -> list[int]:
    """Return the seats of a side, the viewer's first."""
    seats = [seat for seat in range(view.start.seats) if side_of(seat) == side]
    return sorted(seats, key=lambda seat: (seat != view.viewer, seat))


def side_names(side: int, view: AnyView) -> str:
    """Return the players of a side within a sentence: "you and Vega"."""
    return join_words(
        [_("you") if seat == view.viewer else view.people[seat].name for seat in seats_of_side(side, view)]
    )


def side_label(side: int, view: AnyView) -> str:
    """Return the players of a side as a label: "You and Vega"."""
    return join_words(
        [_("You") if seat == view.viewer else view.people[seat].name for seat in seats_of_side(side, view)]
    )


def is_own_side(side: int, view: AnyView) -> bool:
    """Return whether the viewer plays for a side."""
    return view.viewer is not None and side_of(view.viewer) == side


def joined(sentences: Iterable[str]) -> str:
    """Return sentences without full stops as one text, without the last full stop."""
    return MarkedText(_(". ")).join(sentence for sentence in sentences if sentence)


def kinds_in(cards: Iterable[Card]) -> tuple[int, int]:
    """Return how many ranks and how many suits are among cards."""
    listed = list(cards)
    ranks = sum(card.kind is Kind.RANK for card in listed)
    return ranks, len(listed) - ranks
