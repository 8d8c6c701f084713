"""The forms of the pages of games and tables."""

import re
import uuid
from collections.abc import Mapping, Sequence
from datetime import date, time, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.core.validators import validate_email
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from accounts import guarded_client
from accounts.addresses import check_sendable
from accounts.clock import zone_names
from accounts.forms import yes_or_no
from games.board.choice import Choice
from games.board.clocks import PACE_LABELS
from games.board.plan import read_wishes
from games.board.ratings import LEAST_LABELS, MOST_LABELS
from games.board.reliability import RELIABILITY_LABELS
from games.board.words import BOT_DESCRIPTIONS, BOT_LABELS, BOT_LEVELS
from games.clocks import BadHours, Hours, Sleep, zone_named
from games.engine import Cell, Place, Refill, Resign
from games.models import (
    LONGEST_LINE,
    LONGEST_LINE_NAME,
    LONGEST_LINE_TEXT,
    LONGEST_NOTE,
    Channel,
    Kind,
    ProfilePart,
    Vote,
    Webhook,
)

ANY_SEAT = -1
LATEST_VACATION = timedelta(days=2 * 366)
KIND_DESCRIPTIONS = {
    Kind.TURN: _("One for each turn, and none while you have the game open."),
    Kind.STARTED: _("When every seat of your table is taken, and somebody else is to move."),
    Kind.OVER: _("With the result, unless you saw the end yourself."),
    Kind.INVITATION: _("When somebody keeps a seat for you, such as for a rematch."),
    Kind.LEFT: _(
        "When somebody leaves a game and you play on, or when you are out because of time or a vote."
    ),
    Kind.REMINDER: _("One before each deadline, if it is your turn for a long time."),
    Kind.CARETAKER: _("When a bot takes over your seat, because your time is up or the others agreed on it."),
    Kind.NUDGE: _("When another player asks you to move, at most once a day."),
    Kind.VOTE: _("When the players of a game are asked to agree on something, such as another pace."),
    Kind.SEAT: _("When a player offers their seat, and when somebody takes it. You can object for a day."),
    Kind.CHAT: _("With the lines that you have not read, some minutes after the first of them."),
    Kind.TABLE: _("A week before a table that nobody joins is removed."),
}
MALFORMED = _("Part of your request was missing or unreadable. Please choose again on the board below.")


class TimeInput(forms.TimeInput):
    """A field for a time of day, without seconds, as browsers show it."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


class DateInput(forms.DateInput):
    """A field for a date, as browsers show it."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class OnceForm(forms.Form):
    """A request that counts once: to start a game, or to play as a guest."""

    # Each page has a new id, so a form that is sent twice makes one game and one guest.
    request_id = forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput)


class DailyForm(OnceForm):
    """A request to begin the attempt at the deal of this day."""

    day = forms.DateField(widget=forms.HiddenInput)


class LevelForm(forms.Form):
    """The level of bots."""

    level = forms.ChoiceField(
        label=_("Level of the bots"),
        choices=lambda: list(BOT_LABELS.items()),
        initial="easy",
        # Screen readers describe it with the text below it.
        widget=forms.Select(attrs={"aria-describedby": "id_level_helptext"}),
    )

    # The template shows the description of the chosen level.
    descriptions = BOT_DESCRIPTIONS


class AddBotsForm(LevelForm):
    """A request to add bots to a table: on one seat, or on every free seat."""

    seat = forms.IntegerField(required=False, min_value=0, max_value=3)


