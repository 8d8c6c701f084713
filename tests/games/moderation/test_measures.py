"""What measures do in all ways of the site, what the person learns, and their objection."""

import uuid
from datetime import timedelta

import pytest
from django.urls import get_resolver
from django.utils import timezone

from accounts.models import AccountMail, User
from games.models import (
    ChatLine,
    Game,
    Kind,
    Measure,
    Notification,
    Report,
    ScoreCount,
    Seat,
    SeatOffer,
    Standing,
    TrailEntry,
)
from games.queries.chat import chat_of, unread_counts
from games.queries.mail_links import turn_of_player
from games.replies import Purpose, turn_token
from games.services import hand_overs, invitations, seat_changes, tables
from games.services.errors import Conflict, NotSeated, Suspended
from games.services.projections.standings import rebuild_score_counts, rebuild_standings
from games.services.tables import duplicates
from games.services.talk import chat
from games.services.talk.moderation import decisions, effects, reports
from games.views.moderation.suspension import OPEN
from tests.clients import client_of
from tests.games.moderation.cases import moderator, reported_line
from tests.play import fresh, game_of, mover, person, play_out, solo_of
from tests.site.addresses import url_names

pytestmark = pytest.mark.django_db

K = Measure.Kind


@pytest.fixture
def vera() -> User:
    return moderator()


def act(vera: User, subject: User, kind: str, *, days: int | None = 7, game: Game | None = None) -> Measure:
    """Take a measure about a person because of a report of Mina."""
    mina = User.objects.filter(username="Mina").first() or person("Mina")
    about = Report.About.RESULT if game else Report.About.PLAYER
    report = reports.report(mina, subject, about, game=game)
    measure = decisions.take(report.pk, vera, kind, Measure.Rule.CHAT, "Be kind.", days=days)
    subject.refresh_from_db()
    return measure


def open_table(opener: User, *, is_public: bool = True) -> Game:
    return tables.open_table(opener, tables.TableOptions(2, is_public=is_public, pace=Game.Pace.SLOW))


def test_the_person_learns_what_and_why_and_until_when(vera: User) -> None:
    tobias = person("Tobias")
    act(vera, tobias, K.MUTE)
    mail = AccountMail.objects.get(address=tobias.email)
    for text in (mail.text, client_of(tobias).get("/account/reports/").text):
        for part in ("o writing in chats", "Be kind.", "until", "House rule: Chat"):
            assert part in text, part
        assert "Mina" not in text, "who reported it is nobody's business"
        assert "Vera" not in text
    answer = AccountMail.objects.get(address="mina@example.org").text
    assert "have acted" in answer
    assert "Tobias" not in answer


def test_a_muted_person_writes_in_no_chat_until_the_end(vera: User) -> None:
    tobias = person("Tobias")
    game = game_of(person("Ines"), tobias)
    act(vera, tobias, K.MUTE)
    with pytest.raises(NotSeated, match="can't write in chats"):
        chat.write(game.key, tobias, "Hello", uuid.uuid4())
    fields = {"text": "Hello", "request_id": uuid.uuid4()}
    assert client_of(tobias).post(f"/g/{game.key}/chat/", fields).status_code == 403
    Measure.objects.update(ends_at=timezone.now())
    effects.store_ends(tobias)
    chat.write(game.key, tobias, "Hello", uuid.uuid4())


def test_a_hidden_line_is_in_no_page_mail_or_count(vera: User) -> None:
    report = reported_line()
    game, ines = report.game, report.reporter
    assert game is not None
    assert ines is not None
    decisions.take(report.pk, vera, K.HIDE_LINE, Measure.Rule.CHAT, "Be kind.")
    for user in (ines, report.subject):
        for address in (f"/g/{game.key}/", f"/g/{game.key}/text/", f"/g/{game.key}/chat/"):
            page = client_of(user).get(address).text
            assert "You are a fool." not in page
            assert "Moderators have hidden this line." in page
    assert unread_counts(ines) == {}
    shown = chat_of(fresh(game), ines)
    assert shown is not None
    assert [line.text for line in shown.lines] == [""]
    assert not ChatLine.objects.shown_to(ines).exists(), "so it is in no email"


def test_another_name_is_everywhere_and_the_old_one_is_nobodys(vera: User) -> None:
    tobias = person("Tobias")
    game = game_of(person("Ines"), tobias)
    measure = act(vera, tobias, K.RENAME)
    assert tobias.username != "Tobias"
    assert "Tobias" not in client_of(person("Noor")).get(f"/g/{game.key}/").text
    own = client_of(tobias)
    form = own.get("/account/settings/").context["form"]
    values = {name: str(form[name].value()) for name in form.fields} | {"username": "Tobias"}
    assert "Somebody has that name already" in own.post("/account/settings/", values).text
    assert "Choose another name" in own.get("/account/reports/").text
    assert own.post("/account/settings/", values | {"username": "Moonlight"}).status_code == 302
    assert 'name="username"' not in own.get("/account/settings/").text, "they choose once"
    decisions.object_to(measure.pk, tobias, "It is my name.")
    decisions.lift(measure.pk, moderator("Halley"), "So it is.")
    tobias.refresh_from_db()
    assert tobias.username == "Tobias"


