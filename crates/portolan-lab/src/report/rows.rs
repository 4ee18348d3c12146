//! Races as plain rows for spreadsheets and scripts, one for each map and algorithm: [`tsv`] and [`csv`].
//!
//! The columns are the fields of the JSON, under their names there; columns that begin with `edit` tell how edits were
//! followed, those that begin with `batch` what a batch takes. A cell is empty if there is no value. An algorithm that did not run has a row too, which gives the reason.

use crate::race::{EditRow, RaceResult, Row, Skipped};
use portolan_formats::sheet;

/// Returns the table with tabs between cells; see [`sheet::tsv`].
pub fn tsv(results: &[RaceResult]) -> String {
    sheet::tsv(lines(results))
}

/// Returns the table with commas between cells; see [`sheet::csv`].
pub fn csv(results: &[RaceResult]) -> String {
    sheet::csv(lines(results))
}

fn lines(results: &[RaceResult]) -> impl Iterator<Item = Vec<String>> {
    let heading = COLUMNS.iter().map(|column| column.0.to_owned()).collect();
    std::iter::once(heading).chain(results.iter().flat_map(rows))
}

/// The results of one algorithm on one map.
#[derive(Copy, Clone)]
struct Entry<'a> {
    map: &'a str,
    algorithm: &'a str,
    row: Option<&'a Row>,
    edits: Option<&'a EditRow>,
    skipped: Option<&'a Skipped>,
}

