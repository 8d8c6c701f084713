"""The opener of a duplicate match invites players by name, who see it on their home page and in an email."""

import pytest
from django.core import mail

from accounts import outbox
from accounts.models import AccountMail, User
from games.models import Block, Channel, DuplicateMatch, Kind
from games.services.notifications import choose_channels
from games.services.tables import duplicates
from tests.clients import client_of
from tests.play import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in ("Ines", "Tobias", "Noor", "Mina")]


def open_match(user: User, **options: object) -> DuplicateMatch:
    return duplicates.open_match(user, 2, 2, **{"pace": "day", "is_public": False, **options})


def invite(opener: User, match: DuplicateMatch, who: str) -> tuple[int, str]:
    answer = client_of(opener).post(match.get_absolute_url(), {"do": "invite", "who": who}, follow=True)
    return answer.status_code, answer.text


def test_an_invited_person_gets_an_email_and_finds_a_match_that_is_not_listed(users: list[User]) -> None:
    match = open_match(users[0])
    path, tobias = match.get_absolute_url(), client_of(users[1])
    assert path not in tobias.get("/").text
    for _press in range(2):
        status, page = invite(users[0], match, "tobias")
        assert status == 200
        assert "Invitation sent to Tobias." in page
    [owed] = AccountMail.objects.all()
    outbox.deliver(owed.pk)
    [sent] = mail.outbox
    assert sent.to == ["tobias@example.org"]
    assert sent.subject == "Ines invites you to a duplicate match of Nova Luna"
    for part in (str(sent.body), str(sent.alternatives[0].content)):
        assert f"{path}?for=" in part
        assert "/account/turn-mails/off/" in part
    home = tobias.get("/").text
    assert path in home
    assert "you are invited" in home
    assert 'Invited: <span translate="no">Tobias</span>' in client_of(users[0]).get(path).text
    tobias.post(path, {"do": "enter"})
    assert "Invited:" not in client_of(users[0]).get(path).text
    assert "you are invited" not in tobias.get("/").text
    status, page = invite(users[0], match, "Tobias")
    assert (status, "plays in this match already" in page) == (409, True)


def test_only_the_opener_invites_and_only_people_who_may_play(users: list[User]) -> None:
    match = open_match(users[0], changes_ratings=True)
    status, page = invite(users[1], match, "Noor")
    assert (status, "Only the person who opened" in page) == (403, True)
    status, page = invite(users[0], match, "Nor")
    assert (status, "Nobody here has the name Nor." in page) == (409, True)
    assert 'value="Noor"' in page, "a similar name is offered"
    User.objects.create(username="guest-1", is_guest=True)
    assert invite(users[0], match, "guest-1")[0] == 409
    Block.objects.create(user=users[2], blocked=users[0])
    status, page = invite(users[0], match, "Noor")
    assert (status, "can't invite Noor" in page or "can&#x27;t invite Noor" in page) == (409, True)
    duplicates.start(match.key, users[0], "easy")
    assert invite(users[0], match, "Mina")[0] == 409
    assert not match.invitations.exists()
    assert not AccountMail.objects.exists()


def test_who_wants_no_emails_about_invitations_gets_none(users: list[User]) -> None:
    match = open_match(users[0])
    choose_channels(users[1], {Kind.INVITATION: set[Channel]()})
    assert invite(users[0], match, "Tobias")[0] == 200
    assert not AccountMail.objects.exists()
    assert "you are invited" in client_of(users[1]).get("/").text
