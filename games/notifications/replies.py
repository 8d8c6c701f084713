"""Plays the moves that people write in reply to their turn emails, and stores their plans.

The signed token in the address is the proof, as it is for a link: who has it got the email. The sender in
"From" is not checked. It is easy to forge, and people answer from other addresses than the one that they have
confirmed. Answers go only to the confirmed address, so a stranger with a token learns nothing by it.
"""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from accounts import outbox
from accounts.addresses import confirmed_address
from accounts.languages import language_of
from accounts.models import User
from games.models import Game, ReceivedReply, is_current
from games.notifications.answers import owe_answer
from games.notifications.bounces import store_bounce_at, user_of_return_path
from games.notifications.facts import PlayerFacts
from games.notifications.invitation_replies import answer_invitation
from games.notifications.kind import thread_of
from games.notifications.mailbox import Receipt, receives
from games.notifications.signposts import answer_person, answer_sender
from games.queries.mail_links import MailTurn, is_invitation, person_of, turn_of
from games.replies import Ignored, Purpose, Reply, Unreadable, WhyIgnored, read_reply, token_of_address
from games.services import plans
from games.services.errors import Refused
from games.services.play import lock_game, play_by_mail
from games.shown.headings import heading
from games.shown.reading import Found, quote
from games.shown.words import join_words
from games.titles.lines import CannotPlay, NotUnderstood
from games.titles.plans import PlanRequest
from games.titles.registry import title_named
from games.titles.talents import Talent

logger = logging.getLogger(__name__)

Outcome = ReceivedReply.Outcome

# More than a person writes. An automatic reply that is not recognised gets this many answers at most.
MOST_AN_HOUR = 60
MOST_ANSWERS_A_TURN = 5


def receive(raw: bytes, recipient: str, envelope_sender: str | None = None) -> Receipt:
    """Do what an email to an address of the site says, or answer what is wrong, once for each Message-ID.

    A reply to a turn email plays its moves, and one to an invitation accepts or declines it. The answer to
    any other email of a user says where to write. A bounce can stop the emails to its address.

    A move in reply to an earlier turn changes nothing, and is answered if it is not what was played.
    Other errors are raised: the email should be received again later. An email that can never be read or
    stored is refused once.
    """
    try:
        return _receive(raw, recipient, envelope_sender)
    except Unreadable:
        logger.exception("An email is refused, because it cannot be read or stored.")
        return Receipt.UNREADABLE


def _receive(raw: bytes, recipient: str, envelope_sender: str | None) -> Receipt:
    token = token_of_address(recipient)
    try:
        if is_invitation(token):
            return answer_invitation(token, read_reply(raw, envelope_sender))
        if (turn := turn_of(Purpose.REPLY, token)) is not None:
            return _answer_turn(turn, read_reply(raw, envelope_sender))
        if (user := person_of(token)) is not None:
            return answer_person(user, read_reply(raw, envelope_sender))
        if (user := user_of_return_path(recipient)) is not None:
            return _answer_return(user, read_reply(raw, envelope_sender))
        if receives(recipient):
            return answer_sender(raw, read_reply(raw, envelope_sender))
    except Ignored as ignored:
        logger.info("An email is ignored: %s", ignored)
        if ignored.why is WhyIgnored.BOUNCE:
            store_bounce_at(recipient, raw)
        return Receipt.IGNORED
    return Receipt.NO_SUCH_ADDRESS


def _answer_return(user: User, reply: Reply) -> Receipt:
    """Answer a person who wrote to the envelope sender of an email.

    Absence notes go there (RFC 5230), so what may be one gets no answer.
    """
    if reply.is_doubtful:
        logger.info("An email to an envelope sender may be automatic, and is ignored.")
        return Receipt.IGNORED
    return answer_person(user, reply)


