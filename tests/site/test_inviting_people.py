"""Invitations by name and by email address: how they are sent, answered, withdrawn and stopped."""

import re
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django_webtest import DjangoTestApp

from accounts import outbox
from accounts.confirmations import Confirmation
from accounts.models import AccountMail, User
from games.models import Channel, ClosedAddress, Game, Kind, Notification
from games.notifications.delivery import deliver, write_message
from games.queries.mail_links import invitation_url
from games.services import invitations, notifications, tables
from games.services.errors import Conflict
from tests.clients import client_of, without_marks
from tests.play import fresh, game_of, person, play_out

pytestmark = pytest.mark.django_db

STRANGER = "noor@example.org"


@pytest.fixture
def table(ines: User) -> Game:
    """A table of Ines with two free seats."""
    return tables.open_table(ines, tables.TableOptions(3))


def invite(opener: User, table: Game, who: str) -> int:
    """Press "Invite" and return the status."""
    return client_of(opener).post(f"/g/{table.key}/invite/", {"who": who}).status_code


def links_for(table: Game, opener: User, address: str = STRANGER) -> list[str]:
    """Invite an address, and return the paths of the two links in its email: to answer, and to stop."""
    assert invite(opener, table, address) == 302
    text = AccountMail.objects.latest("pk").text
    return [urlsplit(url).path for url in re.findall(r"https?://\S+/invitations/\S+", text)]


def page_of(table: Game, viewer: User) -> str:
    return without_marks(client_of(viewer).get(table.get_absolute_url()).text)


def seated(table: Game) -> list[str]:
    return [seat.name for seat in table.seats.select_related("user").order_by("number") if not seat.is_free]


def test_a_player_is_invited_by_name_and_answers_in_the_lobby(table: Game, ines: User, tobias: User) -> None:
    assert [invite(ines, table, "tobias") for _press in range(2)] == [302, 302]
    assert page_of(table, ines).count("Kept for Tobias") == 1
    assert "Ines invites you" in without_marks(client_of(tobias).get("/").text)
    assert "Ines invites you to a game of Nova Luna" in page_of(table, tobias)
    client_of(tobias).post(f"/g/{table.key}/join/")
    assert seated(table) == ["Ines", "Tobias"]


def test_a_wrong_name_stays_in_its_field_with_the_reason_and_similar_names(table: Game, ines: User) -> None:
    for name in ("Tobias", "Mina"):
        person(name)
    asked = client_of(ines)
    page = asked.post(f"/g/{table.key}/invite/", {"who": "Tobais"})
    field = re.search(r"<input[^>]*name=\"who\"[^>]*>", page.text)
    assert field is not None
    assert 'value="Tobais"' in field[0]
    assert 'aria-describedby="id_who_error"' in field[0]
    assert "Nobody here has the name Tobais." in page.text.split('id="id_who_error"')[1].split("</ul>")[0]
    assert re.findall(r'name="who" value="(\w+)"', page.text.split("Did you mean:")[1]) == ["Tobias"]
    assert "Did you mean:" not in asked.post(f"/g/{table.key}/invite/", {"who": ""}).text
    sent = asked.post(f"/g/{table.key}/invite/", {"who": "tobias"}, follow=True)
    assert "Invitation sent to Tobias." in sent.text


def test_an_invitation_counts_among_the_games_that_wait(table: Game, ines: User, tobias: User) -> None:
    asked = client_of(tobias)
    waits = "<b>1</b></span></a>"
    assert waits not in asked.get("/").text
    invite(ines, table, "Tobias")
    assert waits in asked.get("/").text
    assert asked.get("/updates/").json() == {"turns": 1}
    assert "You have an invitation." in asked.get("/").text
    asked.post(f"/g/{table.key}/decline/")
    assert asked.get("/updates/").json() == {"turns": 0}
    assert waits not in asked.get("/").text


def test_the_link_to_a_table_shows_to_its_players_while_every_seat_is_kept(
    table: Game, ines: User, tobias: User
) -> None:
    invite(ines, table, "Tobias")
    invite(ines, table, STRANGER)
    assert "Every seat is kept for somebody." in page_of(table, ines)
    assert 'id="share"' in page_of(table, ines)
    assert 'id="share"' not in page_of(table, person("Mina"))


