// Cells, as columns and rows and as words, and walks in plain sight. The program that this is part of declares `params.width` and
// `MOVES`, the array of the directions in which each cell can be left.

fn cell_of(word: u32) -> vec2<i32> {
    return vec2<i32>(vec2<u32>(word & 0xffffu, word >> 16u));
}

fn word_of(cell: vec2<i32>) -> u32 {
    return (u32(cell.y) << 16u) | u32(cell.x);
}

// A walk of two runs of steps, each in one direction.
struct Runs {
    first_step: vec2<i32>,
    first_count: i32,
    second_step: vec2<i32>,
    second_count: i32,
}

// A walk that no obstacle lengthens and that begins with its diagonal steps, or, where there are none, with its vertical ones.
fn runs(from_cell: vec2<i32>, to_cell: vec2<i32>, has_diagonals: bool) -> Runs {
    let off = to_cell - from_cell;
    let counts = abs(off);
    let steps = sign(off);
    if !has_diagonals {
        return Runs(vec2<i32>(0, steps.y), counts.y, vec2<i32>(steps.x, 0), counts.x);
    }
    let short = min(counts.x, counts.y);
    let straight = select(vec2<i32>(0, steps.y), vec2<i32>(steps.x, 0), counts.x > counts.y);
    return Runs(steps, short, straight, max(counts.x, counts.y) - short);
}

fn turned(way: Runs) -> Runs {
    return Runs(way.second_step, way.second_count, way.first_step, way.first_count);
}

// The direction of a step: clockwise from north.
fn direction_of(step: vec2<i32>) -> u32 {
    if step.x == 0 {
        return select(0u, 4u, step.y > 0);
    }
    return select(u32(6 - step.y), u32(2 + step.y), step.x > 0) & 7u;
}

fn is_legal(cell: vec2<i32>, direction: u32) -> bool {
    let place = u32(cell.y) * params.width + u32(cell.x);
    return ((entry(MOVES, place >> 2u) >> (8u * (place & 3u) + direction)) & 1u) != 0u;
}

fn is_walk(from_cell: vec2<i32>, way: Runs) -> bool {
    var cell = from_cell;
    var direction = direction_of(way.first_step);
    for (var k = 0; k < way.first_count; k++) {
        if !is_legal(cell, direction) {
            return false;
        }
        cell += way.first_step;
    }
    direction = direction_of(way.second_step);
    for (var k = 0; k < way.second_count; k++) {
        if !is_legal(cell, direction) {
            return false;
        }
        cell += way.second_step;
    }
    return true;
}

// The last step of a walk.
fn last_step(way: Runs) -> vec2<i32> {
    return select(way.first_step, way.second_step, way.second_count > 0);
}
