"""Duplicate matches of LUNAR between two teams, and their email."""

from random import Random
from unittest import mock

from accounts.models import User
from games.models import DuplicateMatch, Game, Kind
from games.services import deals
from games.services.tables import duplicates
from tests.browser.lunar.games import position_of
from tests.browser.states.catalogue import Visit
from tests.browser.states.lunar import add_all
from tests.browser.states.making import people
from tests.browser.states.notifications import mail_about, show_mail
from tests.play import play_all, same_deals

NAMES = ("Ines", "Tobias", "Halley", "Bartholomew-the-Second", "Mina", "Noor", "Cato", "Dora")


def open_match(count: int, seats: int = 4) -> tuple[DuplicateMatch, list[User]]:
    """Return a match that so many people have joined, and these people."""
    users = people(*NAMES[:count])
    with mock.patch.object(deals, "mixed_deal", same_deals(1)):
        match = duplicates.open_match(users[0], 2, seats, title="lunar", pace="day", is_public=True)
        for user in users[1:]:
            duplicates.enter(match.key, user)
    return match, users


def finish(game: Game, seed: int) -> Game:
    """Play random cards to the end of a game."""
    rng, position, actions = Random(seed), position_of(game), []
    while position.awaited:
        actions.append(rng.choice(list(position.legal(min(position.awaited)))))
        position = position.apply(actions[-1]).position
    return play_all(game, actions)


def games_of(match: DuplicateMatch) -> list[Game]:
    return list(match.deal.games.order_by("pk"))


def form() -> Visit:
    return Visit("/duplicates/new/?title=lunar", people("Ines")[0])


def to_join() -> Visit:
    match, _users = open_match(3)
    return Visit(match.get_absolute_url(), people("Mina")[0])


def of_opener() -> Visit:
    match, users = open_match(4)
    return Visit(match.get_absolute_url(), users[0])


def running() -> Visit:
    match, users = open_match(8)
    finish(games_of(match)[0], 1)
    return Visit(match.get_absolute_url(), users[1])


def over(viewer: int | None = 0, seats: int = 4) -> Visit:
    match, users = open_match(2 * seats, seats)
    for number, game in enumerate(games_of(match)):
        finish(game, number)
    return Visit(match.get_absolute_url(), None if viewer is None else users[viewer])


def mail() -> Visit:
    match, _users = open_match(8)
    first, second = games_of(match)
    finish(first, 0)
    finish(second, 1)
    return show_mail(mail_about((Kind.MATCH, first)))


add_all({"match-over": over}, are_minor=False)
add_all(
    {
        "match-form": form,
        "match-to-join": to_join,
        "match-of-opener": of_opener,
        "match-running": running,
        "match-of-two-over": lambda: over(1, seats=2),
        "match-over-for-visitor": lambda: over(None),
        "mail-match-over": mail,
    },
    are_minor=True,
)
