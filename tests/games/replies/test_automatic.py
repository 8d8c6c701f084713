"""Emails that no person wrote are ignored, so that no loop of replies can begin."""

import pytest

from games.replies import Ignored, WhyIgnored, read_reply

AUTOMATIC, BOUNCE, LIST = WhyIgnored.AUTOMATIC, WhyIgnored.BOUNCE, WhyIgnored.LIST


def email(*header: str, sender: str = "anna@example.com", subject: str = "Re: Your turn") -> bytes:
    """Return a reply with these header fields."""
    return "\n".join((f"From: {sender}", f"Subject: {subject}", *header, "", "refill", "")).encode()


def why_ignored(raw: bytes, envelope_sender: str | None = "anna@example.com") -> WhyIgnored | None:
    try:
        read_reply(raw, envelope_sender)
    except Ignored as ignored:
        return ignored.why
    return None


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("Auto-Submitted: auto-replied", AUTOMATIC),
        ("Auto-Submitted: auto-replied (vacation)", AUTOMATIC),
        ("Auto-Submitted: Auto-Generated; owner-email=x", AUTOMATIC),
        ("Precedence: auto_reply", AUTOMATIC),
        ("Precedence: junk", AUTOMATIC),
        ("X-Auto-Response-Suppress: All", AUTOMATIC),
        ("X-Auto-Response-Suppress: DR, OOF, AutoReply", AUTOMATIC),
        ("X-Autoreply: yes", AUTOMATIC),
        ("X-Autorespond: your turn", AUTOMATIC),
        ("X-Mail-Autoreply: 1", AUTOMATIC),
        ("Return-Path: <>", BOUNCE),
        ("X-Failed-Recipients: ines@example.com", BOUNCE),
        ('Content-Type: multipart/report; report-type=delivery-status; boundary="b"', BOUNCE),
        ('Content-Type: multipart/report; report-type=disposition-notification; boundary="b"', BOUNCE),
        ("Content-Type: message/disposition-notification", BOUNCE),
        ("List-Id: <players.example.com>", LIST),
        ("List-Unsubscribe: <mailto:leave@example.com>", LIST),
        ("Precedence: bulk", LIST),
        ("Precedence: list", LIST),
        ("\n".join(["Received: from a by b"] * 50), WhyIgnored.LOOP),
    ],
)
def test_an_automatic_email_is_recognised_by_its_header(field: str, why: WhyIgnored) -> None:
    assert why_ignored(email(field)) is why


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: Your turn",
        "Out of Office: Re: Your turn",
        "Auto-Reply: Your turn",
        "Automatische Antwort: Your turn",
        "Abwesenheitsnotiz: Your turn",
        "=?utf-8?Q?R=C3=A9ponse_automatique_=3A_Your_turn?=",
        "Absence du bureau : Your turn",
        "Autosvar: Your turn",
        "Undeliverable: Your turn",
        "Unzustellbar: Your turn",
        "Delivery Status Notification (Failure)",
        "Mail delivery failed: returning message to sender",
        "Gelesen: Your turn",
    ],
)
def test_an_automatic_email_is_recognised_by_its_subject(subject: str) -> None:
    assert why_ignored(email(subject=subject)) is AUTOMATIC


@pytest.mark.parametrize(
    "sender",
    [
        "MAILER-DAEMON@example.com",
        "Mail Delivery System <mailer-daemon@example.com>",
        "postmaster@example.com",
        "Shop <no-reply@example.com>",
        "noreply+17@example.com",
        "donotreply@example.com",
    ],
)
def test_emails_of_programs_are_ignored(sender: str) -> None:
    assert why_ignored(email(sender=sender)) is BOUNCE


def test_an_email_without_a_sender_in_smtp_is_a_bounce() -> None:
    assert why_ignored(email(), envelope_sender="") is BOUNCE
    assert why_ignored(email(), envelope_sender="<>") is BOUNCE
    assert why_ignored(email(), envelope_sender=None) is None


@pytest.mark.parametrize(
    "field",
    [
        "Auto-Submitted: no",
        "Auto-Submitted:",
        "X-Auto-Response-Suppress: None",
        "X-Auto-Response-Suppress: DR, RN, NRN",
        "X-Autoreply: no",
        "Precedence: first-class",
        "Return-Path: <anna@example.com>",
        'Content-Type: multipart/mixed; boundary="b"',
        "\n".join(["Received: from a by b"] * 12),
    ],
)
def test_a_persons_email_is_read(field: str) -> None:
    assert why_ignored(email(field)) is None


@pytest.mark.parametrize(
    "subject", ["AW: Your turn", "Your turn", "Read this", "Automatic win?", "Absent friends", "Echec et mat"]
)
def test_a_persons_subject_is_read(subject: str) -> None:
    assert why_ignored(email(subject=subject)) is None


@pytest.mark.parametrize(
    "sender", ["Noreen <noreen@example.com>", "bouncer@example.com", "r@example.com", ""]
)
def test_a_persons_address_is_read(sender: str) -> None:
    assert why_ignored(email(sender=sender)) is None
