"""The strip of a review beside its board: a small chart, and a link to each key action."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.novaluna.board.game_view import GameView
from games.novaluna.board.worth import describe_loss
from games.novaluna.reviews.chart import Chart
from games.novaluna.reviews.page import draw_chart, judged_actions
from games.shown.charts import number
from games.titles.history import reviewed_query


@dataclass(frozen=True)
class KeyStep:
    """A link to the board after a key action."""

    number: int
    label: str
    loss: str  # such as "−21"
    query: str
    is_shown: bool


@dataclass(frozen=True)
class Strip:
    """The chart, the place of the shown action on it in per cent of the width, and the key actions."""

    chart: Chart
    here: str
    keys: tuple[KeyStep, ...]


def build_strip(view: GameView) -> Strip | None:
    """Return the strip for the reviewed action that is shown; None if the expert judged no action."""
    reviewed = view.reviewed
    if reviewed is None:
        return None
    actions = judged_actions(view, reviewed.judgements)
    if all(judged.worth is None for judged in actions):
        return None
    keys = tuple(
        KeyStep(
            judged.number,
            _("Action %(number)d, %(name)s: %(loss)s")
            % {"number": judged.number, "name": judged.person.name, "loss": describe_loss(judged.loss)},
            f"−{judged.loss_text}",
            reviewed_query(judged.number, reviewed.part),
            judged.number == view.shown,
        )
        for judged in actions
        if judged.is_key and judged.person and judged.loss
    )
    return Strip(draw_chart(actions, view), number(100 * max(view.shown - 1, 0) / view.version), keys)
