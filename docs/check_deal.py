"""Check the deal in a record of Nova Luna, with Python alone. The rule is in deals.md.

Run it as: python3 check_deal.py nova-luna-KEY.json
"""

import hashlib
import hmac
import itertools
import json
import sys
from pathlib import Path

KINDS = "1", "2a", "2b", "3a", "3b", "3c", "3d", "4a", "4b", "4c", "4d", "5a", "5b", "5c", "6a", "6b", "7"
TILES = [colour + kind for colour in "BRTY" for kind in KINDS]


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


def problem_of(record):
    """Return what is wrong with the deal of a record; None if it is true."""
    deck, order, seats = record["deck"], record["start_order"], record["seats"]
    if sorted(deck) != TILES or sorted(order) != list(range(seats)):
        return "The deck or the start order is not complete."
    is_mixed = record.get("deal_rule", 1) == 2
    text = record["secret"] if is_mixed else " ".join(map(str, [record["salt"], *deck, *order]))
    if hashlib.sha256(text.encode()).hexdigest() != record["commitment"]:
        return "The text behind the commitment is another one."
    if not is_mixed:
        return None
    nonces = record["nonces"]
    seed = hmac_of(text.encode(), " ".join(nonce or "-" for nonce in nonces).encode())
    dealt = (
        shuffled(TILES, hmac_of(seed, b"deck")),
        shuffled(range(len(nonces)), hmac_of(seed, b"start order")),
    )
    return None if dealt == (deck, order) else "The secret and the nonces give another deal."


if __name__ == "__main__":
    problem = problem_of(json.loads(Path(sys.argv[1]).read_bytes()))
    print(problem or "The deal is true.")
    sys.exit(1 if problem else 0)
