//! PNG files of every kind that a drawing program may save, put together byte by byte.

mod common;

use common::{Header, cells, png};
use portolan::Rules;
use portolan_formats::png_image;

const HEADER: Header = Header { width: 4, height: 1, depth: 8, color: 0, interlaced: false };
const GREY: u8 = 0;
const RGB: u8 = 2;
const PALETTE: u8 = 3;
const GREY_ALPHA: u8 = 4;
const RGBA: u8 = 6;

fn weights(file: &[u8]) -> Vec<u8> {
    cells(&png_image::read(file, Rules::default()).unwrap_or_else(|fault| panic!("{fault}"))).2
}

fn fault(file: &[u8]) -> String {
    png_image::read(file, Rules::default()).err().unwrap().to_string()
}

#[test]
fn grey_of_every_depth() {
    // The byte 0 before each row means that the row is not filtered.
    let of = |depth, data: &[u8]| weights(&png(Header { depth, color: GREY, ..HEADER }, &[], data));
    assert_eq!(of(1, &[0, 0b1010_0000]), [1, 0, 1, 0]);
    assert_eq!(of(2, &[0, 0b1110_0100]), [1, 86, 171, 0]);
    assert_eq!(of(4, &[0, 0xf0, 0x1e]), [1, 0, 239, 18]);
    assert_eq!(of(8, &[0, 255, 0, 1, 254]), [1, 0, 255, 2]);
    assert_eq!(of(16, &[0, 255, 255, 0, 0, 1, 200, 254, 0]), [1, 0, 255, 2]);
}

#[test]
fn colours_and_transparency() {
    let of = |color, depth, data: &[u8]| weights(&png(Header { width: 2, color, depth, ..HEADER }, &[], data));
    assert_eq!(of(RGB, 8, &[0, 255, 255, 255, 0, 0, 0]), [1, 0]);
    assert_eq!(of(RGB, 16, &[0, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0]), [1, 0]);
    assert_eq!(of(GREY_ALPHA, 8, &[0, 0, 0, 0, 255]), [1, 0]);
    assert_eq!(of(RGBA, 8, &[0, 0, 0, 0, 0, 0, 0, 0, 255]), [1, 0]);
    assert_eq!(of(RGBA, 8, &[0, 100, 100, 100, 255, 0, 0, 0, 128]), [156, 129]);
}

#[test]
fn palettes() {
    let header = Header { color: PALETTE, depth: 2, ..HEADER };
    let colours = [255, 255, 255, 0, 0, 0, 200, 200, 200];
    let data = [0, 0b0001_1000];
    assert_eq!(weights(&png(header, &[(b"PLTE", &colours)], &data)), [1, 0, 56, 1]);
    // The second colour is half transparent.
    assert_eq!(weights(&png(header, &[(b"PLTE", &colours), (b"tRNS", &[255, 128])], &data)), [1, 129, 56, 1]);
    assert!(fault(&png(header, &[], &data)).starts_with("expected a sound PNG picture, found "));
    let message = "expected a palette of three bytes a colour, found one of 4 bytes";
    assert_eq!(fault(&png(header, &[(b"PLTE", &[0; 4])], &data)), message);
    assert!(fault(&png(header, &[(b"PLTE", &[0; 771])], &data)).starts_with("expected a sound PNG picture, found "));
    // A colour that the palette does not have is black.
    assert_eq!(weights(&png(header, &[(b"PLTE", &[255; 6])], &data)), [1, 1, 0, 1]);
}

#[test]
fn interlaced_rows_come_to_their_places() {
    // A picture of 5 x 3 whose pixel in column x and row y has the luminance 10 y + x + 1.
    let passes: [(usize, usize, usize, usize); 7] =
        [(0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2)];
    let mut data = Vec::new();
    for (x0, dx, y0, dy) in passes {
        for y in (y0..3).step_by(dy) {
            data.push(0);
            data.extend((x0..5).step_by(dx).map(|x| (10 * y + x + 1) as u8));
        }
    }
    let file = png(Header { width: 5, height: 3, interlaced: true, ..HEADER }, &[], &data);
    let right: Vec<u8> = (0..15).map(|i: u8| (10 * (i / 5) + i % 5 + 1).wrapping_neg()).collect();
    assert_eq!(weights(&file), right);
}

#[test]
fn pictures_of_wrong_size_are_refused_unread() {
    let of = |width, height| fault(&png(Header { width, height, ..HEADER }, &[], &[0, 0, 0, 0, 0]));
    assert_eq!(of(40_000, 1), "expected a picture of 1 to 32766 pixels on each side, found 40000 x 1");
    assert_eq!(of(1, u32::MAX >> 1), "expected a picture of 1 to 32766 pixels on each side, found 1 x 2147483647");
    let message = of(32_766, 32_766);
    assert!(message.starts_with("expected the data of 32766 x 32766 pixels, found a file of "), "{message}");
    for (width, height) in [(0, 1), (4, 2)] {
        assert!(of(width, height).starts_with("expected a "), "{width} x {height}");
    }
}

#[test]
fn animations_are_refused() {
    for frames in [0_u32, 1, u32::MAX] {
        let control = [frames.to_be_bytes(), 0_u32.to_be_bytes()].concat();
        let file = png(HEADER, &[(b"acTL", &control)], &[0, 1, 2, 3, 4]);
        assert_eq!(fault(&file), "expected a still PNG picture, found an animation");
    }
}
