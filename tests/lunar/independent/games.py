"""Whole games with their states and views, as in the record format."""

import random
from typing import Any

import numpy as np

from tests.lunar.independent import playouts, rounds
from tests.lunar.independent.cards import CODES, NUMBERS, RANKS, SUITS, deck

HOUSE_POINTS = [5, 10, 10, 10, 2, 3, 5, 10, 10, 0, 0, 0, 0]
GOAL = 30


def random_deal(stars: str, rng: random.Random) -> dict[str, list[str]]:
    """Return a deal as in a record."""
    cards = [CODES[card] for card, copies in enumerate(deck(stars)) for _ in range(copies)]
    ranks, suits = cards[:24], cards[24:]
    rng.shuffle(ranks)
    rng.shuffle(suits)
    return {"ranks": ranks, "suits": suits}


class Game:
    """A game that goes on by actions. It has the deals of all rounds from the start."""

    def __init__(self, record: dict[str, Any]) -> None:
        """Begin the game of a record, without its actions."""
        self.start = {key: record[key] for key in ("seats", "leads", "points", "stars")}
        self.seats = record["seats"]
        self.deals = record["deals"]
        self.holders = list(record["leads"])
        self.points = [0, 0]
        self.rounds: list[list[int]] = []
        self.actions: list[dict[str, Any]] = []
        self.winner: int | None = None
        self.is_over = False
        self._deal(self.holders[0])

    def _deal(self, start_player: int) -> None:
        self.start_player = start_player
        self.stage = "pass" if self.seats == 4 else "trump"
        self.passes: dict[int, list[str]] = {}
        self.trick: list[dict[str, Any]] = []
        self.last_trick: dict[str, Any] | None = None
        sides = sorted(self.holders, key=lambda seat: seat % 2)
        self.round_ = rounds.new_round(self.seats, sides, start_player)
        for kind, codes in enumerate(self.deals[len(self.rounds)].values()):
            cards = [NUMBERS[code] for code in codes]
            for seat in range(self.seats):
                for card in cards[6 * seat : 6 * seat + 6]:
                    self.round_[rounds.HANDS + 24 * seat + card] += 1
            if self.seats == 2:
                self.round_[rounds.SKY + 3 * kind : rounds.SKY + 3 * kind + 3] = cards[12:15]
                self.round_[rounds.PILES + 9 * kind : rounds.PILES + 9 * kind + 9] = cards[15:]
        rounds.count_faces(self.round_)

    @property
    def awaited(self) -> list[int]:
        """The seats that may act now."""
        if self.is_over:
            return []
        if self.stage == "pass":
            return [seat for seat in range(4) if seat not in self.passes]
        if self.stage == "trump":
            turned = 4 - len(self._tiles())
            return [(self.start_player + turned) % self.seats]
        return [int(rounds.awaited(self.round_))]

    def is_legal(self, action: dict[str, Any]) -> bool:
        """Whether a well-formed action of a player who does not resign is legal."""
        if action["seat"] not in self.awaited:
            return False
        if self.stage == "pass":
            hand = self._hand(action["seat"])
            fits = all(action["cards"].count(code) <= hand.count(code) for code in action["cards"])
            ranks = [code for code in action["cards"] if code[0] in RANKS]
            return action["do"] == "pass" and fits and len(action["cards"]) == 4 and len(ranks) == 2
        if self.stage == "trump":
            return action["do"] == "flip" and action["suit"] in self._tiles()
        return action["do"] == "play" and _play_of(action) in rounds.legal_plays(self.round_)

    def act(self, action: dict[str, Any]) -> None:
        """Carry out a legal action."""
        self.actions.append(action)
        match action["do"]:
            case "pass":
                self.passes[action["seat"]] = action["cards"]
                if len(self.passes) == 4:
                    for seat, codes in self.passes.items():
                        playouts.pass_cards(self.round_, seat, np.array([NUMBERS[code] for code in codes]))
                    rounds.count_faces(self.round_)
                    self.passes, self.stage = {}, "trump"
            case "flip":
                rounds.turn_tile(self.round_, SUITS.index(action["suit"]))
                if self.round_[rounds.TRUMP] >= 0:
                    self.stage = "play"
            case "play":
                self._play(action)
            case "resign":
                self._end(1 - action["seat"] % 2)
            case "cancel":
                self._end(None)

    def _play(self, action: dict[str, Any]) -> None:
        won = int(self.round_[rounds.WON])
        rounds.play_card(self.round_, _play_of(action))
        self.trick.append({key: action[key] for key in ("seat", "card", "from") if key in action})
        if len(self.trick) == 4:
            winner = 0 if self.round_[rounds.WON] > won else 1
            self.last_trick = {"cards": self.trick, "winner": winner}
            self.trick = []
        if self.round_[rounds.TRICKS] == 12:
            self._end_round()

    def _end_round(self) -> None:
        tricks, stars = self._of_sides(rounds.WON), self._of_sides(rounds.STARS)
        gained = [self.start["points"][tricks[side]] + stars[side] for side in (0, 1)]
        self.points = [self.points[side] + gained[side] for side in (0, 1)]
        self.rounds.append([*tricks, *stars, *gained])
        if max(self.points) > GOAL and self.points[0] != self.points[1]:
            self._end(0 if self.points[0] > self.points[1] else 1)
            return
        self.holders = [(seat + 1) % self.seats for seat in self.holders]
        behind = [side for side in (0, 1) if self.points[side] < self.points[1 - side]]
        starts = [seat for seat in self.holders if seat % 2 in behind]
        self._deal((starts or self.holders)[0])

    def _end(self, winner: int | None) -> None:
        self.is_over, self.winner, self.stage = True, winner, "over"

    def _of_sides(self, where: int) -> list[int]:
        return [int(self.round_[where]), int(self.round_[where + 1])]

    def _tiles(self) -> list[str]:
        return [suit for number, suit in enumerate(SUITS) if (self.round_[rounds.TILES] >> number) & 1]

    def _hand(self, seat: int) -> list[str]:
        counts = self.round_[rounds.HANDS + 24 * seat : rounds.HANDS + 24 * seat + 24]
        return [CODES[card] for card in range(24) for _ in range(counts[card])]

    def state(self) -> dict[str, Any]:
        """Return the state, as in the record format."""
        trump, lead = self.round_[rounds.TRUMP], self.round_[rounds.LEAD]
        state = {
            "round": len(self.rounds) + (self.stage != "over" or self.round_[rounds.TRICKS] < 12),
            "stage": self.stage,
            "awaited": self.awaited,
            "hands": [self._hand(seat) for seat in range(self.seats)],
            "chosen": sorted(self.passes) if self.stage == "pass" else [],
            "tiles": self._tiles(),
            "trump": SUITS[trump] if trump >= 0 else None,
            "holders": self.holders,
            "start_player": self.start_player,
            "leader": int(self.round_[rounds.LEADER]) if self.stage == "play" else None,
            "trick": list(self.trick),
            "lead_suit": SUITS[lead] if lead >= 0 else None,
            "last_trick": self.last_trick,
            "tricks": self._of_sides(rounds.WON),
            "stars": self._of_sides(rounds.STARS),
            "points": self.points,
            "rounds": list(self.rounds),
            "over": self.is_over,
            "winner": self.winner,
        }
        if self.seats == 2:
            sky = [CODES[card] if card >= 0 else None for card in self.round_[rounds.SKY : rounds.SKY + 6]]
            drawn = self.round_[[rounds.RANKS_DRAWN, rounds.SUITS_DRAWN]]
            state["sky"] = {"ranks": sky[:3], "suits": sky[3:]}
            state["piles"] = [9 - int(number) for number in drawn]
        return state

    def view(self, viewer: int | None) -> dict[str, Any]:
        """Return the state as a seat, or a spectator, may know it."""
        state = self.state()
        state["hands"] = [
            hand if seat == viewer else ["r" if code[0] in RANKS else "s" for code in hand]
            for seat, hand in enumerate(state["hands"])
        ]
        return state

    def record_for(self, seat: int) -> dict[str, Any]:
        """Return the position record of an awaited seat."""
        view = self.view(seat)
        record = {"format": "lunar-record", "version": 1, **self.start, "actions": self._log_for(seat)}
        return record | {"seat": seat, "hand": view["hands"][seat], "view": view}

    def _log_for(self, seat: int) -> list[dict[str, Any]]:
        """Return the log without the cards of the passes that the seat may not know."""
        running = len(self.actions) - len(self.passes)
        log = []
        for number, action in enumerate(self.actions):
            known = {seat} if number >= running else {seat, (seat + 2) % 4}
            hidden = {"cards"} if action["do"] == "pass" and action["seat"] not in known else set()
            log.append({key: action[key] for key in action if key not in hidden})
        return log


def _play_of(action: dict[str, Any]) -> int:
    """Return the number of a play."""
    return NUMBERS[action["card"]] + (rounds.IN_SKY if action.get("from") == "sky" else 0)
