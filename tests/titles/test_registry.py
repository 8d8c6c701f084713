"""Titles are registered by their apps, and each key only once."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from django.apps import apps

from games.novaluna.rules import NovaLunaRules
from games.shown.plain.pages import PlainPages
from games.titles.bots import Level
from games.titles.general_bot import GENERAL_BOTS, GeneralBots
from games.titles.pages import AnyPages
from games.titles.registry import TITLES, Title, UnknownTitle, has_rules, register, title_named
from games.titles.talents import Talent
from tests.titles.pairs.rules import PairsRules
from tests.titles.pairs.words import PairsWords
from tests.titles.site import PAIRS, installed


class PagesWithoutExpert(PlainPages):
    bot_levels = {level: text for level, text in PlainPages.bot_levels.items() if level != "expert"}

    def __init__(self) -> None:
        super().__init__(PairsRules(), PairsWords())


def test_installed_apps_register_their_titles() -> None:
    assert apps.is_installed("games.novaluna")
    assert title_named("novaluna").rules.versions == (1,)


def test_a_title_has_the_talents_that_its_app_names() -> None:
    assert title_named("novaluna").talents == set(Talent) - {Talent.TEAMS}
    assert not Title("pairs", PairsRules(), title_named("novaluna").pages).talents


def test_a_key_is_registered_once() -> None:
    known = dict(TITLES)
    with pytest.raises(ValueError, match="Two installed apps register the title 'novaluna'"):
        register(Title("novaluna", PairsRules(), title_named("novaluna").pages))
    assert known == TITLES


def test_bots_must_have_what_the_talents_of_their_title_need() -> None:
    pages = title_named("novaluna").pages
    with pytest.raises(ValueError, match="talent HINTS, for which its bots must be an Adviser"):
        register(Title("pairs", PairsRules(), pages, frozenset({Talent.HINTS})))


@dataclass(frozen=True)
class BotsWith(GeneralBots):
    """The general bot with other levels."""

    levels: Mapping[str, Level] = field(kw_only=True)


def bots_with(*levels: str) -> BotsWith:
    return BotsWith(levels={level: Level(1500) for level in levels})


@pytest.mark.parametrize(
    ("levels", "pages"),
    [
        ((), title_named("novaluna").pages),
        (("easy", "brutal"), title_named("novaluna").pages),
        (("easy", "expert"), PagesWithoutExpert()),
    ],
    ids=["none", "unknown", "without a text"],
)
def test_levels_of_bots_must_have_words(levels: tuple[str, ...], pages: AnyPages) -> None:
    with pytest.raises(ValueError, match="each with a text in `bot_levels` of the pages"):
        register(Title("pairs", PairsRules(), pages, bots=bots_with(*levels)))


@pytest.mark.parametrize(
    ("levels", "usual"),
    [
        (("easy", "medium", "hard", "expert"), "medium"),
        (("easy", "medium", "hard"), "medium"),
        (("easy", "hard"), "easy"),
        (("expert",), "expert"),
    ],
)
def test_the_usual_level_is_the_middle_one(levels: tuple[str, ...], usual: str) -> None:
    pages = title_named("novaluna").pages
    assert Title("pairs", PairsRules(), pages, bots=bots_with(*levels)).usual_level == usual


def test_a_title_without_bots_of_its_own_has_the_general_bot() -> None:
    assert Title("pairs", PairsRules(), title_named("novaluna").pages).bots == GENERAL_BOTS


def test_a_title_that_is_not_installed_is_unknown() -> None:
    with pytest.raises(UnknownTitle, match="Add the app of its wing to INSTALLED_APPS"):
        title_named("chess")


@pytest.mark.parametrize(
    ("key", "version", "known"),
    [("novaluna", 1, True), ("novaluna", 2, False), ("novaluna", None, False), ("chess", 1, False)],
)
def test_a_log_needs_a_title_and_a_version_of_its_rules(key: str, version: int | None, known: bool) -> None:
    assert has_rules(key, version) is known


def test_an_app_can_be_ready_twice() -> None:
    apps.get_app_config("novaluna").ready()
    assert isinstance(title_named("novaluna").rules, NovaLunaRules)


def test_a_title_from_outside_is_offered_while_its_app_is_installed() -> None:
    of_site = list(TITLES)
    assert of_site[0] == "novaluna"
    with installed(PAIRS):
        assert list(TITLES) == [*of_site, "pairs"]
    assert list(TITLES) == of_site
