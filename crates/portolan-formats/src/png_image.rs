//! PNG: a picture as a world, one pixel for each cell.
//!
//! A white pixel is ground of weight 1, a black pixel is blocked, and between them the darker a pixel the heavier the
//! ground. The weight is 256 minus the luminance: white has luminance 255, and the luminances 254 to 1 give the weights
//! 2 to 255. Pictures are written in grey with 8 bits, so that every weight is read back exactly.
//!
//! Pictures in grey, in colour and with a palette are read, of any depth. A colour counts by its luminance (0.2126 red,
//! 0.7152 green, 0.0722 blue, rounded). Transparent pixels are laid over white. Of 16 bits the upper 8 count. Colour
//! profiles and gamma are ignored. Animations are refused.
//!
//! Not here: drawing pictures of routes. Only turning pixels that are already drawn into a file is here
//! ([`encode_rgb`]).

use crate::error::{ReadError, room_for_weights};
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, InterlaceInfo, Transformations};
use portolan::{Cell, Rules, SquareGrid};
use std::io::Cursor;

/// The first bytes of every PNG file.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The most bytes that one byte of the file can unpack to.
const BEST_PACKING: u64 = 1032;

/// Reads a picture as a world.
///
/// # Errors
/// When the bytes are no PNG picture or a damaged or animated one, a side is longer than [`SquareGrid::MAX_SIDE`], or
/// there is no memory for the world.
pub fn read(bytes: &[u8], rules: Rules) -> Result<SquareGrid, ReadError> {
    if !is_png(bytes) {
        return Err(ReadError::of_whole("a PNG picture", "a file that does not begin like one"));
    }
    if is_animated(bytes) {
        return Err(ReadError::of_whole("a still PNG picture", "an animation"));
    }
    let damaged = |fault: png::DecodingError| ReadError::of_whole("a sound PNG picture", fault.to_string());
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = (header.width as usize, header.height as usize);
    let most = SquareGrid::MAX_SIDE;
    if !(1..=most).contains(&width) || !(1..=most).contains(&height) {
        let found = format!("{width} x {height}");
        return Err(ReadError::of_whole(format!("a picture of 1 to {most} pixels on each side"), found));
    }
    let unpacked = (width as u64 * header.bits_per_pixel() as u64).div_ceil(8) * height as u64;
    if unpacked > BEST_PACKING * bytes.len() as u64 {
        let found = format!("a file of {} bytes", bytes.len());
        return Err(ReadError::of_whole(format!("the data of {width} x {height} pixels"), found));
    }

    let mut reader = decoder.read_info().map_err(damaged)?;
    // The decoder panics on a palette that ends within a colour.
    let palette = reader.info().palette.as_ref().map_or(0, |palette| palette.len());
    if palette % 3 != 0 {
        return Err(ReadError::of_whole("a palette of three bytes a colour", format!("one of {palette} bytes")));
    }
    let channels = reader.output_color_type().0.samples();
    let weight_of = match channels {
        1 => |pixel: &[u8]| weight(pixel[0]),
        2 => |pixel: &[u8]| weight(on_white(pixel[0], pixel[1])),
        3 => |pixel: &[u8]| weight(luminance(pixel[0], pixel[1], pixel[2])),
        _ => |pixel: &[u8]| weight(on_white(luminance(pixel[0], pixel[1], pixel[2]), pixel[3])),
    };
    let mut weights = room_for_weights(width, height, usize::MAX)?;
    weights.resize(width * height, 0);
    let mut rows = weights.chunks_exact_mut(width);
    let mut interlaced = Vec::new();
    while let Some(row) = reader.next_interlaced_row().map_err(damaged)? {
        let pixels = row.data().chunks_exact(channels).map(weight_of);
        match row.interlace() {
            InterlaceInfo::Null(_) => {
                let cells = rows.next().unwrap_or_default();
                cells.iter_mut().zip(pixels).for_each(|(cell, weight)| *cell = weight);
            }
            InterlaceInfo::Adam7(pass) => interlaced.push((*pass, pixels.collect::<Vec<u8>>())),
        }
    }
    for (pass, row) in interlaced {
        png::expand_interlaced_row(&mut weights, width, &row, &pass, 8);
    }
    SquareGrid::from_weights(width, height, &weights, rules).map_err(ReadError::of_grid)
}

/// Returns whether the bytes begin like a PNG file.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(&SIGNATURE)
}

