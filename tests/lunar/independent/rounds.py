"""One round as a flat array of whole numbers: legal cards, tricks and trump, compiled on first use.

A *face* is a card without its star: 0 to 7 for ranks, 8 to 11 for suits. A set of faces is a number with a
bit for each. A *place* is 0 for a hand and 1 for the sky. In a trick, *parity* 0 is the leader's side, and 1
the other one.
"""

from typing import Any

import numpy as np
from numba import njit

# Where things are in a round. Lists begin at their name.
SEATS, TRUMP, TILES, LEADER, PLAYED, LEAD, TRICKS = range(7)  # PLAYED: cards in the running trick
RANKS_DRAWN, SUITS_DRAWN, TRICK_STARS = range(7, 10)
STARS, WON, HOLDERS = 10, 12, 14  # of each side
TRICK_RANK, TRICK_SUIT, TRICK_PLACE = 16, 18, 20  # of each parity; the place of its first card
SKY_FACES = 22  # three sets of 12 bits: faces that the sky has at least once, twice, three times
HAND_FACES = 24  # of each seat
SKY, PILES = 28, 34  # three places for ranks, then three for suits; nine ranks, then nine suits
HANDS = 52  # how many of each of 24 cards each seat has
SIZE = HANDS + 4 * 24

NOTHING = -1
RANK_FACES, SUIT_FACES, ALL_FACES = 0xFF, 0xF00, 0xFFF
IN_SKY = 24  # what is added to a card's number if it is played from the sky


def new_round(seats: int, holders: list[int], leader: int) -> Any:
    """Return a round with no cards. `holders` has the holder of each side's lead tile."""
    round_ = np.zeros(SIZE, np.int64)
    round_[SEATS], round_[LEADER], round_[TILES] = seats, leader, 0b1111
    round_[[TRUMP, LEAD]] = NOTHING
    round_[TRICK_RANK : TRICK_PLACE + 2] = NOTHING
    round_[SKY : SKY + 6] = NOTHING
    round_[HOLDERS], round_[HOLDERS + 1] = holders
    return round_


@njit(cache=True)
def with_face(sky: int, face: int) -> int:
    """Return the faces of the sky with one card more."""
    for shift in (0, 12, 24):
        if not (sky >> (face + shift)) & 1:
            return sky | (1 << (face + shift))
    return sky


@njit(cache=True)
def without_face(sky: int, face: int) -> int:
    """Return the faces of the sky with one card less."""
    for shift in (24, 12, 0):
        if (sky >> (face + shift)) & 1:
            return sky & ~(1 << (face + shift))
    return sky


@njit(cache=True)
def count_faces(round_: Any) -> None:
    """Set the faces of all hands and of the sky from their cards."""
    for seat in range(round_[SEATS]):
        faces = 0
        for card in range(24):
            if round_[HANDS + 24 * seat + card]:
                faces |= 1 << (card >> 1)
        round_[HAND_FACES + seat] = faces
    sky = 0
    for place in range(6):
        if round_[SKY + place] >= 0:
            sky = with_face(sky, round_[SKY + place] >> 1)
    round_[SKY_FACES] = sky


@njit(cache=True)
def legal_faces(two: bool, hand: int, sky: int, rank: int, suit: int, place: int, lead: int) -> int:
    """Return the legal faces: from the hand in the lower 12 bits, from the sky in the next 12.

    `rank` and `suit` are what the side has in the trick, and `place` is where its first card came from.
    """
    sky = sky & ALL_FACES if two else 0
    if rank >= 0 or suit >= 0:
        kind = SUIT_FACES if rank >= 0 else RANK_FACES
        hand, sky = hand & kind, sky & kind
        if two and place == 0:
            hand = 0
        elif two:
            sky = 0
    elif two:
        # The first card needs a second one of the other kind in the other place.
        for_hand = (RANK_FACES if sky & SUIT_FACES else 0) | (SUIT_FACES if sky & RANK_FACES else 0)
        for_sky = (RANK_FACES if hand & SUIT_FACES else 0) | (SUIT_FACES if hand & RANK_FACES else 0)
        hand, sky = hand & for_hand, sky & for_sky
    if lead >= 0:
        led = 1 << (8 + lead)
        if hand & led:
            hand = (hand & RANK_FACES) | led
        if sky & led:
            sky = (sky & RANK_FACES) | led
    return hand | (sky << 12)


