// Squares as ground, as in `crates/portolan-sim/src/crowd/flat/squares.rs`.

const BITS = 12u;
const CELL = 4096;
const FARTHEST = 65536;

fn cell_bits(x: i32, y: i32) -> u32 {
    let index = u32(y) * params.cells + u32(x);
    return (u32(word(index >> 1u)) >> ((index & 1u) * 16u)) & 0xffffu;
}

fn to_side(at: i32, cell: i32, ahead: i32) -> u32 {
    return u32(abs(((cell + ahead) << BITS) - at));
}

fn sees(begin: vec2<i32>, end: vec2<i32>) -> bool {
    let off = end - begin;
    if abs(off.x) >= FARTHEST || abs(off.y) >= FARTHEST {
        return false;
    }
    let size = vec2<u32>(abs(off));
    var cell = begin >> vec2<u32>(BITS);
    let last = end >> vec2<u32>(BITS);
    let right = select(0, 1, off.x > 0);
    let down = select(0, 1, off.y > 0);
    let corner = u32(select(6 + right, 5 - right, down == 1));
    var next_x = to_side(begin.x, cell.x, right);
    var next_y = to_side(begin.y, cell.y, down);
    while cell.x != last.x || cell.y != last.y {
        let first = next_x * size.y;
        let second = next_y * size.x;
        let goes_x = cell.x != last.x && (cell.y == last.y || first <= second);
        let goes_y = cell.y != last.y && (cell.x == last.x || second <= first);
        var bit = u32(3 - 2 * down);
        if goes_x {
            bit = select(u32(2 - 2 * right), corner, goes_y);
        }
        if ((cell_bits(cell.x, cell.y) >> bit) & 1u) == 0u {
            return false;
        }
        if goes_x {
            cell.x += 2 * right - 1;
            next_x += u32(CELL);
        }
        if goes_y {
            cell.y += 2 * down - 1;
            next_y += u32(CELL);
        }
    }
    return true;
}

fn walk(begin: vec3<i32>, end: vec2<i32>) -> Walked {
    return Walked(vec3<i32>(end, 0), sees(begin.xy, end), NO_WALL);
}

fn height_of(place: vec3<i32>) -> i32 {
    return 0;
}

fn slide(begin: vec3<i32>, step: vec2<i32>) -> vec3<i32> {
    for (var part = 0u; part < 3u; part++) {
        var tried = step;
        if part == 1u {
            tried.y = 0;
        }
        if part == 2u {
            tried.x = 0;
        }
        let end = moved_by(begin.xy, tried);
        if sees(begin.xy, end) {
            return vec3<i32>(end, 0);
        }
    }
    return begin;
}

fn keep_off(place: vec3<i32>, radius: i32, most: i32) -> vec3<i32> {
    let at = place.xy;
    let cell = at >> vec2<u32>(BITS);
    let bits = cell_bits(cell.x, cell.y);
    let least = cell << vec2<u32>(BITS);
    let greatest = least + CELL;
    var kept = at;
    for (var number = 0u; number < 4u; number++) {
        let corner = vec2<i32>(
            select(least.x, greatest.x, number == 0u || number == 3u),
            select(least.y, greatest.y, number < 2u),
        );
        let off = at - corner;
        let is_near = abs(off.x) < radius && abs(off.y) < radius;
        if is_near && ((bits >> (8u + number)) & 1u) == 0u && length_of(off) < radius {
            kept = corner + along(off, radius);
        }
    }
    let walls = select(vec4<i32>(radius), vec4<i32>(0), ((vec4<u32>(bits) >> vec4<u32>(0u, 1u, 2u, 3u)) & vec4<u32>(1u)) == vec4<u32>(1u));
    kept = clamp(kept, least + walls.zw, greatest - 1 - walls.xy);
    return vec3<i32>(at + clamp(kept - at, vec2<i32>(-most), vec2<i32>(most)), 0);
}
