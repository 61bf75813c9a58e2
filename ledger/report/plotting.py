"""Geometry for charts in reports and on pages: round steps, and labels without overlaps."""


def step_for(span: int, most: int) -> int:
    """Return a round step (1, 2 or 5 times a power of ten) with at most `most` steps in a span.

    >>> step_for(44, 10), step_for(1000, 6), step_for(0, 6)
    (5, 200, 1)
    """
    step = 1
    while True:
        for round_one in (step, 2 * step, 5 * step):
            if span <= round_one * most:
                return round_one
        step *= 10


def spread(heights: list[float], step: float, bottom: float, top: float) -> list[float]:
    """Return descending heights at least `step` apart, moved as little as possible within the frame.

    If they don't all fit, they begin at `bottom` and extend above `top`.

    >>> spread([50, 49, 10], 10, 0, 100)
    [54.5, 44.5, 10.0]
    """
    groups: list[tuple[float, int]] = []
    for height in heights:
        middle, members = height, 1
        while True:
            half = step * (members - 1) / 2
            middle = min(max(middle, bottom + half), max(top - half, bottom + half))
            if not groups or groups[-1][0] - middle >= step * (groups[-1][1] + members) / 2:
                break
            # Labels that would touch become one group around the mean of their heights.
            above, many = groups.pop()
            middle = (above * many + middle * members) / (many + members)
            members += many
        groups.append((middle, members))
    return [
        middle + step * ((members - 1) / 2 - place)
        for middle, members in groups
        for place in range(members)
    ]
