"""What an export contains of each model: the rows of a person, and of these the columns that are theirs.

A column is named in `columns` or in `left_out`, and a model in PARTS or in WITHHELD; a test compares both
with the models. Left out are keys and secrets, which would open something to a finder of the file, what the
site only computes with, and what others may keep to themselves.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.apps import apps
from django.db.models import F, Model, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import SeatChange


class Part(NamedTuple):
    """A model in a file: which rows are a person's, their columns, and what is left out.

    `whose` names the fields with the person, or returns the condition.
    """

    file: str
    whose: str | Callable[[User], Q]
    columns: str
    left_out: str = ""


def _by_address(user: User) -> Q:
    """Emails to confirmed addresses: others may be somebody else's."""
    confirmed = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    return Q(address__in=[address.lower() for address in confirmed])


def _own_hints(user: User) -> Q:
    """Hints at seats that nobody else has had."""
    shared = SeatChange.objects.values("game")
    return Q(game__seats__user=user, game__seats__number=F("seat")) & ~Q(game__in=shared)


# What each file is about. README.txt has these sentences too.
FILES: Mapping[str, Promise] = {
    "account": _("Your account, its addresses, second factors and settings, your hours and vacations."),
    "sessions": _("Where you are logged in."),
    "security": _("Log-ins and changes of your account."),
    "messages": _("Emails and messages to you, and your replies by email that were read."),
    "devices": _("Browsers that get push messages, and your webhook."),
    "games": _("Your tables, seats, moves and proposals, and how your games ended."),
    "chat": _("Lines that you wrote in chats."),
    "hints": _("Hints that you asked for."),
    "results": _("Ratings, places on leaderboards, reliability, and your answers in the trainer."),
    "notes": _("Your notes, plans and the moves that you tried, which only you see."),
    "people": _("Whom and what you follow, whose lines you hide, and whom you have blocked."),
    "reports": _("What you have reported, and what moderators have decided about you."),
    "watching": _("The game that you have looked at last, and your last search for another player."),
    "staff": _("What you have changed as staff."),
}

PARTS: dict[str, Part] = {
    "accounts.User": Part(
        "account",
        lambda user: Q(pk=user.pk),
        "username email date_joined last_login is_guest is_active is_staff is_superuser language time_zone "
        "confirm_moves plays_forced shortcuts sound tips automatic_vacation plays_by_reply digest_hour "
        "refused_address proved_address removal_due_at is_moderator muted_until private_until "
        "suspended_until chooses_name",
        "password guest_request feed_number mark has_unread_decision",
    ),
    "account.EmailAddress": Part("account", "user", "email verified primary"),
    "mfa.Authenticator": Part("account", "user", "type created_at last_used_at", "data"),
    "games.HiddenPart": Part("account", "user", "part"),
    "games.NotificationChoice": Part("account", "user", "kind channel is_wanted"),
    "games.HoursChange": Part("account", "user", "starts_at time_zone sleep_start sleep_end day_off"),
    "games.Vacation": Part("account", "user", "starts_at ends_at time_zone"),
    "usersessions.UserSession": Part(
        "sessions", "user", "created_at last_seen_at ip user_agent data", "session_key"
    ),
    "accounts.SecurityEvent": Part(
        "security", "user", "kind detail user_agent network at undone_at undone_by"
    ),
    "accounts.AccountMail": Part(
        "messages",
        _by_address,
        "address subject created_at due_at attempts",
        "text html stop_url reply_to in_reply_to",
    ),
    "accounts.PastMail": Part(
        "messages", _by_address, "address subject created_at ended_at attempts is_sent error"
    ),
    "accounts.ReturnedMail": Part("messages", _by_address, "address error received_at has_stopped_emails"),
    "games.Notification": Part(
        "messages",
        "user",
        "game kind channel created_at due_at sent_at dropped_at why_dropped attempts error refused_at "
        "failing_since",
        "version repeat claimed_at",
    ),
    "games.ReceivedReply": Part("messages", "user", "game number outcome received_at", "request_id"),
    "games.Browser": Part(
        "devices",
        "user",
        "name kept_for added_at refused_at failing_since failed_at off_at why_off",
        "endpoint public_key auth site_key session_key last_message",
    ),
    "games.Webhook": Part(
        "devices",
        "user",
        "format error arrived_at failing_since failed_at off_at test_asked_at tested_at",
        "url secret",
    ),
    "games.WebhookPost": Part("devices", "webhook__user", "game kind", "webhook message_id claimed_until"),
    "games.Game": Part(
        "games",
        "seats__user opened_by",
        "key title mode seat_count options goal_discs is_public is_unlisted is_without_hints "
        "changes_ratings opened_by "
        "opened_at closes_at pace caretaker least_reliability least_rating most_rating is_practice "
        "rules_version started_at status version winner score ending moved_at",
        "mark request_id rematch_of changes deal daily to_move projected_version bot_queued_until deadline "
        "deadline_changed_at reminded_of",
    ),
    "games.Seat": Part(
        "games",
        "user invited",
        "game number user invited invited_at has_declined joined_at seen_at is_silent place discs time rank "
        "has_left bank deadline",
        "invited_address has_declined_by_reply was_asked_again answers_to_replies has_unclear_answer bot "
        "bot_name nonce has_own_nonce chat_read_to planned_number unplanned_number figures awaited_since "
        "caretaker clock_started_at reminded_of",
    ),
    "games.Action": Part("games", "made_by", "game number seat payload at", "made_by request_id"),
    "games.SeatChange": Part("games", "user former", "game seat number bot user former reason at"),
    "games.SeatOffer": Part(
        "games",
        "offered_by taker",
        "game seat is_public offered_at taken_at settled_at outcome",
        "key offered_by taker",
    ),
    "games.Vote": Part(
        "games",
        "started_by",
        "game purpose pace seat number started_at settled_at outcome",
        "started_by agreed",
    ),
    "games.Nudge": Part("games", "user sender", "game user sender at"),
    "games.DuplicateMatch": Part(
        "games",
        "opened_by",
        "key table_count seat_count pace has_teams is_public changes_ratings opened_at started_at",
        "deal opened_by request_id changes",
    ),
    "games.DuplicateEntry": Part("games", "user", "match entered_at team", "nonce has_own_nonce"),
    "games.DuplicateInvitation": Part("games", "user", "match invited_at"),
    "games.Review": Part(
        "games", "asked_by", "game asked_at finished_at", "asked_by queued_at judged_at turns"
    ),
    "games.ChatLine": Part("chat", "author", "game watched text written_at is_hidden", "author request_id"),
    "games.Hint": Part("hints", _own_hints, "game number seat asked_at payload value"),
    "games.PlayerRating": Part("results", "user", "title mean deviation games is_listed"),
    "games.RatingChange": Part(
        "results",
        "user",
        "game seat place has_left ended_at mean_before deviation_before mean deviation games model",
    ),
    "games.SoloResult": Part("results", "user", "game kind score tie_break ended_at is_without_hints"),
    "games.Standing": Part(
        "results",
        "user",
        "kind measure period starts_on score tie_break reached_at played game is_listed",
    ),
    "games.Attendance": Part("results", "user", "game ended_at has_finished answers"),
    "games.TrainingPosition": Part(
        "results",
        "user",
        "game number cost due_on distance answer answered_on is_solved",
        "judgement queued_at request_id",
    ),
    "games.PrivateNote": Part("notes", "user", "game text"),
    "games.TryLine": Part("notes", "user", "game start text name"),
    "games.Plan": Part("notes", "user", "game wishes known outlasts_reveals"),
    "games.Follow": Part("people", "user", "followed"),
    "games.FollowedGame": Part("people", "user", "game"),
    "games.Mute": Part("people", "user", "muted"),
    "games.Block": Part("people", "user", "blocked since"),
    "games.Report": Part(
        "reports",
        "reporter",
        "subject subject_name about game quote words created_at decided_at outcome",
        "line decided_by",
    ),
    "games.Measure": Part(
        "reports",
        "user",
        "kind rule text game quote taken_at ends_at lifted_at objection objected_at answer answered_at",
        "report line taken_by",
    ),
    "games.Watch": Part("watching", "user", "game seen_at"),
    "games.Seek": Part("watching", "user", "title pace at seen_at game", "request_id nonce"),
    "admin.LogEntry": Part(
        "staff", "user", "action_time content_type action_flag", "object_id object_repr change_message"
    ),
}

