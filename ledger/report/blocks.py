"""Blocks of known height, and their distribution over pages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ledger.report.paper import Paper

Draw = Callable[[Paper, float], object]
"""A function that draws a block downwards from a height."""


@dataclass(frozen=True, slots=True)
class Block:
    """Content of a `height` in points; with `keep_with_previous` it stays on the previous block's page."""

    height: float
    draw: Draw
    keep_with_previous: bool = False


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page: its size, its blocks with their upper edges, and its entry in the outline."""

    size: tuple[float, float]
    blocks: tuple[tuple[float, Block], ...]
    mark: str | None = None


def stack(
    blocks: Iterable[Block], size: tuple[float, float], *, top: float, bottom: float
) -> list[PdfPage]:
    """Return the pages filled from `top` to `bottom`, none without blocks.

    A group is split only if it doesn't fit on one page. A block that is too high gets a page of its own.
    """
    pages: list[PdfPage] = []
    placed: list[tuple[float, Block]] = []
    y = top
    for group in _groups(blocks):
        height = sum(block.height for block in group)
        if placed and y - height < bottom and height <= top - bottom:
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
    """Return the blocks in groups that should stay on one page."""
    groups: list[list[Block]] = []
    for block in blocks:
        if block.keep_with_previous and groups:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def space(height: float) -> Block:
    """Return an empty block."""
    return Block(height, lambda _paper, _y: None)