def _answer_turn(turn: MailTurn, reply: Reply) -> Receipt:
    """Play the move of a reply, or answer it."""
    if not turn.user.plays_by_reply or confirmed_address(turn.user) is None:
        return Receipt.NO_SUCH_ADDRESS
    # A program can answer two people with one email, and a person two games.
    request_id = uuid.uuid5(reply.request_id, "-".join(map(str, turn.as_signed)))
    reply = reply._replace(request_id=request_id)
    with transaction.atomic(), override(language_of(turn.user) or settings.LANGUAGE_CODE):
        # Locked, so that copies of an email that arrive at the same time are handled one after the other.
        User.objects.select_for_update(no_key=True).get(pk=turn.user.pk)
        if ReceivedReply.objects.filter(request_id=reply.request_id).exists():
            return Receipt.HANDLED
        outcome = Outcome.LIMITED if _is_limited(turn) else _play(turn, reply)
        ReceivedReply.objects.create(
            request_id=reply.request_id,
            user=turn.user,
            game=turn.game,
            number=turn.number,
            outcome=outcome,
        )
    logger.info("A reply of user %s in game %s: %s", turn.user.pk, turn.game.key, outcome)
    return Receipt.HANDLED


def _is_limited(turn: MailTurn) -> bool:
    """Return whether the person has sent too many replies in the last hour."""
    lately = ReceivedReply.objects.filter(received_at__gt=timezone.now() - timedelta(hours=1))
    return lately.filter(user=turn.user).count() >= MOST_AN_HOUR


def _answers_left(turn: MailTurn) -> int:
    """Return how many more answers to replies about a turn are sent."""
    earlier = ReceivedReply.objects.filter(user=turn.user, game=turn.game, number=turn.number)
    return MOST_ANSWERS_A_TURN - earlier.filter(outcome__in=(Outcome.REFUSED, Outcome.LATE)).count()


def _play(turn: MailTurn, reply: Reply) -> Outcome:
    """Play the moves of a reply, or owe its sender an email that says why that was not possible.

    A reply about a plan gets an answer too, and may come at any time. Moves can come before the plan.
    """
    facts = PlayerFacts(lock_game(pk=turn.game.pk), turn.user)
    is_now = is_current(facts.game.seats.get(number=turn.seat), turn.number)
    if about_plan := _plan_lines(facts, reply):
        before = reply.lines[: reply.lines.index(about_plan[0])]
        if is_now and _means_action(before, facts):
            return _play_actions(turn, reply._replace(lines=before), facts, about_plan)
        _owe_plan_answer(turn, reply, _change_plan(turn, facts, about_plan))
        return Outcome.REFUSED
    if not is_now:
        if not _is_played(reply, turn, facts):
            _owe_late_answer(turn, reply, facts)
        return Outcome.LATE
    return _play_actions(turn, reply, facts)


def _means_action(lines: Sequence[str], facts: PlayerFacts) -> bool:
    """Return whether lines are meant as an action now, also if it is not possible."""
    try:
        facts.pages.find_action(facts.pages.split_reply(lines)[0], facts.view)
    except NotUnderstood:
        return False
    except CannotPlay:
        pass
    return facts.view.is_my_turn


def _play_actions(
    turn: MailTurn, reply: Reply, facts: PlayerFacts, about_plan: Sequence[str] = ()
) -> Outcome:
    """Play the actions of a reply in order while they are possible; owe an answer if one is not.

    The first one that comes when others are awaited becomes the plan. If all were possible, the lines about a
    plan follow.
    Between them, the house plays actions without a choice, which the reply may name too.
    """
    played: list[str] = []
    by_house: list[int] = []  # the numbers of own actions that have followed the latest one
    parts = facts.pages.split_reply(reply.lines)
    for number, part in enumerate(parts):
        if by_house and _names_step(part, by_house[0], facts):
            played.append(part[0])
            del by_house[0]
            continue
        try:
            if not facts.view.is_my_turn:
                # The answers about plans can be answered too.
                raise CannotPlay(_("It is not your turn."))
            action = facts.pages.find_action(part, facts.view)
            line = facts.pages.write_action(action, facts.view.position)
            request_id = uuid.uuid5(reply.request_id, str(number)) if number else reply.request_id
            own = play_by_mail(facts.game.key, turn.user, action, facts.turn.number, request_id)
        except (CannotPlay, Refused) as error:
            rest = [each[0] for each in parts[number:] if each]
            if not facts.view.is_my_turn:
                _owe_plan_answer(turn, reply, _plan_rest(turn, facts, part, played, rest))
            else:
                reason = f"{_name_rest(played, rest)} {_reason_of(error)}".strip()
                _owe_answer(turn, reply, facts, reason, has_played=bool(played))
            return Outcome.PLAYED if played else Outcome.REFUSED
        played.append(line)
        facts = _new_facts(turn)
        later = enumerate(facts.view.steps[own.number :], own.number + 1)
        by_house = [number for number, step in later if step.seat == turn.seat]
    _confirm(turn, reply, len(played), about_plan)
    return Outcome.PLAYED


