//! Files of geometry and of navigation meshes: real ones come back unchanged, damaged ones are refused without a panic.
//!
//! Real ones are looked for in the folder `mesh` of the one that `PORTOLAN_MAPS` names, or else of `../shared/maps` beside
//! the repository.

use portolan::generate::Random;
use portolan::{MeshLink, MeshParts, NavMesh};
use portolan_formats::polyanya::Version;
use portolan_formats::{
    FileError, Geometry, MeshFormat, gltf, is_mesh, navmesh, obj, polyanya, read_geometry, read_mesh, write_geometry,
    write_mesh,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the bytes of a real file, or prints that it is not there and returns `None`.
fn real(name: &str) -> Option<Vec<u8>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let path = std::env::var_os("PORTOLAN_MAPS").map_or_else(beside, PathBuf::from).join("mesh").join(name);
    let bytes = fs::read(&path).ok();
    if bytes.is_none() {
        println!("skipped: no file at {}; PORTOLAN_MAPS can name the folder", path.display());
    }
    bytes
}

/// Returns the lines of a text without blanks at their ends.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).collect()
}

/// Returns whether two lists are equal if one is turned around.
fn is_rotation(a: &[&str], b: &[&str]) -> bool {
    a.len() == b.len() && (0..a.len().max(1)).any(|by| (0..a.len()).all(|i| a[i] == b[(i + by) % b.len()]))
}

