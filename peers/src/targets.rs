//! How many times as fast Portolan's charts should be as `hierarchical_pathfinding`, the only peer that builds charts, and
//! its fields as `pathfinding`, which finds the costs from one cell to all others; and whether they are.

use crate::race::Score;
use std::thread;

const PEER: &str = "hierarchical_pathfinding";
/// The algorithms of Portolan that the targets apply to.
const OURS: [&str; 3] = ["hpa-star", "dhpa-star", "rhumb threads=1"];

/// The targets: how many times as fast as the peer Portolan should be.
const QUERY: f64 = 30.0;
const BUILD: f64 = 10.0;
const EDIT: f64 = 10.0;

/// How many times as fast as the peer a field should be made, and how many times as fast as that it should be repaired.
const FIELD: f64 = 3.0;
const REPAIR: f64 = 20.0;

/// Returns a heading, and a line for each of Portolan's algorithms with each setting of the peer; nothing if the peer
/// did not run.
pub(crate) fn lines(scores: &[Score]) -> Vec<String> {
    let peers: Vec<&Score> = scores.iter().filter(|score| score.engine == PEER).collect();
    if peers.is_empty() {
        return Vec::new();
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut lines = vec![
        format!(
            "  times as fast as {PEER}; targets: query {QUERY}, build {BUILD}, edit {EDIT}. Ours uses one thread, as"
        ),
        format!("  everybody's queries do; its builds and edits use rayon ({cores} cores) unless it says one thread;"),
        "  what rhumb puts off until it is next asked is no part of its edits".to_owned(),
        format!("  {:<15} {:<27} {:>14} {:>14} {:>14}  length, ours and its", "ours", "its", "query", "build", "edit"),
    ];
    for peer in peers {
        let ours = scores.iter().filter(|score| score.engine == "portolan" && OURS.contains(&&*score.algorithm));
        for own in ours {
            let query = verdict(Some(peer.mean_us / own.mean_us), QUERY);
            let build = verdict(Some(peer.build_ms / own.build_ms), BUILD);
            let edit = verdict(peer.edit_us.zip(own.edit_us).map(|(its, ours)| its / ours), EDIT);
            lines.push(format!(
                "  {:<15} {:<27} {query:>14} {build:>14} {edit:>14}  {:.4} {:.4}",
                own.algorithm, peer.algorithm, own.ratio_mean, peer.ratio_mean
            ));
        }
    }
    lines
}

/// Returns a line for fields, where `anew_us` is how long one takes to be made anew after an edit.
pub(crate) fn field_lines(scores: &[Score], anew_us: Option<f64>) -> Vec<String> {
    let [ours, its] = scores else { return Vec::new() };
    let making = verdict(Some(its.mean_us / ours.mean_us), FIELD);
    let repair = verdict(anew_us.zip(ours.edit_us).map(|(anew, repair)| anew / repair), REPAIR);
    vec![
        format!("  a field, times as fast as {} {}: {making}; target {FIELD}", its.engine, its.algorithm),
        format!("  a repair, times as fast as making the field anew: {repair}; target {REPAIR}"),
    ]
}

/// Returns a ratio as text, with a word that says whether it meets the target; `-` if there is no ratio.
fn verdict(times: Option<f64>, target: f64) -> String {
    let word = |times: f64| if times >= target { "met" } else { "missed" };
    times.map_or_else(|| "-".to_owned(), |times| format!("{times:.1} {}", word(times)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(engine: &'static str, algorithm: &str, mean_us: f64, edit_us: Option<f64>) -> Score {
        Score {
            engine,
            algorithm: algorithm.to_owned(),
            rival: None,
            build_ms: mean_us,
            mean_us,
            p95_us: 0.0,
            edit_us,
            ratio_mean: 1.05,
            invalid: 0,
            corners_cut: 0,
        }
    }

    #[test]
    fn fields_are_held_against_their_targets() {
        let scores = [score("portolan", "field", 10.0, Some(0.2)), score("pathfinding", "dijkstra_all", 25.0, None)];
        let lines = field_lines(&scores, Some(8.0));
        assert!(lines[0].contains("2.5 missed") && lines[1].contains("40.0 met"), "{lines:?}");
        assert!(field_lines(&scores, None)[1].contains(": -"));
    }

    #[test]
    fn every_ratio_is_held_against_its_target() {
        let scores = [
            score("portolan", "a-star", 1.0, None),
            score("portolan", "hpa-star", 10.0, Some(5.0)),
            score("portolan", "dhpa-star", 4.0, None),
            score(PEER, "hpa", 120.0, Some(49.0)),
        ];
        let lines = lines(&scores);
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        assert_eq!(lines.len(), 6);
        assert_eq!(words(&lines[4]), "hpa-star hpa 12.0 missed 12.0 met 9.8 missed 1.0500 1.0500");
        assert_eq!(words(&lines[5]), "dhpa-star hpa 30.0 met 30.0 met - 1.0500 1.0500");
        assert!(super::lines(&scores[..3]).is_empty());
    }
}
