"""Finds a route around a wall, opens a gap, and finds a shorter one."""

import numpy as np

import portolan as pt

weights = np.ones((60, 100), np.uint8)
weights[:55, 50] = 0
world = pt.World(weights)
planner = pt.Planner(world, "hpa-star", cluster=10)
route = planner.find((5, 5), (95, 5))
print(f"{world}: {len(route)} cells around the wall")

world.set((50, 5), 1)
try:
    planner.find((5, 5), (95, 5))
except pt.StaleError as error:
    print(f"after an edit: {error}")
print(f"{planner.sync()} parts repaired: {len(planner.find((5, 5), (95, 5)))} cells through the gap")

starts = np.stack([np.zeros(1000), np.arange(1000) % 60], axis=1).astype(np.uint16)
goals = np.stack([np.full(1000, 99), np.arange(1000) % 59], axis=1).astype(np.uint16)
answers = planner.find_many(starts, goals)
print(f"{answers}: {answers.costs.mean() / world.metric[0]:.1f} steps on average")
