"""Whole games in Chromium, as new users play them: against a bot, against each other, and solo."""

import re
import time
from collections.abc import Callable, Sequence

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Game, Notification, Seat
from games.notifications.delivery import PRESENCE_PAUSE
from games.tasks import sweep
from tests.browser import ways
from tests.browser.conftest import OpenBrowser
from tests.browser.waits import wait_for_other_version
from tests.plugins.mailserver import MailServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker")]

PASSWORD = "moon-and-stars-17"
MAX_TURNS = 120
# Each bot moves within two seconds, and the pages of the other players follow within one.
TURN_TIMEOUT = 60  # seconds


def sign_up(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_role("link", name="Sign up").first.click()
    fill_in_account(page, name)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name=f"Welcome, {name}!")).to_be_visible()


def fill_in_account(page: Page, name: str) -> None:
    page.get_by_label("Username").fill(name)
    page.get_by_label("Email address").fill(f"{name.lower()}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)


def open_table(page: Page) -> None:
    """Open a table for two people."""
    form = page.locator("form[action='/new/']")
    form.get_by_text("People", exact=True).click()
    form.get_by_role("button", name="Open the table").click()


def take_a_turn(page: Page) -> None:
    """Take a turn by mouse, and wait until the page shows it."""
    # A page that was made while a bot acted has a newer board than its version, and loads itself once more.
    expect(page.locator(".htmx-request, .htmx-settling, .htmx-swapping")).to_have_count(0)
    version = page.locator("#game").get_attribute("data-version")
    ways.by_mouse(page)
    wait_for_other_version(page, version)


def play_to_the_end(*pages: Page) -> None:
    """Take turns on the page of the player to move, until the game is over on every page."""
    for _turn in range(MAX_TURNS):
        page = page_of_mover(pages)
        if page is None:
            return
        take_a_turn(page)
    raise AssertionError("the game does not end")


def page_of_mover(pages: Sequence[Page]) -> Page | None:
    """Return the page that shows its viewer's turn, or None when the game is over on all pages."""
    end = time.monotonic() + TURN_TIMEOUT
    while time.monotonic() < end:
        for page in pages:
            if page.locator("#game[data-turn=mine]").count():
                return page
        if all(page.locator("#game[data-turn=over]").count() for page in pages):
            return None
        pages[0].wait_for_timeout(25)
    raise AssertionError(f"no page shows its viewer's turn within {TURN_TIMEOUT} s")


def start_against_a_bot(page: Page, axe: Callable[[Page], None]) -> None:
    sign_up(page, "Ines")
    axe(page)
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#game")).to_be_visible()
    axe(page)


def test_a_new_user_plays_against_a_bot(page: Page, axe: Callable[[Page], None]) -> None:
    start_against_a_bot(page, axe)
    for _turn in range(3):
        assert page_of_mover([page]) is page
        take_a_turn(page)


def play_now(page: Page) -> Game:
    """Start a game as a guest, with a double click, and return it."""
    page.goto("/")
    page.get_by_role("button", name="Play now").dblclick()
    expect(page.locator("#game[data-turn]")).to_be_visible()
    assert Seat.objects.get(number=0).is_of_guest
    return Game.objects.get()


def register(page: Page, name: str) -> None:
    """Sign up as a guest whose game is over, which leads back to it, and open the home page."""
    page.locator("#game").get_by_role("link", name="Sign up").click()
    expect(page.get_by_role("heading", name="Keep your games")).to_be_visible()
    fill_in_account(page, name)
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("#game[data-turn=over]")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("heading", name=f"Hello, {name}")).to_be_visible()


def test_a_stranger_plays_now_and_keeps_the_game_by_registering(page: Page) -> None:
    game = play_now(page)
    while set(game.actions.values_list("seat", flat=True)) != {0, 1}:
        assert page_of_mover([page]) is page
        take_a_turn(page)
    # The bot may have several turns in a row, and an action of it makes the question about resigning stale.
    assert page_of_mover([page]) is page

    page.goto(f"{game.get_absolute_url()}?resign=1")
    page.get_by_role("button", name="Resign").click()
    expect(page.locator("#game[data-turn=over]")).to_be_visible()
    register(page, "Ines")
    finished = page.get_by_role("region", name="Finished").get_by_role("listitem")
    finished.get_by_role("link").first.click()
    page.wait_for_url(f"**{game.get_absolute_url()}")


@pytest.mark.whole
def test_a_stranger_plays_now_to_the_end(page: Page, axe: Callable[[Page], None]) -> None:
    play_now(page)
    axe(page)

    play_to_the_end(page)

    game = Game.objects.get()
    bot = game.seats.get(number=1).name
    expect(page.locator("#game")).to_contain_text("You win" if game.winner == 0 else f"{bot} wins")
    expect(page.locator("#game .result, #game ol")).not_to_have_count(0)
    axe(page)
    register(page, "Ines")
    axe(page)
    expect(page.get_by_role("region", name="Finished")).to_contain_text("Won" if game.winner == 0 else "Lost")


