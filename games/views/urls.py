from datetime import date

from django.urls import path, register_converter

from games.views import (
    archive,
    browsers,
    daily,
    duplicates,
    exports,
    feeds,
    guests,
    hours,
    invitations,
    learning,
    live,
    lobby,
    notifications,
    people,
    ratings,
    seeking,
    solo,
    tables,
    training,
    watching,
    webhooks,
)
from games.views.game import (
    chat,
    deals,
    displays,
    hand_overs,
    hints,
    mail_moves,
    notes,
    nudges,
    page,
    plans,
    preview,
    reviews,
    text,
    try_lines,
    votes,
)
from games.views.moderation import deciding, reporting


class GameKey:
    """The key of a game in its address."""

    regex = "[0-9A-Za-z]{12}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class Day:
    """A day in an address, as 2026-06-01."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


register_converter(GameKey, "key")
register_converter(Day, "day")

app_name = "games"
urlpatterns = [
    path("", lobby.home, name="home"),
    path("guest-games/", guests.move, name="guest_games"),
    path("play/", lobby.play_now, name="play_now"),
    path("play/person/", seeking.seek, name="seek"),
    path("play/person/stop/", seeking.stop, name="stop_seeking"),
    path("play/person/leave/", seeking.leave, name="leave_search"),
    path("new/", tables.new, name="new"),
    path("duplicates/new/", duplicates.new, name="new_duplicate"),
    path("duplicates/<key:key>/", duplicates.duplicate, name="duplicate"),
    path("duplicates/<key:key>/version/", live.version, {"of_match": True}, name="duplicate_version"),
    path("duplicates/<key:key>/stream/", live.stream, {"of_match": True}, name="duplicate_stream"),
    path("finished/", archive.finished, name="finished"),
    path("finished/statistics/", archive.statistics, name="insights"),
    path("finished/records.jsonl", archive.download, name="finished_records"),
    path("watch/", watching.watch, name="watch"),
    path("solo/", solo.solo, name="solo"),
    path("solo/start/", solo.start, name="solo_start"),
    path("solo/results.csv", solo.results, name="solo_results"),
    path("solo/leaderboard/", solo.leaderboard, name="leaderboard"),
    path("trainer/", training.today, name="trainer"),
    path("trainer/<int:pk>/", training.turn, name="training"),
    path("ratings/", ratings.ratings, name="ratings"),
    path("help/", learning.help_page, name="help"),
    path("daily/", daily.daily, name="daily"),
    path("daily/start/", daily.start, name="daily_start"),
    path("daily/<day:day>/", daily.daily, name="daily_day"),
    path("daily/<day:day>/practice/", daily.practise, name="daily_practice"),
    path("names/", people.names, name="names"),
    path("people/<str:name>/", people.person, name="person"),
    path("learn/", learning.learn, name="learn"),
    path("learn/<int:number>/", learning.learn, name="learn_step"),
    path("learn/<slug:title>/", learning.learn, name="learn"),
    path("learn/<slug:title>/<int:number>/", learning.learn, name="learn_step"),
    path("rules/", learning.rules, name="rules"),
    path("rules/<slug:title>/", learning.rules, name="rules"),
    path("g/<key:key>/", page.game, name="game"),
    path("g/<key:key>/play/", page.play, name="play"),
    path("g/<key:key>/tips/hide/", page.hide_tips, name="hide_tips"),
    path("g/<key:key>/sound/", page.sound, name="sound"),
    path("g/<key:key>/hint/", hints.hint, name="hint"),
    path("g/<key:key>/nudge/", nudges.nudge, name="nudge"),
    path("g/<key:key>/text/", text.text, name="text"),
    path("g/<key:key>/text/hint/", text.hint, name="text_hint"),
    path("g/<key:key>/plan/", plans.plan, name="plan"),
    path("g/<key:key>/text/plan/", text.plan, name="text_plan"),
    path("g/<key:key>/displays/<int:seat>/", displays.display, name="display"),
    path("g/<key:key>/join/", tables.join, name="join"),
    path("g/<key:key>/swap/", tables.swap, name="swap"),
    path("g/<key:key>/bots/", tables.add_bots, name="add_bots"),
    path("g/<key:key>/invite/", invitations.invite, name="invite"),
    path("g/<key:key>/invite/<int:seat>/withdraw/", invitations.withdraw, name="withdraw"),
    path("invitations/<str:token>/", invitations.invitation, name="invitation"),
    path("invitations/<str:token>/decline/", invitations.decline, name="decline_invitation"),
    path("invitations/<str:token>/stop/", invitations.stop, name="stop_invitations"),
    path("g/<key:key>/leave/", tables.leave, name="leave"),
    path("g/<key:key>/decline/", tables.decline, name="decline"),
    path("g/<key:key>/rematch/", tables.rematch, name="rematch"),
    path("g/<key:key>/expert/", tables.expert, name="expert"),
    path("g/<key:key>/vote/", votes.vote, name="vote"),
    path("g/<key:key>/hand-over/", hand_overs.hand_over, name="hand_over"),
    path("seats/<key:offer>/", hand_overs.seat, name="seat"),
    path("g/<key:key>/play/back/", page.take_back, name="take_back_action"),
    path("g/<key:key>/text/back/", text.take_back, name="text_take_back_action"),
    path("g/<key:key>/take-back/", tables.take_back, name="take_back"),
    path("g/<key:key>/close/", tables.close, name="close"),
    path("g/<key:key>/train/", training.train, name="train"),
    path("g/<key:key>/review/", reviews.review, name="review"),
    path("g/<key:key>/deal/", deals.deal, name="deal"),
    path("g/<key:key>/record.json", deals.record, name="record"),
    path("g/<key:key>/preview.jpg", preview.preview, name="preview"),
    path("g/<key:key>/preview.webp", preview.small_preview, name="small_preview"),
    path("move/<str:token>/", mail_moves.mail_move, name="mail_move"),
    path("updates/", live.version, name="updates"),
    path("updates/stream/", live.stream, name="updates_stream"),
    path("g/<key:key>/chat/", chat.chat, name="chat"),
    path("g/<key:key>/chat/read/", chat.read, name="chat_read"),
    path("g/<key:key>/note/", notes.note, name="note"),
    path("g/<key:key>/try/<int:start>/", try_lines.try_line, name="try_line"),
    path("g/<key:key>/try/<int:start>/<str:line>/", try_lines.try_line, name="try_line"),
    path("g/<key:key>/text/try/<int:start>/", try_lines.text, name="text_try_line"),
    path("g/<key:key>/text/try/<int:start>/<str:line>/", try_lines.text, name="text_try_line"),
    path("g/<key:key>/lines/", try_lines.keep, name="keep_line"),
    path("g/<key:key>/lines/<int:pk>/delete/", try_lines.drop, name="drop_line"),
    path("house-rules/", reporting.house_rules, name="house_rules"),
    path("g/<key:key>/chat/<int:line>/report/", reporting.report_line, name="report_line"),
    path("g/<key:key>/report/", reporting.report_game, name="report_game"),
    path("people/<str:name>/report/", reporting.report_person, name="report_person"),
    path("account/reports/", reporting.reports, name="reports"),
    path("account/reports/<int:pk>/object/", reporting.object_to, name="object"),
    path("moderation/", deciding.queue, name="moderation"),
    path("moderation/reports/<int:pk>/", deciding.report, name="moderation_report"),
    path("moderation/measures/<int:pk>/", deciding.measure, name="moderation_measure"),
    path("moderation/trail/", deciding.trail, name="moderation_trail"),
    path("people/<str:name>/block/", people.block, name="block"),
    path("people/<str:name>/mute/", people.mute, name="mute"),
    path("people/<str:name>/follow/", people.follow, name="follow"),
    path("g/<key:key>/follow/", watching.follow, name="follow_game"),
    path("g/<key:key>/silence/", notifications.silence, name="silence"),
    path("g/<key:key>/version/", live.version, name="version"),
    path("g/<key:key>/stream/", live.stream, name="stream"),
    path("account/profile/", people.profile_settings, name="profile_settings"),
    path("account/export/", exports.export, name="export"),
    path("account/export/<str:key>/", exports.file, name="export_file"),
    path("account/hours/", hours.hours, name="hours"),
    path("account/hours/vacation/", hours.plan_vacation, name="plan_vacation"),
    path("account/hours/vacation/<int:pk>/end/", hours.end_vacation, name="end_vacation"),
    path("account/notifications/", notifications.notifications, name="notifications"),
    path("account/notifications/sent/", notifications.sent, name="notifications_sent"),
    path("account/notifications/feeds/", feeds.renew, name="renew_feeds"),
    path("feeds/<str:token>/turns.atom", feeds.turns, name="feed_turns"),
    path("feeds/<str:token>/deadlines.ics", feeds.deadlines, name="feed_deadlines"),
    path("account/notifications/browsers/", browsers.add, name="add_browser"),
    path("account/notifications/browsers/check/", browsers.check, name="check_browser"),
    path("account/notifications/browsers/<int:pk>/remove/", browsers.remove, name="remove_browser"),
    path("account/notifications/webhook/", webhooks.webhook, name="webhook"),
    path("account/notifications/webhook/secret/", webhooks.renew_secret, name="webhook_secret"),
    path("account/notifications/webhook/test/", webhooks.send_test, name="webhook_test"),
    path("account/notifications/webhook/remove/", webhooks.remove, name="webhook_remove"),
    path("account/turn-mails/off/<str:token>/", notifications.unsubscribe, name="unsubscribe"),
]
