"""What the answers of webhooks mean: for the message, for the address, and for the next try.

Discord names the reason by a code ("JSON error codes" in its documents for developers), and Slack by a word
("Sending messages using incoming webhooks"). A program answers as Standard Webhooks says: 410 ends the
webhook.
"""

import json
from datetime import timedelta
from enum import Enum, auto

from accounts.outside.guarded_client import A_DAY, Answer
from games.models import Webhook

DISCORD, SLACK = Webhook.Format.DISCORD, Webhook.Format.SLACK
LONGEST_REASON = 100  # characters


class Verdict(Enum):
    """What an answer means."""

    ARRIVED = auto()
    LATER = auto()  # A later try may succeed.
    MESSAGE_REFUSED = auto()  # This message can't be posted; the next one may be.
    ADDRESS_REFUSED = auto()  # The address takes nothing now, perhaps because its server is set up wrong.
    ADDRESS_GONE = auto()  # The address will never take anything again.


BY_STATUS = {
    408: Verdict.LATER,
    410: Verdict.ADDRESS_GONE,
    413: Verdict.MESSAGE_REFUSED,
    425: Verdict.LATER,
    429: Verdict.LATER,
}
# Other codes that come with status 400 are about the message or its thread too: a thread that is archived
# (50083) or locked (160005), a forum that needs a thread (220001), words that a moderator forbids (200000).
BY_CODE = {
    10003: Verdict.MESSAGE_REFUSED,  # unknown channel: the thread was deleted
    10008: Verdict.MESSAGE_REFUSED,  # unknown message
    10015: Verdict.ADDRESS_GONE,  # unknown webhook
    50027: Verdict.ADDRESS_GONE,  # invalid webhook token
    40333: Verdict.LATER,  # the network before Discord
}
BY_WORD = {
    "no_service": Verdict.ADDRESS_GONE,
    "no_service_id": Verdict.ADDRESS_GONE,
    "no_active_hooks": Verdict.ADDRESS_GONE,
    "no_team": Verdict.ADDRESS_GONE,
    "team_disabled": Verdict.ADDRESS_GONE,
    "invalid_token": Verdict.ADDRESS_GONE,
    # Somebody can open an archived channel again.
    "channel_is_archived": Verdict.MESSAGE_REFUSED,
    "invalid_payload": Verdict.MESSAGE_REFUSED,
    "no_text": Verdict.MESSAGE_REFUSED,
    "rollup_error": Verdict.LATER,
}


def judge(format: str, answer: Answer) -> Verdict:
    """Return what an answer of a webhook of this format means."""
    if answer.is_good:
        return Verdict.ARRIVED
    if format == SLACK and (known := BY_WORD.get(_word(answer))):
        return known
    if format == DISCORD:
        code = _fields(answer).get("code")
        if isinstance(code, int) and code in BY_CODE:
            return BY_CODE[code]
        if answer.status == 400:
            return Verdict.MESSAGE_REFUSED
        if answer.status == 403 and code is None:
            return Verdict.LATER  # The network before Discord refuses every site for a while.
    if answer.status in BY_STATUS:
        return BY_STATUS[answer.status]
    return Verdict.ADDRESS_REFUSED if 300 <= answer.status < 500 else Verdict.LATER


def pause_after(format: str, answer: Answer) -> timedelta:
    """Return the shortest pause that an answer asks for; Discord says it in the body too."""
    asked = _fields(answer).get("retry_after") if format == DISCORD else None
    if not isinstance(asked, int | float) or not 0 < asked < float("inf"):
        return answer.retry_after
    return max(answer.retry_after, timedelta(seconds=min(asked, A_DAY)))


def describe(format: str, answer: Answer) -> str:
    """Return an answer in words for the owner of the webhook.

    Only Discord and Slack are quoted: other servers may answer with anything.
    """
    reason = ""
    if format == DISCORD:
        reason = str(_fields(answer).get("message", ""))
    elif format == SLACK:
        reason = _word(answer)
    return ": ".join(filter(None, [f"HTTP {answer.status}", " ".join(reason.split())[:LONGEST_REASON]]))


def _fields(answer: Answer) -> dict[str, object]:
    try:
        fields = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _word(answer: Answer) -> str:
    word = answer.body[:LONGEST_REASON].decode(errors="replace").strip()
    return word if word.replace("_", "").isalnum() else ""
