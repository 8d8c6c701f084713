"""No form that a person could send breaks the site, or changes anything that is another person's.

The forms are those of all pages that a walk over the URL patterns finds, with the values that a browser would
send. Some fields then get values that no page offers. What is another person's is what an export has of it.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bs4 import BeautifulSoup
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import resolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from accounts.models import User
from games.models import Follow, Game, Measure, PrivateNote
from games.notifications import replies
from games.queries.mail_links import person_reply_address, reply_address_for, turn_of_player
from games.queries.people.own_rows import own_rows
from games.replies import Purpose, turn_token
from games.services import hand_overs, tables
from games.services.private import blocks, notes
from games.services.talk.moderation import decisions, reports
from tests.clients import client_of, confirm_password, without_trace
from tests.games.moderation.cases import line_of, moderate, moderator
from tests.play import fresh, game_of, match_of, mover, person, play_out, play_some, position_of
from tests.site.addresses import ADDRESSES
from tests.site.unseen_forms import UNSEEN

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CORPUS = Path(__file__).parents[1] / "games/replies/corpus"
SHARDS = 4
KINDS_OF_OTHERS = 6
# Pages that allauth serves, in addition to the listed addresses.
ACCOUNT_PAGES = (
    *("/account/login/", "/account/signup/", "/account/signup/passkey/", "/account/email/"),
    *("/account/password/change/", "/account/password/reset/", "/account/login/code/", "/account/logout/"),
    *("/account/reauthenticate/", "/account/security/", "/account/sessions/", "/account/guest-code/"),
    "/account/security/totp/activate/",
)
# These stream, or draw pictures.
SLOW = {"games:stream", "games:updates_stream", "games:duplicate_stream", "games:preview"} | {
    "games:small_preview"
}
NUMBERS = ("", " ", "0", "-1", "1", "2", "99999999999999999999", "1e9", "NaN", "٣", "²", "on", "true", "None")
JSON = ("null", "[]", "{}", '{"do":"take"}', '[{"do":"place","tile":"x"}]', '[{"seat":-1}]', "[[[[[[1]]]]]]")
TIMES = ("2026-13-45", "0001-01-01", "9999-12-31", "24:00", "25:61", "Europe/Nowhere", "UTC", "xx")
# Not of Noor: an invitation or a new password that somebody asks for is rightly stored for its person.
NAMES = ("Mina", "mina@example.org", "a@b", '"a b"@[127.0.0.1]', "\N{ZERO WIDTH SPACE}", "\u202eabc")
PLACES = ("//evil.example/", "javascript:1", "/g/", "http://[", "x" * 5000, "\r\nX: y", "\ud7ff", "😀")
KEYS = ("00000000-0000-0000-0000-000000000000", 300 * "é")
STRANGE = st.one_of(
    st.text(max_size=40),
    st.sampled_from([*NUMBERS, *JSON, *TIMES, *NAMES, *PLACES, *KEYS]),
    st.integers().map(str),
)
# For each form; `make test-all FUZZ=500` takes about half an hour of processor time.
EXAMPLES = int(os.environ.get("NOVALUNA_FUZZ", "8"))


class Form(NamedTuple):
    """A form of a page: where it goes, and what a browser sends."""

    action: str
    fields: tuple[tuple[str, str], ...]


@pytest.fixture(autouse=True)
def _no_limits(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    settings.REPLY_ADDRESS = "reply@example.org"
    cache.clear()


class House(NamedTuple):
    """Who is on the site: Ines sends forms, and Vera those of moderators; Noor is not to notice."""

    ines: User
    vera: User
    noor: User
    running: Game
    games: Sequence[Game]
    # What stands for the words in listed addresses.
    words: Mapping[str, str]


@pytest.fixture
def house() -> House:
    ines, tobias, noor, mina = map(person, ("Ines", "Tobias", "Noor", "Mina"))
    running = play_some(game_of(ines, tobias), 6)
    over = play_out(game_of(ines, tobias))
    table = tables.open_table(ines, tables.TableOptions(3))
    others = play_some(game_of(noor, mina), 4)
    others_table = tables.open_table(noor, tables.TableOptions(3, is_public=True, pace="slow"))
    match = match_of(ines, tobias)[0].duplicate
    line = line_of(running, tobias)
    vera, report = moderator(), reports.report(mina, tobias, "line", "Rude.", line=line)
    warned = reports.report(mina, ines, "player")
    measure = decisions.take(warned.pk, vera, Measure.Kind.WARN, Measure.Rule.CHAT, "Be kind.")
    PrivateNote.objects.create(game=others, user=noor, text="only for Noor")
    Follow.objects.create(user=noor, followed=mina)
    hand_overs.offer(others.key, noor, is_public=False)
    words = {"KEY": running.key, "TILE": position_of(running).in_reach[0].code, "MATCH": match.key}
    words |= {"LINE": str(line.pk), "REPORT": str(report.pk), "MEASURE": str(measure.pk)}
    turn = turn_of_player(fresh(running), mover(running))
    assert turn is not None
    words |= {
        "TOKEN": turn_token(Purpose.MOVE, turn.as_signed, turn.mark),
        "NUMBER": str(running.version + 1),
    }
    # Not of Noor: whoever takes a seat that she offers changes her rows rightly.
    offered = hand_overs.offer(game_of(tobias, mina).key, mina, is_public=True)
    words["OFFER"] = offered.seat_offers.get().key
    return House(ines, vera, noor, fresh(running), [over, table, others, others_table], words)


@pytest.fixture
def forms(house: House) -> Mapping[str, Form]:
    """The forms that Ines and a visitor find, and those that no page shows here, by their addresses."""
    listed = [some[0] for name, some in ADDRESSES.items() if name not in SLOW]
    listed += ["/g/KEY/?tile=TILE&x=0&y=1", "/g/KEY/?resign=1", "/g/KEY/?plan=1"]
    paths = [addressed(house, one) for one in listed]
    paths += [f"/g/{one.key}/" for one in house.games]
    paths += [f"/g/{house.games[0].key}/review/", "/people/Noor/"]
    found = {}
    for client, visited in ((Client(), ["/"]), (Client(), ACCOUNT_PAGES), (logged_in(house.ines), paths)):
        for path in dict.fromkeys(visited):
            found |= {form.action: form for form in forms_of(client, path)}
    for path in ACCOUNT_PAGES:
        found |= {form.action: form for form in forms_of(client, path)}
    unseen = [
        Form(addressed(house, path), tuple((name, addressed(house, value)) for name, value in fields.items()))
        for path, fields in UNSEEN.items()
    ]
    return {form.action: form for form in unseen} | found


def addressed(house: House, listed: str) -> str:
    """Return a listed address with what is in the house."""
    return re.sub("|".join(house.words), lambda word: house.words[word[0]], listed)


@pytest.fixture
def moderator_forms(house: House) -> Sequence[Form]:
    """The forms on the pages of moderators, as Vera finds them."""
    pages = [some[0] for name, some in ADDRESSES.items() if name.startswith("games:moderation")]
    client = client_of(house.vera)
    return [
        form
        for page in pages
        for form in forms_of(client, addressed(house, page))
        if form.action.startswith("/moderation/")
    ]


def logged_in(user: User) -> Client:
    client = client_of(user)
    confirm_password(client)
    client.raise_request_exception = False
    return client


def forms_of(client: Client, path: str) -> Iterator[Form]:
    """Yield the forms of a page that are sent by POST; the later of two to one address wins."""
    page = client.get(path)
    if page.status_code != 200 or "html" not in page["Content-Type"]:
        return
    for form in BeautifulSoup(page.text, "html.parser").select("form[method=post]"):
        fields = [
            (str(field["name"]), str(field.get("value", "")))
            for field in form.select("input[name], button[name], select[name], textarea[name]")
            if field["name"] != "csrfmiddlewaretoken"
        ]
        yield Form(str(form.get("action") or path).partition("#")[0], tuple(fields))


def collecting(writes: list[str]) -> Callable[..., object]:
    """Return a wrapper of database statements that collects those that can change rows."""

    def collect(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if not sql.lstrip("( ").startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")):
            writes.append(sql)
        return execute(sql, *rest)

    return collect


Undone = Callable[[Callable[[], Any], object], Any]


@pytest.fixture
def undone(house: House) -> Undone:
    """What `undoing` returns."""
    return undoing(house)


def undoing(house: House) -> Undone:
    """Return a function that does something and undoes it, and fails if that changes what is Noor's."""
    before = repr(list(own_rows(house.noor)))

    def do(act: Callable[[], Any], description: object) -> Any:
        writes = list[str]()
        with transaction.atomic():
            with connection.execute_wrapper(collecting(writes)):
                answer = act()
            # Most requests store nothing, and the comparison takes several times as long as they do.
            after = repr(list(own_rows(house.noor))) if writes else before
            transaction.set_rollback(True)
        assert after == before, description
        return answer

    return do


