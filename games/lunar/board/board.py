"""What one viewer may see of one position, as plain data for templates and emails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.lunar.board.bar import bar_text, describe_legal
from games.lunar.board.choice import CheckedChoice, check_choice, page_query, read_choice
from games.lunar.board.decision import describe_decision, describe_turns
from games.lunar.board.drawing.symbols import symbol_of as symbol_of_card
from games.lunar.board.end_of_round import is_end_of_round, stage_of, table_of
from games.lunar.board.events import describe_latest, symbol_of
from games.lunar.board.felt import Felt, lay_out
from games.lunar.board.game_view import GameView
from games.lunar.board.hand import Fan, hand_of, sky_of
from games.lunar.board.news import RoundNews, news_of
from games.lunar.board.open_hands import DealtRound, OpenHand, dealt_rounds, open_hands
from games.lunar.board.passing import Passing, passing_of
from games.lunar.board.planning import Planning
from games.lunar.board.players import players, ranking
from games.lunar.board.received import received_of
from games.lunar.board.track import Track, track_of
from games.lunar.engine.facts import Stage
from games.lunar.words import sides_of
from games.marked import MarkedText
from games.marked import gettext as _
from games.shown.headings import game_title, heading
from games.shown.history import DescribeStep, history
from games.titles import boards
from games.titles.boards import BarText


@dataclass(frozen=True, kw_only=True)
class Board(boards.Board):
    """Everything that a game's page shows of a position to one viewer."""

    page = "lunar/game.html"
    part = "lunar/_game.html"
    has_shortcuts = True

    view: GameView
    checked: CheckedChoice
    prompt: BarText  # the texts of the bar without the choice
    felt: Felt
    hand: tuple[Fan, ...]
    sky: tuple[Fan, ...]
    track: Track
    where: str  # the round and the trick in words
    news: RoundNews | None
    passing: Passing | None
    open_hands: tuple[OpenHand, ...]  # after the game: all that are left in the position
    dealt: tuple[DealtRound, ...]  # after the game
    turns: tuple[str, ...]  # after the game: which trick decided each round
    giver: str  # the partner who has passed the viewer cards, until the viewer acts

    @property
    def stage(self) -> Stage:
        """The stage of the position that is shown."""
        return self.view.position.stage

    @property
    def trial(self) -> str:
        """The symbol of the card that the viewer has chosen to play; empty without one."""
        card = self.checked.choice.card
        return symbol_of_card(card) if card else ""

    @property
    def can_plan(self) -> bool:
        """Whether the viewer can plan their next turn, or change a plan that they have."""
        plan = self.plan
        return super().can_plan and plan is not None and bool(plan.groups or plan.wishes)

    @property
    def refused(self) -> Mapping[str, Sequence[str]]:
        """The names of the cards that the viewer can't choose, by the reason."""
        names: dict[str, list[str]] = {}
        for fan in (*self.hand, *self.sky):
            for card in fan.cards:
                if card is not None and card.reason:
                    names.setdefault(card.reason, []).append(card.label)
        return names

    @property
    def do(self) -> str:
        """The name of the action that the form posts."""
        return {Stage.PASSING: "pass", Stage.TRUMP: "flip"}.get(self.stage, "play")


def build_board(
    view: GameView, asked: Mapping[str, str], describe_step: DescribeStep, planning: Planning | None = None
) -> Board:
    """Return everything that a page shows of `view`, with the legal part of the choice in its address.

    With `planning`, cards and trump tiles change the plan.
    """
    checked = check_choice(read_choice(asked), view, planning)
    received = received_of(view)
    return Board(
        view=view,
        heading=heading(view, sides_of(view)),
        game_title=game_title(view),
        bar=bar_text(view, checked, describe_step),
        latest=describe_latest(view.as_played(view.version)),
        query=page_query(view, checked),
        problem=checked.problem,
        chosen=checked.action,
        checked=checked,
        is_planning=planning is not None,
        task=_task(view, describe_step),
        prompt=bar_text(view, CheckedChoice(planning=planning), describe_step),
        players=players(view),
        history=history(view, describe_step, symbol_of),
        ranking=ranking(view),
        decision="" if view.is_past else describe_decision(view),
        felt=lay_out(view, checked),
        hand=hand_of(view, checked),
        sky=sky_of(view, checked),
        track=track_of(view, at_end_of_round=is_end_of_round(view)),
        where=_where(view),
        news=news_of(view),
        passing=passing_of(view, checked),
        open_hands=open_hands(view),
        dealt=dealt_rounds(view),
        turns=describe_turns(view) if view.is_over and not view.is_past else (),
        giver=received.name if received else "",
    )


def _task(view: GameView, describe_step: DescribeStep) -> str:
    """Return what the viewer must do, and which cards they can play."""
    if view.chooser is None:
        return ""
    title, detail = bar_text(view, CheckedChoice(), describe_step)
    legal = describe_legal(view)
    about = MarkedText(" ").join(text for text in (detail, legal if legal not in detail else "") if text)
    return _("%(title)s. %(detail)s") % {"title": title, "detail": about}


def _where(view: GameView) -> str:
    position = table_of(view)
    if is_end_of_round(view):
        return _("Round %(round)d") % {"round": position.round}
    words = {"round": position.round, "trick": len(position.tricks) + 1}
    match stage_of(position):
        case Stage.PASSING:
            return _("Round %(round)d · passing") % words
        case Stage.TRUMP:
            return _("Round %(round)d · choosing trump") % words
        case Stage.PLAY:
            return _("Round %(round)d · trick %(trick)d of 12") % words
    return _("Round %(round)d") % words
