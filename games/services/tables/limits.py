"""How many games one person may play."""

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Game, Seat
from games.services.errors import TooMany

# Nobody plays that many without a program: a game every five minutes for sixteen hours. A program that plays
# on could fill the database and the leaderboards.
MOST_FINISHED_A_DAY = 200
A_DAY = timedelta(days=1)


def check_finished_games(user: User) -> None:
    """Raise TooMany if this person has finished as many games within a day as are allowed."""
    ended = Seat.objects.filter(
        user=user, game__status=Game.Status.OVER, game__moved_at__gt=timezone.now() - A_DAY
    )
    if ended.count() >= MOST_FINISHED_A_DAY:
        text = _("You have finished %(most)d games within a day. Please start the next one later.")
        raise TooMany(text % {"most": MOST_FINISHED_A_DAY})
