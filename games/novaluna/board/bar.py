"""The headings of the game page, and the texts of its action bar before and after each choice."""

from django.utils.text import capfirst

from games.marked import capitalise, ngettext
from games.marked import gettext as _
from games.novaluna.board.choice import CheckedChoice, Steps, options_of, refill_offer
from games.novaluna.board.drawing.displays import cell_label, label_without_goals
from games.novaluna.board.drawing.geometry import goal_corners
from games.novaluna.board.events import describe_outcome, describe_shown_step, format_all_discs_left
from games.novaluna.board.game_view import GameView
from games.novaluna.board.reviewed import followed_text, review_text
from games.novaluna.board.words import (
    format_discs_left,
    format_goals,
    format_time_spent,
    name_tiles,
    tile_name,
)
from games.novaluna.engine import (
    TILES,
    Cell,
    GoalAt,
    MultiplayerPosition,
    Place,
    Position,
    RefillRule,
    SoloPosition,
    Step,
    Tile,
    TileTaken,
)
from games.novaluna.title_bots import LEVELS
from games.shown.headings import game_title as game_title
from games.shown.headings import heading as general_heading
from games.shown.kept import keep_latest
from games.shown.leaving import describe_own_exit
from games.shown.search_wait import describe_search_wait
from games.titles.boards import BarText

KEPT_CHOICES = 64


def heading(view: GameView) -> str:
    """Return in a few words whose turn it is, or how the game ended."""
    over = view.game_over
    if view.followed:
        words = {"number": view.followed.number, "count": view.followed.count}
        return _("Better line, action %(number)d of %(count)d") % words
    if over is not None and over.score is not None and not view.is_past:
        return _("Score %(score)d") % {"score": over.score}
    return general_heading(view)


def bar_text(view: GameView, choice: CheckedChoice) -> BarText:
    """Return the texts of the action bar."""
    if view.reviewed:
        return review_text(view)
    if view.followed:
        return followed_text(view, view.followed)
    if view.is_past:
        title = _("After action %(number)d") % {"number": view.shown}
        return BarText(title, describe_shown_step(view))
    if view.game_over is not None:
        return BarText(describe_outcome(view.game_over, view), format_all_discs_left(view))
    if view.chooser is None and not choice.is_plan:
        return _waiting_text(view)
    if choice.step is not None:
        return confirm_text(choice.step, view)
    if choice.tile is not None:
        return cell_text(choice.tile, next(iter(choice.steps.values())))
    return _text_before_choice(view)


def _text_before_choice(view: GameView) -> BarText:
    if view.is_try:
        return try_text(view)
    if view.chooser is None:
        return plan_text(view)
    text = tile_text(view.position)
    return text._replace(detail=_describe_plan(view) or text.detail)


def tile_text(position: Position) -> BarText:
    """Return the texts of the action bar before the player to move has chosen anything."""
    refill = refill_offer(position)
    if refill.is_forced:
        return BarText(_("The wheel is empty: refill it"), refill.explanation)
    if refill.is_allowed:
        return BarText(_("Take a tile or refill"), refill.explanation)
    return BarText(_("Take a tile in the moonlight"), _("Then choose a cell for it."))


def plan_text(view: GameView) -> BarText:
    """Return the texts of the action bar before the viewer has chosen anything for their plan."""
    if not view.can_add_wish:
        return BarText(_("Your plan is full"), _("Remove a move to add another one."))
    count, has_tiles = len(view.possible_wishes), view.newest.wheel.tile_count > 0
    if count:
        title = _("Plan: choose another tile")
        detail = ngettext("%(count)d move is saved.", "%(count)d moves are saved.", count) % {"count": count}
    else:
        title = _("Plan: choose any tile")
        detail = (
            _("Up to five: the first possible one is played.") if has_tiles else _("You can add a refill.")
        )
    return BarText(title if has_tiles else _("Plan: no tile is left on the wheel"), detail)


