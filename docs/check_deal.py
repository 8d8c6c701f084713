"""Check the deal in a record of Nova Luna or LUNAR, with Python alone. The rule is in deals.md.

Run it as: python3 check_deal.py RECORD.json
"""

import hashlib
import hmac
import itertools
import json
import sys
from pathlib import Path

KINDS = "1", "2a", "2b", "3a", "3b", "3c", "3d", "4a", "4b", "4c", "4d", "5a", "5b", "5c", "6a", "6b", "7"
TILES = [colour + kind for colour in "BRTY" for kind in KINDS]

# How often each card of LUNAR without a star is in a round; one with a star replaces one of its rank or suit.
RANKS, SUITS = dict.fromkeys("12345678", 3), dict.fromkeys("WOLB", 6)


def hmac_of(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def shuffled(items, seed):
    numbers = (int.from_bytes(hmac_of(seed, n.to_bytes(8, "big")), "big") for n in itertools.count())
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        limit = last + 1
        # Numbers that would make some orders more likely are skipped.
        chosen = next(number for number in numbers if number < 2**256 - 2**256 % limit) % limit
        order[last], order[chosen] = order[chosen], order[last]
    return order


def cards(counts, has_stars):
    """Return the cards of LUNAR before they are shuffled."""
    last = "*" if has_stars else ""
    return [code + mark for code, count in counts.items() for mark in [""] * (count - 1) + [last]]


def shuffled_round(seed, number, stars):
    ranks, suits = cards(RANKS, stars == "ranks"), cards(SUITS, stars == "suits")
    return {
        "ranks": shuffled(ranks, hmac_of(seed, f"round {number} ranks".encode())),
        "suits": shuffled(suits, hmac_of(seed, f"round {number} suits".encode())),
    }


def drawn_leads(seed, seats):
    order = shuffled(range(seats), hmac_of(seed, b"leads"))
    return [order[0], next(seat for seat in order if seat % 2 != order[0] % 2)]


def dealt_in(record):
    """Return what is random in a record."""
    if record["format"] == "lunar-record":
        return [record["leads"], record["deals"]]
    return [record["deck"], record["start_order"]]


def dealt_from(seed, record):
    """Return what must be random in a record."""
    if record["format"] == "lunar-record":
        leads = record["leads"] if record.get("leads_chosen") else drawn_leads(seed, record["seats"])
        numbers = range(1, len(record["deals"]) + 1)
        return [leads, [shuffled_round(seed, number, record["stars"]) for number in numbers]]
    order = shuffled(range(record["seats"]), hmac_of(seed, b"start order"))
    return [shuffled(TILES, hmac_of(seed, b"deck")), order]


def problem_of(record):
    """Return what is wrong with the deal of a record; None if it is true."""
    is_mixed = record.get("deal_rule", 1) == 2
    if is_mixed:
        text, nonces = record["secret"], record["nonces"]
        if len(nonces) != record["seats"]:
            return "There is not one nonce for each seat."
    else:
        deck, order = dealt_in(record)
        if sorted(deck) != TILES or sorted(order) != list(range(record["seats"])):
            return "The deck or the start order is not complete."
        text = " ".join(map(str, [record["salt"], *deck, *order]))
    if hashlib.sha256(text.encode()).hexdigest() != record["commitment"]:
        return "The text behind the commitment is another one."
    if not is_mixed:
        return None
    seed = hmac_of(text.encode(), " ".join(nonce or "-" for nonce in nonces).encode())
    return (
        None
        if dealt_from(seed, record) == dealt_in(record)
        else "The secret and the nonces give another deal."
    )


if __name__ == "__main__":
    problem = problem_of(json.loads(Path(sys.argv[1]).read_bytes()))
    print(problem or "The deal is true.")
    sys.exit(1 if problem else 0)
