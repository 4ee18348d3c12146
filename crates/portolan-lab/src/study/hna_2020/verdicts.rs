//! What was to be reached, and whether it was.

use super::agents::BATCHED;
use super::device_pages;
use super::{BatchRow, ConfigurationRow, Findings, LevelFindings, MapFindings, thesis};
use crate::study::bucket::greatest;
use crate::study::document::Verdict;
use crate::table::{bytes, grouped, micros};

/// Fewer queries than this tell nothing about times and lengths.
const LEAST_QUERIES: usize = 50;
/// Smaller meshes leave a hierarchy nothing to save.
const LEAST_POLYGONS: usize = 5_000;
/// How many times as fast as A* PCCP is to be.
const TARGET: f64 = 20.0;
/// The most bytes of PCCP of a mesh as large as the Medieval City.
const MOST_PCCP: usize = 10_000_000;
/// The most milliseconds to build three levels of that mesh.
const MOST_BUILD_MS: f64 = 2_000.0;
/// The most percent by which routes are too long on average.
const MOST_TOO_LONG: f64 = 3.0;
/// Agents in the batch on which cores are judged, and by how much all cores are to be faster than one.
const BATCH: usize = 100_000;
const CORES: f64 = 1.8;

pub(super) fn verdicts(found: &Findings) -> Vec<Verdict> {
    let wrong = format!("{} wrong", found.mismatches);
    let mut verdicts =
        vec![Verdict::new("every answer is a legal route from start to goal", wrong, found.mismatches == 0)];
    verdicts.extend(best(found));
    verdicts.push(always_faster(found));
    verdicts.push(bounded(found));
    verdicts.extend(of_medieval_city(found));
    verdicts.push(too_long(found));
    verdicts.push(offset(found));
    verdicts.push(cores(found));
    verdicts.extend(device_pages::verdicts(&found.device));
    verdicts
}

/// A configuration with its mesh and levels.
type Measured<'a> = (&'a MapFindings, &'a LevelFindings, &'a ConfigurationRow);

/// Returns all configurations on meshes of at least so many polygons.
fn configurations(found: &Findings, least_polygons: usize) -> impl Iterator<Item = Measured<'_>> {
    let maps = found.maps.iter().filter(move |map| map.polygons >= least_polygons);
    maps.flat_map(|map| {
        map.levels.iter().flat_map(move |level| level.configurations.iter().map(move |row| (map, level, row)))
    })
}

/// Returns those configurations from which times and lengths can be judged.
fn judged(found: &Findings) -> impl Iterator<Item = Measured<'_>> {
    configurations(found, LEAST_POLYGONS).filter(|(_, _, row)| row.pccp.row.queries >= LEAST_QUERIES)
}

fn unjudged(target: &str) -> Verdict {
    Verdict::new(target, "not judged: too little was measured".to_owned(), None)
}

fn told((map, level, row): Measured) -> String {
    format!("with {} levels of {} on {}", level.levels, row.merge, map.map)
}

fn best(found: &Findings) -> Vec<Verdict> {
    let printed = format!("the fastest PCCP is at least {} times as fast as A* (thesis: {0})", thesis::BEST_SPEEDUP);
    let target = format!("the fastest PCCP is at least {TARGET} times as fast as A* (our target)");
    let speedup = |&(_, level, row): &Measured| level.speedup(&row.pccp);
    let of_map = |map: &MapFindings| {
        let own = judged(found).filter(|(other, _, _)| other.map == map.map);
        own.max_by(|a, b| speedup(a).total_cmp(&speedup(b)))
    };
    let bests: Vec<Measured> = found.maps.iter().filter_map(of_map).collect();
    if bests.is_empty() {
        return vec![unjudged(&printed), unjudged(&target)];
    }
    let words = bests.iter().map(|best| format!("{:.1} times {}", speedup(best), told(*best)));
    let words = words.collect::<Vec<_>>().join(", ");
    let most = greatest(bests.iter().map(speedup));
    let verdict = |text: &str, least: f64| Verdict::new(text, words.clone(), most >= least);
    vec![verdict(&printed, thesis::BEST_SPEEDUP), verdict(&target, TARGET)]
}

fn always_faster(found: &Findings) -> Verdict {
    let target = "on meshes of 5,000 polygons and more, PCCP is faster than A* with every number of levels and every merging (thesis: it is)";
    let speedup = |(_, level, row): &Measured| level.speedup(&row.pccp);
    let Some(worst) = judged(found).min_by(|a, b| speedup(a).total_cmp(&speedup(b))) else {
        return unjudged(target);
    };
    let count = judged(found).count();
    let slower = judged(found).filter(|measured| speedup(measured) <= 1.0).count();
    let words =
        format!("slower with {slower} of {count}; the least is {:.2} times as fast {}", speedup(&worst), told(worst));
    Verdict::new(target, words, slower == 0)
}

fn bounded(found: &Findings) -> Verdict {
    let ratio = |(_, _, row): &Measured| row.inter_edges / row.most_inter_edges;
    let most = greatest(configurations(found, 0).map(|measured| ratio(&measured)));
    let words = format!("at most {most:.2} of the bound");
    Verdict::new("nodes have no more inter-edges than equation 3.4 allows", words, most <= 1.0)
}

