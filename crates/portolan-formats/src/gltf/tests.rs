//! Small scenes in all forms, and faults.

use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Returns the bytes of a square: four positions and six indices of 16 bits.
fn square() -> Vec<u8> {
    let positions = [[0_f32, 0., 0.], [0., 0., 2.], [2., 0., 2.], [2., 0., 0.]];
    let indices = [0_u16, 1, 2, 0, 2, 3];
    let positions = positions.iter().flatten().flat_map(|number| number.to_le_bytes());
    positions.chain(indices.iter().flat_map(|number| number.to_le_bytes())).collect()
}

/// Returns the description of a scene with the square in it. `buffer` says where its bytes are.
fn scene(buffer: &str, nodes: &str, mode: u8) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": [{nodes}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1, "mode": {mode}}}]}}],
        "accessors": [
            {{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [2, 0, 2]}},
            {{"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 48}}, {{"buffer": 0, "byteOffset": 48, "byteLength": 12}}],
        "buffers": [{{{buffer}"byteLength": 60}}]}}"#
    )
}

fn embedded_square() -> String {
    format!(r#""uri": "data:application/octet-stream;base64,{}", "#, STANDARD.encode(square()))
}

fn none(_: &str) -> Result<Vec<u8>, String> {
    Err("no such file".into())
}

fn fault(text: &str) -> String {
    read(text.as_bytes(), &mut none).expect_err(text).to_string()
}

/// Returns a `.glb` with this description and the bytes of the square.
fn glb(text: &str) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    text.resize(text.len().next_multiple_of(4), b' ');
    let data = square();
    let length = 12 + 8 + text.len() + 8 + data.len();
    let number = |number: usize| (number as u32).to_le_bytes();
    let parts: [&[u8]; 9] = [
        b"glTF",
        &number(2),
        &number(length),
        &number(text.len()),
        b"JSON",
        &text,
        &number(data.len()),
        b"BIN\0",
        &data,
    ];
    parts.concat()
}

#[test]
fn buffers_may_be_anywhere() {
    let plain = r#"{"mesh": 0}"#;
    let inside = read(scene(&embedded_square(), plain, 4).as_bytes(), &mut none).unwrap();
    let vertices = vec![[0., 0., 0.], [0., 0., 2.], [2., 0., 2.], [2., 0., 0.]];
    assert_eq!(inside, Geometry { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] });
    let mut asked = Vec::new();
    let mut load = |name: &str| {
        asked.push(name.to_owned());
        Ok(square())
    };
    let beside = read(scene(r#""uri": "a%20b.bin", "#, plain, 4).as_bytes(), &mut load).unwrap();
    assert_eq!((beside, asked), (inside.clone(), vec!["a%20b.bin".to_owned()]));
    assert_eq!(read(&glb(&scene("", plain, 4)), &mut none), Ok(inside));
}

#[test]
fn nodes_move_turn_and_mirror_what_they_hold() {
    let nodes = r#"{"children": [1, 2], "translation": [10, 0, 0]}, {"mesh": 0, "scale": [2, 1, 1]},
        {"mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1]}"#;
    let geometry = read(scene(&embedded_square(), nodes, 4).as_bytes(), &mut none).unwrap();
    let first = [[10., 0., 0.], [10., 0., 2.], [14., 0., 2.], [14., 0., 0.]];
    let second = [[10., 5., 0.], [10., 5., 2.], [8., 5., 2.], [8., 5., 0.]];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]];
    assert_eq!(geometry, Geometry { vertices: [first, second].concat(), triangles });
}

#[test]
fn strips_and_fans_are_triangles_too() {
    let corners =
        |mode: u8| read(scene(&embedded_square(), r#"{"mesh": 0}"#, mode).as_bytes(), &mut none).map(|g| g.triangles);
    assert_eq!(corners(5).unwrap(), [[0, 1, 2], [1, 0, 2], [2, 0, 2], [0, 3, 2]]);
    assert_eq!(corners(6).unwrap(), [[1, 2, 0], [2, 0, 0], [0, 2, 0], [2, 3, 0]]);
    assert_eq!(corners(1).unwrap_err().to_string(), "expected at least one triangle, found none");
}

#[test]
fn faults_say_what_was_expected() {
    let plain = r#"{"mesh": 0}"#;
    assert!(fault("{\n\"asset\": 7}").starts_with("2:10: expected a description as glTF 2 has it, found "));
    let missing = fault(&scene(r#""uri": "a.bin", "#, plain, 4));
    assert_eq!(missing, "expected the bytes of buffer 0, found no such file in mesh 0, primitive 0");
    assert_eq!(
        fault(&scene("", plain, 4)),
        "expected a second part with the bytes of buffer 0, found none in mesh 0, primitive 0"
    );
    let short = scene(&embedded_square(), plain, 4).replace("\"byteLength\": 60", "\"byteLength\": 61");
    assert_eq!(fault(&short), "expected 61 bytes in buffer 0, found 60 in mesh 0, primitive 0");
    let long = scene(&embedded_square(), plain, 4).replace("\"count\": 6", "\"count\": 7");
    assert_eq!(fault(&long), "expected at most 12 bytes in accessor 1, found 14 in mesh 0, primitive 0");
    let many = scene(&embedded_square(), plain, 4).replace("\"count\": 6", "\"count\": 6000000000");
    assert_eq!(fault(&many), "expected at most 16777216 triangles, found more in mesh 0, primitive 0");
    let other = scene(&embedded_square(), plain, 4).replace("5123", "5122");
    assert_eq!(fault(&other), "expected whole numbers in accessor 1, found numbers of type I16 in mesh 0, primitive 0");
    let tangled = scene(&embedded_square(), r#"{"children": [1]}, {"children": [0]}"#, 4);
    assert_eq!(fault(&tangled), "expected nodes that have one parent each, found several of node 0");
    let missing = scene(&embedded_square(), plain, 4).replace("\"POSITION\": 0", "\"POSITION\": 2");
    assert_eq!(fault(&missing), "expected one of 2 accessors, found accessor 2 in mesh 0");
    let data = scene(r#""uri": "data:;base64,???", "#, plain, 4);
    assert!(fault(&data).starts_with("expected the bytes of buffer 0, found data that is not in base 64: "));
    let mut wrong = square();
    wrong[48] = 4;
    let wrong = scene(&format!(r#""uri": "data:;base64,{}", "#, STANDARD.encode(wrong)), plain, 4);
    assert_eq!(fault(&wrong), "expected one of 4 vertices, found vertex 4 in mesh 0, primitive 0");
}