#[test]
fn published_meshes_of_version_two_come_back_line_by_line() {
    for (name, vertices, polygons) in
        [("arena", 112, 120), ("arena-merged", 112, 55), ("aurora", 34_707, 34_816), ("aurora-merged", 34_707, 19_244)]
    {
        let Some(bytes) = real(&format!("{name}.mesh")) else { continue };
        let parts = polyanya::read(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!((parts.vertices.len(), parts.polygons()), (vertices, polygons), "{name}");
        NavMesh::new(&parts).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let text = String::from_utf8(bytes).unwrap();
        let written = polyanya::write(&parts, Version::Two).unwrap();
        let (old, new) = (lines(&text), lines(&written));
        assert_eq!(old.len(), new.len(), "{name}");
        for (number, (old, new)) in (1..).zip(old.into_iter().zip(new)) {
            let (old, new): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
            if (4..4 + vertices).contains(&number) {
                assert!(old[..3] == new[..3] && is_rotation(&old[3..], &new[3..]), "{name}:{number}: {old:?}, {new:?}");
            } else {
                assert_eq!(old, new, "{name}:{number}");
            }
        }
    }
}

#[test]
fn the_published_mesh_of_version_three_comes_back() {
    let Some(bytes) = real("scene_mp_2p_01.mesh") else { return };
    let parts = polyanya::read(&bytes).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!((parts.vertices.len(), parts.polygons()), (4150, 8294));
    assert_eq!(parts.weights.iter().map(|&weight| u32::from(weight)).sum::<u32>(), 3860);
    NavMesh::new(&parts).unwrap_or_else(|fault| panic!("{fault}"));
    let written = polyanya::write(&parts, Version::Three).unwrap();
    assert_eq!(polyanya::read(written.as_bytes()), Ok(parts));
    // Between two blocked polygons an edge may be a wall or not, which is not kept.
    let text = String::from_utf8(bytes).unwrap().replace(" -", " ");
    let written = written.replace(" -", " ");
    for (number, (old, new)) in (1..).zip(lines(&text).into_iter().zip(lines(&written))).skip(3 + 4150) {
        assert_eq!(old, new, "line {number}");
    }
}

#[test]
fn real_levels_come_back() {
    for (name, triangles) in [("dungeon", 10_133), ("nav_test", 1_612), ("undulating", 5_202)] {
        let Some(bytes) = real(&format!("{name}.obj")) else { continue };
        let geometry = obj::read(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(geometry.triangles.len(), triangles, "{name}");
        assert_eq!(obj::read(obj::write(&geometry).as_bytes()), Ok(geometry), "{name}");
    }
}

/// Returns a mesh of squares with some left out or blocked, and some links.
fn squares(random: &mut Random) -> MeshParts {
    let side = random.between(1, 5) as u32;
    let corner = |x: u32, y: u32| y * (side + 1) + x;
    let mut parts = MeshParts::default();
    parts.vertices.extend((0..=side).flat_map(|y| (0..=side).map(move |x| [f64::from(x), f64::from(y) / 3., 0.])));
    for y in 0..side {
        for x in 0..side {
            if random.chance(80) {
                let corners = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
                parts.push(&corners, u8::from(random.chance(85)));
            }
        }
    }
    parts
}

/// Damages bytes: some are changed, or a piece is taken out or doubled.
fn damage(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    const TELLING: &[u8] = b"0123456789-. \n\r#/vfemshniaNT\x00\xff\x7f\x80";
    let mut damaged = bytes.to_vec();
    let place = |random: &mut Random| random.below(bytes.len() as u64 + 1) as usize;
    match random.below(5) {
        0 => damaged.truncate(place(random)),
        1 => {
            let (a, b) = (place(random), place(random));
            damaged.drain(a.min(b)..a.max(b));
        }
        2 => {
            let (a, b) = (place(random), place(random));
            let piece = bytes[a.min(b)..a.max(b)].to_vec();
            damaged.splice(a..a, piece);
        }
        _ => {
            for _ in 0..random.between(1, 4) {
                let at = random.below(bytes.len() as u64) as usize;
                let telling = TELLING[random.below(TELLING.len() as u64) as usize];
                damaged[at] = if random.chance(70) { telling } else { random.bits() as u8 };
            }
        }
    }
    damaged
}

#[test]
fn damaged_meshes_of_both_versions_are_refused_or_come_back() {
    let mut random = Random::new(1);
    let (mut sound, mut refused) = (0, 0);
    for round in 0..6000 {
        let mut parts = squares(&mut random);
        let version = if round % 2 == 0 { Version::Three } else { Version::Two };
        if version == Version::Two {
            parts.weights.fill(1);
        }
        let written = polyanya::write(&parts, version).unwrap();
        assert_eq!(polyanya::read(written.as_bytes()).map(|read| read.corners), Ok(parts.corners));
        match polyanya::read(&damage(written.as_bytes(), &mut random)) {
            Ok(parts) => {
                sound += 1;
                let _ = NavMesh::new(&parts);
                let again = polyanya::write(&parts, Version::Three).unwrap();
                let again = polyanya::read(again.as_bytes()).unwrap();
                assert_eq!((again.vertices, again.weights), (parts.vertices, parts.weights));
            }
            Err(fault) => {
                refused += 1;
                assert!(fault.line > 0 || !fault.expected.is_empty(), "{fault}");
            }
        }
    }
    println!("{sound} sound, {refused} refused");
    assert!(sound > 100 && refused > 1000);
}

#[test]
fn damaged_geometry_is_refused_or_comes_back() {
    let small = "# a\nmtllib x.mtl\nv 0 0 0\nv 1 0 0.5\nv 1 2e1 1\nv 0 -1 1\nvt 0 0\nvn 0 1 0\ng a\nf 1/1/1 2//1 3/1\nf 1 2 3 4\nf -1 -2 -3\n";
    let mut random = Random::new(2);
    let (mut sound, mut refused) = (0, 0);
    for _ in 0..6000 {
        match obj::read(&damage(small.as_bytes(), &mut random)) {
            Ok(geometry) => {
                sound += 1;
                assert_eq!(obj::read(obj::write(&geometry).as_bytes()), Ok(geometry));
            }
            Err(fault) => {
                refused += 1;
                assert!(fault.line > 0, "{fault}");
            }
        }
    }
    println!("{sound} sound, {refused} refused");
    assert!(sound > 100 && refused > 1000);
}

#[test]
fn damaged_saved_meshes_are_refused() {
    let mut random = Random::new(3);
    for _ in 0..6000 {
        let mut parts = squares(&mut random);
        let link = MeshLink { from: [0.; 3], to: [1., 0.2, 0.], cost: 2., both_ways: random.chance(50) };
        parts.links.resize(random.between(0, 2), link);
        let written = navmesh::write(&parts);
        assert_eq!(navmesh::read(&written).as_ref(), Ok(&parts));
        let damaged = damage(&written, &mut random);
        assert_eq!(navmesh::read(&damaged).is_ok(), damaged == written);
    }
}

#[test]
fn saved_meshes_with_a_right_checksum_and_wrong_contents_do_not_panic() {
    let mut random = Random::new(4);
    let (mut sound, mut refused) = (0, 0);
    for _ in 0..6000 {
        let mut written = navmesh::write(&squares(&mut random));
        let end = written.len() - 8;
        for _ in 0..random.between(1, 3) {
            let at = random.between(12, end - 1);
            written[at] = if random.chance(50) { random.below(8) as u8 } else { random.bits() as u8 };
        }
        let checksum = twox_hash::XxHash3_64::oneshot(&written[..end]).to_le_bytes();
        written[end..].copy_from_slice(&checksum);
        match navmesh::read(&written) {
            Ok(parts) => {
                sound += 1;
                let _ = NavMesh::new(&parts);
                assert!((0..parts.polygons()).all(|polygon| parts.polygon(polygon).len() < written.len()));
            }
            Err(_) => refused += 1,
        }
    }
    println!("{sound} sound, {refused} refused");
    assert!(sound > 100 && refused > 1000);
}

/// Returns a small scene: one mesh of two triangles that two nodes use. `place` says where the bytes of its buffer are.
fn scene(place: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,2]}}],
        "nodes":[{{"children":[1],"translation":[1,2,3]}},{{"mesh":0,"rotation":[0,0,0,1]}},{{"mesh":0,"scale":[1,2,-1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":4}},{{"attributes":{{"POSITION":0}},"mode":5}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[2,0,2]}},
        {{"bufferView":1,"byteOffset":0,"componentType":5123,"count":6,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":48,"byteStride":12}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],
        "buffers":[{{{place}"byteLength":60}}]}}"#
    )
}

/// The bytes of the scene's buffer.
fn scene_bytes() -> Vec<u8> {
    let positions = [0_f32, 0., 0., 0., 0., 2., 2., 0., 2., 2., 0., 0.];
    let indices = [0_u16, 1, 2, 0, 2, 3];
    let positions = positions.iter().flat_map(|number| number.to_le_bytes());
    positions.chain(indices.iter().flat_map(|number| number.to_le_bytes())).collect()
}

/// Returns the scene as one file of two parts.
fn scene_in_parts() -> Vec<u8> {
    let (text, data) = (scene(""), scene_bytes());
    let text = format!("{text:width$}", width = text.len().next_multiple_of(4));
    let number = |number: usize| (number as u32).to_le_bytes();
    let length = number(28 + text.len() + data.len());
    let head: [&[u8]; 5] = [b"glTF", &number(2), &length, &number(text.len()), b"JSON"];
    let rest: [&[u8]; 4] = [text.as_bytes(), &number(data.len()), b"BIN\0", &data];
    [head.concat(), rest.concat()].concat()
}

#[test]
fn damaged_scenes_are_refused_or_sound() {
    let mut random = Random::new(5);
    let mut load = |_: &str| Ok(scene_bytes());
    let files = [scene(r#""uri":"a.bin","#).into_bytes(), scene_in_parts()];
    let whole = gltf::read(&files[0], &mut load).unwrap();
    assert_eq!((whole.vertices.len(), whole.triangles.len()), (16, 8));
    assert_eq!(gltf::read(&files[1], &mut load), Ok(whole));
    let (mut sound, mut refused) = (0, 0);
    for round in 0..12_000 {
        match gltf::read(&damage(&files[round % 2], &mut random), &mut load) {
            Ok(Geometry { vertices, triangles }) => {
                sound += 1;
                assert!(triangles.iter().flatten().all(|&vertex| (vertex as usize) < vertices.len()));
                assert!(vertices.iter().flatten().all(|coordinate| coordinate.is_finite()));
            }
            Err(_) => refused += 1,
        }
    }
    println!("{sound} sound, {refused} refused");
    assert!(sound > 100 && refused > 1000);
}

#[test]
fn files_are_known_by_their_names_or_first_bytes() {
    let folder = std::env::temp_dir().join(format!("portolan-meshes-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name);
    fs::write(path("a b.bin"), scene_bytes()).unwrap();
    fs::write(path("level.gltf"), scene(r#""uri":"a%20b.bin","#)).unwrap();
    fs::write(path("level.GLB"), scene_in_parts()).unwrap();
    let geometry = read_geometry(&path("level.gltf")).unwrap();
    assert_eq!(read_geometry(&path("level.GLB")).unwrap(), geometry);
    write_geometry(&path("level.obj"), &geometry).unwrap();
    assert_eq!(read_geometry(&path("level.obj")).unwrap(), geometry);
    assert!(matches!(read_geometry(&path("a b.bin")), Err(FileError::UnknownGeometry { .. })));
    assert!(matches!(read_geometry(&path("none.obj")), Err(FileError::Io { .. })));

    let mut parts = squares(&mut Random::new(9));
    for format in [MeshFormat::NavMesh, MeshFormat::Polyanya(Version::Three)] {
        write_mesh(&path("level.mesh"), &parts, format).unwrap();
        assert!(is_mesh(&path("level.mesh")));
        assert_eq!(read_mesh(&path("level.mesh")).unwrap().corners, parts.corners, "{format:?}");
    }
    parts.vertices[0][2] = 1.;
    let refused = write_mesh(&path("level.mesh"), &parts, MeshFormat::Polyanya(Version::Two));
    assert!(matches!(refused, Err(FileError::Polyanya { .. })));
    assert!(!is_mesh(&path("level.obj")) && !is_mesh(&path("none.mesh")));
    let refused = read_mesh(&path("level.obj")).unwrap_err().to_string();
    assert!(
        refused.ends_with("expected a mesh: a saved one, or one that begins with `mesh`, found something else"),
        "{refused}"
    );
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn promises_of_a_thousand_million_parts_are_refused_before_memory_is_taken() {
    let saved = {
        let mut bytes = navmesh::write(&MeshParts::default());
        bytes[20..24].copy_from_slice(&1_000_000_000_u32.to_le_bytes());
        bytes
    };
    let many = scene(r#""uri":"a.bin","#).replace("\"count\":4", "\"count\":16000000");
    let longer = many.replace("\"byteLength\":48", "\"byteLength\":1000000000").replace(":60", ":1000000000");
    let reads: [(&str, &dyn Fn() -> bool); 6] = [
        ("vertices", &|| polyanya::read(b"mesh\n2\n1000000000 1\n").is_err()),
        ("polygons", &|| polyanya::read(b"mesh\n3\n1 1000000000\n0 0\n").is_err()),
        ("corners", &|| polyanya::read(b"mesh\n3\n1 1\n0 0\n1 1000000000 1\n").is_err()),
        ("saved", &|| navmesh::read(&saved).is_err()),
        ("elements", &|| gltf::read(many.as_bytes(), &mut |_| Ok(scene_bytes())).is_err()),
        ("bytes", &|| gltf::read(longer.as_bytes(), &mut |_| Ok(scene_bytes())).is_err()),
    ];
    for (name, read) in reads {
        let mut is_refused = false;
        let taken = allocation_counter::measure(|| is_refused = read());
        assert!(is_refused && taken.bytes_max < 100_000, "{name}: {} bytes", taken.bytes_max);
    }
}
