"""The addresses of the site, for walks over all of them as each kind of viewer."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from django.contrib.admin import site as admin_site
from django.db import connection
from django.db.models import Model
from django.urls import URLPattern, URLResolver, reverse

# Queries of pages that show a game. The empty one is the page without a query. TILE is the first tile in
# reach.
CHOICES = ("", "?tile=TILE", "?tile=TILE&x=0&y=1", "?at=2", "?resign=1", "?refill=1", "?hint=1", "?plan=1")

# The addresses to visit by the name of their URL pattern. KEY is the key of the game.
ADDRESSES: Mapping[str, tuple[str, ...]] = {
    "games:home": ("/",),
    "games:play_now": ("/play/",),
    "games:guest_games": ("/guest-games/",),
    "games:seek": ("/play/person/",),
    "games:stop_seeking": ("/play/person/stop/",),
    "games:leave_search": ("/play/person/leave/",),
    "games:new": ("/new/",),
    "games:new_duplicate": ("/duplicates/new/",),
    "games:duplicate": ("/duplicates/MATCH/",),
    "games:follow_game": ("/g/KEY/follow/",),
    "games:finished": (
        "/finished/",
        "/finished/?who=Tob&result=lost&chat=on",
        "/finished/?since=x&players=9",
    ),
    "games:insights": ("/finished/statistics/", "/finished/statistics/?title=pairs"),
    "games:finished_records": ("/finished/records.jsonl", "/finished/records.jsonl?who=Tobias"),
    "games:solo": ("/solo/",),
    "games:solo_start": ("/solo/start/",),
    "games:solo_results": ("/solo/results.csv",),
    "games:leaderboard": ("/solo/leaderboard/",),
    "games:trainer": ("/trainer/",),
    "games:training": ("/trainer/1/",),
    "games:train": ("/g/KEY/train/",),
    "games:ratings": ("/ratings/",),
    "games:help": ("/help/", "/help/?q=clock", "/help/?q=xyzzy"),
    "games:watch": (
        "/watch/",
        "/watch/?by=strength",
        "/watch/?by=watched",
        "/watch/?name=tob",
        "/watch/?name=Mnia",
    ),
    "games:daily": ("/daily/",),
    "games:daily_start": ("/daily/start/",),
    "games:daily_day": ("/daily/2026-06-01/",),
    "games:daily_practice": ("/daily/2026-06-01/practice/",),
    "games:names": ("/names/", "/names/?name=tob", "/names/?who=In"),
    "games:person": ("/people/Ines/", "/people/Tobias/", "/people/Noor/"),
    "games:game": tuple(f"/g/KEY/{query}" for query in CHOICES),
    "games:play": ("/g/KEY/play/",),
    "games:hide_tips": ("/g/KEY/tips/hide/",),
    "games:sound": ("/g/KEY/sound/",),
    "games:hint": ("/g/KEY/hint/", "/g/KEY/hint/?late=1"),
    "games:text": tuple(f"/g/KEY/text/{query}" for query in CHOICES),
    "games:text_hint": ("/g/KEY/text/hint/",),
    "games:plan": ("/g/KEY/plan/",),
    "games:text_plan": ("/g/KEY/text/plan/",),
    "games:display": tuple(f"/g/KEY/displays/{seat}/{query}" for seat in (0, 1) for query in ("", "?at=2")),
    "games:join": ("/g/KEY/join/",),
    "games:add_bots": ("/g/KEY/bots/",),
    "games:swap": ("/g/KEY/swap/",),
    "games:invite": ("/g/KEY/invite/",),
    "games:withdraw": ("/g/KEY/invite/1/withdraw/",),
    "games:leave": ("/g/KEY/leave/",),
    "games:decline": ("/g/KEY/decline/",),
    "games:rematch": ("/g/KEY/rematch/",),
    "games:expert": ("/g/KEY/expert/",),
    "games:vote": ("/g/KEY/vote/",),
    "games:hand_over": ("/g/KEY/hand-over/",),
    "games:seat": ("/seats/AAAAAAAAAAAA/", "/seats/OFFER/"),
    "games:take_back_action": ("/g/KEY/play/back/",),
    "games:text_take_back_action": ("/g/KEY/text/back/",),
    "games:take_back": ("/g/KEY/take-back/",),
    "games:close": ("/g/KEY/close/",),
    "games:review": ("/g/KEY/review/",),
    "games:mail_move": ("/move/TOKEN/?move=take+1", "/move/TOKEN/?move=moon"),
    "games:deal": ("/g/KEY/deal/",),
    "games:record": ("/g/KEY/record.json",),
    "games:preview": ("/g/KEY/preview.jpg",),
    "games:small_preview": ("/g/KEY/preview.webp",),
    "games:duplicate_version": ("/duplicates/MATCH/version/", "/duplicates/KEY/version/"),
    "games:duplicate_stream": ("/duplicates/MATCH/stream/",),
    "games:updates": ("/updates/", "/updates/?lists"),
    "games:updates_stream": ("/updates/stream/",),
    "games:version": ("/g/KEY/version/", "/g/KEY/version/?visible"),
    "games:stream": ("/g/KEY/stream/",),
    "games:chat": ("/g/KEY/chat/", "/g/KEY/chat/?line=0"),
    "games:chat_read": ("/g/KEY/chat/read/",),
    "games:note": ("/g/KEY/note/",),
    "games:try_line": (
        "/g/KEY/try/5/",
        "/g/KEY/try/5/?tile=TILE",
        "/g/KEY/try/5/TILE_0_1/",
        "/g/KEY/try/2/refill/",
    ),
    "games:text_try_line": ("/g/KEY/text/try/5/?tile=TILE&x=0&y=1", "/g/KEY/text/try/5/TILE_0_1/"),
    "games:keep_line": ("/g/KEY/lines/",),
    "games:drop_line": ("/g/KEY/lines/1/delete/",),
    "games:report_person": ("/people/Tobias/report/",),
    "games:report_game": ("/g/KEY/report/",),
    "games:report_line": ("/g/KEY/chat/LINE/report/",),
    "games:reports": ("/account/reports/",),
    "games:object": ("/account/reports/MEASURE/object/",),
    "games:moderation": ("/moderation/",),
    "games:moderation_report": ("/moderation/reports/REPORT/",),
    "games:moderation_measure": ("/moderation/measures/MEASURE/",),
    "games:moderation_trail": ("/moderation/trail/",),
    "games:mute": ("/people/Tobias/mute/",),
    "games:block": ("/people/Tobias/block/",),
    "games:follow": ("/people/Tobias/follow/",),
    "games:profile_settings": ("/account/profile/",),
    "games:silence": ("/g/KEY/silence/",),
    "games:export": ("/account/export/",),
    "games:export_file": ("/account/export/KEY/",),
    "games:hours": ("/account/hours/",),
    "games:plan_vacation": ("/account/hours/vacation/",),
    "games:end_vacation": ("/account/hours/vacation/1/end/",),
    "games:nudge": ("/g/KEY/nudge/",),
    "games:renew_feeds": ("/account/notifications/feeds/",),
    "games:notifications": ("/account/notifications/",),
    "games:notifications_sent": ("/account/notifications/sent/",),
    "games:add_browser": ("/account/notifications/browsers/",),
    "games:check_browser": ("/account/notifications/browsers/check/",),
    "games:remove_browser": ("/account/notifications/browsers/1/remove/",),
    "games:webhook": ("/account/notifications/webhook/",),
    "games:webhook_secret": ("/account/notifications/webhook/secret/",),
    "games:webhook_test": ("/account/notifications/webhook/test/",),
    "games:webhook_remove": ("/account/notifications/webhook/remove/",),
    "mailbox": ("/mailbox/",),
    "accounts:settings": ("/account/settings/",),
    "accounts:delete_account": ("/account/settings/delete/",),
    "accounts:other_browser": ("/account/other-browser/",),
    "accounts:keep_account": ("/account/settings/keep/",),
}
# Patterns whose views read no game; their pages show at most how many games wait for the viewer.
WITHOUT_GAMES = {
    "games:house_rules",
    "games:learn",
    "games:learn_step",
    "games:rules",
    "accounts:log_in",
    "accounts:confirm_code",
    "accounts:sign_up",
    "accounts:ask_for_reset",
    "accounts:addresses",
    "accounts:send_confirmation",
    "accounts:passkeys",
    "accounts:sign_up_by_passkey",
    "accounts:end_session",
    "accounts:events",
    "accounts:undo",
    "accounts:enter_code",
    "accounts:guest_link",
    "accounts:keep_by_link",
    "accounts:set_theme",
    "accounts:set_language",
    "games:unsubscribe",
    # Each person's feeds have addresses of their own; tests/games/views/test_feeds.py reads them.
    "games:feed_turns",
    "games:feed_deadlines",
    # An invitation is over when its game starts; its links then lead to the game.
    "games:invitation",
    "games:decline_invitation",
    "games:stop_invitations",
    "privacy",
    "manifest",
    "service_worker",
    "offline",
    # Each mail has an address of its own; test_the_turn_mail_does_not_depend_on_the_draw_pile reads one.
    "mailbox_mail",
    "mailbox_html",
}


def url_names(patterns: list[URLPattern | URLResolver], namespace: str = "") -> Iterator[str]:
    """Yield the full names of all URL patterns."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = ":".join(filter(None, [namespace, pattern.namespace]))
            yield from url_names(pattern.url_patterns, inner)
        else:
            yield ":".join(filter(None, [namespace, pattern.name or "(without a name)"]))


