// count: the direction of the first step, and how many cells a route has. walk: writes the cells, from the goal back.

// Where a route is written: the place of its first four, the number of the next cell from the start, which counts down, and
// the latest cells, which are written four at a time.
struct Pen {
    begin: u32,
    next: u32,
    held: vec4<u32>,
}

fn put(pen: ptr<function, Pen>, cell: u32) {
    let at = (*pen).next;
    (*pen).held[at & 3u] = cell;
    if (at & 3u) == 0u {
        places[(*pen).begin + (at >> 2u)] = (*pen).held;
    }
    (*pen).next = at - 1u;
}

// A way along the tree of a port: where the tree begins, where in the cluster the way is, and the cell there.
struct Way {
    first_step: u32,
    width: u32,
    index: u32,
    cell: u32,
}

fn way_from(tree: Port, home: Cluster, cell: u32) -> Way {
    return Way(tree.first_step, home.width, index_in(home, cell), cell);
}

// The changes of column and row in each direction, with 1 added, two bits each.
const COLUMNS = 0x1a9u;
const ROWS = 0x1a90u;

fn direction_along(way: Way) -> u32 {
    let step = way.first_step + way.index;
    return (entry(TREE_STEPS, step >> 3u) >> ((step & 7u) * 4u)) & 7u;
}

fn go_on(way: ptr<function, Way>) {
    let direction = direction_along(*way);
    let column = ((COLUMNS >> (2u * direction)) & 3u) - 1u;
    let row = ((ROWS >> (2u * direction)) & 3u) - 1u;
    (*way).index += row * (*way).width + column;
    (*way).cell = (((*way).cell + (row << 16u)) & 0xffff0000u) | (((*way).cell + column) & 0xffffu);
}

fn steps_to(tree: Port, home: Cluster, cell: u32) -> u32 {
    var way = way_from(tree, home, cell);
    var steps = 0u;
    while way.cell != tree.cell {
        go_on(&way);
        steps += 1u;
    }
    return steps;
}

// Writes the cells from `cell` to the port of a tree, both included.
fn put_way(pen: ptr<function, Pen>, tree: Port, home: Cluster, cell: u32) {
    var way = way_from(tree, home, cell);
    put(pen, way.cell);
    while way.cell != tree.cell {
        go_on(&way);
        put(pen, way.cell);
    }
}

// Writes the cells from the start to the port of a tree, both included, which are the first ones of the route. The last ones
// of them may share a four with cells that the pen still holds.
fn put_first(pen: ptr<function, Pen>, tree: Port, home: Cluster, start: u32) {
    var way = way_from(tree, home, start);
    let shared_four = ((*pen).next + 1u) >> 2u;
    let last = (*pen).next;
    var four = vec4<u32>();
    for (var at = 0u; at <= last; at++) {
        if (at >> 2u) == shared_four {
            (*pen).held[at & 3u] = way.cell;
        } else {
            four[at & 3u] = way.cell;
            if (at & 3u) == 3u {
                places[(*pen).begin + (at >> 2u)] = four;
            }
        }
        if at < last {
            go_on(&way);
        }
    }
    if ((last + 1u) & 3u) != 0u {
        places[(*pen).begin + shared_four] = (*pen).held;
    }
}

// The rank of the port on a cell of a cluster, or the number of ports if the cell is none.
fn rank_of(home: Cluster, cell: u32) -> u32 {
    var rank = 0u;
    while rank < home.ports && port(home.first_port + rank).cell != cell {
        rank++;
    }
    return rank;
}

// What the way from the port of its row to a port costs, with the way from the start before it.
struct Row {
    source: u32,
    before: u32,
    from_start: u32,
    near: u32,
}

// Whether a route comes straight from the start to a port.
fn is_first(row: Row, near: Cluster, number: u32, here: Port) -> bool {
    let cost = cost_at(row.from_start, number - near.first_port);
    return cost == row.before + row_cost(row.source, here.column);
}

fn row_of_choice(choice: vec4<u32>, start: u32, near: Cluster) -> Row {
    let source = choice.z & 0xffffu;
    let from_start = costs_of(near, start);
    return Row(source, cost_at(from_start, source - near.first_port), from_start, cluster_of(start));
}

// The direction of the first step of a route whose start is a port. The route goes on to the port `at`, and if that is the start
// itself, over the border to the port `beyond`.
fn first_from_port(near: Cluster, own: u32, at: u32, beyond: u32) -> u32 {
    let tree = port(own);
    if own == at {
        return direction_of(cell_of(port(beyond).cell) - cell_of(tree.cell));
    }
    var way = way_from(tree, near, port(at).cell);
    var direction = 0u;
    while way.cell != tree.cell {
        direction = direction_along(way);
        go_on(&way);
    }
    return (direction + 4u) & 7u;
}

