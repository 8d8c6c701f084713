"""What lists show of games of Nova Luna."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import fmean
from typing import Any, NamedTuple

from django.utils.formats import number_format

from games.marked import gettext as _
from games.marked import ngettext
from games.novaluna.board.words import format_discs_left
from games.novaluna.engine import TILES
from games.titles.lists import Figures, FinishedGame, Lists, SeatFigures, Statistic, TableResult, Thumb

# The scores below which a result gets its first, second … full moon.
MOONS = (160, 130, 100, 85, 70)
WITH_HINTS = "💡"


class ThumbTile(NamedTuple):
    """A tile of a small picture. `x` and `y` count from its top left corner."""

    x: int
    y: int
    colour: str


@dataclass(frozen=True)
class Mosaic:
    """A small picture of the viewer's display, with its width and height in tiles."""

    tiles: tuple[ThumbTile, ...] = ()

    @property
    def cols(self) -> int:
        return max((tile.x for tile in self.tiles), default=-1) + 1

    @property
    def rows(self) -> int:
        return max((tile.y for tile in self.tiles), default=-1) + 1

    @classmethod
    def of(cls, placed: Sequence[Mapping[str, Any]]) -> "Mosaic":
        """Return the picture of the tiles that these actions have placed."""
        left, top = (min((one[axis] for one in placed), default=0) for axis in ("x", "y"))
        return cls(
            tuple(
                ThumbTile(one["x"] - left, one["y"] - top, TILES[one["tile"]].colour.word) for one in placed
            )
        )


class NovaLunaLists(Lists):
    """Players have discs left; a solo game ends with a score."""

    thumb_actions: Collection[str] = ("place",)
    one_seat_begins = True

    @property
    def name(self) -> str:
        """The name of the title."""
        return _("Nova Luna")

    def describe_figures(self, figures: Figures) -> str:
        """Return how many discs are left."""
        return format_discs_left(figures["discs"])

    def compare_figures(self, seats: Sequence[SeatFigures]) -> str:
        """Return the discs that the viewer has left, and the fewest of another player."""
        discs = next(seat.figures["discs"] for seat in seats if seat.is_viewer)
        best = _best_of(seat for seat in seats if not seat.is_viewer)
        if best is None:
            return format_discs_left(discs)
        words = {"n": discs, "name": best.name, "best_discs": best.figures["discs"]}
        if len(seats) == 2:
            text = ngettext(
                "You have %(n)s disc left · %(name)s has %(best_discs)s",
                "You have %(n)s discs left · %(name)s has %(best_discs)s",
                discs,
            )
        else:
            text = ngettext(
                "You have %(n)s disc left · your best opponent has %(best_discs)s",
                "You have %(n)s discs left · your best opponent has %(best_discs)s",
                discs,
            )
        return text % words

    def progress_of(self, figures: Figures) -> int | None:
        """Return the discs as a negative number, because fewer are better."""
        return -figures["discs"]

    def describe_result(self, figures: Figures) -> str:
        """Return the score of a solo game, which one that was resigned does not have."""
        return _("Score %(score)s") % {"score": figures["score"]} if "score" in figures else _("Resigned")

    def compare_results(self, figures: Sequence[Figures]) -> str:
        """Return how many discs each has left."""
        return _("Discs left %(numbers)s") % {
            "numbers": "\u00a0:\u00a0".join(str(one["discs"]) for one in figures)
        }

    def statistics(self, games: Sequence[FinishedGame]) -> Sequence[Statistic]:
        """Return how many discs are left on average: the viewer's after a loss, and the best other's."""
        behind = [game.own["discs"] for game in games if game.place > 1 and "discs" in game.own]
        ahead = [
            min(discs)
            for game in games
            if game.place == 1 and (discs := [one["discs"] for one in game.others if "discs" in one])
        ]
        found = []
        if behind:
            label = _("Discs that you have left when you lose")
            found.append(Statistic(label, number_format(fmean(behind), 1)))
        if ahead:
            label = _("Discs that second place has left when you win")
            found.append(Statistic(label, number_format(fmean(ahead), 1)))
        return found

    def compare_at_table(
        self, seat: int, _places: Sequence[int | None], figures: Sequence[Figures]
    ) -> TableResult:
        """Return the rank, and how many discs fewer than the others the seat has left, on average."""
        others = [one["discs"] for number, one in enumerate(figures) if number != seat]
        own = figures[seat]
        return TableResult(own.get("rank", len(figures)), fmean(others) - own["discs"])

    def share_score(self, score: int, day: date | None, *, with_hints: bool) -> str:
        """Return the score with moons, in two lines."""
        full = sum(score < limit for limit in MOONS)
        # The number, too: where moons are no pictures, which of them is full depends on the theme.
        moons = "🌕" * full + "🌑" * (len(MOONS) - full) + f" {full}/{len(MOONS)}"
        moons += f" {WITH_HINTS}" if with_hints else ""
        if day is None:
            return _("Nova Luna solo\n%(score)s %(moons)s") % {"score": score, "moons": moons}
        return _("Nova Luna %(day)s\n%(score)s %(moons)s") % {
            "day": day.isoformat(),
            "score": score,
            "moons": moons,
        }

    @property
    def rule_of_places(self) -> str:
        """What counts for ratings."""
        return _(
            "Places count, not discs. "
            "Players with the same number of discs share a place, but the winner is first."
        )

    @property
    def rule_of_leads(self) -> str:
        """Which result at a table of a duplicate match is better."""
        return _(
            "A better place at the table is a better result. With the same place, the lead counts: "
            "how many fewer discs you have left than the others at your table, on average. "
            "A player who leaves is last."
        )

    def draw_thumb(self, actions: Sequence[Mapping[str, Any]], *, is_over: bool) -> Thumb:
        """Return a picture of the viewer's display."""
        del is_over
        return Thumb("novaluna/_thumb.html", Mosaic.of(actions))


def _best_of(others: Iterable[SeatFigures]) -> SeatFigures | None:
    """Return who has the fewest discs of those who have not left."""
    playing = (seat for seat in others if not seat.has_left)
    return min(playing, key=lambda seat: seat.figures["discs"], default=None)
