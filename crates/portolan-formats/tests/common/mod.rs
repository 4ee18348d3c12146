//! What several tests use: a comparison of worlds, and PNG files put together byte by byte, which may have any header,
//! be interlaced, or hold wrong data with right checksums.
#![allow(dead_code, reason = "each test uses its part")]

use portolan::any::AnySnapshot;
use portolan::{Border, Cell, Cost, Side, SquareGrid};

/// Width, height and weights of a world, to compare it with another.
pub(crate) type Cells = (usize, usize, Vec<u8>);

pub(crate) fn cells(grid: &SquareGrid) -> Cells {
    let weights = grid.cells().map(|cell| grid.terrain(cell).weight()).collect();
    (grid.width(), grid.height(), weights)
}

/// The kinds of ground, borders and links of a world, to compare it with another.
pub(crate) type Besides = (Vec<u8>, Vec<(Cell, Side, Border)>, Vec<(Cell, Cell, Cost)>);

pub(crate) fn besides(world: impl Into<AnySnapshot>) -> Besides {
    let world = world.into();
    (world.to_kinds(), world.borders().collect(), world.links().collect())
}

/// The header fields of a PNG file that matter here.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Header {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) depth: u8,
    pub(crate) color: u8,
    pub(crate) interlaced: bool,
}

/// Returns a PNG file with these extra chunks and this image data, which is stored without compression.
pub(crate) fn png(header: Header, chunks: &[(&[u8; 4], &[u8])], data: &[u8]) -> Vec<u8> {
    let mut start = [header.width.to_be_bytes(), header.height.to_be_bytes()].concat();
    start.extend([header.depth, header.color, 0, 0, u8::from(header.interlaced)]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    push_chunk(&mut file, *b"IHDR", &start);
    for (kind, content) in chunks {
        push_chunk(&mut file, **kind, content);
    }
    push_chunk(&mut file, *b"IDAT", &stored(data));
    push_chunk(&mut file, *b"IEND", &[]);
    file
}

fn push_chunk(file: &mut Vec<u8>, kind: [u8; 4], content: &[u8]) {
    let body = [&kind, content].concat();
    file.extend((content.len() as u32).to_be_bytes());
    file.extend(&body);
    let crc = !body.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    });
    file.extend(crc.to_be_bytes());
}

/// Returns the data as a zlib stream of blocks that are stored without compression.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x78, 0x01];
    for block in data.chunks(0xffff) {
        let length = block.len() as u16;
        packed.push(0);
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(block);
    }
    packed.extend([1, 0, 0, 0xff, 0xff]);
    let (a, b) = data.iter().fold((1, 0), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65_521;
        (a, (a + b) % 65_521)
    });
    packed.extend((b << 16 | a).to_be_bytes());
    packed
}