type Column = (&'static str, fn(Entry) -> Option<String>);

/// A column with a field of the race's row.
macro_rules! raced {
    ($field:ident) => {
        (stringify!($field), |entry| entry.row.map(|row| row.$field.to_string()))
    };
    ($field:ident?) => {
        (stringify!($field), |entry| entry.row?.$field.as_ref().map(ToString::to_string))
    };
}

/// A column with a field of the edit race's row.
macro_rules! edited {
    ($name:literal, $field:ident) => {
        ($name, |entry| entry.edits.map(|row| row.$field.to_string()))
    };
    ($name:literal, $field:ident?) => {
        ($name, |entry| entry.edits?.$field.as_ref().map(ToString::to_string))
    };
}

/// A column with a field of the row's batch.
macro_rules! batched {
    ($name:literal, $field:ident) => {
        ($name, |entry| entry.row?.batch.as_ref().map(|batch| batch.$field.to_string()))
    };
    ($name:literal, $field:ident?) => {
        ($name, |entry| entry.row?.batch.as_ref()?.$field.as_ref().map(ToString::to_string))
    };
}

const COLUMNS: [Column; 41] = [
    ("map", |entry| Some(entry.map.to_owned())),
    ("algorithm", |entry| Some(entry.algorithm.to_owned())),
    raced!(build_ms),
    raced!(index_bytes),
    raced!(queries),
    raced!(solved),
    raced!(mean_us),
    raced!(p50_us),
    raced!(p95_us),
    raced!(max_us),
    raced!(warm_us),
    raced!(first_step_us),
    raced!(first_step_p95_us),
    raced!(warm_first_step_us),
    raced!(expanded),
    raced!(open_mean),
    raced!(ratio_mean?),
    raced!(ratio_max?),
    raced!(mismatches),
    raced!(out_of_budget),
    raced!(why?),
    ("skipped", |entry| entry.skipped.map(|skipped| skipped.reason.clone())),
    edited!("edits", edits),
    edited!("edit_mean_us", mean_us),
    edited!("edit_p50_us", p50_us),
    edited!("edit_p95_us", p95_us),
    edited!("edit_max_us", max_us),
    edited!("edit_clusters", clusters),
    edited!("edit_rebuild_ms", rebuild_ms),
    edited!("edit_to_rebuild", edit_to_rebuild?),
    edited!("edit_checked", checked),
    edited!("edit_mismatches", mismatches),
    edited!("edit_lost", lost?),
    batched!("batch_queries", queries),
    batched!("batch_one_ms", one_ms),
    batched!("batch_cpu_ms", cpu_ms),
    batched!("batch_threads", threads),
    batched!("batch_gpu_ms", gpu_ms?),
    batched!("batch_gpu_whole_ms", gpu_whole_ms?),
    batched!("batch_device", device?),
    batched!("batch_identical", identical),
];

/// Returns the rows of a race: first the algorithms that ran, then those that did not.
fn rows(result: &RaceResult) -> Vec<Vec<String>> {
    let mut followed: Vec<&EditRow> = result.edits.iter().flat_map(|edits| &edits.rows).collect();
    // Rows after edits have the algorithm's name without "(opened)" or "(auto)", because all of these planners are
    // built. Both lists are in the order of the entrants, so that the first match is the right one.
    let mut take = |name: &str| {
        let plain = name.split(" (").next().unwrap_or(name);
        followed.iter().position(|row| row.algorithm == plain).map(|index| followed.remove(index))
    };
    let ran = result.rows.iter().map(|row| (row.algorithm.as_str(), Some(row), None));
    let not = result.skipped.iter().map(|skipped| (skipped.algorithm.as_str(), None, Some(skipped)));
    let cells = |(algorithm, row, skipped)| {
        let entry = Entry { map: &result.map, algorithm, row, edits: take(algorithm), skipped };
        COLUMNS.iter().map(|column| column.1(entry).unwrap_or_default()).collect()
    };
    ran.chain(not).map(cells).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::go_on;
    use crate::queries;
    use crate::race::{EditPlan, Entrant, race, race_edits};
    use portolan::any::AnySnapshot;
    use portolan::auto::Edits;
    use portolan::{Rules, SquareGrid};

    fn raced(map: &str, heaviest: u8, edited: bool) -> RaceResult {
        let weights: Vec<u8> = (0..900).map(|i| if i % 7 == 0 { heaviest } else { 1 }).collect();
        let world = AnySnapshot::from(SquareGrid::from_weights(30, 30, &weights, Rules::default()).unwrap());
        let trials = queries::random(&world, 5, 1).unwrap();
        let named = ["jump-point", "a-star"].map(|name| Entrant::named(&world, name).unwrap());
        let entrants: Vec<Entrant> = [Entrant::auto(&world, Edits::Sometimes)].into_iter().chain(named).collect();
        let result = race(map, &world, &trials, &entrants, 1, &mut go_on).unwrap();
        let plan = EditPlan { count: 4, size: 1, seed: 1 };
        let edits = edited.then(|| race_edits(&world, &trials, &entrants, plan, &mut go_on).unwrap());
        RaceResult { edits, ..result }
    }

    /// Returns the cells of the column of this name.
    fn column<'a>(table: &'a [Vec<&'a str>], name: &str) -> Vec<&'a str> {
        let index = table[0].iter().position(|&cell| cell == name).unwrap();
        table[1..].iter().map(|row| row[index]).collect()
    }

    #[test]
    fn every_map_and_algorithm_has_a_row() {
        let text = tsv(&[raced("plain", 1, true), raced("hea\tvy", 3, false)]);
        assert!(text.ends_with('\n') && !text.contains('\r'));
        let table: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert!(table.len() == 1 + 6 && table.iter().all(|row| row.len() == COLUMNS.len()), "{text}");
        let column = |name| column(&table, name);
        assert_eq!(column("map"), [["plain"; 3], ["hea vy"; 3]].concat());
        let named = ["jump-point (auto)", "jump-point", "a-star", "a-star (auto)", "a-star", "jump-point"];
        assert_eq!(column("algorithm"), named);
        assert_eq!(column("queries"), ["5", "5", "5", "5", "5", ""]);
        assert_eq!(column("ratio_max"), ["1", "1", "1", "1", "1", ""]);
        assert_eq!(column("edits"), ["4", "4", "4", "", "", ""]);
        assert!(column("skipped")[5].contains("needs") && column("skipped")[..5].iter().all(|cell| cell.is_empty()));
        assert!(column("why")[0].contains("uniform") && column("why")[1].is_empty());
        assert!(column("mean_us")[..5].iter().all(|cell| cell.parse::<f64>().is_ok_and(|us| us > 0.0)), "{text}");
        assert_eq!(tsv(&[]).lines().count(), 1);
    }

    #[test]
    fn cells_that_would_break_a_line_are_quoted() {
        let result = raced("a,b \"c\"\r\nd", 1, false);
        let text = csv(&[result]);
        let (heading, rest) = text.split_once("\r\n").unwrap();
        assert!(heading.starts_with("map,algorithm,build_ms,") && !heading.contains('"'));
        assert!(rest.starts_with("\"a,b \"\"c\"\"\r\nd\",jump-point (auto),"), "{rest}");
        assert!(rest.ends_with(&format!("{}\r\n", ",".repeat(19))), "nothing was edited: {rest}");
    }
}
