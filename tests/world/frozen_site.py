"""A site whose clock stands still, with games that have a clock, for tests of outages."""

from datetime import UTC, datetime, timedelta

from django.conf import settings

from accounts.models import User
from games.models import Game, SitePart
from games.services import after_commit, tables
from games.services.uptime import renew
from games.tasks import check_clocks, sweep
from novaluna_site import parts
from tests.frozen import FrozenClock
from tests.play import fresh, person

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
PARTS = [SitePart.Name.SWEEP, SitePart.Name.WEB, SitePart.Name.MAILS, SitePart.Name.QUICK]
IMMEDIATE = {after_commit.TIME_OUT, after_commit.END_CALL, after_commit.FINISH_HAND_OVER, after_commit.REMIND}


class Site:
    """A site whose parts work, or do not, while a clock that stands still is moved on."""

    def __init__(self, clock: FrozenClock) -> None:
        self.clock = clock
        # A server that the test run has started may have stored its own.
        SitePart.objects.all().delete()
        for part in PARTS:
            SitePart.objects.create(name=part, up_since=NOON - timedelta(days=9), seen_at=NOON)

    def works(self, *down: str, **time: float) -> None:
        """Let time pass in which all parts work but those that are down."""
        self.clock.move_on(**time)
        SitePart.objects.exclude(name__in=down).update(seen_at=self.clock.now)

    def sweeps(self, *down: str, every: float = 10, **time: float) -> None:
        """Let time pass in steps of some seconds, with a sweep in each, which works off what it queues.

        Steps of more than 30 seconds would be breaks of all parts.
        """
        end = self.clock.now + timedelta(**time)
        while self.clock.now < end:
            self.clock.move_on(seconds=every)
            for part in set(PARTS) - set(down) - {SitePart.Name.SWEEP}:
                renew(part)
            if SitePart.Name.SWEEP not in down:
                sweep()

    def checks_clocks(self, **time: float) -> None:
        """Let time pass in steps of half a second, as the site does, with its checks of clocks."""
        end = self.clock.now + timedelta(**time)
        every = settings.CELERY_BEAT_SCHEDULE["check_clocks"]["schedule"]
        while self.clock.now < end:
            self.clock.move_on(seconds=0.5)
            passed = (self.clock.now - NOON).total_seconds()
            if passed % parts.RENEWED_EVERY == 0:
                for part in set(PARTS) - {SitePart.Name.SWEEP}:
                    renew(part)
            if passed % every == 0:
                check_clocks()


def paced(pace: str = "day", caretaker: str = "", *, rated: bool = False, names: str = "Ines Tobias") -> Game:
    users = [User.objects.filter(username=name).first() or person(name) for name in names.split()]
    game = tables.open_table(
        users[0],
        tables.TableOptions(2, is_public=True, pace=pace, caretaker=caretaker, changes_ratings=rated),
    )
    tables.join(game.key, users[1])
    return fresh(game)


def is_lost(game: Game) -> bool:
    """Return whether somebody's time was up in the game."""
    return fresh(game).is_over or game.seats.exclude(caretaker="").exists()
