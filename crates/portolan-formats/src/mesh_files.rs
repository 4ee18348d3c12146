//! Reading and writing files of geometry, of navigation meshes and of scenarios on them by path: finding out the format, then calling its module.
//!
//! Not here: what the formats look like, and files of grids.

use crate::error::{FileError, ReadError};
use crate::geometry::Geometry;
use crate::mesh_scen::MeshScenario;
use crate::polyanya::Version;
use crate::replace::replace_file;
use crate::{gltf, mesh_scen, navmesh, obj, polyanya};
use portolan::MeshParts;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The formats in which a mesh can be kept.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MeshFormat {
    /// Our own, which holds everything: [`crate::navmesh`].
    NavMesh,
    /// Polyanya's, in one of its versions, which has no heights: [`crate::polyanya`].
    Polyanya(Version),
}

/// Reads the geometry of a level: `.obj`, `.gltf` with its buffers beside it, or `.glb`.
///
/// # Errors
/// When the file or one of its buffers cannot be read, has wrong contents or an ending that belongs to no format.
pub fn read_geometry(path: &Path) -> Result<Geometry, FileError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    let bytes = || read_bytes(path);
    let read = match ending.as_deref() {
        Some("obj") => obj::read(&bytes()?),
        Some("gltf" | "glb") => gltf::read(&bytes()?, &mut |address| beside(path, address)),
        _ => return Err(FileError::UnknownGeometry { path: path.to_path_buf() }),
    };
    read.map_err(|fault| fault.in_file(path).into())
}

/// Reads the parts of a mesh in any of the formats. The format is known by the first bytes.
///
/// # Errors
/// When the file cannot be read or has wrong contents.
pub fn read_mesh(path: &Path) -> Result<MeshParts, FileError> {
    let bytes = read_bytes(path)?;
    if navmesh::is_navmesh(&bytes) {
        return navmesh::read(&bytes).map_err(|source| FileError::NavMesh { path: path.to_path_buf(), source });
    }
    if polyanya::is_polyanya(&bytes) {
        return polyanya::read(&bytes).map_err(|fault| fault.in_file(path).into());
    }
    let fault = ReadError::of_whole("a mesh: a saved one, or one that begins with `mesh`", "something else");
    Err(fault.in_file(path).into())
}

/// Reads a scenario on a mesh.
///
/// # Errors
/// When the file cannot be read or has wrong contents.
pub fn read_mesh_scenario(path: &Path) -> Result<MeshScenario, FileError> {
    mesh_scen::read(&read_bytes(path)?).map_err(|fault| fault.in_file(path).into())
}

/// Returns whether a file begins like a mesh in one of the formats; false if it cannot be read.
pub fn is_mesh(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut start));
    read.is_ok() && (navmesh::is_navmesh(&start) || polyanya::is_polyanya(&start))
}

/// Writes the geometry of a level as `.obj`.
///
/// # Errors
/// When the file cannot be written.
pub fn write_geometry(path: &Path, geometry: &Geometry) -> Result<(), FileError> {
    replace(path, obj::write(geometry).as_bytes())
}

/// Writes the parts of a mesh.
///
/// # Errors
/// When the format cannot hold all of the mesh, or the file cannot be written.
pub fn write_mesh(path: &Path, parts: &MeshParts, format: MeshFormat) -> Result<(), FileError> {
    match format {
        MeshFormat::NavMesh => replace(path, &navmesh::write(parts)),
        MeshFormat::Polyanya(version) => {
            let written = polyanya::write(parts, version);
            let text = written.map_err(|source| FileError::Polyanya { path: path.to_path_buf(), source })?;
            replace(path, text.as_bytes())
        }
    }
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(|source| FileError::Io { path: path.to_path_buf(), source })
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    replace_file(path, bytes).map_err(|source| FileError::Io { path: path.to_path_buf(), source })
}

/// Returns the bytes of a file in the folder of another or below it, or why they cannot be had.
fn beside(path: &Path, address: &str) -> Result<Vec<u8>, String> {
    let name = decoded(address).ok_or_else(|| format!("the address '{address}'"))?;
    let is_below =
        PathBuf::from(&name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_below || name.contains([':', '\\']) {
        return Err(format!("'{name}', which is not a file in its folder or below it"));
    }
    fs::read(path.with_file_name(&name)).map_err(|fault| format!("'{name}': {fault}"))
}

/// Returns an address with every `%` and the two digits after it replaced by what they stand for.
fn decoded(address: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push((high * 16 + low) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_decoded_and_stay_in_their_folder() {
        assert_eq!(decoded("a%20b.bin"), Some("a b.bin".into()));
        assert_eq!([decoded("a%2"), decoded("%zz"), decoded("%ff")], [None, None, None]);
        for address in ["../a", "/etc/passwd", "a/../../b", "file:a", "c:\\a", "%2e%2e/a"] {
            let refused = beside(Path::new("folder/level.gltf"), address).unwrap_err();
            assert!(refused.ends_with("which is not a file in its folder or below it"), "{refused}");
        }
    }
}
