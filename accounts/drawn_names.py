"""Names that the site draws for people who have not chosen one, such as Amber-Comet."""

import random
import re

ADJECTIVES = (
    "Amber",
    "Bright",
    "Calm",
    "Crimson",
    "Curious",
    "Distant",
    "Gentle",
    "Golden",
    "Lucky",
    "Merry",
    "Misty",
    "Patient",
    "Quick",
    "Quiet",
    "Silver",
    "Swift",
)
NOUNS = (
    "Aurora",
    "Comet",
    "Corona",
    "Crater",
    "Crescent",
    "Eclipse",
    "Horizon",
    "Lantern",
    "Meteor",
    "Nebula",
    "Nova",
    "Orbit",
    "Planet",
    "Rocket",
    "Star",
    "Zenith",
)


def draw() -> str:
    """Return two words, which somebody may have as a name already."""
    return f"{random.choice(ADJECTIVES)}-{random.choice(NOUNS)}"


def is_drawn(name: str) -> bool:
    """Return whether the site can have given somebody this name.

    >>> is_drawn("Amber-Comet"), is_drawn("Amber-Comet-12"), is_drawn("Amber-Zelda"), is_drawn("amber-comet")
    (True, True, False, False)
    """
    return bool(re.fullmatch(rf"({'|'.join(ADJECTIVES)})-({'|'.join(NOUNS)})(-\d+)?", name))
