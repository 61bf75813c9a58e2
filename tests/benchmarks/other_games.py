"""Skat by ``open_spiel`` and hold'em by ``pokerkit``, for comparison with ``solo-ledger score``.

Run: other_games.py skat|poker FILE. Reads hands from a file, replays each through the library's states, which
reject illegal actions, and writes a line of result for each. A skat hand is a line of actions; hold'em is in
pokerkit's own format for many hands.
"""

import random
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import orjson

PLAYED_OUT = 60
"""The fewest actions of a skat hand that was not passed: the deal, bids and thirty cards."""
SEATS = 9
"""Players at a hold'em table: such a hand has about as many steps as one of ours."""
STACK = 200


def skat_hands(number: int) -> Iterator[list[int]]:
    """Play skat at random to its last card; the same hands at each run."""
    game, rng = import_module("pyspiel").load_game("skat"), random.Random("skat")  # noqa: S311
    while number:
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            actions.append(rng.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        if len(actions) > PLAYED_OUT:
            number -= 1
            yield actions


def replay_skat(game: Any, actions: Sequence[int]) -> list[float]:
    """Replay a hand, looking each action up among the legal ones; return each player's payment."""
    state = game.new_initial_state()
    for action in actions:
        if action not in state.legal_actions():
            raise ValueError(action)
        state.apply_action(action)
    returns: list[float] = state.returns()
    return returns


def poker_hands(number: int) -> Iterator[str]:
    """Play no-limit hold'em at random to its end, as pokerkit's format writes it; the same at each run."""
    rng = random.Random("poker")  # noqa: S311
    for _ in range(number):
        with warnings.catch_warnings():  # the cards are dealt from our own pack
            warnings.simplefilter("ignore")
            actions = ", ".join(f'"{action}"' for action in _poker_hand(rng))
        yield (
            f'variant = "NT"\nantes = {[0] * SEATS}\nmin_bet = 2\nactions = [{actions}]\n'
            f"blinds_or_straddles = {[1, 2] + [0] * (SEATS - 2)}\n"
            f"starting_stacks = {[STACK] * SEATS}\n"
        )


def _poker_hand(rng: random.Random) -> Iterator[str]:
    kit = import_module("pokerkit")
    by_itself = [
        automation
        for automation in kit.Automation
        if automation.name not in ("HOLE_DEALING", "BOARD_DEALING")
    ]
    by_itself.remove(kit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING)
    stacks = (STACK,) * SEATS
    state = kit.NoLimitTexasHoldem.create_state(by_itself, True, 0, (1, 2), 2, stacks, SEATS)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    rng.shuffle(deck)
    while state.status:
        if state.can_deal_hole():
            seat, cards = state.hole_dealee_index, deck.pop() + deck.pop()
            state.deal_hole(cards)
            yield f"d dh p{seat + 1} {cards}"
        elif state.can_deal_board():
            cards = "".join(deck.pop() for _ in range(state.board_dealing_count))
            state.deal_board(cards)
            yield f"d db {cards}"
        elif state.can_show_or_muck_hole_cards():
            seat = state.showdown_index
            shown = "".join(map(repr, state.hole_cards[seat]))
            state.show_or_muck_hole_cards(True)
            yield f"p{seat + 1} sm {shown}"
        else:
            yield f"p{state.actor_index + 1} {_bet(state, rng)}"


def _bet(state: Any, rng: random.Random) -> str:
    """Raise, fold or call, mostly the last."""
    chance = rng.random()
    if chance < 0.15 and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        amount = rng.randint(least, min(most, 2 * least))
        state.complete_bet_or_raise_to(amount)
        return f"cbr {amount}"
    if chance < 0.4 and state.can_fold():
        state.fold()
        return "f"
    state.check_or_call()
    return "cc"


def replay_poker(hand: Any) -> list[float]:
    """Take a hand through its states; return the stacks after it."""
    *_, state = hand
    return list(state.stacks)


def write(folder: Path, name: str, number: int) -> Path:
    """Write ``number`` hands to a file; return it."""
    file = folder / name
    if name == "skat":
        file.write_bytes(b"".join(orjson.dumps(hand) + b"\n" for hand in skat_hands(number)))
    else:
        numbered = enumerate(poker_hands(number), 1)
        file.write_text("\n".join(f"[{at}]\n{text}" for at, text in numbered))
    return file


def main(name: str, file: str) -> None:
    """Write the results of a file of hands."""
    results: Iterable[list[float]]
    with Path(file).open("rb") as hands:
        if name == "skat":
            game = import_module("pyspiel").load_game("skat")
            results = (replay_skat(game, orjson.loads(line)) for line in hands)
        else:
            results = map(replay_poker, import_module("pokerkit").HandHistory.load_all(hands))
        for result in results:
            sys.stdout.buffer.write(orjson.dumps(result) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
