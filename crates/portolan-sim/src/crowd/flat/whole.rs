//! Whole numbers in the plan: vectors, lengths and directions, each computed in 32 bits, so that a graphics processor can
//! compute them too and gets equal results. `crates/portolan-gpu/src/crowd/whole.wgsl` has the same functions.
//!
//! Not here: what the vectors stand for.

/// A vector of the plan: across and down.
pub(super) type Vector = [i32; 2];

pub(super) fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

/// Returns the sum of the squares of two coordinates, which must fit 32 bits.
pub(super) fn square(a: Vector) -> u32 {
    let [x, y] = a.map(i32::unsigned_abs);
    x * x + y * y
}

/// Returns the sum of products of coordinates.
pub(super) fn dot(a: Vector, b: Vector) -> i32 {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns twice the area of the triangle between two vectors, less than 0 if the second lies to the right of the first.
pub(super) fn cross(a: Vector, b: Vector) -> i32 {
    a[0] * b[1] - a[1] * b[0]
}

/// Returns the length of a vector of small coordinates, rounded down.
pub(super) fn length(a: Vector) -> i32 {
    square(a).isqrt().cast_signed()
}

/// Returns how many of its highest bits the greater coordinate of a vector leaves free.
fn free_bits(a: Vector) -> u32 {
    a[0].unsigned_abs().max(a[1].unsigned_abs()).leading_zeros()
}

/// Returns the length of a vector of any coordinates. That of a long one is about right.
pub(super) fn far_length(a: Vector) -> i32 {
    let bits = 17 - free_bits(a).min(17);
    let near = a.map(|at| (at.unsigned_abs() >> bits).cast_signed());
    length(near) << bits
}

/// Returns the vector of this length, at most 2¹⁵, in the direction of another one. That of a zero vector is zero.
pub(super) fn along(a: Vector, wanted: i32) -> Vector {
    // The coordinates are brought to fifteen bits.
    let free = free_bits(a);
    let (less, more) = (17 - free.min(17), free.max(17) - 17);
    let near = a.map(|at| ((at.abs() >> less) << more) * at.signum());
    let length = length(near).max(1);
    near.map(|at| at * wanted / length)
}

/// Returns a vector turned by an angle, whose cosine and sine are given in 1024ths.
pub(super) fn turned(a: Vector, [cosine, sine]: Vector) -> Vector {
    [(a[0] * cosine - a[1] * sine) / 1024, (a[0] * sine + a[1] * cosine) / 1024]
}

/// Returns two coordinates of 16 bits as one word.
pub(super) fn packed(a: Vector) -> u32 {
    (a[0].cast_unsigned() & 0xffff) | a[1].cast_unsigned() << 16
}

/// Returns the coordinates in a word.
pub(super) fn unpacked(word: u32) -> Vector {
    [(word << 16).cast_signed() >> 16, word.cast_signed() >> 16]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_hold_two_coordinates() {
        for vector in [[0, 0], [-1, 1], [32_767, -32_768], [-5, -6]] {
            assert_eq!(unpacked(packed(vector)), vector);
        }
    }

    #[test]
    fn directions_of_long_vectors_are_about_right() {
        for vector in [[3, 4], [30_000, 40_000], [-(3 << 24), 4 << 24], [3 << 28, -(4 << 28)]] {
            let [x, y] = along(vector, 5000);
            assert!((x.abs() - 3000).abs() <= 1 && (y.abs() - 4000).abs() <= 1, "{x} {y}");
            assert_eq!([x.signum(), y.signum()], vector.map(i32::signum));
        }
        assert_eq!(along([0, 0], 5000), [0, 0]);
        assert_eq!(far_length([3 << 20, 4 << 20]), 5 << 20);
    }
}
