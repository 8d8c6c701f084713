"""The titles pass the conformance suite."""

import pytest

from games.novaluna.pages import NovaLunaPages
from games.novaluna.rules import NovaLunaRules
from games.shown.plain.pages import PlainPages
from games.shown.testing import check_pages
from games.titles.pages import AnyPages
from games.titles.rules import AnyRules
from games.titles.testing.playouts import Redeal
from games.titles.testing.suite import check_title
from tests.titles.pairs.rules import PairsRules
from tests.titles.pairs.words import PairsWords
from tests.titles.redeals import redeal_novaluna, redeal_pairs


@pytest.mark.parametrize(
    ("rules", "redeal", "games"),
    [(NovaLunaRules(), redeal_novaluna, 3), (PairsRules(), redeal_pairs, 12)],
    ids=["novaluna", "pairs"],
)
def test_a_title_passes(rules: AnyRules, redeal: Redeal, games: int) -> None:
    check_title(rules, redeal=redeal, games=games)


@pytest.mark.parametrize(
    ("rules", "pages", "redeal", "games"),
    [
        (NovaLunaRules(), NovaLunaPages(), redeal_novaluna, 1),
        (PairsRules(), PlainPages(PairsRules(), PairsWords()), redeal_pairs, 12),
    ],
    ids=["novaluna", "pairs"],
)
def test_its_pages_have_words(rules: AnyRules, pages: AnyPages, redeal: Redeal, games: int) -> None:
    check_pages(rules, pages, redeal=redeal, games=games)


def test_a_title_passes_with_other_options() -> None:
    check_title(PairsRules(), options={"rounds": 1}, redeal=redeal_pairs)