def try_text(view: GameView) -> BarText:
    """Return the texts of the action bar before the viewer has chosen the next action of a line."""
    seat, refill = view.position.to_move, view.position.refill
    assert seat is not None, "after the end nobody chooses"
    if refill is RefillRule.FORCED:
        detail = _("The wheel is empty, and nobody knows which tiles a refill would reveal.")
        return BarText(_("The line ends here"), detail)
    title = _("Take a tile for %(name)s") % {"name": view.people[seat].name}
    detail = _("Then choose a cell for it.")
    if refill is RefillRule.ALLOWED:
        detail = _("A refill is possible too, but it ends the line: nobody knows its tiles.")
    return BarText(_("Take a tile for yourself") if seat == view.viewer else title, detail)


def cell_text(tile: Tile, step: Step) -> BarText:
    """Return the texts for a chosen tile. `step` takes it and places it on any cell."""
    return BarText(_("%(tile)s: choose a cell") % {"tile": capfirst(tile_name(tile))}, _time_spent(step))


def confirm_text(step: Step, view: GameView, name: str = "") -> BarText:
    """Return the texts for the viewer's step before it is confirmed; `name` replaces the name of its tile."""
    taken = _tile_taken(step)
    facts = {
        "tile": capitalise(name or tile_name(TILES[taken.tile])),
        "discs": format_discs_left(step.position.discs[taken.seat]),
    }
    covers = len(step.goals_covered)
    if not covers:
        title = _("%(tile)s: no goal, %(discs)s") % facts
    else:
        title = _("%(tile)s: +%(goals)s, %(discs)s") % (facts | {"goals": format_goals(covers)})
    return BarText(title, _time_and_next(step, view))


@keep_latest(KEPT_CHOICES)
def choice_data(view: GameView, *, is_planning: bool) -> dict[str, object]:
    """Return the texts of every choice as plain data, so that scripts can show them without a request.

    Keys are the tile's code, then the cell's `x_y`. The key `""` has the texts before any choice, the `names`
    of the cells where every tile may go, the `label` of a cell where a tile covers no goal: `{cell}` stands
    for its name, and which key to `press` on a cell. The `cells` of a tile are only those where it covers
    goals: `text` is an index of its `texts`, and `covers` lists the goals, each as its tile's `x_y` and its
    corner of the tile: `2_-1:se`. `rest` is the index of the text of the others.
    """
    options = options_of(view, is_planning=is_planning)
    if not options:
        return {}
    cells = list(next(iter(options.values())))
    before: dict[str, object] = {
        **_text_before_choice(view)._asdict(),
        "label": label_without_goals(cells[0], "{cell}"),  # The first tile of a display has only one cell.
        "names": {_cell_key(cell): cell.name for cell in cells},
        "press": _("Press Enter to choose this cell."),
        "beyond": _("Only the next three tiles can be taken now, those in the moonlight."),
    }
    return {"": before, **{tile.code: _tile_data(tile, steps, view) for tile, steps in options.items()}}


def _tile_data(tile: Tile, steps: Steps, view: GameView) -> dict[str, object]:
    covered = steps.goals_covered()
    # Discs, time, who is next and the end of the game follow from the number of goals.
    examples = {len(covered.get(cell, ())): cell for cell in steps}
    texts = [confirm_text(steps[cell], view)._asdict() for cell in examples.values()]
    nth = {count: nth for nth, count in enumerate(examples)}
    cells = {
        _cell_key(cell): {
            "text": nth[len(goals)],
            "label": cell_label(cell, goals),
            "covers": sorted(_place_of(goal, steps.tile_on(goal.cell, cell)) for goal in goals),
        }
        for cell, goals in covered.items()
    }
    text = cell_text(tile, steps[next(iter(examples.values()))])
    return text._asdict() | {"texts": texts, "rest": nth.get(0), "cells": cells}


