//! What was found on a graphics processor for people: figures 4.1 and 4.3, and what was to be reached.
//!
//! Not here: the batches on the CPU (`pages.rs`, `verdicts.rs`).

use super::agents::BATCHED;
use super::device::{DeviceFindings, DeviceRow, speed_up};
use super::pages::{FRAME_US, lines};
use super::thesis;
use crate::report::figure::Figure;
use crate::report::{Scale, Series};
use crate::study::bucket::{greatest, mean};
use crate::study::document::{Section, Verdict};
use crate::table::{Table, grouped};

/// Agents from which on a batch keeps a graphics processor busy, so that it is judged.
const BUSY: usize = 10_000;

/// Figures 4.1 and 4.3 on a graphics processor.
pub(super) fn section(found: &DeviceFindings) -> Section {
    let section = Section::new("Figures 4.1 and 4.3 on a graphics processor");
    let Some(name) = &found.name else {
        let reason = found.reason.as_deref().unwrap_or_default();
        return section
            .text(format!("Nothing was measured on a graphics processor, because there is none here: {reason}"));
    };
    let what = if found.is_software {
        "This is no graphics processor but a program on the CPU that stands in for one, so its times say nothing about the thesis' \
         claims; they show that the same programs run and give the answers of the CPU. Batches of more than a thousand agents are left out. "
    } else {
        ""
    };
    let [least, most] = thesis::BATCH_SPEEDUP;
    let text = format!(
        "On {name}. {what}Each agent has a thread: A* searches over portals, PCCP over the inter-edges of the highest level, and rhumb \
         adds kept costs without a search. The answers were compared with those of the CPU. Times are the least of some runs, by the \
         processor's own clock; the whole time has the ways there and back in it. The frame is how many agents would be given routes in \
         40 ms at that rate. The thesis' PCCP was {least} to {most} times as fast as its A*, both on a GPU.",
    );
    let heading =
        ["mesh", "agents", "algorithm", "ms", "whole ms", "µs an agent", "agents in a frame", "A*/it", "thesis"];
    let mut table = Table::new(&heading).left(2);
    for row in &found.batches {
        let gain = speed_up(&found.batches, row);
        let thesis = if row.algorithm == BATCHED[1] { format!("{least} to {most}") } else { String::new() };
        let each = row.device_ms * 1e3 / row.agents as f64;
        table.push(vec![
            row.map.clone(),
            grouped(row.agents as f64),
            row.algorithm.to_owned(),
            format!("{:.2}", row.device_ms),
            format!("{:.2}", row.whole_ms),
            format!("{each:.3}"),
            grouped((FRAME_US / each).floor()),
            gain.map_or_else(String::new, |gain| format!("{gain:.1}")),
            thesis,
        ]);
    }
    let mut names: Vec<&str> = found.batches.iter().map(|row| row.map.as_str()).collect();
    names.dedup();
    names.into_iter().fold(section.text(text).table(table), |section, name| {
        let own: Vec<&DeviceRow> = found.batches.iter().filter(|row| row.map == name).collect();
        section.figure(time_figure(name, &own)).figure(gain_figure(name, &own, &found.batches))
    })
}

fn series<'a>(rows: &[&'a DeviceRow], algorithm: &str, value: impl Fn(&'a DeviceRow) -> f64) -> Series {
    let own = rows.iter().filter(|row| row.algorithm == algorithm);
    Series { name: algorithm.to_owned(), points: own.map(|row| (row.agents as f64, value(row).max(0.001))).collect() }
}

/// Figure 4.1 for one mesh.
fn time_figure(map: &str, rows: &[&DeviceRow]) -> Figure {
    let series = BATCHED.into_iter().map(|algorithm| series(rows, algorithm, |row| row.device_ms));
    let title = format!("Batches on the graphics processor, {map}");
    lines(title, "agents", "milliseconds", Scale::BothLogarithmic, series.collect())
}

/// Figure 4.3 for one mesh.
fn gain_figure(map: &str, rows: &[&DeviceRow], all: &[DeviceRow]) -> Figure {
    let gain = |row: &DeviceRow| speed_up(all, row).unwrap_or(1.0);
    let series = BATCHED[1..].iter().map(|algorithm| series(rows, algorithm, gain));
    let title = format!("How many times as fast as A* on the graphics processor, {map}");
    lines(title, "agents", "times", Scale::BothLogarithmic, series.collect())
}

pub(super) fn verdicts(found: &DeviceFindings) -> Vec<Verdict> {
    let [least, most] = thesis::BATCH_SPEEDUP;
    let pccp = format!(
        "on a graphics processor, PCCP gives 10,000 agents and more their routes at least {least} times as fast as A* on average (thesis: {least} to {most})"
    );
    let rhumb = "on a graphics processor, rhumb is faster than PCCP there (our target)";
    let unjudged = |reason: String| {
        let verdict = |target: &str| Verdict::new(target, format!("not judged: {reason}"), None);
        vec![verdict(&pccp), verdict(rhumb)]
    };
    let Some(name) = &found.name else {
        let reason = found.reason.as_deref().unwrap_or_default();
        return unjudged(format!("there is no graphics processor: {reason}"));
    };
    if found.is_software {
        return unjudged(format!("{name} is a program on the CPU"));
    }
    let gains = |algorithm: &str| -> Vec<f64> {
        let own = found.batches.iter().filter(|row| row.algorithm == algorithm && row.agents >= BUSY);
        own.filter_map(|row| speed_up(&found.batches, row)).collect()
    };
    let [pccp_gains, rhumb_gains] = [BATCHED[1], BATCHED[2]].map(gains);
    if pccp_gains.is_empty() || rhumb_gains.len() != pccp_gains.len() {
        return unjudged("too little was measured".to_owned());
    }
    let told = |gains: &[f64]| {
        let [mean, greatest] = [mean(gains.iter().copied()), greatest(gains.iter().copied())];
        format!("{mean:.1} times on average, {greatest:.1} at most, on {name}")
    };
    let is_faster = rhumb_gains.iter().zip(&pccp_gains).all(|(rhumb, pccp)| rhumb > pccp);
    vec![
        Verdict::new(&pccp, told(&pccp_gains), mean(pccp_gains.iter().copied()) >= least),
        Verdict::new(rhumb, told(&rhumb_gains), is_faster),
    ]
}
