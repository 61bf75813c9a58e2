"""Work shared by several processes, its answers given in order."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from typing import Any, TypeVar

B = TypeVar("B")
A = TypeVar("A")


class WorkerLost(Exception):
    """A process that worked for us is gone."""


def in_order(work: Callable[[B], A], batches: Iterable[B], jobs: int) -> Iterator[A]:
    """Do a piece of work with every batch; ``jobs`` processes take them in turn.

    Each has one batch at a time, so no more than ``jobs`` of them are in memory, and none can block another.
    """
    if jobs == 1:
        yield from map(work, batches)
        return
    workers: list[tuple[Process, Any]] = []
    busy: deque[Any] = deque()
    try:
        for batch in batches:
            if len(workers) < jobs:
                workers.append(_start(work, [pipe for _, pipe in workers]))
                pipe = workers[-1][1]
            else:
                pipe = busy.popleft()
                yield pipe.recv()
            pipe.send(batch)
            busy.append(pipe)
        while busy:
            yield busy.popleft().recv()
    except (EOFError, ConnectionError) as error:
        raise WorkerLost("a process that scored hands was ended.") from error
    finally:
        for process, pipe in workers:
            pipe.close()
            process.kill()  # it is idle, or nobody waits for it any more
            process.join()


def _start(work: Callable[[B], A], others: list[Any]) -> tuple[Process, Any]:
    ours, theirs = Pipe()
    process = Process(target=_serve, args=(work, theirs, [*others, ours]), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _serve(work: Callable[[Any], A], pipe: "Connection[A, Any]", others: list[Any]) -> None:
    """Work until the other end is closed, which is seen only where no worker holds it open."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that writes
    for other in others:
        other.close()
    with suppress(EOFError, ConnectionError):
        while True:
            pipe.send(work(pipe.recv()))
