"""The cases that every binding answers: the answers are those that Rust gives, byte by byte."""

import os
from pathlib import Path

import numpy as np
import pytest

import portolan as pt

FOLDER = os.environ.get("PORTOLAN_CASES")
CORNERS = ["strict", "no-squeeze", "loose"]
SIDES = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]
BORDERS = ["open", "closed", "out", "in"]


def told(outcome: int, cost: int, cells: np.ndarray) -> str:
    words = [str(outcome), str(cost), str(len(cells))]
    return " ".join(words + [f"{x},{y}" for x, y in cells.tolist()])


class Replay:
    """A world and a planner between two lines of a case."""

    def begin(self, lines):
        directions, corners, straight, diagonal, width, height = map(int, lines[0].split()[1:])
        rows = [bytes.fromhex(line.split()[1]) for line in lines if line.startswith("row ")]
        weights = np.frombuffer(b"".join(rows), np.uint8).reshape(height, width)
        metric = (straight, diagonal) if straight else None
        self.world = pt.World(weights, directions=directions, corners=CORNERS[corners], metric=metric)
        planner = next(line for line in lines if line.startswith("planner ")).split()[1:]
        settings = dict(word.split("=") for word in planner[1:])
        self.planner = pt.Planner(self.world, planner[0], **settings)

    def find(self, x, y, to_x, to_y, nearest):
        try:
            route = self.planner.find((x, y), (to_x, to_y), nearest=nearest == 1)
        except pt.QueryError as error:
            return told(5 if "off the map" in str(error) else 6, 0, np.zeros((0, 2), int))
        if route is None:
            return told(2, 0, np.zeros((0, 2), int))
        return told(1 if route.partial else 0, route.cost, route.cells)

    def find_many(self, queries):
        numbers = np.array(queries, np.uint16)
        lines = []
        for nearest in (0, 1):
            answers = self.planner.find_many(numbers[:, :2], numbers[:, 2:4], nearest=nearest == 1, threads=2)
            for query in np.flatnonzero(numbers[:, 4] == nearest).tolist():
                cost = int(answers.costs[query])
                cells = answers.route(query)
                lines.append((query, told(int(answers.outcomes[query]), cost if len(cells) else 0, cells)))
        return [line for _, line in sorted(lines)]

    def edit(self, what, n):
        if what == "terrain":
            self.world.set(tuple(n[:4]), n[4], n[5])
        elif what == "border":
            self.world.border(tuple(n[:4]), SIDES[n[4]], BORDERS[n[5]])
        elif what == "link":
            self.world.link((n[0], n[1]), (n[2], n[3]), n[4], both_ways=n[5] == 1)
        self.planner.sync()


def replay(text: str):
    """Yields the answers to the queries of all cases, and `None` for a route that is told leg by leg."""
    for case in text.split("case ")[1:]:
        lines = case.splitlines()[1:]
        own = Replay()
        own.begin(lines)
        left, queries = 0, []
        for line in lines:
            what, *words = line.split()
            if what in ("world", "row", "planner"):
                continue
            numbers = [int(word) for word in words]
            if what == "many":
                left, queries = numbers[0], []
            elif what == "find" and left:
                queries.append(numbers)
                left -= 1
                if left == 0:
                    yield from own.find_many(queries)
            elif what == "find":
                yield own.find(*numbers)
            elif what == "plan":
                yield None
            else:
                own.edit(what, numbers)


@pytest.mark.skipif(FOLDER is None, reason="PORTOLAN_CASES names no folder with cases and answers")
def test_answers_are_those_that_rust_gives():
    folder = Path(FOLDER)
    known = (folder / "answers.txt").read_text().splitlines()
    answers = list(replay((folder / "cases.txt").read_text()))
    assert len(answers) == len(known) and sum(answer is not None for answer in answers) > 1500
    for number, (answer, line) in enumerate(zip(answers, known)):
        assert answer is None or answer == line, f"answer {number}"
