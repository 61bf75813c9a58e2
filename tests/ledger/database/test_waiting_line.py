"""Writers stand in line: the first to come is let in first, and nobody later passes."""

import threading
import time

from ledger.database.waiting_line import WaitingLine


def stands(line: WaitingLine, many: int) -> None:
    """Wait until so many wait in line."""
    while len(line) != many:
        time.sleep(0.001)


def test_they_are_let_in_in_the_order_they_came() -> None:
    """Twelve came one after another while it was taken; one that released it asks again behind them."""
    line, order = WaitingLine(), list[int]()

    def come(number: int) -> None:
        with line.turn(within=60) as ours:
            assert ours
            order.append(number)

    with line.turn(within=60):
        threads = [threading.Thread(target=come, args=(number,)) for number in range(12)]
        for number, thread in enumerate(threads):
            thread.start()
            stands(line, number + 1)
    with line.turn(within=60) as ours:
        assert ours
        assert order == list(range(12))
    for thread in threads:
        thread.join()


def test_who_waits_too_long_leaves_and_holds_nobody_up() -> None:
    """Their place is gone with them; the next one is let in."""
    line, told = WaitingLine(), list[bool]()
    with line.turn(within=60):
        with line.turn(within=0.01) as ours:
            told.append(ours)
        assert len(line) == 0
    with line.turn(within=0.01) as ours:
        told.append(ours)
    assert told == [False, True]


def test_it_is_given_on_after_a_failure() -> None:
    """An exception of a writer ends their turn like any other end."""
    line = WaitingLine()
    try:
        with line.turn(within=60):
            raise ValueError
    except ValueError:
        pass
    with line.turn(within=0.01) as ours:
        assert ours
