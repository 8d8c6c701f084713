"""The plan of a viewer of a plain page: actions that they have chosen for later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.marked import gettext as _
from games.shown.plain.choices import Group, groups_of, write_actions
from games.shown.plain.words import AnyWords
from games.titles.plans import rearranged
from games.titles.rules import AnyRules
from games.titles.view import AnyView


@dataclass(frozen=True)
class ShownWish:
    """An action of a plan. `moved_up` and `removed` are the plans after these changes, as forms send them."""

    text: str
    short: str
    problem: str  # why it can't be played any more
    moved_up: str  # empty for the first wish
    removed: str


@dataclass(frozen=True)
class ShownPlan:
    """A plan as its player's page shows it: its wishes, and as `text` those that can still be played.

    `groups` has the actions that can be added. `problem` says why the plan is not played, or was not played
    when the turn began; `played` says what became of the last plan.
    """

    wishes: tuple[ShownWish, ...]
    text: str
    groups: tuple[Group, ...]
    outlasts_reveals: bool
    outlasting: str  # the choice to play it also after something is revealed; empty if nothing can be
    is_outdated: bool  # whether something was revealed that the player did not know
    problem: str
    played: str


def possible_wishes(view: AnyView, words: AnyWords) -> list[Any]:
    """Return what the viewer can plan now; in their turn, their legal actions."""
    seat, newest = view.viewer, view.newest
    if seat is None:
        return []
    return list(words.plannable(newest, seat) if view.can_plan else newest.legal(seat))


def show_plan(view: AnyView, words: AnyWords, rules: AnyRules) -> ShownPlan | None:
    """Return the viewer's plan; None if they can make none and have none, and none was played last."""
    plan, played = view.plan, describe_played(view, words)
    possible = possible_wishes(view, words)
    can_plan = view.can_plan and bool(possible)
    if view.is_past or not (plan or can_plan or played):
        return None
    wishes = [wish for wish in plan.wishes if wish in possible] if plan else []
    outlasting = words.ask_to_outlast(view)
    is_full = plan is not None and len(wishes) >= plan.most_wishes
    addable = [] if is_full or not can_plan else [action for action in possible if action not in wishes]

    def show(wish: Any) -> ShownWish:
        changes = rearranged(wish, wishes)
        return ShownWish(
            text=words.describe_action(wish, view),
            short=words.shorten_action(wish, view),
            problem="" if wish in wishes else _explain_impossible(wish, view, words),
            moved_up=write_actions(changes.moved_up, rules) if changes.moved_up else "",
            removed=write_actions(changes.removed, rules),
        )

    return ShownPlan(
        wishes=tuple(map(show, plan.wishes)) if plan else (),
        text=write_actions(wishes, rules) if wishes else "",
        groups=groups_of(addable, view, words, rules, is_plan=True),
        outlasts_reveals=plan is None or plan.outlasts_reveals or not outlasting,
        outlasting=outlasting,
        is_outdated=plan is not None and not plan.holds,
        problem=_describe_problem(view) if plan else "",
        played=played,
    )


def describe_played(view: AnyView, words: AnyWords) -> str:
    """Return what became of the plan for the viewer's last action; empty without one, and after the game."""
    if view.is_over:
        return ""
    if step := view.planned_step:
        return _("Your plan was played. %(step)s.") % {"step": words.describe_step(step, view)}
    if step := view.unplanned_step:
        return _("Your plan was not played, because none of its moves was possible. %(step)s.") % {
            "step": words.describe_step(step, view)
        }
    return ""


def _explain_impossible(wish: Any, view: AnyView, words: AnyWords) -> str:
    return words.explain_impossible(wish, view).rstrip(".") or _("not possible any more")


def _describe_problem(view: AnyView) -> str:
    is_outdated = view.plan is not None and not view.plan.holds
    if view.is_my_turn:
        if is_outdated:
            return _("Your plan was not played, because something was revealed after you made it.")
        return _("Your plan was not played, because none of its moves was possible.")
    if is_outdated:
        return _("Something was revealed after you made this plan, so it will not be played.")
    return ""
