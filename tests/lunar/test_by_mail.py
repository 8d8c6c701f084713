"""LUNAR by email: what a turn email says, and replies that play, plan and ask."""

from random import Random
from urllib.parse import urlencode

import pytest
from django.test import Client

from accounts.models import AccountMail
from games.log.replay import public_log
from games.lunar.engine import Action, Pass, Play, Source
from games.lunar.engine.events import CardsPassed
from games.lunar.notation.writing import write_action, write_cards
from games.models import Game, Kind, Notification, ReceivedReply
from games.notifications.delivery import write_message
from tests.lunar.games import last_answer, lunar_game, position_of, reply, user_of
from tests.play import fresh, play_all, turn_mail
from tests.titles.test_mails import links_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dealt", "template_fields_exist")]


@pytest.fixture
def four() -> Game:
    return lunar_game(4)


@pytest.fixture
def two() -> Game:
    return lunar_game(2)


def lines_of(game: Game, seat: int) -> list[str]:
    return [write_action(action) for action in position_of(game).legal(seat)]


def random_actions(game: Game, rng: Random) -> list[Action]:
    """Return random actions from the position of a game to its end."""
    position, actions = position_of(game), []
    while position.awaited:
        actions.append(rng.choice(list(position.legal(min(position.awaited)))))
        position = position.apply(actions[-1]).position
    return actions


def pass_all(game: Game) -> None:
    for seat in range(4):
        reply(game, seat, lines_of(game, seat)[0])


def test_a_reply_passes_turns_a_tile_and_plays_a_card_as_far_as_it_is_the_players_turn(four: Game) -> None:
    for seat in (1, 2, 3):
        reply(four, seat, lines_of(four, seat)[0])
    assert position_of(four).start_player == 0
    kept = position_of(four).hands[0][2]  # the first pass has the lowest two ranks
    reply(four, 0, f"{lines_of(four, 0)[0]}; flip bat; play {kept}")
    position = position_of(four)
    assert [suit.name for suit in position.flips] == ["BAT"]
    answer = last_answer()
    assert f"and “flip bat”. “play {kept}” is your plan for your next turn." in answer


def test_the_next_line_becomes_the_plan_when_the_other_player_is_next(two: Game) -> None:
    mail = turn_mail(two, user_of(two, 0))
    assert "Trump tiles face up: wolf, owl, lynx and bat." in " ".join(str(mail.body).split())
    assert "such as “flip wolf”. You can add lines for later, such as “flip owl”." in mail.body
    reply(two, 0, f"flip wolf\nflip lynx\nplay {two_card(two)}")
    answer = last_answer()
    assert f"Played: “flip wolf”. Not played: “play {two_card(two)}”." in answer
    assert "“flip lynx” is your plan for your next turn." in answer
    assert f"A plan is for one turn, so write “play {two_card(two)}” again later." in answer
    reply(two, 1, "flip owl")
    assert [suit.name for suit in position_of(two).flips] == ["WOLF", "OWL", "LYNX"]
    sentences = " ".join(str(turn_mail(two, user_of(two, 0)).body).split())
    assert sentences.count("turned the lynx") == 1, "not also as what the plan did"


def test_a_line_that_cannot_be_planned_is_answered_with_the_reason(two: Game) -> None:
    reply(two, 0, "flip wolf\nflip wolf")
    assert "Played: “flip wolf”. Not played: “flip wolf”. It is not your turn." in last_answer()
    assert "“flip wolf” can't be played later." in last_answer()


@pytest.mark.parametrize("later", ["", "; also later"])
def test_the_answer_to_a_plan_says_whether_it_outlasts_what_is_revealed(four: Game, later: str) -> None:
    reply(four, 0, lines_of(four, 0)[0])
    reply(four, 0, f"plan flip owl; else flip lynx{later}")
    answer = last_answer()
    assert ("It is played even if something new is revealed first." in answer) is bool(later)
    assert ("It is not played if something is revealed" in answer) is not bool(later)


def test_the_answer_to_a_plan_is_silent_about_what_is_revealed_where_nothing_can_be(two: Game) -> None:
    reply(two, 1, "plan flip owl; else flip lynx")
    assert "Your plan is saved." in last_answer()
    assert "It is played even" not in last_answer()
    assert "It is not played" not in last_answer()


def test_the_first_card_can_follow_the_last_tile_for_two(two: Game) -> None:
    reply(two, 0, "flip bat")
    reply(two, 1, "flip owl")
    reply(two, 0, f"flip lynx\nplay {two_card(two)}")
    position = position_of(two)
    assert position.trump is not None
    assert len(position.trick) == 1
    assert not AccountMail.objects.filter(text__contains="Not played").exists()


def two_card(game: Game) -> str:
    return position_of(game).hands[0][0]


