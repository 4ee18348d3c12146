//! The results of the race: a printed table, and a file for other programs.

use crate::race::Score;
use serde_json::{Value, json};
use std::path::Path;
use std::{fs, io};

/// Explains the table of a strict world.
pub(crate) const NOTES: &str = "\
ratio: mean length in optima. invalid: routes missing or illegal on this world, of which cut: only at corners.
times: a peer's mean over ours of the same kind. grid_pathfinding and hierarchical_pathfinding have no setting for
strict corners; --corners loose races everyone under their rule. grid_pathfinding runs with its default settings;
with improved pruning off it is faster on some maps: --variants shows both.
build: the fastest of three. edit: one cell blocked or given back, everything a user calls for it (ours: the world and
the planner); - where that is a rebuild or nothing is kept.";

/// Prints a row for each entrant.
pub(crate) fn print(scores: &[Score]) {
    println!(
        "  {:<25} {:<27} {:>9} {:>10} {:>10} {:>8} {:>8} {:>8} {:>6}  times",
        "engine", "algorithm", "build ms", "mean us", "p95 us", "edit us", "ratio", "invalid", "cut"
    );
    for score in scores {
        let times = times(score, scores).map_or_else(String::new, |(times, rival)| format!("{times:.1} x {rival}"));
        println!(
            "  {:<25} {:<27} {:>9.1} {:>10.1} {:>10.1} {:>8} {:>8.4} {:>8} {:>6}  {times}",
            score.engine,
            score.algorithm,
            score.build_ms,
            score.mean_us,
            score.p95_us,
            score.edit_us.map_or_else(|| "-".to_owned(), |us| format!("{us:.1}")),
            score.ratio_mean,
            score.invalid,
            score.corners_cut,
        );
    }
}

/// Returns how many times as long a peer takes as the algorithm of Portolan that it is compared with, and the name of
/// that algorithm.
fn times<'a>(score: &Score, scores: &'a [Score]) -> Option<(f64, &'a str)> {
    let rival = scores.iter().find(|other| other.engine == "portolan" && Some(&*other.algorithm) == score.rival)?;
    Some((score.mean_us / rival.mean_us, &rival.algorithm))
}

/// Writes all scores, each with its map, as JSON.
pub(crate) fn write(path: &Path, rows: &[(String, Score)]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    portolan_formats::replace_file(path, json(rows).as_bytes())
}

fn json(rows: &[(String, Score)]) -> String {
    let records: Vec<Value> = rows
        .iter()
        .map(|(map, score)| {
            json!({
                "map": map,
                "engine": score.engine,
                "algorithm": score.algorithm,
                "build_ms": score.build_ms,
                "mean_us": score.mean_us,
                "p95_us": score.p95_us,
                "edit_us": score.edit_us,
                "ratio_mean": score.ratio_mean,
                "invalid": score.invalid,
            })
        })
        .collect();
    format!("{:#}\n", Value::Array(records))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(engine: &'static str, algorithm: &str, rival: Option<&'static str>, mean_us: f64) -> Score {
        Score {
            engine,
            algorithm: algorithm.to_owned(),
            rival,
            build_ms: 1.5,
            mean_us,
            p95_us: 20.0,
            edit_us: None,
            ratio_mean: if mean_us > 50.0 { f64::NAN } else { 1.0 },
            invalid: 3,
            corners_cut: 2,
        }
    }

    #[test]
    fn peers_are_compared_with_ours_of_the_same_kind() {
        let scores = [
            score("portolan", "a-star successors=all", None, 20.0),
            score("portolan", "a-star", None, 10.0),
            score("pathfinding", "astar", Some("a-star"), 125.0),
            score("other", "jps", Some("jump-point"), 125.0),
        ];
        assert_eq!(times(&scores[2], &scores), Some((12.5, "a-star")));
        assert_eq!(times(&scores[1], &scores), None);
        assert_eq!(times(&scores[3], &scores), None);
    }

    #[test]
    fn the_file_is_a_list_of_flat_records() {
        let rows = [
            ("a/\"b\"".to_owned(), score("portolan", "a-star", None, 10.0)),
            ("c".to_owned(), score("pathfinding", "astar", None, 99.0)),
        ];
        let read: Value = serde_json::from_str(&json(&rows)).unwrap();
        let fields =
            ["map", "engine", "algorithm", "build_ms", "mean_us", "p95_us", "edit_us", "ratio_mean", "invalid"];
        for record in read.as_array().unwrap() {
            assert!(fields.iter().all(|field| record.get(field).is_some()), "{record}");
        }
        assert_eq!((&read[0]["map"], &read[0]["invalid"]), (&json!("a/\"b\""), &json!(3)));
        assert!(read[1]["ratio_mean"].is_null(), "there is no mean of nothing");
    }
}