/// Returns width and height as the header states them, without reading the pixels; the beginning of a file is enough.
/// They may be more than [`read`] takes. `None` if the header is not that of a picture.
pub fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    // After the signature come four bytes for the length of the header, four for its kind, then its contents.
    let header = bytes.strip_prefix(&SIGNATURE)?.get(4..)?.strip_prefix(b"IHDR")?;
    let (width, rest) = header.split_first_chunk::<4>()?;
    let (height, _) = rest.split_first_chunk::<4>()?;
    let [width, height] = [width, height].map(|side| u32::from_be_bytes(*side) as usize);
    (width > 0 && height > 0).then_some((width, height))
}

/// Writes a world as a grey picture.
///
/// # Panics
/// Never: a grid has a size that a picture can have.
pub fn write(grid: &SquareGrid) -> Vec<u8> {
    let (width, height) = (grid.width(), grid.height());
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height as u16 {
        pixels.extend((0..width as u16).map(|x| shade(grid.terrain(Cell::new(x, y)).weight())));
    }
    encode(width as u32, height as u32, ColorType::Grayscale, &pixels)
}

/// Makes a file of pixels with three bytes each, red, green and blue, row by row from the top left.
///
/// # Panics
/// When a side is zero or there are not `width * height * 3` bytes.
pub fn encode_rgb(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    encode(width, height, ColorType::Rgb, rgb)
}

fn encode(width: u32, height: u32, color: ColorType, pixels: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    let mut writer = encoder.write_header().expect("a picture has at least one pixel");
    writer.write_image_data(pixels).expect("a picture has as many pixels as its size says");
    writer.finish().expect("memory takes any bytes");
    file
}

/// Returns whether chunks of an animation come before the picture.
fn is_animated(bytes: &[u8]) -> bool {
    let mut rest = &bytes[SIGNATURE.len()..];
    while let Some((&[a, b, c, d, ref kind @ ..], _)) = rest.split_first_chunk::<8>() {
        match kind {
            b"acTL" | b"fcTL" => return true,
            b"IDAT" => return false,
            _ => {}
        }
        // Length, kind and checksum are four bytes each.
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        rest = length.checked_add(12).and_then(|chunk| rest.get(chunk..)).unwrap_or_default();
    }
    false
}

/// Returns the weight for a luminance: 256 minus it, or 0 for black.
fn weight(luminance: u8) -> u8 {
    luminance.wrapping_neg()
}

/// Returns the luminance for a weight: 256 minus it, or 0 for blocked cells.
fn shade(weight: u8) -> u8 {
    weight.wrapping_neg()
}

fn luminance(red: u8, green: u8, blue: u8) -> u8 {
    ((2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue) + 5000) / 10_000) as u8
}

/// Returns the shade that results when a shade of this opacity is laid over white.
fn on_white(shade: u8, opacity: u8) -> u8 {
    let (shade, opacity) = (u32::from(shade), u32::from(opacity));
    ((shade * opacity + 255 * (255 - opacity) + 127) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(file: &[u8]) -> Vec<u8> {
        let grid = read(file, Rules::default()).ok().unwrap();
        grid.cells().map(|cell| grid.terrain(cell).weight()).collect()
    }

    fn fault(file: &[u8]) -> String {
        read(file, Rules::default()).err().unwrap().to_string()
    }

    #[test]
    fn every_weight_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        let grid = SquareGrid::from_weights(64, 4, &all, Rules::default()).ok().unwrap();
        assert_eq!(weights(&write(&grid)), all);
    }

    #[test]
    fn white_is_free_black_is_blocked_and_dark_is_heavy() {
        let rgb = [[255; 3], [0; 3], [254; 3], [1; 3], [156; 3], [255, 0, 0]].concat();
        assert_eq!(weights(&encode_rgb(6, 1, &rgb)), [1, 0, 2, 255, 100, 202]);
    }

    #[test]
    fn transparent_pixels_show_white() {
        assert_eq!(on_white(0, 0), 255);
        assert_eq!(on_white(0, 255), 0);
        assert_eq!(on_white(77, 255), 77);
        assert_eq!(on_white(0, 128), 127);
    }

    #[test]
    fn other_files_are_refused() {
        assert_eq!(fault(b""), "expected a PNG picture, found a file that does not begin like one");
        assert_eq!(fault(b"type octile"), "expected a PNG picture, found a file that does not begin like one");
        let whole = encode_rgb(3, 1, &[0; 9]);
        for length in 8..whole.len() - 12 {
            let message = fault(&whole[..length]);
            assert!(message.starts_with("expected a sound PNG picture, found "), "{length}: {message}");
        }
    }

    #[test]
    #[should_panic(expected = "as many pixels as its size says")]
    fn too_few_pixels_are_a_mistake() {
        encode_rgb(2, 2, &[0; 9]);
    }
}
