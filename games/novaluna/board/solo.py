"""The pages about solo games of Nova Luna."""

from django.utils.translation import gettext as _


class NovaLunaSolo:
    """Players place 21 discs in as little time as they can."""

    solo_page = "novaluna/solo.html"
    solo_rules = "novaluna/_solo_rules.html"

    @property
    def solo_aim(self) -> str:
        """The aim of a solo game."""
        return _("Place 21 discs in as little time as you can, for a place on the leaderboard.")

    @property
    def solo_aim_of_guest(self) -> str:
        """The aim, with a score to reach."""
        return _("Place 21 discs in as little time as you can. A score below 100 is great.")
