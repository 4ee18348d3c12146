//! `.scen` version 1: queries on a map with their known best lengths.
//!
//! The first line is `version 1` (or `version 1.0`). Then there is one line for each query, with nine fields separated
//! by tabs: bucket, map, width and height of the map, column and row of the start, column and row of the goal, best
//! length. The bucket groups queries of similar length; the length counts 1 for a straight and √2 for a diagonal step.
//! `(0, 0)` is the top left. A few public files have queries without a route, marked by the length 0 between different
//! cells. Blank lines are skipped. Blanks may replace tabs if the line then still has nine fields; with tabs, a map's
//! name may contain blanks.
//!
//! Not here: version 2, which is [`crate::dynamic`], points on meshes, which are [`crate::mesh_scen`], and finding the maps
//! that are named.

use crate::error::ReadError;
use crate::text::{Field, Line, Lines};
use portolan::Cell;
use std::fmt::Write;

/// The queries of a file, in their order in the file.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Scenario {
    /// The queries.
    pub queries: Vec<ScenQuery>,
}

/// A query and its best length.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenQuery {
    /// The group of queries of similar length to which it belongs.
    pub bucket: u32,
    /// The map as the file names it, often with folders of the machine on which the file was made. It has no tabs or
    /// line ends.
    pub map: String,
    /// Columns of the map.
    pub width: usize,
    /// Rows of the map.
    pub height: usize,
    /// Start, on the map.
    pub from: Cell,
    /// Goal, on the map.
    pub to: Cell,
    /// The length of the shortest route: finite, not negative; 0 also if there is no route, see
    /// [`ScenQuery::has_route`].
    pub length: f64,
}

impl ScenQuery {
    /// Returns whether the file says that there is a route: a length of 0 between different cells says that there is
    /// none.
    pub fn has_route(&self) -> bool {
        self.length > 0.0 || self.from == self.to
    }
}

/// Reads a scenario.
///
/// # Errors
/// When the version is another, a line does not have nine fields, or a field is not a number in its range.
pub fn read(bytes: &[u8]) -> Result<Scenario, ReadError> {
    let mut lines = Lines::new(bytes);
    read_version(&mut lines, "1")?;
    let queries = lines.filter(|line| line.fields().next().is_some()).map(read_query).collect::<Result<_, _>>()?;
    Ok(Scenario { queries })
}

/// Writes a scenario. Lengths have enough digits to be read back exactly.
pub fn write(scenario: &Scenario) -> String {
    let mut text = String::from("version 1\n");
    for ScenQuery { bucket, map, width, height, from, to, length } in &scenario.queries {
        let (sx, sy, gx, gy) = (from.x, from.y, to.x, to.y);
        let _ = writeln!(text, "{bucket}\t{map}\t{width}\t{height}\t{sx}\t{sy}\t{gx}\t{gy}\t{length}");
    }
    text
}

/// Reads the version line, which may have the version with or without `.0`.
pub(crate) fn read_version(lines: &mut Lines, version: &str) -> Result<(), ReadError> {
    let expected = format!("`version {version}`");
    let found = lines.after_word("version", &expected)?;
    let number = found.text.strip_suffix(b".0").unwrap_or(found.text);
    if number == version.as_bytes() { Ok(()) } else { Err(found.fault(expected)) }
}

fn read_query(line: Line) -> Result<ScenQuery, ReadError> {
    let fields = nine(line.tabbed_fields()).or_else(|| nine(line.fields()));
    let Some([bucket, map, width, height, sx, sy, gx, gy, length]) = fields else {
        let expected = "bucket, map, width, height, start x, start y, goal x, goal y and length";
        let found = format!("{} fields", line.fields().count());
        return Err(ReadError { found, ..line.at(0).fault(expected) });
    };
    let bucket = bucket.parse(|_| true, "a bucket's number")?;
    let map = map.name("a map's name")?;
    let (width, height) = (width.side()?, height.side()?);
    Ok(ScenQuery {
        bucket,
        map,
        width,
        height,
        from: Cell::new(sx.coordinate(width)?, sy.coordinate(height)?),
        to: Cell::new(gx.coordinate(width)?, gy.coordinate(height)?),
        length: length.parse(|length: &f64| length.is_finite() && *length >= 0.0, "a length, 0 or more")?,
    })
}

/// Returns the fields, if there are nine of them.
pub(crate) fn nine<'a>(mut fields: impl Iterator<Item = Field<'a>>) -> Option<[Field<'a>; 9]> {
    let first: Vec<Field> = fields.by_ref().take(10).collect();
    first.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "version 1\n0\tmaps/a b.map\t49\t20\t1\t11\t48\t19\t3.41421356\n";

    fn fault(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn fields_are_read_in_order() {
        let query = ScenQuery {
            bucket: 0,
            map: "maps/a b.map".into(),
            width: 49,
            height: 20,
            from: Cell::new(1, 11),
            to: Cell::new(48, 19),
            length: 3.414_213_56,
        };
        let scenario = Scenario { queries: vec![query] };
        assert_eq!(read(SMALL.as_bytes()).unwrap(), scenario);
        assert_eq!(write(&scenario), SMALL);
        assert!(scenario.queries[0].has_route());
    }

    #[test]
    fn length_0_between_different_cells_is_no_route() {
        let of = |gx| read(format!("version 1\n0 a.map 9 9 1 1 {gx} 1 0").as_bytes()).unwrap().queries[0].has_route();
        assert!(of(1) && !of(2));
    }

    #[test]
    fn other_separators_and_line_ends_will_do() {
        let tidy = read(SMALL.replace("a b", "a").as_bytes()).unwrap();
        for untidy in [
            "version 1.0\r\n\r\n0\tmaps/a.map\t49\t20\t1\t11\t48\t19\t3.41421356\r\n",
            "version 1\n0 maps/a.map  49 20 1\t11 48 19 3.41421356 ",
            "version  1\n0\tmaps/a.map\t49\t20\t1\t11\t48\t19\t3.41421356\t\n\n",
        ] {
            assert_eq!(read(untidy.as_bytes()).unwrap(), tidy, "{untidy:?}");
        }
        assert_eq!(read(b"version 1").unwrap(), Scenario::default());
    }

    #[test]
    fn faults_are_told_by_place() {
        assert_eq!(fault(""), "1:1: expected `version 1`, found end of file");
        assert_eq!(fault("version 2\n"), "1:9: expected `version 1`, found '2'");
        assert_eq!(fault("version\n"), "1:8: expected `version 1`, found end of line");
        assert_eq!(
            fault("version 1\n0 a b.map 49 20 1 11 48 19 3"),
            "2:1: expected bucket, map, width, height, start x, start y, goal x, goal y and length, found 10 fields"
        );
        for (right, wrong, message) in [
            ("0\tm", "-1\tm", "2:1: expected a bucket's number, found '-1'"),
            ("maps/a b.map", " ", "2:4: expected a map's name, found end of line"),
            ("\t49\t", "\t0\t", "2:16: expected a number of cells from 1 to 32766, found '0'"),
            ("\t48\t", "\t49\t", "2:27: expected a whole number from 0 to 48, found '49'"),
            ("\t11\t", "\t1.5\t", "2:24: expected a whole number from 0 to 19, found '1.5'"),
            ("3.41421356", "-1", "2:33: expected a length, 0 or more, found '-1'"),
            ("3.41421356", "NaN", "2:33: expected a length, 0 or more, found 'NaN'"),
            ("3.41421356", "inf", "2:33: expected a length, 0 or more, found 'inf'"),
        ] {
            assert_eq!(fault(&SMALL.replace(right, wrong)), message);
        }
    }
}
