"""The words of Pairs."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext_lazy

from games.marked import gettext as _
from games.shown.plain.sections import Section, Table
from games.shown.plain.words import ActionWords, Words
from games.shown.words import join_words
from games.titles.options import Choice, Number
from games.titles.rules import Step
from games.titles.view import GameView
from tests.titles.pairs.rules import (
    DECKS,
    HAND,
    ROUNDS,
    SIDES,
    Choose,
    PairsPosition,
    Revealed,
    without,
)

View = GameView[PairsPosition, Any]


class PairsWords(Words[Choose, PairsPosition]):
    """Cards are named by their ranks."""

    name = gettext_lazy("Pairs")
    questions = (
        Number(name="rounds", label=gettext_lazy("Rounds"), least=1, most=ROUNDS, initial=ROUNDS),
        Choice(
            name="hand",
            label=gettext_lazy("Cards in a hand"),
            choices={cards: str(cards) for cards in DECKS},
            initial=HAND,
        ),
    )
    refusals = {"illegal": gettext_lazy("You can't choose this card now. Choose one of your hand.")}

    actions = {
        "choose": ActionWords(
            gettext_lazy("Choose the %(card)d"),
            gettext_lazy("You chose the %(card)d"),
            gettext_lazy("%(name)s chose the %(card)d"),
        )
    }
    rules = (
        gettext_lazy("Four play, and partners sit opposite each other. Each has a hand of cards."),
        gettext_lazy("In each round a bonus is shown, and everybody chooses a card in secret."),
        gettext_lazy("The side with the higher sum gets the bonus. Two equal cards count 3 more."),
    )

    def rule_of_talk(self, _seats: int) -> str:
        """Return that partners keep their cards to themselves."""
        return _("Everybody reads each line. Partners must not write about their cards.")

    def describe_step(self, step: Step[Choose], view: View) -> str:
        """Return who chose what, and what the last choice of a round revealed."""
        for event in step.events:
            if isinstance(event, Revealed):
                return _describe_reveal(event, view)
        return super().describe_step(step, view)

    def describe_position(self, view: View) -> Sequence[Section]:
        """Return the viewer's hand, the round and what was played."""
        position = view.position
        return [*_describe_hand(view), _describe_round(position), _describe_rounds(view)]

    def plannable(self, position: PairsPosition, seat: int) -> Sequence[Choose]:
        """Return choices of the cards that stay in the hand."""
        chosen = position.chosen[seat]
        cards = position.hands[seat] if chosen is None else without(position.hands[seat], chosen)
        return [Choose(seat, card) for card in sorted(set(cards))]


def _describe_reveal(revealed: Revealed, view: View) -> str:
    cards = [
        _("%(name)s %(card)d") % {"name": _("you") if person.is_you else person.name, "card": card}
        for person, card in zip(view.people, revealed.cards, strict=True)
    ]
    words = {"cards": join_words(cards), "winners": _side_names(revealed.winner, view)}
    if revealed.winner is None:
        return _("The cards were revealed: %(cards)s. Nobody gets the bonus") % words
    return _("The cards were revealed: %(cards)s. The bonus goes to %(winners)s") % words


def _side_names(side: int | None, view: View) -> str:
    return join_words(
        [_("you") if one.is_you else one.name for one in view.people if SIDES[one.seat] == side]
    )


def _describe_hand(view: View) -> Iterator[Section]:
    if view.viewer is None:
        return
    hand, chosen = view.position.hands[view.viewer], view.position.chosen[view.viewer]
    lines = () if chosen is None else (_("You have chosen the %(card)d.") % {"card": chosen},)
    yield Section(_("Your hand"), lines, tuple(str(card) for card in hand))


def _describe_round(position: PairsPosition) -> Section:
    number = len(position.played)
    if position.ending is not None:
        return Section("")
    title = _("Round %(number)d of %(last)d") % {"number": number + 1, "last": position.rounds}
    return Section(title, (_("The bonus is %(bonus)d points.") % {"bonus": position.bonuses[number]},))


def _describe_rounds(view: View) -> Section:
    rows = [
        (str(number), str(bonus), *map(str, cards))
        for number, (bonus, cards) in enumerate(
            zip(view.position.bonuses, view.position.played, strict=False), 1
        )
    ]
    names = [_("You") if person.is_you else person.name for person in view.people]
    return Section(_("Cards played"), table=Table((_("Round"), _("Bonus"), *names), tuple(rows)))
