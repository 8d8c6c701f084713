"""A blocked pair cannot reach each other by any of the site's ways, which are listed here.

A new address or kind of notification fails `test_every_address_is_listed` or `test_every_kind_is_listed`
until somebody has thought about whether one person reaches another by it.
"""

import uuid
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver
from django.utils import timezone

from accounts.models import User
from games.models import Block, ChatLine, Follow, Game, Kind, Notification, Report, Seat, SeatOffer
from games.notifications.delivery import why_unwanted
from games.queries.chat import chat_of, unread_counts
from games.queries.hand_overs import listed_offers
from games.queries.lists import lobby
from games.queries.nudges import nudge_state
from games.queries.people.names import names_offered, played_with
from games.services import hand_overs, invitations, tables
from games.services.errors import Conflict, Refused
from games.services.private import blocks
from games.services.private.guest_games import move_games
from games.services.tables import duplicates
from games.services.talk import chat, nudges
from tests.clients import client_of
from tests.play import fresh, game_of, mover, person, play_one, play_out
from tests.site.addresses import url_names

pytestmark = pytest.mark.django_db

# One person reaches another by these addresses; the tests of this file go by each of their services.
WAYS = {
    "games:new",  # invites somebody
    "games:invite",
    "games:invitation",  # joins by the link in an email
    "games:join",
    "games:rematch",
    "games:seek",
    "games:seat",  # takes an offered seat
    "games:duplicate",  # enters a duplicate match
    "games:nudge",
    "games:chat",
    "games:names",  # offers names to invite
    "games:guest_games",  # moves the games of a guest to an account
    "games:home",  # lists tables, seats and matches
}
# These serve one person alone, show what everybody may see, or go on in a game that the two play already.
NO_WAYS = """
    add_bots add_browser block chat_read check_browser close daily daily_day daily_practice daily_start
    deal decline decline_invitation display drop_line duplicate_stream duplicate_version end_vacation
    expert export export_file feed_deadlines feed_turns finished finished_records follow follow_game game
    hand_over help hide_tips hint hours house_rules insights keep_line leaderboard learn learn_step leave
    leave_search mail_move moderation moderation_measure moderation_report moderation_trail mute
    new_duplicate note notifications notifications_sent object person plan plan_vacation play play_now
    preview profile_settings ratings record remove_browser renew_feeds report_game report_line
    report_person reports review rules silence solo solo_results solo_start small_preview sound
    stop_invitations stop_seeking stream swap take_back take_back_action text text_hint text_plan
    text_take_back_action text_try_line train trainer training try_line unsubscribe updates updates_stream
    version vote watch webhook webhook_remove webhook_secret webhook_test withdraw
"""
# About one's own account only. Those that begin so are pages of allauth.
OF_ACCOUNTS = """
    addresses ask_for_reset confirm_code delete_account end_session enter_code events guest_link keep_account
    keep_by_link
    log_in other_browser passkeys send_confirmation set_language set_theme settings sign_up
    sign_up_by_passkey undo
"""
OF_ALLAUTH = ("account_", "mfa_", "usersessions_")
# What staff do in the admin is no way of players; the mailbox exists only without a mail server.
OTHERS = {"mailbox", "mailbox_html", "mailbox_mail", "manifest", "offline", "privacy", "service_worker"}
# Rows in which a person is named because another one wants something of them: ways too. Actions that one page
# has beside others have no address of their own, but they store something.
ROWS_OF_WAYS = """
    ChatLine DuplicateEntry DuplicateInvitation Notification Nudge Seat SeatOffer Seek
"""
OTHER_ROWS = """
    Action Attendance Block Browser DuplicateMatch Export Follow FollowedGame Game HiddenPart HoursChange
    Measure Mute NotificationChoice Plan PlayerRating PrivateNote RatingChange ReceivedReply Report
    Review SeatChange SoloResult Standing TrainingPosition TryLine Vacation Vote Watch Webhook
"""
# What is owed because another person wants to reach somebody, and not because of a game that goes on.
KINDS_OF_WAYS = {Kind.INVITATION, Kind.NUDGE, Kind.CHAT}
OTHER_KINDS = {
    *(Kind.TURN, Kind.STARTED, Kind.OVER, Kind.MATCH, Kind.TABLE, Kind.LEFT, Kind.REMINDER),
    *(Kind.CARETAKER, Kind.VOTE, Kind.SEAT, Kind.FOLLOWED),
}


