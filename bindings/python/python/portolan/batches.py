"""Many queries with a bar that shows how far they are, in notebooks and terminals."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from ._portolan import Answers, Planner


def find_in_batches(
    planner: Planner,
    starts: np.ndarray,
    goals: np.ndarray,
    *,
    batch: int = 10_000,
    progress: bool = True,
    **options: object,
) -> Iterator[Answers]:
    """Answers queries batch by batch and yields the answers to each batch.

    Shows a bar if `progress` and the package tqdm is installed. The options are those of `Planner.find_many`.
    """
    if batch < 1:
        raise ValueError(f"batch is {batch}, but must be at least 1")
    firsts = range(0, len(starts), batch)
    if progress:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            firsts = tqdm(firsts, unit="batch", desc=planner.algorithm)
    for first in firsts:
        part = slice(first, first + batch)
        yield planner.find_many(starts[part], goals[part], **options)
