"""After a backup was restored, links and addresses from the lost time act for nobody.

Ids are given out again then, so a link from the lost time can name the row of somebody else.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from unittest import mock

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings as site
from django.core.signing import Signer
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import known_browsers, undoing
from accounts.adapter import AccountAdapter
from accounts.confirmations import Confirmation
from accounts.models import SecurityEvent, User
from accounts.return_paths import return_path
from games.models import Action, Channel, Game, Kind, Notification, ReceivedReply
from games.notifications.bounces import user_of_return_path
from games.notifications.delivery import write_message
from games.notifications.mail import build_mail
from games.notifications.replies import receive
from games.queries import feeds, mail_links
from games.queries.mail_links import MailTurn
from games.replies import Purpose, Turn, reply_address, turn_token
from games.services import invitations, tables
from tests.clients import client_of
from tests.games.notifications.received import email
from tests.play import fresh, game_of, mover, person, play_one, play_some

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture(autouse=True)
def _reply_address(settings: Settings) -> None:
    settings.REPLY_ADDRESS = "reply@nova-luna.example"


@contextmanager
def lost_time() -> Iterator[None]:
    """Lose what is stored within, as a restored backup does: its ids are given out again."""
    with connection.cursor() as cursor:
        numbers: list[tuple[str, int | None]] = []
        if connection.vendor == "postgresql":
            cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public'")
            numbers = cursor.fetchall()
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
        # SQLite keeps them in a table, which the rollback has reset.
        for name, value in numbers:
            cursor.execute("SELECT setval(%s, %s, %s)", [f'public."{name}"', value or 1, value is not None])


@dataclass
class Rows:
    """Rows with which a person plays: their game, and a table to which they are invited."""

    user: User
    game: Game
    table: Game

    @property
    def ids(self) -> list[int | None]:
        """The ids that links name."""
        addresses = EmailAddress.objects.filter(user=self.user).values_list("pk", flat=True)
        invited = self.table.seats.filter(invited=self.user).values_list("pk", flat=True)
        return [self.user.pk, self.game.pk, self.table.pk, *addresses, *invited]


def rows_of(name: str, opener: User) -> Rows:
    """Return rows of a new person, made in the same order each time."""
    user = person(name)
    EmailAddress.objects.create(user=user, email=f"{name.lower()}@second.example", verified=False)
    user.renew_feeds()
    user.refresh_from_db()
    game = play_some(game_of(user, opener), 3)
    while mover(fresh(game)) != user:
        play_one(game)
    table = tables.open_table(opener, tables.TableOptions(2))
    invitations.invite(table.key, opener, user)
    return Rows(user, fresh(game), fresh(table))


Acts = Callable[[], bool]


def shows(url: str, words: str = "") -> Acts:
    """Return whether a page still shows what its link is for."""

    def is_shown() -> bool:
        answer: HttpResponse = Client().get(url.removeprefix(site.SITE_URL), follow=True)
        return answer.status_code != 404 and words in answer.content.decode()

    return is_shown


def replies_count(address: str) -> Acts:
    """Return whether an email to an address is stored as the reply of a person."""

    def is_counted() -> bool:
        before = ReceivedReply.objects.count()
        receive(email("hello?", From="stranger@example.net"), address, "stranger@example.net")
        return ReceivedReply.objects.count() > before

    return is_counted


def links_of(rows: Rows) -> Mapping[str, Acts]:
    """Return what a person can have from the site, each with whether it still acts."""
    user, game = rows.user, rows.game
    turn = mail_links.turn_of_player(game, user)
    second = EmailAddress.objects.get(user=user, verified=False)
    request = RequestFactory().get("/")
    confirm_url = AccountAdapter(request).get_email_confirmation_url(request, Confirmation(second))
    reader = RequestFactory().get(mail_links.url_for_reader("/", user))
    kept = rows.table.seats.get(invited=user)
    token = mail_links.invitation_reply_address(kept).partition("+")[2].partition("@")[0]
    path = return_path(user.email, user.pk)
    browser = client_of(user)
    # A log-in makes earlier keys invalid.
    reset_key = default_token_generator.make_token(User.objects.get(pk=user.pk))
    known = RequestFactory().get("/")
    known_response = HttpResponse()
    known_browsers.remember(known_response, user)
    known.COOKIES[known_browsers.COOKIE] = known_response.cookies[known_browsers.COOKIE].value
    event = SecurityEvent.objects.create(
        user=user, kind=SecurityEvent.Kind.PASSWORD_CHANGED, network="192.0.2.0", at=timezone.now()
    )
    undo = undoing.token_of(event, user.email)
    return {
        "a link that undoes a change": lambda: undoing.undoing_of(undo) is not None,
        "a move link": shows(mail_links.move_url(turn, "refill")),
        "a reply address": replies_count(mail_links.reply_address_for(turn)),
        "a person's reply address": replies_count(mail_links.person_reply_address(user)),
        "an invitation's reply address": lambda: mail_links.invited_seat(token) is not None,
        "a link that stops emails": shows(mail_links.stop_url(user, Kind.TURN, Channel.MAIL)),
        "a link for its reader": lambda: mail_links.reader_of(reader) is not None,
        "an invitation": shows(mail_links.invitation_url(rows.table, user)),
        "a feed": shows(feeds.feed_urls(user)["turns"]),
        "a calendar": shows(feeds.feed_urls(user)["deadlines"]),
        "a link that confirms an address": shows(confirm_url.partition("testserver")[2], second.email),
        "a link for a new password": shows(
            reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), reset_key]),
            "password1",
        ),
        "an envelope sender": lambda: user_of_return_path(path) is not None,
        "a session": lambda: browser.get("/account/settings/").status_code == 200,
        "a known browser": lambda: known_browsers.is_known(known, User.objects.get(pk=rows.user.pk).username),
    }


def test_nothing_from_the_lost_time_acts_for_who_gets_the_ids() -> None:
    opener = person("Ines")
    with lost_time():
        lost = rows_of("Lost", opener)
        links, ids = links_of(lost), lost.ids
        assert [name for name, acts in links.items() if not acts()] == [], "they act before"
    new = rows_of("New", opener)
    SecurityEvent.objects.create(user=new.user, kind="logged_in", network="192.0.2.0", at=timezone.now())
    assert new.ids == ids, "the test must give out the same ids"
    assert [name for name, acts in links.items() if acts()] == []
    own = links_of(new)
    assert [name for name, acts in own.items() if not acts()] == []


def test_a_link_acts_after_its_row_was_restored() -> None:
    opener = person("Ines")
    rows = rows_of("Kept", opener)
    links = links_of(rows)
    with lost_time():
        rows_of("Lost", opener)
    assert [name for name, acts in links.items() if not acts()] == []


def test_a_link_to_a_lost_turn_does_not_act_when_the_game_has_as_many_actions_again() -> None:
    game = play_some(game_of(person("Ines"), person("Tobias")), 4)

    def turn() -> MailTurn:
        return mail_links.turn_of_player(fresh(game), mover(fresh(game)))

    kept = mail_links.move_url(turn(), "refill")
    with lost_time():
        played = play_one(game)
        lost = turn()
        url, address = mail_links.move_url(lost, "refill"), mail_links.reply_address_for(lost)
        assert Client().get(url.removeprefix(site.SITE_URL)).status_code != 404
    assert Client().get(kept.removeprefix(site.SITE_URL)).status_code != 404
    assert play_one(game) == played, "the same number"
    assert mover(fresh(game)) == lost.user
    page = Client().get(url.removeprefix(site.SITE_URL))
    assert page.status_code == 404
    assert "does not exist any more" in page.text
    assert not replies_count(address)()


def test_messages_get_new_ids_after_a_restore() -> None:
    user = person("Tobias")
    game = game_of(person("Ines"), user)

    def ids() -> tuple[int, str, str]:
        row = Notification.objects.create(
            game=game, user=user, kind=Kind.TURN, version=99, due_at=game.opened_at, channel=Channel.MAIL
        )
        message = write_message([row])
        return row.pk, message.id, build_mail(message, user, user.email).extra_headers["Message-ID"]

    with lost_time():
        lost = ids()
    with mock.patch("django.utils.timezone.now", return_value=game.opened_at.replace(year=2099)):
        new = ids()
    assert lost[0] == new[0], "the same number"
    assert lost[1] != new[1]
    assert lost[2] != new[2]


def test_emails_from_before_there_were_marks_still_act() -> None:
    """Their tokens name ids alone, and the rows have no mark."""
    game = play_some(game_of(person("Ines"), person("Tobias")), 4)
    User.objects.update(mark="", feed_number=3)
    Game.objects.update(mark="")
    user = User.objects.get(pk=mover(game).pk)
    turn = Turn(user.pk, game.pk, fresh(game).to_move or 0, game.version + 1)
    move = reverse("games:mail_move", args=[turn_token(Purpose.MOVE, turn)])
    stop = Signer(salt="accounts.mail_links.unsubscribe", sep=".")
    assert Client().get(f"{move}?move=refill").status_code != 404
    assert replies_count(reply_address(site.REPLY_ADDRESS, turn))()
    assert replies_count(reply_address(site.REPLY_ADDRESS, Turn(user.pk, 0, 0, 0), Purpose.PERSON))()
    for value in (str(user.pk), f"{user.pk}:{Kind.TURN}:{Channel.MAIL}"):
        assert Client().get(reverse("games:unsubscribe", args=[stop.sign(value)])).status_code == 200
    assert Client().get(feeds.feed_urls(user)["turns"].removeprefix(site.SITE_URL)).status_code == 200
    assert Action.objects.filter(game=game).count() == 4


def test_emails_from_before_there_were_marks_do_not_act_for_new_rows() -> None:
    game = play_some(game_of(person("Ines"), person("Tobias")), 4)
    user = mover(game)
    turn = Turn(user.pk, game.pk, fresh(game).to_move or 0, game.version + 1)
    move = reverse("games:mail_move", args=[turn_token(Purpose.MOVE, turn)])
    stop = Signer(salt="accounts.mail_links.unsubscribe", sep=".")
    assert Client().get(f"{move}?move=refill").status_code == 404
    assert not replies_count(reply_address(site.REPLY_ADDRESS, turn))()
    assert Client().get(reverse("games:unsubscribe", args=[stop.sign(str(user.pk))])).status_code == 404