def test_every_address_is_listed() -> None:
    names = {
        name
        for name in url_names(get_resolver().url_patterns)
        if not name.startswith((*OF_ALLAUTH, "admin:"))
    }
    assert unlisted(names) == set(), "does one person reach another by these? List them above"
    assert names >= WAYS
    for name in ("games:whisper", "accounts:whisper", "whisper"):
        assert unlisted({*names, name}) == {name}


def unlisted(names: set[str]) -> set[str]:
    listed = WAYS | OTHERS | {f"games:{name}" for name in NO_WAYS.split()}
    return names - listed - {f"accounts:{name}" for name in OF_ACCOUNTS.split()}


def test_every_kind_is_listed() -> None:
    assert set(Kind) == KINDS_OF_WAYS | OTHER_KINDS


def test_every_row_that_names_a_person_is_listed() -> None:
    models = {
        model.__name__
        for model in apps.get_app_config("games").get_models()
        if any(field.related_model is User for field in model._meta.concrete_fields)
    }
    listed = {*ROWS_OF_WAYS.split(), *OTHER_ROWS.split()}
    assert models - listed == set(), "does one person reach another by these? List them above"
    assert listed - models == set(), "these are gone"


@pytest.fixture(params=["the first blocks the second", "the second blocks the first"])
def pair(request: pytest.FixtureRequest) -> tuple[User, User]:
    """Two people of whom one has blocked the other."""
    ines, tobias = person("Ines"), person("Tobias")
    blocks.block(*((ines, tobias) if request.param.startswith("the first") else (tobias, ines)))
    return ines, tobias


def open_table(opener: User, seats: int = 3) -> Game:
    return tables.open_table(opener, tables.TableOptions(seats, is_public=True, pace=Game.Pace.SLOW))


def owed(user: User, *kinds: str) -> int:
    return Notification.objects.filter(user=user, kind__in=kinds or KINDS_OF_WAYS).count()


def test_neither_invites_the_other_by_name(pair: tuple[User, User]) -> None:
    ines, tobias = pair
    table = open_table(ines)
    with pytest.raises(Conflict, match="You can't invite Tobias"):
        invitations.invite(table.key, ines, tobias)
    assert owed(tobias) == 0


def test_an_invitation_by_address_looks_as_always_and_does_not_arrive(pair: tuple[User, User]) -> None:
    ines, tobias = pair
    table, sent = open_table(ines), []
    invitations.invite_address(table.key, ines, tobias.email, sent.append)
    assert table.seats.kept_for_address(tobias.email).count() == 1, "as for an address without an account"
    assert sent == []
    assert owed(tobias) == 0
    assert not table.seats.kept_for(tobias).exists()
    assert lobby(tobias).invitations == []
    invitations.keep_for_owner(tobias.email, tobias)
    assert not table.seats.kept_for(tobias).exists()


@pytest.mark.parametrize("is_blocker", [True, False], ids=["who is invited blocks", "the opener blocks"])
def test_an_address_that_is_not_confirmed_gets_no_invitation_either(is_blocker: bool) -> None:
    """It never was, or emails to it came back."""
    ines, tobias = person("Ines"), person("Tobias", confirmed=False)
    blocks.block(*((tobias, ines) if is_blocker else (ines, tobias)))
    table, sent = open_table(ines), []
    invitations.invite_address(table.key, ines, tobias.email, sent.append)
    assert (sent, table.seats.kept_for_address(tobias.email).count()) == ([], 1)
    others = open_table(person("Noor"))
    assert others.opened_by is not None
    invitations.invite_address(others.key, others.opened_by, tobias.email, sent.append)
    assert sent == [others]


def test_neither_joins_a_table_of_the_other_or_sees_it_listed(pair: tuple[User, User]) -> None:
    ines, tobias = pair
    noor = person("Noor")
    own, others = open_table(ines), open_table(noor)
    tables.join(others.key, ines)
    for table in (own, others):
        with pytest.raises(Conflict, match="don't play together"):
            tables.join(table.key, tobias)
    assert [summary.game for summary in lobby(tobias).open_tables] == []
    assert {summary.game for summary in lobby(person("Mina")).open_tables} == {own, others}
    page = client_of(tobias).post(f"/g/{own.key}/join/", follow=True)
    assert "You and somebody there don&#x27;t play together." in page.text


