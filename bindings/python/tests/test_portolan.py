"""What a user of the package does, right and wrong."""

import threading

import numpy as np
import pytest

import portolan as pt


def walled() -> np.ndarray:
    """A world of 40 x 30 cells with a wall in column 20, but for a gap in row 5."""
    weights = np.ones((30, 40), np.uint8)
    weights[:, 20] = 0
    weights[5, 20] = 1
    return weights


def test_a_route_is_found_and_its_arrays_fit_together():
    world = pt.World(walled())
    assert world.shape == (30, 40) and (world.width, world.height) == (40, 30) and world.kind == "squares"
    assert np.array_equal(world.weights(), walled())
    route = pt.Planner(world, "a-star").find((2, 25), (37, 25))
    assert route.cells.dtype == np.uint16 and route.cells.shape == (len(route), 2)
    assert route.cells[0].tolist() == [2, 25] and route.cells[-1].tolist() == [37, 25]
    assert [20, 5] in route.cells.tolist() and not route.partial
    steps = np.abs(np.diff(route.cells.astype(int), axis=0))
    straight, diagonal = world.metric
    slanted = int((steps.sum(axis=1) == 2).sum())
    assert steps.max() == 1 and route.cost == slanted * diagonal + (len(steps) - slanted) * straight


@pytest.mark.parametrize("name", ["a-star", "jump-point", "hpa-star", "dhpa-star", "rhumb", "pra-star", "auto"])
def test_batches_are_the_single_answers_whatever_the_threads(name):
    world = pt.World(walled())
    planner = pt.Planner(world, name)
    random = np.random.default_rng(7)
    starts, goals = (random.integers(0, 30, (200, 2)).astype(np.uint16) for _ in range(2))
    one, two = (planner.find_many(starts, goals, threads=threads) for threads in (1, 2))
    for array in ("outcomes", "costs", "offsets", "cells"):
        assert np.array_equal(getattr(one, array), getattr(two, array))
    for query in range(200):
        outcome = one.OUTCOMES[one.outcomes[query]]
        if outcome == "start-blocked":
            with pytest.raises(pt.QueryError, match="blocked"):
                planner.find(tuple(starts[query].tolist()), tuple(goals[query].tolist()))
            continue
        route = planner.find(tuple(starts[query].tolist()), tuple(goals[query].tolist()))
        assert (route is None) == (outcome == "unreachable")
        if route is not None:
            assert np.array_equal(route.cells, one.route(query)) and route.cost == one.costs[query]


def test_edits_make_planners_stale_until_they_are_synced():
    world = pt.World(walled())
    planner = pt.Planner(world, "hpa-star", cluster=8)
    assert ("cluster", "8") in planner.settings
    world.set((20, 5), 0)
    world.set((20, 20, 1, 3), 1)
    with pytest.raises(pt.StaleError, match="repair or rebuild"):
        planner.find((2, 25), (37, 25))
    assert planner.sync() > 0 and planner.sync() == 0
    assert [20, 22] in planner.find((2, 25), (37, 25)).cells.tolist()
    before = world.revision
    world.update(walled())
    assert world.revision == before + 4 and np.array_equal(world.weights(), walled())
    world.update(walled())
    assert world.revision == before + 4, "nothing changed, nothing edited"


def test_nearest_first_legs_distances_and_nothing_to_be_had():
    weights = walled()
    weights[5, 20] = 0
    world = pt.World(weights)
    planner = pt.Planner(world, "rhumb")
    assert planner.find((2, 2), (30, 2)) is None and planner.first_leg((2, 2), (30, 2)) is None
    assert not world.connected((2, 2), (30, 2)) and world.nearest((2, 2), (30, 2)) == (19, 2)
    partial = planner.find((2, 2), (30, 2), nearest=True)
    assert partial.partial and partial.cells[-1].tolist() == [19, 2]
    assert planner.first_leg((2, 2), (15, 28))[0].tolist() == [2, 2]
    goals = np.array([[2, 2], [3, 2], [30, 2]], np.uint16)
    assert planner.distances((2, 2), goals).tolist() == [0, world.metric[0], 2**32 - 1]