def test_the_mail_of_a_pass_says_what_to_do_and_how(four: Game) -> None:
    mail = turn_mail(four, user_of(four, 0))
    hand = position_of(four).hands[0]
    for text in (str(mail.body), str(mail.alternatives[0].content)):
        words = " ".join(text.split())
        assert "Your hand" in words
        assert "“pass " in words or "&ldquo;pass " in words
        assert "flip " in words, "lines for later"
        assert words.index("Pass four cards to Mina.") < words.index("Your hand")
    assert str(mail.body).count("/move/") == 2
    assert f"Your hand: {write_cards(hand)}" in str(mail.body)
    assert mail.subject == "LUNAR: Your turn against Tobias and Noor"


def test_a_mail_links_to_six_cards_at_most(two: Game) -> None:
    for seat, line in ((0, "flip bat"), (1, "flip owl"), (0, "flip lynx")):
        reply(two, seat, line)
    reply(two, 0, lines_of(two, 0)[0])
    assert len(lines_of(two, 1)) > 6
    mail = turn_mail(two, user_of(two, 1))
    assert str(mail.body).count("/move/") == 6
    assert "The sky: " in str(mail.body)


def test_a_link_to_a_card_of_the_sky_plays_it(two: Game, client: Client) -> None:
    for seat, line in ((0, "flip bat"), (1, "flip owl"), (0, "flip lynx")):
        reply(two, seat, line)
    reply(two, 0, f"play {two_card(two)}")
    reply(two, 1, lines_of(two, 1)[0])
    link = links_in(turn_mail(fresh(two), user_of(two, 0)))[0]
    assert "from the sky" in client.get(link).text
    assert len(position_of(two).trick) == 2, "mail programs follow links by themselves"
    client.post(link)
    played = position_of(two).trick[-1]
    assert played.source is Source.SKY
    assert link.endswith(f"?{urlencode({'move': write_action(Play(0, played.card, played.source))})}")


def test_the_mail_about_the_end_says_what_decided_the_game(two: Game) -> None:
    over = play_all(two, random_actions(two, Random(3)))
    position = position_of(over)
    winner = user_of(over, int(position.winner or 0))
    mail = write_message([Notification(game=over, user=winner, kind=Kind.OVER, version=over.version)])
    text = mail.text
    margin = abs(position.points[0] - position.points[1])
    assert f"You won by {margin} point" in " ".join(text.split())
    rounds = text.partition("Points by round:\n")[2].partition("\n\n")[0].splitlines()
    assert len(rounds) == len(position.rounds) + 1
    assert all(str(points) in rounds[-1] for points in position.points)
    assert "All hands" not in text
    assert len(text.splitlines()) < 45
    assert "<span>Points</span>" in mail.html, "no break within the word, in a narrow column"


def test_a_plan_is_made_and_played(four: Game) -> None:
    pass_all(four)
    reply(four, 0, "flip bat")
    reply(four, 2, "plan flip owl; else flip wolf")
    answer = last_answer()
    assert "Your plan is saved." in answer
    assert "Your hand: " in answer
    reply(four, 1, "flip owl")
    assert [suit.name for suit in position_of(four).flips] == ["BAT", "OWL", "WOLF"]


def test_a_plan_of_a_card_is_played_in_the_trick(four: Game) -> None:
    pass_all(four)
    for seat, line in enumerate(("flip bat", "flip owl", "flip wolf")):
        reply(four, seat, line)
    planned = position_of(four).hands[1][0]
    reply(four, 1, f"plan play {planned}")
    assert "Your plan is saved." in last_answer()
    reply(four, 0, lines_of(four, 0)[0])
    assert [played.seat for played in position_of(four).trick] == [0, 1]


def test_what_a_reply_passes_is_known_to_the_partners_only(four: Game) -> None:
    pass_all(four)
    for viewer in (0, 1, None):
        steps = public_log(fresh(four), seat=viewer).steps[:4]
        given = {step.seat for step in steps if isinstance(step.action, Pass)}
        assert given == ({viewer} - {None})
        passed = next(event for event in steps[-1].events if isinstance(event, CardsPassed))
        seen = {seat for seat, cards in enumerate(passed.cards) if not any(card.is_hidden for card in cards)}
        assert seen == (set() if viewer is None else {viewer, (viewer + 2) % 4})


@pytest.mark.parametrize("replies", [20, pytest.param(None, marks=pytest.mark.whole)])
def test_two_people_end_a_game_by_replies_alone(two: Game, replies: int | None) -> None:
    """With None, all of the game is played by replies."""
    rng = Random(7)
    play_all(two, random_actions(two, rng)[:-replies] if replies else [])
    while not fresh(two).is_over:
        [seat] = position_of(two).awaited
        reply(two, seat, rng.choice(lines_of(two, seat)))
        ReceivedReply.objects.all().delete()  # people take longer, and an hour has a limit
    assert max(position_of(two).points) > 30
    assert not AccountMail.objects.filter(text__contains="was not played").exists()
