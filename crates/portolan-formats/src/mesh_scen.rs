//! Scenarios on navigation meshes: queries between points, with lengths that are known for them.
//!
//! The lines are those of [`crate::scen`], version 1, with points instead of cells: bucket, mesh, width and height of what
//! the mesh was made from, start x, start y, goal x, goal y, length. Numbers may have fractions and may be negative, except
//! that width, height and length are 0 or more. Heights of points are not kept.
//!
//! The length is what the file's author measured. Files that were made for a grid state the length on that grid, which is
//! an upper bound on the mesh.
//!
//! Not here: scenarios on grids, and finding the meshes that are named.

use crate::error::ReadError;
use crate::scen::{nine, read_version};
use crate::text::{Line, Lines};
use std::fmt::Write;

/// The queries of a file, in their order in the file.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct MeshScenario {
    /// The queries.
    pub queries: Vec<MeshScenQuery>,
}

/// A query between two points, and its stated length.
#[derive(Clone, PartialEq, Debug)]
pub struct MeshScenQuery {
    /// The group of queries of similar length to which it belongs.
    pub bucket: u32,
    /// The mesh or map as the file names it. It has no tabs or line ends.
    pub mesh: String,
    /// Width and height of what the mesh was made from, each finite and not negative.
    pub size: [f64; 2],
    /// Start in the plan of the mesh, finite.
    pub from: [f64; 2],
    /// Goal in the plan of the mesh, finite.
    pub to: [f64; 2],
    /// The stated length: finite, not negative.
    pub length: f64,
}

/// Reads a scenario.
///
/// # Errors
/// When the version is not 1, a line does not have nine fields, or a field is not a number in its range.
pub fn read(bytes: &[u8]) -> Result<MeshScenario, ReadError> {
    let mut lines = Lines::new(bytes);
    read_version(&mut lines, "1")?;
    let queries = lines.filter(|line| line.fields().next().is_some()).map(read_query).collect::<Result<_, _>>()?;
    Ok(MeshScenario { queries })
}

/// Writes a scenario. Numbers have enough digits to be read back exactly.
pub fn write(scenario: &MeshScenario) -> String {
    let mut text = String::from("version 1\n");
    for MeshScenQuery { bucket, mesh, size, from, to, length } in &scenario.queries {
        let _ = write!(text, "{bucket}\t{mesh}");
        for number in [size, from, to].into_iter().flatten() {
            let _ = write!(text, "\t{number}");
        }
        let _ = writeln!(text, "\t{length}");
    }
    text
}

fn read_query(line: Line) -> Result<MeshScenQuery, ReadError> {
    let fields = nine(line.tabbed_fields()).or_else(|| nine(line.fields()));
    let Some([bucket, mesh, width, height, sx, sy, gx, gy, length]) = fields else {
        let expected = "bucket, mesh, width, height, start x, start y, goal x, goal y and length";
        let found = format!("{} fields", line.fields().count());
        return Err(ReadError { found, ..line.at(0).fault(expected) });
    };
    let is_length = |length: &f64| length.is_finite() && *length >= 0.0;
    let is_coordinate = |at: &f64| at.is_finite();
    let point = [sx, sy, gx, gy].map(|field| field.parse(is_coordinate, "a coordinate"));
    let size = [width, height].map(|field| field.parse(is_length, "a size, 0 or more"));
    let (bucket, mesh) = (bucket.parse(|_| true, "a bucket's number")?, mesh.name("a mesh's name")?);
    let [width, height] = size;
    let size = [width?, height?];
    let [sx, sy, gx, gy] = point;
    let (from, to) = ([sx?, sy?], [gx?, gy?]);
    Ok(MeshScenQuery { bucket, mesh, size, from, to, length: length.parse(is_length, "a length, 0 or more")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "version 1\n2\ta b.mesh\t224\t238.5\t-73.0625\t-4\t0\t90.8125\t0.1767766952966\n";

    fn fault(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn fields_are_read_in_order() {
        let query = MeshScenQuery {
            bucket: 2,
            mesh: "a b.mesh".into(),
            size: [224.0, 238.5],
            from: [-73.0625, -4.0],
            to: [0.0, 90.8125],
            length: 0.176_776_695_296_6,
        };
        let scenario = MeshScenario { queries: vec![query] };
        assert_eq!(read(SMALL.as_bytes()).unwrap(), scenario);
        assert_eq!(write(&scenario), SMALL);
        let tidy = SMALL.replace("a b", "a");
        let untidy = tidy.replace('\t', "  ").replace('\n', "\r\n\r\n");
        assert_eq!(read(untidy.as_bytes()), read(tidy.as_bytes()));
    }

    #[test]
    fn faults_are_told_by_place() {
        assert_eq!(fault("version 2\n"), "1:9: expected `version 1`, found '2'");
        assert_eq!(
            fault("version 1\n0 a.mesh 1 1 0 0 1 1"),
            "2:1: expected bucket, mesh, width, height, start x, start y, goal x, goal y and length, found 8 fields"
        );
        for (right, wrong, message) in [
            ("2\ta", "x\ta", "2:1: expected a bucket's number, found 'x'"),
            ("a b.mesh", " ", "2:4: expected a mesh's name, found end of line"),
            ("\t224\t", "\t-1\t", "2:12: expected a size, 0 or more, found '-1'"),
            ("-73.0625", "inf", "2:22: expected a coordinate, found 'inf'"),
            ("90.8125", "NaN", "2:36: expected a coordinate, found 'NaN'"),
            ("0.1767766952966", "-1", "2:44: expected a length, 0 or more, found '-1'"),
        ] {
            assert_eq!(fault(&SMALL.replace(right, wrong)), message);
        }
    }
}