def test_borders_links_and_hexes():
    world = pt.World(np.ones((9, 9), np.uint8))
    world.border((4, 0, 1, 9), "east")
    assert not world.connected((0, 0), (8, 8))
    world.link((0, 0), (8, 8), 5)
    assert pt.Planner(world, "a-star").find((0, 0), (8, 8)).cells.tolist() == [[0, 0], [8, 8]]
    world.unlink((0, 0), (8, 8))
    assert pt.Planner(world, "a-star").find((0, 0), (8, 8)) is None
    hexes = pt.World(np.ones((9, 9), np.uint8), directions=6)
    assert hexes.kind == "hexes" and len(pt.Planner(hexes, "a-star").find((0, 0), (8, 8))) == 13


def test_fields_lead_to_the_nearest_goal_and_follow_edits():
    world = pt.World(walled())
    field = pt.Field(world, [(37, 25), (1, 1)])
    costs = field.costs()
    assert costs.shape == world.shape and costs[25, 37] == 0 and costs[5, 20] > 0 and costs[0, 20] == 2**32 - 1
    assert field.cost((1, 1)) == 0 and field.next((1, 1)) is None and field.cost((20, 0)) is None
    assert field.descend((2, 2)).tolist() == [[2, 2], [1, 1]]
    world.set((20, 0, 1, 30), 1)
    with pytest.raises(pt.StaleError):
        field.cost((1, 1))
    field.sync()
    assert np.array_equal(field.costs(), pt.Field(world, [(37, 25), (1, 1)]).costs())


def test_charts_are_saved_and_opened(tmp_path):
    world = pt.World(walled())
    planner = pt.Planner(world, "rhumb")
    path = tmp_path / "walled.chart"
    assert planner.save(path) == path.stat().st_size
    opened = pt.Planner.open(world, path)
    assert np.array_equal(opened.find((2, 25), (37, 25)).cells, planner.find((2, 25), (37, 25)).cells)
    with pytest.raises(pt.ChartError, match="walled.chart"):
        pt.Planner.open(pt.World(np.ones((30, 40), np.uint8)), path)
    with pytest.raises(pt.ChartError, match="nowhere"):
        pt.Planner.open(world, tmp_path / "nowhere")


