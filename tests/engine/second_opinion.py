"""A second opinion on a whole hand: plain, slow, and written from the rules without the engine's parts.

It reads the plain tables of a legal and complete record, and computes the winners and the payments.
Nothing of the engine is used but the record's own text.
"""

from collections.abc import Mapping
from typing import Any

Hand = Mapping[str, Any]

WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
ACE_TEN = "6789JQKTA"
GERMAN = "789TJQKA"
HEARTS = {
    "heart-solo",
    "frog",
    "grand",
    "solo-in-hearts",
    "go-alone-in-hearts",
    "blind",
}
PROGRESSIVE = {
    "frog": ("H", 1),
    "spade-solo": ("S", 2),
    "club-solo": ("C", 3),
    "diamond-solo": ("D", 4),
    "heart-solo": ("H", 5),
}


def opinion(hand: Hand) -> tuple[str, dict[str, int]]:
    """Give outcome and deltas."""
    contract = hand["contract"]
    if contract["bid"] == "pass":
        return "passed-out", _with_pots(hand, "passed-out", dict.fromkeys(hand["players"], 0))
    trump = _trump(hand)
    won = _won(hand, trump)
    side = {contract["bidder"], contract.get("partner", contract["bidder"])}
    if hand["game"] == "german-solo":
        return _german(hand, trump, won, side)
    outcome, amount = _price(hand, trump, won, side)
    return outcome, _with_pots(hand, outcome, _settled(hand, outcome, amount, side))


def _trump(hand: Hand) -> str | None:
    contract = hand["contract"]
    if hand["game"] == "progressive":
        return PROGRESSIVE[contract["bid"]][0]
    if contract["bid"] in HEARTS:
        return "H"
    trump: str | None = contract.get("trump")
    return trump


def may_have_asked(hand: Hand) -> bool:
    """Whether nobody knew the partner yet when the fifth trick began: else "partner?" was not asked."""
    called, partner = hand["contract"].get("called"), hand["contract"].get("partner")
    early = " ".join(trick["cards"] for trick in hand["tricks"][:4]).split()
    return partner is not None and called not in early


def may_have_had_matadors(hand: Hand) -> set[str]:
    """Return the sides that can have been dealt the three matadors, by the seats that played or lacked one.

    Nothing else is looked at: a side that this leaves out cannot have had them.
    """
    contract, trump = hand["contract"], _trump(hand)
    side = {contract["bidder"], contract.get("partner", contract["bidder"])}
    seats, void, played = _active(hand), set(), {}
    for trick in hand["tricks"]:
        at, cards = seats.index(trick["leader"]), trick["cards"].split()
        for place, card in enumerate(cards):
            seat = seats[(at + place) % 4]
            played[card] = seat
            if _german_suit(cards[0], trump) == "trump" != _german_suit(card, trump):
                void.add(seat)
    sides = {"declarers": side, "defenders": set(seats) - side}
    can = {"split"}
    for name, members in sides.items():
        for card in ("QC", "QS", f"7{trump}"):
            if card in played:
                if played[card] not in members:
                    break
            elif members <= void:
                break
        else:
            can.add(name)
    return can


def led_beside_the_called_card(hand: Hand) -> list[tuple[str, str]]:
    """Return the seats that led another card of the called card's suit while holding it, with that card."""
    called, trump = hand["contract"].get("called"), _trump(hand)
    holding = {seat: set(cards.split()) for seat, cards in hand["deal"]["hands"].items()}
    results = []
    for trick in hand["tricks"]:
        cards = trick["cards"].split()
        if (
            called in holding[trick["leader"]] - {cards[0]}
            and _german_suit(cards[0], trump) == called[1]
        ):
            results.append((trick["leader"], cards[0]))
        for seat in holding:
            holding[seat] -= set(cards)
    return results


RUNGS = ("frage", "frage-in-clubs", "grossfrage", "grossfrage-in-clubs", "solo", "solo-in-clubs")


