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

    # The figure, as of `Position.figures`, that decides between equal scores: less is better. Empty for none.
    tie_break: str
    # A score below it is called great.
    great_score: int

    @property
    def tie_break_name(self) -> str:
        """What the tie-break counts, as the heading of a column; without one, it is shown nowhere."""
        ...

    @property
    def rule_of_ties(self) -> str:
        """Which of equal scores is first, in a sentence."""
        ...

    @property
    def about_shared_score(self) -> str:
        """What the text of `share_score` says of a score, in a sentence; empty if nobody need know."""
        ...

    @property
    def solo_aim(self) -> str:
        """What a solo game is about, in a sentence for people with a place on the leaderboard."""
        ...

    @property
    def solo_aim_of_guest(self) -> str:
        """The same for guests, who have no place there."""
        ...