if apps.is_installed("allauth.socialaccount"):
    PARTS = PARTS | {
        "socialaccount.SocialAccount": Part(
            "account", "user", "provider uid date_joined last_login", "extra_data"
        )
    }

# Models about people of which nothing is in an export, and why.
WITHHELD: Mapping[str, Promise] = {
    "sessions.Session": _("Keys that keep you logged in: sessions.json says where."),
    "account.EmailConfirmation": _("Not used: links that confirm an address are signed, not stored."),
    "accounts.RetiredName": _("A hash of your name, stored when your account is removed."),
    "accounts.BarredAddress": _("Hashes of your addresses, stored if a suspended account is removed."),
    "accounts.GuestCode": _("A hash of the code with which a guest plays on in another browser."),
    "games.ClosedAddress": _(
        "Addresses that want no invitations: hashes, from which nobody can read an address."
    ),
    "games.Deal": _("Deals are secret until their games end. Then they are in the records of your games."),
    "games.TrailEntry": _("What moderators do, with numbers only. reports.json has what is about you."),
    "games.DailyDeal": _("The deal of each day, for everybody."),
    "games.BrowserDelivery": _("Which browser got which message: only numbers of both."),
    "games.Export": _("The file that you are reading."),
}


def own_rows(user: User) -> Iterator[tuple[str, str, list[dict[str, object]]]]:
    """Yield of each model the file, the name of its list there, and the rows of a person."""
    for label, part in PARTS.items():
        model: type[Model] = apps.get_model(label)
        columns = part.columns.split()
        others = [name for name in columns if _leads_elsewhere(model, name)]
        rows = _rows_of(model, part, user).select_related(*others).order_by("pk")
        name = str(model._meta.db_table).partition("_")[2]
        yield part.file, name, [{column: _plain(row, column) for column in columns} for row in rows]


def _rows_of(model: type[Model], part: Part, user: User) -> QuerySet[Any]:
    if callable(part.whose):
        condition = part.whose(user)
    else:
        fields = part.whose.split()
        condition = Q(*((field, user) for field in fields), _connector=Q.OR)
    ids = model._default_manager.filter(condition).values("pk")
    return model._default_manager.filter(pk__in=ids)


def _leads_elsewhere(model: type[Model], name: str) -> bool:
    return bool(model._meta.get_field(name).is_relation)


def _plain(row: Model, column: str) -> object:
    """Return a value for JSON: of people the name, of games and matches the key."""
    value = getattr(row, column)
    if isinstance(value, User):
        return value.username
    if isinstance(value, Model):
        return getattr(value, "key", str(value))
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value