def admin_addresses() -> list[str]:
    """Return the list and add pages of every model in the admin, and all pages of its newest row."""
    found = [reverse("admin:index")]
    for model, _admin in admin_site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        found += [reverse(f"{name}_changelist"), reverse(f"{name}_add")]
        for row in model._default_manager.order_by("-pk")[:1]:
            found += [reverse(f"{name}_{page}", args=[row.pk]) for page in ("change", "history", "delete")]
    return found


def normalise(content: bytes, path: str = "") -> bytes:
    """Return a response without tokens, request ids and what follows from them, which are new each time.

    Pages of the admin that ask before they delete have no order of rows.
    """
    if path.endswith("/delete/"):
        content = b"\n".join(sorted(content.splitlines()))
    content = re.sub(
        rb'(csrfmiddlewaretoken" value="|X-CSRFToken": "|data-commitment="|data-time=")[\w.]+',
        rb"\1",
        content,
    )
    return re.sub(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", b"", content)


Execute = Callable[[str, object, bool, object], object]


@contextmanager
def queries_of(*models: type[Model]) -> Iterator[list[str]]:
    """Yield a list of the queries meanwhile that name the table of one of these models."""
    tables = [f'"{model._meta.db_table}"' for model in models]
    found: list[str] = []

    def note(execute: Execute, sql: str, params: object, many: bool, context: object) -> object:
        if any(table in sql for table in tables):
            found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found
