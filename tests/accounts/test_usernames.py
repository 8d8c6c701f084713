"""Reserved usernames."""

import pytest
from django.core.exceptions import ValidationError

from accounts.usernames import BOTS, check_not_reserved


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