class InviteForm(forms.Form):
    """Whom to invite to a table: a player by name, or somebody by email address."""

    who = forms.CharField(
        label=_("Player's name or email address"),
        max_length=254,
        error_messages={"required": _("Please enter a name or an email address.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    def clean_who(self) -> str:
        who: str = self.cleaned_data["who"]
        if "@" in who:
            validate_email(who)
            check_sendable(who)
        return who


class NewTableForm(OnceForm, LevelForm):
    """A request to open a table: for bots or people, the length of the game, and whether it is listed.

    `suggests_short` is for a person's first game with three or four players: the rules recommend it.
    """

    opponents = forms.ChoiceField(
        label=_("Who do you play with?"),
        choices=[("bots", _("Bots")), ("people", _("People"))],
        initial="bots",
        widget=forms.RadioSelect,
    )
    seat_count = forms.TypedChoiceField(
        label=_("Players, with you"),
        choices=[(2, "2"), (3, "3"), (4, "4")],
        coerce=int,
        initial=2,
        widget=forms.RadioSelect,
    )
    # Browsers with a page from before these questions send neither.
    pace = forms.ChoiceField(
        label=_("How fast must players move?"),
        choices=lambda: list(PACE_LABELS.items()),
        initial="slow",
        required=False,
        help_text=_("Sleeping hours and vacations don't count, except in live games."),
        widget=forms.Select(attrs={"aria-describedby": "id_pace_helptext"}),
    )
    caretaker = forms.ChoiceField(
        label=_("If somebody does not move in time"),
        choices=lambda: [
            *(
                (level, _("%(level)s bot plays for them") % {"level": capfirst(word)})
                for level, word in BOT_LEVELS.items()
            ),
            ("out", _("They are out of the game")),
        ],
        initial="medium",
        required=False,
    )
    least_reliability = forms.TypedChoiceField(
        label=_("How reliable must the others be?"),
        choices=lambda: list(RELIABILITY_LABELS.items()),
        coerce=int,
        initial=0,
        required=False,
        help_text=_(
            "New players, who have fewer than five games, may always join, and so may people whom you "
            "invite by name or email."
        ),
        widget=forms.Select(attrs={"aria-describedby": "id_least_reliability_helptext"}),
    )
    changes_ratings = forms.BooleanField(
        label=_("Rated game"),
        required=False,
        help_text=_(
            "The result changes the ratings of the players. No guests, no hints, and who leaves is last."
        ),
    )
    least_rating = forms.TypedChoiceField(
        label=_("Lowest rating"),
        choices=lambda: list(LEAST_LABELS.items()),
        coerce=int,
        empty_value=None,
        required=False,
    )
    most_rating = forms.TypedChoiceField(
        label=_("Highest rating"),
        choices=lambda: list(MOST_LABELS.items()),
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Of the others, also if you invite them. New players start at 1500."),
    )
    beginner = forms.BooleanField(
        label=_("Beginner's length"),
        required=False,
        help_text=_("17 discs each with three players and 15 with four, instead of 20."),
    )
    is_public = forms.BooleanField(
        label=_("Anybody may join: list this table on the home page"),
        required=False,
        help_text=_(
            "If it is not listed, only people with the link can find it. Anybody with the link can watch."
        ),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, suggests_short: bool = False) -> None:
        super().__init__(data, initial={"beginner": suggests_short})
        self.suggests_short = suggests_short

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cleaned["pace"], cleaned["caretaker"] = (
            cleaned.get("pace") or "slow",
            cleaned.get("caretaker") or "medium",
        )
        if cleaned.get("opponents") == "people" and cleaned.get("is_public") and cleaned["pace"] == "none":
            self.add_error("pace", _("A table on the home page needs a clock. Choose one, or don't list it."))
        least, most = cleaned.get("least_rating"), cleaned.get("most_rating")
        if cleaned.get("opponents") == "people" and least is not None and most is not None and least >= most:
            self.add_error("most_rating", _("The highest rating must be above the lowest."))
        return cleaned

    @property
    def game_pace(self) -> str:
        """The pace of the game; empty for none. Games against bots have none."""
        pace: str = self.cleaned_data["pace"]
        return "" if self.is_against_bots or pace == "none" else pace

    @property
    def game_caretaker(self) -> str:
        """The level of the bot that plays for people whose time is up; empty if they are out."""
        level: str = self.cleaned_data["caretaker"]
        return "" if level == "out" else level

    @property
    def game_reliability(self) -> int:
        """The reliability in percent that the others need; 0 in games against bots, which nobody can join."""
        return 0 if self.is_against_bots else self.cleaned_data["least_reliability"] or 0

    @property
    def game_ratings(self) -> dict[str, int | None]:
        """The lowest and the highest rating of the others; None in games against bots."""
        names = ("least_rating", "most_rating")
        return {name: None if self.is_against_bots else self.cleaned_data[name] for name in names}

    @property
    def bots(self) -> list[str]:
        """The levels of the bots that take seats immediately."""
        others = self.cleaned_data["seat_count"] - 1
        return [self.cleaned_data["level"]] * others if self.is_against_bots else []

    @property
    def is_against_bots(self) -> bool:
        return bool(self.cleaned_data["opponents"] == "bots")

    @property
    def is_public_game(self) -> bool:
        """Whether everybody may find the game. The form asks this only for games with people."""
        return self.is_against_bots or bool(self.cleaned_data["is_public"])


class HandOverForm(forms.Form):
    """An offer of a seat, or an answer to one."""

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("link", "everybody", "withdraw", "object")])
    offer = forms.IntegerField(required=False, min_value=1)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and cleaned["do"] == "object" and not cleaned.get("offer"):
            raise forms.ValidationError(MALFORMED)
        return cleaned


class VoteForm(forms.Form):
    """The start of a vote, or an answer to one."""

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("start", "agree", "decline")])
    vote = forms.IntegerField(required=False, min_value=1)
    purpose = forms.ChoiceField(required=False, choices=Vote.Purpose.choices)
    pace = forms.ChoiceField(
        label=_("How fast must players move?"),
        choices=lambda: list(PACE_LABELS.items()),
        required=False,
        help_text=_("Sleeping hours and vacations don't count, except in live games."),
        widget=forms.Select(attrs={"aria-describedby": "id_pace_helptext"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        needed = ["purpose"] if cleaned.get("do") == "start" else ["vote"]
        if cleaned.get("purpose") == Vote.Purpose.PACE:
            needed.append("pace")
        if not self.errors and not all(cleaned.get(field) for field in needed):
            raise forms.ValidationError(MALFORMED)
        return cleaned

    @property
    def chosen_pace(self) -> str:
        """The pace on which to vote; empty for none, and for other votes."""
        pace: str = self.cleaned_data["pace"]
        return "" if pace == "none" else pace


class TileAndCellForm(forms.Form):
    """A tile and a cell, from a form of the board or from the address of its page."""

    tile = forms.CharField(required=False, max_length=8)
    x = forms.IntegerField(required=False, min_value=-1000, max_value=1000)
    y = forms.IntegerField(required=False, min_value=-1000, max_value=1000)

    @property
    def choice(self) -> Choice:
        """The tile and the cell; None for each that is missing or unreadable."""
        x, y = self.cleaned_data.get("x"), self.cleaned_data.get("y")
        cell = None if x is None or y is None else Cell(x, y)
        return Choice(tile=self.cleaned_data.get("tile") or None, cell=cell)


class ChoiceForm(TileAndCellForm):
    """The query of a page: the choice so far, and the number of the action to show.

    Unreadable parts are empty.
    """

    at = forms.IntegerField(required=False, min_value=0, max_value=10_000)
    plan = forms.BooleanField(required=False)

    @classmethod
    def read(cls, request: HttpRequest) -> "ChoiceForm":
        """Return the form with the query of this request."""
        form = cls(request.GET)
        form.full_clean()
        return form

    @property
    def action_number(self) -> int | None:
        """The number of the action to show; None for the newest."""
        return self.cleaned_data.get("at")

    @property
    def is_planning(self) -> bool:
        """Whether the page shows what the viewer can plan."""
        return bool(self.cleaned_data.get("plan"))


class ActionForm(TileAndCellForm):
    """An action that a form of the board posts, with its number in the log and a request id."""

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("place", "refill", "resign")])
    number = forms.IntegerField(min_value=1, max_value=10_000)
    request_id = forms.UUIDField()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("do") == "place" and (self.choice.tile is None or self.choice.cell is None):
            raise forms.ValidationError(MALFORMED)
        return cleaned

    @property
    def request(self) -> tuple[Place | Refill | Resign, int, uuid.UUID]:
        """The arguments of `services.play`: the action, its number in the log, and the request id."""
        return self.action, self.cleaned_data["number"], self.cleaned_data["request_id"]

    @property
    def action(self) -> Place | Refill | Resign:
        """The action. Its seat is a placeholder, because `services.play` sets the seat of the user."""
        match self.cleaned_data["do"]:
            case "place":
                choice = self.choice
                assert choice.tile is not None
                assert choice.cell is not None
                return Place(ANY_SEAT, choice.tile, *choice.cell)
            case "refill":
                return Refill(ANY_SEAT)
        return Resign(ANY_SEAT)


class PlanForm(TileAndCellForm):
    """A plan that a form of the page posts: its wishes, and one more if the player has chosen a tile.

    `number` is the number of the next action on the page that the player has seen.
    """

    wishes = forms.CharField(required=False, max_length=200)
    outlasts_refill = forms.BooleanField(required=False)
    number = forms.IntegerField(min_value=1, max_value=10_000)

    def clean_wishes(self) -> list[Place | Refill]:
        try:
            return read_wishes(self.cleaned_data["wishes"])
        except ValueError:
            raise forms.ValidationError(MALFORMED) from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        tile, cell = self.choice.tile, self.choice.cell
        if tile is not None and cell is None:
            raise forms.ValidationError(MALFORMED)
        if tile is not None and cell is not None and "wishes" in cleaned:
            cleaned["wishes"].append(Place(ANY_SEAT, tile, *cell))
        return cleaned

    @property
    def plan(self) -> tuple[list[Place | Refill], int, bool]:
        """The wishes, the number of the next action, and whether the plan outlasts a refill."""
        cleaned = self.cleaned_data
        return cleaned["wishes"], cleaned["number"], cleaned["outlasts_refill"]


class HintForm(forms.Form):
    """A request for a hint for action `number`."""

    number = forms.IntegerField(min_value=1, max_value=10_000)


class HoursForm(forms.Form):
    """The sleeping hours and the day off of a person, and whether vacations start by themselves."""

    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=lambda: [(name, name) for name in zone_names()],
        widget=forms.Select(attrs={"translate": "no"}),
    )
    sleep_start = forms.TimeField(label=_("Sleep from"), required=False, widget=TimeInput)
    sleep_end = forms.TimeField(label=_("Sleep until"), required=False, widget=TimeInput)
    day_off = forms.TypedChoiceField(
        label=_("Day off each week"),
        choices=lambda: [("", _("None")), *WEEKDAYS.items()],
        coerce=int,
        empty_value=None,
        required=False,
    )
    automatic_vacation = forms.BooleanField(
        label=_("If my time runs out, start a vacation day automatically"),
        help_text=_("It lasts until the end of the day, as long as you have vacation days left."),
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            self._read(cleaned)
        return cleaned

    def _read(self, cleaned: dict[str, Any]) -> None:
        start, end = cleaned["sleep_start"], cleaned["sleep_end"]
        if (start is None) != (end is None):
            self.add_error("sleep_end", _("Please enter both times, or neither."))
            return
        try:
            self.sleep = None if start is None else Sleep(start, end)
        except BadHours:
            self.add_error("sleep_end", _("Sleeping hours last at most 10 hours, and not 0."))

    @property
    def hours(self) -> Hours:
        """The hours of a valid form."""
        return Hours(zone_named(self.cleaned_data["time_zone"]), self.sleep, self.cleaned_data["day_off"])


class VacationForm(forms.Form):
    """The first and the last day of a vacation, in the next years."""

    first = forms.DateField(label=_("First day"), widget=DateInput)
    last = forms.DateField(label=_("Last day"), widget=DateInput)

    def clean_first(self) -> date:
        first: date = self.cleaned_data["first"]
        if first > timezone.localdate() + LATEST_VACATION:
            raise forms.ValidationError(_("Please choose a day in the next two years."))
        return first


class ChatForm(OnceForm):
    """A line for the chat. Line breaks become spaces."""

    text = forms.CharField(max_length=LONGEST_LINE)

    def clean_text(self) -> str:
        return " ".join(self.cleaned_data["text"].split())


class ReadForm(forms.Form):
    """The id of a line of the chat."""

    line = forms.IntegerField(min_value=0, max_value=2**62)


class NoteForm(forms.Form):
    """The private note of a player, and the page that it was posted from."""

    note = forms.CharField(required=False)
    page = forms.CharField(max_length=8, required=False)

    def clean_note(self) -> str:
        # Browsers count a line break as one character, and send two.
        note: str = self.cleaned_data["note"].replace("\r\n", "\n")
        if len(note) > LONGEST_NOTE:
            raise forms.ValidationError(_("Not saved: a note has at most 5000 characters."))
        return note


class LineForm(forms.Form):
    """A line that a player keeps: the action after which it begins, its actions, and a name for it."""

    start = forms.IntegerField(min_value=0, max_value=10_000)
    line = forms.CharField(max_length=LONGEST_LINE_TEXT)
    name = forms.CharField(
        label=_("Name or note"),
        required=False,
        max_length=LONGEST_LINE_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )


class MuteForm(forms.Form):
    """Whether to mute a person, and the page to which the answer leads: of a game, or the person's own."""

    is_muted = forms.TypedChoiceField(choices=[("True", "True"), ("False", "False")], coerce="True".__eq__)
    game = forms.RegexField("^[0-9A-Za-z]{12}$", required=False)


class FollowForm(forms.Form):
    """Whether to follow a person, and whether the answer leads to the list of all whom the viewer follows."""

    is_following = forms.TypedChoiceField(
        choices=[("True", "True"), ("False", "False")], coerce="True".__eq__
    )
    to_list = forms.BooleanField(required=False)


class ProfileForm(forms.Form):
    """Which parts of their profile a person shows to others."""

    # A browser sends nothing for boxes that are not ticked, so a damaged request would hide everything.
    is_whole = forms.BooleanField(initial=True, widget=forms.HiddenInput)
    shown = forms.MultipleChoiceField(
        label=_("Others see"),
        choices=ProfilePart.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    @property
    def hidden(self) -> list[str]:
        """The parts that are not shown."""
        return [part for part in ProfilePart.values if part not in self.cleaned_data["shown"]]


class NotificationsForm(forms.Form):
    """Which notifications a person wants: a field for each kind, with the channels that are chosen for it."""

    digest_hour = forms.TypedChoiceField(
        label=_("Send the daily email at"),
        choices=[(hour, time(hour)) for hour in range(24)],
        coerce=int,
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=lambda: [("", _("Not chosen (UTC)")), *((name, name) for name in zone_names())],
        required=False,
        widget=forms.Select(attrs={"translate": "no"}),
    )

    plays_by_reply = yes_or_no(
        _("Moves by replying to emails about my turns"),
        _("Anybody who reads such an email can make that one move."),
    )

    def __init__(self, *args: Any, channels: Sequence[Channel], **options: Any) -> None:
        super().__init__(*args, **options)
        if not settings.REPLY_ADDRESS:
            del self.fields["plays_by_reply"]
        else:
            self.fields["plays_by_reply"].required = False
        for kind, label in Kind.choices:
            self.fields[kind] = forms.MultipleChoiceField(
                label=label,
                help_text=KIND_DESCRIPTIONS[Kind(kind)],
                choices=[(one.value, one.label) for one in channels],
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )

    @property
    def kinds(self) -> list[forms.BoundField]:
        """The fields of the kinds."""
        return [self[kind] for kind in Kind.values]

    @property
    def chosen(self) -> dict[str, set[str]]:
        """The chosen channels by kind."""
        return {kind: set(self.cleaned_data[kind]) for kind in Kind.values}


# How the addresses of a service begin.
WEBHOOK_ADDRESSES: Mapping[str, re.Pattern[str]] = {
    Webhook.Format.DISCORD: re.compile(
        r"https://([a-z]+\.)?discord(app)?\.com/api/(v[0-9]+/)?webhooks/", re.IGNORECASE
    ),
    Webhook.Format.SLACK: re.compile(r"https://hooks\.slack(-gov)?\.com/", re.IGNORECASE),
}
WRONG_WEBHOOKS = {
    Webhook.Format.DISCORD: _(
        "This is not a webhook of Discord. Its addresses begin with https://discord.com/api/webhooks/."
    ),
    Webhook.Format.SLACK: _(
        "This is not a webhook of Slack. Its addresses begin with https://hooks.slack.com/."
    ),
}


class WebhookForm(forms.Form):
    """Where to post the notifications of a person, and in which form."""

    format = forms.ChoiceField(label=_("Post to"), choices=Webhook.Format.choices)
    url = forms.CharField(
        label=_("Address of the webhook"),
        max_length=guarded_client.LONGEST_URL,
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
            guarded_client.read_url(url)
        except guarded_client.Forbidden as forbidden:
            raise forms.ValidationError(str(forbidden)) from forbidden
        format = self.cleaned_data.get("format", "")
        if format in WEBHOOK_ADDRESSES and not WEBHOOK_ADDRESSES[format].match(url):
            raise forms.ValidationError(WRONG_WEBHOOKS[format])
        return url


class BrowserForm(forms.Form):
    """The subscription of a browser to push messages, with the keys that encrypt them."""

    endpoint = forms.CharField(max_length=guarded_client.LONGEST_URL)
    public_key = forms.RegexField(r"\A[A-Za-z0-9_-]{87}=?\Z")
    auth = forms.RegexField(r"\A[A-Za-z0-9_-]{22}(==)?\Z")
    name = forms.CharField(max_length=60)

    def clean_endpoint(self) -> str:
        endpoint: str = self.cleaned_data["endpoint"]
        try:
            guarded_client.read_url(endpoint)
        except guarded_client.Forbidden as forbidden:
            raise forms.ValidationError(str(forbidden)) from forbidden
        return endpoint