def sender_of(client: Client, undone: Undone) -> Callable[..., None]:
    """Return a function that sends a form with some fields changed, one left out and one nobody asked for."""
    client.raise_request_exception = False
    client.get("/")  # Stores the visit, which each form would store otherwise.

    def send(form: Form, changes: Mapping[int, str], dropped: int, other: str) -> None:
        fields: dict[str, list[str]] = {"strange": [other]}
        for number, (name, value) in enumerate(form.fields):
            if number != dropped:
                fields.setdefault(name, []).append(changes.get(number, value))
        with without_trace(client):
            answer = undone(lambda: client.post(form.action, fields), (form.action, fields))
        assert answer.status_code < 500, (form.action, fields)

    return send


def fuzz(forms: Iterable[Form], examples: int, send: Callable[..., None]) -> None:
    """Send each form several times with strange values."""
    options = settings(
        max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    for form in forms:
        numbers = st.integers(0, max(len(form.fields) - 1, 0))
        changes = st.dictionaries(numbers, STRANGE, max_size=3)
        dropped = st.integers(-3, len(form.fields))
        options(given(form=st.just(form), changes=changes, dropped=dropped, other=STRANGE)(send))()


def test_no_form_breaks_the_site_or_changes_what_is_anothers(
    house: House, forms: Mapping[str, Form], undone: Undone
) -> None:
    """Of Ines with strange values, and as they are of one of the other kinds of people."""
    found = " ".join(forms)
    parts = (
        "/play/",
        "/account/settings/",
        "/chat/",
        "/note/",
        "/new/",
        "/account/email/",
        "/invite/",
        "/object/",
    )
    for part in parts:
        assert part in found
    assert f"/chat/{house.words['LINE']}/report/" in found
    assert len(forms) > len(UNSEEN) + 40
    client, sent = logged_in(house.ines), {resolve(path.partition("?")[0]).view_name for path in forms}
    for name, (address, *_others) in ADDRESSES.items():
        if name not in SLOW | sent and not name.startswith("games:moderation"):
            status = client.post(addressed(house, address)).status_code
            assert status == 405, f"{name} reads a form: write it to tests/site/unseen_forms.py"
    fuzz(forms.values(), 2, sender_of(client, undone))
    send_as_others(house, forms, 1)


@pytest.mark.whole
def test_no_form_of_any_person_breaks_the_site_or_changes_what_is_anothers(
    house: House, forms: Mapping[str, Form]
) -> None:
    send_as_others(house, forms, KINDS_OF_OTHERS)


@pytest.mark.whole
@pytest.mark.parametrize("shard", range(SHARDS))
def test_no_form_of_many_breaks_the_site_or_changes_what_is_anothers(
    house: House, forms: Mapping[str, Form], undone: Undone, shard: int
) -> None:
    fuzz([*forms.values()][shard::SHARDS], EXAMPLES, sender_of(logged_in(house.ines), undone))


def send_as_others(house: House, forms: Mapping[str, Form], senders: int) -> None:
    """Send each form as it is, as so many of the other kinds of people."""
    others = other_people(house)
    assert len(others) == KINDS_OF_OTHERS
    undone = undoing(house)
    for place, other in enumerate(others):
        send = sender_of(other, undone)
        for number, form in enumerate(forms.values()):
            if (number - place) % KINDS_OF_OTHERS < senders:
                send(form, {}, -1, "")


def other_people(house: House) -> Sequence[Client]:
    """Return clients of a guest, staff without a second factor, people whom Noor blocked, and a moderator."""
    moderate(house.running, house.ines, muted="Mute", suspended="Susan", moderator_name="Quinn")
    person("Bruno")
    kept_away = User.objects.filter(username__in=["Bruno", "Mute", "Susan"])
    for user in kept_away:
        blocks.block(house.noor, user)
    guest = User.objects.create_user("Amber-Comet", is_guest=True)
    helper = User.objects.create_user("helper", "helper@example.org", is_staff=True, is_superuser=True)
    without_factor = Client()
    without_factor.force_login(helper)
    others = [client_of(user) for user in (*kept_away, User.objects.get(username="Quinn"))]
    return [client_of(guest), without_factor, *others]


def test_no_form_of_moderators_breaks_the_site(
    house: House, moderator_forms: Sequence[Form], undone: Undone
) -> None:
    assert len(moderator_forms) == 2, "one about the report, and one about the measure"
    fuzz(moderator_forms, 2 * EXAMPLES, sender_of(client_of(house.vera), undone))


def test_the_comparison_notices_a_change_of_anothers_note(house: House) -> None:
    before = repr(list(own_rows(house.noor)))
    game = PrivateNote.objects.get(user=house.noor).game
    notes.keep_note(game.key, house.noor, "changed")
    assert repr(list(own_rows(house.noor))) != before


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(sorted(path.name for path in CORPUS.glob("*.eml"))),
    at=st.integers(0, 6000),
    length=st.integers(0, 300),
    other=st.one_of(st.binary(max_size=40), st.text(max_size=20).map(str.encode)),
    to=st.sampled_from(["turn", "person", "turn, damaged", "none"]),
)
def test_a_damaged_reply_changes_only_its_own_game(
    house: House, undone: Undone, name: str, at: int, length: int, other: bytes, to: str
) -> None:
    """That it is read or refused is tested with the reader; this is what the site does with it."""
    turn = turn_of_player(house.running, mover(house.running))
    assert turn is not None
    recipient = {
        "turn": reply_address_for(turn),
        "person": person_reply_address(house.ines),
        "turn, damaged": reply_address_for(turn).replace("a", "b", 1),
        "none": "reply@example.org",
    }[to]
    raw = (CORPUS / name).read_bytes()
    at %= len(raw)
    damaged = raw[:at] + other + raw[at + length :]
    undone(lambda: replies.receive(damaged, recipient), (name, at, length, other, to))