def test_a_table_that_is_opened_for_somebody_invites_them(
    django_app: DjangoTestApp, ines: User, tobias: User
) -> None:
    page = django_app.get("/new/?invite=tobias", user=ines)
    assert "gets an invitation" in page
    form = next(form for form in page.forms.values() if "seat_count" in form.fields)
    assert form["opponents"].value == "people"
    table = form.submit().follow()
    assert "Invitation sent to Tobias." in table
    assert Notification.objects.filter(kind=Kind.INVITATION, user=tobias).exists()
    form["opponents"] = "bots"
    form["request_id"] = "7d8a2b54-0d3f-4a8e-9a10-0f4f6f1f7a11"
    assert Game.objects.get(key=form.submit().headers["Location"].split("/")[-2]).is_running
    assert Notification.objects.filter(kind=Kind.INVITATION).count() == 1


def test_an_unknown_name_opens_the_table_and_says_so(django_app: DjangoTestApp, ines: User) -> None:
    page = django_app.get("/new/?invite=Nobody", user=ines)
    form = next(form for form in page.forms.values() if "seat_count" in form.fields)
    table = form.submit().follow()
    assert "Nobody here has the name Nobody." in table
    assert "Your table" in table


@pytest.mark.parametrize("who", ["Tobias", "tobias@example.org"])
def test_who_declines_is_not_invited_to_the_table_again(
    table: Game, ines: User, tobias: User, who: str
) -> None:
    invite(ines, table, who)
    client_of(tobias).post(f"/g/{table.key}/decline/")
    assert invite(ines, table, who) == 409
    assert not table.seats.kept().exists()
    other = tables.open_table(ines, tables.TableOptions(2))
    assert invite(ines, other, who) == 302


def test_only_the_opener_invites_and_only_to_a_free_seat_of_an_open_table(
    table: Game, ines: User, tobias: User
) -> None:
    assert [invite(tobias, table, who) for who in ("Ines", STRANGER)] == [403, 403]
    assert [invite(ines, table, who) for who in ("", "a@b")] == [400, 400]
    assert [invite(ines, table, who) for who in ("Nobody", "Ines", ines.email)] == [409, 409, 409]
    for name in ("Tobias", STRANGER):
        assert invite(ines, table, name) == 302
    assert invite(ines, table, person("Mina").username) == 409
    started = game_of(ines, tobias)
    assert invite(ines, started, "Mina") == 409


def test_guests_and_people_without_a_confirmed_address_send_no_emails(ines: User) -> None:
    lea, guest = person("Lea", confirmed=False), User.objects.create(username="Amber-Comet", is_guest=True)
    for opener in (lea, guest):
        own = tables.open_table(opener, tables.TableOptions(2))
        assert invite(opener, own, STRANGER) == 409
        assert ("first confirm" in page_of(own, opener)) == (opener == lea)
        assert invite(opener, own, "Ines") == (302 if opener == lea else 409)
    assert not AccountMail.objects.exists()
    own = tables.open_table(ines, tables.TableOptions(2))
    assert "first confirm" not in page_of(own, ines)


def test_people_of_earlier_games_are_offered_first_by_one_press(
    table: Game, ines: User, tobias: User
) -> None:
    game_of(ines, person("Mina"))
    play_out(game_of(ines, tobias))
    person("Stranger")
    offered = re.findall(r'name="who" value="(\w+)"', page_of(table, ines))
    assert offered == ["Tobias", "Mina"]
    invite(ines, table, "Tobias")
    assert re.findall(r'name="who" value="(\w+)"', page_of(table, ines)) == ["Mina"]


def test_the_mail_of_an_account_answers_without_a_log_in(table: Game, ines: User, tobias: User) -> None:
    invite(ines, table, "Tobias")
    owed = Notification.objects.get(kind=Kind.INVITATION)
    deliver(owed.pk)
    [sent] = mail.outbox
    assert sent.subject == "Ines invites you to a game"
    [link] = re.findall(r"/invitations/\S+", str(sent.body))
    visitor = Client()
    page = without_marks(visitor.get(link).text)
    assert "This invitation is for Tobias." in page
    assert "one kept for you" in page
    assert "one kept for Tobias" not in page
    assert seated(table) == ["Ines"]
    visitor.post(link)
    assert seated(table) == ["Ines", "Tobias"]
    assert "_auth_user_id" not in visitor.session


