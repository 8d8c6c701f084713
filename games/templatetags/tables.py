"""A template tag for the facts of a table."""

import re

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.queries.summaries import GameSummary
from games.shown.clocks import PACE_FACTS
from games.shown.ratings import describe_range
from games.templatetags.titles import option_words

register = template.Library()


@register.simple_tag
def table_facts(summary: GameSummary, *, without_pace: bool = False, is_invitation: bool = False) -> str:
    """Return the number of players, the options and the privacy of a table, in one line.

    `without_pace` leaves out what a page shows elsewhere, and `is_invitation` that the table is not listed.
    No line ends between a number and what it counts.
    """
    game, seats = summary.game, summary.game.seat_count
    facts = [ngettext("%(n)s player", "%(n)s players", seats) % {"n": seats}, option_words(game)]
    if game.pace and not without_pace:
        facts.append(str(PACE_FACTS[game.pace]))
    if not game.is_public and not without_pace and not is_invitation:
        facts.append(_("not listed"))
    if game.changes_ratings:
        facts.append(_("rated"))
    if not without_pace:
        facts.append(describe_range(game.least_rating, game.most_rating))
        if game.least_reliability:
            facts.append(_("needs %(least)s%% finished games") % {"least": game.least_reliability})
    return re.sub(r"(?<=\d) (?=\w)", "\xa0", " · ".join(filter(None, facts)))
