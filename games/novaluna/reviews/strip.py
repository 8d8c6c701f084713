"""The review beside its board: its chart, a link to each key action, and all actions as judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.novaluna.board.game_view import GameView
from games.novaluna.board.worth import describe_loss
from games.novaluna.reviews.chart import Chart, Mark
from games.novaluna.reviews.judged import JudgedAction, describe_keys, judged_actions
from games.novaluna.reviews.review_chart import draw_chart, points_on
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
    """The chart, the place of the shown action on it in per cent of the width, and the key actions.

    `stop` is the number of the point that Tab reaches: the latest one that is not after the shown action.
    `previous_mistake` and `next_mistake` are queries of the board after a mistake; None if there is none.
    """

    chart: Chart
    here: str
    stop: int
    keys: tuple[KeyStep, ...]
    actions: Sequence[JudgedAction]
    previous_mistake: str | None
    next_mistake: str | None

    @property
    def whose_keys(self) -> str:
        """Whose the key actions are, as a heading."""
        return describe_keys(self.actions)

    @property
    def whose_keys_briefly(self) -> str:
        """The same without names where there are several: the chart beside it has little room."""
        return describe_keys(self.actions, most_names=1)

    @property
    def points(self) -> Sequence[tuple[JudgedAction, Mark]]:
        """The actions that the chart shows, with their places on it."""
        return points_on(self.chart, self.actions)


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
    mistakes = [judged.number for judged in actions if judged.is_mistake]
    earlier, later = (
        [one for one in mistakes if one < view.shown],
        [one for one in mistakes if one > view.shown],
    )
    chart = draw_chart(actions, view)
    return Strip(
        chart,
        number(100 * view.shown / view.version),
        max((one for one in chart.marks if one <= view.shown), default=min(chart.marks)),
        keys,
        actions,
        reviewed_query(earlier[-1], reviewed.part) if earlier else None,
        reviewed_query(later[0], reviewed.part) if later else None,
    )
