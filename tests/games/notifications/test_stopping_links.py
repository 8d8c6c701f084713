"""The links in emails that stop emails of their kind."""

from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.signing import Signer
from django.test import Client

from accounts.models import User
from games.models import Channel, Kind, wanted_channels
from games.queries.mail_links import stop_url
from tests.games.notifications.chosen import wants_turn_mails
from tests.play import person

pytestmark = pytest.mark.django_db


def test_the_link_in_a_mail_shows_a_button_that_stops_its_kind(client: Client, ines: User) -> None:
    url = stop_url(ines, Kind.TURN, Channel.MAIL)
    assert url.startswith(settings.SITE_URL + "/")
    path = urlsplit(url).path

    page = client.get(path).text
    assert "Stop these emails?" in page
    assert '<a class="btn" href="/">Keep them</a>' in page
    assert wants_turn_mails(ines)  # malware scanners open the links in emails
    assert "These emails are off" in client.post(path).text
    assert not wants_turn_mails(ines)
    assert Channel.MAIL in wanted_channels(ines)[Kind.OVER]
    assert "These emails are off" in client.get(path).text


def test_the_link_in_a_mail_about_several_kinds_stops_them_all(client: Client, ines: User) -> None:
    client.post(urlsplit(stop_url(ines, "", Channel.MAIL)).path)
    assert not any(Channel.MAIL in channels for channels in wanted_channels(ines).values())


def test_links_in_old_mails_still_work(client: Client, ines: User) -> None:
    User.objects.update(mark="")
    token = Signer(salt="accounts.mail_links.unsubscribe", sep=".").sign(str(ines.pk))
    assert client.post(f"/account/turn-mails/off/{token}/").status_code == 200
    assert not wants_turn_mails(ines)


def test_mail_programs_unsubscribe_with_one_post(ines: User) -> None:
    """RFC 8058 allows no cookie, no CSRF token and no redirect."""
    mail_program = Client(enforce_csrf_checks=True)
    path = urlsplit(stop_url(ines, Kind.TURN, Channel.MAIL)).path
    assert mail_program.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not wants_turn_mails(ines)


def test_nobody_can_unsubscribe_others(client: Client, ines: User) -> None:
    tobias = person("Tobias")
    path = urlsplit(stop_url(ines, Kind.TURN, Channel.MAIL)).path
    swapped = path.replace(f"/{ines.pk}:", f"/{tobias.pk}:")
    assert swapped != path
    for damaged in (swapped, path[:-4] + "/", "/account/turn-mails/off/moon/"):
        for response in (client.get(damaged), client.post(damaged)):
            assert response.status_code == 404
            assert "This link does not work" in response.text
    assert wants_turn_mails(tobias)
    assert wants_turn_mails(ines)


def test_the_link_of_a_deleted_user_is_not_found(client: Client, ines: User) -> None:
    path = urlsplit(stop_url(ines, Kind.TURN, Channel.MAIL)).path
    ines.delete()
    assert client.post(path).status_code == 404