def test_no_public_tables_of_ones_own_or_of_others(vera: User) -> None:
    tobias, ines, noor = person("Tobias"), person("Ines"), person("Noor")
    waiting = open_table(ines)
    mine, joined = open_table(tobias), open_table(noor)
    private = open_table(noor, is_public=False)
    act(vera, tobias, K.NO_PUBLIC_TABLES)
    assert not Game.objects.filter(pk=mine.pk).exists()
    assert not open_table(tobias).is_public
    assert not duplicates.open_match(tobias, 2, 2, pace=Game.Pace.SLOW, is_public=True).is_public
    with pytest.raises(Conflict, match="public tables"):
        tables.join(waiting.key, tobias)
    with pytest.raises(Conflict, match="public tables"):
        tables.start_looking(tobias, "novaluna", uuid.uuid4())
    match = duplicates.open_match(ines, 2, 2, pace=Game.Pace.SLOW, is_public=True)
    with pytest.raises(Conflict, match="public tables"):
        duplicates.enter(match.key, tobias)
    running = game_of(ines, noor)
    Game.objects.filter(pk=running.pk).update(is_public=True)
    hand_overs.offer(running.key, noor, is_public=True)
    with pytest.raises(Conflict, match="public tables"):
        hand_overs.take(SeatOffer.objects.get().key, tobias)
    tables.join(private.key, tobias)
    invitations.invite(joined.key, noor, tobias)
    tables.join(joined.key, tobias)


def test_an_unlisted_result_is_on_no_leaderboard_or_list(vera: User) -> None:
    tobias = person("Tobias")
    solo = play_out(solo_of(tobias))
    assert Standing.objects.filter(user=tobias).exists()
    measure = act(vera, tobias, K.UNLIST_RESULT, game=solo)
    assert not Standing.objects.filter(user=tobias).exists()
    assert sum(ScoreCount.objects.values_list("number", flat=True)) == 0
    assert not Game.objects.listed().filter(pk=solo.pk).exists()
    assert rebuild_standings(tobias, check_only=True) == []
    assert rebuild_score_counts(check_only=True) == []
    decisions.lift(measure.pk, vera, "A mistake of ours.")
    assert Standing.objects.filter(user=tobias).exists()
    assert rebuild_standings(tobias, check_only=True) == []
    assert rebuild_score_counts(check_only=True) == []
    assert Game.objects.listed().filter(pk=solo.pk).exists()


@pytest.fixture
def suspended(vera: User) -> User:
    """Somebody who is suspended in a running game with Ines, in which they are to move."""
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    act(vera, mover(game), K.SUSPEND)
    return mover(game)


def test_a_suspended_person_reaches_only_why_and_the_ways_out(suspended: User) -> None:
    client = client_of(suspended)
    game = Game.objects.get()
    for address in ("/", f"/g/{game.key}/", "/new/", "/account/settings/", "/admin/"):
        page = client.get(address)
        assert page.status_code == 403, address
        assert "Your account is suspended" in page.text
    ways_out = ("/account/settings/delete/", "/account/export/")
    for address in ("/account/reports/", "/house-rules/", "/privacy/", "/help/", *ways_out):
        page = client.get(address, follow=True)
        assert page.status_code == 200, address
        assert "See why, or object" not in page.text
    assert client.post(f"/g/{game.key}/play/", {"do": "place"}).status_code == 403
    assert client.post("/account/logout/").status_code == 302


def test_what_stays_open_for_suspended_people_exists() -> None:
    assert set() == OPEN - set(url_names(get_resolver().url_patterns))


def test_a_suspended_person_does_nothing_by_mail(suspended: User) -> None:
    game = Game.objects.get()
    turn = turn_of_player(game, suspended)
    token = turn_token(Purpose.MOVE, turn.as_signed, turn.mark)
    page = client_of(person("Noor")).post(f"/move/{token}/?move=take+1")
    assert page.status_code == 403
    assert "suspended" in page.text
    assert fresh(game).version == 0
    table = open_table(User.objects.get(username="Mina"))
    with pytest.raises(Suspended):
        invitations.accept_by_mail(table, suspended, "")


