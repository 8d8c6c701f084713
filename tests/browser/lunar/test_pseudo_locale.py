"""The page of LUNAR in the pseudo-locale: all text is translated, and no text is cut off."""

import pytest

from tests.browser import test_pseudo_locale as general
from tests.browser.conftest import Show
from tests.browser.lunar.games import STATES

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]

server = general.server
_pseudo_locale_in_this_process = general._pseudo_locale_in_this_process


@pytest.fixture(autouse=True)
def _untranslatable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the title is the same in all languages."""
    monkeypatch.setattr(general, "UNTRANSLATABLE", (*general.UNTRANSLATABLE, r"\bLUNAR\b"))


@pytest.mark.parametrize("name", [name for name in STATES if not name.startswith(("lesson", "rules"))])
def test_a_state(show: Show, server: str, name: str) -> None:
    general.check(show(general.in_pseudo_locale(STATES[name](), server), reduced_motion="reduce"))
