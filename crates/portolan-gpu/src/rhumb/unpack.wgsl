// From costs back to walks: what a stretch between two ports of a region consists of, and the walks inside leaves.

// Part of a way, between two ports of a region.
struct Stretch {
    region: u32,
    near: u32,
    far: u32,
}

// What a stretch consists of: a walk inside a leaf; one stretch in a smaller region; or two in the same one, of which the
// first has the near port.
const WALK = 0u;
const ONE = 1u;
const TWO = 2u;
const LOST = 3u;

struct Parts {
    kind: u32,
    one: Stretch,
    two: Stretch,
}

fn leg(place: u32) -> Stretch {
    let words = legs[place];
    return Stretch(words.x, words.y & 0xffffu, words.y >> 16u);
}

// The same stretch in a half that has both ports.
fn in_half(home: Region, stretch: Stretch, half: u32) -> Stretch {
    let number = select(home.low, home.high, half == 1u);
    let skipped = region(number).line_ports;
    return Stretch(number, rank_in(home, half, stretch.near) + skipped, rank_in(home, half, stretch.far) + skipped);
}

// The same stretch in the smallest region found by going down as long as exactly one half contains both ports.
fn least_around(whole: Stretch, a: vec2<i32>, b: vec2<i32>) -> Stretch {
    var stretch = whole;
    var home = region(stretch.region);
    while home.line != NONE {
        let sides = vec2<i32>(side_of(home.line, a), side_of(home.line, b));
        let low = min(sides.x, sides.y);
        let high = max(sides.x, sides.y);
        if low < 0 && high <= 0 {
            stretch = in_half(home, stretch, 0u);
        } else if high > 0 && low >= 0 {
            stretch = in_half(home, stretch, 1u);
        } else {
            break;
        }
        home = region(stretch.region);
    }
    return stretch;
}

fn cost_of(stretch: Stretch) -> u32 {
    return cost_between(region(stretch.region), stretch.near, stretch.far);
}

fn known(stretch: Stretch) -> Parts {
    return Parts(select(ONE, WALK, region(stretch.region).line == NONE), stretch, stretch);
}

fn parts_of(stretch: Stretch) -> Parts {
    let home = region(stretch.region);
    if home.line == NONE {
        return Parts(WALK, stretch, stretch);
    }
    let cost = cost_between(home, stretch.near, stretch.far);
    let a = cell_of(port(home, stretch.near));
    let b = cell_of(port(home, stretch.far));
    let least = least_around(stretch, a, b);
    if least.region != stretch.region && cost_of(least) == cost {
        return known(least);
    }
    let sides = vec2<i32>(side_of(home.line, a), side_of(home.line, b));
    for (var half = 0u; half < 2u; half++) {
        let towards = select(1, -1, half == 1u);
        if all(sides * towards <= vec2<i32>(0)) {
            let inside = in_half(home, stretch, half);
            if cost_of(inside) == cost {
                return known(inside);
            }
        }
    }
    let middle = crossing_of(home, a, b);
    let most = 2u * (max(middle, home.line_ports - middle) + 1u);
    for (var index = 0u; index < most; index++) {
        let via = outwards(middle, index, home.line_ports);
        if via != NONE && via != stretch.near && via != stretch.far {
            if cost_between(home, via, stretch.near) + cost_between(home, via, stretch.far) == cost {
                return Parts(TWO, Stretch(stretch.region, stretch.near, via), Stretch(stretch.region, via, stretch.far));
            }
        }
    }
    return Parts(LOST, stretch, stretch);
}

// Where a tree begins, in words.
fn tree_of(home: Region, rank: u32) -> u32 {
    let cells = (home.high & 0xffffu) * (home.high >> 16u);
    return first(STEPS) + home.first_row + rank * ((cells + 7u) >> 3u);
}

// The direction of the step from a cell of a leaf, 8 if there is none.
fn step_in(tree: u32, corner: vec2<i32>, width: i32, cell: vec2<i32>) -> u32 {
    let off = cell - corner;
    let place = u32(off.y * width + off.x);
    return (chart[tree + (place >> 3u)] >> (4u * (place & 7u))) & 15u;
}

// What writes the cells of a walk one after another.
struct Pen {
    // Where the latest cell was written: cells are written from the last one of a route to the first, or, from its start on,
    // the other way round.
    at: u32,
    mode: u32,
    // The latest cells, which are written four at a time.
    held: vec4<u32>,
    // The latest cell and the one before.
    cell: vec2<i32>,
    before: vec2<i32>,
    // How many cells there were, and how many diagonal steps, or what all steps cost where weights differ.
    count: u32,
    sum: u32,
    is_lost: bool,
}

