// Vectors in whole numbers, as in `crates/portolan-sim/src/crowd/flat/whole.rs`.

fn square_of(a: vec2<i32>) -> u32 {
    let size = vec2<u32>(abs(a));
    return size.x * size.x + size.y * size.y;
}

fn product_sum(a: vec2<i32>, b: vec2<i32>) -> i32 {
    return a.x * b.x + a.y * b.y;
}

fn area_of(a: vec2<i32>, b: vec2<i32>) -> i32 {
    return a.x * b.y - a.y * b.x;
}

// The greatest whole number whose square is at most `square`, which is at most 2^31. The root of floats is about right on every
// processor, and is put right.
fn whole_root(square: u32) -> u32 {
    var r = min(u32(sqrt(f32(square))), 65534u);
    while r * r > square {
        r -= 1u;
    }
    while (r + 1u) * (r + 1u) <= square {
        r += 1u;
    }
    return r;
}

fn length_of(a: vec2<i32>) -> i32 {
    return i32(whole_root(square_of(a)));
}

fn free_bits(a: vec2<i32>) -> u32 {
    let size = vec2<u32>(abs(a));
    return countLeadingZeros(max(size.x, size.y));
}

fn far_length(a: vec2<i32>) -> i32 {
    let bits = 17u - min(free_bits(a), 17u);
    let near = vec2<i32>(vec2<u32>(abs(a)) >> vec2<u32>(bits));
    return length_of(near) << bits;
}

fn along(a: vec2<i32>, wanted: i32) -> vec2<i32> {
    let free = free_bits(a);
    let less = 17u - min(free, 17u);
    let more = max(free, 17u) - 17u;
    let near = ((abs(a) >> vec2<u32>(less)) << vec2<u32>(more)) * sign(a);
    let length = max(length_of(near), 1);
    return near * wanted / length;
}

fn turned(a: vec2<i32>, turn: vec4<i32>) -> vec2<i32> {
    return vec2<i32>(a.x * turn.x - a.y * turn.y, a.x * turn.y + a.y * turn.x) / 1024;
}

fn packed(a: vec2<i32>) -> u32 {
    return (u32(a.x) & 0xffffu) | (u32(a.y) << 16u);
}

fn unpacked(word: u32) -> vec2<i32> {
    return vec2<i32>(i32(word << 16u) >> 16u, i32(word) >> 16u);
}

fn moved_by(at: vec2<i32>, step: vec2<i32>) -> vec2<i32> {
    return at + (step << vec2<u32>(params.shift));
}

// Where a straight walk ends: across, down and the polygon; whether it comes there; and the wall that stands in its way.
struct Walked {
    place: vec3<i32>,
    is_there: bool,
    wall: u32,
}

const NO_WALL = 0xffffffffu;
