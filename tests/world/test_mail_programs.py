"""Whatever program writes a reply in whatever language, its words are read, or they ask back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.novaluna.board.notation import is_move
from games.replies import Reply, read_answer, read_reply
from games.replies.quoting import own_lines
from tests.games.replies.test_answers import CLEAR, UNCLEAR
from tests.world.mail_programs import LANGUAGES, ORIGINAL, PROGRAMS, WARNINGS, Body, Language, raw_mail

CHARSETS = ["utf-8", "", "utf-16"]  # empty: that of the language
ENCODINGS = ["quoted-printable", "base64", "8bit"]
MOVES = [
    "take 2 at E1 N1",
    "Take 2 at E1.",
    "“take ２ at Ｅ1”",
    "take\N{NO-BREAK SPACE}2 at\N{ZERO WIDTH SPACE} E1",
]


def reply_with(body: Body, language: Language, number: int) -> Reply:
    """Return a reply as it is read; the `number` chooses its charset and encoding."""
    encoding = ENCODINGS[number // 3 % 3]
    charset = CHARSETS[number % 3] or language.charset
    # UTF-16 has bytes that are no text.
    return read_reply(raw_mail(body, language, charset, "base64" if charset == "utf-16" else encoding))


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_words_of_a_reply_are_read_in_every_language(program: str) -> None:
    for number, (name, language) in enumerate(LANGUAGES.items()):
        for turn, words in enumerate((*MOVES, language.yes, language.no)):
            body = PROGRAMS[program](words, language)
            for way in range(9) if turn in (0, 4) else [number + turn]:
                lines = reply_with(body, language, way).lines
                moves = [line for line in lines if is_move(line)]
                assert len(moves) == (turn < len(MOVES)), (name, words, lines)
                expected = {language.yes: True, language.no: False}.get(words)
                assert read_answer(lines) is expected, (name, words, lines)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_reply_without_words_says_nothing(program: str) -> None:
    for number, language in enumerate(LANGUAGES.values()):
        lines = reply_with(PROGRAMS[program]("", language), language, number).lines
        assert not any(is_move(line) for line in lines), lines
        assert read_answer(lines) is None


@pytest.mark.parametrize("warning", WARNINGS)
def test_what_a_gateway_writes_above_a_reply_is_no_part_of_it(warning: str) -> None:
    for number, (program, write) in enumerate(PROGRAMS.items()):
        if "below" in program or program in ("Thunderbird", "Alpine", "a program that wraps"):
            continue  # Their words are at the end.
        for language in LANGUAGES.values():
            body = write(language.no, language)
            above = "" if "PGP" in warning else f"<div>{warning}</div>"
            html = body.html.replace("<div", f"{above}<div", 1)
            reply = reply_with(Body(body.text and warning + body.text, html), language, number)
            assert read_answer(reply.lines) is False, (program, reply.lines)


FOOTERS = [
    "\n-- \nAnna Berg\nExample Ltd",
    "\nAnna\n\nThis email is confidential. If you are not the intended recipient, do not read it.",
    "\nMit freundlichen Grüßen\nAnna Berg\n\nExample GmbH, Sitz: Berlin, Geschäftsführer: Tobias Berg",
    "\n\n________________________________________\nfamily mailing list -- family@example.org",
    "\n\nGet Outlook for Android<https://example.org/outlook>",
    "\nЗ повагою, Анна",
]


@pytest.mark.parametrize("footer", FOOTERS)
def test_signatures_and_footers_change_no_answer(footer: str) -> None:
    for program in ("Gmail", "Outlook", "Apple Mail", "Samsung Email", "GMX and Web.de"):
        for language in LANGUAGES.values():
            reply = reply_with(PROGRAMS[program](language.yes + footer, language), language, 0)
            assert read_answer(reply.lines) is True, reply.lines


@pytest.mark.parametrize(
    "raw",
    [
        (
            "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: text/plain\n\nYes\n"
            "--b\nContent-Type: application/pkcs7-signature\n\nMII\n--b--\n"
        ),
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nYes\n--b\n"
            "Content-Type: application/ms-tnef; name=winmail.dat\n\nxx\n--b--\n"
        ),
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n[EXTERNAL EMAIL]\n--b\n\nYes\n--b--\n",
        (
            "Content-Type: multipart/alternative; boundary=b\n\n--b\n\nYes\n--b\n"
            "Content-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\n--b--\n"
        ),
        (
            "Content-Type: multipart/related; boundary=b\n\n--b\n"
            "Content-Type: text/html\n\n<p>Yes<img src=cid:1>\n--b\n"
            "Content-Type: image/png\nContent-ID: <1>\n\nxx\n--b--\n"
        ),
        "Content-Type: text/plain; charset=windows-1252\nContent-Transfer-Encoding: 8bit\n\nSí, gracias\n",
        "Content-Type: text/plain; charset=x-unknown\n\nSí, gracias\n",
        "Content-Type: text/plain\n\nSí, gracias\n",
        "Content-Type: text/html; charset=utf-8\n\n<table><tr><td>Yes</td></tr></table>\n",
    ],
)
def test_the_words_are_found_in_every_kind_of_email(raw: str) -> None:
    assert read_answer(read_reply(b"From: a@example.com\n" + raw.encode()).lines) is True


@settings(max_examples=300, deadline=None)
@given(
    program=st.sampled_from(sorted(PROGRAMS)),
    language=st.sampled_from(sorted(LANGUAGES)),
    number=st.integers(0, 8),
    words=st.one_of(
        st.sampled_from([*CLEAR, *UNCLEAR, *MOVES]),
        st.text(max_size=60).filter(lambda text: not any(map(str.isspace, text))),
        st.lists(
            st.sampled_from(
                [
                    "yes",
                    "no",
                    "take",
                    "2",
                    "at",
                    "E1",
                    "not",
                    "ja",
                    "nein",
                    "but",
                    "refill",
                    "-",
                    ",",
                    ".",
                    "?",
                    "好",
                    "👍",
                ]
            )
        ).map(" ".join),
    ),
)
def test_a_reply_is_read_as_its_words_or_asks_back(
    program: str, language: str, number: int, words: str
) -> None:
    body = PROGRAMS[program](words, LANGUAGES[language])
    lines = reply_with(body, LANGUAGES[language], number).lines
    own = own_lines(words)
    assert read_answer(lines) in (None, read_answer(own))
    assert {line for line in lines if is_move(line)} <= {*own}


def test_the_quoted_email_has_what_must_not_be_read() -> None:
    assert sum(map(is_move, ORIGINAL.split("\n"))) == 3
    assert {"yes", "no"} <= {*ORIGINAL.split("\n")}
