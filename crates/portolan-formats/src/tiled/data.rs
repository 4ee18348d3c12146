//! The tiles of a layer as Tiled writes them: as numbers, or packed.
//!
//! Not here: what the numbers stand for.

use crate::error::ReadError;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use flate2::read::{GzDecoder, ZlibDecoder};
use std::borrow::Cow;
use std::io::Read;

/// The numbers of tiles as the file has them.
pub(super) enum Data {
    /// One number for each cell.
    Numbers(Vec<u32>),
    /// Numbers with commas between them.
    Csv(String),
    /// Four bytes for each number, packed in this way, in base 64.
    Base64(String, Packing),
}

/// How bytes are packed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    None,
    Zlib,
    Gzip,
}

impl Data {
    /// Returns data that is text, by Tiled's words for what it is.
    pub(super) fn of(encoding: &str, compression: &str, text: String) -> Result<Data, ReadError> {
        let packing = match (encoding, compression) {
            ("csv", "") => return Ok(Data::Csv(text)),
            ("base64", "") => Packing::None,
            ("base64", "zlib") => Packing::Zlib,
            ("base64", "gzip") => Packing::Gzip,
            ("csv" | "base64", other) => {
                let expected = "tile data that is packed by zlib, gzip or not at all";
                return Err(ReadError::of_whole(expected, format!("compression {other:?}")));
            }
            (other, _) => {
                return Err(ReadError::of_whole("tile data in csv or base64", format!("encoding {other:?}")));
            }
        };
        Ok(Data::Base64(text, packing))
    }

    /// Returns the numbers, which have to be this many. No more than that are unpacked.
    pub(super) fn numbers(&self, count: usize) -> Result<Cow<'_, [u32]>, ReadError> {
        let numbers: Cow<[u32]> = match self {
            Data::Numbers(numbers) => numbers.into(),
            Data::Csv(text) => csv(text)?.into(),
            Data::Base64(text, packing) => {
                let padding = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
                let packed = GeneralPurpose::new(&STANDARD, padding).decode(text.trim_ascii());
                let packed = packed.map_err(|fault| ReadError::of_whole("tile data in base64", fault.to_string()))?;
                let bytes = unpacked(&packed, *packing, count)?;
                if bytes.len() % 4 != 0 {
                    return Err(ReadError::of_whole("four bytes for each tile", format!("{} bytes", bytes.len())));
                }
                let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
                bytes.chunks_exact(4).map(number).collect::<Vec<u32>>().into()
            }
        };
        if numbers.len() == count {
            return Ok(numbers);
        }
        let found = if numbers.len() > count { "more".to_owned() } else { numbers.len().to_string() };
        Err(ReadError::of_whole(format!("{count} tiles"), found))
    }
}

fn csv(text: &str) -> Result<Vec<u32>, ReadError> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    // Some programs write a comma behind the last number.
    let text = text.strip_suffix(',').unwrap_or(text);
    let number = |word: &str| {
        let word = word.trim_ascii();
        word.parse().map_err(|_| ReadError::of_whole("the number of a tile", format!("{word:?}")))
    };
    text.split(',').map(number).collect()
}

/// Unpacks the bytes of this many tiles, and one byte more if there are more.
fn unpacked(packed: &[u8], packing: Packing, count: usize) -> Result<Vec<u8>, ReadError> {
    let most = (count as u64).saturating_mul(4).saturating_add(4);
    let mut bytes = Vec::new();
    let read = match packing {
        Packing::None => packed.take(most).read_to_end(&mut bytes),
        Packing::Zlib => ZlibDecoder::new(packed).take(most).read_to_end(&mut bytes),
        Packing::Gzip => GzDecoder::new(packed).take(most).read_to_end(&mut bytes),
    };
    read.map_err(|fault| ReadError::of_whole("tile data that can be unpacked", fault.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    use std::io::Write;

    fn fault(data: &Data, count: usize) -> String {
        data.numbers(count).err().unwrap().to_string()
    }

    #[test]
    fn numbers_are_the_same_however_they_are_packed() {
        let numbers: [u32; 3] = [1, 0, 0xa000_0102];
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(&bytes).unwrap();
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&bytes).unwrap();
        let text = |bytes: &[u8]| format!("\n {}\n", base64::engine::general_purpose::STANDARD.encode(bytes));
        let unpadded = text(&bytes).replace('=', "");
        for (encoding, compression, text) in [
            ("csv", "", "1,0,\n2684354818\n".to_owned()),
            ("csv", "", " 1, 0, 2684354818,\n".to_owned()),
            ("base64", "", text(&bytes)),
            ("base64", "", unpadded),
            ("base64", "zlib", text(&zlib.finish().unwrap())),
            ("base64", "gzip", text(&gzip.finish().unwrap())),
        ] {
            let data = Data::of(encoding, compression, text).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(data.numbers(3).unwrap(), &numbers[..], "{encoding} {compression}");
            assert_eq!(fault(&data, 4), "expected 4 tiles, found 3");
            assert_eq!(fault(&data, 2), "expected 2 tiles, found more");
        }
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let of = |encoding, compression, text: &str| Data::of(encoding, compression, text.into());
        let refused = |encoding, compression| of(encoding, compression, "").err().unwrap().to_string();
        assert_eq!(
            refused("base64", "zstd"),
            "expected tile data that is packed by zlib, gzip or not at all, found compression \"zstd\""
        );
        assert_eq!(refused("hex", ""), "expected tile data in csv or base64, found encoding \"hex\"");
        let csv = |text| fault(&of("csv", "", text).unwrap_or_else(|fault| panic!("{fault}")), 2);
        assert_eq!(csv("1,x"), "expected the number of a tile, found \"x\"");
        assert_eq!(csv("1,-2"), "expected the number of a tile, found \"-2\"");
        assert_eq!(csv(""), "expected 2 tiles, found 0");
        let packed = |text| fault(&of("base64", "zlib", text).unwrap_or_else(|fault| panic!("{fault}")), 2);
        assert!(packed("AAAA").starts_with("expected tile data that can be unpacked, found "));
        assert!(packed("?").starts_with("expected tile data in base64, found "));
        let odd = fault(&of("base64", "", "AAAA").unwrap_or_else(|fault| panic!("{fault}")), 2);
        assert_eq!(odd, "expected four bytes for each tile, found 3 bytes");
    }

    #[test]
    fn no_more_is_unpacked_than_there_are_cells() {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(&vec![0; 1 << 24]).unwrap();
        let packed = zlib.finish().unwrap();
        assert_eq!(unpacked(&packed, Packing::Zlib, 9).unwrap().len(), 40);
    }
}