@pytest.mark.parametrize("is_somebody_else", [False, True])
def test_who_accepts_in_a_browser_without_their_log_in_is_led_through_it_to_the_table(
    django_app: DjangoTestApp, table: Game, ines: User, tobias: User, is_somebody_else: bool
) -> None:
    """Not to the page of the table for visitors, which offers the free seats."""
    tobias.set_password("moon-and-stars-17")
    tobias.save()
    invite(ines, table, "Tobias")
    message = write_message([Notification.objects.get(kind=Kind.INVITATION)])
    [link] = re.findall(r"/invitations/\S+", message.text)
    page = django_app.get(link, user=person("Mina") if is_somebody_else else None)
    accepted = next(form for form in page.forms.values() if form.action == link).submit().follow()
    assert seated(table) == ["Ines", "Tobias"]
    assert "Tobias has a seat at this table." in accepted
    for asks in (accepted, django_app.get(link).follow()):
        assert "Are you Tobias?" in asks
        assert 'id="game"' not in asks
    if not is_somebody_else:
        forms = accepted.click("Log in", index=-1).forms
        form = next(form for form in forms.values() if "login" in form.fields)
        form["login"], form["password"] = "Tobias", "moon-and-stars-17"
        assert form.submit().follow().request.path == table.get_absolute_url()


def test_the_mail_of_an_account_says_what_game_it_is(table: Game, ines: User, tobias: User) -> None:
    Game.objects.filter(pk=table.pk).update(options={"discs": 5})
    invite(ines, table, "Tobias")
    message = write_message([Notification.objects.get(user=tobias, kind=Kind.INVITATION)])
    for words in (message.text, message.html):
        assert "3\xa0players · 5\xa0discs" in words


def test_declining_from_the_mail_of_an_account(table: Game, ines: User, tobias: User) -> None:
    invite(ines, table, "Tobias")
    message = write_message([Notification.objects.get(kind=Kind.INVITATION)])
    [link] = re.findall(r"/invitations/\S+", message.text)
    assert Client().get(f"{link}decline/").status_code == 302
    assert table.seats.kept_for(tobias).exists()
    Client().post(f"{link}decline/")
    assert not table.seats.kept_for(tobias).exists()


def test_an_address_gets_one_email_with_all_it_needs(table: Game, ines: User) -> None:
    answer, stop = links_for(table, ines)
    assert invite(ines, table, STRANGER.upper()) == 302
    [owed] = AccountMail.objects.all()
    outbox.deliver(owed.pk)
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == ([STRANGER], "Ines invites you to a game of Nova Luna")
    assert stop in sent.extra_headers["List-Unsubscribe"]
    [(html, kind)] = sent.alternatives
    assert kind == "text/html"
    assert answer in html
    assert stop in html


def test_a_visitor_with_the_mail_sits_down_with_one_press(table: Game, ines: User, tobias: User) -> None:
    answer, _stop = links_for(table, ines)
    tables.join(table.key, tobias)
    visitor = Client()
    page = visitor.get(answer).text
    assert [button in page for button in ("Join as a guest", "Decline")] == [True, True]
    request_id = re.findall(r'name="request_id" value="([\w-]+)"', page)[0]
    assert Client().post(f"/g/{table.key}/join/", {"request_id": request_id}).status_code == 409
    visitor.post(answer, {"request_id": request_id})
    assert fresh(table).is_running
    assert not table.seats.exclude(invited_address="").exists()


def test_a_log_in_from_the_mail_seats_without_asking_again(table: Game, ines: User, tobias: User) -> None:
    answer, _stop = links_for(table, ines)
    client = Client()
    assert client.post(answer, {"log_in": "1"}).status_code == 302
    fields = {"login": "Tobias", "password": "moon-and-stars-17", "next": table.get_absolute_url()}
    client.post("/account/login/", fields)
    assert seated(table) == ["Ines", "Tobias"]
    assert not table.seats.kept().exists()


def test_declining_as_the_owner_of_an_address(table: Game, ines: User) -> None:
    answer, _stop = links_for(table, ines)
    Client().get(f"{answer}decline/")
    assert table.seats.kept().exists()
    Client().post(f"{answer}decline/")
    assert not table.seats.kept().exists()


def test_a_withdrawn_invitation_is_over(table: Game, ines: User, tobias: User) -> None:
    answer, _stop = links_for(table, ines)
    number = table.seats.kept().get().number
    client_of(tobias).post(f"/g/{table.key}/invite/{number}/withdraw/")
    assert table.seats.kept().exists()
    client_of(ines).post(f"/g/{table.key}/invite/{number}/withdraw/")
    assert not table.seats.kept().exists()
    assert [Client().get(answer).status_code, Client().post(answer).status_code] == [410, 410]
    assert Client().get("/invitations/forged/").status_code == 404


