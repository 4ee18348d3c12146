//! `.navmesh`: the parts of a navigation mesh, exactly as they are.
//!
//! This is version 1. Numbers have the least significant byte first; coordinates and costs are 64-bit floating-point numbers:
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | `89 4E 4D 45 53 48 0D 0A`, that is `\x89NMESH\r\n` |
//! | 4 | version |
//! | 8 | length of the whole file |
//! | 4 each | numbers of vertices, first corners, corners, weights and links |
//! | 24 each | vertices: x, y, z |
//! | 4 each | first corners: where the corners of each polygon begin, and at last the number of corners |
//! | 4 each | corners: vertices |
//! | 1 each | weights of polygons |
//! | 57 each | links: x, y, z of their beginning and of their end, cost, and 1 if they lead both ways, else 0 |
//! | 8 | XXH3 of everything before |
//!
//! A file is checked in this order: first bytes, version, length, checksum, then that the lists fit each other. Whether the
//! parts are a mesh, the engine finds out: see [`portolan::NavMesh::new`].
//!
//! Not here: charts of meshes.

use crate::mesh_structure;
use portolan::{MeshLink, MeshParts};
use twox_hash::XxHash3_64;

/// The version that is written and read.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"\x89NMESH\r\n";
/// Bytes up to the first vertex.
const HEADER: usize = 20 + 5 * 4;
const CHECKSUM: usize = 8;
/// Bytes of a vertex, a first corner, a corner, a weight and a link.
const SIZES: [usize; 5] = [24, 4, 4, 1, 57];

/// Why a saved mesh cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavMeshFileError {
    /// The file is no saved mesh.
    #[error("expected a saved mesh, found a file that does not begin like one")]
    NotAMesh,
    /// The file was written by an older or a newer program.
    #[error("expected version {known} of the mesh format, found version {found}; build the mesh again")]
    Version {
        /// The file's version.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// The file was cut short, or bytes were added to it, or it states numbers of parts that do not fit its length.
    #[error("expected {stated} bytes, found {actual}")]
    Length {
        /// The length that the file states, or that its numbers of parts come to, or the least length of any mesh.
        stated: u64,
        /// The length that the file has.
        actual: u64,
    },
    /// Some bytes of the file are not those that were written.
    #[error("its checksum does not hold: the file is damaged; build the mesh again")]
    Checksum,
    /// The checksum is right, but the contents are no mesh.
    #[error("expected {expected}, found {found}")]
    Malformed {
        /// What the format requires there.
        expected: String,
        /// What is there instead.
        found: String,
    },
}

