"""The words of LUNAR, from which the plain page, the text mode and mails are made."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy, ngettext_lazy

from games.lunar.engine import (
    GOAL,
    HOUSE_POINTS,
    HOUSE_STARS,
    SUITS,
    Action,
    Card,
    CardsPassed,
    Flip,
    Kind,
    Pass,
    Play,
    Played,
    Position,
    RoundEnded,
    SkyFilled,
    Source,
    Stage,
    Stars,
    Suit,
    TrickWon,
    TrumpSet,
    side_of,
)
from games.marked import gettext as _
from games.marked import ngettext
from games.shown.plain.sections import Section, Table
from games.shown.plain.words import Words, about_seat
from games.shown.words import join_words
from games.titles.options import Choice
from games.titles.rules import Step
from games.titles.view import GameView

View = GameView[Position, Any]

SUIT_NAMES = {
    Suit.WOLF: gettext_lazy("wolf"),
    Suit.OWL: gettext_lazy("owl"),
    Suit.LYNX: gettext_lazy("lynx"),
    Suit.BAT: gettext_lazy("bat"),
}
# The same in every language, for replies by email.
SUIT_WORDS = {suit: suit.name.lower() for suit in SUITS}

STAR_NAMES = {
    str(Stars.SUITS): gettext_lazy("one card of each suit"),
    str(Stars.RANKS): gettext_lazy("one card of each rank"),
    str(Stars.NONE): gettext_lazy("none"),
}


class LunarWords(Words[Action, Position]):
    """Cards are named by their ranks, or by the animals of their suits."""

    name = gettext_lazy("LUNAR")
    introduction = gettext_lazy("LUNAR is a trick-taking game in which a card is a rank or a suit.")
    figures = {
        "points": ngettext_lazy("%(count)d point", "%(count)d points", "count"),
        "tricks": ngettext_lazy("%(count)d trick", "%(count)d tricks", "count"),
        "stars": ngettext_lazy("%(count)d star", "%(count)d stars", "count"),
    }
    questions = (
        Choice(
            name="stars",
            label=gettext_lazy("Stars"),
            help_text=gettext_lazy("Which cards have a star, worth a point, is a house rule of this site."),
            choices=STAR_NAMES,
            initial=str(HOUSE_STARS),
        ),
    )
    refusals = {
        "bad_action": gettext_lazy("This game has no such action. Please choose again."),
        "game_over": gettext_lazy("The game is over."),
        "wrong_seat": gettext_lazy("It is not your turn."),
        "wrong_stage": gettext_lazy("You can't do this at this stage of the round."),
        "tile_not_available": gettext_lazy("This trump tile is face down already. Choose another one."),
        "card_not_available": gettext_lazy("This card is not there. Choose another one."),
        "wrong_kind": gettext_lazy("You need the other kind of card here, so that your side can play both."),
        "must_follow": gettext_lazy("You must follow the lead suit. Choose a card of that suit, or a rank."),
    }
    rules = (
        gettext_lazy("A card is a rank or a suit. Each side plays one rank and one suit to a trick."),
        gettext_lazy("With four players, each first passes two ranks and two suits to the partner."),
        gettext_lazy("Three of the four trump tiles are turned face down; the suit that is left is trump."),
        gettext_lazy("The first suit in a trick is the lead suit. The other side must follow it if it can."),
        gettext_lazy("With the same suit, the higher rank wins; otherwise trump, or else the lead suit."),
        gettext_lazy(
            "After twelve tricks a side scores points for its number of tricks, and a point for each star. "
            "More than 30 points win, if the sides are not level."
        ),
        gettext_lazy("The points and the stars are a house rule of this site."),
    )

    def write_action(self, action: Action) -> str:
        """Return an action as people write it in replies, such as "play 7", "sky owl" or "flip bat"."""
        match action:
            case Pass(_, cards):
                return " ".join(["pass", *map(_write_card, cards)])
            case Flip(_, suit):
                return f"flip {SUIT_WORDS[suit]}"
            case Play(_, card, Source.SKY):
                return f"sky {_write_card(card)}"
            case Play(_, card):
                return f"play {_write_card(card)}"
        return ""

    def describe_action(self, action: Action, view: View) -> str:
        """Return a legal action of the viewer for a button."""
        match action:
            case Pass(_seat, cards):
                return _("Pass %(cards)s") % {"cards": names_of(cards)}
            case Flip(_seat, suit):
                return _("Turn the %(suit)s face down") % {"suit": SUIT_NAMES[suit]}
            case Play(_seat, card, Source.SKY):
                return _("Play the %(card)s from the sky") % {"card": name_of(card)}
            case Play(_seat, card):
                return _("Play the %(card)s") % {"card": name_of(card)}
        return ""

    def describe_step(self, step: Step[Action], view: View) -> str:
        """Return who did what, and what followed."""
        sentences = [self._describe_done(step.action, view)]
        sentences += [self.describe_event(event, view) for event in step.events]
        return _(". ").join(sentence for sentence in sentences if sentence)

    def _describe_done(self, action: Action | None, view: View) -> str:
        match action:
            case Pass(seat, cards):
                return about_seat(
                    seat, view, _("You pass %(cards)s"), _("%(name)s passes %(cards)s"), cards=names_of(cards)
                )
            case Flip(seat, suit):
                you, other = _("You turned the %(suit)s"), _("%(name)s turned the %(suit)s")
                return about_seat(seat, view, you, other, suit=SUIT_NAMES[suit])
            case Play(seat, card, Source.SKY):
                you = _("You played the %(card)s from the sky")
                other = _("%(name)s played the %(card)s from the sky")
                return about_seat(seat, view, you, other, card=name_of(card))
            case Play(seat, card):
                you, other = _("You played the %(card)s"), _("%(name)s played the %(card)s")
                return about_seat(seat, view, you, other, card=name_of(card))
        return ""

    def describe_event(self, event: Hashable, view: View) -> str:
        """Return what followed an action."""
        match event:
            case CardsPassed(cards):
                return _describe_passes(cards, view)
            case TrumpSet(trump):
                return _("The trump is %(suit)s") % {"suit": SUIT_NAMES[trump]}
            case TrickWon(trick):
                return _("The trick goes to %(side)s") % {"side": side_name(trick.winner, view)}
            case SkyFilled(cards):
                return _("New in the sky: %(cards)s") % {"cards": names_of(card for _place, card in cards)}
            case RoundEnded(number, result):
                return _("Round %(number)d is over: %(first)d against %(second)d points") % {
                    "number": number,
                    "first": result.points[0],
                    "second": result.points[1],
                }
        return ""

    def describe_position(self, view: View) -> Sequence[Section]:
        """Return the hand, the trick, the sky, what everybody has, and the rounds so far."""
        return [*_hand(view), _round(view), *_sky(view.position), _counts(view), _rounds(view)]

    def group_action(self, action: Action, view: View) -> str:
        """Return the ranks of a pass as a heading; passes have many."""
        if not isinstance(action, Pass):
            return ""
        return _("Pass %(cards)s") % {
            "cards": names_of(card for card in action.cards if card.kind is Kind.RANK)
        }

    def minutes(self, options: Mapping[str, object], seats: int) -> int:
        """Return about how long four rounds take."""
        return 10 * seats


def name_of(card: Card) -> str:
    """Return the name of a card: a number or an animal, and its star."""
    if card.is_hidden:
        return _("rank") if card.kind is Kind.RANK else _("suit")
    name = str(card.rank) if card.kind is Kind.RANK else str(SUIT_NAMES[card.suit])
    return _("%(card)s with a star") % {"card": name} if card.has_star else name


def names_of(cards: Iterable[Card]) -> str:
    """Return the names of cards, as a list in a sentence."""
    return join_words([name_of(card) for card in cards])


def side_name(side: int, view: View) -> str:
    """Return the names of the players of a side."""
    names = [_("you") if one.is_you else one.name for one in view.people if side_of(one.seat) == side]
    return join_words(names)


def _write_card(card: Card) -> str:
    word = str(card.rank) if card.kind is Kind.RANK else SUIT_WORDS[card.suit]
    return f"{word} star" if card.has_star else word


def _describe_passes(cards: Sequence[Sequence[Card]], view: View) -> str:
    if view.viewer is None:
        return _("The partners got the cards")
    partner = view.position.partner_of(view.viewer)
    words = {"name": view.people[partner].name, "cards": names_of(cards[partner])}
    return _("%(name)s passed you %(cards)s") % words


def _hand(view: View) -> Iterator[Section]:
    position, seat = view.position, view.viewer
    if seat is None:
        return
    chosen = position.passes[seat] if position.stage is Stage.PASSING else None
    lines = (_("You pass %(cards)s.") % {"cards": names_of(chosen)},) if chosen else ()
    yield Section(_("Your hand"), lines, tuple(map(name_of, position.hands[seat])))


def _round(view: View) -> Section:
    position = view.position
    lines = [_trump_line(position)]
    if position.lead_suit is not None:
        lines.append(_("The lead suit is %(suit)s.") % {"suit": SUIT_NAMES[position.lead_suit]})
    if position.tricks:
        winner = side_name(position.tricks[-1].winner, view)
        words = {"cards": _cards_line(position.tricks[-1].cards, view), "side": winner}
        lines.append(_("Last trick, which went to %(side)s: %(cards)s.") % words)
    if tuple(position.setup.points) == HOUSE_POINTS:
        lines.append(
            _("Points for 0 to 12 tricks, a house rule: %(points)s.") % {"points": _points(position)}
        )
    else:
        lines.append(_("Points for 0 to 12 tricks: %(points)s.") % {"points": _points(position)})
    lines.append(_("The game ends above %(goal)d points.") % {"goal": GOAL})
    title = _("Round %(number)d") % {"number": position.round}
    return Section(title, tuple(lines), tuple(_items(position.trick, view)))


def _points(position: Position) -> str:
    return " ".join(map(str, position.setup.points))


def _trump_line(position: Position) -> str:
    if position.trump is not None:
        return _("The trump is %(suit)s.") % {"suit": SUIT_NAMES[position.trump]}
    tiles = join_words([str(SUIT_NAMES[suit]) for suit in position.tiles])
    return _("Trump tiles face up: %(suits)s.") % {"suits": tiles}


def _items(cards: Iterable[Played], view: View) -> Iterator[str]:
    for played in cards:
        person = view.people[played.seat]
        words = {"name": _("You") if person.is_you else person.name, "card": name_of(played.card)}
        yield _("%(name)s: %(card)s") % words


def _cards_line(cards: Iterable[Played], view: View) -> str:
    return join_words(list(_items(cards, view)))


def _sky(position: Position) -> Iterator[Section]:
    if not position.sky:
        return
    ranks, suits = map(len, position.piles)
    line = ngettext(
        "The piles have %(ranks)d rank and %(suits)d suits.",
        "The piles have %(ranks)d ranks and %(suits)d suits.",
        ranks,
    ) % {"ranks": ranks, "suits": suits}
    yield Section(_("Sky"), (line,), tuple(name_of(card) for card in position.sky if card is not None))


def _counts(view: View) -> Section:
    rows = tuple(
        (
            _("You") if person.is_you else person.name,
            *(str(sum(card.kind is kind for card in view.position.hands[person.seat])) for kind in Kind),
            "★" if person.seat in view.position.holders else "",
        )
        for person in view.people
    )
    return Section(_("Hands"), table=Table((_("Player"), _("Ranks"), _("Suits"), _("Lead tile")), rows))


def _rounds(view: View) -> Section:
    rows = tuple(
        (
            str(number),
            *(f"{tricks} → {points}" for tricks, points in zip(one.tricks, one.points, strict=True)),
        )
        for number, one in enumerate(view.position.rounds, 1)
    )
    sides = [side_name(side, view) for side in (0, 1)]
    return Section(_("Rounds: tricks and points"), table=Table((_("Round"), *sides), rows))
