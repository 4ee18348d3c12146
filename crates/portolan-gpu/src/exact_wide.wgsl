// Exact arithmetic: distances, and comparing products, in whole numbers of 64 bits. `exact.wgsl` has the same functions for
// processors without them.

fn square_between(a: vec2<i32>, b: vec2<i32>) -> u64 {
    let off = abs(a - b);
    let x = u64(u32(off.x));
    let y = u64(u32(off.y));
    return x * x + y * y;
}

// The greatest whole number whose square is at most `square`, which is below 2^48.
fn root(square: u64) -> u32 {
    var r = u32(sqrt(f32(square)));
    while u64(r) * u64(r) > square {
        r -= 1u;
    }
    while u64(r + 1u) * u64(r + 1u) <= square {
        r += 1u;
    }
    return r;
}

fn distance_down(a: vec2<i32>, b: vec2<i32>) -> u32 {
    return root(square_between(a, b));
}

fn distance_up(a: vec2<i32>, b: vec2<i32>) -> u32 {
    let square = square_between(a, b);
    let r = root(square);
    return r + select(1u, 0u, u64(r) * u64(r) == square);
}

fn distance_rounded(a: vec2<i32>, b: vec2<i32>) -> u32 {
    let square = square_between(a, b);
    let r = root(square);
    return r + select(0u, 1u, square - u64(r) * u64(r) > u64(r));
}

// Whether `a * b` is below `c * d`.
fn is_below(a: i32, b: i32, c: i32, d: i32) -> bool {
    return i64(a) * i64(b) < i64(c) * i64(d);
}