/// Returns whether a file begins like one of this format.
pub fn is_navmesh(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Writes the parts of a mesh.
///
/// # Panics
/// When a list has 2³² entries or more.
pub fn write(parts: &MeshParts) -> Vec<u8> {
    let MeshParts { vertices, first_corner, corners, weights, links } = parts;
    let counts = [vertices.len(), first_corner.len(), corners.len(), weights.len(), links.len()];
    let length = length(counts.map(|count| u32::try_from(count).expect("lists have fewer than 2^32 entries")));
    let mut bytes = Vec::with_capacity(length as usize);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(counts.iter().flat_map(|&count| (count as u32).to_le_bytes()));
    bytes.extend(vertices.iter().flatten().flat_map(|coordinate| coordinate.to_le_bytes()));
    bytes.extend(first_corner.iter().chain(corners).flat_map(|number| number.to_le_bytes()));
    bytes.extend(weights);
    for MeshLink { from, to, cost, both_ways } in links {
        bytes.extend(from.iter().chain(to).chain([cost]).flat_map(|number| number.to_le_bytes()));
        bytes.push(u8::from(*both_ways));
    }
    let checksum = XxHash3_64::oneshot(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// Reads the parts of a mesh.
///
/// # Errors
/// When the bytes are no sound mesh of version [`VERSION`].
pub fn read(bytes: &[u8]) -> Result<MeshParts, NavMeshFileError> {
    if !is_navmesh(bytes) {
        return Err(NavMeshFileError::NotAMesh);
    }
    let actual = bytes.len() as u64;
    let least = (HEADER + CHECKSUM) as u64;
    let number = |at: usize| bytes.get(at..at + 4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes")));
    let found = number(8).ok_or(NavMeshFileError::Length { stated: least, actual })?;
    if found != VERSION {
        return Err(NavMeshFileError::Version { found, known: VERSION });
    }
    if actual < least {
        return Err(NavMeshFileError::Length { stated: least, actual });
    }
    let stated = u64::from_le_bytes(bytes[12..20].try_into().expect("eight bytes"));
    let counts = [0, 1, 2, 3, 4].map(|list| number(20 + 4 * list).expect("the header is there"));
    // The numbers of parts are held against the length before any memory is taken for them.
    for stated in [stated, length(counts)] {
        if stated != actual {
            return Err(NavMeshFileError::Length { stated, actual });
        }
    }
    let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
    if XxHash3_64::oneshot(body).to_le_bytes() != checksum {
        return Err(NavMeshFileError::Checksum);
    }
    let parts = parts(&body[HEADER..], counts)?;
    let sound = mesh_structure::check(&parts);
    sound.map_err(|misfit| NavMeshFileError::Malformed { expected: misfit.expected, found: misfit.found })?;
    Ok(parts)
}

/// Returns the length of a file with these numbers of parts.
fn length(counts: [u32; 5]) -> u64 {
    let lists: u64 = counts.into_iter().zip(SIZES).map(|(count, size)| u64::from(count) * size as u64).sum();
    lists + (HEADER + CHECKSUM) as u64
}

/// Returns the parts that the bytes after the header hold. There must be as many as the numbers of parts come to.
fn parts(mut bytes: &[u8], counts: [u32; 5]) -> Result<MeshParts, NavMeshFileError> {
    let lists = [0, 1, 2, 3, 4].map(|list| {
        let (taken, rest) = bytes.split_at(counts[list] as usize * SIZES[list]);
        bytes = rest;
        taken
    });
    let numbers = |bytes: &[u8]| -> Vec<u32> {
        bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
    };
    let float = |bytes: &[u8], index: usize| {
        f64::from_le_bytes(bytes[index * 8..index * 8 + 8].try_into().expect("eight bytes"))
    };
    let mut links = Vec::with_capacity(counts[4] as usize);
    for (link, bytes) in lists[4].chunks_exact(SIZES[4]).enumerate() {
        if bytes[56] > 1 {
            let expected = format!("0 or 1 at the end of link {link}");
            return Err(NavMeshFileError::Malformed { expected, found: bytes[56].to_string() });
        }
        links.push(MeshLink {
            from: [0, 1, 2].map(|axis| float(bytes, axis)),
            to: [3, 4, 5].map(|axis| float(bytes, axis)),
            cost: float(bytes, 6),
            both_ways: bytes[56] == 1,
        });
    }
    Ok(MeshParts {
        vertices: lists[0].chunks_exact(24).map(|bytes| [0, 1, 2].map(|axis| float(bytes, axis))).collect(),
        first_corner: numbers(lists[1]),
        corners: numbers(lists[2]),
        weights: lists[3].to_vec(),
        links,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> MeshParts {
        let vertices = vec![[0., 0., 0.5], [4., 0., 0.], [4., 4.25, -1.], [0., 4., 1e-300]];
        let link = MeshLink { from: [1., 1., 0.], to: [3., 3., 1.], cost: 2.5, both_ways: true };
        let mut parts =
            MeshParts { vertices, links: vec![link, MeshLink { both_ways: false, ..link }], ..MeshParts::default() };
        parts.push(&[0, 1, 2], 1);
        parts.push(&[0, 2, 3], 7);
        parts
    }

    /// Returns the bytes with some of them replaced and the checksum made right.
    fn with(at: usize, new: &[u8]) -> Vec<u8> {
        let mut bytes = write(&square());
        bytes[at..at + new.len()].copy_from_slice(new);
        let end = bytes.len() - CHECKSUM;
        let checksum = XxHash3_64::oneshot(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&checksum);
        bytes
    }

    #[test]
    fn parts_come_back_exactly() {
        assert_eq!(read(&write(&square())), Ok(square()));
        assert_eq!(read(&write(&MeshParts::default())), Ok(MeshParts::default()));
        let bytes = write(&square());
        assert_eq!(bytes.len(), HEADER + 4 * 24 + 3 * 4 + 6 * 4 + 2 + 2 * 57 + CHECKSUM);
        assert_eq!(bytes[..20], *b"\x89NMESH\r\n\x01\0\0\0\x28\x01\0\0\0\0\0\0");
    }

    #[test]
    fn faults_say_what_was_expected() {
        let fault = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert_eq!(fault(b"mesh\n2\n"), "expected a saved mesh, found a file that does not begin like one");
        assert_eq!(
            fault(&with(8, &[9])),
            "expected version 1 of the mesh format, found version 9; build the mesh again"
        );
        assert_eq!(fault(&with(12, &[9])), "expected 265 bytes, found 296");
        let whole = write(&square());
        assert_eq!(fault(&whole[..10]), "expected 48 bytes, found 10");
        assert_eq!(fault(&whole[..200]), "expected 296 bytes, found 200");
        assert_eq!(fault(&with(20, &[255; 4])), "expected 103079215280 bytes, found 296");
        let mut damaged = whole.clone();
        damaged[60] ^= 1;
        assert_eq!(fault(&damaged), "its checksum does not hold: the file is damaged; build the mesh again");
        let corners = HEADER + 4 * 24 + 3 * 4;
        assert_eq!(fault(&with(corners, &[4])), "expected one of 4 vertices at corner 0, found vertex 4");
        assert_eq!(fault(&with(corners - 4, &[5])), "expected 5 corners, found 6");
        assert_eq!(
            fault(&with(corners - 8, &[7])),
            "expected the corners of polygon 1 to end behind their beginning, found less"
        );
        assert_eq!(fault(&with(corners - 12, &[1])), "expected the first corner of polygon 0 to be 0, found 1");
        let last = whole.len() - CHECKSUM - 1;
        assert_eq!(fault(&with(last, &[2])), "expected 0 or 1 at the end of link 1, found 2");
    }
}
