"""Reads the lines of replies as actions of a seat, and says kindly what is missing or not possible."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from games.lunar.engine import (
    Action,
    Card,
    Flip,
    Kind,
    Pass,
    Play,
    Position,
    Source,
    Stage,
    in_order,
)
from games.lunar.engine.actions import PASSED_OF_EACH
from games.lunar.engine.cards import MARK, of_kind
from games.lunar.notation.parsing import Said, near_misses, parse
from games.lunar.notation.reasons import explain
from games.lunar.notation.writing import (
    FLIP,
    PASS,
    PLAY,
    RESIGN,
    write_action,
    write_card,
    write_cards,
)
from games.lunar.words import SUIT_KEYS
from games.shown.reading import Found, find_line, not_understood, quote, split_actions
from games.shown.words import join_words
from games.titles.actions import Resign
from games.titles.lines import CannotPlay

_STAGES = {PASS: Stage.PASSING, FLIP: Stage.TRUMP, PLAY: Stage.PLAY}
MOST_EXAMPLES = 12
_CORRECTS = re.compile(
    r"\W*(?:no|not|or|sorry|oops|wait|stop|rather|i\s+mean|make\s+(?:it|that))\b", re.IGNORECASE
)


def split(lines: Sequence[str]) -> Sequence[Sequence[str]]:
    """Return the lines of a reply in parts of one action each."""
    cards = _lines_of_cards(lines)
    return split_actions(
        lines,
        lambda line: _is_action(line) or line in cards,
        lambda line: parse(line).verb == RESIGN,
        lambda part: _is_action(part) or parse(part).is_cards,
    )


def find_action(lines: Sequence[str], position: Position, seat: int) -> Action:
    """Return the action of a seat that one of the lines of a reply names; the others may say anything.

    Raises CannotPlay if no line is an action, if several are, or if it is not legal.
    """
    # A line that has only cards is enough if no other one is an action.
    moves = list(filter(_is_action, lines)) or _lines_of_cards(lines)
    found = find_line(lines, moves.__contains__, _names_action)
    if found.line not in moves:
        found = Found(next(filter(_begins_action, lines), found.line), "")
    action = read_action(found.line, position, seat)
    if found.is_taken_back(resigns=isinstance(action, Resign)):
        raise found.not_understood(example(position, seat))
    return action


def read_action(line: str, position: Position, seat: int) -> Action:
    """Return the action of a seat that a line names, with or without a verb. Raises CannotPlay."""
    said = parse(line)
    if position.ending is not None:
        raise CannotPlay(_("This game is over."))
    if said.verb == RESIGN and said.is_action and "?" not in line:
        return Resign(seat)
    if seat not in position.awaited:
        raise CannotPlay(_("It is not your turn."))
    if said.several or (said.verb == RESIGN and said.cards):
        raise CannotPlay(_("%(line)s has several moves. Write each on its own line.") % {"line": quote(line)})
    if "?" in line or said.unknown or not (said.verb or said.cards or said.source):
        raise _not_understood(line, said, position, seat)
    _check_stage(said, line, position, seat)
    match position.stage:
        case Stage.PASSING:
            return _read_pass(said, position, seat)
        case Stage.TRUMP:
            return _read_flip(said, position, seat)
    return _read_play(said, line, position, seat)


def example(position: Position, seat: int) -> str:
    """Return a line that would be right."""
    return next((write_action(action) for action in position.legal(seat)), RESIGN)


def _is_action(line: str) -> bool:
    return parse(line).is_action


def _names_action(line: str) -> bool:
    """Whether a line has an action after other words, as in "No wait, play 7" or "Sorry, 7"."""
    words = line.split()
    ends = [parse(" ".join(words[start:])) for start in range(1, len(words))]
    return any(end.is_action for end in ends) or (
        bool(_CORRECTS.match(line)) and any(end.is_cards for end in ends)
    )


def _lines_of_cards(lines: Sequence[str]) -> list[str]:
    """Return the lines that are meant as actions without a verb, unlike the name of a person called Wolf."""
    last = len(lines) - 1
    return [
        line
        for place, line in enumerate(lines)
        if (said := parse(line)).is_cards
        and not (0 < place == last and len(said.cards) == 1 and said.cards[0].kind is Kind.SUIT)
    ]


def _begins_action(line: str) -> bool:
    """Whether a line is probably meant as an action with a word that nobody understands."""
    said = parse(line)
    return bool(said.verb) and (bool(said.cards) or bool(near_misses(said)))


def _not_understood(line: str, said: Said, position: Position, seat: int) -> CannotPlay:
    if close := near_misses(said):
        words = {"line": quote(line), "words": join_words(close)}
        return CannotPlay(_("We don't understand %(line)s. Did you mean %(words)s?") % words)
    return not_understood(line, example(position, seat))


def _check_stage(said: Said, line: str, position: Position, seat: int) -> None:
    """Raise CannotPlay if a line is for another stage of the round."""
    verb = said.verb or (PLAY if said.source else "")
    if not verb or _STAGES[verb] is position.stage:
        return
    now = {
        Stage.PASSING: _("Now everybody passes two ranks and two suits."),
        Stage.TRUMP: _("Now a trump tile is turned face down."),
        Stage.PLAY: _("Now you play a card."),
    }[position.stage]
    raise CannotPlay(
        _("%(line)s is not possible now. %(now)s Write, for example: %(example)s")
        % {"line": quote(line), "now": now, "example": example(position, seat)}
    )


def _read_pass(said: Said, position: Position, seat: int) -> Pass:
    hand = position.hands[seat]
    cards = _held(said.cards, hand)
    words = {"hand": write_cards(hand), "example": example(position, seat)}
    if missing := Counter(cards) - Counter(hand):
        raise CannotPlay(
            _("You don't have %(cards)s. Your hand: %(hand)s")
            % {"cards": join_words([*map(write_card, in_order(missing.elements()))]), **words}
        )
    if any(len(of_kind(cards, kind)) != PASSED_OF_EACH for kind in Kind):
        raise CannotPlay(
            _("A pass has two ranks and two suits, for example: %(example)s. Your hand: %(hand)s") % words
        )
    return Pass(seat, in_order(cards))


def _held(cards: Sequence[Card], hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return named cards as the hand has them: who has an animal only with a star need not write the star."""
    left = Counter(hand)
    held = []
    for card in sorted(cards, key=lambda card: not card.has_star):
        starred = Card(f"{card}{MARK}")
        fitting = starred if not left[card] and not card.has_star and left[starred] else card
        left[fitting] -= 1
        held.append(fitting)
    return tuple(held)


