"""A page has one request id: the same choices sent twice count once, and other choices are refused."""

import uuid

import pytest
from django_webtest import DjangoTestApp

from accounts.models import User
from games.models import Game
from games.services.errors import Conflict
from games.services.tables.duplicates import open_match
from tests.clients import client_of
from tests.games.services.test_tables import AGAINST_BOTS, TWO_SEATS, form_fields

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "changes",
    [
        {"is_public": ""},
        {"seat_count": 3},
        {"pace": "day"},
        {"least_reliability": 80},
        AGAINST_BOTS,
    ],
)
def test_another_table_with_the_request_id_of_one_that_was_opened_is_refused(
    ines: User, changes: dict[str, object]
) -> None:
    client, sent = client_of(ines), form_fields(**TWO_SEATS)
    first = client.post("/new/", sent)["Location"]
    refused = client.post("/new/", sent | changes)
    assert refused.status_code == 409
    assert "You have already opened another game from this page" in refused.text
    assert Game.objects.count() == 1
    again = sent | changes | {"request_id": refused.context["form"]["request_id"].value()}
    assert client.post("/new/", again)["Location"] != first, "the page with the refusal opens it"


def test_the_page_with_a_refusal_opens_what_was_chosen(django_app: DjangoTestApp, ines: User) -> None:
    page = django_app.get("/new/?with=people", user=ines)
    form = next(form for form in page.forms.values() if form.action == "/new/")
    form["is_public"], form["pace"] = True, "day"
    form.submit(status=302)
    form["seat_count"] = "3"
    refused = form.submit(status=409)
    renewed = next(form for form in refused.forms.values() if form.action == "/new/")
    changed = {name for name, value in set(form.submit_fields()) - set(renewed.submit_fields())}
    assert changed == {"csrfmiddlewaretoken", "request_id"}
    renewed.submit(status=302)
    chosen = Game.objects.order_by("-pk").values_list("seat_count", "pace", "is_public")
    assert list(chosen) == [(3, "day", True), (2, "day", True)]


def test_bots_of_other_levels_are_no_repetition(ines: User) -> None:
    client, sent = client_of(ines), form_fields(**AGAINST_BOTS)
    assert client.post("/new/", sent).status_code == 302
    assert client.post("/new/", sent | {"level": "hard"}).status_code == 409
    assert Game.objects.get().seats.filter(bot="easy").exists()


@pytest.mark.parametrize("changes", [{"pace": "slow"}, {"is_public": False}, {"changes_ratings": True}])
def test_another_match_with_the_same_request_id_is_refused(ines: User, changes: dict[str, object]) -> None:
    choices = {"pace": "day", "is_public": True, "request_id": uuid.uuid4()}
    open_match(ines, 2, 2, **choices)
    with pytest.raises(Conflict, match="already opened another match"):
        open_match(ines, 2, 2, **choices | changes)
