"""What the house asks of the words of a title: its name, its options, its rules in short, and labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy, ngettext_lazy

from games.lunar.board.bar import action_label
from games.lunar.board.events import describe_step
from games.lunar.board.game_view import GameView
from games.lunar.board.reasons import why_not, why_not_later
from games.lunar.board.sections import sections_of
from games.lunar.engine import Action, Flip, Kind, Pass, Play, Position, Source, Stage
from games.lunar.engine.later import plays_to_trick
from games.lunar.notation.plan_lines import plannable
from games.lunar.notation.writing import write_action
from games.lunar.words import card_name, join_cards, suit_word
from games.marked import gettext as _
from games.shown.plain.sections import Section
from games.shown.plain.words import Words


class LunarWords(Words[Action, Position]):
    """Cards are named by their ranks, or by the animals of their suits."""

    name = gettext_lazy("LUNAR")
    introduction = gettext_lazy(
        "LUNAR is a trick-taking game for two, or for four with partners. "
        "Win one to three tricks in a round, or seven or eight: these give the most points."
    )
    figures = {
        "points": ngettext_lazy("%(count)d point", "%(count)d points", "count"),
        "tricks": ngettext_lazy("%(count)d trick", "%(count)d tricks", "count"),
        "stars": ngettext_lazy("%(count)d star", "%(count)d stars", "count"),
    }
    refusals = {
        "bad_action": gettext_lazy("This game has no such action. Please choose again."),
        "game_over": gettext_lazy("The game is over."),
        "wrong_seat": gettext_lazy("It is not your turn."),
        "wrong_stage": gettext_lazy("You can't do that at this stage of the round. Please choose again."),
        "tile_not_available": gettext_lazy("This trump tile is face down already. Choose another one."),
        "card_not_available": gettext_lazy("This card is not available any more. Choose another one."),
        "wrong_kind": gettext_lazy("You need the other kind here: a rank and a suit make one card."),
        "must_follow": gettext_lazy("You must follow the lead suit. Choose a card of that suit, or a rank."),
    }

    def write_action(self, action: Action) -> str:
        """Return an action as people write it in replies, such as "play 7", "sky owl" or "flip bat"."""
        return write_action(action)

    def plannable(self, position: Position, seat: int) -> Sequence[Action]:
        """Return the trump tiles and the cards that a seat can plan."""
        return plannable(position, seat)

    def shorten_action(self, action: Action, view: GameView) -> str:
        """Return the name of a card, and that it is in the sky, or of the suit of a tile."""
        match action:
            case Flip(_seat, suit):
                return suit_word(suit)
            case Play(_seat, card, Source.SKY):
                return _("%(card)s from the sky") % {"card": card_name(card)}
            case Play(_seat, card, _source):
                return card_name(card)
        return self.describe_action(action, view)

    def ask_to_outlast(self, view: GameView) -> str:
        """Return the choice where cards are passed, or come to the sky, before the viewer's next turn."""
        position, seat = view.newest, view.viewer
        if seat is None:
            return ""
        if position.stage is Stage.PASSING:
            name = {"name": view.people[position.partner_of(seat)].name}
            return _("Keep it with the cards from %(name)s") % name
        is_after_trick = position.stage is Stage.PLAY and not plays_to_trick(position, seat)
        return _("Keep it when the sky has new cards") if is_after_trick and any(position.piles) else ""

    def explain_impossible(self, action: Action, view: GameView) -> str:
        """Return the reason in the rules."""
        assert isinstance(action, Flip | Play)
        if view.can_plan:
            return why_not_later(action, view)
        return why_not(action, view) if isinstance(action, Play) else ""

    def describe_action(self, action: Action, view: GameView) -> str:
        """Return a legal action of the viewer for a button."""
        assert isinstance(action, Pass | Flip | Play)
        return action_label(action, view)

    def describe_step(self, step: Any, view: GameView) -> str:
        """Return who did what, and what followed."""
        return describe_step(step, view)

    def describe_position(self, view: GameView) -> Sequence[Section]:
        """Return the hand, the trick, the sky, what everybody has, and the rounds so far."""
        return sections_of(view)

    def group_action(self, action: Action, view: GameView) -> str:
        """Return a heading: trump tiles, the kind and the place of a card, or the ranks of a pass."""
        match action:
            case Flip():
                return _("Trump tiles")
            case Play(_seat, card, source):
                is_in_sky = source is Source.SKY
                if card.kind is Kind.RANK:
                    return _("Ranks in the sky") if is_in_sky else _("Ranks in your hand")
                return _("Suits in the sky") if is_in_sky else _("Suits in your hand")
        assert isinstance(action, Pass)
        return _("Pass %(cards)s") % {
            "cards": join_cards(card for card in action.cards if card.kind is Kind.RANK)
        }

    def minutes(self, options: Mapping[str, object], seats: int) -> int:
        """Return about how long four rounds take."""
        return 10 * seats
