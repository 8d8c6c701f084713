"""Hand over a seat: the offer, the person who takes it, and the game after it."""

from accounts.models import User
from games.models import Game, Kind, SeatOffer
from games.services import hand_overs, tables
from tests import play
from tests.browser.states.catalogue import Visit, minor_state
from tests.browser.states.making import after_actions, fixed_deal, game_of_three, people, play_until
from tests.browser.states.notifications import mail_about, show_mail


def offered_game() -> tuple[Game, User, User, str]:
    """Return a game with an offered seat, its player, another player, and the address of the seat."""
    game = game_of_three()
    leaver = play.mover(game)
    other = game.seats.exclude(user=leaver).select_related("user").earliest("number").user
    assert other is not None
    hand_overs.offer(game.key, leaver, is_public=True)
    return play.fresh(game), leaver, other, f"/seats/{game.seat_offers.get().key}/"


def taken_game() -> tuple[Game, User, User, str]:
    game, leaver, other, path = offered_game()
    hand_overs.take(game.seat_offers.get().key, play.person("Noor"))
    return play.fresh(game), leaver, other, path


@minor_state
def hand_over_start() -> Visit:
    game = game_of_three()
    return Visit(f"{game.get_absolute_url()}hand-over/", play.mover(game))


@minor_state
def hand_over_offered() -> Visit:
    game, leaver, _other, _path = offered_game()
    return Visit(f"{game.get_absolute_url()}hand-over/", leaver)


@minor_state
def hand_over_home() -> Visit:
    offered_game()
    return Visit("/", play.person("Noor"))


@minor_state
def hand_over_seat() -> Visit:
    _game, _leaver, _other, path = offered_game()
    return Visit(path, None)


@minor_state
def hand_over_seat_taken() -> Visit:
    _game, _leaver, _other, path = taken_game()
    return Visit(path, people("Noor")[0])


@minor_state
def hand_over_later() -> Visit:
    """The former player has made the first actions."""
    ines, tobias, noor = people("Ines", "Tobias", "Noor")
    with fixed_deal(1):
        game = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="live"))
        tables.join(game.key, tobias)
    game = play_until(game, after_actions(9))
    hand_overs.offer(game.key, ines, is_public=False)
    hand_overs.take(game.seat_offers.get().key, noor)
    return Visit(game.get_absolute_url(), tobias)


@minor_state
def hand_over_objection() -> Visit:
    """The bar also leads to the viewer's plan and to another game that waits for them."""
    game, _leaver, other, _path = taken_game()
    another = play.game_of(other, play.person("Halley"))
    play_until(another, lambda position, _number: position.to_move == another.seats.get(user=other).number)
    return Visit(game.get_absolute_url(), other)


@minor_state
def hand_over_objection_text() -> Visit:
    game, _leaver, other, _path = taken_game()
    return Visit(f"{game.get_absolute_url()}text/", other)


@minor_state
def hand_over_done() -> Visit:
    ines, noor = play.person("Ines"), play.person("Noor")
    game = play.game_of(ines, bots=("easy",))
    hand_overs.offer(game.key, ines, is_public=False)
    hand_overs.take(game.seat_offers.get().key, noor)
    return Visit(game.get_absolute_url(), noor)


def seat_of_tobias() -> tuple[Game, SeatOffer]:
    """Return a game of Ines, and the offer of the seat of Tobias."""
    game = game_of_three()
    hand_overs.offer(game.key, people("Tobias")[0], is_public=False)
    return game, game.seat_offers.get()


@minor_state
def mail_seat_offered() -> Visit:
    game, offer = seat_of_tobias()
    return show_mail(mail_about((Kind.SEAT, game), version=offer.pk))


@minor_state
def mail_seat_taken() -> Visit:
    game, offer = seat_of_tobias()
    hand_overs.take(offer.key, play.person("Noor"))
    return show_mail(mail_about((Kind.SEAT, game), version=offer.pk))
