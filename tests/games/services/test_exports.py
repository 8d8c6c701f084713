"""An export has everything about its person and nothing of others, and only its person gets it."""

import io
import json
import uuid
import zipfile
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import AccountMail, PastMail, User
from games.models import Block, Export, Follow, Mute, PrivateNote
from games.queries.people.own_rows import FILES, PARTS, WITHHELD
from games.services import pruning
from games.services.private import exports
from games.services.talk import chat
from games.tasks import make_export
from novaluna_site import privacy
from tests.clients import client_of, confirm_password
from tests.play import game_of, person, play_out, play_some

pytestmark = pytest.mark.django_db

PAGE = "/account/export/"


@pytest.fixture(autouse=True)
def _no_limits() -> None:
    cache.clear()


def made(user: User) -> Export:
    """Return the finished export of a person."""
    export = exports.ask(user)
    make_export(export.pk)
    return Export.objects.get(user=user)


def files_of(export: Export) -> dict[str, str]:
    """Return the files of an export as texts by their names."""
    return unpacked(bytes(export.file or b""))


def unpacked(file: bytes) -> dict[str, str]:
    """Return the files in a ZIP as texts by their names."""
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_every_model_and_column_about_people_is_exported_or_has_a_reason() -> None:
    personal = {label for row in privacy.rows() for label in row.models.split()}
    known = PARTS.keys() | WITHHELD.keys()
    assert personal - known == set(), "export it, or say in WITHHELD why not"
    assert known - personal == set(), "these are gone"
    assert not PARTS.keys() & WITHHELD.keys()
    assert {part.file for part in PARTS.values()} == FILES.keys()
    for label, part in PARTS.items():
        own = part.whose.split() if isinstance(part.whose, str) else []
        columns = {field.name for field in apps.get_model(label)._meta.concrete_fields} - {"id", *own}
        named = [*part.columns.split(), *part.left_out.split()]
        assert sorted(set(named) - set(own)) == sorted(columns), f"{label}: decide about each column"
        assert len(set(named)) == len(named), label


def test_secrets_are_left_out() -> None:
    secrets = {"password", "mark", "key", "session_key", "auth", "secret", "endpoint", "nonce", "feed_number"}
    for label, part in PARTS.items():
        public_keys = {"games.Game", "games.DuplicateMatch"}  # they are in addresses that everybody sees
        assert not secrets - ({"key"} if label in public_keys else set()) & {*part.columns.split()}, label


def test_the_file_has_what_is_about_the_person_and_nothing_of_others() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    finished = play_out(game_of(ines, tobias))
    running = play_some(game_of(ines, tobias), 4)
    for user in (ines, tobias):
        PrivateNote.objects.create(game=running, user=user, text=f"secret of {user.username}")
        chat.write(running.key, user, f"hello from {user.username}", uuid.uuid4())
        PastMail.objects.create(
            address=user.email,
            subject=f"to {user.username}",
            created_at=timezone.now(),
            ended_at=timezone.now(),
            attempts=1,
            is_sent=True,
        )
    EmailAddress.objects.create(user=ines, email="third@example.org", verified=False)
    AccountMail.objects.create(
        address="third@example.org", subject="not hers", text="", due_at=timezone.now()
    )
    for model, field in ((Follow, "followed"), (Block, "blocked"), (Mute, "muted")):
        model._default_manager.create(user=tobias, **{field: ines})
    Follow.objects.create(user=ines, followed=tobias)

    files = files_of(made(ines))
    assert files.keys() == {f"{name}.json" for name in FILES} | {"README.txt", "records.jsonl"}
    everything = "".join(files.values())
    assert "secret of Ines" in files["notes.json"]
    assert "hello from Ines" in files["chat.json"]
    assert "to Ines" in files["messages.json"]
    for other in ("secret of Tobias", "hello from Tobias", "to Tobias", "not hers", tobias.email, "moon-and"):
        assert other not in everything, other
    people = json.loads(files["people.json"])
    assert people["follow"] == [{"followed": "Tobias"}]
    assert (people["block"], people["mute"]) == ([], [])
    assert [json.loads(line)["game"] for line in files["records.jsonl"].splitlines()] == [finished.key]
    assert {game["key"] for game in json.loads(files["games.json"])["game"]} == {finished.key, running.key}
    assert running.deal is not None
    assert running.deal.salt not in everything
    assert "except for lines that you have reported" in files["README.txt"]
    assert all(f"{name}.json: {about}" in files["README.txt"] for name, about in FILES.items())