def test_clocks_of_a_suspended_person_run_without_vacation(suspended: User) -> None:
    game = Game.objects.get()
    User.objects.filter(pk=suspended.pk).update(automatic_vacation=True)
    late = timezone.now() - timedelta(days=1)
    Game.objects.update(deadline=late)
    seat = game.seats.get(user=suspended)
    Seat.objects.filter(pk=seat.pk).update(
        deadline=late, clock_started_at=late - timedelta(days=9), bank=timedelta(seconds=1)
    )
    seat_changes.time_out(game.pk)
    assert game.seats.get(pk=seat.pk).has_left
    assert not suspended.vacations.exists()


def test_a_suspended_person_leaves_what_waits_and_gets_no_messages(vera: User) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    table, mine = open_table(ines), open_table(tobias)
    kept = open_table(ines)
    invitations.invite(kept.key, ines, tobias)
    act(vera, tobias, K.SUSPEND)
    assert not Game.objects.filter(pk=mine.pk).exists()
    assert not Seat.objects.kept_for(tobias).exists()
    with pytest.raises(Suspended):
        tables.join(table.key, tobias)
    assert Notification.objects.filter(user=tobias, kind=Kind.TURN).count() == 0


@pytest.mark.parametrize("kind", [K.MUTE, K.NO_PUBLIC_TABLES, K.SUSPEND])
def test_the_later_of_two_ends_counts_and_for_good_is_the_latest(vera: User, kind: str) -> None:
    tobias = person("Tobias")
    act(vera, tobias, kind, days=30)
    column = effects.COLUMNS[Measure.Kind(kind)]
    first = getattr(tobias, column)
    noor = person("Noor")
    for days in (1, None):
        report = reports.report(noor, tobias, "name" if days else "player")
        decisions.take(report.pk, vera, kind, Measure.Rule.NAMES, "Again.", days=days)
        tobias.refresh_from_db()
        assert (getattr(tobias, column) == first) == bool(days)


def test_a_person_objects_once_and_another_moderator_decides(vera: User) -> None:
    tobias = person("Tobias")
    measure = act(vera, tobias, K.SUSPEND)
    client = client_of(tobias)
    address = f"/account/reports/{measure.pk}/object/"
    assert client_of(person("Noor")).post(address, {"text": "No!"}, follow=True).context is not None
    assert Measure.objects.get().objected_at is None, "only the person objects"
    page = client.post(address, {"text": "It was my brother."}, follow=True)
    assert "You objected." in page.text
    assert "A moderator looks at it again" in page.text
    assert "You have objected already" in client.post(address, {"text": "Please!"}, follow=True).text
    halley = moderator("Halley")
    with pytest.raises(NotSeated, match="You took this measure"):
        decisions.keep(measure.pk, vera, "No.")
    decisions.keep(measure.pk, halley, "We have looked again.")
    page = client.get("/account/reports/").text
    assert "it stays" in page
    assert "We have looked again." in page
    tobias.refresh_from_db()
    assert tobias.is_suspended
    decisions.lift(measure.pk, vera, "Enough.")
    assert client.get("/").status_code == 200


def test_who_took_the_measure_answers_if_there_is_nobody_else(vera: User) -> None:
    tobias = person("Tobias")
    measure = act(vera, tobias, K.WARN)
    decisions.object_to(measure.pk, tobias, "No.")
    decisions.lift(measure.pk, vera, "You are right.")
    assert not Measure.objects.in_force().exists()


def everything(vera: User) -> None:
    tobias = person("Tobias")
    measure = act(vera, tobias, K.MUTE)
    decisions.object_to(measure.pk, tobias, "No.")
    decisions.keep(measure.pk, vera, "Yes.")
    decisions.lift(measure.pk, vera, "Enough.")
    report = reports.report(person("Noor"), tobias, "name")
    decisions.dismiss(report.pk, vera)


def test_all_that_moderators_do_is_in_the_trail_by_ids(vera: User) -> None:
    everything(vera)
    tobias = User.objects.get(username="Tobias")
    rows = TrailEntry.objects.order_by("pk").values_list("action", "actor", "subject")
    assert list(rows) == [
        ("appoint", None, vera.pk),
        ("take", vera.pk, tobias.pk),
        ("object", tobias.pk, tobias.pk),
        ("keep", vera.pk, tobias.pk),
        ("lift", vera.pk, tobias.pk),
        ("dismiss", vera.pk, tobias.pk),
    ]


def test_the_deletion_of_an_account_changes_no_entry(vera: User) -> None:
    everything(vera)
    before = list(TrailEntry.objects.order_by("pk").values_list())
    User.objects.get(username="Tobias").delete()
    vera.delete()
    assert list(TrailEntry.objects.order_by("pk").values_list()) == before
    assert not Measure.objects.exists()
