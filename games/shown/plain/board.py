"""The plain page of a game: the position in words, and the legal actions as buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.marked import gettext as _
from games.shown.headings import game_title, heading
from games.shown.history import DescribeStep, describe_news, history
from games.shown.leaving import describe_own_exit, describe_reason
from games.shown.plain.choices import Button, Group, button_of, chosen_of, groups_of, query_of
from games.shown.plain.outcomes import describe_outcome
from games.shown.plain.plans import ShownPlan, possible_wishes, show_plan
from games.shown.plain.sections import Section
from games.shown.plain.words import AnyWords
from games.shown.words import join_words
from games.titles import boards
from games.titles.actions import Resign
from games.titles.boards import BarText, Player, RankingRow
from games.titles.people import Person
from games.titles.rules import AnyRules
from games.titles.view import AnyView


@dataclass(frozen=True, kw_only=True)
class PlainBoard(boards.Board):
    """What the plain page shows. `groups` are the legal actions; `choice` is the one to confirm."""

    page: ClassVar[str] = "games/plain/game.html"
    part: ClassVar[str] = "games/plain/_game.html"

    plan: ShownPlan | None
    sections: tuple[Section, ...]
    groups: tuple[Group, ...]
    choice: Button | None
    rules: tuple[Section, ...]
    news: tuple[str, ...] = ()  # in the viewer's turn, what happened since their last one

    @property
    def early_sections(self) -> list[Section]:
        """The parts before the actions; all of them after the game, when there are no actions."""
        return [
            one for place, one in enumerate(self.sections) if self.is_over or not one.follows_actions(place)
        ]

    @property
    def later_sections(self) -> list[Section]:
        """The parts after the actions, so that these are near the top on a phone."""
        return [
            one for place, one in enumerate(self.sections) if not self.is_over and one.follows_actions(place)
        ]

    @property
    def can_plan(self) -> bool:
        """Whether the viewer can plan their next turn, or change a plan that they have."""
        plan = self.plan
        return super().can_plan and plan is not None and bool(plan.groups or plan.wishes)


def build_board(
    view: AnyView,
    asked: Mapping[str, str],
    words: AnyWords,
    rules: AnyRules,
    describe_step: DescribeStep,
    describe_end: Callable[[AnyView], str],
    *,
    is_planning: bool,
) -> PlainBoard:
    """Return what the plain page shows of a view, with the choice in the query of its address."""
    seat = view.chooser
    is_planning = is_planning and view.can_plan and bool(view.plan or possible_wishes(view, words))
    legal = [] if seat is None else list(view.position.legal(seat))
    possible = possible_wishes(view, words) if is_planning else legal
    chosen = chosen_of(asked, possible, words)
    label = "" if chosen is None else words.describe_action(chosen, view)
    is_gone = chosen is None and bool(asked.get("choice")) and not view.is_past and not view.is_over
    sides = rules.sides(view.start.seats)
    latest = view.steps[-1] if view.steps else None
    return PlainBoard(
        view=view,
        heading=heading(view, sides),
        game_title=game_title(view),
        bar=_bar(view, describe_step, sides, label, is_planning=is_planning),
        latest=describe_step(latest, view.as_played(view.version)) if latest else "",
        players=tuple(_players(view, words)),
        history=history(view, describe_step),
        query=query_of(view, chosen, words),
        chosen=chosen,
        problem=_("You can't do that now. Please choose again.") if is_gone else "",
        is_planning=is_planning,
        ranking=tuple(_ranking(view, words)),
        decision=describe_end(view) if view.is_over and not view.is_past else "",
        plan=show_plan(view, words, rules),
        sections=tuple(one for one in words.describe_position(view) if not one.is_empty),
        groups=groups_of(legal, view, words, rules),
        choice=None if chosen is None else button_of(chosen, view, words, rules, is_plan=is_planning),
        rules=tuple(words.describe_rules()),
        news=() if seat is None else tuple(describe_news(view, describe_step, has_hands=rules.has_hands)),
    )


def _bar(
    view: AnyView, describe_step: DescribeStep, sides: Sequence[int], chosen: str, *, is_planning: bool
) -> BarText:
    """Return what the viewer can do now, or who is awaited and what the viewer has done already.

    `chosen` is the label of the action that they have chosen, or empty.
    """
    if view.is_past:
        step = view.shown_step
        text = describe_step(step, view.as_played(view.shown)) if step else ""
        return BarText(_("After action %(number)d") % {"number": view.shown}, text)
    if view.is_over:
        return BarText(describe_outcome(view, sides), "")
    if chosen and not is_planning:
        return BarText(_("%(action)s?") % {"action": chosen}, _("Confirm it, or choose another action."))
    if view.chooser is not None:
        others = [person.name for person in _awaited(view) if not person.is_you]
        detail = _("%(names)s can choose at the same time.") % {"names": join_words(others)} if others else ""
        return BarText(_("Choose an action"), detail)
    if is_planning:
        return BarText(
            _("Plan your turn"),
            _("Choose up to five moves, the best first. The first possible one is played."),
        )
    title = _("Waiting for %(names)s") % {"names": join_words([one.name for one in _awaited(view)])}
    if view.viewer is None:
        return BarText(title, _("You are watching this game."))
    if view.viewer not in view.newest.in_play:
        return BarText(title, describe_own_exit(view))
    if view.is_viewer_away:
        return BarText(title, _("A bot plays your seat, because your clock ran out."))
    return BarText(title, _own_choice(view, describe_step))


def _awaited(view: AnyView) -> list[Person]:
    return [view.people[seat] for seat in sorted(view.newest.awaited)]


def _own_choice(view: AnyView, describe_step: DescribeStep) -> str:
    """Return what the viewer has chosen already, if nothing was revealed since then."""
    for step in reversed(view.steps):
        if step.position.known != view.newest.known:
            break
        if step.seat == view.viewer:
            return _("%(step)s.") % {"step": describe_step(step, view)}
    return ""


def _players(view: AnyView, words: AnyWords) -> list[Player]:
    position = view.position
    return [
        Player(
            person=view.people[seat],
            when=_when(view, seat),
            brief=words.describe_figures(position.figures(seat)),
            figures=(),
            is_turn=seat in position.awaited,
            is_next=False,
            has_left=seat not in position.in_play,
        )
        for seat in view.seats_from_viewer
    ]


def _when(view: AnyView, seat: int) -> str:
    """Return whether a seat is awaited, or has left."""
    position = view.position
    if seat not in position.in_play and (position.ending is None or _reason(view, seat)):
        return _("Out of the game")
    if position.ending is not None:
        return ""
    return _("To move") if seat in position.awaited else _("Waiting")


def _ranking(view: AnyView, words: AnyWords) -> list[RankingRow]:
    if view.is_past:
        return []
    places = view.newest.places
    seats = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    return [
        RankingRow(
            place=places[seat],
            person=view.people[seat],
            figures=(),
            reason=_reason(view, seat) or words.describe_figures(view.newest.figures(seat)),
            rating=view.people[seat].rating_change,
        )
        for seat in seats
    ]


def _reason(view: AnyView, seat: int) -> str:
    """Return why a player has left the game; empty if they have not."""
    resigns = (step.action for step in view.steps if isinstance(step.action, Resign))
    return next((describe_reason(resign.reason) for resign in resigns if resign.seat == seat), "")