def _names_step(lines: Sequence[str], number: int, facts: PlayerFacts) -> bool:
    """Return whether lines name an action that is in the log."""
    view = replace(facts.view, at=number - 1)
    try:
        return bool(facts.pages.find_action(lines, view) == view.steps[number - 1].action)
    except CannotPlay:
        return False


def _name_rest(played: Sequence[str], rest: Sequence[str]) -> str:
    """Return which actions of a reply were played and which were not; empty if none was played."""
    if not played:
        return ""
    if not rest:
        return _("Played: %(played)s.") % {"played": _join_quoted(played)}
    names = {"played": _join_quoted(played), "rest": _join_quoted(rest)}
    return _("Played: %(played)s. Not played: %(rest)s.") % names


def _join_quoted(lines: Sequence[str]) -> str:
    return join_words([*map(quote, lines)])


def _plan_rest(
    turn: MailTurn, facts: PlayerFacts, part: Sequence[str], played: Sequence[str], rest: Sequence[str]
) -> str:
    """Make the first action that was not played, because others are awaited, a plan; return what was done.

    The wishes of a plan are alternatives for one turn, so the actions after it are not planned.
    """
    try:
        _plan_action(turn, facts, part, is_later=bool(played))
    except (CannotPlay, Refused) as error:
        # A line after an action is one too; the first one can be anything, such as a greeting.
        reason = _reason_of(error) if played else ""
        return f"{_name_rest(played, rest)} {_('It is not your turn.')} {reason}".strip()
    words = {"line": quote(rest[0]), "rest": _join_quoted(rest[1:])}
    sentences = [_name_rest(played, rest[1:]), _("%(line)s is your plan for your next turn.") % words]
    if not played:
        sentences[0] = _("It is not your turn.")
    if rest[1:]:
        sentences.append(_("A plan is for one turn, so write %(rest)s again later.") % words)
    return " ".join(sentences)


def _plan_action(turn: MailTurn, facts: PlayerFacts, part: Sequence[str], *, is_later: bool) -> None:
    """Store the action at the beginning of a part of a reply as the plan. Raises CannotPlay and Refused.

    One that follows others of the reply is for whatever they bring.
    """
    line, after = (*part, "", "")[:2]
    has_plans = Talent.PLANS in title_named(facts.game.title).talents
    is_doubtful = "?" in line or Found(line, after).is_taken_back(resigns=False)
    if is_doubtful or not (has_plans and facts.view.can_plan):
        raise CannotPlay("")
    seen = facts.view.position_after(min(turn.number - 1, facts.view.version))
    plan = facts.pages.read_plan([f"plan {line}"], seen, facts.view)
    if plan.request is not PlanRequest.MAKE:
        raise CannotPlay("")
    seat = facts.game.seats.get(number=turn.seat)
    plans.change_by_mail(seat, plan.wishes, turn.number, is_later or plan.outlasts_reveals)


def _reason_of(error: CannotPlay | Refused) -> str:
    return error.reason if isinstance(error, CannotPlay) else str(error.message)


def _new_facts(turn: MailTurn) -> PlayerFacts:
    """Return what is known after an action."""
    return PlayerFacts(Game.objects.select_related("deal").get(pk=turn.game.pk), turn.user)


def _is_played(reply: Reply, turn: MailTurn, facts: PlayerFacts) -> bool:
    """Return whether a reply to an earlier turn says what its sender has played in that turn."""
    view = facts.view
    if not 0 < turn.number <= view.version:
        return False
    try:
        first = facts.pages.split_reply(reply.lines)[0]
        action = facts.pages.find_action(first, replace(view, at=turn.number - 1))
    except CannotPlay:
        return False
    own = (step.action for step in view.steps[turn.number - 1 :] if step.seat == turn.seat)
    return bool(action == next(own, None))


