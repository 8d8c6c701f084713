"""What pages say of the deals of Nova Luna."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.titles.deals import DealWords

CODE = '<code translate="no">{}</code>'


class NovaLunaDealWords(DealWords):
    """The deck and the start order follow from a deal."""

    start = _("The start order is random.")
    mixing = _(
        "The order of the tiles follows from a secret of the site and a random number from each player."
    )
    is_fixed = _("The tiles still to come were fixed before the first action.")
    will_follow = _(
        "When the game starts, the order of the tiles and the start order follow from the "
        "secret and all nonces."
    )
    has_followed = _(
        "When the game started, the order of the tiles and the start order followed from the "
        "secret and all nonces."
    )
    secret = _("The tiles still to come follow from it, so it stays secret until the game is over.")
    secret_of_match = _(
        "The tiles still to come follow from it, so it stays secret until the last game of the match is over."
    )
    script = "docs/check_deal.py"
    drawing = _(
        "When this game started, the server shuffled the 68 tiles and drew the start order. "
        "It stored both in a text, together with a random salt, and immediately showed the "
        "fingerprint of the text to everybody. Nobody can find a second text with the same "
        "fingerprint, so nobody could change the order of the tiles after that."
    )
    drawn_text = _(
        "It is the SHA-256 of a text with the salt, the 68 tile codes from the first tile on "
        "the wheel to the bottom of the draw pile, and the seats in start order. Single "
        "spaces separate them."
    )
    drawn_check = _(
        "The output must begin with the fingerprint above. Then compare the codes with the "
        "tiles in the order in which they appeared."
    )
    drawn_secret = _(
        "The text names the tiles still to come, so it stays secret until the game is over. "
        "If you save the fingerprint now, you can check the text then."
    )

    match = _("Several tables play the same tiles, and players in the same seat are compared.")
    new_match = _(
        "All tables play the same tiles in the same order. Everybody plays at one table and is compared with "
        "those in the same seat at the others."
    )
    how_match = _(
        "All tables have the same tiles in the same order, and the same start order. "
        "Everybody plays at one table, so nobody knows the tiles."
    )
    hidden_table = _(
        "It is a table of a duplicate match, and would show tiles to people who are still playing. "
        "Everybody can see it when the last table is over."
    )
    hidden_daily = _(
        "It has today's deal, and would show you its tiles. "
        "You can see it when you have finished that deal yourself, or when the day is over."
    )
    daily = _(
        "Today, everybody plays solo with the same tiles in the same order. Only your first game counts."
    )
    daily_begins = _("Your attempt begins when you see the wheel. Later games on this deal are practice.")
    reveals_nothing = _("It reveals nothing about the tiles.")
    share_label = _("Your result to share, which reveals nothing about the tiles")
    expert = _("Like you, it does not know which tiles come next.")

    def less_luck(self, url: str) -> SafeString:
        """Return that a duplicate match has less luck."""
        words = gettext(
            'Less luck: in a <a href="{url}">duplicate match</a>, several tables play the same tiles.'
        )
        return format_html(words, url=url)

    def own_deal(self, url: str) -> SafeString:
        """Return where there are tiles of one's own."""
        words = gettext(
            'To play with other tiles, start a <a href="{url}">solo game</a>: '
            "you can play as many as you like."
        )
        return format_html(words, url=url)

    @property
    def rule(self) -> SafeString:
        """How to calculate the deal from the seed."""
        return format_html(
            gettext(
                "With the seed as the key, the same function of the word “{deck}” gives the seed of a "
                "Fisher–Yates shuffle of the tile codes in alphabetical order. The same function of the "
                "words “{order}” gives the seed of a shuffle of the seats."
            ),
            deck=format_html(CODE, "deck"),
            order=format_html(CODE, "start order"),
        )
