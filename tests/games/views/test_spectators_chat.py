"""What spectators write: they alone read it while the game runs, and all who may see the game after that."""

import json
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import ChatLine, Game, Measure, Notification, Report, SeatOffer, is_spectator
from games.queries.chat import newest_lines
from games.queries.people.own_rows import own_rows
from games.services import hand_overs, seat_changes
from games.services.play import lock_game
from games.services.private import blocks
from games.services.talk.moderation import decisions
from tests.clients import HTMX, client_of
from tests.games.moderation.cases import line_of, moderator
from tests.play import fresh, game_of, hand_over, match_of, person, play_out, solo_of

pytestmark = pytest.mark.django_db

TEXT = "Ines should take the blue two"
PARTS = ("", "text/", "chat/", "chat/?line=0", "version/", "chat/ of htmx")


@pytest.fixture
def noor() -> User:
    return person("Noor")


@pytest.fixture
def watched(game: Game, noor: User) -> Game:
    """A running game of Ines and Tobias, about which Noor has written as a spectator."""
    assert post(noor, game) == 302
    return game


def post(user: User | None, game: Game, text: str = TEXT) -> int:
    client = client_of(user) if user else Client()
    fields = {"text": text, "request_id": str(uuid.uuid4())}
    return client.post(f"/g/{game.key}/chat/", fields).status_code


def parts_with_line(game: Game, viewer: User | None, text: str = TEXT) -> set[str]:
    """Return the parts of the site in which a viewer reads the line."""
    client = client_of(viewer) if viewer else Client()
    answers = {part: client.get(f"/g/{game.key}/{part}") for part in PARTS[:-1]}
    answers[PARTS[-1]] = client.get(f"/g/{game.key}/chat/", headers=HTMX)
    more = ["/", "/finished/", "/finished/?chat=on", f"/g/{game.key}/record.json", "/notifications/sent/"]
    answers |= {path: client.get(path) for path in more if viewer}
    return {part for part, answer in answers.items() if text in answer.text}


READ = set(PARTS) - {"version/"}


def test_spectators_read_their_lines_and_players_do_not_until_the_end(
    watched: Game, ines: User, tobias: User, noor: User
) -> None:
    mina = person("Mina")
    for reader in (noor, mina):
        assert parts_with_line(watched, reader) >= READ
    for player in (ines, tobias):
        assert parts_with_line(watched, player) == set()
        assert TEXT not in repr(list(own_rows(player)))
    assert TEXT in repr(list(own_rows(noor)))
    assert not Notification.objects.filter(kind="chat").exists()
    assert post(ines, watched, "Good luck") == 302
    assert parts_with_line(watched, mina, "Good luck") == set(), "the players' chat stays theirs"
    play_out(watched)
    for reader in (ines, tobias, noor, mina, None):
        assert parts_with_line(watched, reader) >= READ
        assert parts_with_line(watched, reader, "Good luck") >= READ
    page = client_of(ines).get(f"/g/{watched.key}/").text
    assert 'class="chat__who muted">· spectator<' in page


def test_visitors_and_guests_read_nothing_before_the_end_and_are_led_to_log_in(watched: Game) -> None:
    guest = User.objects.create(username="Lucky Comet", is_guest=True)
    for viewer in (guest, None):
        client = client_of(viewer) if viewer else Client()
        page = client.get(f"/g/{watched.key}/").text
        assert f"/account/login/?next=/g/{watched.key}/" in page[page.index('id="chat-panel"') :]
        assert 'id="chat-text"' not in page
        assert post(viewer, watched, "Hi") == 403
        assert parts_with_line(watched, viewer) == set()
    assert ChatLine.objects.count() == 1
    play_out(watched)
    for viewer in (guest, None):
        assert parts_with_line(watched, viewer) >= READ
        assert post(viewer, watched, "Hi") == 403


def test_whom_a_player_has_blocked_neither_reads_nor_writes(
    watched: Game, ines: User, tobias: User, noor: User
) -> None:
    bruno, vera = person("Bruno"), person("Vera")
    blocks.block(ines, bruno)
    blocks.block(vera, tobias)
    for apart in (bruno, vera):
        assert parts_with_line(watched, apart) == set()
        assert 'id="chat"' not in client_of(apart).get(f"/g/{watched.key}/").text
        assert post(apart, watched) in (403, 404)
    assert post(noor, watched, "Still here") == 302
    assert watched.spectators_lines.count() == 2


def test_spectators_who_are_apart_or_mute_each_other_do_not_read_each_other(
    watched: Game, noor: User
) -> None:
    apart, muter, other = person("Bruno"), person("Vera"), person("Mina")
    blocks.block(noor, apart)
    page = client_of(muter).get(f"/g/{watched.key}/").text
    assert 'action="/people/Noor/mute/"' in page
    client_of(muter).post("/people/Noor/mute/", {"is_muted": "True", "game": watched.key})
    assert parts_with_line(watched, other) >= READ
    for reader in (apart, muter):
        assert parts_with_line(watched, reader) == set()
        assert "Lines that are hidden from you" in client_of(reader).get(f"/g/{watched.key}/").text
    assert 'action="/people/Noor/mute/"' not in client_of(apart).get(f"/g/{watched.key}/").text