def _place_of(goal: GoalAt, tile: Tile) -> str:
    """Return where the player has a goal of a tile: the tile's `x_y`, and its corner of the tile."""
    return f"{_cell_key(goal.cell)}:{goal_corners(tile)[goal.nth]}"


def _cell_key(cell: Cell) -> str:
    """Return how the page's ids name a cell: `2_-1`."""
    return f"{cell.x}_{cell.y}"


def search_wait(view: GameView) -> str:
    """Return when the search is ready, if the bot to move or the viewer's hint needs it; else empty."""
    mover = view.position.to_move
    if mover is None or view.is_past:
        return ""
    level = view.people[mover].caretaker or view.people[mover].bot
    is_awaited = level and not LEVELS[level].is_quick
    return describe_search_wait() if is_awaited or (view.hint and not view.hint.action) else ""


def _waiting_text(view: GameView) -> BarText:
    """Return whose turn it is, and when the viewer's own turn comes."""
    position = view.position
    if position.to_move is None:
        return BarText(_("Game over"), "")
    mover = view.people[position.to_move]
    if search_wait(view):
        title = _("%(name)s is getting ready") % {"name": mover.name}
    elif mover.caretaker:
        title = _("A bot is thinking for %(name)s") % {"name": mover.name}
    elif mover.bot:
        title = _("%(name)s is thinking") % {"name": mover.name}
    else:
        title = _("Waiting for %(name)s") % {"name": mover.name}
    if view.viewer is None and view.is_solo:
        is_bots = bool(view.people[position.to_move].bot)
        detail = _("It plays the deal of a finished game, and knows no more than the player did.")
        return BarText(title, detail if is_bots else _("This is a solo game. You are watching."))
    if view.viewer is None:
        return BarText(title, _("You are watching this game."))
    if view.viewer in position.resigned_seats or not isinstance(position, MultiplayerPosition):
        return BarText(title, describe_own_exit(view))
    if view.is_viewer_away:
        return BarText(title, _("A bot plays your seat, because your clock ran out."))
    if about_plan := _describe_plan(view):
        return BarText(title, about_plan)
    place = position.track.order.index(view.viewer)
    details = (_("You are next."), _("You are third in line."), _("You are fourth in line."))
    return BarText(title, details[place - 1])


def _describe_plan(view: GameView) -> str:
    """Return why the viewer's plan is not played, or that it was played; else an empty text."""
    wishes, possible = view.plan.wishes if view.plan else (), view.possible_wishes
    taken = [TILES[wish.tile] for wish in wishes if isinstance(wish, Place) and wish not in possible]
    if taken:
        return _("Planned, but taken: %(tiles)s.") % {"tiles": name_tiles(taken)}
    if wishes and view.is_my_turn:
        return _("Your plan was not possible.")
    return _("Your plan was played.") if view.planned_step and not wishes else ""


def _time_and_next(step: Step, view: GameView) -> str:
    """Return the time that a step takes and who is next, in words."""
    time = _time_spent(step)
    if view.chooser is None:
        return time  # Nobody knows who is next after a planned action.
    if step.game_over is not None:
        outcome = describe_outcome(step.game_over, view)
        return _("%(time)s. %(outcome)s") % {"time": time, "outcome": outcome}
    mover = step.position.to_move
    if mover is None or isinstance(step.position, SoloPosition):
        return time
    if mover == view.viewer:
        again = mover == step.seat
        return (_("%(time)s, you move again") if again else _("%(time)s, you are next")) % {"time": time}
    return _("%(time)s, %(name)s is next") % {"time": time, "name": view.people[mover].name}


def _time_spent(step: Step) -> str:
    taken = _tile_taken(step)
    return format_time_spent(taken.time_before, taken.time_after)


def _tile_taken(step: Step) -> TileTaken:
    assert step.tile_taken is not None, "choices are place actions"
    return step.tile_taken