// How many cells the route of a choice has, or 0 if it is not known, and the direction of its first step.
fn cells_of(choice: vec4<u32>, start: u32, goal: u32) -> vec2<u32> {
    let near = cluster(cluster_of(start));
    let row = row_of_choice(choice, start, near);
    let leaving = exit(choice.z >> 16u);
    var cells = 1u + steps_to(port(leaving.x), cluster(cluster_of(goal)), goal);
    var at = leaving.y;
    var beyond = leaving.x;
    for (var legs = 0u; legs <= params.ports; legs++) {
        let here = port(at);
        let home = cluster(here.cluster);
        if here.cluster == row.near && is_first(row, near, at, here) {
            let rank = rank_of(near, start);
            if rank == near.ports {
                return vec2<u32>(cells + 1u + steps_to(here, near, start), direction_along(way_from(here, near, start)));
            }
            let leg = near.first_leg + rank * near.ports + at - near.first_port;
            let direction = first_from_port(near, near.first_port + rank, at, beyond);
            return vec2<u32>(cells + 1u + entry(LEG_STEPS, leg), direction);
        }
        let next = row_exit(row.source, at);
        if next == NO_EXIT {
            return vec2<u32>();
        }
        let way = exit(next);
        let leg = home.first_leg + (way.x - home.first_port) * home.ports + at - home.first_port;
        cells += 1u + entry(LEG_STEPS, leg);
        at = way.y;
        beyond = way.x;
    }
    return vec2<u32>();
}

// The direction of the first step to a goal in plain sight: the last step from the goal the other way round.
fn first_in_sight(choice: vec4<u32>, start: u32, goal: u32) -> u32 {
    return direction_of(-last_step(walk_back(start, goal, choice.x == OTHER_SIGHT)));
}

@compute @workgroup_size(LANES)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        if thread == params.tasks {
            offsets[thread] = 0u;
        }
        return;
    }
    let task = task_of(thread);
    var choice = choices[task];
    if choice.x == BY_ROWS {
        let found = cells_of(choice, tasks[task].x, tasks[task].y);
        choice.w = found.x;
        choice.x = select(BY_ROWS | (found.y << KIND_BITS), UNKNOWN, found.x == 0u || found.x > MOST_CELLS);
    } else if choice.x != UNKNOWN {
        choice.x |= first_in_sight(choice, tasks[task].x, tasks[task].y) << KIND_BITS;
    }
    choices[task] = choice;
    offsets[task] = select((choice.w + 3u) / 4u, 0u, choice.x == UNKNOWN);
}

fn walk_by_rows(choice: vec4<u32>, start: u32, goal: u32, begin: u32) {
    let near = cluster(cluster_of(start));
    let row = row_of_choice(choice, start, near);
    var pen = Pen(begin, choice.w - 1u, vec4<u32>());
    let leaving = exit(choice.z >> 16u);
    put_way(&pen, port(leaving.x), cluster(cluster_of(goal)), goal);
    var at = leaving.y;
    loop {
        let here = port(at);
        if here.cluster == row.near && is_first(row, near, at, here) {
            let rank = rank_of(near, start);
            if rank == near.ports {
                put_first(&pen, here, near, start);
            } else {
                put_way(&pen, port(near.first_port + rank), near, here.cell);
            }
            return;
        }
        let way = exit(row_exit(row.source, at));
        put_way(&pen, port(way.x), cluster(here.cluster), here.cell);
        at = way.y;
    }
}

fn walk_in_sight(choice: vec4<u32>, start: u32, goal: u32, begin: u32) {
    var pen = Pen(begin, choice.w - 1u, vec4<u32>());
    let way = walk_back(start, goal, choice.x == OTHER_SIGHT);
    var at = cell_of(goal);
    put(&pen, goal);
    for (var k = 0; k < way.first_count; k++) {
        at += way.first_step;
        put(&pen, word_of(at));
    }
    for (var k = 0; k < way.second_count; k++) {
        at += way.second_step;
        put(&pen, word_of(at));
    }
}

@compute @workgroup_size(LANES)
fn walk(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        return;
    }
    let task = task_of(thread);
    var choice = choices[task];
    choice.x &= (1u << KIND_BITS) - 1u;
    let begin = offsets[task];
    if choice.x == UNKNOWN || offsets[task + 1u] > params.places_room {
        return;
    }
    if choice.x == BY_ROWS {
        walk_by_rows(choice, tasks[task].x, tasks[task].y, begin);
    } else {
        walk_in_sight(choice, tasks[task].x, tasks[task].y, begin);
    }
}
