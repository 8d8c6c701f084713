"""Home page, people, tables, solo scores and deals."""

import uuid
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from accounts.addresses import refuse_emails
from accounts.models import User
from games.models import SEEK_TIME, Follow, Game, Seek
from games.services import tables
from games.services.private.profiles import follow_game
from games.titles.registry import first_title
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import (
    after_actions,
    finished_game,
    game_of_three,
    make_many_games,
    people,
    play_until,
    start_game,
    submit_unchecked,
)
from tests.waiting import wait_until


@minor_state
def finished_games_found() -> Visit:
    user = make_many_games()
    return Visit("/finished/?who=Tobias&rated=no", user)


@minor_state
def home_following() -> Visit:
    make_many_games()
    noor = people("Noor")[0]
    for game in Game.objects.multiplayer().running():
        follow_game(noor, game, is_following=True)
    return Visit("/", noor)


@minor_state
def statistics() -> Visit:
    ines = make_many_games()
    play.play_out(play.game_of(ines, bots=("expert",)))
    play.review_of(Game.objects.multiplayer().over().earliest("pk"))
    return Visit("/finished/statistics/", ines)


@minor_state
def statistics_empty() -> Visit:
    return Visit("/finished/statistics/", people("Ines")[0])


@minor_state
def finished_games_missing() -> Visit:
    return Visit("/finished/?who=nobody", make_many_games())


@minor_state
def person() -> Visit:
    make_many_games()
    return Visit("/people/Tobias/", people("Ines")[0])


@minor_state
def person_new() -> Visit:
    return Visit("/people/Ines/", people("Ines")[0])


@minor_state
def person_long_name() -> Visit:
    name = "M" * 30
    play_until(start_game(name, "Wolfgang-Amadeus_von-der-Heide"), after_actions(14))
    return Visit(f"/people/{name}/", people("Ines")[0])


@state
def home_landing() -> Visit:
    make_many_games()
    return Visit("/")


@minor_state
def home_landing_empty() -> Visit:
    return Visit("/")


@state
def home_busy() -> Visit:
    return Visit("/", make_many_games())


@minor_state
def home_many() -> Visit:
    """More than fits on a screen: the viewer's games, their tables, and tables to join."""
    ines, *others = people("Ines", "Wolfgang-Amadeus_von-der-Heide", "Mina", "Halley")
    for nth, other in enumerate(others * 3):
        start_game("Ines", other.username, seed=nth)
    for user in (ines, *others):
        for seats in (2, 3, 4) * 3:
            tables.open_table(user, tables.TableOptions(seats, is_public=True, pace="slow"))
    return Visit("/", ines)


@minor_state
def home_with_bots() -> Visit:
    """Games that wait since yesterday, against bots of every level and a guest."""
    [ines] = people("Ines")
    for nth, levels in enumerate((("easy",), ("medium", "medium"), ("hard", "expert", "easy"))):
        game = start_game("Ines", seed=nth, bots=levels)
        Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(days=nth))
    return Visit("/", ines)


@minor_state
def finished_games() -> Visit:
    ines = make_many_games()
    finished_game()
    return Visit("/finished/", ines)


@minor_state
def home_refused_address() -> Visit:
    [ines] = people("Ines")
    refuse_emails(ines)
    return Visit("/", ines)


@minor_state
def home_empty() -> Visit:
    """The page after the sign-up, with a game of others to watch."""
    play_until(start_game("Noor", "Omar"), after_actions(24))
    return Visit("/", people("Ines")[0], after=wait_for_pictures)


@minor_state
def new_table() -> Visit:
    return Visit("/new/", people("Ines")[0])


@minor_state
def new_table_first() -> Visit:
    """For a person's first game with four players, the short length is chosen."""

    def choose_four(page: Page) -> None:
        page.get_by_text("4", exact=True).click()
        page.mouse.move(2, 2)

    return Visit("/new/", people("Ines")[0], after=choose_four)


@minor_state
def new_table_people() -> Visit:
    def choose_people(page: Page) -> None:
        page.locator("[name=opponents][value=people]").check()
        page.mouse.move(2, 2)

    return Visit("/new/", people("Ines")[0], after=choose_people)


@minor_state
def new_table_refused() -> Visit:
    [ines] = people("Ines")
    for _table in range(tables.MOST_OPEN_TABLES):
        tables.open_table(ines, tables.TableOptions(2))

    def one_more(page: Page) -> None:
        page.locator("[name=opponents][value=people]").check()
        submit_unchecked(page)
        expect(page.locator("main .errorlist, main [role=alert]").first).to_be_visible()

    return Visit("/new/", ines, after=one_more, is_refused=True)


@minor_state
def solo_page() -> Visit:
    """With enough scores for the chart of them."""
    ines, now = make_many_games(), timezone.now()
    for nth, score in enumerate((141, 128, 133, 119, 124, 97, 112, 130, 108, 103)):
        play.score_of(ines, score, ended_at=now - timedelta(days=20 - nth))
    return Visit("/solo/", ines)


@minor_state
def solo_page_empty() -> Visit:
    return Visit("/solo/", people("Ines")[0])


@minor_state
def solo_page_visitor() -> Visit:
    return Visit("/solo/")