def shirks(hand: Hand, duty: str) -> int | None:
    """Which call of an auction, counted from 1, is less than the cards of its caller require; none is."""
    seats, cards = (
        _active(hand),
        {seat: held.split() for seat, held in hand["deal"]["hands"].items()},
    )
    stands, bidder = -1, None
    for number, (seat, call) in enumerate(hand["auction"], 1):
        reached = stands
        if call in RUNGS:
            reached = RUNGS.index(call)
            if reached <= stands:  # an equal bid goes over one that does not say its suit
                reached = stands + 1
        held = set(cards[seat])
        sevens = [card for card in held if card[0] == "7"]
        queens = {"QC", "QS"} <= held if duty == "black-queens" else "QC" in held and sevens
        may_hold = bidder is not None and seats.index(seat) < seats.index(bidder)
        honours = stands < 2 or (stands == 2 and (may_hold or _can_call_beside_clubs(held)))
        honours = honours or (stands == 3 and may_hold and _can_call_beside_clubs(held))
        if queens and honours and (reached < 2 or call == "pass"):
            return number
        if call != "pass":
            stands, bidder = reached, seat
    return None


def _can_call_beside_clubs(held: set[str]) -> bool:
    """Whether somebody has an ace of another suit than clubs to call, or with all four aces a king."""
    rank = "K" if {"AS", "AH", "AD", "AC"} <= held else "A"
    return not {f"{rank}S", f"{rank}H", f"{rank}D"} <= held


def _won(hand: Hand, trump: str | None) -> list[tuple[str, list[str]]]:
    """Give the winner and the cards of each trick."""
    seats = _active(hand)
    tricks = []
    for trick in hand["tricks"]:
        cards = trick["cards"].split()
        at = seats.index(trick["leader"])
        order = seats[at:] + seats[:at]
        best = 0
        for place in range(1, len(cards)):
            if _beats(hand, cards[place], cards[best], trump):
                best = place
        tricks.append((order[best], cards))
    return tricks


def _active(hand: Hand) -> list[str]:
    players, dealer = list(hand["players"]), hand["dealer"]
    at = players.index(dealer) + 1
    order = players[at:] + players[:at]
    return [seat for seat in order if seat in hand.get("active", players)]


def _beats(hand: Hand, card: str, other: str, trump: str | None) -> bool:
    """Whether a later card beats an earlier one."""
    if hand["game"] == "german-solo":
        mine, theirs = (_german_suit(each, trump) for each in (card, other))
        if mine == theirs:
            return _german_strength(card, trump) > _german_strength(other, trump)
        return mine == "trump"
    if card[1] == other[1]:
        return ACE_TEN.index(card[0]) > ACE_TEN.index(other[0])
    return card[1] == trump


def _german_suit(card: str, trump: str | None) -> str:
    return "trump" if card in ("QC", "QS") or card[1] == trump else card[1]


def _german_strength(card: str, trump: str | None) -> int:
    top = {"QC": 103, f"7{trump}": 102, "QS": 101}
    return top.get(card, GERMAN.index(card[0]))


def _points(cards: list[str]) -> int:
    return sum(WORTH.get(card[0], 0) for card in cards)


