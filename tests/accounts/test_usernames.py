"""Reserved usernames."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from accounts import drawn_names, guests, taken_names
from accounts.models import RetiredName, User
from accounts.usernames import BOTS, check_not_reserved
from games.services.pruning import prune
from tests.play import person


@pytest.mark.parametrize("name", [*sorted(BOTS), "Kepler", "HALLEY", "Admin", "you"])
def test_reserved_names_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        check_not_reserved(name)


def test_names_that_contain_a_reserved_one_are_allowed() -> None:
    check_not_reserved("Halley77")


LIKE_THE_SITE = "n0valuna novaIuna nova1una nova_luna NOVA.LUNA novvaluna nouaiuna novaluna77 NovaLunaHelp"
LIKE_STAFF = "adm1n 4dmin adrnin addmin admin2 Admin-Help the.admin SiteAdmin m0derat0r mod_1 supp0rt 5taff"
LIKE_STAFF += " theadmin realadmin RealAdm1n theadmin7 the_admin sysop Sys0p postmaster moderation admins"
LIKE_A_BOT = "kep1er Hubb1e B0t bots_"


@pytest.mark.parametrize("name", f"{LIKE_THE_SITE} {LIKE_STAFF} {LIKE_A_BOT} y0u gue5t".split())
def test_names_that_look_like_the_site_staff_or_a_bot_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        check_not_reserved(name)


@pytest.mark.parametrize(
    "name",
    [
        *("Badminton", "administer", "Modern", "Moderna", "Model", "Luna", "Nova", "lunanova", "Supporter"),
        *(
            "Unofficial",
            "Guesthouse",
            "Meg",
            "Mee",
            "Yousef",
            "Bottle",
            "7ofNine",
            "Kepler-22b",
            "rubinstein",
        ),
    ],
)
def test_names_that_only_contain_their_letters_are_allowed(name: str) -> None:
    check_not_reserved(name)


@pytest.mark.django_db
@pytest.mark.parametrize("is_guest", [False, True])
def test_nobody_gets_the_name_of_a_removed_person_for_a_year(client: Client, is_guest: bool) -> None:
    User.objects.create_user("Ines", is_guest=is_guest).delete()
    fields = {"username": "iNES", "email": "new@example.org", "password1": "new-moon-every-29-days"}
    refused = client.post("/account/signup/", fields)
    assert refused.status_code == 400
    assert "Somebody has that name already." in refused.text
    assert "ines" not in "".join(RetiredName.objects.values_list("mark", flat=True))

    RetiredName.objects.update(retired_at=timezone.now() - timedelta(days=366))
    assert client.post("/account/signup/", fields).status_code == 302
    prune()
    assert not RetiredName.objects.exists()


@pytest.mark.django_db
def test_nobody_gets_a_name_that_looks_like_one_of_a_removed_account() -> None:
    person("Ines").delete()
    assert all(taken_names.is_retired(name) for name in ("Ines", "iNES", "lnes", "1NES"))
    assert not taken_names.is_retired("Inez")
    taken_names.release("Ines")
    assert not RetiredName.objects.exists()


@pytest.mark.django_db
def test_guests_get_no_name_of_a_removed_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_names, "ADJECTIVES", ["Amber"])
    monkeypatch.setattr(drawn_names, "NOUNS", ["Comet"])
    person("Amber-Comet").delete()
    assert guests.free_name() == "Amber-Comet-2"
    User.objects.create_user("Amber-Comet-2", is_guest=True).delete()
    assert guests.free_name() == "Amber-Comet-2", "names that the site has drawn are free again"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("taken", "name"),
    [("Ines", "lnes"), ("Ilse", "1lse"), ("Bob0", "BobO"), ("Omar", "0rnar"), ("moon", "rnO0n")],
)
def test_nobody_gets_a_name_like_another_players(client: Client, taken: str, name: str) -> None:
    person(taken)
    fields = {"username": name, "email": "new@example.org", "password1": "new-moon-every-29-days"}
    refused = client.post("/account/signup/", fields)
    assert refused.status_code == 400
    assert "This name looks like another player" in refused.text


@pytest.mark.django_db
def test_names_that_only_sound_alike_are_different(client: Client) -> None:
    for taken in ("Jim", "Anna", "moon"):
        person(taken)
    for name in ("Lim", "Ana", "m00n-2"):
        fields = {"username": name, "email": f"{name}@example.org", "password1": "new-moon-every-29-days"}
        assert Client().post("/account/signup/", fields).status_code == 302, name


@pytest.mark.django_db
def test_a_guest_keeps_their_name_and_gets_none_like_a_players(client: Client) -> None:
    person("Ilse")
    guest = User.objects.create_user("Amber-Comet", is_guest=True)
    person("Arnber-Comet")
    client.force_login(guest)
    settings = {"username": "llse", "confirm_moves": "True"}
    assert "looks like another player" in client.post("/account/settings/", settings).text
    fields = {"username": "Amber-Comet", "email": "new@example.org", "password1": "new-moon-every-29-days"}
    assert client.post("/account/signup/", fields).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "status"), [("Ines", 400), ("ines", 302), ("iNes", 302), ("INES", 400)])
def test_a_guest_is_like_no_other_player_in_other_capital_letters(
    client: Client, name: str, status: int
) -> None:
    """Only with a capital I is “ines” like “Lnes”. The guest's own name is no other one."""
    person("Lnes")
    client.force_login(User.objects.create_user("ines", is_guest=True))
    fields = {"username": name, "email": "new@example.org", "password1": "new-moon-every-29-days"}
    assert client.post("/account/signup/", fields).status_code == status


@pytest.mark.django_db
def test_a_guest_can_write_their_own_name_with_letters_like_its(client: Client) -> None:
    client.force_login(User.objects.create_user("Ilse", is_guest=True))
    fields = {"username": "llse", "email": "new@example.org", "password1": "new-moon-every-29-days"}
    assert client.post("/account/signup/", fields).status_code == 302