@njit(cache=True)
def winner(rank: int, suit: int, other_rank: int, other_suit: int, lead: int, trump: int) -> int:
    """Return the parity that wins a trick. The first rank and suit are the leader's side's."""
    if suit == other_suit:
        return 0 if rank > other_rank else 1  # parity 1 has played the last card
    if suit == trump or (other_suit != trump and suit == lead):
        return 0
    return 1


@njit(cache=True)
def awaited(round_: Any) -> int:
    """Return the seat that plays the next card."""
    return (round_[LEADER] + round_[PLAYED]) % round_[SEATS]


@njit(cache=True)
def legal_plays(round_: Any) -> Any:
    """Return the legal plays: numbers of cards, with IN_SKY added for those from the sky."""
    parity = round_[PLAYED] & 1
    seat = awaited(round_)
    faces = legal_faces(
        round_[SEATS] == 2,
        round_[HAND_FACES + seat],
        round_[SKY_FACES],
        round_[TRICK_RANK + parity],
        round_[TRICK_SUIT + parity],
        round_[TRICK_PLACE + parity],
        round_[LEAD],
    )
    plays = np.empty(48, np.int64)
    count = 0
    for play in range(48):
        if (faces >> (play >> 1)) & 1 and has_card(round_, seat, play):
            plays[count] = play
            count += 1
    return plays[:count]


@njit(cache=True)
def has_card(round_: Any, seat: int, play: int) -> bool:
    """Whether the card of a play is in the seat's hand, or in the sky."""
    if play < IN_SKY:
        return round_[HANDS + 24 * seat + play] > 0
    return (round_[SKY : SKY + 6] == play - IN_SKY).any()


@njit(cache=True)
def add_to_trick(round_: Any, play: int) -> None:
    """Add a card to the running trick, without taking it from anywhere."""
    parity = round_[PLAYED] & 1
    card = play % 24
    if card < 16:
        round_[TRICK_RANK + parity] = card >> 1
    else:
        round_[TRICK_SUIT + parity] = (card >> 1) - 8
        if round_[LEAD] < 0:
            round_[LEAD] = (card >> 1) - 8
    if round_[PLAYED] < 2:
        round_[TRICK_PLACE + parity] = play // 24
    round_[TRICK_STARS] += card & 1
    round_[PLAYED] += 1


@njit(cache=True)
def play_card(round_: Any, play: int) -> None:
    """Play a legal card, and close the trick after its fourth."""
    seat = awaited(round_)
    card = play % 24
    face = card >> 1
    if play < IN_SKY:
        hand = HANDS + 24 * seat
        round_[hand + card] -= 1
        if round_[hand + 2 * face] + round_[hand + 2 * face + 1] == 0:
            round_[HAND_FACES + seat] &= ~(1 << face)
    else:
        round_[SKY_FACES] = without_face(round_[SKY_FACES], face)
        for place in range(6):
            if round_[SKY + place] == card:
                round_[SKY + place] = NOTHING
                break
    add_to_trick(round_, play)
    if round_[PLAYED] == 4:
        _close_trick(round_)


@njit(cache=True)
def _close_trick(round_: Any) -> None:
    won_by = winner(
        round_[TRICK_RANK],
        round_[TRICK_SUIT],
        round_[TRICK_RANK + 1],
        round_[TRICK_SUIT + 1],
        round_[LEAD],
        round_[TRUMP],
    )
    side = (round_[LEADER] + won_by) & 1
    round_[WON + side] += 1
    round_[STARS + side] += round_[TRICK_STARS]
    round_[LEADER] = round_[HOLDERS + side]
    round_[TRICKS] += 1
    round_[PLAYED] = round_[TRICK_STARS] = 0
    round_[LEAD] = NOTHING
    round_[TRICK_RANK : TRICK_PLACE + 2] = NOTHING
    if round_[SEATS] == 2:
        _fill_sky(round_)


@njit(cache=True)
def _fill_sky(round_: Any) -> None:
    for place in range(6):
        kind = place // 3
        drawn = round_[RANKS_DRAWN + kind]
        if round_[SKY + place] < 0 and drawn < 9:
            card = round_[PILES + 9 * kind + drawn]
            round_[SKY + place] = card
            round_[RANKS_DRAWN + kind] += 1
            round_[SKY_FACES] = with_face(round_[SKY_FACES], card >> 1)


@njit(cache=True)
def turn_tile(round_: Any, suit: int) -> None:
    """Turn a trump tile face down. The last one face up is trump."""
    round_[TILES] &= ~(1 << suit)
    for last in range(4):
        if round_[TILES] == 1 << last:
            round_[TRUMP] = last
