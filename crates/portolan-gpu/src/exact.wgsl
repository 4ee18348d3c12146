// Exact arithmetic: distances, and comparing products, in whole numbers of 32 bits. `exact_wide.wgsl` has the same functions for
// processors with whole numbers of 64 bits, which are much faster. Here those are pairs: the low half, then the high half.

fn product(a: u32, b: u32) -> vec2<u32> {
    let low = vec2<u32>(a & 0xffffu, b & 0xffffu);
    let high = vec2<u32>(a >> 16u, b >> 16u);
    let ll = low.x * low.y;
    let lh = low.x * high.y;
    let hl = high.x * low.y;
    let middle = (ll >> 16u) + (lh & 0xffffu) + (hl & 0xffffu);
    return vec2<u32>((ll & 0xffffu) | (middle << 16u), high.x * high.y + (lh >> 16u) + (hl >> 16u) + (middle >> 16u));
}

fn plus(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn is_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn square_between(a: vec2<i32>, b: vec2<i32>) -> vec2<u32> {
    let off = vec2<u32>(abs(a - b));
    return plus(product(off.x, off.x), product(off.y, off.y));
}

// The greatest whole number whose square is at most `square`, which is below 2^48.
fn root(square: vec2<u32>) -> u32 {
    var r = u32(sqrt(f32(square.y) * 4294967296.0 + f32(square.x)));
    while is_less(square, product(r, r)) {
        r -= 1u;
    }
    while !is_less(square, product(r + 1u, r + 1u)) {
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
    return r + select(1u, 0u, product(r, r).x == square.x);
}

fn distance_rounded(a: vec2<i32>, b: vec2<i32>) -> u32 {
    let square = square_between(a, b);
    let r = root(square);
    return r + select(0u, 1u, square.x - product(r, r).x > r);
}

// Whether `a * b` is below `c * d`, where all factors are below 2^24. Every factor is cut in two of 12 bits, so that all sums of
// products fit 32 bits.
fn is_below(a: i32, b: i32, c: i32, d: i32) -> bool {
    let low = vec4<i32>(a, b, c, d) & vec4<i32>(0xfff);
    let high = vec4<i32>(a, b, c, d) >> vec4<u32>(12u);
    let least = low.x * low.y - low.z * low.w;
    let middle = high.x * low.y + low.x * high.y - high.z * low.w - low.z * high.w + (least >> 12u);
    return high.x * high.y - high.z * high.w + (middle >> 12u) < 0;
}
