"""Duplicate matches: to open one, before its start, while it runs, and its standings."""

from accounts.models import User
from games.models import DuplicateMatch, Game, Kind
from games.services.tables import duplicates
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import fixed_deal, people, play_well, resign
from tests.browser.states.notifications import mail_about, show_mail

PLAYERS = ("Ines", "Tobias", "Mina", "Noor", "Bartholomew-the-Second")


def open_match(*names: str, tables: int = 3) -> tuple[DuplicateMatch, list[User]]:
    """Return a match that waits for players, and those of these names who have joined it."""
    users = people(*names)
    match = duplicates.open_match(
        users[0], tables, 2, pace="day", is_public=True, changes_ratings=True, nonce="0a" * 16
    )
    for user in users[1:]:
        duplicates.enter(match.key, user)
    return match, users


def started_match(*names: str, tables: int = 3) -> tuple[list[Game], list[User]]:
    """Return the games of a match that these people play with bots, in the order of the tables."""
    with fixed_deal(1):
        match, users = open_match(*names, tables=tables)
        duplicates.start(match.key, users[0], "medium")
    return list(match.deal.games.order_by("pk")), users


@minor_state
def match_form() -> Visit:
    return Visit("/duplicates/new/", people("Ines")[0])


@minor_state
def match_to_join() -> Visit:
    match, _users = open_match("Ines", "Tobias", "Bartholomew-the-Second")
    return Visit(match.get_absolute_url(), people("Mina")[0])


@minor_state
def match_of_opener() -> Visit:
    match, users = open_match(*PLAYERS)
    return Visit(match.get_absolute_url(), users[0])


@minor_state
def match_for_visitor() -> Visit:
    ines = people("Ines")[0]
    return Visit(duplicates.open_match(ines, 16, 4, pace="live", is_public=False).get_absolute_url())


@minor_state
def match_in_list() -> Visit:
    open_match("Ines", "Tobias")
    return Visit("/", people("Tobias")[0])


@minor_state
def match_running() -> Visit:
    [first, *_others], users = started_match("Ines", "Tobias", "Mina", "Noor", tables=2)
    play_well(first, "easy", "medium")
    return Visit(first.duplicate.get_absolute_url(), users[1])


@state
def match_standings() -> Visit:
    [first, second, third], users = started_match(*PLAYERS, "Cato")
    play_well(first, "medium", "easy")
    play_well(second, "easy", "medium")
    resign(play.play_some(third, 9), play.mover(third))
    return Visit(first.duplicate.get_absolute_url(), users[0])


@minor_state
def mail_match_over() -> Visit:
    [first, second, third], _users = started_match(*PLAYERS, "Cato")
    play_well(first, "medium", "easy")
    play_well(second, "easy", "medium")
    resign(play.play_some(third, 9), play.mover(third))
    return show_mail(mail_about((Kind.MATCH, first)))


@minor_state
def mail_game_of_match_over() -> Visit:
    [first, *_others], _users = started_match(*PLAYERS, "Cato")
    return show_mail(mail_about((Kind.OVER, play_well(first, "medium", "easy"))))


@minor_state
def match_game_of_others() -> Visit:
    [_first, second, *_others], users = started_match("Ines", "Tobias")
    return Visit(second.get_absolute_url(), users[0], is_refused=True)


@minor_state
def match_board() -> Visit:
    [first, *_others], _users = started_match("Ines", "Tobias", "Mina", "Noor", tables=2)
    game = play.play_some(first, 5)
    return Visit(game.get_absolute_url(), play.mover(game))


@minor_state
def match_deal() -> Visit:
    [first, *_others], users = started_match("Ines", "Tobias", "Mina", "Noor", tables=2)
    return Visit(f"/g/{first.key}/deal/", users[0])
