"""Texts that remember which of their parts are names and notation."""

import pickle
from html import unescape

from django.utils.html import strip_tags
from django.utils.safestring import mark_safe

from games.marked import MarkedText, as_html, capitalise, gettext, name, ngettext

KEPT = '<span translate="no">{}</span>'


def test_a_sentence_is_plain_and_its_html_marks_the_names_in_it() -> None:
    text = gettext("%(name)s can't see %(count)d tiles at %(cell)s & more") % {
        "name": name("<b>"),
        "count": 3,
        "cell": name("E2 S1"),
    }
    assert text == "<b> can't see 3 tiles at E2 S1 & more"
    marked = f"{KEPT.format('&lt;b&gt;')} can&#x27;t see 3 tiles at {KEPT.format('E2 S1')} &amp; more"
    assert text.html == marked
    assert unescape(strip_tags(text.html)) == f"{text}"


def test_plain_words_in_a_sentence_are_escaped_and_not_marked() -> None:
    text = gettext("%(name)s and %(you)s") % {"name": name("a"), "you": "<i>you</i>"}
    assert text.html == f"{KEPT.format('a')} and &lt;i&gt;you&lt;/i&gt;"
    assert (gettext("%(name)s") % {"name": "<i>"}).html == as_html("<i>") == "&lt;i&gt;"
    assert as_html(mark_safe("<b>safe</b>")) == "<b>safe</b>"


def test_sentences_in_sentences_and_lists_keep_their_marks() -> None:
    inner = ngettext("%(count)d tile of %(name)s", "%(count)d tiles of %(name)s", 2) % {
        "count": 2,
        "name": name("Z"),
    }
    joined = MarkedText(". ").join((gettext("100%% %(what)s") % {"what": inner}, "A & B"))
    assert joined == "100% 2 tiles of Z. A & B"
    assert joined.html == f"100% 2 tiles of {KEPT.format('Z')}. A &amp; B"


def test_the_rest_after_a_name_keeps_its_marks() -> None:
    text = gettext("%(name)s at %(cell)s") % {"name": name("E1"), "cell": name("E1")}
    assert text.removeprefix(name("E1")).html == f" at {KEPT.format('E1')}"
    assert text.removeprefix("Z").html == text.html


def test_a_capital_letter_and_pickling_keep_the_marks() -> None:
    text = capitalise(gettext("a bot plays for %(name)s") % {"name": name("ann")})
    assert text == "A bot plays for ann"
    assert pickle.loads(pickle.dumps(text)).html == text.html == f"A bot plays for {KEPT.format('ann')}"
    assert capitalise("a < b").html == "A &lt; b"
