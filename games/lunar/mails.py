"""What emails show of a position: hand, sky and trick as coloured cards, and how the round stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from games.lunar.board.events import describe_won, last_trick_of
from games.lunar.board.game_view import GameView
from games.lunar.board.sections import describe_trump
from games.lunar.board.track import SideRow, track_of
from games.lunar.engine import TRICKS, Card, Kind, Stage
from games.lunar.notation.writing import write_cards
from games.lunar.words import card_name, format_points, format_stars, format_tricks, suit_word
from games.marked import gettext as _


class Look(NamedTuple):
    """The colours of a card, as the board has them."""

    ground: str
    ink: str


RANK = Look("#fffdf7", "#1b1f3d")
SUITS = {
    "W": Look("#3f6ae6", "#ffffff"),
    "O": Look("#f6ca48", "#3a2700"),
    "L": Look("#d2453f", "#ffffff"),
    "B": Look("#35bfae", "#04302f"),
}


@dataclass(frozen=True)
class MailCard:
    """A card as a cell: a number or an animal, its star, and for cards of a trick who played it."""

    name: str
    look: Look
    has_star: bool
    label: str
    player: str = ""


@dataclass(frozen=True)
class MailPosition:
    """A position for one reader. `hand` and `sky` are also lines as replies write them."""

    where: str
    facts: tuple[str, ...]  # trump, the lead suit and the last trick, as sentences
    trick: tuple[MailCard, ...]
    hand: tuple[MailCard, ...]
    sky: tuple[MailCard, ...]
    hand_line: str
    sky_line: str
    sides: tuple[str, ...]  # what each side has, in words
    has_stars: bool
    note: str


def mail_position(view: GameView) -> MailPosition:
    """Return what an email shows of the newest position."""
    position, track = view.newest, track_of(view)
    hand = position.hands[view.first_seat]
    sky = [card for card in position.sky if card is not None]
    words = {"round": position.round, "trick": len(position.tricks) + 1, "last": TRICKS}
    in_trick = position.stage is Stage.PLAY
    return MailPosition(
        where=_("Round %(round)d, trick %(trick)d of %(last)d") % words
        if in_trick
        else _("Round %(round)d") % words,
        facts=tuple(_facts(view)),
        trick=tuple(
            _cell(played.card, _("You") if played.seat == view.viewer else view.people[played.seat].name)
            for played in position.trick
        ),
        hand=tuple(map(_cell, hand)),
        sky=tuple(map(_cell, sky)),
        hand_line=write_cards(hand),
        sky_line=write_cards(sky),
        sides=tuple(map(_describe_side, track.sides)),
        has_stars=any(card.has_star for card in (*hand, *sky, *(played.card for played in position.trick))),
        note=track.note,
    )


def _cell(card: Card, player: str = "") -> MailCard:
    is_rank = card.kind is Kind.RANK
    name = card[0] if is_rank else suit_word(card.suit)
    return MailCard(name, RANK if is_rank else SUITS[card[0]], card.has_star, card_name(card), player)


def _describe_side(side: SideRow) -> str:
    words = {
        "name": side.name,
        "tricks": format_tricks(side.tricks),
        "stars": format_stars(side.stars),
        "worth": format_points(side.worth),
        "points": format_points(side.points),
    }
    if side.stars:
        return _("%(name)s: %(points)s · this round: %(tricks)s and %(stars)s, worth %(worth)s") % words
    return _("%(name)s: %(points)s · this round: %(tricks)s, worth %(worth)s") % words


def _facts(view: GameView) -> Iterable[str]:
    position = view.newest
    if position.stage in (Stage.TRUMP, Stage.PLAY):
        yield describe_trump(view)
    if position.lead_suit is not None:
        yield _("Led: %(suit)s.") % {"suit": suit_word(position.lead_suit)}
    if last := last_trick_of(view):
        _after, number, trick = last
        yield describe_won(number, trick, view)
