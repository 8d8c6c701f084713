"""Live games: clocks that tick on every page, who is present, and a sound when it is one's turn."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.clocks.banks import HEAD_START
from games.models import Game, Vote
from games.novaluna.engine import Resign
from games.services import presence, seat_changes, tables, votes
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs
from tests.browser.waits import HEAR_STREAM, wait_for_stream, wait_for_version
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# Counts the notes that the page plays, in place of a loudspeaker.
COUNT_NOTES = """() => {
    window.notes = 0;
    const play = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.notes += 1; return play.apply(this, when); };
}"""


@pytest.fixture
def game() -> Game:
    table = tables.open_table(play.person("Ines"), tables.TableOptions(2, is_public=True, pace="live"))
    tables.join(table.key, play.person("Tobias"))
    return play.fresh(table)


def waiting_player(game: Game) -> User:
    return game.seats.exclude(user=play.mover(game)).get().user


def show_page(page: Page, *, is_shown: bool) -> None:
    """Let the page behave as one that its player looks at, or as one in another tab."""
    state = "visible" if is_shown else "hidden"
    page.evaluate(
        f"Object.defineProperty(document, 'visibilityState', {{ get: () => '{state}', configurable: true }})"
    )
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def clock_of(page: Page, user: User) -> str:
    """Return what the clock of a player shows in the list of players."""
    return page.locator(".player", has_text=user.username).locator("[role=timer]").inner_text()


def test_all_clocks_show_and_the_running_one_ticks(open_as: OpenAs, game: Game) -> None:
    mover, other = play.mover(game), waiting_player(game)
    page = open_as(other, game.get_absolute_url())
    # The clock of the device must not matter.
    page.clock.set_fixed_time(timezone.now() - timedelta(hours=5))
    page.reload()
    first = clock_of(page, mover)
    assert re.fullmatch(r"9:\d\d", first)
    expect(page.locator(".player.is-turn [data-ticks]")).not_to_have_text(first)
    assert clock_of(page, other) == "10:00"
    expect(page).to_have_title(re.compile(rf"^{mover} to move · 9:\d\d · "))
    # Beside the clocks of the players, the heading has none.
    for height, is_shown in ((900, False), (600, True)):
        page.set_viewport_size({"width": 1440, "height": height})
        expect(page.locator(".turn .due")).to_be_visible(visible=is_shown)

    page = open_as(mover, game.get_absolute_url())
    # Not before the browser has opened its page, which can take as long on a busy machine.
    play.move_deadline(game, timezone.now() + timedelta(seconds=9.9))
    page.reload()
    expect(page.locator(".player.is-turn [data-ticks]")).to_have_text(re.compile(r"^\d\.\d$"))
    expect(page.locator(".player.is-turn [data-ticks]")).to_have_class("is-low is-last")
    expect(page).to_have_title(re.compile(r"^Your turn · \d\.\d · "))
    # htmx sets the title of an answer after the clock has counted on.
    page.evaluate("document.title = document.title.replace(/\\d\\.\\d/, '10:00')")
    expect(page).to_have_title(re.compile(r"^Your turn · \d\.\d · "))


def test_a_player_whose_time_is_up_waits_for_the_result(open_as: OpenAs, game: Game) -> None:
    mover = play.mover(game)
    page = open_as(mover, game.get_absolute_url())
    page.clock.install()
    page.reload()
    ways.choose(page)
    page.clock.fast_forward(timedelta(minutes=10) // timedelta(milliseconds=1))
    play.move_deadline(game, timezone.now())
    game.seats.exclude(clock_started_at=None).update(clock_started_at=timezone.now() - timedelta(minutes=10))
    error = page.locator("#bar [role=alert]")
    expect(error).to_have_text("Time is up.")
    page.locator("#confirm").click()
    page.wait_for_timeout(300)
    assert play.fresh(game).version == 0
    seat_changes.time_out(game.pk)
    expect(page.locator("#prompt-title")).to_have_text(re.compile("^Your clock ran out, so .+ wins$"))
    expect(error).to_have_count(0)


def test_pages_show_who_is_present(open_as: OpenAs, game: Game) -> None:
    mover, other = play.mover(game), waiting_player(game)
    game.seats.update(seen_at=None)
    page = open_as(mover, game.get_absolute_url())
    mark = page.locator(".player").get_by_title("Has the game open")
    expect(page.locator(".player")).to_have_count(2)
    expect(mark).to_be_hidden()
    # The events that follow each change of a game say who is present.
    presence.mark(game.key, other.pk)
    play.play_one(game)
    expect(mark).to_be_visible()
    game.seats.filter(user=other).update(seen_at=timezone.now() - timedelta(minutes=2))
    votes.start(game.key, mover, Vote.Purpose.CANCEL)
    expect(mark).to_be_hidden()
    left = page.locator("#bar .bar__gone")
    expect(left).to_have_text(f"{other.username} is away. The clocks keep running.")
    page.locator("#bar [data-step=previous]").click()
    expect(page.locator("#bar .bar__steps")).to_be_visible()
    expect(left).to_be_visible()
    spectators = page.locator("#spectators")
    expect(spectators).to_be_hidden()
    presence.mark(game.key, other.pk)
    presence.mark(game.key, play.person("Mina").pk)
    play.play_one(game)
    expect(left).to_have_count(0)
    expect(mark).to_be_visible()
    expect(spectators).to_have_text("Watching now: 1")


def test_a_player_in_another_tab_is_away_until_they_come_back(open_as: OpenAs, game: Game) -> None:
    player = waiting_player(game)
    page = open_as(player, game.get_absolute_url())
    assert play.is_present(game.key, player.pk)
    show_page(page, is_shown=False)
    wait_until(lambda: not play.is_present(game.key, player.pk), "the player to be away")
    show_page(page, is_shown=True)
    wait_until(lambda: play.is_present(game.key, player.pk), "the player to be back")


def test_a_page_in_sight_keeps_its_player_present_when_another_one_is_left(
    open_as: OpenAs, game: Game
) -> None:
    player = waiting_player(game)
    page = open_as(player, "/rules/")
    page.add_init_script(HEAR_STREAM)
    page.goto(game.get_absolute_url())
    wait_for_stream(page)  # which marks the player as present
    presence.mark_left(game.key, player.pk, timezone.now())
    assert not play.is_present(game.key, player.pk)
    wait_until(lambda: play.is_present(game.key, player.pk), "the player to be present", 20)


def test_spectators_see_that_a_player_is_away_and_back(open_as: OpenAs, game: Game) -> None:
    player = waiting_player(game)
    presence.mark(game.key, player.pk)
    page = open_as(play.person("Noor"), game.get_absolute_url())
    left = page.locator("#bar .bar__gone")
    presence.mark_left(game.key, player.pk, timezone.now())
    expect(left).to_have_text(f"{player.username} is away. The clocks keep running.")
    presence.mark(game.key, player.pk)
    expect(left).to_have_count(0)


def test_nobody_is_called_away_while_a_bot_plays_for_them(open_as: OpenAs, game: Game) -> None:
    player = waiting_player(game)
    presence.mark(game.key, player.pk)
    page = open_as(play.person("Noor"), game.get_absolute_url())
    game.seats.filter(user=player).update(caretaker="easy")
    presence.mark_left(game.key, player.pk, timezone.now())
    wait_for_version(page, play.play_one(game).number)
    expect(page.locator(f".player [data-here='{game.seats.get(user=player).number}']")).to_be_hidden()
    expect(page.locator("#bar .bar__gone")).to_have_count(0)


def test_clocks_tick_before_the_site_has_answered_a_question_for_the_time(
    open_as: OpenAs, game: Game
) -> None:
    page = open_as(play.mover(game), "/rules/")
    page.route("**/updates/", lambda _route: None)
    page.goto(game.get_absolute_url())
    off = page.evaluate("window.serverNow() - Date.now()")
    assert abs(off) < 2000
    before = clock_of(page, play.mover(game))
    wait_until(lambda: clock_of(page, play.mover(game)) != before, "the clock to tick")


def test_who_looks_back_sees_that_the_game_has_ended(open_as: OpenAs, game: Game) -> None:
    play.play_one(game)
    page = open_as(waiting_player(game), game.get_absolute_url())
    page.locator("#bar [data-step=previous]").click()
    expect(page.locator("#bar .bar__steps")).to_be_visible()
    play.play(game.key, play.mover(game), Resign(0), 2, uuid.uuid4())
    line = page.locator("#bar .bar__gone")
    expect(line).to_have_text("The game has ended.")
    page.get_by_role("link", name="Back to the result").click()
    expect(page.locator("#game.is-over")).to_be_visible()
    expect(line).to_have_count(0)
    page.locator("#bar [data-step=previous]").click()
    expect(page.locator("#game.is-past")).to_be_visible()
    expect(line).to_have_count(0)


@pytest.mark.parametrize(("seconds", "name"), [(61, ""), (40, "is-low")])
def test_a_spectator_sees_that_a_clock_is_low_also_while_it_rests(
    open_as: OpenAs, game: Game, seconds: int, name: str
) -> None:
    game.seats.update(bank=timedelta(seconds=seconds + 20))
    game.seats.filter(clock_started_at=None).update(bank=timedelta(seconds=seconds))
    page = open_as(play.person("Mina"), game.get_absolute_url())
    resting = page.locator(".player [role=timer]:not([data-ticks])")
    assert (resting.get_attribute("class") or "") == name
    if name:
        weight = resting.evaluate("(clock) => getComputedStyle(clock).fontWeight")
        assert weight == "700", "not only another colour"


def test_the_link_to_the_next_game_to_watch_stays_and_is_not_asked_for_again(
    open_as: OpenAs, game: Game
) -> None:
    play.play_one(game)
    other = play.game_of(play.person("Noor"), play.person("Omar"))
    play.play_one(other)
    page = open_as(play.person("Mina"), game.get_absolute_url(), viewport={"width": 1440, "height": 900})
    link = page.get_by_role("link", name="Next game to watch")
    expect(link).to_be_visible()
    detail = page.locator("#prompt-detail")
    expect(detail).to_contain_text("placed it as the first tile: time 0 →")
    assert detail.evaluate("(words) => words.scrollHeight <= words.offsetHeight"), "the words are cut"
    page.evaluate("window.link = document.getElementById('watch-next')")
    with page.expect_request(lambda request: request.headers.get("x-leads-on") == "1"):
        play.play_one(game)
    wait_for_version(page, 2)
    expect(link).to_have_attribute("href", other.get_absolute_url())
    assert page.evaluate("link.isConnected")
    play.play_out(game)
    expect(page.locator("#result")).to_be_visible()
    expect(link).to_be_visible()


def test_a_turn_begins_with_a_sound_for_players_who_want_it(open_as: OpenAs, game: Game) -> None:
    mover, other = play.mover(game), waiting_player(game)
    User.objects.filter(pk=other.pk).update(sound=True)
    pages = [open_as(user, game.get_absolute_url()) for user in (other, mover)]
    for page in pages:
        page.evaluate(COUNT_NOTES)
        page.locator("h1").first.dispatch_event("pointerdown")
        page.mouse.click(1, 1)
    show_page(pages[0], is_shown=False)
    for player in (mover, other):
        while play.mover(play.fresh(game)) == player:
            play.play_one(game)
        # A page that hears of several actions at once shows the last.
        version = play.fresh(game).live_version
        for page in pages:
            wait_for_version(page, version)
    # The notes come when a new board has settled, shortly after it shows.
    wait_until(lambda: pages[0].evaluate("window.notes") == 2, "two notes")
    assert pages[1].evaluate("window.notes") == 0
    menu = pages[1].locator("#about")
    menu.locator("summary").click()
    menu.get_by_role("button", name="Turn the sound on").click()
    wait_until(lambda: pages[1].evaluate("window.notes") == 2, "the notes to be heard")
    assert User.objects.get(pk=mover.pk).sound
    sign = pages[1].locator("#sound-sign").get_by_role("button", name="Turn the sound off")
    expect(sign).to_be_in_viewport(ratio=1)
    sign.click()
    expect(menu.locator("#sound-switch")).to_have_text("Turn the sound on")
    assert not User.objects.get(pk=mover.pk).sound
    expect(pages[1].locator("#sound-sign").get_by_role("button", name="Turn the sound on")).to_be_focused()
    votes.start(game.key, mover, Vote.Purpose.CANCEL)
    expect(pages[0]).to_have_title(re.compile("^Proposal · "))
    wait_until(lambda: pages[0].evaluate("window.notes") == 4, "two more notes")


def test_who_waits_at_a_live_table_in_another_tab_learns_that_the_game_has_started(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    User.objects.filter(pk=ines.pk).update(sound=True)
    table = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="live3"))
    page = open_as(ines, table.get_absolute_url())
    page.add_init_script(HEAR_STREAM)
    page.reload()
    wait_for_stream(page)
    page.evaluate(COUNT_NOTES)
    page.mouse.click(1, 1)
    show_page(page, is_shown=False)
    seen_at = table.seats.get(user=ines).seen_at
    tables.join(table.key, play.person("Tobias"))
    expect(page).to_have_title("The game has started")
    wait_until(lambda: page.evaluate("window.notes") == 2, "two notes")
    assert table.seats.get(user=ines).seen_at == seen_at, "emails and push messages still come"
    show_page(page, is_shown=True)
    clock, start = page.locator(".player.is-turn .ticking"), page.locator(".player.is-turn .ticking__start")
    expect(start).to_have_text(re.compile(r"^starts in \d+ s$"))
    expect(clock).not_to_contain_class("is-running")
    expect(clock.get_by_role("timer")).to_have_text("3:00")
    starts_at = timezone.now() + timedelta(seconds=3)
    deadline = starts_at + timedelta(minutes=3)
    table.seats.exclude(clock_started_at=None).update(clock_started_at=starts_at, deadline=deadline)
    Game.objects.filter(pk=table.pk).update(started_at=starts_at - HEAD_START, deadline=deadline)
    page.reload()
    expect(clock).to_contain_class("is-running")
    expect(start).to_be_hidden()
    expect(clock.get_by_role("timer")).to_have_text(re.compile(r"^2:\d\d$"))


def test_who_looks_for_people_in_another_tab_learns_that_the_game_has_started(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    User.objects.filter(pk=ines.pk).update(sound=True)
    page = open_as(ines, "/play/person/")
    page.get_by_role("button", name="Look for somebody").click()
    stop = page.get_by_role("button", name="Stop looking")
    expect(stop).to_be_visible()
    page.evaluate(COUNT_NOTES)
    page.mouse.click(1, 1)
    stop.focus()
    show_page(page, is_shown=False)
    tables.start_looking(play.person("Tobias"), "novaluna", uuid.uuid4())
    expect(page).to_have_title("The game has started")
    wait_until(lambda: page.evaluate("window.notes") == 2, "two notes")
    expect(page.get_by_role("link", name="Go to the game")).to_be_focused()
    expect(page).to_have_url(re.compile("/play/person/$"))  # so emails and push messages still come
    show_page(page, is_shown=True)
    page.wait_for_url("**/g/*/")


def test_a_spectator_hears_a_note_for_each_action(open_as: OpenAs, game: Game) -> None:
    """The switch is in sight; looking back is silent."""
    zoe = play.person("Zoe")
    play.play_one(game)
    page = open_as(zoe, game.get_absolute_url())
    page.evaluate(COUNT_NOTES)
    page.locator("#sound-sign").get_by_role("button", name="Turn the sound on").click()
    wait_until(lambda: page.evaluate("window.notes") == 1, "the note to be heard")
    assert User.objects.get(pk=zoe.pk).sound
    play.play_one(game)
    wait_for_version(page, play.fresh(game).live_version)
    wait_until(lambda: page.evaluate("window.notes") == 2, "a note for the action")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#game.is-past")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#game:not(.is-past)")).to_be_visible()
    assert page.evaluate("window.notes") == 2


def test_of_several_tabs_of_a_game_one_plays_the_sound(open_as: OpenAs, game: Game) -> None:
    mover, other = play.mover(game), waiting_player(game)
    User.objects.filter(pk=other.pk).update(sound=True)
    first = open_as(other, game.get_absolute_url())
    second = first.context.new_page()
    second.goto(game.get_absolute_url())
    tabs = [first, second]
    for tab in tabs:
        tab.evaluate(COUNT_NOTES)
        tab.locator("h1").first.dispatch_event("pointerdown")
        tab.mouse.click(1, 1)

    def begin_turn() -> None:
        """Play until another turn of the player begins on all tabs."""
        for player in (other, mover):
            while play.mover(game) == player:
                play.play_one(game)
            # A page that hears of several actions at once shows the last.
            for tab in tabs:
                wait_for_version(tab, play.fresh(game).live_version)

    def count_notes() -> int:
        return sum(tab.evaluate("window.notes") for tab in tabs)

    begin_turn()
    wait_until(lambda: count_notes() >= 2, "the notes of a turn")
    begin_turn()
    wait_until(lambda: count_notes() >= 4, "the notes of the next turn")
    assert count_notes() == 4
    first.close()
    tabs.remove(first)
    before = second.evaluate("window.notes")
    begin_turn()
    wait_until(lambda: second.evaluate("window.notes") == before + 2, "the notes of the other tab")