def test_it_is_made_by_a_task_and_the_link_comes_by_email(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    ines = person("Ines")
    client = client_of(ines)
    confirm_password(client)
    client.post(PAGE)
    export = Export.objects.get(user=ines)
    assert "is being made" in client.get(PAGE).text
    assert exports.due_ids() == [export.pk]
    make_export(export.pk)
    assert exports.due_ids() == []
    mail = AccountMail.objects.get(address="ines@example.org", subject__startswith="Your data is ready")
    link = f"{PAGE}{export.key}/"
    assert link in mail.text
    response = client.get(link)
    assert response["Content-Type"] == "application/zip"
    assert "attachment" in response["Content-Disposition"]
    assert "no-store" in response["Cache-Control"]
    assert zipfile.is_zipfile(io.BytesIO(response.content))


def test_an_unconfirmed_address_gets_no_link() -> None:
    mina = person("Mina", confirmed=False)
    made(mina)
    assert not AccountMail.objects.exists()


def test_only_its_person_gets_the_file_and_only_who_proves_it() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    link = f"{PAGE}{made(ines).key}/"
    assert Client().get(link).url.startswith("/account/login/")
    assert client_of(ines).get(link, follow=True).redirect_chain[-1][0].startswith("/account/reauthenticate/")
    stranger = client_of(tobias)
    confirm_password(stranger)
    refused = stranger.get(link)
    assert refused.status_code == 404
    assert "is for another account" in refused.text


def test_one_is_made_at_a_time_and_a_newer_one_ends_the_older_link() -> None:
    ines = person("Ines")
    assert exports.ask(ines).pk == exports.ask(ines).pk
    older = made(ines)
    newer = made(ines)
    assert older.key != newer.key
    client = client_of(ines)
    confirm_password(client)
    assert client.get(f"{PAGE}{older.key}/").status_code == 404
    assert client.get(f"{PAGE}{newer.key}/").status_code == 200


def test_it_is_gone_after_a_week() -> None:
    ines = person("Ines")
    export = made(ines)
    client = client_of(ines)
    confirm_password(client)
    Export.objects.update(made_at=timezone.now() - Export.KEPT)
    assert client.get(f"{PAGE}{export.key}/").status_code == 404
    assert "Make the file" in client.get(PAGE).text
    pruning.prune()
    assert not Export.objects.exists()


def test_a_failure_is_tried_again_and_then_said(monkeypatch: pytest.MonkeyPatch) -> None:
    ines = person("Ines")
    export = exports.ask(ines)
    monkeypatch.setattr("games.notifications.exports.own_archive", lambda _user: 1 / 0)
    for _attempt in range(Export.MOST_ATTEMPTS):
        Export.objects.update(due_at=timezone.now())
        with pytest.raises(ZeroDivisionError):
            make_export(export.pk)
    Export.objects.update(due_at=timezone.now() - timedelta(hours=1))
    assert exports.due_ids() == []
    client = client_of(ines)
    confirm_password(client)
    assert "could not be made" in client.get(PAGE).text
    assert exports.ask(ines).pk != export.pk


def test_nothing_is_said_to_have_failed_during_the_last_attempt() -> None:
    ines = person("Ines")
    export = exports.ask(ines)
    Export.objects.update(attempts=Export.MOST_ATTEMPTS - 1)
    assert exports.claim(export.pk) is not None
    client = client_of(ines)
    confirm_password(client)
    assert "is being made" in client.get(PAGE).text
    assert exports.ask(ines).pk == export.pk, "the worker still makes this one"


def test_three_a_day() -> None:
    client = client_of(person("Ines"))
    confirm_password(client)
    assert [client.post(PAGE).status_code for _request in range(3)] == [302, 302, 302]
    refused = client.post(PAGE)
    assert refused.status_code == 429
    assert "Please try again in 24 hours." in refused.text


def test_a_guest_has_one_too() -> None:
    guest = User.objects.create_user("Amber-Comet", is_guest=True)
    client = client_of(guest)
    client.post(PAGE)
    make_export(Export.objects.get(user=guest).pk)
    assert client.get(f"{PAGE}{Export.objects.get(user=guest).key}/").status_code == 200
