"""LUNAR: the page of a game at each stage, text mode, lessons and rules, and its emails."""

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from games.lunar.engine import Position, Stage
from games.lunar.learning.lessons import LESSONS
from games.models import Kind
from games.queries.mail_links import MailTurn, move_url
from games.queries.viewing import view_game
from games.services import presence
from games.titles.registry import title_named
from tests.browser.lunar.games import (
    NAMES,
    Ends,
    game_of,
    in_trick,
    mover_of,
    must_follow,
    position_of,
    user_at,
)
from tests.browser.states.catalogue import MakeVisit, PageAction, Visit, add_state, do_nothing
from tests.browser.states.chat import open_chat, watch_and_talk
from tests.browser.states.notifications import mail_about, show_mail
from tests.play import fresh
from tests.titles.site import installed

LONG_NAMES = ("Ines", "Wilhelmina_Charlotte", "Bartholomew-of-the-Hills", "Maximilian")
LEGAL = "#game a[data-card]:not([aria-disabled])"


def at_start(position: Position) -> bool:
    """Return that the game need not go on."""
    return True


def at_end(position: Position) -> bool:
    """Return whether the game is over."""
    return False


def in_second_round(position: Position) -> bool:
    return len(position.rounds) == 1


def in_first_trick_of_second_round(position: Position) -> bool:
    return in_second_round(position) and len(position.trick) == 1


def choosing_trump(flips: int, rounds: int = 0) -> Ends:
    return lambda position: len(position.flips) == flips and len(position.rounds) == rounds


def as_mover(
    seats: int, ends: Ends, query: str = "", *, after: PageAction = do_nothing, text: bool = False
) -> Visit:
    game = game_of(seats, ends)
    return Visit(game.get_absolute_url() + ("text/" if text else "") + query, mover_of(game), after=after)


def as_waiting(seats: int, ends: Ends, query: str = "") -> Visit:
    game = game_of(seats, ends)
    [mover] = position_of(game).awaited
    return Visit(game.get_absolute_url() + query, user_at(game, (mover + 1) % seats))


def add_to_plan(*places: int) -> PageAction:
    """Return an action that adds cards to the plan, by their places among those that can be planned."""

    def press(page: Page) -> None:
        for count, place in enumerate(places, 1):
            page.locator("#hand button").nth(place).click()
            expect(page.locator(".plan__wishes li")).to_have_count(count)

    return press


def planning() -> Visit:
    """The partner of the leader plans, so that only one kind of card is possible."""
    game = game_of(4, in_trick(3, 1))
    user = user_at(game, ((position_of(game).next_leader) + 2) % 4)
    return Visit(f"{game.get_absolute_url()}?plan=1", user, after=add_to_plan(2, 0))


def planned() -> Visit:
    def finish(page: Page) -> None:
        add_to_plan(2, 0)(page)
        page.locator("#plan-done").click()
        expect(page.locator("#plan-saved")).to_be_visible()

    return replace(planning(), after=finish)


def choose(*places: int) -> PageAction:
    """Return an action that chooses legal cards by their places among them."""

    def press(page: Page) -> None:
        for place in places:
            page.locator(LEGAL).nth(place).click()

    return press


def open_cards(page: Page) -> None:
    """Open the last trick and the cards that are out."""
    page.locator("#last-trick > summary").click()
    page.locator("#out > summary").click()


def passed() -> Visit:
    game = game_of(4, lambda position: position.stage is Stage.PASSING and len(position.awaited) == 2)
    return Visit(game.get_absolute_url(), user_at(game, 0))


def spectator() -> Visit:
    return Visit(game_of(4, in_trick(6, 1)).get_absolute_url())


def spectators_chat() -> Visit:
    game = game_of(4, in_trick(6, 1))
    return Visit(game.get_absolute_url(), watch_and_talk(game), after=open_chat)


def live() -> Visit:
    """A live game of people with long names, one of whom has the page open."""
    game = game_of(4, in_trick(2, 2), names=LONG_NAMES, pace="live")
    mover = mover_of(game)
    presence.mark(game.key, user_at(game, (position_of(game).next_leader + 3) % 4).pk)
    return Visit(game.get_absolute_url(), mover)


def live_with_tip() -> Visit:
    """The first trick of a live game of people who play for the first time."""
    game = game_of(4, in_trick(0, 1), names=("Zora", "Yann", "Xenia", "Wim"), pace="live")
    return Visit(game.get_absolute_url(), mover_of(game))


def live_past() -> Visit:
    visit = live()
    return Visit(f"{visit.path}?at=14", visit.viewer)


def over(query: str = "") -> Visit:
    game = game_of(4, at_end)
    return Visit(game.get_absolute_url() + query, user_at(game, 0))


def over_with_bots() -> Visit:
    """A finished game of a person with a long name and three bots."""
    game = game_of(4, at_end, names=("Lucky-Meteorite_7", *NAMES[1:]))
    visit = Visit(game.get_absolute_url(), user_at(game, 0))
    for number, name in enumerate(("Zhenyi", "Mitchell", "Lepaute"), 1):
        game.seats.filter(number=number).update(user=None, bot="easy", bot_name=name)
    return visit


