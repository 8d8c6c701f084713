"""Read-only admin pages of games and their logs, because only services write them."""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.staff.read_only import ReadOnly
from games.models import (
    Action,
    Attendance,
    ChatLine,
    DuplicateMatch,
    Game,
    Hint,
    HoursChange,
    Notification,
    Nudge,
    Outage,
    PlayerRating,
    RatingChange,
    ReceivedReply,
    Review,
    Seat,
    SeatChange,
    SeatOffer,
    SitePart,
    TrainingPosition,
    Vacation,
    Verification,
    Vote,
)
from games.services.talk.moderation import trail


class WithoutSecretGames(admin.options.BaseModelAdmin):
    """Leaves out rows that show what only players may see now: all of a deal that is still played, or hands.

    Administrators may be players in the same game, or on the same deal.
    """

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        closed, hidden = Game.objects.closed_to_others(), Game.objects.with_hidden_actions()
        return rows.exclude(game__in=closed).exclude(game__in=hidden)


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ("number", "user", "bot", "bot_name", "joined_at", "place", "figures", "has_left")


class ActionInline(WithoutSecretGames, ReadOnly, admin.TabularInline):
    model = Action
    fields = readonly_fields = ("number", "seat", "payload", "made_by", "at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Action]:
        return super().get_queryset(request).select_related("made_by")


@admin.register(Game)
class GameAdmin(ReadOnly, admin.ModelAdmin):
    list_display = (
        "key",
        "title",
        "mode",
        "status",
        "seat_count",
        "version",
        "awaited",
        "is_public",
        "opened_by",
        "moved_at",
    )
    list_filter = ("title", "status", "mode", "is_public", "seat_count")
    list_select_related = ("opened_by",)
    search_fields = ("key", "seats__user__username")
    date_hierarchy = "opened_at"
    # The deal is secret from administrators too, because they may be players in the game.
    exclude = ("deal",)
    readonly_fields = ("key", "opened_at", "commitment")
    inlines = (SeatInline, ActionInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).prefetch_related("seats")

    @admin.display(description=_("awaited seats"))
    def awaited(self, game: Game) -> str:
        return ", ".join(str(seat.number) for seat in game.seats.all() if seat.is_awaited)

    @admin.display(description=_("commitment"))
    def commitment(self, game: Game) -> str:
        return game.deal.commitment if game.deal else "–"


@admin.register(DuplicateMatch)
class DuplicateMatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("key", "table_count", "seat_count", "pace", "opened_by", "opened_at", "started_at")
    list_select_related = ("opened_by",)
    search_fields = ("key", "entries__user__username")
    readonly_fields = ("key", "opened_at")


@admin.register(Action)
class ActionAdmin(WithoutSecretGames, ReadOnly, admin.ModelAdmin):
    list_display = ("game", "number", "seat", "payload", "made_by", "at")
    list_select_related = ("game", "made_by")
    search_fields = ("game__key", "made_by__username")
    date_hierarchy = "at"


@admin.register(Seat)
class SeatAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "number", "user", "bot", "bot_name", "place", "figures", "has_left")
    list_select_related = ("game", "user")
    list_filter = ("bot", "has_left")
    search_fields = ("game__key", "user__username")


@admin.register(SeatChange)
class SeatChangeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "seat", "number", "bot", "user", "former", "reason", "at")
    list_select_related = ("game", "user", "former")
    list_filter = ("reason",)
    search_fields = ("game__key", "user__username")


@admin.register(SeatOffer)
class SeatOfferAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "seat", "offered_by", "is_public", "offered_at", "taker", "taken_at", "outcome")
    list_select_related = ("game", "offered_by", "taker")
    list_filter = ("is_public", "outcome")
    search_fields = ("game__key", "offered_by__username", "taker__username")
    # Anybody who knows the key can take the seat.
    exclude = ("key",)


@admin.register(Nudge)
class NudgeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "user", "sender", "at")
    list_select_related = ("game", "user", "sender")
    search_fields = ("game__key", "user__username")


@admin.register(Vote)
class VoteAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "purpose", "started_by", "started_at", "agreed", "settled_at", "outcome")
    list_select_related = ("game", "started_by")
    list_filter = ("purpose", "outcome")
    search_fields = ("game__key", "started_by__username")


@admin.register(HoursChange)
class HoursChangeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("user", "starts_at", "time_zone", "sleep_start", "sleep_end", "day_off")
    list_select_related = ("user",)
    search_fields = ("user__username",)