def test_no_rematch_brings_them_together(pair: tuple[User, User]) -> None:
    ines, tobias = pair
    Block.objects.all().delete()
    finished = play_out(game_of(ines, tobias))
    blocks.block(tobias, ines)
    for user in pair:
        with pytest.raises(Conflict, match="don't play together"):
            tables.rematch(finished.key, user)


def test_nobody_is_found_for_a_live_game_who_keeps_apart(pair: tuple[User, User]) -> None:
    ines, _tobias = pair
    for user in pair:
        assert tables.start_looking(user, "novaluna", uuid.uuid4()).game is None
    noor = person("Noor")
    game = tables.start_looking(noor, "novaluna", uuid.uuid4()).game
    assert game is not None
    assert {seat.user for seat in game.seats.all()} == {noor, ines}, "who has waited longest"


def test_neither_takes_a_seat_in_a_game_of_the_other(pair: tuple[User, User]) -> None:
    ines, tobias = pair
    game = game_of(ines, person("Noor"))
    hand_overs.offer(game.key, User.objects.get(username="Noor"), is_public=True)
    offer = SeatOffer.objects.get()
    with pytest.raises(Conflict, match="don't play together"):
        hand_overs.take(offer.key, tobias)
    assert listed_offers(tobias) == []
    assert len(listed_offers(person("Mina"))) == 1


@pytest.mark.parametrize("was_there", ["the one with a seat", "the one who takes a seat"])
@pytest.mark.parametrize("is_late", [False, True], ids=["within the day", "found at its end"])
def test_no_seat_that_is_handed_over_brings_them_together(was_there: str, is_late: bool) -> None:
    ines, tobias, noor = person("Ines"), person("Tobias"), person("Noor")
    game = game_of(ines, noor, person("Mina"))
    hand_overs.offer(game.key, noor, is_public=True)
    offer = SeatOffer.objects.get()
    hand_overs.take(offer.key, tobias)
    blocker, blocked = (ines, tobias) if was_there == "the one with a seat" else (tobias, ines)
    if is_late:
        Block.objects.create(user=blocker, blocked=blocked)
    else:
        blocks.block(blocker, blocked)
        assert len(listed_offers(person("Halley"))) == 1, "somebody else can take it"
    SeatOffer.objects.update(taken_at=timezone.now() - timedelta(days=2))
    hand_overs.finish(offer.pk)
    assert game.seats.filter(user=noor).exists()
    assert not game.seats.filter(user=tobias).exists()


def test_no_game_of_a_guest_brings_them_together(pair: tuple[User, User]) -> None:
    ines, tobias = pair
    noor, guest = person("Noor"), User.objects.create(username="Amber-Comet", is_guest=True)
    running, others = game_of(guest, tobias), game_of(guest, noor)
    table = open_table(tobias)
    tables.join(table.key, guest)
    over = play_out(game_of(tobias, guest))
    assert move_games(guest, ines) == 2
    assert set(Game.objects.with_seat_of(ines)) == {others, over}
    assert set(Game.objects.with_seat_of(guest)) == {running, table}


def test_neither_enters_a_duplicate_match_of_the_other(pair: tuple[User, User]) -> None:
    ines, tobias = pair
    match = duplicates.open_match(ines, 2, 2, pace=Game.Pace.SLOW, is_public=True)
    with pytest.raises(Conflict, match="don't play together"):
        duplicates.enter(match.key, tobias)
    with pytest.raises(Conflict, match="You can't invite Tobias"):
        duplicates.invite(match.key, ines, tobias, lambda _match: None)
    assert lobby(tobias).matches == []
    assert len(lobby(person("Mina")).matches) == 1


def test_neither_follows_the_other(pair: tuple[User, User]) -> None:
    for user, other in (pair, pair[::-1]):
        client = client_of(user)
        assert "is_following" not in client.get(f"/people/{other.username}/").text
        client.post(f"/people/{other.username}/follow/", {"is_following": "True"})
    assert not Follow.objects.exists()