def _owe_late_answer(turn: MailTurn, reply: Reply, facts: PlayerFacts) -> None:
    """Store an email that says that a reply was to an earlier turn, with what is possible now."""
    if facts.view.is_my_turn:
        _owe_answer(turn, reply, facts, "")
    else:
        _owe_plan_answer(
            turn, reply, _("You answered an email about an earlier turn, so nothing was played.")
        )


def _plan_lines(facts: PlayerFacts, reply: Reply) -> Sequence[str]:
    """Return the lines of a reply that are about a plan; none if the title has no plans."""
    has_plans = Talent.PLANS in title_named(facts.game.title).talents
    return facts.pages.plan_lines(reply.lines) if has_plans else []


def _change_plan(turn: MailTurn, facts: PlayerFacts, lines: Sequence[str]) -> str:
    """Do what the lines of a reply want with the plan of its sender; return what was done, or why not."""
    view = facts.view
    seen = view.position_after(min(turn.number - 1, view.version))
    try:
        plan = facts.pages.read_plan(lines, seen, view)
        if plan.request is PlanRequest.SHOW:
            return ""
        seat = facts.game.seats.get(number=turn.seat)
        plans.change_by_mail(seat, plan.wishes, turn.number, plan.outlasts_reveals)
    except (CannotPlay, Refused) as error:
        return _reason_of(error)
    return _("Your plan is saved.") if plan.wishes else _("You have no plan any more.")


def _confirm(turn: MailTurn, reply: Reply, count: int, about_plan: Sequence[str]) -> None:
    """Owe the sender of some moves an email that says how to plan the next one, if they wait for a person.

    If the reply is about a plan too, the email says what became of it in any case.
    """
    facts = _new_facts(turn)
    outcome = ngettext("Your move is played.", "Your %(count)d moves are played.", count) % {"count": count}
    has_plans = Talent.PLANS in title_named(facts.game.title).talents
    if about_plan:
        _owe_plan_answer(turn, reply, f"{outcome} {_change_plan(turn, facts, about_plan)}".strip())
    elif has_plans and facts.view.can_plan and any(not (one.bot or one.caretaker) for one in facts.awaited):
        _owe_plan_answer(turn, reply, outcome)


def _owe_plan_answer(turn: MailTurn, reply: Reply, outcome: str) -> None:
    """Store an email with the plan of the sender, and how to make one with what is known now."""
    facts = _new_facts(turn)
    values: dict[str, object] = {
        "outcome": outcome,
        "turn": heading(facts.view, title_named(facts.game.title).rules.sides(facts.view.start.seats)),
        "plan": facts.pages.show_plan(facts.view),
        "can_plan": facts.view.can_plan,
    }
    _owe(turn, reply, facts, "plan_answer", values)


def _owe_answer(
    turn: MailTurn, reply: Reply, facts: PlayerFacts, problem: str, *, has_played: bool = False
) -> None:
    """Store an email that says why nothing, or nothing more, was played, and what can be played.

    Without a `problem`, it says that the game has changed since the email that was answered.
    """
    values: dict[str, object] = {
        "problem": problem,
        "has_played": has_played,
        "move_by": facts.move_by,
        "offers": facts.pages.offers(facts.view),
    }
    _owe(turn, reply, facts, "reply_problem", values)


def _owe(turn: MailTurn, reply: Reply, facts: PlayerFacts, template: str, values: dict[str, object]) -> None:
    """Store an answer to a reply, unless there were too many about the same turn."""
    answers_left = _answers_left(turn)
    if answers_left < 1:
        return
    address = confirmed_address(turn.user)
    assert address is not None, "checked before"
    shared = {
        "game": facts.game,
        "opponents": facts.opponents,
        "title_name": facts.title_name,
        "is_last": answers_left == 1,
    }
    owe_answer(
        address,
        f"{facts.pages.mail_templates}/{template}",
        {**shared, **values, **facts.pages.turn_values(facts.view)},
        subject="mail/reply",
        reply_to=facts.reply_to,
        # In the conversation of the game, also if the mailbox does not have the reply.
        in_reply_to=f"{outbox.message_id(thread_of(turn.game, turn.user))} {reply.message_id}".strip(),
    )
