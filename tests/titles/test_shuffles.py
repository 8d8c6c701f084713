"""Shuffles are fair, and the script in docs/ repeats them."""

from types import SimpleNamespace

import pytest

from docs import check_deal
from games.titles import shuffles
from games.titles.shuffles import WORDS, _below, shuffled


def test_a_word_that_would_make_some_numbers_more_likely_is_skipped() -> None:
    assert _below(3, iter([WORDS - 1, WORDS - 2])) == (WORDS - 2) % 3
    for limit in range(2, 69):
        first_unfair = WORDS - WORDS % limit
        assert _below(limit, iter([first_unfair - 1])) == limit - 1
        if first_unfair < WORDS:
            assert _below(limit, iter([first_unfair, WORDS - 1, 5])) == 5 % limit


def test_the_script_skips_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [WORDS - 1, 4, 1]

    def digest(_key: bytes, message: bytes, _name: str = "") -> bytes:
        return words[int.from_bytes(message, "big")].to_bytes(32, "big")

    monkeypatch.setattr(shuffles, "hmac", SimpleNamespace(digest=digest))
    monkeypatch.setattr(check_deal, "hmac_of", digest)
    assert shuffled("ABC", b"") == ["A", "C", "B"], "the first word would give C, B, A"
    assert check_deal.shuffled("ABC", b"") == ["A", "C", "B"]
