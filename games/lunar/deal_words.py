"""What pages say of the deals of LUNAR."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.titles.deals import DealWords

CODE = '<code translate="no">{}</code>'


class LunarDealWords(DealWords):
    """The cards of all rounds, and who holds the lead tiles at first, follow from a deal."""

    mixing = _(
        "The order of the cards follows from a secret of the site and a random number from each player."
    )
    is_fixed = _("The cards of all rounds were fixed before the first action.")
    will_follow = _("When the game starts, the cards of all rounds follow from the secret and all nonces.")
    has_followed = _(
        "When the game started, the cards of all rounds followed from the secret and all nonces."
    )
    secret = _("The cards of all rounds follow from it, so it stays secret until the game is over.")
    secret_of_match = _(
        "The cards of all rounds follow from it, so it stays secret until the last game of the match is over."
    )
    script = "docs/check_deal.py"

    @property
    def rule(self) -> SafeString:
        """How to calculate the deal from the seed."""
        return format_html(
            gettext(
                "With the seed as the key, the same function of the words “{ranks}” and “{suits}” gives the "
                "seeds of Fisher–Yates shuffles of the ranks and the suits of the first round, and so on for "
                "later rounds. If nobody has chosen who holds the lead tiles at first, the function of the "
                "word “{leads}” gives the seed of a shuffle of the seats, which decides it."
            ),
            ranks=format_html(CODE, "round 1 ranks"),
            suits=format_html(CODE, "round 1 suits"),
            leads=format_html(CODE, "leads"),
        )
