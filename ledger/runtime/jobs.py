"""Work distributed over several processes, with results in order."""

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

B = TypeVar("B")
A = TypeVar("A")


class WorkerLost(Exception):
    """Raised if a worker process ended before it returned its result."""


@contextmanager
def without_collector() -> Iterator[None]:
    """Collect no garbage during work on many rows without reference cycles, as searching them takes long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def cores() -> int:
    """Return the number of processors that this process may use, at least 1."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def in_order(
    work: Callable[[B], A], batches: Iterable[B], jobs: int, start: str | None = None
) -> Iterator[A]:
    """Yield the results of ``work`` for every batch, computed by ``jobs`` processes in turn.

    Each has one batch at a time, so at most ``jobs`` batches are in memory, and no process blocks another.
    ``start`` is multiprocessing's start method: "spawn" inherits none of our open files. Raises
    ``WorkerLost`` if a process ends, also by an exception in ``work``. With one job, ``work`` is called in
    this process instead, and its exceptions are raised here.
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
            result = busy[-1].recv()
            busy[-1].send(batch)  # before yielding, as using the result may take as long
            yield result
        while busy:
            yield busy.popleft().recv()
    except (EOFError, ConnectionError) as error:
        raise WorkerLost("a process that scored hands was ended.") from error
    finally:
        for process, pipe in workers:
            pipe.close()
            process.kill()  # it is idle, or its result is no longer needed
            process.join()


def _start(
    work: Callable[[B], A], others: list[Any], start: str | None
) -> tuple["BaseProcess", Any]:
    from multiprocessing import Pipe, get_context  # importing it takes as long as scoring 200 hands

    ours, theirs = Pipe()
    process: BaseProcess = get_context(start).Process(  # type: ignore[attr-defined]
        target=_serve, args=(work, theirs, [*others, ours]), daemon=True
    )
    process.start()
    theirs.close()
    return process, ours


def _serve(work: Callable[[Any], A], pipe: "Connection[A, Any]", others: list[Any]) -> None:
    """Send the result of ``work`` for each batch received, in a worker process, until the pipe is closed.

    Its other end must not be open in another worker, so ``others`` are closed. Ctrl-C is ignored, and garbage
    is collected rarely.
    """
    import signal  # only workers need it

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    gc.freeze()
    gc.set_threshold(100_000)  # scoring leaves no reference cycles
    for other in others:
        other.close()
    with suppress(EOFError, ConnectionError):
        while True:
            pipe.send(work(pipe.recv()))
