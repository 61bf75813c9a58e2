"""Work shared by several processes, its answers given in order."""

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

B = TypeVar("B")
A = TypeVar("A")


class WorkerLost(Exception):
    """A process that worked for us is gone."""


def cores() -> int:
    """Return how many processes can work at once here."""
    allowed = getattr(os, "sched_getaffinity", None)  # not everywhere
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def in_order(
    work: Callable[[B], A], batches: Iterable[B], jobs: int, start: str | None = None
) -> Iterator[A]:
    """Do a piece of work with every batch; ``jobs`` processes take them in turn.

    Each has one batch at a time, so no more than ``jobs`` of them are in memory, and none can block another.
    ``start`` says how processes begin, where it matters: "spawn" leaves behind what this one has open.
    """
    if jobs == 1:
        yield from map(work, batches)
        return
    workers: list[tuple[BaseProcess, Any]] = []
    busy: deque[Any] = deque()
    try:
        for batch in batches:
            if len(workers) < jobs:
                workers.append(_start(work, [pipe for _, pipe in workers], start))
                workers[-1][1].send(batch)
                busy.append(workers[-1][1])
                continue
            busy.append(busy.popleft())
            answer = busy[-1].recv()
            busy[-1].send(batch)  # before the answer is looked at, which may take as long again
            yield answer
        while busy:
            yield busy.popleft().recv()
    except (EOFError, ConnectionError) as error:
        raise WorkerLost("a process that scored hands was ended.") from error
    finally:
        for process, pipe in workers:
            pipe.close()
            process.kill()  # it is idle, or nobody waits for it any more
            process.join()


def _start(
    work: Callable[[B], A], others: list[Any], start: str | None
) -> tuple["BaseProcess", Any]:
    from multiprocessing import Pipe, get_context  # which takes as long as scoring 200 hands

    ours, theirs = Pipe()
    process: BaseProcess = get_context(start).Process(  # type: ignore[attr-defined]
        target=_serve, args=(work, theirs, [*others, ours]), daemon=True
    )
    process.start()
    theirs.close()
    return process, ours


def _serve(work: Callable[[Any], A], pipe: "Connection[A, Any]", others: list[Any]) -> None:
    """Work until the other end is closed, which is seen only where no worker holds it open."""
    import signal  # of which only workers have need

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that writes
    gc.freeze()
    gc.set_threshold(100_000)  # work leaves nothing that goes round in a circle
    for other in others:
        other.close()
    with suppress(EOFError, ConnectionError):
        while True:
            pipe.send(work(pipe.recv()))
