"""Lobby, people, tables, solo scores and deals."""

from django.urls import reverse
from playwright.sync_api import Page, expect

from games.models import Game
from games.services import tables
from tests import play
from tests.browser.states.catalogue import Look, much_like_others, state
from tests.browser.states.making import (
    a_busy_evening,
    after,
    deal,
    over,
    people,
    play_until,
    started,
    submit_unchecked,
    three,
)


@state
def person() -> Look:
    a_busy_evening()
    return Look("/people/Tobias/", people("Ines")[0])


@much_like_others
def person_new() -> Look:
    return Look("/people/Ines/", people("Ines")[0])


@much_like_others
def person_long_name() -> Look:
    name = "M" * 30
    play_until(started(name, "Wolfgang-Amadeus_von-der-Heide"), after(14))
    return Look(f"/people/{name}/", people("Ines")[0])


@state
def home_landing() -> Look:
    a_busy_evening()
    return Look("/")


@much_like_others
def home_landing_empty() -> Look:
    return Look("/")


@state
def home_busy() -> Look:
    return Look("/", a_busy_evening())


@much_like_others
def home_many() -> Look:
    """More than fits on a screen: own games, own tables, and tables to join."""
    ines, *others = people("Ines", "Wolfgang-Amadeus_von-der-Heide", "Mina", "Halley")
    for nth, other in enumerate(others * 3):
        started("Ines", other.username, seed=nth)
    for user in (ines, *others):
        for seats in (2, 3, 4) * 3:
            tables.open_table(user, seats, (), beginner=False, is_public=True)
    return Look("/", ines)


@much_like_others
def home_empty() -> Look:
    return Look("/", people("Ines")[0])


@much_like_others
def new_table() -> Look:
    return Look("/new/", people("Ines")[0])


@state
def new_table_refused() -> Look:
    [ines] = people("Ines")
    for _table in range(tables.MOST_OPEN_TABLES):
        tables.open_table(ines, 2, (), beginner=False, is_public=False)

    def one_more(page: Page) -> None:
        submit_unchecked(page)
        expect(page.locator("main .errorlist, main [role=alert]").first).to_be_visible()

    return Look("/new/", ines, after=one_more, refused=True)


@state
def solo_page() -> Look:
    return Look("/solo/", a_busy_evening())


@much_like_others
def solo_page_empty() -> Look:
    return Look("/solo/", people("Ines")[0])


@state
def solo_page_visitor() -> Look:
    return Look("/solo/")


@state
def leaderboard() -> Look:
    for nth, name in enumerate(("Ines", "Tobias", "Mina", "Halley", "Caroline", "Galilei")):
        with deal(nth):
            play.play_out(play.solo_of(people(name)[0]), nth)
    return Look("/solo/leaderboard/", people("Mina")[0])


@much_like_others
def leaderboard_empty() -> Look:
    return Look("/solo/leaderboard/")


def table() -> Game:
    ines, tobias = people("Ines", "Tobias")
    game = tables.open_table(ines, 4, ("easy",), beginner=False, is_public=True)
    tables.join(game.key, tobias)
    return game


@state
def table_mine() -> Look:
    return Look(table().get_absolute_url(), people("Ines")[0])


@much_like_others
def table_joined() -> Look:
    return Look(table().get_absolute_url(), people("Tobias")[0])


@much_like_others
def table_stranger() -> Look:
    return Look(table().get_absolute_url(), people("Mina")[0])


@state
def table_visitor() -> Look:
    return Look(table().get_absolute_url())


@state
def deal_running() -> Look:
    return Look(reverse("games:deal", args=[three().key]))


@much_like_others
def deal_opened() -> Look:
    return Look(reverse("games:deal", args=[over().key]))
