"""What the board shows of a reviewed action: its loss in words, and the better action as a mark."""

from django.utils.translation import gettext as _

from games.novaluna.board.drawing.displays import DrawnCell, draw_tile
from games.novaluna.board.events import describe_action, describe_shown_step
from games.novaluna.board.game_view import GameView
from games.novaluna.board.words import describe_tile, tile_name
from games.novaluna.board.worth import describe_loss
from games.novaluna.bots.face import worth_from_float
from games.novaluna.engine import TILES, Place, Refill
from games.titles.boards import BarText
from games.titles.view import Followed


def review_text(view: GameView) -> BarText:
    """Return the texts of the action bar for the reviewed action that is shown."""
    assert view.reviewed is not None
    judgement, action = view.reviewed.judgement, describe_shown_step(view)
    if judgement.lost is None:
        return BarText(_("After action %(number)d") % {"number": view.shown}, action)
    if not judgement.is_mistake:
        title = _("Action %(number)d: as good as the expert's choice") % {"number": view.shown}
        return BarText(title, action)
    loss = describe_loss(worth_from_float(view.start.setup.mode, judgement.lost))
    title = _("Action %(number)d %(loss)s") % {"number": view.shown, "loss": loss}
    if (better := better_action(view)) is None:
        return BarText(title, action)
    step = view.shown_step
    text = describe_better(better, step.action if step else None)
    detail = _("Better: %(action)s. %(played)s.") % {"played": action, "action": text}
    return BarText(title, detail)


def describe_better(better: Place | Refill, played: object) -> str:
    """Return the better action in words, which say if it is another tile with the name of the one played."""
    text = describe_action(better)
    if not isinstance(better, Place) or not isinstance(played, Place) or played.tile == better.tile:
        return text
    is_same_name = tile_name(TILES[played.tile]) == tile_name(TILES[better.tile])
    return _("the other %(action)s") % {"action": text} if is_same_name else text


def followed_text(view: GameView, followed: Followed) -> BarText:
    """Return the texts of the action bar for an action of a better line."""
    step = view.shown_step
    if not followed.number or step is None or not isinstance(step.action, Place | Refill):
        return BarText(_("Before the better line"), _("Step on to see the better action, and what follows."))
    title = (
        _("Better: %(action)s (%(number)d of %(count)d)")
        if followed.number == 1
        else _("Then: %(action)s (%(number)d of %(count)d)")
    )
    words = {
        "action": describe_action(step.action),
        "number": followed.number,
        "count": followed.count,
    }
    return BarText(title % words, describe_shown_step(view))


def better_action(view: GameView) -> Place | Refill | None:
    """Return what would have been better than the reviewed action; None if nothing, or without a review."""
    judgement = view.reviewed and view.reviewed.judgement
    if not judgement or not judgement.is_mistake or not isinstance(judgement.best, Place | Refill):
        return None
    return judgement.best


def draw_better(view: GameView) -> DrawnCell | None:
    """Return the better tile on the cell where it would have been; None if there is none."""
    better = better_action(view)
    if not isinstance(better, Place):
        return None
    step, tile = view.position_after(view.shown - 1).apply(better), TILES[better.tile]
    label = _("Better: %(action)s") % {"action": f"{better.cell.name}, {describe_tile(tile)}"}
    drawn = draw_tile(tile, better.cell, step.goals_covered)
    return DrawnCell(better.cell.x, better.cell.y, better.cell.name, label, drawn)
