"""The viewer's plan while cards and trump tiles are pressed for it."""

from dataclasses import dataclass

from games.lunar.board.game_view import GameView
from games.lunar.engine.actions import Flip, Play
from games.lunar.notation.plan_lines import plannable
from games.marked import gettext as _
from games.shown.plain.choices import write_actions
from games.titles.rules import AnyRules


@dataclass(frozen=True)
class Planning:
    """The wishes of a seat that are possible, the best one first."""

    seat: int
    wishes: tuple[Flip | Play, ...]
    rules: AnyRules

    def place_of(self, wish: Flip | Play) -> int:
        """Return the place of a wish in the plan, from 1; 0 if it is not in the plan."""
        return self.wishes.index(wish) + 1 if wish in self.wishes else 0

    def label(self, name: str, wish: Flip | Play) -> str:
        """Return the name of a card or tile, with its place in the plan."""
        place = self.place_of(wish)
        return (
            _("%(name)s, number %(place)d of your plan") % {"name": name, "place": place} if place else name
        )

    def toggled(self, wish: Flip | Play) -> str:
        """Return the plan with this wish at its end, or without it, as forms send it."""
        others = [other for other in self.wishes if other != wish]
        return write_actions(others if wish in self.wishes else [*others, wish], self.rules)


def planning_of(view: GameView, rules: AnyRules) -> Planning | None:
    """Return the plan that the viewer can change now; None if they can plan nothing."""
    seat = view.viewer
    if seat is None or not view.can_plan:
        return None
    possible, wishes = plannable(view.newest, seat), view.plan.wishes if view.plan else ()
    if not (possible or wishes):
        return None
    return Planning(seat, tuple(wish for wish in wishes if wish in possible), rules)
