//! Small meshes in both versions, and every kind of fault.

use super::*;

/// Two triangles of a square, one that touches it in a corner, and a vertex without any.
const CORNERS: &str = "mesh\n2\n7 3\n0 0 2 0 -1\n4 0 3 1 0 -1\n4 4 4 2 -1 1 -1\n0 4 3 0 1 -1\n8 4 2 2 -1\n8 8 2 2 -1\n9 9 1 -1\n\
                       3 0 1 3 -1 -1 1\n3 1 2 3 0 -1 -1\n3 2 4 5 -1 -1 -1\n";

fn fault(text: &str) -> String {
    read(text.as_bytes()).expect_err(text).to_string()
}

/// Returns a square of two triangles as version 2, with a line replaced.
fn with(number: usize, line: &str) -> String {
    let square = "mesh\n2\n4 2\n0 0 3 0 1 -1\n4 0 2 0 -1\n4 4 3 1 0 -1\n0 4 2 1 -1\n3 0 1 2 1 -1 -1\n3 0 2 3 -1 0 -1\n";
    let lines = square.lines().enumerate();
    lines.flat_map(|(i, old)| [if i + 1 == number { line } else { old }, "\n"]).collect()
}

#[test]
fn a_square_comes_back() {
    let square = with(0, "");
    let parts = read(square.as_bytes()).unwrap();
    assert_eq!((parts.polygons(), parts.polygon(1), parts.vertices[2]), (2, &[0, 2, 3][..], [4., 4., 0.]));
    let written = write(&parts, Version::Two).unwrap();
    assert_eq!(read(written.as_bytes()), Ok(parts.clone()));
    assert_eq!(written, square);
    let written = write(&parts, Version::Three).unwrap();
    assert_eq!(written, "mesh\n3\n4 2\n0 0\n4 0\n4 4\n0 4\n1 3 1 2 3 2 0 0\n1 3 1 3 4 0 1 0\n");
    assert_eq!(read(written.as_bytes()), Ok(parts));
}

#[test]
fn fans_that_do_not_touch_are_separated() {
    let parts = read(CORNERS.as_bytes()).unwrap();
    assert_eq!(write(&parts, Version::Two).unwrap(), CORNERS);
}

#[test]
fn blocked_polygons_need_version_three() {
    let mut parts = read(with(0, "").as_bytes()).unwrap();
    parts.weights[1] = 0;
    let written = write(&parts, Version::Three).unwrap();
    assert!(written.ends_with("1 3 1 2 3 -2 0 0\n0 3 1 3 4 0 -1 0\n"), "{written}");
    assert_eq!(read(written.as_bytes()), Ok(parts.clone()));
    let refused = write(&parts, Version::Two).unwrap_err().to_string();
    assert_eq!(refused, "polygon 1 has weight 0: version 2 of the format has 1 only");
    parts.weights[1] = 7;
    assert_eq!(
        write(&parts, Version::Three).unwrap_err().to_string(),
        "polygon 1 has weight 7: version 3 of the format has 0 and 1 only"
    );
    parts.weights[1] = 1;
    parts.vertices[3][2] = 1.5;
    assert_eq!(write(&parts, Version::Two), Err(PolyanyaError::Height { vertex: 3, height: 1.5 }));
    parts.corners[2] = 9;
    let refused = write(&parts, Version::Two).unwrap_err().to_string();
    assert_eq!(refused, "the parts are no mesh: expected one of 4 vertices at corner 2, found vertex 9");
}

#[test]
fn clockwise_polygons_are_turned() {
    let parts = read(with(0, "").as_bytes()).unwrap();
    let mut turned = MeshParts { vertices: parts.vertices.clone(), ..MeshParts::default() };
    turned.push(&[0, 2, 1], 1);
    turned.push(&[0, 3, 2], 1);
    assert_eq!(write(&turned, Version::Two), write(&parts, Version::Two));
}

#[test]
fn faults_name_the_line_and_what_was_expected() {
    assert_eq!(fault("mush\n"), "1:1: expected `mesh`, found 'mush'");
    assert_eq!(fault("mesh\n1\n"), "2:1: expected version 2 or 3, found '1'");
    assert_eq!(fault("mesh\n2\n"), "3:1: expected the numbers of vertices and polygons, found end of file");
    assert_eq!(fault("mesh\n2\n4\n"), "3:2: expected a number of vertices and a number of polygons, found end of line");
    let many = "expected no more vertices and polygons than the file has room for";
    assert_eq!(fault(&with(3, "1000000000 2")), format!("3:1: {many}, found '1000000000'"));
    assert_eq!(fault(&with(3, "4 99999999999")), format!("3:3: {many}, found '99999999999'"));
    assert_eq!(fault(&with(4, "0 inf 3 0 1 -1")), "4:3: expected a finite coordinate, found 'inf'");
    assert_eq!(fault(&with(4, "0 0 3 0 2 -1")), "4:9: expected a polygon from 0 to 1 or -1, found '2'");
    assert_eq!(fault(&with(4, "0 0 4 0 1 -1")), "4:13: expected a polygon from 0 to 1 or -1, found end of line");
    assert_eq!(fault(&with(4, "0 0 3 0 1 -1 1")), "4:14: expected end of line, found '1'");
    assert_eq!(fault(&with(8, "2 0 1 1 1 -1 -1")), "8:1: expected a number of corners from 3, found '2'");
    assert_eq!(fault(&with(8, "3 0 1 4 1 -1 -1")), "8:7: expected a vertex from 0 to 3, found '4'");
    assert_eq!(fault(&with(8, "3 0 1 2 1 -2 -1")), "8:11: expected a polygon from -1 to 1, found '-2'");
    let beyond = "8: expected polygon 1 beyond the edge from vertex 2 to 0, found -1";
    assert_eq!(fault(&with(8, "3 0 1 2 -1 -1 -1")), beyond);
    let twice = "9: expected no other polygon on this side of the edge from vertex 2 to 0, found one";
    assert_eq!(fault(&with(9, "3 0 3 2 -1 -1 -1")), twice);
    let others = "5: expected the polygons that have a corner at this vertex, found others";
    assert_eq!(fault(&with(5, "4 0 2 1 -1")), others);
    assert_eq!(fault(&with(5, "4 0 1 -1")), others);
    assert_eq!(fault(&format!("{}5\n", with(0, ""))), "10:1: expected end of file, found '5'");
}

#[test]
fn walls_between_free_polygons_are_refused() {
    let square = "mesh\n3\n4 2\n0 0\n4 0\n4 4\n0 4\n1 3 1 2 3 -2 0 0\n1 3 1 3 4 0 -1 0\n";
    assert_eq!(fault(square), "8: expected no wall between two free polygons at the edge from vertex 2 to 0, found -2");
    assert!(read(square.replace("1 3 1 3", "0 3 1 3").as_bytes()).is_ok());
    let other = square.replace("-2 0 0", "2 0 1");
    assert_eq!(fault(&other), "8: expected polygon 0 beyond the edge from vertex 1 to 2, found 1");
}
