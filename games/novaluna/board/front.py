"""What the site itself shows of Nova Luna."""

from django.utils.translation import gettext as _

from games.titles.front import Front


class NovaLunaFront(Front):
    """The three steps of a turn for visitors, and the names of the designers."""

    symbols = "novaluna/sprite.svg"

    @property
    def about_confirming(self) -> str:
        """Moves count without a confirmation, and so do refills."""
        return _(
            "This includes refills. If you choose No, a move counts as soon as you choose a cell, and you "
            "can't undo it. Resigning always asks first."
        )

    def add_to_help(self, chapter: str) -> str:
        """The notation of moves, what chance decides, and what reviews count."""
        words = {
            "mail": _(
                "“take 2 at E1 S1” takes the second tile after the marker and places it at E1 S1. "
                "You can also write “refill” or “resign”."
            ),
            "deals": _("Chance decides the order of the tiles and who begins."),
            "reviews": _("Losses are in points of winning chance; in a solo game, in points of the score."),
        }
        return words.get(chapter, "")

    @property
    def about_keys(self) -> str:
        """The keys for tiles, and those of the house."""
        return _("On the board, press 1 to 3 to choose a tile, C to confirm, and ? to see all shortcuts.")

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
