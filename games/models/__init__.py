"""The stored parts of a game: facts that are fixed at its start, its log, and projections of the log.

Only `games.services` and `games.notifications` write these tables.
"""

from games.models.actions import Action, choice_began_at, is_current, waits_since
from games.models.advice import Hint, Review
from games.models.attendances import Attendance, reliabilities_of
from games.models.blocks import Block, apart_from, are_apart, pairs_apart
from games.models.browsers import Browser, BrowserDelivery
from games.models.calendars import HoursChange, Vacation, calendars_of, turns_in_progress
from games.models.chat import LONGEST_LINE, ChatLine, ChatLineQuerySet, Mute
from games.models.daily import DailyDeal, today
from games.models.deals import DEALT, FIRST_TITLE, Deal
from games.models.duplicates import (
    FEWEST_TABLES,
    MOST_TABLES,
    TEAMS,
    DuplicateEntry,
    DuplicateInvitation,
    DuplicateMatch,
    DuplicateMatchQuerySet,
    side_of_team,
)
from games.models.exports import Export
from games.models.facts import FACTS, facts_of, forget_facts
from games.models.games import Game, GameQuerySet, is_awaited
from games.models.invitations import ClosedAddress, digest_of, is_closed
from games.models.keys import new_key
from games.models.match_seating import seating_of_match
from games.models.measures import NEVER, Measure
from games.models.notes import (
    LONGEST_LINE_NAME,
    LONGEST_LINE_TEXT,
    LONGEST_NOTE,
    MOST_LINES,
    PrivateNote,
    TryLine,
    version_of_note,
)
from games.models.notifications import (
    Channel,
    Kind,
    Notification,
    NotificationChoice,
    NotificationQuerySet,
    channels_of,
    wanted_channels,
)
from games.models.nudges import PATIENCE, Nudge, may_nudge_from
from games.models.outages import Outage, SitePart, outages_since, time_after, time_before
from games.models.plans import MOST_WISHES, Plan
from games.models.profiles import Follow, FollowedGame, HiddenPart, ProfilePart
from games.models.queues import ServedQueue
from games.models.ratings import PlayerRating, PlayerRatingQuerySet, RatingChange, ratings_of
from games.models.replies import ReceivedReply
from games.models.reports import LONGEST_WORDS, Report, ReportQuerySet
from games.models.seat_changes import SeatChange
from games.models.seat_offers import OBJECTION_TIME, SeatOffer
from games.models.seats import (
    NO_INVITATION,
    PRESENCE,
    Seat,
    SeatQuerySet,
    allows_take_backs,
    deadline_for,
    has_stand_in,
    needs_agreement,
    seats_of,
)
from games.models.seeks import SEEK_PRESENCE, SEEK_TIME, Seek
from games.models.spectators import is_spectator, kept_out, needs_account_to_talk
from games.models.standings import (
    LEAST_FOR_AVERAGE,
    LeaderboardKey,
    ScoreCount,
    SoloResult,
    SoloResultQuerySet,
    Standing,
    leaderboard_of_day,
)
from games.models.trail import TrailEntry, TrailError
from games.models.training import DISTANCES, MOST_A_DAY, UNJUDGED, TrainingPosition, costly_actions
from games.models.verifications import Verification
from games.models.votes import (
    Vote,
    VoteQuerySet,
    absent_seats,
    possible_paces,
    repeated_after,
    voters,
)
from games.models.watches import Watch
from games.models.webhooks import Webhook, WebhookPost

__all__ = [
    "DEALT",
    "DISTANCES",
    "FACTS",
    "FEWEST_TABLES",
    "FIRST_TITLE",
    "LEAST_FOR_AVERAGE",
    "LONGEST_LINE",
    "LONGEST_LINE_NAME",
    "LONGEST_LINE_TEXT",
    "LONGEST_NOTE",
    "LONGEST_WORDS",
    "MOST_A_DAY",
    "MOST_LINES",
    "MOST_TABLES",
    "MOST_WISHES",
    "NEVER",
    "NO_INVITATION",
    "OBJECTION_TIME",
    "PATIENCE",
    "PRESENCE",
    "SEEK_PRESENCE",
    "SEEK_TIME",
    "TEAMS",
    "UNJUDGED",
    "Action",
    "Attendance",
    "Block",
    "Browser",
    "BrowserDelivery",
    "Channel",
    "ChatLine",
    "ChatLineQuerySet",
    "ClosedAddress",
    "DailyDeal",
    "Deal",
    "DuplicateEntry",
    "DuplicateInvitation",
    "DuplicateMatch",
    "DuplicateMatchQuerySet",
    "Export",
    "Follow",
    "FollowedGame",
    "Game",
    "GameQuerySet",
    "HiddenPart",
    "Hint",
    "HoursChange",
    "Kind",
    "LeaderboardKey",
    "Measure",
    "Mute",
    "Notification",
    "NotificationChoice",
    "NotificationQuerySet",
    "Nudge",
    "Outage",
    "Plan",
    "PlayerRating",
    "PlayerRatingQuerySet",
    "PrivateNote",
    "ProfilePart",
    "RatingChange",
    "ReceivedReply",
    "Report",
    "ReportQuerySet",
    "Review",
    "ScoreCount",
    "Seat",
    "SeatChange",
    "SeatOffer",
    "SeatQuerySet",
    "Seek",
    "ServedQueue",
    "SitePart",
    "SoloResult",
    "SoloResultQuerySet",
    "Standing",
    "TrailEntry",
    "TrailError",
    "TrainingPosition",
    "TryLine",
    "Vacation",
    "Verification",
    "Vote",
    "VoteQuerySet",
    "Watch",
    "Webhook",
    "WebhookPost",
    "absent_seats",
    "allows_take_backs",
    "apart_from",
    "are_apart",
    "calendars_of",
    "channels_of",
    "choice_began_at",
    "costly_actions",
    "deadline_for",
    "digest_of",
    "facts_of",
    "forget_facts",
    "has_stand_in",
    "is_awaited",
    "is_closed",
    "is_current",
    "is_spectator",
    "kept_out",
    "leaderboard_of_day",
    "may_nudge_from",
    "needs_account_to_talk",
    "needs_agreement",
    "new_key",
    "outages_since",
    "pairs_apart",
    "possible_paces",
    "ratings_of",
    "reliabilities_of",
    "repeated_after",
    "seating_of_match",
    "seats_of",
    "side_of_team",
    "time_after",
    "time_before",
    "today",
    "turns_in_progress",
    "version_of_note",
    "voters",
    "waits_since",
    "wanted_channels",
]
