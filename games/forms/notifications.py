"""The forms of notifications and of the channels that they come by."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.forms import yes_or_no
from accounts.kept_form import KeptForm
from accounts.outside import guarded_client
from games.forms.hours import offer_zones, zone_field
from games.models import Channel, Kind, Webhook

KIND_DESCRIPTIONS = {
    Kind.TURN: _("One for each turn, and none while you have the game open."),
    Kind.STARTED: _(
        "When every seat of your table is taken. If you move first, you get a notification about your turn "
        "instead."
    ),
    Kind.OVER: _("With the result, unless you saw the end yourself."),
    Kind.MATCH: _("With the standings, when all tables of the match are over."),
    Kind.INVITATION: _("When somebody invites you to a game, for example to a rematch."),
    Kind.LEFT: _(
        "When another player leaves your game, or when you are out because your clock ran out or the "
        "others play on without you."
    ),
    Kind.REMINDER: _("One before each deadline, if you have not moved for a long time."),
    Kind.CARETAKER: _(
        "When a bot takes over your seat, because your clock ran out or the others agreed on it."
    ),
    Kind.NUDGE: _("When another player asks you to move, at most once a day."),
    Kind.VOTE: _("When a player proposes something to the others, such as another pace."),
    Kind.SEAT: _("When a player offers their seat, and when somebody takes it. You can object for a day."),
    Kind.CHAT: _("Lines that you have not read, a few minutes after the first one."),
    Kind.FOLLOWED: _("With the result, unless you saw the end yourself."),
    Kind.TABLE: _("A week before your table closes, if it has not started."),
}


# Every kind is in one group of the page.
KIND_GROUPS: Mapping[str | Promise, Sequence[Kind]] = {
    _("Your turns"): (Kind.TURN, Kind.REMINDER, Kind.NUDGE, Kind.CARETAKER),
    _("Your games"): (Kind.STARTED, Kind.OVER, Kind.LEFT, Kind.VOTE, Kind.SEAT, Kind.CHAT),
    _("Tables and matches"): (Kind.INVITATION, Kind.TABLE, Kind.MATCH),
    _("Games of others"): (Kind.FOLLOWED,),
}

# The channels of which one is enough.
EMAILS = {Channel.MAIL, Channel.DIGEST}


@dataclass(frozen=True)
class KindGroup:
    """The fields of some kinds of notifications, under a heading."""

    heading: str
    fields: Sequence[forms.BoundField]

    @property
    def summary(self) -> str:
        """How many kinds each channel sends, in words."""
        chosen = Counter(channel for field in self.fields for channel in field.value() or ())
        counts = [f"{one.label}: {chosen[one]}" for one in Channel if chosen[one]]
        return " · ".join(counts) or str(_("nothing"))


class NotificationsForm(KeptForm, forms.Form):
    """Which notifications a person wants: a field for each kind, with the channels that are chosen for it."""

    digest_hour = forms.TypedChoiceField(
        label=_("Send it at"),
        choices=[(hour, time(hour)) for hour in range(24)],
        coerce=int,
    )
    time_zone = zone_field()

    plays_by_reply = yes_or_no(
        _("Play by replying to emails about my turns"),
        _("Anybody who reads such an email can make that one move."),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, initial: dict[str, Any], channels: Sequence[Channel]
    ) -> None:
        super().__init__(data, initial=initial)
        offer_zones(self, initial["time_zone"])
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
    def groups(self) -> list[KindGroup]:
        """The fields of the kinds, in groups with a heading."""
        return [
            KindGroup(str(heading), [self[kind] for kind in kinds]) for heading, kinds in KIND_GROUPS.items()
        ]

    @property
    def chosen(self) -> dict[str, set[str]]:
        """The chosen channels of the kinds that the person has changed.

        One email is enough: of two boxes for emails that are ticked, the one that was ticked last counts.
        """
        chosen = {kind: set(channels) for kind, channels in self.changes.items() if kind in Kind.values}
        for kind, channels in chosen.items():
            if channels >= EMAILS:
                was_daily = Channel.DIGEST in self.shown_on_page(kind)
                channels.discard(Channel.DIGEST if was_daily else Channel.MAIL)
        return chosen


class AllEmailsForm(forms.Form):
    """When to send the emails of all kinds of notifications."""

    when = forms.ChoiceField(
        choices=[(Channel.MAIL, _("Immediately")), (Channel.DIGEST, _("Once a day")), ("none", _("Never"))]
    )

    def chosen_in(self, wanted: Mapping[str, set[str]]) -> dict[str, set[str]]:
        """Return the channels of each kind, instead of those that a person wants now."""
        email = EMAILS & {self.cleaned_data["when"]}
        return {kind: channels - EMAILS | email for kind, channels in wanted.items()}


# How the addresses of a service begin.
WEBHOOK_ADDRESSES: Mapping[str, re.Pattern[str]] = {
    Webhook.Format.DISCORD: re.compile(
        r"https://([a-z]+\.)?discord(app)?\.com/api/(v[0-9]+/)?webhooks/", re.IGNORECASE
    ),
    Webhook.Format.SLACK: re.compile(r"https://hooks\.slack(-gov)?\.com/", re.IGNORECASE),
}


FOREIGN_FORMAT = re.compile(r"/(slack|github)/?(?=$|\?)")

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
        # Discord also reads the messages of two other services, at addresses of their own.
        return FOREIGN_FORMAT.sub("", url) if format == Webhook.Format.DISCORD else url


class BrowserForm(forms.Form):
    """The subscription of a browser to push messages, with the keys that encrypt them."""

    endpoint = forms.CharField(max_length=guarded_client.LONGEST_URL)
    public_key = forms.RegexField(r"\A[A-Za-z0-9_-]{87}=?\Z")
    auth = forms.RegexField(r"\A[A-Za-z0-9_-]{22}(==)?\Z")
    # The endpoint of a subscription that the browser has ended.
    replaced = forms.CharField(max_length=guarded_client.LONGEST_URL, required=False)

    def clean_endpoint(self) -> str:
        endpoint: str = self.cleaned_data["endpoint"]
        try:
            guarded_client.read_url(endpoint)
        except guarded_client.Forbidden as forbidden:
            raise forms.ValidationError(str(forbidden)) from forbidden
        return endpoint
