"""Emails of many mail programs are read as what their sender wrote, and malicious ones in bounded time.

The emails in `corpus/` are written after the formats of these programs. Most quote a turn mail that lists
moves, so a quote that is taken for a reply is noticed.
"""

import re
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.novaluna.board.notation import find_action
from games.novaluna.engine import Cell, Display, Place, Position, Refill, Resign, start
from games.novaluna.engine.wheel import Wheel
from games.replies import Reply, Unreadable, read_reply
from games.replies.quoting import MOST_LINES
from tests.novaluna.engine.games import deal

CORPUS = Path(__file__).with_name("corpus")
EXPECTED: dict[str, list[str]] = {
    "apple-mail-ios-de": ["Take 2 at S1 E4"],
    "apple-mail-ios-en": ["Take 2 at S1 E3"],
    "apple-mail-ios-fr": ["Take 2 at S1 E5"],
    "apple-mail-ios-html-only": ["take 1 at S5"],
    "apple-mail-macos-de": ["take 1 at W1 S2"],
    "apple-mail-macos-en": ["take 1 at W1 S1"],
    "apple-mail-macos-fr": ["take 1 at W1 S3"],
    "apple-mail-old-attribution": ["take 1 at S6"],
    "apple-mail-with-attachment": ["take 1 at S7"],
    "broken-base64": ["take 2 at E16"],
    "encoded-subject": ["take 2 at E15"],
    "gmail-android-en": ["Take 3 at n1"],
    "gmail-android-html-only": ["take 3 at S2 W1"],
    "gmail-between-quotes": ["Hi,", "take 1 at E2 S1"],
    "gmail-bottom-posted": ["take 2 at S3", "Cheers"],
    "gmail-html-signature": ["resign"],
    "gmail-it": ["take 1 at S9"],
    "gmail-picture-in-signature": ["take 1 at W3", "[image: logo]"],
    "gmail-signature": ["resign"],
    "gmail-web-de": ["Take 1 at W1.", "Viele Grüße", "Anna"],
    "gmail-web-en": ["take 2 at E1 N1"],
    "gmail-web-fr": ["refill"],
    "gmx-app-android": ["take 3 at N6"],
    "gmx-web-html-only": ["take 3 at N4", "Anna"],
    "gmx-web-text": ["take 3 at N5"],
    "k9-bottom-posted-de": ["take 3 at E4"],
    "k9-de": ["take 3 at E2"],
    "k9-en": ["take 3 at E1"],
    "k9-fr": ["take 3 at E3"],
    "kmail-en": ["take 2 at E9"],
    "mislabelled-charset": ["take 2 at E11", "Grüße"],
    "mutt-de": ["take 1 at N1 E2"],
    "mutt-en": ["take 1 at N1 E1"],
    "mutt-fr": ["take 1 at N1 E6"],
    "mutt-signed-inline": ["take 1 at N1 E5"],
    "mutt-without-quote": ["take 1 at N1 E3"],
    "neomutt-star-attribution": ["take 1 at N1 E4"],
    "no-mime-headers": ["take 2 at E14"],
    "nothing-written": [],
    "nothing-written-unmarked": [],
    "orange-fr": ["take 1 at W8"],
    "outlook-desktop-de": ["take 1 at S1", "Mit freundlichen Grüßen", "Anna Berg"],
    "outlook-desktop-en": ["take 2 at N2"],
    "outlook-desktop-fr": ["take 3 at E4"],
    "outlook-desktop-html-only-de": ["take 2 at W1 S2", "Gruß, Anna"],
    "outlook-desktop-html-only-fr": ["refill"],
    "outlook-forwarded-fr": ["take 1 at E3 N2"],
    "outlook-mac-de": ["take 3 at N3 W1"],
    "outlook-mac-en": ["take 3 at N3 E1"],
    "outlook-mobile-de": ["take 2 at E7"],
    "outlook-mobile-en": ["take 2 at E6"],
    "outlook-mobile-fr": ["take 2 at E8"],
    "outlook-plain-text-de": ["take 1 at E2"],
    "outlook-plain-text-en": ["take 1 at E1"],
    "outlook-plain-text-fr": ["take 1 at E3"],
    "outlook-plain-text-quoted": ["take 1 at E5"],
    "outlook-sv": ["take 1 at S8"],
    "outlook-web-de": ["take 3 at W2 N2"],
    "outlook-web-en": ["take 3 at W2 N1"],
    "outlook-web-fr": ["take 3 at W2 N3"],
    "outlook-web-html-only": ["Take 2 at E1 S4"],
    "proton-en": ["take 1 at W6"],
    "roundcube-de": ["take 1 at W7"],
    "samsung-de": ["take 2 at S2"],
    "samsung-en": ["take 2 at S1"],
    "samsung-fr": ["take 2 at S4"],
    "samsung-html-only-de": ["take 2 at S5"],
    "thunderbird-bottom-posted-de": ["take 2 at W2"],
    "thunderbird-bottom-posted-en": ["take 2 at W1"],
    "thunderbird-bottom-posted-fr": ["take 2 at W3"],
    "thunderbird-html-bottom-posted-de": ["take 2 at W6"],
    "thunderbird-html-only-en": ["take 2 at W5"],
    "thunderbird-no-blank-lines": ["take 2 at W7"],
    "thunderbird-top-posted-de": ["take 2 at W4"],
    "unknown-charset": ["take 2 at E12", "Grüße"],
    "unknown-program-with-mark": ["take 2 at E10", "Nova Luna:"],
    "webde-app-ios-unmarked": ["take 3 at N7"],
    "yahoo-html-only": ["take 1 at W5"],
    "yahoo-text-unmarked": ["take 1 at W4"],
    "zimbra-fr": ["take 1 at W9"],
}
TAKEN = re.compile(r"take (\d) at ((?:[EWNS]\d+ ?)+)", re.IGNORECASE)
# The beginning of each malicious email.
HEADER = b"From: Anna <anna@example.com>\nMessage-ID: <1@example.com>\n"
NUMBER = 100_000


