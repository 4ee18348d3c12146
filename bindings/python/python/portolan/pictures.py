"""Pictures of worlds and routes as arrays of colours, which notebooks show."""

from __future__ import annotations

from typing import Iterable

import numpy as np

from ._portolan import Field, Route, World

BLOCKED = (43, 48, 59)
LIGHT = (246, 244, 238)
HEAVY = (166, 137, 92)
ROUTE = (200, 60, 40)
NO_WAY = 2**32 - 1


def _blend(low: tuple, high: tuple, share: np.ndarray) -> np.ndarray:
    low_, high_ = np.array(low, float), np.array(high, float)
    return low_ + (high_ - low_) * share[..., None]


def picture(
    world: World,
    routes: Iterable[Route] | Route | None = None,
    *,
    field: Field | None = None,
    scale: int = 1,
) -> np.ndarray:
    """Draws a world, with routes and shaded by a field if given, as an array [y, x, rgb] of bytes.

    `PIL.Image.fromarray(picture(world))` is an image, and `matplotlib.pyplot.imshow` shows one.
    """
    if scale < 1:
        raise ValueError(f"scale is {scale}, but must be at least 1")
    weights = world.weights()
    colours = _blend(LIGHT, HEAVY, (np.maximum(weights, 1) - 1.0) / 254.0)
    if field is not None:
        costs = field.costs().astype(float)
        near = costs < NO_WAY
        greatest = costs[near].max(initial=1.0) or 1.0
        shade = _blend((250, 240, 200), (60, 110, 170), np.clip(costs / greatest, 0, 1))
        colours[near] = shade[near]
    colours[weights == 0] = BLOCKED
    if routes is not None:
        for route in [routes] if isinstance(routes, Route) else routes:
            for (x0, y0), (x1, y1) in zip(route.cells[:-1].tolist(), route.cells[1:].tolist()):
                steps = max(abs(x1 - x0), abs(y1 - y0), 1)
                xs = np.rint(np.linspace(x0, x1, steps + 1)).astype(int)
                ys = np.rint(np.linspace(y0, y1, steps + 1)).astype(int)
                colours[ys, xs] = ROUTE
    image = np.rint(colours).astype(np.uint8)
    return image.repeat(scale, axis=0).repeat(scale, axis=1)
