"""A moon for each account, in a phase and a colour of its own, drawn from its number."""

from dataclasses import dataclass

PHASES = 7  # from a crescent to the next one; a new moon would be dark
HUES = 24
RADIUS = 34  # in a box of 100


@dataclass(frozen=True)
class Avatar:
    """A moon: the hue of its light in degrees, and the path of the part that is lit."""

    hue: int
    path: str


def avatar_of(pk: int) -> Avatar:
    """Return the moon of the account with this number. The next accounts differ in both."""
    return Avatar(pk * 7 % HUES * 360 // HUES, _lit(pk * 3 % PHASES + 1))


def _lit(phase: int) -> str:
    """Return the path of the lit part in phase 1 to 7, of which 4 is the full moon."""
    top, bottom = 50 - RADIUS, 50 + RADIUS
    width = round(RADIUS * abs(2 - phase % 4) / 2) if phase != 4 else RADIUS
    is_waxing, is_gibbous = phase <= 4, 2 < phase < 6
    outer = int(is_waxing)
    inner = int(is_waxing == is_gibbous)
    return f"M50 {top}A{RADIUS} {RADIUS} 0 0 {outer} 50 {bottom}A{width} {RADIUS} 0 0 {inner} 50 {top}Z"