def test_who_takes_a_seat_reads_and_writes_no_longer_what_spectators_do(watched: Game, ines: User) -> None:
    mina, other = person("Mina"), person("Vera")
    assert parts_with_line(watched, mina) >= READ
    offer = hand_overs.offer(watched.key, ines, is_public=False).seat_offers.get()
    hand_overs.take(offer.key, mina)
    assert parts_with_line(watched, mina) == set(), "the seat is theirs soon"
    SeatOffer.objects.update(taken_at=timezone.now() - timedelta(days=2))
    hand_overs.finish(offer.pk)
    for player in (mina, ines):
        assert parts_with_line(watched, player) == set()
    assert parts_with_line(watched, other) >= READ
    post(mina, watched, "As a player")
    post(ines, watched, "As a former player")
    assert watched.spectators_lines.count() == 1
    assert watched.chat_lines.get().text == "As a player"


def test_a_player_whose_seat_a_bot_plays_is_a_player(watched: Game, ines: User) -> None:
    game = lock_game(pk=watched.pk)
    seat_changes.hand_to_bot(game, game.seats.get(user=ines), "easy", "time")
    assert parts_with_line(watched, ines) == set()


def test_games_on_shared_deals_and_for_one_have_no_chat_of_spectators(
    game: Game, ines: User, tobias: User, noor: User
) -> None:
    shared = match_of(ines, tobias)[0]
    for closed in (shared, solo_of(ines)):
        assert post(noor, closed) in (403, 404)
        assert 'id="chat"' not in client_of(noor).get(f"/g/{closed.key}/").text
    assert post(noor, game) == 302
    assert ChatLine.objects.count() == 1


def test_spectators_of_an_unlisted_game_talk_and_those_of_its_table_do_not(
    ines: User, tobias: User, noor: User
) -> None:
    game = game_of(ines, tobias, is_public=False)
    assert post(noor, game) == 302
    assert parts_with_line(game, person("Mina")) >= READ
    Game.objects.filter(pk=game.pk).update(status="open")
    assert post(noor, game, "Too early") in (403, 404)


def test_spectators_write_for_a_day_after_the_end(watched: Game, noor: User) -> None:
    play_out(watched)
    assert post(noor, watched, "Well played") == 302
    Game.objects.filter(pk=watched.pk).update(moved_at=timezone.now() - timedelta(days=1))
    assert post(noor, watched, "Too late") == 403
    assert watched.spectators_lines.count() == 2
    assert 'id="chat-text"' not in client_of(noor).get(f"/g/{watched.key}/").text


def test_a_person_writes_twenty_lines_an_hour_as_player_and_spectator(game: Game, noor: User) -> None:
    own = game_of(noor, person("Mina"))
    statuses = [post(noor, own if number % 2 else game, f"Line {number}") for number in range(21)]
    assert statuses == [302] * 20 + [429]
    assert post(person("Vera"), game) == 302


def test_whom_moderators_have_muted_does_not_write_as_a_spectator(watched: Game, noor: User) -> None:
    User.objects.filter(pk=noor.pk).update(muted_until=timezone.now() + timedelta(days=1))
    assert post(noor, watched, "Me again") == 403
    assert post(person("Mina"), watched) == 302


def test_a_reported_line_is_hidden_by_a_moderator_who_does_not_play(
    watched: Game, ines: User, noor: User
) -> None:
    reader, line = person("Mina"), watched.spectators_lines.get()
    decider, player = moderator("Quinn"), moderator("Pia")
    hand_over(watched, ines, player)
    line_of(watched, player, "A player's line")
    address = f"/g/{watched.key}/chat/{line.pk}/report/"
    assert client_of(player).get(address).status_code == 404
    assert client_of(reader).post(address, {"about": "line", "person": noor.pk}).status_code == 302
    report = Report.objects.get()
    assert (report.line, report.game, report.quote) == (line, watched, TEXT)
    case, queue = f"/moderation/reports/{report.pk}/", "/moderation/"
    assert TEXT not in client_of(player).get(queue).text
    assert client_of(player).get(case).status_code == 403
    assert TEXT in client_of(decider).get(queue).text
    shown = client_of(decider).get(case).text
    assert TEXT in shown
    assert "A player&#x27;s line" not in shown, "lines of another chat are not around it"
    measure = decisions.take(report.pk, decider, Measure.Kind.HIDE_LINE, Measure.Rule.CHAT, "Be kind.")
    decisions.object_to(measure.pk, noor, "It was a joke.")
    history = f"/moderation/measures/{measure.pk}/"
    assert (client_of(player).get(history).status_code, client_of(decider).get(history).status_code) == (
        403,
        200,
    )
    assert parts_with_line(watched, reader) == set()
    assert "Moderators have hidden this line" in client_of(reader).get(f"/g/{watched.key}/chat/").text
    play_out(watched)
    assert client_of(player).get(history).status_code == 200