/// Judges memory, building and connecting on the city that stands in for the Medieval City.
fn of_medieval_city(found: &Findings) -> Vec<Verdict> {
    let [memory, build, connect, threads] = [
        "PCCP of a mesh of 16.9 thousand polygons take less than 10 MB with every merging (thesis: 49.6 MB)",
        "three levels of it are built in less than 2 seconds with every merging",
        "with three levels of ten on it, connecting by PCCP is at least a hundred times as fast as by searches (thesis: 675)",
        "connecting in threads on the CPU is faster than one search after another (thesis: with much merging)",
    ];
    let is_it = |(map, _, row): &Measured| {
        map.stands_for == Some(thesis::MEDIEVAL_CITY.map) && row.pccp.row.queries >= LEAST_QUERIES
    };
    let all: Vec<Measured> = judged(found).filter(is_it).collect();
    let Some(largest) = all.iter().max_by_key(|(_, _, row)| row.pccp_bytes) else {
        return [memory, build, connect].map(unjudged).to_vec();
    };
    let most = largest.2.pccp_bytes;
    let words = format!("at most {} {}", bytes(most), told(*largest));
    let mut verdicts = vec![Verdict::new(memory, words, most < MOST_PCCP)];
    let deep: Vec<&Measured> = all.iter().filter(|(_, level, _)| level.levels == 3).collect();
    let slowest = greatest(deep.iter().map(|(_, _, row)| row.pccp.row.build_ms));
    verdicts.push(Verdict::new(build, format!("{} ms at most", grouped(slowest)), slowest < MOST_BUILD_MS));
    if let Some((_, _, row)) = deep.iter().find(|(_, _, row)| row.merge == 10) {
        let times = row.original.connect_us / row.pccp.connect_us;
        let words =
            format!("{times:.0} times: {} µs against {}", micros(row.pccp.connect_us), micros(row.original.connect_us));
        verdicts.push(Verdict::new(connect, words, times >= 100.0));
    }
    let gains = deep
        .iter()
        .filter_map(|(_, _, row)| Some((row.merge, row.original.connect_us / row.parallel.as_ref()?.connect_us)));
    let gains: Vec<String> = gains.map(|(merge, times)| format!("{times:.2} times merging {merge}")).collect();
    verdicts.push(Verdict::new(threads, gains.join(", "), None));
    verdicts
}

fn too_long(found: &Findings) -> Verdict {
    let target =
        "routes of PCCP from the true points are at most 3 % longer than the shortest at any angle, on average";
    let percent = |(_, _, row): &Measured| row.pccp.row.ratio_mean.map_or(0.0, |ratio| (ratio - 1.0) * 100.0);
    let Some(worst) = judged(found).max_by(|a, b| percent(a).total_cmp(&percent(b))) else { return unjudged(target) };
    let words = format!("{:.2} % at most, {}", percent(&worst), told(worst));
    Verdict::new(target, words, percent(&worst) <= MOST_TOO_LONG)
}

fn offset(found: &Findings) -> Verdict {
    let [far, near] = thesis::OFFSET_PERCENT;
    let target = format!(
        "pricing from centres changes routes over 100 m by at most {far} % on average, shorter ones by {near} % (thesis)"
    );
    let lengths = &found.lengths;
    if lengths.far.queries < LEAST_QUERIES {
        return unjudged(&target);
    }
    let words = format!(
        "{:.2} % of {} routes, {:.2} % of {} shorter ones",
        lengths.far.centres_percent, lengths.far.queries, lengths.near.centres_percent, lengths.near.queries
    );
    Verdict::new(&target, words, lengths.far.centres_percent <= far && lengths.near.centres_percent <= near)
}

/// Returns how many times as fast all cores are as one, if both were measured, and how many cores there are.
pub(super) fn cores_gain(rows: &[BatchRow], row: &BatchRow) -> Option<(f64, usize)> {
    let twin = |other: &&BatchRow| {
        other.threads > row.threads
            && (&other.map, other.algorithm, other.agents) == (&row.map, row.algorithm, row.agents)
    };
    rows.iter().find(twin).map(|other| (row.batch_ms / other.batch_ms, other.threads))
}

fn cores(found: &Findings) -> Verdict {
    let target =
        "all cores answer 100,000 queries by PCCP at least 1.8 times as fast as one, on the middle one of the cities";
    let asked =
        found.batches.iter().filter(|row| row.agents >= BATCH && row.algorithm == BATCHED[1] && row.threads == 1);
    let mut gains: Vec<(f64, usize)> = asked.filter_map(|row| cores_gain(&found.batches, row)).collect();
    gains.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(&(middle, threads)) = gains.get(gains.len() / 2) else { return unjudged(target) };
    let words: Vec<String> = gains.iter().map(|gain| format!("{:.2}", gain.0)).collect();
    Verdict::new(target, format!("{} times on {threads} cores", words.join(", ")), middle >= CORES)
}