def make_scores() -> User:
    """Store scores of sixty people, and return the one who is in place 58."""
    now = timezone.now()
    names = ("Tobias", "Wolfgang-Amadeus_von-der-Heide", "Mina", "Halley", "Caroline", "Galilei")
    for nth in range(60):
        name = names[nth] if nth < len(names) else f"Player-{nth}"
        user = User.objects.create(username="Ines" if nth == 57 else name)
        play.score_of(user, 84 + nth, tiles=19 + nth % 5, ended_at=now - timedelta(seconds=nth))
    return User.objects.get(username="Ines")


@state
def leaderboard() -> Visit:
    """The viewer's row is on the second page, so it follows the first fifty."""
    return Visit("/solo/leaderboard/", make_scores())


@minor_state
def leaderboard_followed() -> Visit:
    """Ranks of those whom the viewer follows, and their own."""
    viewer = make_scores()
    for name in ("Mina", "Halley", "Wolfgang-Amadeus_von-der-Heide"):
        Follow.objects.create(user=viewer, followed=User.objects.get(username=name))
    return Visit("/solo/leaderboard/?people=followed", viewer)


@minor_state
def leaderboard_own_page() -> Visit:
    """The page to which "My place" leads."""
    return Visit("/solo/leaderboard/?page=2", make_scores())


@minor_state
def leaderboard_average() -> Visit:
    [ines] = people("Ines")
    for nth in range(10):
        play.score_of(ines, 95 + nth)
    return Visit("/solo/leaderboard/?measure=average&period=week", ines)


@minor_state
def leaderboard_guest() -> Visit:
    make_scores()
    guest = User.objects.create(username="Amber-Comet", is_guest=True)
    play.score_of(guest, 99)
    return Visit("/solo/leaderboard/", guest)


@minor_state
def leaderboard_empty() -> Visit:
    return Visit("/solo/leaderboard/")


def open_table() -> Game:
    ines, tobias = people("Ines", "Tobias")
    game = tables.open_table(ines, tables.TableOptions(4, is_public=True, pace="slow"), ("easy",))
    tables.join(game.key, tobias)
    return game


@minor_state
def table_mine() -> Visit:
    return Visit(open_table().get_absolute_url(), people("Ines")[0])


@minor_state
def table_to_fill() -> Visit:
    """The opener waits alone, and can add bots one by one."""
    table = tables.open_table(people("Ines")[0], tables.TableOptions(4, is_public=True, pace="slow"))
    return Visit(table.get_absolute_url(), people("Ines")[0])


@minor_state
def table_joined() -> Visit:
    return Visit(open_table().get_absolute_url(), people("Tobias")[0])


@minor_state
def table_stranger() -> Visit:
    return Visit(open_table().get_absolute_url(), people("Mina")[0])


@minor_state
def table_visitor() -> Visit:
    return Visit(open_table().get_absolute_url())


@minor_state
def deal_running() -> Visit:
    return Visit(reverse("games:deal", args=[game_of_three().key]))


@minor_state
def deal_opened() -> Visit:
    return Visit(reverse("games:deal", args=[finished_game().key]))


def wait_for_pictures(page: Page) -> None:
    are_there = "() => [...document.images].every((image) => image.complete && image.naturalWidth)"
    wait_until(lambda: page.evaluate(are_there), "all pictures")


@state
def watch_games() -> Visit:
    for names in (("Ines", "Tobias", "Mina"), ("Noor", "Omar"), ("Pia", "Quentin")):
        play_until(start_game(*names), after_actions(24))
    finished_game()
    return Visit("/watch/", after=wait_for_pictures)


@minor_state
def watch_players() -> Visit:
    people("Tobias", "Tobit", "Otto")
    return Visit("/watch/?name=to")


@minor_state
def seek() -> Visit:
    ines = people("Ines")[0]
    tables.start_looking(ines, first_title().key, uuid.uuid4())
    return Visit("/play/person/", ines, before=keep_waiting)


def look_for_somebody() -> None:
    tables.start_looking(people("Pia")[0], first_title().key, uuid.uuid4(), pace="live3")
    Seek.objects.update(seen_at=timezone.now() + timedelta(minutes=1))  # however long the browser takes


@minor_state
def home_with_a_search() -> Visit:
    ines = make_many_games()
    look_for_somebody()
    return Visit("/", ines)


@minor_state
def landing_with_a_search() -> Visit:
    look_for_somebody()
    return Visit("/")


@minor_state
def seek_offer() -> Visit:
    ines, tobias = people("Ines", "Tobias")
    tables.start_looking(tobias, first_title().key, uuid.uuid4(), pace="live3")
    tables.start_looking(ines, first_title().key, uuid.uuid4())
    Seek.objects.update(seen_at=timezone.now() + timedelta(minutes=1))  # however long the browser takes
    return Visit("/play/person/", ines, before=keep_waiting)


@minor_state
def seek_choice() -> Visit:
    return Visit("/play/person/")


def keep_waiting(page: Page) -> None:
    """Answer the requests of a page that looks for people, so that none is left when the test ends."""

    def answer(route: Route) -> None:
        if route.request.is_navigation_request():
            route.continue_()
        else:
            route.fulfill(status=204)

    page.route("**/play/person/**", answer)


@minor_state
def seek_in_vain() -> Visit:
    ines = people("Ines")[0]
    tables.start_looking(ines, first_title().key, uuid.uuid4())
    Seek.objects.update(at=timezone.now() - SEEK_TIME)
    return Visit("/play/person/", ines)
