"""The moon wheel and the moon track as parts of a picture."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.novaluna.board.drawing.geometry import MOONLIGHT_RADII, SPACE_WIDTH, TRACK_DISC_WIDTH
from games.novaluna.board.drawing.painting import Part, Words, tile_parts, whole_part
from games.novaluna.board.drawing.pictures import place_on_wheel
from games.novaluna.board.drawing.wheel import DrawnWheel

UNITS = 420  # the width of the wheel in its drawing
OUT_OF_REACH = 0.55  # how opaque such a tile is where others are in reach

# The ring around the disc of the player to move.
RING = '<circle fill="none" stroke="var(--gold)" stroke-width="2" r="13.2"/>'
RING_UNITS = 29
# Moonlight differs from turn to turn. So it is drawn all around the wheel, and a picture shows sectors of it.
INNER, OUTER = MOONLIGHT_RADII
EDGE = 1.4  # the width of its edges
MOONLIGHT = f"""
<circle fill="none" stroke="url(#beam)" stroke-width="{OUTER - INNER}" r="{(INNER + OUTER) / 2}"/>
<g fill="none" stroke="var(--moonlight)" stroke-opacity=".75" stroke-width="{EDGE}">
<circle r="{INNER}"/><circle r="{OUTER}"/></g>
"""


@dataclass(frozen=True)
class WheelParts:
    """Where a wheel is in a picture: its top left corner and its width, in pixels."""

    left: float
    top: float
    width: float

    def things(self, wheel: DrawnWheel) -> Iterator[Part | Words]:
        """Yield the moon wheel, and the moon track in a game with others."""
        yield self._symbol("plate", "0", "0", UNITS)
        if wheel.moonlight:
            sectors = [
                sector._replace(radius=(sector.radius + EDGE / 2) * self._scale)
                for sector in (*wheel.moonlight.areas, wheel.moonlight.edge)
            ]
            yield replace(self._drawing(MOONLIGHT, "0", "0", UNITS), sectors=tuple(sectors))
        for empty in wheel.empty:
            yield self._symbol(
                f"phase-{empty.number}", empty.faint_moon.x, empty.faint_moon.y, 30, opacity=0.3
            )
        yield self._symbol("marker", wheel.marker.x, wheel.marker.y, 44, angle=wheel.marker_angle)
        if wheel.track:
            yield self._symbol("track", "0", "0", 210)
            for number, point in wheel.track.numbers:
                yield self._words(str(number), point.x, point.y, 10, "plate-muted", "mm")
            for disc in wheel.track.discs:
                yield self._symbol(f"disc-{disc.seat}", disc.point.x, disc.point.y, TRACK_DISC_WIDTH)
            if wheel.track.ring:
                yield self._drawing(RING, wheel.track.ring.x, wheel.track.ring.y, RING_UNITS)
        if wheel.draw_pile:
            yield self._words(str(wheel.draw_pile), "0", "15", 44, "plate-text", "ms")
        for space in wheel.tiles:
            place, width = place_on_wheel(space.space), SPACE_WIDTH * self._scale
            opacity = OUT_OF_REACH if wheel.can_take and not space.in_reach else 1
            yield from tile_parts(space.tile, None, *self._corner(place.x, place.y, width), width, opacity)

    def _symbol(self, name: str, x: str, y: str, width: int, *, angle: int = 0, opacity: float = 1) -> Part:
        """Return a symbol with its middle at a point of the wheel."""
        size = round(width * self._scale)
        turn = f' transform="rotate({angle} {size / 2} {size / 2})"' if angle else ""
        svg = f'<use href="#{name}" width="{size}" height="{size}"{turn}/>'
        return whole_part(svg, *self._corner(x, y, size), size, size, opacity)

    def _drawing(self, svg: str, x: str, y: str, width: int) -> Part:
        """Return a piece of the wheel's drawing with its middle at a point."""
        size, half = round(width * self._scale), width / 2
        box = f'width="{size}" height="{size}" viewBox="{-half} {-half} {width} {width}"'
        return whole_part(f"<svg {box}>{svg}</svg>", *self._corner(x, y, size), size, size)

    def _words(self, text: str, x: str, y: str, size: int, colour: str, anchor: str) -> Words:
        """Return words with their anchor at a point of the wheel."""
        return Words(text, *self._point(x, y), size * self._scale, colour, anchor)

    def _corner(self, x: str, y: str, size: float) -> tuple[float, float]:
        """Return the top left corner of a square with its middle at a point of the wheel."""
        middle_x, middle_y = self._point(x, y)
        return middle_x - size / 2, middle_y - size / 2

    def _point(self, x: str, y: str) -> tuple[float, float]:
        half = self.width / 2
        return self.left + half + float(x) * self._scale, self.top + half + float(y) * self._scale

    @property
    def _scale(self) -> float:
        return self.width / UNITS