@pytest.mark.whole
def test_an_invitation_leads_to_a_game_and_to_its_rematch(open_browser: OpenBrowser) -> None:
    ines, guest = open_browser(), open_browser()
    sign_up(ines, "Ines")
    ines.goto("/new/")
    open_table(ines)
    expect(ines.get_by_role("heading", name="Your table")).to_be_visible()

    guest.goto(ines.url)
    expect(guest.get_by_role("heading", name="Ines invites you to a game of Nova Luna")).to_be_visible()
    guest.get_by_role("button", name="Join as a guest").click()
    play_to_the_end(ines, guest)

    first = Game.objects.get()
    ines.locator("#game").get_by_role("button", name="Rematch").first.click()
    expect(ines.locator("#result")).to_contain_text("Rematch offered. Waiting for")
    guest.locator("#game").get_by_role("button", name="Accept").first.click()
    rematch = Game.objects.exclude(pk=first.pk).get()
    for page in (guest, ines):
        page.wait_for_url(f"**{rematch.get_absolute_url()}")
        expect(page.locator("#game:is([data-turn=mine], [data-turn=other])")).to_be_visible()


def test_two_people_play_and_an_absent_player_gets_a_mail(
    open_browser: OpenBrowser, smtp: MailServer
) -> None:
    ines, tobias = open_browser(), open_browser()
    sign_up(ines, "Ines")
    sign_up(tobias, "Tobias")
    confirm = smtp.wait_for("onfirm", to="tobias@example.org")
    tobias.goto(link_in(confirm.get_body(("plain",)).get_content(), "/account/"))
    tobias.get_by_role("button", name="Confirm").click()
    expect(tobias.get_by_role("status").first).to_contain_text("tobias@example.org")
    open_table(ines)
    table = ines.url
    tobias.goto(table)
    tobias.get_by_role("button", name="Join the table").click()
    expect(tobias.locator("#game[data-turn]")).to_be_visible()
    expect(ines.locator("#game[data-turn]")).to_be_visible()

    # Tobias closes the page; Ines plays until it is his turn.
    tobias.goto("about:blank")
    if Game.objects.get().to_move == 1:
        tobias.goto(table)
        while tobias.locator("#game[data-turn=mine]").count():
            take_a_turn(tobias)
        tobias.goto("about:blank")
    expect(ines.locator("#game[data-turn=mine]")).to_be_visible()
    while ines.locator("#game[data-turn=mine]").count():
        take_a_turn(ines)
    assert not any("Your turn" in mail["Subject"] for mail in smtp.mails), (
        "Tobias had the page open a moment ago"
    )
    notification = Notification.objects.filter(user__username="Tobias").latest("pk")
    make_notifications_due(
        until=lambda: Notification.objects.filter(pk=notification.pk, sent_at__isnull=False).exists()
    )
    mail = smtp.wait_for("Your turn", to="tobias@example.org")
    assert "Ines" in mail["Subject"]
    text = mail.get_body(("plain",)).get_content()
    assert "Ines took" in text
    tobias.goto(link_in(text, "/g/"))
    expect(tobias.locator("#game[data-turn=mine]")).to_be_visible()
    assert Notification.objects.filter(sent_at__isnull=False).count() == 1

    for _turn in range(4):
        page = page_of_mover((ines, tobias))
        assert page is not None
        take_a_turn(page)

    # Tobias resigns, which needs a confirmation.
    tobias.get_by_text("Game menu").click()
    tobias.get_by_role("link", name="Resign").click()
    expect(ines.locator("#game[data-turn=over]")).to_have_count(0)
    tobias.get_by_role("button", name="Resign").click()
    for page, outcome in ((tobias, "Ines wins"), (ines, "You win")):
        expect(page.locator("#game[data-turn=over]")).to_contain_text(outcome)

    # Ines offers a rematch, and the open page of Tobias shows it. When he accepts, both are led to it.
    ines.get_by_role("button", name="Rematch").click()
    expect(ines.locator("#result")).to_contain_text("Rematch offered. Waiting for Tobias.")
    assert ines.url == table
    expect(tobias.locator("#result")).to_contain_text("Ines offers a rematch.")
    tobias.get_by_role("button", name="Accept").click()
    for page in (tobias, ines):
        expect(page.locator("#game[data-version='0']")).to_be_visible()
    assert ines.url == tobias.url != table


@pytest.mark.whole
def test_a_solo_game_ends_on_the_leaderboard(page: Page, axe: Callable[[Page], None]) -> None:
    sign_up(page, "Ines")
    page.goto("/solo/")
    axe(page)
    page.get_by_role("button", name="Start a solo game").first.click()
    axe(page)

    play_to_the_end(page)

    score = Game.objects.get().score
    assert score is not None
    expect(page.locator("#game")).to_contain_text(str(score))
    axe(page)
    page.goto("/solo/leaderboard/")
    expect(page.get_by_role("row").filter(has_text="Ines")).to_contain_text(str(score))
    axe(page)


def link_in(text: str, part: str) -> str:
    """Return the first link in a text that contains this part."""
    [link] = re.findall(rf"https?://[^\s<>]*{part}[^\s<>]*", text)[:1]
    return link


def make_notifications_due(until: Callable[[], bool]) -> None:
    """Keep making notifications due, as if no player had a page open, until the condition is true.

    Once is not enough. At the same time, a worker can postpone the mail because its reader had the page open,
    or the server can store that a closed page is open. The mail would then wait for a minute.
    """
    end = time.monotonic() + 60
    while not until():
        unsent = list(Notification.objects.filter(sent_at=None).values())
        assert time.monotonic() < end, f"at {timezone.now()} still unsent: {unsent}"
        Seat.objects.update(seen_at=None)
        now = timezone.now()
        # A notification that a worker is delivering is due much later: leave it to that worker.
        Notification.objects.pending().filter(due_at__lte=now + PRESENCE_PAUSE).update(due_at=now)
        sweep()
        time.sleep(0.2)
