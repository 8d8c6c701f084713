"""Cards as numbers from 0 to 23, in the order of the record format, and their codes.

Ranks are 0 to 15: twice the moon's number less one, and one more for a star. Suits are 16 to 23. Half of a
card's number is its *face* (0 to 11), which a star does not change.
"""

RANKS = "12345678"
SUITS = "WOLB"
CODES = [face + star for face in RANKS + SUITS for star in ("", "*")]
NUMBERS = {code: number for number, code in enumerate(CODES)}
# Copies of each rank without and with a star, and of each suit.
COPIES = {"suits": (3, 0, 5, 1), "ranks": (2, 1, 6, 0), "none": (3, 0, 6, 0)}


def deck(stars: str) -> list[int]:
    """Return how many of each card there are, for an option of stars.

    >>> sum(deck("suits")[:16]), sum(deck("suits")[16:]), deck("ranks")[:4]
    (24, 24, [2, 1, 2, 1])
    """
    plain_ranks, star_ranks, plain_suits, star_suits = COPIES[stars]
    return [plain_ranks, star_ranks] * 8 + [plain_suits, star_suits] * 4
