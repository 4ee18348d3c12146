//! What was to be reached, and whether it was.

use super::{Findings, Level, MapFindings, thesis};
use crate::study::document::Verdict;

/// Fewer walks than this tell nothing about means.
const LEAST_WALKS: usize = 100;

pub(super) fn verdicts(found: &Findings) -> Vec<Verdict> {
    let lost = format!("{} did not", found.lost);
    let mut verdicts = vec![Verdict::new("every walk arrives", lost, found.lost == 0)];
    let full = "with all counters full, walks are as short as A*'s (thesis: they are)";
    verdicts.push(worst(found, full, |map| Some(map.levels.last()?.walked.ratio_max), |ratio| ratio < 1.0 + 1e-12, 1));
    verdicts.push(falling(found));
    for ((percent, most), (_, printed)) in thesis::MOST.into_iter().zip(thesis::RATIOS) {
        let target = format!(
            "where {percent} % are known, walks are at most {most:.2} times as long as A*'s on average (thesis: {printed})"
        );
        let ratio = |map: &MapFindings| Some(known(map, percent)?.walked.ratio);
        verdicts.push(worst(found, &target, ratio, |ratio| ratio <= most, LEAST_WALKS));
    }
    verdicts.push(cost(found));
    verdicts
}

/// Returns the walks on a world where so many percent were to be known.
pub(super) fn known(map: &MapFindings, percent: f64) -> Option<&Level> {
    map.levels.iter().find(|level| (level.knowledge - percent).abs() < 1e-9)
}

fn walks(map: &MapFindings) -> usize {
    map.levels.iter().map(|level| level.walked.walks).min().unwrap_or(0)
}

/// Judges a value of every world with so many walks at least by the greatest one.
fn worst(
    found: &Findings,
    target: &str,
    value: impl Fn(&MapFindings) -> Option<f64>,
    is_met: impl Fn(f64) -> bool,
    least_walks: usize,
) -> Verdict {
    let judged = found.maps.iter().filter(|map| walks(map) >= least_walks);
    let values: Vec<(f64, &str)> = judged.filter_map(|map| Some((value(map)?, map.map.as_str()))).collect();
    let Some(&(most, map)) = values.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return Verdict::new(target, too_few(), None);
    };
    let missed = values.iter().filter(|(value, _)| !is_met(*value)).count();
    Verdict::new(
        target,
        format!("at most {most:.3}, on {map}; {missed} of {} worlds are above", values.len()),
        missed == 0,
    )
}

fn too_few() -> String {
    format!("not judged: fewer than {LEAST_WALKS} walks a world")
}

/// Judges whether the more is known, the shorter walks are.
fn falling(found: &Findings) -> Verdict {
    let target = "the more is known, the shorter walks are: from 0 to 25, 50, 75 and 100 % with full counters (thesis: they are)";
    let judged: Vec<&MapFindings> = found.maps.iter().filter(|map| walks(map) >= LEAST_WALKS).collect();
    if judged.is_empty() {
        return Verdict::new(target, too_few(), None);
    }
    let rises = judged.iter().filter_map(|map| {
        let levels = map.levels.iter().filter(|level| level.knowledge < 100.0 || level.full);
        let ratios: Vec<f64> = levels.map(|level| level.walked.ratio).collect();
        let words = || ratios.iter().map(|ratio| format!("{ratio:.3}")).collect::<Vec<_>>().join(", ");
        (!ratios.is_sorted_by(|a, b| a > b)).then(|| format!("{}: {}", map.map, words()))
    });
    let rises: Vec<String> = rises.collect();
    let words = if rises.is_empty() { format!("on all {} worlds", judged.len()) } else { rises.join("; ") };
    Verdict::new(target, words, rises.is_empty())
}

/// Tells what familiarity as the cost of steps does.
fn cost(found: &Findings) -> Verdict {
    let target = "familiarity as the cost of steps, against the thesis' estimate (told only)";
    let pairs = found.recall.chunks_exact(2).map(|pair| {
        let [estimate, cost] = [&pair[0], &pair[1]].map(|row| row.walked.ratio);
        format!("{} at {} %: {cost:.3} against {estimate:.3}", pair[0].map, pair[0].value)
    });
    Verdict::new(target, pairs.collect::<Vec<_>>().join("; "), None)
}