@admin.register(Vacation)
class VacationAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("user", "starts_at", "ends_at", "time_zone")
    list_select_related = ("user",)
    search_fields = ("user__username",)


@admin.register(Attendance)
class AttendanceAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("user", "game", "ended_at", "has_finished", "answers")
    list_select_related = ("user", "game")
    list_filter = ("has_finished",)
    search_fields = ("user__username", "game__key")
    date_hierarchy = "ended_at"


@admin.register(PlayerRating)
class PlayerRatingAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("user", "title", "mean", "deviation", "games", "is_listed")
    list_filter = ("title",)
    list_select_related = ("user",)
    search_fields = ("user__username",)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = (
        "game",
        "user",
        "place",
        "has_left",
        "mean_before",
        "mean",
        "deviation",
        "ended_at",
        "model",
    )
    list_select_related = ("game", "user")
    list_filter = ("has_left", "model")
    search_fields = ("game__key", "user__username")
    date_hierarchy = "ended_at"


@admin.register(ChatLine)
class ChatLineAdmin(ReadOnly, admin.ModelAdmin):
    """Lines of chats. Authors cannot remove a line; staff with the permission to delete can, here only.

    Each one is in the trail. Moderators hide a line instead, on their page.
    """

    list_display = ("game", "watched", "author", "text", "written_at")
    list_select_related = ("game", "watched", "author")
    search_fields = ("game__key", "watched__key", "author__username", "text")
    date_hierarchy = "written_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatLine]:
        """Return the lines without those that spectators write about running games of the reader."""
        assert request.user.pk is not None, "the admin is for staff"
        return super().get_queryset(request).exclude(pk__in=ChatLine.objects.kept_from(request.user.pk))

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def delete_model(self, request: HttpRequest, obj: ChatLine) -> None:
        self.delete_queryset(request, ChatLine.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ChatLine]) -> None:
        assert isinstance(request.user, User)
        with transaction.atomic():
            for line in queryset:
                trail.note_deleted_line(request.user, line)
            queryset.delete()


@admin.register(Notification)
class NotificationAdmin(ReadOnly, admin.ModelAdmin):
    list_display = (
        "game",
        "user",
        "kind",
        "channel",
        "version",
        "created_at",
        "due_at",
        "sent_at",
        "dropped_at",
        "why_dropped",
        "attempts",
        "error",
    )
    list_select_related = ("game", "user")
    list_filter = ("kind", "channel", "why_dropped")
    search_fields = ("game__key", "user__username")
    date_hierarchy = "created_at"


@admin.register(Hint)
class HintAdmin(WithoutSecretGames, ReadOnly, admin.ModelAdmin):
    list_display = ("game", "number", "seat", "asked_at", "payload", "value")
    list_select_related = ("game",)
    search_fields = ("game__key",)
    date_hierarchy = "asked_at"


@admin.register(Review)
class ReviewAdmin(WithoutSecretGames, ReadOnly, admin.ModelAdmin):
    list_display = ("game", "asked_by", "asked_at", "judged_at", "finished_at")
    list_select_related = ("game", "asked_by")
    search_fields = ("game__key",)
    date_hierarchy = "asked_at"


@admin.register(TrainingPosition)
class TrainingPositionAdmin(WithoutSecretGames, ReadOnly, admin.ModelAdmin):
    list_display = ("user", "game", "number", "cost", "due_on", "distance", "answered_on", "is_solved")
    list_select_related = ("user", "game")
    list_filter = ("distance", "is_solved")
    search_fields = ("user__username", "game__key")


@admin.register(ReceivedReply)
class ReceivedReplyAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("received_at", "user", "game", "number", "outcome")
    list_filter = ("outcome",)
    list_select_related = ("user", "game")
    search_fields = ("user__username", "game__key")
    date_hierarchy = "received_at"


@admin.register(Outage)
class OutageAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("started_at", "ended_at", "is_assumed", "given_to")
    date_hierarchy = "started_at"


@admin.register(Verification)
class VerificationAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("started_at", "changed_since", "finished_at", "games", "wrong", "first_problem")


@admin.register(SitePart)
class SitePartAdmin(ReadOnly, admin.ModelAdmin):
    """The parts of the site. No clock runs while one of them is down, also if nobody uses it any more.

    So superusers can delete it. A part that still runs stores its row again within seconds.
    """

    list_display = ("name", "up_since", "seen_at")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return isinstance(request.user, User) and request.user.is_superuser
