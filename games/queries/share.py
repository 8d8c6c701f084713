"""The result of a solo game as a text to share, which reveals nothing about the tiles."""

from django.utils.translation import gettext as _

from games.models import Game

# The scores below which a result gets its first, second … full moon.
MOONS = (160, 130, 100, 85, 70)
WITH_HINTS = "💡"


def share_text(game: Game) -> str:
    """Return the text to share of a solo game, in two lines.

    It is empty without a score, and for practice on a daily deal.
    """
    if game.score is None or game.is_only_practice:
        return ""
    full = sum(game.score < limit for limit in MOONS)
    moons = "🌕" * full + "🌑" * (len(MOONS) - full) + ("" if game.is_rated else WITH_HINTS)
    if game.daily is None:
        return _("Nova Luna solo\n%(score)s %(moons)s") % {"score": game.score, "moons": moons}
    return _("Nova Luna %(day)s\n%(score)s %(moons)s") % {
        "day": game.daily.day.isoformat(),
        "score": game.score,
        "moons": moons,
    }
