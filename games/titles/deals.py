"""What pages say of the deals of a title: what follows from a deal, and how everybody can check it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class SharedDealWords:
    """What pages say of a deal that several games share: of a day, of a duplicate match, with the expert.

    Whole sentences, translated lazily.
    """

    # Of duplicate matches: for a link to one, above the form that opens one, and how it works.
    match: str | _StrPromise = _(
        "Several tables play the same deal, and players in the same seat are compared."
    )
    new_match: str | _StrPromise = _(
        "All tables play the same deal. Everybody plays at one table and is compared with those in the same "
        "seat at the others."
    )
    how_match: str | _StrPromise = _("All tables have the same deal. Everybody plays at one table.")
    # The same of matches of teams.
    match_of_teams: str | _StrPromise = _("Two teams play the same deal at two tables, with sides exchanged.")
    new_match_of_teams: str | _StrPromise = _(
        "Two teams play the same deal at two tables. Each team has one side at the first table and the other "
        "side at the second, and the points of both tables are added. So luck counts less."
    )
    how_match_of_teams: str | _StrPromise = _(
        "Both tables have the same deal. Each team has one side at the first table and the other side at the "
        "second. Everybody plays at one table."
    )
    # Why a game on the deal is not shown yet.
    hidden_table: str | _StrPromise = _(
        "It is a table of a duplicate match, and would show the deal to people who are still playing. "
        "Everybody can see it when the last table is over."
    )
    hidden_daily: str | _StrPromise = _(
        "It has today's deal, and would show it to you. "
        "You can see it when you have finished that deal yourself, or when the day is over."
    )
    # Of the daily deal.
    daily: str | _StrPromise = _("Today, everybody plays solo on the same deal. Only your first game counts.")
    daily_begins: str | _StrPromise = _(
        "Your attempt begins when you see the deal. Later games on this deal are practice."
    )
    # Of a result to share, and its label.
    reveals_nothing: str | _StrPromise = _("It reveals nothing about the deal.")
    share_label: str | _StrPromise = _("Your result to share, which reveals nothing about the deal")
    # Of the expert's game on the deal of a finished one.
    expert: str | _StrPromise = _("Like you, it does not know what comes next.")

    def less_luck(self, url: str) -> SafeString:
        """Return an offer of a duplicate match, with a link to the form that opens one."""
        words = gettext(
            'Less luck: in a <a href="{url}">duplicate match</a>, several tables play the same deal.'
        )
        return format_html(words, url=url)

    def own_deal(self, url: str) -> SafeString:
        """Return an offer of a solo game beside the daily deal, with a link to the solo page."""
        words = gettext(
            'For a new deal, start a <a href="{url}">solo game</a>: you can play as many as you like.'
        )
        return format_html(words, url=url)


class DealWords(SharedDealWords):
    """Whole sentences, translated lazily. Those that a title does not replace fit every title."""

    # On the page of a table: what is random at the start. Empty if nobody need know before.
    start: str | _StrPromise = ""
    mixing: str | _StrPromise = _(
        "The deal follows from a secret of the site and a random number from each player."
    )
    # Beside the fingerprint, while the game runs.
    is_fixed: str | _StrPromise = _("The deal was fixed before the first action.")
    # On the page of a deal, before and after the start of the game.
    will_follow: str | _StrPromise = _(
        "When the game starts, everything random in it follows from the secret and all nonces."
    )
    has_followed: str | _StrPromise = _(
        "When the game started, everything random in it followed from the secret and all nonces."
    )
    # Why the secret stays one.
    secret: str | _StrPromise = _("The deal follows from it, so it stays secret until the game is over.")
    secret_of_match: str | _StrPromise = _(
        "The deal follows from it, so it stays secret until the last game of the match is over."
    )
    # Which program does that with a record; empty without one.
    script: str = ""
    # Of a deal that the site alone has drawn: how, what its text has, and how to compare that with the game.
    drawing: str | _StrPromise = _(
        "When this game started, the server drew everything random in it. It stored the deal in a text, "
        "together with a random salt, and immediately showed the fingerprint of the text to everybody. "
        "Nobody can find a second text with the same fingerprint, so nobody could change the deal after that."
    )
    drawn_text: str | _StrPromise = _(
        "It is the SHA-256 of a text with the salt and everything that is dealt. Single spaces separate them."
    )
    drawn_check: str | _StrPromise = _(
        "The output must begin with the fingerprint above. Then compare the text with the game."
    )
    drawn_secret: str | _StrPromise = _(
        "The text has the deal, so it stays secret until the game is over. "
        "If you save the fingerprint now, you can check the text then."
    )

    @property
    def rule(self) -> str:
        """How to calculate the deal from the seed; it may have words with marks of HTML."""
        return gettext("With the seed, the rules of the game in the source code of this site give the deal.")


class Deals(Protocol):
    """How a title describes its deals."""

    @property
    def deal_words(self) -> DealWords:
        """What pages say of deals."""
        ...
