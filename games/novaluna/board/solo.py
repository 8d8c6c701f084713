"""The pages about solo games of Nova Luna."""

from django.utils.translation import gettext as _


class NovaLunaSolo:
    """Players place 21 discs in as little time as they can."""

    solo_page = "novaluna/solo.html"
    solo_rules = "novaluna/_solo_rules.html"
    tie_break = "tiles"
    great_score = 100

    @property
    def tie_break_name(self) -> str:
        """The number of tiles on the display."""
        return _("Tiles")

    @property
    def rule_of_ties(self) -> str:
        """The one with fewer tiles is first."""
        return _("With equal scores, the game with fewer tiles is first, then the earlier game.")

    @property
    def about_shared_score(self) -> str:
        """What the moons are for; see `MOONS`."""
        return _(
            "The more full moons, the better the score: "
            "the first is for a score below 160, the fifth for one below 70."
        )

    @property
    def solo_aim(self) -> str:
        """The aim of a solo game."""
        return _("Place 21 discs in as little time as you can, for a place on the leaderboard.")

    @property
    def solo_aim_of_guest(self) -> str:
        """The aim, with a score to reach."""
        return _("Place 21 discs in as little time as you can. A score below 100 is great.")
