"""A position in words, for text mode, emails and readers without pictures: first what is on the table."""

from collections.abc import Iterable, Iterator
from itertools import chain

from games.lunar.board.bar import describe_legal
from games.lunar.board.end_of_round import has_stopped_before_tricks, is_end_of_round, table_of
from games.lunar.board.events import describe_trick, last_trick_of
from games.lunar.board.felt import Felt, lead_of
from games.lunar.board.game_view import GameView
from games.lunar.board.open_hands import OpenHand, dealt_rounds, open_hands
from games.lunar.board.track import track_of
from games.lunar.engine import GOAL, Played, Source, Stage
from games.lunar.words import (
    card_name,
    join_cards,
    kinds_in,
    side_names,
    suit_word,
)
from games.marked import gettext as _
from games.marked import ngettext
from games.shown.plain.sections import Section, Table
from games.shown.words import join_words


def sections_of(view: GameView) -> list[Section]:
    """Return the position that is shown as sections."""
    parts = (
        (_table(view),),
        _hand(view),
        _sky(view),
        _seats(view),
        _open_hands(view),
        (_points(view),),
        rounds_of(view),
        _dealt(view),
    )
    return list(chain.from_iterable(parts))


def _hand(view: GameView) -> Iterator[Section]:
    position, seat = table_of(view), view.viewer
    if seat is None:
        return
    chosen = position.passes[seat] if position.stage is Stage.PASSING else None
    lines = [_("You pass %(cards)s.") % {"cards": join_cards(chosen)} if chosen else "", describe_legal(view)]
    yield Section(_("Your hand"), tuple(filter(None, lines)), tuple(map(card_name, position.hands[seat])))


def _table(view: GameView) -> Section:
    position = table_of(view)
    lines = [describe_trump(view)]
    if position.lead_suit is not None:
        lines.append(_("Led: %(suit)s.") % {"suit": suit_word(position.lead_suit)})
    last = last_trick_of(view)
    if last is not None and not has_stopped_before_tricks(position):
        _number, number, trick = last
        words = {
            "number": number,
            "side": side_names(trick.winner, view),
            "why": describe_trick(trick),
            "cards": str(_(", ")).join(_played(played, view) for played in trick.cards),
        }
        lines.append(_("Last trick (%(number)d): %(cards)s. It went to %(side)s: %(why)s.") % words)
    trick_items = tuple(
        _played(played, view, begins=place == 0) for place, played in enumerate(position.trick)
    )
    if position.stage is Stage.PLAY and not is_end_of_round(view):
        words = {"round": position.round, "trick": len(position.tricks) + 1}
        return Section(_("Round %(round)d, trick %(trick)d of 12") % words, tuple(lines), trick_items)
    return Section(_("Round %(round)d") % {"round": position.round}, tuple(lines), trick_items)


def describe_trump(view: GameView) -> str:
    """Return the trump, or which trump tiles are face up."""
    position = table_of(view)
    if position.trump is not None:
        return _("Trump: %(suit)s.") % {"suit": suit_word(position.trump)}
    up = join_words([suit_word(suit) for suit in position.tiles])
    return _("Trump tiles face up: %(suits)s.") % {"suits": up}


def _played(played: Played, view: GameView, *, begins: bool = False) -> str:
    """Return who played a card; `begins` is whether it is the beginning of a line."""
    you = _("You") if begins else _("you")
    name = you if played.seat == view.viewer else view.people[played.seat].name
    words = {"name": name, "card": card_name(played.card)}
    if played.source is Source.SKY:
        return _("%(name)s: %(card)s from the sky") % words
    return _("%(name)s: %(card)s") % words


def out_of_round(felt: Felt) -> Iterator[Section]:
    """Yield which cards are in the tricks that are over, and which stars each side has won."""
    items = [
        _("%(card)s: %(count)d of %(total)d") % {"card": one.name, "count": one.count, "total": one.total}
        for one in felt.out
    ]
    if not any(one.count for one in felt.out):
        return
    stars = [
        _("%(side)s won stars: %(cards)s.") % {"side": kept.side, "cards": kept.text}
        for kept in felt.kept_stars
    ]
    yield Section(_("Cards in finished tricks"), tuple(stars), tuple(items))


def _sky(view: GameView) -> Iterator[Section]:
    position = table_of(view)
    if not position.sky:
        return
    ranks, suits = map(len, position.piles)
    words = {
        "ranks": ngettext("%(count)d rank", "%(count)d ranks", ranks) % {"count": ranks},
        "suits": ngettext("%(count)d suit", "%(count)d suits", suits) % {"count": suits},
    }
    line = _("In the piles that refill it: %(ranks)s and %(suits)s.") % words
    yield Section(_("Sky"), (line,), tuple(card_name(card) for card in position.sky if card is not None))


def _seats(view: GameView) -> Iterator[Section]:
    """Yield how many cards every hand has; nothing when no hand has any."""
    position = table_of(view)
    if not any(position.hands):
        return
    rows = []
    for person in view.people:
        ranks, suits = kinds_in(position.hands[person.seat])
        name = _("You") if person.is_you else person.name
        rows.append((name, str(ranks), str(suits), _lead(person.seat, view)))
    columns = (_("Player"), _("Ranks"), _("Suits"), _("Lead tile"))
    # For two, nobody's lead tile matters after the trump is chosen.
    end = None if any(row[-1] for row in rows) else -1
    yield Section(_("Hands"), table=Table(columns[:end], tuple(row[:end] for row in rows)))


def _lead(seat: int, view: GameView) -> str:
    words = {"black": _("black"), "white": _("white")}
    return words.get(lead_of(seat, table_of(view)), "")


def _points(view: GameView) -> Section:
    track = track_of(view, at_end_of_round=is_end_of_round(view))
    rows = tuple(
        (side.name, str(side.tricks), str(side.stars), str(side.worth), str(side.points))
        for side in track.sides
    )
    columns = (_("Side"), _("Tricks"), _("Stars"), _("Points this round"), _("Points"))
    fields = ", ".join(f"{field.tricks}: {field.points}" for field in track.fields)
    lines = (
        _("Points by number of tricks: %(fields)s.") % {"fields": fields},
        *track.at_stake,
        track.note,
        _("More than %(goal)d points win.") % {"goal": GOAL},
    )
    return Section(_("Tricks this round"), lines, table=Table(columns, rows), is_later=True)


def rounds_of(view: GameView) -> list[Section]:
    """Return what the sides got in each round that is over; nothing in the first."""
    track = track_of(view)
    rows = [
        (str(row.number), *(f"{cell.points} ({cell.about})" for cell in row.cells)) for row in track.rounds
    ]
    if not rows:
        return []
    rows.append((_("Points"), *(str(side.points) for side in track.sides)))
    table = Table((_("Round"), *(side.name for side in track.sides)), tuple(rows))
    return [Section(_("Points by round"), table=table)]


def _open_hands(view: GameView) -> Iterator[Section]:
    if hands := open_hands(view):
        yield Section(_("All hands"), table=_cards_table(hands))


def _dealt(view: GameView) -> Iterator[Section]:
    for number, hands in dealt_rounds(view):
        heading = _("All hands as dealt, round %(number)d") % {"number": number}
        yield Section(heading, table=_cards_table(hands), is_later=True)


def _cards_table(hands: Iterable[OpenHand]) -> Table:
    rows = tuple((hand.name, hand.text or _("no cards")) for hand in hands)
    return Table((_("Player"), _("Cards")), rows)
