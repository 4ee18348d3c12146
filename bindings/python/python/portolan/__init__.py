"""Portolan: pathfinding for games and simulations.

>>> import numpy as np, portolan as pt
>>> world = pt.World(np.ones((64, 64), np.uint8))
>>> planner = pt.Planner(world, "rhumb")
>>> route = planner.find((2, 2), (60, 33))
>>> route.cells[0].tolist(), len(route)
([2, 2], 59)

Cells are named (x, y), arrays of the world are indexed [y, x]. After edits of a world, call `sync()` on its planners and fields:
one that was not brought up to date raises `StaleError`.
"""

from ._portolan import (
    AlgorithmError,
    Answers,
    ChartError,
    Field,
    Planner,
    PortolanError,
    QueryError,
    Route,
    StaleError,
    World,
    WorldError,
    __version__,
    algorithms,
)
from .batches import find_in_batches
from .pictures import picture

__all__ = [
    "AlgorithmError",
    "Answers",
    "ChartError",
    "Field",
    "Planner",
    "PortolanError",
    "QueryError",
    "Route",
    "StaleError",
    "World",
    "WorldError",
    "__version__",
    "algorithms",
    "find_in_batches",
    "picture",
]
