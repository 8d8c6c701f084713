"""What the site itself shows of Nova Luna."""

from django.utils.translation import gettext as _


class NovaLunaFront:
    """The three steps of a turn for visitors, and the names of the designers."""

    symbols = "novaluna/sprite.svg"

    @property
    def landing_part(self) -> str:
        """The front page with the moon wheel."""
        return "novaluna/_landing.html"

    @property
    def legal_note(self) -> str:
        """Who designed the game."""
        return _(
            "Nova Luna is a board game by Uwe Rosenberg and Corné van Moorsel. "
            "This is an unofficial fan project, not affiliated with the designers or the publisher."
        )

    @property
    def short_legal_note(self) -> str:
        """That the site is not of the publisher."""
        return _("Unofficial fan project, not affiliated with the designers or the publisher of Nova Luna.")