def _read_flip(said: Said, position: Position, seat: int) -> Flip:
    suits = {card.suit for card in said.cards if card.kind is Kind.SUIT}
    up = join_words([SUIT_KEYS[suit] for suit in position.tiles])
    if len(suits) != 1 or len(suits) != len(said.cards):
        raise CannotPlay(_("Write the animal of one tile: %(suits)s are face up.") % {"suits": up})
    suit = suits.pop()
    if suit not in position.tiles:
        raise CannotPlay(
            _("The %(suit)s is face down already: %(suits)s are face up.")
            % {"suit": SUIT_KEYS[suit], "suits": up}
        )
    return Flip(seat, suit)


def _read_play(said: Said, line: str, position: Position, seat: int) -> Play:
    possible = _possible(position, seat)
    if len(said.cards) != 1:
        reason = _("Write one card.") if said.cards else _("Which card?")
        raise CannotPlay(f"{reason} {possible}")
    sources = [said.source] if said.source and position.sky else [*Source] if position.sky else [None]
    plays = [play for source in sources for play in _plays(said.cards[0], source, position, seat)]
    legal = [play for play in plays if position.is_legal(play)]
    if not plays:
        raise CannotPlay(
            _("There is no %(card)s to play. %(possible)s")
            % {"card": write_card(said.cards[0]), "possible": possible}
        )
    # "play 7" is the 7 of the hand, unless only the sky has one.
    if not legal or legal[0] is not plays[0]:
        raise CannotPlay(
            _("%(line)s is not possible now. %(reason)s %(possible)s")
            % {"line": quote(line), "reason": _reason(plays[0], position), "possible": possible}
        )
    return legal[0]


def _plays(card: Card, source: Source | None, position: Position, seat: int) -> Iterator[Play]:
    """Yield the play of a card, if the hand or the sky has it: of an animal also if it has a star."""
    cards = position.cards_in(seat, source)
    fitting = next((one for one in (card, Card(f"{card[0]}{MARK}")) if one in cards), None)
    if fitting is not None and (fitting == card or not card.has_star):
        yield Play(seat, fitting, source)


def _reason(play: Play, position: Position) -> str:
    """Return why a card that is there can't be played, as a sentence."""
    return str(explain(play, position.apply, position, lambda _seat: _("Your partner")))


def _possible(position: Position, seat: int) -> str:
    lines = [write_action(action) for action in position.legal(seat)][:MOST_EXAMPLES]
    return _("Write one of these: %(examples)s.") % {"examples": str(_(", ")).join(lines)}