def nested(depth: int, rest: bytes = b"") -> bytes:
    """Return multiparts within each other."""
    boundaries = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth))
    return b"".join(boundaries) + rest


def field(value: bytes) -> bytes:
    """Return a text whose type has these parameters."""
    return b"Content-Type: text/plain; " + value + b"\n\nrefill"


def plain(text: bytes) -> bytes:
    """Return a plain text."""
    return b"Content-Type: text/plain\n\n" + text


def html(text: bytes) -> bytes:
    """Return an HTML text."""
    return b"Content-Type: text/html\n\n" + text


MALICIOUS = {
    "nested multiparts": nested(1000),
    "nested multiparts with many lines": nested(29, b"\n" * NUMBER),
    "nested messages": b"Content-Type: message/rfc822\n\n" * 5000,
    "many parts": nested(1, b"--b0\n\n" * NUMBER),
    "long parameters": field(b"a=b;" * NUMBER),
    "broken continuations": field(b'charset*0="a"; charset="b"; ' * 2),
    "many header fields": b"X: y\n" * NUMBER + b"\nrefill",
    "encoded subject": b"Subject: " + b"=?utf-8?q?a?= " * NUMBER + b"\n\nrefill",
    "brackets in the sender": b"From: " + b"(" * NUMBER + b"\n\nrefill",
    "slow codec": field(b"charset=idna").replace(b"refill", b"a." * NUMBER),
    "codec that is no charset": field(b"charset=zlib"),
    "uuencoded": b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n" + b"M" * NUMBER,
    "words of an attribution": plain(b"On " * NUMBER),
    "lines of an attribution": plain(b"On 22.11.2026 a:\n" * NUMBER),
    "quoted header fields": plain(b"From: x\n" * NUMBER),
    "signatures": plain(b"--\nx\n" * NUMBER),
    "dashes": plain(b"-- a" + b"- " * NUMBER),
    "addresses": plain(b"a@" * NUMBER),
    "comments": html(b"<!--" * NUMBER),
    "declarations": html(b"<!" * NUMBER),
    "end tags": html(b"</" * NUMBER),
    "attributes": html(b"<a a=" * NUMBER),
    "quotes": html(b"<blockquote>" * NUMBER),
    "character reference": html(b"&#" + b"1" * NUMBER + b";"),
    "preformatted lines": html(b"<pre>" + b"x\n" * NUMBER),
}


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("name", EXPECTED)
def test_a_reply_is_read_without_quotes_and_signature(name: str, line_end: bytes) -> None:
    raw = (CORPUS / f"{name}.eml").read_bytes().replace(b"\n", line_end)
    assert list(read_reply(raw, "anna@example.com").lines) == EXPECTED[name]


def with_path_to(position: Position, cell: Cell) -> Position:
    """Return a position in which the player to move has tiles up to a cell, which is free."""
    display = Display()
    while cell not in display.free_cells:
        nearest = min(display.free_cells, key=lambda free: abs(free.x - cell.x) + abs(free.y - cell.y))
        display = display.with_tile(position.in_reach[0], nearest)
    return replace(position, displays=(display, *position.displays[1:]))