def _price(
    hand: Hand, trump: str | None, won: list[tuple[str, list[str]]], side: set[str]
) -> tuple[str, int]:
    contract, game, options = hand["contract"], hand["game"], hand.get("options", {})
    bid, pagat = contract["bid"], hand.get("rules") == "pagat"
    theirs = sum(_points(cards) for winner, cards in won if winner not in side)
    ours = sum(_points(cards) for winner, cards in won if winner in side)
    given_up = {"bidder": "lost", "opponents": "won"}.get(hand.get("conceded", ""))
    if bid in ("misere", "spread-misere"):
        broken = ours or (options.get("misere_by_tricks") and any(who in side for who, _ in won))
        price = 60 if bid == "spread-misere" else 30 if pagat else 40
        return given_up or ("lost" if broken else "won"), price
    total = 120 - theirs
    if bid == "guarantee":
        return given_up or ("won" if total >= (74 if trump == "H" else 80) else "lost"), 40
    if bid == "call-solo":
        return given_up or ("won" if total == 120 else "lost"), 150 if trump == "H" else 100
    rate = {
        "six-bid": {"solo": 2 if pagat else 1, "heart-solo": 3 if pagat else 2},
        "frog": {"frog": 1, "chico": 2, "grand": options.get("grand_multiplier", 3)},
        "straight-solo": {"solo": 2, "heart-solo": 3},
        "progressive": {slug: rate for slug, (_, rate) in PROGRESSIVE.items()},
    }.get(game, {}).get(bid, 3 if trump == "H" else 2)
    amount = abs(total - 60) * rate
    level = "tied" if game in ("frog", "straight-solo", "crazy-solo") or pagat else "won"
    if game == "crazy-solo" and options.get("rounding", 5):
        amount = 5 * ((amount + 2) // 5)
    return (level if not amount else "won" if total > 60 else "lost"), amount


def _settled(hand: Hand, outcome: str, amount: int, side: set[str]) -> dict[str, int]:
    contract, players = hand["contract"], list(hand["players"])
    bidder, active = contract["bidder"], _active(hand)
    deltas = dict.fromkeys(players, 0)
    sign = 1 if outcome == "won" else -1
    at = active.index(bidder)
    others = [seat for seat in active[at + 1 :] + active[:at] if seat not in side]
    payees = dict.fromkeys(others, bidder)
    if len(side) == 2:
        (partner,) = side - {bidder}
        half = -(-len(others) // 2)
        payees |= dict.fromkeys(others[half:], partner)
    default = hand["game"] == "six-bid" or (hand["game"], hand.get("rules")) == (
        "progressive",
        "hoyle",
    )
    idle_paid = hand.get("options", {}).get("idle_paid_on_loss", default)
    if outcome == "lost" and idle_paid:
        payees |= {seat: bidder for seat in players if seat not in active}
    for seat, payee in payees.items():
        times = 2 if seat in contract.get("doubled", ()) else 1
        times *= 2 if seat in contract.get("redoubled", ()) else 1
        deltas[seat] -= sign * amount * times
        deltas[payee] += sign * amount * times
    return deltas


def _with_pots(hand: Hand, outcome: str, deltas: dict[str, int]) -> dict[str, int]:
    pots = hand.get("options", {}).get("pots")
    if not pots:
        return deltas
    stake = pots.get("stake", 1)
    solo = stake * pots.get("solo_factor", 2 if hand.get("rules") == "hoyle" else 1)
    deltas = {seat: delta - stake - solo for seat, delta in deltas.items()}
    seats = len(deltas)
    held = {
        "frog": hand["pots"]["frog"] + seats * stake,
        "solo": hand["pots"]["solo"] + seats * solo,
    }
    contract = hand["contract"]
    pot = held["frog" if contract["bid"] == "frog" else "solo"]
    if outcome == "won":
        deltas[contract["bidder"]] += pot
    elif outcome == "lost" and pots.get("on_loss") == "match":
        deltas[contract["bidder"]] -= pot
    return deltas


def _german(
    hand: Hand, trump: str | None, won: list[tuple[str, list[str]]], side: set[str]
) -> tuple[str, dict[str, int]]:
    contract, options = hand["contract"], hand.get("options", {})
    ours = [winner in side for winner, _ in won]
    of, needed = (6, 4) if hand.get("rules") == "sollo" else (8, 5)
    base = {"force": 1, "frage": 2, "grossfrage": 3, "solo": options.get("solo_base", 6)}
    score = base[contract["bid"]]
    made = sum(ours) >= needed
    if contract.get("announced_tout"):
        score += 6
        made = all(ours) and len(ours) == of
    elif all(ours[:needed]):
        if hand.get("stopped"):
            score += 2
        elif not hand.get("asked_partner"):
            score += 4
            made = all(ours) and len(ours) == of
    dealt = hand["deal"]["hands"]
    holders = {
        seat in side
        for seat, cards in dealt.items()
        for card in ("QC", "QS", f"7{trump}")
        if card in cards.split()
    }
    counts = made or options.get("matadors_on_loss", True)
    if holders == {True} or (holders == {False} and not options.get("matadors_own_side_only")):
        score += 2 if counts else 0
    signed = score if made else -score
    return ("won" if made else "lost"), {
        seat: signed if seat in side else 0 for seat in hand["players"]
    }