def mail(kind: Kind, seats: int, ends: Ends) -> Visit:
    """Visit an email to Ines, on whose turn the game waits if it waits."""

    def is_hers(position: Position) -> bool:
        return ends(position) and 0 in position.awaited

    return show_mail(mail_about((kind, game_of(seats, at_end if ends is at_end else is_hers))))


def link(seats: int, ends: Ends) -> Visit:
    """The page of a link in an email: the last action that it offers."""
    game = game_of(seats, ends)
    seat = min(position_of(game).awaited)
    user = user_at(game, seat)
    view = view_game(game, user)
    line = title_named("lunar").pages.offers(view)[-1].line
    turn = MailTurn(game, user, seat, fresh(game).version + 1)
    url = urlsplit(move_url(turn, line))
    return Visit(f"{url.path}?{url.query}")


BOARDS: dict[str, MakeVisit] = {
    "passing": lambda: as_mover(4, at_start),
    "trick": lambda: as_mover(4, in_trick(3, 2)),
    "two": lambda: as_mover(2, in_trick(4, 2)),
    "live": live,
    "over": over,
}
VARIANTS: dict[str, MakeVisit] = {
    "passing-chosen": lambda: as_mover(4, at_start, after=choose(0, 1, 6, 7)),
    "passed": passed,
    "trump": lambda: as_mover(4, choosing_trump(2)),
    "first-trick": lambda: as_mover(4, in_trick(0, 1)),
    "live-tip": live_with_tip,
    "live-past": live_past,
    "lead": lambda: as_mover(4, in_trick(3, 0)),
    "must-follow": lambda: as_mover(4, must_follow),
    "chosen": lambda: as_mover(4, in_trick(3, 2), after=choose(0)),
    "resign-asked": lambda: as_mover(4, in_trick(3, 2), "?resign=1"),
    "out": lambda: as_mover(4, in_trick(5, 1), after=open_cards),
    "waiting": lambda: as_waiting(4, in_trick(3, 2)),
    "next-round": lambda: as_mover(4, in_second_round),
    "two-trump": lambda: as_mover(2, choosing_trump(1, rounds=1)),
    "two-tip": lambda: as_mover(2, choosing_trump(1)),
    "two-tip-waiting": lambda: as_waiting(2, choosing_trump(1)),
    "two-early-tip": lambda: as_mover(2, in_trick(2, 3)),
    "two-late": lambda: as_mover(2, in_trick(9, 1)),
    "two-first-trick": lambda: as_mover(2, in_first_trick_of_second_round),
    "two-lead": lambda: as_mover(2, in_trick(4, 0)),
    "two-waiting": lambda: as_waiting(2, in_trick(4, 1)),
    "past": lambda: as_mover(4, in_trick(3, 2), "?at=14"),
    "over-bots": over_with_bots,
    "over-past": lambda: over("?at=40"),
    "spectator": spectator,
    "spectators-chat": spectators_chat,
    "planning": planning,
    "planning-tile": lambda: as_waiting(4, choosing_trump(1), "?plan=1"),
    "planning-two": lambda: as_waiting(2, in_trick(4, 1), "?plan=1"),
    "planning-text": lambda: as_waiting(4, in_trick(3, 1), "text/?plan=1"),
    "planned": planned,
    "text": lambda: as_mover(4, in_trick(3, 2), text=True),
    "text-passing": lambda: as_mover(4, at_start, text=True),
    "rules": lambda: Visit("/rules/lunar/"),
    "rules-found": lambda: Visit("/rules/lunar/?q=30"),
    "link-pass": lambda: link(4, at_start),
    "link-trump": lambda: link(2, choosing_trump(1)),
    "link-play": lambda: link(4, in_trick(3, 2)),
    "link-two": lambda: link(2, in_trick(4, 2)),
    "mail-pass": lambda: mail(Kind.TURN, 4, at_start),
    "mail-trump": lambda: mail(Kind.TURN, 4, lambda position: position.stage is Stage.TRUMP),
    "mail-play": lambda: mail(Kind.TURN, 4, in_trick(3, 2)),
    "mail-two": lambda: mail(Kind.TURN, 2, in_trick(4, 2)),
    "mail-over": lambda: mail(Kind.OVER, 4, at_end),
}


def lesson(number: int) -> MakeVisit:
    return lambda: Visit(f"/learn/lunar/{number}/")


def with_lunar(make: MakeVisit) -> MakeVisit:
    """Return a function that makes a state while this process offers LUNAR, as the server always does."""

    def make_it() -> Visit:
        with installed("games.lunar"):
            return make()

    return make_it


def add_all(states: dict[str, Callable[[], Visit]], *, are_minor: bool) -> None:
    for name, make in states.items():
        add_state(f"lunar-{name}", with_lunar(make), is_minor=are_minor)


add_all(BOARDS, are_minor=False)
add_all(VARIANTS, are_minor=True)
add_all({f"lesson-{number}": lesson(number) for number in range(1, len(LESSONS) + 1)}, are_minor=True)