def test_staff_who_play_do_not_read_it_in_the_admin(watched: Game, ines: User) -> None:
    User.objects.filter(pk=ines.pk).update(is_staff=True, is_superuser=True)
    ines.refresh_from_db()
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    lines = "/admin/games/chatline/"
    assert TEXT in client_of(keeper).get(lines).text
    assert TEXT not in client_of(ines).get(lines).text
    assert client_of(ines).get(f"{lines}{watched.spectators_lines.get().pk}/change/").status_code == 302
    play_out(watched)
    assert TEXT in client_of(ines).get(lines).text


def test_lines_of_a_deleted_account_stay_without_its_name(watched: Game, noor: User) -> None:
    noor.delete()
    page = client_of(person("Mina")).get(f"/g/{watched.key}/chat/").text
    assert TEXT in page
    assert "a former spectator" in page


def test_players_have_nothing_unread_of_spectators_after_the_end(
    watched: Game, ines: User, tobias: User
) -> None:
    play_out(watched)
    assert post(tobias, watched, "Well played") == 302
    client = client_of(ines)
    assert "New lines in the chat:" in client.get("/finished/").text
    page = client.get(f"/g/{watched.key}/").text
    line = watched.chat_lines.get()
    assert f'data-newest="{line.pk}"' in page
    assert "<b>1</b>" in page[page.index('id="chat-count"') :][:300]
    client.post(f"/g/{watched.key}/chat/read/", {"line": line.pk + 9})
    assert fresh(watched).seats.get(user=ines).chat_read_to == line.pk


def test_only_open_pages_of_spectators_get_the_newest_line(watched: Game, ines: User, noor: User) -> None:
    guest = User.objects.create(username="Lucky Comet", is_guest=True)
    line, own = watched.spectators_lines.get().pk, game_of(noor, person("Mina"))
    values = {
        user: json.loads((client_of(user) if user else Client()).get(f"/g/{watched.key}/version/").text)
        for user in (noor, ines, guest, None)
    }
    assert values[noor]["chat"] == line
    assert values[ines]["chat"] == 0
    assert "chat" not in values[guest]
    assert "chat" not in values[None]
    viewers = {(watched.key, noor.pk), (watched.key, ines.pk), (watched.key, None), (own.key, noor.pk)}
    assert newest_lines(viewers) == {
        (watched.key, noor.pk): line,
        (watched.key, ines.pk): 0,
        (own.key, noor.pk): 0,
    }, "also if there are several"


@pytest.mark.databases
def test_who_is_kept_out_gets_no_ids_of_lines_until_the_end(watched: Game, ines: User, tobias: User) -> None:
    blocked, blocking, former, taker = (person(name) for name in ("Bruno", "Vera", "Mina", "Kenji"))
    blocks.block(ines, blocked)
    blocks.block(blocking, tobias)
    hand_over(watched, ines, former)
    hand_over(watched, former, ines)
    hand_overs.take(
        hand_overs.offer(watched.key, tobias, is_public=False).seat_offers.get(settled_at=None).key, taker
    )
    kept = (blocked, blocking, former, taker)
    assert not [one for one in kept if is_spectator(fresh(watched), one)]
    line = watched.spectators_lines.get().pk
    others = {(watched.key, one.pk): line for one in (person("Quinn"), person("Pia"))}
    assert newest_lines({*others, *((watched.key, one.pk) for one in kept)}) == others
    for one in kept:
        assert "chat" not in client_of(one).get(f"/g/{watched.key}/version/").json()
    play_out(watched)
    for one in kept:
        assert client_of(one).get(f"/g/{watched.key}/version/").json()["chat"] == line


def test_after_the_end_all_who_may_read_get_the_newest_line_of_both_chats(
    watched: Game, ines: User, tobias: User, noor: User
) -> None:
    guest = User.objects.create(username="Lucky Comet", is_guest=True)
    play_out(watched)
    viewers = [(watched.key, one) for one in (ines.pk, tobias.pk, noor.pk, guest.pk, None)]
    for writer in (noor, tobias, noor):
        assert post(writer, watched, "Well played") == 302
        newest = ChatLine.objects.latest("pk").pk
        assert newest_lines(viewers) == dict.fromkeys(viewers, newest)
        for viewer in (ines, noor):
            page = client_of(viewer).get(f"/g/{watched.key}/").text
            assert f'data-newest="{newest}"' in page, "nothing more to load"


@pytest.mark.parametrize("is_shared", [False, True])
def test_others_get_no_ids_of_what_players_write_in_games_that_are_closed_to_them(
    is_shared: bool, ines: User, tobias: User, noor: User
) -> None:
    game = match_of(ines, tobias)[0] if is_shared else game_of(ines, tobias, is_public=False)
    assert post(ines, game, "Good luck") == 302
    line = ChatLine.objects.get().pk
    play_out(game)
    viewers = [(game.key, one) for one in (ines.pk, noor.pk, None)]
    assert newest_lines(viewers) == dict.fromkeys(viewers, 0) | {(game.key, ines.pk): line}
