"""Forms that no page of the house of `test_fuzzed_forms` shows, with what a browser would send.

Words in capital letters are replaced as in the addresses of walks.
"""

from collections.abc import Mapping

ACTION = '[{"do": "place", "tile": "TILE", "x": 0, "y": 1}]'
PLAY = {
    "do": "play",
    "number": "NUMBER",
    "action": ACTION,
    "request_id": "",
    "changes": "0",
    "line": "take 1",
}
PASSKEY = {"name": "Key", "credential": "{}", "passwordless": "on"}

UNSEEN: Mapping[str, Mapping[str, str]] = {
    "/play/person/stop/": {"title": "novaluna", "pace": "live3", "bot": "1", "request_id": "", "nonce": ""},
    "/play/person/leave/": {},
    "/g/KEY/text/": PLAY,
    "/g/KEY/plan/": PLAY | {"outlasts_refill": "on", "line": "take 1"},
    "/g/KEY/text/plan/": PLAY | {"outlasts_refill": "on", "line": "take 1"},
    "/g/KEY/hint/": {"number": "NUMBER"},
    "/g/KEY/text/hint/": {"number": "NUMBER"},
    "/g/KEY/play/back/": {"number": "NUMBER", "request_id": ""},
    "/g/KEY/text/back/": {"number": "NUMBER", "request_id": ""},
    "/g/KEY/take-back/": {"number": "NUMBER", "request_id": ""},
    "/g/KEY/swap/": {"number": "0", "other": "1"},
    "/g/KEY/invite/1/withdraw/": {},
    "/g/KEY/sound/": {"is_on": "True"},
    "/g/KEY/leave/": {},
    "/g/KEY/decline/": {},
    "/g/KEY/expert/": {},
    "/g/KEY/nudge/": {"text": "1"},
    "/g/KEY/train/": {},
    "/g/KEY/lines/": {"start": "5", "line": "TILE_0_1", "name": "Mine", "text": "1"},
    "/g/KEY/lines/1/delete/": {"text": "1"},
    "/seats/OFFER/": {"do": "give_up", "request_id": "", "guest_name": "", "log_in": "1", "nonce": ""},
    "/move/TOKEN/": PLAY | {"move": "take 1"},
    "/invitations/TOKEN/": {"guest_name": "Amber", "sign_up": "1", "request_id": ""},
    "/invitations/TOKEN/decline/": {},
    "/invitations/TOKEN/stop/": {"again": "1"},
    "/account/turn-mails/off/TOKEN/": {"when": "never", "next": "/"},
    "/daily/2026-06-01/practice/": {"request_id": "", "day": "2026-06-01", "minutes": "5"},
    "/duplicates/MATCH/": {"do": "enter", "level": "easy", "team": "1", "who": "Noor", "request_id": ""},
    "/trainer/1/": {"action": ACTION, "tile": "TILE", "x": "0", "y": "1", "later": "1"},
    "/learn/1/": {"tile": "TILE", "x": "0", "y": "1", "answer": "1"},
    "/guest-games/": {"moves": "1"},
    "/account/hours/vacation/1/end/": {"is_warned": "1"},
    "/account/notifications/browsers/": {"endpoint": "", "public_key": "", "auth": "", "replaced": ""},
    "/account/notifications/browsers/check/": {"endpoint": "https://push.example/1"},
    "/account/notifications/browsers/1/remove/": {"keeps_messages": "1"},
    "/account/notifications/webhook/secret/": {},
    "/account/notifications/webhook/test/": {},
    "/account/notifications/webhook/remove/": {},
    # Of the account.
    "/account/settings/keep/": {},
    "/account/settings/confirm-address/": {"email": "a@example.org"},
    "/account/other-browser/": {},
    "/account/guest-code/TOKEN/": {"code": "TOKEN", "is_warned": "on"},
    "/account/sessions/1/end/": {},
    "/account/language/": {"language": "en", "next": "/"},
    "/account/keep/TOKEN/": {},
    "/account/undo/TOKEN/": {},
    "/account/confirm-email/TOKEN/": {},
    "/account/login/code/confirm/": {"code": "TOKEN", "action": "resend"},
    "/account/password/set/": {"password1": "moon", "password2": "moon"},
    "/account/password/reset/key/1-TOKEN/": {"password1": "moon", "password2": "moon", "not_mine": "1"},
    "/account/security/authenticate/": {"code": "123456", "credential": "{}"},
    "/account/security/reauthenticate/": {"code": "123456"},
    "/account/security/webauthn/reauthenticate/": {"credential": "{}"},
    "/account/security/recovery-codes/generate/": {},
    "/account/security/totp/deactivate/": {},
    "/account/security/webauthn/add/": PASSKEY,
    "/account/security/webauthn/keys/1/edit/": PASSKEY,
    "/account/security/webauthn/keys/1/remove/": {},
}