@pytest.mark.parametrize("name", [name for name, lines in EXPECTED.items() if lines])
def test_the_move_of_a_reply_is_found(name: str) -> None:
    position = start(deal(2, 3))
    assert position.to_move == 0
    text = " ".join(EXPECTED[name])
    expected: Place | Refill | Resign = Resign(0)
    if "refill" in text:
        # One tile is left on the wheel.
        position = replace(position, wheel=Wheel.at_start([position.in_reach[0], *[None] * 10]))
        expected = Refill(0)
    elif move := TAKEN.search(text):
        # Some people write the parts of the name of a cell in the other order.
        xs, ys = zip(*map(Cell.parse, move[2].split()), strict=True)
        cell = Cell(sum(xs), sum(ys))
        position = with_path_to(position, cell)
        expected = Place(0, position.in_reach[int(move[1]) - 1].code, cell.x, cell.y)
    lines = read_reply((CORPUS / f"{name}.eml").read_bytes(), "anna@example.com").lines
    assert find_action(lines, position, 0) == expected
    assert position.is_legal(expected)


def test_every_email_of_the_corpus_is_read() -> None:
    assert {path.stem for path in CORPUS.glob("*.eml")} == EXPECTED.keys()


def reply_to(raw: bytes) -> Reply:
    return read_reply(b"From: anna@example.com\n" + raw)


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Your turn", "Your turn"),
        ("Re: Your turn", "Your turn"),
        ("AW: RE: Your turn", "Your turn"),
        ("TR : Your turn", "Your turn"),
        ("SV: Your turn", "Your turn"),
        ("Re[2]: Your turn", "Your turn"),
        ("=?utf-8?Q?Re=3A_Zug_f=C3=BCr_Anna?=", "Zug für Anna"),
        ("Your turn: TR: x", "Your turn: TR: x"),
        ("Reason: none", "Reason: none"),
        ("=?unknown?Q?x?=", "=?unknown?Q?x?="),
    ],
)
def test_a_subject_is_read_without_the_prefixes_of_mail_programs(subject: str, expected: str) -> None:
    assert reply_to(f"Subject: {subject}\n\nrefill".encode()).subject == expected


def test_the_end_of_a_sentence_that_a_program_has_wrapped_is_no_line() -> None:
    wrapped = b"You are so far ahead of me by now that it would be the best to\nresign\n"
    assert reply_to(b"\n" + wrapped).lines == (" ".join(wrapped.decode().split("\n")).strip(),)
    apart = b"\nYou are so far ahead of me that I can only do one thing now:\nresign\n"
    assert reply_to(apart).lines[1] == "resign"
    assert reply_to(b"\nShort\nresign\n").lines == ("Short", "resign")


def test_the_same_email_has_the_same_request_id() -> None:
    first = reply_to(b"Message-ID: <1@example.com>\n\nrefill")
    assert first.message_id == "<1@example.com>"
    assert reply_to(b"Received: later\nMessage-ID: <1@example.com>\n\nrefill").request_id == first.request_id
    assert reply_to(b"Message-ID: <2@example.com>\n\nrefill").request_id != first.request_id
    assert reply_to(b"\nrefill").request_id != reply_to(b"Date: today\n\nrefill").request_id


def test_a_message_that_is_attached_is_not_read() -> None:
    attached = b"Content-Type: message/rfc822\n\nSubject: x\n\nrefill\n--b0--\n"
    assert reply_to(nested(1, b"\n\n--b0\n" + attached)).lines == ()
    assert reply_to(nested(1, b"\nresign\n--b0\n" + attached)).lines == ("resign",)


def test_the_beginning_of_a_large_email_is_read() -> None:
    picture = b"\n--b0\nContent-Type: image/png\n\n" + b"x" * 5_000_000
    assert reply_to(nested(1, b"\nrefill" + picture)).lines == ("refill",)
    assert len(reply_to(b"\n" + b"refill\n" * NUMBER).lines) == MOST_LINES


@pytest.mark.parametrize("name", MALICIOUS)
def test_a_malicious_email_is_read_or_refused_in_bounded_time(name: str) -> None:
    began = time.process_time()
    with suppress(Unreadable):
        assert len(read_reply(HEADER + MALICIOUS[name]).lines) <= MOST_LINES
    assert time.process_time() - began < 3


@settings(max_examples=100, deadline=None)
@given(
    name=st.sampled_from(sorted(EXPECTED)),
    at=st.integers(0, 6000),
    length=st.integers(0, 300),
    other=st.one_of(st.binary(max_size=40), st.text(max_size=20).map(str.encode)),
)
def test_a_damaged_email_is_read_or_refused(name: str, at: int, length: int, other: bytes) -> None:
    raw = (CORPUS / f"{name}.eml").read_bytes()
    at %= len(raw)
    try:
        reply = read_reply(raw[:at] + other + raw[at + length :])
    except Unreadable:
        return
    assert all(reply.lines)
