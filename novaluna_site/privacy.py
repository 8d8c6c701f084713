"""The page that says what the site stores about people, what for, and how long.

A test compares it with the models. Times are those with which the site removes rows.
"""

from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts import clock, deletion, guests
from accounts.models import GuestCode, RetiredName
from games.models import Export, Report
from games.services.pruning import overdue, pictures
from novaluna_site.backups import files

# Models without anything about people.
NOT_PERSONAL = """
    auth.Group auth.Permission contenttypes.ContentType games.Outage games.ScoreCount games.ServedQueue
    games.SitePart games.Verification
"""

if settings.LOGIN_PROVIDER:
    # allauth's tables of providers and their keys are not used.
    NOT_PERSONAL += "socialaccount.SocialApp socialaccount.SocialToken"

SESSION = timedelta(seconds=settings.SESSION_COOKIE_AGE)


class Row(NamedTuple):
    """Something that is stored: in which models, what for, until when, and whether it outlives an account."""

    what: str
    purpose: str
    until: str
    models: str
    stays: bool = False


class Cookie(NamedTuple):
    """A cookie: its name, what for, and how long."""

    name: str
    purpose: str
    until: str


def _days(time: timedelta) -> str:
    return _("%(count)d days") % {"count": time.days}


def rows() -> list[Row]:
    """Return what is stored, in the reader's language."""
    with_account = _("Until you delete your account.")
    elsewhere = []
    if settings.LOGIN_PROVIDER:
        name = {"name": settings.LOGIN_PROVIDER.name}
        elsewhere = [
            Row(
                _("If you have signed up with %(name)s: the number that %(name)s has given you.") % name,
                _("To log you in. %(name)s learns when you do, and may know more about you.") % name,
                with_account,
                "socialaccount.SocialAccount",
            )
        ]
    without_name = _("For good. When you delete your account, your name is removed from it.")
    return [
        Row(
            _(
                "Your account: name, email addresses, a hash of the password, passkeys, the secret of an "
                "authenticator app, recovery codes, addresses of feeds, hours, vacations and settings; "
                "when you signed up and last logged in, or as a guest were here first and last; and whether "
                "emails to you came back. Guests have no email address, password, passkey, app or feeds."
            ),
            _(
                "To log you in, to write to you, and to show pages as you want them. People at your tables "
                "see when you are asleep or away, and how quickly you usually answer. People with an "
                "account see on your profile whether you were here today, this week or this month, but only "
                "from games that they can find. You can hide this together with your reliability."
            ),
            _("Until you delete your account. Guests: about %(days)s after the last visit.")
            % {"days": _days(guests.KEPT)},
            "accounts.User account.EmailAddress account.EmailConfirmation mfa.Authenticator games.HiddenPart "
            "games.NotificationChoice games.HoursChange games.Vacation",
        ),
        *elsewhere,
        Row(
            _(
                "Where you are logged in: how your browser describes itself, the first part of your internet "
                "address, the time zone of your device, such as Europe/Berlin, and your last visit; "
                "and what you have begun and not finished, such as an address that you have not confirmed by "
                "its code."
            ),
            _(
                "To show you your sessions, so that you can end one that is not yours. Moderators see which "
                "people who play together are in the same network, and whether their browsers are alike."
            ),
            _(
                "Until a day after you log out or end the session, or after it expires, %(days)s after your "
                "last visit; the session of a guest %(guests)s."
            )
            % {"days": _days(SESSION), "guests": _days(guests.KEPT)},
            "sessions.Session usersessions.UserSession",
        ),
        Row(
            _(
                "Log-ins, changes of your account, and files and secret addresses that were asked for, with "
                "the browser and the first part of the internet address, also with the email addresses and "
                "passkeys that you have removed since. Guests have no such list."
            ),
            _("To show you what happened, and to undo what you did not do."),
            _days(overdue.SECURITY_EVENTS_KEPT),
            "accounts.SecurityEvent",
        ),
        Row(
            _(
                "Names of removed accounts, names that removed guests had chosen, and names that moderators "
                "have refused. Only a hash of each, made with a key, is stored."
            ),
            _("So that nobody else gets the name."),
            _days(RetiredName.KEPT),
            "accounts.RetiredName",
            stays=True,
        ),
        Row(
            _(
                "The confirmed addresses of an account that was deleted while suspended, as hashes made with "
                "a key."
            ),
            _("So that a new account does not end the suspension."),
            _("Until the end of the suspension."),
            "accounts.BarredAddress",
            stays=True,
        ),
        Row(
            _(
                "Emails and messages: what is to be sent to you, what was sent when and how, which emails "
                "could not be delivered, and which of your replies have counted."
            ),
            _("To send each once, and to find out why one did not arrive."),
            _(
                "%(days)s; your replies: %(replies)s. Texts of emails about accounts: until they are sent, "
                "or dropped after a day. Emails and messages to others stay just as long, even if your name "
                "is in the subject."
            )
            % {"days": _days(overdue.NOTIFICATIONS_KEPT), "replies": _days(overdue.REPLIES_KEPT)},
            "accounts.AccountMail accounts.PastMail accounts.ReturnedMail games.Notification "
            "games.ReceivedReply",
        ),
        Row(
            _("Email addresses that want no invitations, as a hash."),
            _("To send no invitation there."),
            _("Until their owner allows invitations again."),
            "games.ClosedAddress",
            stays=True,
        ),
        Row(
            _(
                "Games: who sat where and how far they have read the chat, every action with its time, "
                "deals, results, reviews, proposals, seats that changed hands, and the email addresses that "
                "were invited to a seat, until it is taken."
            ),
            _("They are the games, which others have played too."),
            without_name,
            "games.Game games.Seat games.Action games.Deal games.DailyDeal games.Review games.SeatChange "
            "games.SeatOffer games.Vote games.DuplicateMatch games.SoloResult games.RatingChange",
            stays=True,
        ),
        Row(
            _("Lines that you write in a chat."),
            _(
                "For the players of the game, and for everybody when a listed game is over. What you write "
                "as a spectator is for other spectators, and for all who can see the game when it is over. "
                "When a line is reported, moderators read it and up to five lines before and after it, also "
                "in games that are not listed."
            ),
            without_name,
            "games.ChatLine",
            stays=True,
        ),
        Row(
            _("Hints that were asked for."),
            _("So that a review can say which moves had one."),
            _("%(days)s after the end of the game, or until its review is finished if that is later.")
            % {"days": _days(overdue.HINTS_KEPT)},
            "games.Hint",
            stays=True,
        ),
        Row(
            _(
                "Ratings, places on leaderboards, how many of your games you finished, entries and "
                "invitations to duplicate matches, nudges, and what you answered in the trainer."
            ),
            _("To show how strong and how reliable players are, and to find games."),
            with_account,
            "games.PlayerRating games.Standing games.Attendance games.DuplicateEntry "
            "games.DuplicateInvitation games.Nudge games.TrainingPosition",
        ),
        Row(
            _(
                "Pictures of games for links to them, with the names that the players had when a picture was "
                "drawn."
            ),
            _("To draw each only once. A player who has a new name is drawn with it from then on."),
            _(
                "%(days)s here. Other sites and programs that show a link keep their copy as long "
                "as they choose."
            )
            % {"days": _days(pictures.KEPT)},
            "",
            stays=True,
        ),
        Row(
            _("Notes, plans and the moves that you tried, which only you see."),
            _("For you."),
            _("Until you delete them, or your account; a plan until it is played."),
            "games.PrivateNote games.TryLine games.Plan",
        ),
        Row(
            _("Whom and which games you follow, whose lines you hide, and whom you have blocked."),
            _("For you. Nobody else sees it, but people whom you block can notice it."),
            _("Until you end it, or delete your account."),
            "games.Follow games.FollowedGame games.Mute games.Block",
        ),
        Row(
            _("Browsers that get push messages, with the keys that they gave, and your webhook."),
            _("To send you messages there."),
            _(
                "Until you remove them, log out in the browser, or delete your account. If they do not "
                "answer for days, they get no more messages, but stay in your list."
            ),
            "games.Browser games.BrowserDelivery games.Webhook games.WebhookPost",
        ),
        Row(
            _("Of guests: the code for another browser, as a hash that nobody can read."),
            _("To play on there."),
            _("It works for %(minutes)d minutes, and is deleted on the next day.")
            % {"minutes": GuestCode.LIVES.seconds // 60},
            "accounts.GuestCode",
        ),
        Row(
            _("The file with all of this, if you have asked for it."),
            _("So that you can download it."),
            _days(Export.KEPT),
            "games.Export",
        ),
        Row(
            _("The game that you have looked at last, and whether you look for somebody to play with."),
            _("To show how many people watch a game, and to find you another player."),
            _("Until the next one, or until you delete your account; a search for a day."),
            "games.Watch games.Seek",
        ),
        Row(
            _(
                "Your reports to the moderators, with your words, and reports about you, with the line or "
                "name that each is about."
            ),
            _("To decide about reports, to tell you what was decided, and to know earlier ones."),
            _(
                "%(days)s after the decision, or after the account is removed. Until then, reports about you "
                "keep your name; your own reports lose it when you delete your account."
            )
            % {"days": _days(Report.KEPT)},
            "games.Report",
            stays=True,
        ),
        Row(
            _("What moderators have decided about you, with their reason and your objection."),
            _("To tell you, and to know earlier decisions."),
            with_account,
            "games.Measure",
        ),
        Row(
            _(
                "What moderators do, and who becomes one or staff: when, what, and the numbers of the "
                "accounts, without names or texts."
            ),
            _("So that nobody can hide or change what a moderator has done."),
            _("For good."),
            "games.TrailEntry",
            stays=True,
        ),
        Row(
            _("What staff have changed in the admin, with the names of changed accounts as they were."),
            _("So that others can find out who did it."),
            _("Until the account of the staff member is deleted."),
            "admin.LogEntry",
        ),
    ]


def cookies() -> list[Cookie]:
    """Return the cookies that the site sets, in the reader's language."""
    year = _("one year")
    return [
        Cookie(
            settings.SESSION_COOKIE_NAME,
            _("Keeps you logged in, guests for %(days)s.") % {"days": _days(guests.KEPT)},
            _days(SESSION),
        ),
        Cookie(settings.CSRF_COOKIE_NAME, _("Protects forms from other sites."), year),
        Cookie("messages", _("Holds a message for the next page."), _("until that page")),
        Cookie("known_browser", _("Lets you log in here even while others try wrong passwords."), year),
        Cookie(clock.COOKIE, _("The time zone of your device."), year),
        Cookie("theme", _("Light or dark, if you have chosen."), year),
        Cookie(settings.LANGUAGE_COOKIE_NAME, _("The language, if you have chosen."), year),
    ]


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show what the site stores."""
    facts = {
        "rows": rows(),
        "cookies": cookies(),
        "backup_months": files.MONTHS,
        "deletion_days": deletion.OWNERS_PAUSE.days,
        "has_reports": settings.SENTRY_DSN or settings.TRACES_TO,
    }
    return render(request, "privacy.html", facts)