const COUNTING = 0u;
const BACKWARDS = 1u;
const FORWARDS = 2u;

fn put_first(pen: ptr<function, Pen>, cell: vec2<i32>) {
    (*pen).cell = cell;
    (*pen).before = cell;
    put_word(pen, cell);
}

fn put(pen: ptr<function, Pen>, cell: vec2<i32>) {
    let is_diagonal = all(cell != (*pen).cell);
    if params.is_weighted != 0u {
        let sum = (*pen).sum + mean_cost(select(params.metric.x, params.metric.y, is_diagonal), (*pen).cell, cell);
        (*pen).is_lost = (*pen).is_lost || sum < (*pen).sum;
        (*pen).sum = sum;
    } else {
        (*pen).sum += select(0u, 1u, is_diagonal);
    }
    (*pen).before = (*pen).cell;
    (*pen).cell = cell;
    put_word(pen, cell);
}

fn put_word(pen: ptr<function, Pen>, cell: vec2<i32>) {
    (*pen).count += 1u;
    if (*pen).mode == BACKWARDS {
        let at = (*pen).at - 1u;
        (*pen).at = at;
        (*pen).held[at & 3u] = word_of(cell);
        if (at & 3u) == 0u {
            places[at >> 2u] = (*pen).held;
        }
    } else if (*pen).mode == FORWARDS {
        places[(*pen).at >> 2u][(*pen).at & 3u] = word_of(cell);
        (*pen).at += 1u;
    }
}

// Writes what is held back.
fn finish(pen: ptr<function, Pen>) {
    for (var k = (*pen).at & 3u; k != 0u && k < 4u; k++) {
        places[(*pen).at >> 2u][k] = (*pen).held[k];
    }
}

fn put_runs(pen: ptr<function, Pen>, way: Runs) {
    var cell = (*pen).cell;
    for (var k = 0; k < way.first_count; k++) {
        cell += way.first_step;
        put(pen, cell);
    }
    for (var k = 0; k < way.second_count; k++) {
        cell += way.second_step;
        put(pen, cell);
    }
}

// Walks inside a leaf from the latest cell to a port.
fn walk_to(pen: ptr<function, Pen>, number: u32, rank: u32) {
    let home = region(number);
    let goal = cell_of(port(home, rank));
    if home.first_row == NONE {
        let prices = leaf_part(number).yz;
        put_runs(pen, runs((*pen).cell, goal, prices.y != 2u * prices.x));
        return;
    }
    let tree = tree_of(home, rank);
    let corner = cell_of(home.low);
    let width = i32(home.high & 0xffffu);
    var cell = (*pen).cell;
    while any(cell != goal) {
        let direction = step_in(tree, corner, width, cell);
        if direction > 7u {
            (*pen).is_lost = true;
            return;
        }
        cell += step_by(direction);
        put(pen, cell);
    }
}

// Walks inside a leaf from the port where the latest cell is to another port.
fn walk_between(pen: ptr<function, Pen>, number: u32, to_rank: u32, from_rank: u32) {
    let clear = leaf_part(number).x;
    if clear != NONE {
        let home = region(number);
        let pair = to_rank * home.ports + from_rank;
        if ((entry(CLEAR, clear + (pair >> 5u)) >> (pair & 31u)) & 1u) != 0u {
            put_runs(pen, runs((*pen).cell, cell_of(port(home, to_rank)), true));
            return;
        }
    }
    walk_to(pen, number, to_rank);
}

// The most stretches that wait to be taken apart. A route that needs more is left to the planner.
const STACK = 48u;

// Walks along a stretch from its far port, where the latest cell is, to its near port.
fn walk_back(pen: ptr<function, Pen>, whole: Stretch) {
    var waiting: array<vec2<u32>, STACK>;
    var count = 0u;
    var stretch = whole;
    loop {
        let parts = parts_of(stretch);
        if parts.kind == LOST || count == STACK {
            (*pen).is_lost = true;
            return;
        }
        if parts.kind == ONE {
            stretch = parts.one;
        } else if parts.kind == TWO {
            waiting[count] = vec2<u32>(parts.one.region, parts.one.near | (parts.one.far << 16u));
            count += 1u;
            stretch = parts.two;
        } else {
            walk_between(pen, parts.one.region, parts.one.near, parts.one.far);
            if count == 0u {
                return;
            }
            count -= 1u;
            stretch = Stretch(waiting[count].x, waiting[count].y & 0xffffu, waiting[count].y >> 16u);
        }
    }
}