def test_who_wants_no_invitations_gets_none_and_nobody_sees_that(table: Game, ines: User) -> None:
    _answer, stop = links_for(table, ines)
    Client().get(stop)
    assert not ClosedAddress.objects.exists()
    Client(enforce_csrf_checks=True).post(stop, {"List-Unsubscribe": "One-Click"})
    other = tables.open_table(ines, tables.TableOptions(2))
    AccountMail.objects.all().delete()
    assert invite(ines, other, STRANGER.replace("@", "+again@")) == 302
    assert "Kept for noor+again@example.org" in page_of(other, ines)
    assert not AccountMail.objects.exists()


def test_who_confirms_an_address_finds_its_invitations_in_the_lobby(table: Game, ines: User) -> None:
    assert invite(ines, table, STRANGER) == 302
    noor = person("Noor", confirmed=False)
    client = client_of(noor)
    assert "Ines invites you" not in without_marks(client.get("/").text)
    link = f"/account/confirm-email/{Confirmation(EmailAddress.objects.get(user=noor)).key}/"
    assert client.get(link).status_code == 200
    assert "Ines invites you" not in without_marks(client.get("/").text), "only the press confirms"
    home = client.post(link, follow=True)
    assert home.redirect_chain == [("/", 302)]
    assert "noor@example.org is confirmed" in home.text
    assert "Ines invites you" in without_marks(home.text)
    assert STRANGER in page_of(table, ines), "the opener sees the same as before"
    client.post(f"/g/{table.key}/join/")
    assert seated(table) == ["Ines", "Noor"]


def test_an_answered_invitation_is_not_asked_again_when_its_address_is_confirmed(
    table: Game, ines: User
) -> None:
    for address in (STRANGER, "lea@example.org"):
        assert invite(ines, table, address) == 302
    invitations.decline_address(table.key, "lea@example.org")
    for address, owner in (
        (STRANGER, ines),
        ("lea@example.org", person("Lea")),
        ("m@example.org", person("Mina")),
    ):
        invitations.keep_for_owner(address, owner)
    assert not table.seats.filter(invited__isnull=False).exists()


def test_a_deactivated_account_takes_no_seat_by_the_link_of_an_old_mail(
    table: Game, ines: User, tobias: User
) -> None:
    invite(ines, table, "Tobias")
    link = urlsplit(invitation_url(table, tobias)).path
    User.objects.filter(pk=tobias.pk).update(is_active=False)
    for path in (link, f"{link}decline/"):
        assert Client().post(path).status_code == 404
    with pytest.raises(Conflict, match="deleted or deactivated"):
        tables.join(table.key, tobias)
    assert seated(table) == ["Ines"]


def test_the_owner_of_an_address_reads_that_a_seat_is_kept_for_them_and_who_is_a_bot(ines: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(3), ("easy",))
    page = Client().get(links_for(table, ines)[0]).text
    assert "(bot · easy)" in page
    assert "one kept for you" in page
    assert "kept for somebody" not in page


def test_an_account_gets_what_it_has_chosen(table: Game, ines: User, tobias: User) -> None:
    notifications.stop(tobias, Kind.INVITATION, Channel.MAIL)
    invite(ines, table, tobias.email)
    deliver(Notification.objects.get(kind=Kind.INVITATION).pk)
    assert mail.outbox == []
    assert not AccountMail.objects.exists()
    assert "Ines invites you" in without_marks(client_of(tobias).get("/").text)


def test_invitations_are_limited_by_recipient_and_by_sender(ines: User, tobias: User) -> None:
    own = [tables.open_table(ines, tables.TableOptions(2)) for _table in range(6)]
    assert [invite(ines, table, "Tobias") for table in own] == [302] * 5 + [429]
    others = [tables.open_table(tobias, tables.TableOptions(4)) for _table in range(7)]
    statuses = [
        invite(tobias, table, f"friend{number}-{seat}@example.org")
        for number, table in enumerate(others)
        for seat in range(3)
    ]
    assert statuses == [302] * 20 + [429]
    path = f"/g/{others[-1].key}/invite/"
    refused = client_of(tobias).post(path, {"who": "friend@example.org"})
    assert 3000 < int(refused["Retry-After"]) <= 3600
    assert "You can send the link instead. Please try again in 60 minutes." in refused.text