def test_files_are_opened_as_worlds(tmp_path):
    path = tmp_path / "small.map"
    path.write_text("type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n")
    assert pt.World.open(path).weights().tolist() == [[1, 0, 1], [1, 1, 1]]
    path.write_text("type octile\nheight 2\nwidth 3\nmap\n.@.\n")
    with pytest.raises(pt.WorldError, match="small.map"):
        pt.World.open(path)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: pt.World(np.ones((3, 3, 3), np.uint8)), TypeError, None),
        (lambda: pt.World(np.ones((3, 3), np.int64)), TypeError, None),
        (lambda: pt.World(np.ones((0, 3), np.uint8)), pt.WorldError, None),
        (lambda: pt.World(np.ones((3, 3), np.uint8), directions=5), pt.WorldError, "4, 6 or 8"),
        (lambda: pt.World(np.ones((3, 3), np.uint8), corners="round"), ValueError, "strict, no-squeeze, loose"),
        (lambda: pt.World(np.ones((3, 3), np.uint8), metric=(5, 1)), ValueError, None),
        (lambda: pt.Planner(pt.World(np.ones((3, 3), np.uint8)), "a-strr"), pt.AlgorithmError, "a-strr"),
        (lambda: pt.Planner(pt.World(np.ones((3, 3), np.uint8)), "a-star", speed=9), pt.AlgorithmError, "speed"),
        (lambda: pt.Planner("no world"), TypeError, None),
        (lambda: pt.Field(pt.World(np.ones((3, 3), np.uint8)), [(9, 9)]), pt.QueryError, "9"),
    ],
)
def test_what_a_caller_does_wrong_is_an_error_of_python(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_wrong_queries_and_edits_change_nothing():
    world = pt.World(walled())
    planner = pt.Planner(world, "a-star")
    with pytest.raises(pt.QueryError, match="off the map"):
        planner.find((2, 2), (40, 2))
    with pytest.raises(pt.QueryError, match="blocked"):
        planner.find((20, 0), (2, 2))
    with pytest.raises(ValueError, match="starts has the shape"):
        planner.find_many(np.ones((4, 3), np.uint16), np.ones((4, 2), np.uint16))
    with pytest.raises(ValueError, match="as many"):
        planner.find_many(np.ones((4, 2), np.uint16), np.ones((5, 2), np.uint16))
    with pytest.raises((TypeError, OverflowError)):
        planner.find((-1, 0), (2, 2))
    for edit in (
        lambda: world.set((39, 29, 2, 1), 0),
        lambda: world.link((0, 0), (99, 0), 5),
        lambda: world.update(np.ones((31, 1), np.uint8)),
        lambda: world.border((0, 0), "up"),
        lambda: world.border((0, 0), "north", "ajar"),
    ):
        with pytest.raises((pt.WorldError, ValueError)):
            edit()
    assert world.revision == 0 and planner.find((2, 25), (37, 25)) is not None
    answers = planner.find_many(np.zeros((0, 2), np.uint16), np.zeros((0, 2), np.uint16))
    assert len(answers) == 0 and answers.offsets.tolist() == [0]
    with pytest.raises(IndexError, match="no query 0"):
        answers.route(0)


def test_arrays_that_do_not_lie_row_by_row_are_read_right():
    weights = walled()
    assert np.array_equal(pt.World(np.asfortranarray(weights)).weights(), weights)
    assert np.array_equal(pt.World(weights[::-1, ::2]).weights(), weights[::-1, ::2])


def test_threads_ask_one_planner_at_once():
    world = pt.World(np.ones((200, 200), np.uint8))
    planner = pt.Planner(world, "a-star")
    costs = []

    def ask():
        for goal in range(10, 190, 20):
            costs.append(planner.find((0, 0), (goal, 199)).cost)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(costs) == 36 and len(set(costs)) <= 9


def test_algorithms_are_listed_and_things_say_what_they_are():
    names = {entry["name"] for entry in pt.algorithms()}
    assert {"a-star", "rhumb", "jump-point", "hpa-star"} <= names
    world = pt.World(walled())
    planner = pt.Planner(world, "rhumb")
    assert repr(world) == "<portolan.World 40 x 30 squares, 1171 cells free>"
    assert "rhumb" in repr(planner) and planner.nbytes > 0 and planner.world is world
    assert "cells at cost" in repr(planner.find((0, 0), (5, 5)))


def test_pictures_show_walls_and_routes():
    world = pt.World(walled())
    route = pt.Planner(world, "a-star").find((2, 25), (37, 25))
    image = pt.picture(world, route, scale=2)
    assert image.shape == (60, 80, 3) and image.dtype == np.uint8
    assert image[0, 40].tolist() == [43, 48, 59] and image[50, 4].tolist() == [200, 60, 40]
    shaded = pt.picture(world, field=pt.Field(world, [(2, 2)]))
    assert shaded[2, 2].tolist() != shaded[29, 39].tolist()


def test_batches_in_turn_are_the_whole():
    world = pt.World(walled())
    planner = pt.Planner(world, "jump-point")
    starts, goals = np.full((25, 2), 3, np.uint16), np.full((25, 2), 9, np.uint16)
    parts = list(pt.find_in_batches(planner, starts, goals, batch=10, progress=False))
    assert [len(part) for part in parts] == [10, 10, 5]
    whole = planner.find_many(starts, goals)
    assert np.array_equal(np.concatenate([part.costs for part in parts]), whole.costs)
