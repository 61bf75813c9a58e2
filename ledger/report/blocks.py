"""Pages out of blocks: each knows its height; the stack decides where a page ends."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ledger.report.paper import Paper

Draw = Callable[[Paper, float], None]
"""Draws a block on the paper, downwards from a height."""


@dataclass(frozen=True, slots=True)
class Block:
    """Something `height` points high; one that `keeps` stays on the page of the one before."""

    height: float
    draw: Draw
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page laid out: its size, its blocks and the height each begins at."""

    size: tuple[float, float]
    blocks: tuple[tuple[float, Block], ...]
    mark: str | None = None


def stack(
    blocks: Iterable[Block], size: tuple[float, float], *, top: float, bottom: float
) -> list[PdfPage]:
    """Fill pages from `top` down to `bottom`; a group that fits on one page is not torn."""
    pages: list[PdfPage] = []
    placed: list[tuple[float, Block]] = []
    y = top
    for group in _groups(blocks):
        whole = sum(block.height for block in group)
        if placed and y - whole < bottom and whole <= top - bottom:
            pages.append(PdfPage(size, tuple(placed)))
            placed, y = [], top
        for block in group:
            if placed and y - block.height < bottom:
                pages.append(PdfPage(size, tuple(placed)))
                placed, y = [], top
            placed.append((y, block))
            y -= block.height
    if placed:
        pages.append(PdfPage(size, tuple(placed)))
    return pages


def _groups(blocks: Iterable[Block]) -> list[list[Block]]:
    """Gather each block with those that keep to it."""
    groups: list[list[Block]] = []
    for block in blocks:
        if block.keeps and groups:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def space(height: float) -> Block:
    """Return an empty block."""
    return Block(height, lambda _paper, _y: None)
