//! The bytes that a glTF description refers to, and the lists of numbers in them.
//!
//! Not here: what the numbers are for.

use crate::error::ReadError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::Accessor;
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::{Buffer, Source};
use std::collections::HashMap;

/// Buffers, loaded when they are first asked for.
pub(super) struct Buffers<'a> {
    /// The second part of a `.glb`.
    blob: Option<&'a [u8]>,
    load: &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    /// What has been loaded, by the address in the description.
    loaded: HashMap<String, Vec<u8>>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(blob: Option<&'a [u8]>, load: &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> Buffers<'a> {
        Buffers { blob, load, loaded: HashMap::new() }
    }

    /// Returns the bytes of a buffer: at least as many as the description states.
    fn bytes(&mut self, buffer: &Buffer) -> Result<&[u8], ReadError> {
        let number = buffer.index();
        let bytes = match buffer.source() {
            Source::Bin => self.blob.ok_or_else(|| {
                ReadError::of_whole(format!("a second part with the bytes of buffer {number}"), "none")
            })?,
            Source::Uri(address) => {
                if !self.loaded.contains_key(address) {
                    let bytes = match address.strip_prefix("data:") {
                        Some(data) => embedded(data),
                        None => (self.load)(address),
                    };
                    let expected = || format!("the bytes of buffer {number}");
                    let bytes = bytes.map_err(|found| ReadError::of_whole(expected(), found))?;
                    self.loaded.insert(address.to_owned(), bytes);
                }
                &self.loaded[address]
            }
        };
        let [stated, found] = [buffer.length(), bytes.len()];
        if stated > found {
            let expected = format!("{stated} bytes in buffer {number}");
            return Err(ReadError::of_whole(expected, found.to_string()));
        }
        Ok(bytes)
    }
}

/// Returns the bytes that the rest of a `data:` address stands for.
fn embedded(data: &str) -> Result<Vec<u8>, String> {
    let (kind, text) = data.split_once(',').ok_or("a data address without a comma")?;
    if !kind.ends_with(";base64") {
        return Err("data that is not in base 64".into());
    }
    STANDARD.decode(text).map_err(|fault| format!("data that is not in base 64: {fault}"))
}

/// Returns a list of positions.
pub(super) fn positions(accessor: &Accessor, buffers: &mut Buffers) -> Result<Vec<[f32; 3]>, ReadError> {
    let elements = Elements::of(accessor, DataType::F32, Dimensions::Vec3, buffers)?;
    let float = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("four bytes"));
    Ok(elements.iter().map(|bytes| [float(&bytes[..4]), float(&bytes[4..8]), float(&bytes[8..12])]).collect())
}

/// Returns a list of whole numbers.
pub(super) fn numbers(accessor: &Accessor, buffers: &mut Buffers) -> Result<Vec<u32>, ReadError> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
    match accessor.data_type() {
        kind @ (DataType::U8 | DataType::U16 | DataType::U32) => {
            Ok(Elements::of(accessor, kind, Dimensions::Scalar, buffers)?.iter().map(number).collect())
        }
        other => Err(ReadError::of_whole(
            format!("whole numbers in accessor {}", accessor.index()),
            format!("numbers of type {other:?}"),
        )),
    }
}

/// The elements of an accessor as bytes.
struct Elements<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
    count: usize,
}

impl<'a> Elements<'a> {
    /// Returns the elements, which must be of this type and lie within their buffer.
    fn of(
        accessor: &Accessor,
        kind: DataType,
        dimensions: Dimensions,
        buffers: &'a mut Buffers,
    ) -> Result<Elements<'a>, ReadError> {
        let name = format!("accessor {}", accessor.index());
        let fault = |expected: &str, found: String| ReadError::of_whole(format!("{expected} in {name}"), found);
        if (accessor.data_type(), accessor.dimensions()) != (kind, dimensions) {
            let found = format!("{:?} of {:?}", accessor.dimensions(), accessor.data_type());
            return Err(fault(&format!("{dimensions:?} of {kind:?}"), found));
        }
        if accessor.sparse().is_some() {
            return Err(fault("a plain list", "a sparse one".into()));
        }
        let view = accessor.view().ok_or_else(|| fault("a view of a buffer", "none".into()))?;
        let (size, count) = (accessor.size(), accessor.count());
        let stride = view.stride().unwrap_or(size);
        if stride < size {
            return Err(fault(&format!("a stride of {size} bytes or more"), stride.to_string()));
        }
        // All numbers come from the file, so that sums are made in a wider type.
        let needed = if count == 0 { 0 } else { (count as u128 - 1) * stride as u128 + size as u128 };
        let start = view.offset() as u128 + accessor.offset() as u128;
        let bytes = buffers.bytes(&view.buffer())?;
        let ends = [(accessor.offset() as u128 + needed, view.length() as u128), (start + needed, bytes.len() as u128)];
        for (end, most) in ends {
            if end > most {
                return Err(fault(&format!("at most {most} bytes"), end.to_string()));
            }
        }
        let range = start as usize..(start + needed) as usize;
        Ok(Elements { bytes: &bytes[range], stride, size, count })
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count).map(|i| &self.bytes[i * self.stride..i * self.stride + self.size])
    }
}
