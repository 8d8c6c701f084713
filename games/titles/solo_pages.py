"""The pages about solo games of a title, for titles with the talent SOLO."""

from typing import Protocol


class SoloPages(Protocol):
    """The pages of a title with the talent SOLO."""

    @property
    def solo_page(self) -> str:
        """The template of the solo page: `games/solo.html`, or one that extends it."""
        ...

    @property
    def solo_rules(self) -> str:
        """The template that says how a solo game works, in a few steps."""
        ...

    @property
    def solo_aim(self) -> str:
        """What a solo game is about, in a sentence for people with a place on the leaderboard."""
        ...

    @property
    def solo_aim_of_guest(self) -> str:
        """The same for guests, who have no place there."""
        ...
