"""What the game page says of the position: its headings and the words of the action bar."""

from collections.abc import Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import words
from games.choosing import Chosen, coming, refill_offer
from games.engine import TILES, MultiplayerPosition, Position, SoloPosition, Step, Tile, TileTaken
from games.result import game_over
from games.words import Person, told


def about(people: Sequence[Person], viewer: int | None) -> str:
    """Return what game this is, in words."""
    if len(people) == 1:
        return _("Solo game") if viewer is not None else _("Solo game of %(name)s") % {"name": people[0].name}
    names = words.names([person for person in people if person.seat != viewer])
    return (_("Game of %(names)s") if viewer is None else _("Game with %(names)s")) % {"names": names}


def heading(
    position: Position, steps: Sequence[Step], people: Sequence[Person], viewer: int | None, at: int | None
) -> str:
    """Return the state of the game in a few words: whose turn it is, or how it ended."""
    if at is not None:
        return _("Action %(number)d of %(last)d") % {"number": at, "last": len(steps)}
    over = game_over(steps)
    if over is not None:
        if over.winner == viewer and viewer is not None:
            return _("You win")
        if over.winner is not None:
            return _("%(name)s wins") % {"name": people[over.winner].name}
        if over.score is not None:
            return _("Score %(score)d") % {"score": over.score}
    if position.to_move is None:
        return _("Game over")
    if position.to_move == viewer:
        return _("Your turn")
    return _("%(name)s to move") % {"name": people[position.to_move].name}


def what_now(
    position: Position,
    steps: Sequence[Step],
    people: Sequence[Person],
    viewer: int | None,
    chosen: Chosen,
    at: int | None,
) -> tuple[str, str]:
    """Return what the action bar says: in bold, and beside it."""
    over = game_over(steps)
    if at is not None:
        what = _("After action %(number)d") % {"number": at}
        return what, told(steps[at - 1], people, viewer) if at else ""
    if over is not None:
        return words.outcome(over, people, viewer), words.discs_at_the_end(position.discs, people, viewer)
    if viewer is None or position.to_move != viewer:
        return _waiting(position, people, viewer)
    if chosen.trial is not None:
        return on_trial(chosen.trial, people, viewer)
    if chosen.tile is not None:
        return with_tile(chosen.tile, next(iter(chosen.steps.values())))
    return before_choosing(position)


def before_choosing(position: Position) -> tuple[str, str]:
    """Return what the action bar says as long as the person to move has chosen nothing."""
    refill = refill_offer(position)
    if refill.is_forced:
        return _("The wheel is empty: refill it"), refill.about
    if refill.is_allowed:
        return _("Take a tile in the moonlight, or refill"), refill.about
    return _("Take a tile in the moonlight"), _("Then choose a cell for it.")


def with_tile(tile: Tile, step: Step) -> tuple[str, str]:
    """Return what the action bar says of a chosen tile; `step` takes it, wherever it is placed."""
    return _("%(tile)s: choose a cell") % {"tile": capfirst(words.named(tile))}, _time_spent(step)


def on_trial(step: Step, people: Sequence[Person], viewer: int) -> tuple[str, str]:
    """Return what the action bar says of the step that a confirmation would bring about."""
    said = {
        "tile": capfirst(words.named(TILES[_taken(step).tile])),
        "discs": words.discs_left(step.position.discs[viewer]),
    }
    covers = len(coming(step))
    if not covers:
        what = _("%(tile)s: no goal, %(discs)s") % said
    else:
        what = _("%(tile)s: +%(goals)s, %(discs)s") % (said | {"goals": words.goals(covers)})
    return what, _after(step, people, viewer)


def _waiting(position: Position, people: Sequence[Person], viewer: int | None) -> tuple[str, str]:
    """Return who is waited for, and when it is the viewer's turn."""
    if position.to_move is None:
        return _("Game over"), ""
    mover = people[position.to_move]
    what = (_("%(name)s is thinking") if mover.bot else _("Waiting for %(name)s")) % {"name": mover.name}
    if viewer is None:
        return what, _("You are watching.")
    if viewer in position.left or not isinstance(position, MultiplayerPosition):
        return what, _("You have left the game, and may go on watching.")
    place = position.track.order.index(viewer)
    return what, (_("You are next."), _("You come third."), _("You come fourth."))[place - 1]


def _after(step: Step, people: Sequence[Person], viewer: int) -> str:
    """Return the time that a step takes and who is next, in words."""
    time = _time_spent(step)
    over = game_over([step])
    if over is not None:
        return _("%(time)s. %(outcome)s") % {"time": time, "outcome": words.outcome(over, people, viewer)}
    mover = step.position.to_move
    if mover is None or isinstance(step.position, SoloPosition):
        return time
    if mover == viewer:
        return _("%(time)s, you move again") % {"time": time}
    return _("%(time)s, %(name)s is next") % {"time": time, "name": people[mover].name}


def _time_spent(step: Step) -> str:
    taken = _taken(step)
    return words.time_spent(taken.time_before, taken.time_after)


def _taken(step: Step) -> TileTaken:
    return next(event for event in step.events if isinstance(event, TileTaken))