def test_a_profile_reads_no_blocks_for_visitors(pair: tuple[User, User]) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert Client().get(f"/people/{pair[0].username}/").status_code == 200
    assert not [query["sql"] for query in captured if 'FROM "games_block"' in query["sql"]]


@pytest.fixture
def running(pair: tuple[User, User]) -> Game:
    """A game of the pair that began before the block, and of a third person."""
    kept = list(Block.objects.all())
    Block.objects.all().delete()
    game = game_of(*pair, person("Noor"))
    Notification.objects.all().delete()
    for block in kept:
        blocks.block(block.user, block.blocked)
    return fresh(game)


def test_a_running_game_goes_on(running: Game) -> None:
    play_one(running)
    assert fresh(running).version == 1
    assert fresh(running).is_running
    assert set(running.seats.values_list("user__username", flat=True)) == {"Ines", "Tobias", "Noor"}


def test_nobody_nudges_a_person_who_keeps_apart(pair: tuple[User, User], running: Game) -> None:
    slow = mover(running)
    long_ago = timezone.now() - timedelta(days=2)
    Game.objects.filter(pk=running.pk).update(started_at=long_ago, moved_at=long_ago)
    Seat.objects.update(clock_started_at=long_ago)
    noor = User.objects.get(username="Noor")
    for sender in {*pair, noor} - {slow}:
        if {slow, sender} == set(pair):
            assert nudge_state(fresh(running), sender) is None
            with pytest.raises(Refused):
                nudges.nudge(running.key, sender)
            assert owed(slow) == 0
        else:
            assert nudge_state(fresh(running), sender) is not None
    nudger = pair[0] if slow == noor else noor
    nudges.nudge(running.key, nudger)
    [owed_nudge, *_others] = Notification.objects.filter(user=slow, kind=Kind.NUDGE)
    assert why_unwanted(owed_nudge) == ""
    Block.objects.create(user=nudger, blocked=slow)
    assert why_unwanted(owed_nudge) == "apart", "it was owed before the block"


def test_neither_reads_what_the_other_writes(pair: tuple[User, User], running: Game) -> None:
    ines, tobias = pair
    noor = User.objects.get(username="Noor")
    for user in (ines, tobias):
        chat.write(running.key, user, f"A line of {user.username}", uuid.uuid4())
    for reader, lines in (
        (ines, ["A line of Ines"]),
        (tobias, ["A line of Tobias"]),
        (noor, ["A line of Ines", "A line of Tobias"]),
    ):
        shown = chat_of(fresh(running), reader)
        assert shown is not None
        assert [line.text for line in shown.lines] == lines
        page = client_of(reader).get(f"/g/{running.key}/").text
        assert [text for text in ("A line of Ines", "A line of Tobias") if text in page] == lines
    assert (owed(ines, Kind.CHAT), owed(tobias, Kind.CHAT)) == (0, 0)
    for reader, other in (pair, pair[::-1]):
        check_they_can_report_the_line(running, reader, other)
    assert owed(noor, Kind.CHAT) > 0
    assert unread_counts(ines) == {}
    assert unread_counts(noor) == {running.pk: 2}


def check_they_can_report_the_line(game: Game, reader: User, other: User) -> None:
    """A block hides no insult from the moderators: neither of whom it was meant for, nor of its writer."""
    client, line = client_of(reader), ChatLine.objects.get(author=other)
    address = f"/g/{game.key}/chat/{line.pk}/report/"
    for page in ("", "chat/", "text/"):
        shown = client.get(f"/g/{game.key}/{page}").text
        assert "Lines that are hidden from you" in shown
        assert address in shown
    assert f"A line of {other.username}" in client.get(address).text
    assert client.post(address, {"about": "line", "person": other.pk}).status_code == 302
    assert Report.objects.get(reporter=reader).line == line


def test_names_are_not_offered_to_each_other(pair: tuple[User, User], running: Game) -> None:
    ines, tobias = pair
    assert "Tobias" not in names_offered("Tob", ines)
    assert "Ines" not in names_offered("Ine", tobias)
    assert tobias not in played_with(ines, open_table(ines))
    assert "Tobias" in names_offered("Tob", User.objects.get(username="Noor"))
