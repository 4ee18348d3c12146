//! The findings of the study for people: tables beside the thesis' own numbers, figures, and pictures of walks.

use super::pictures::{Drawn, Pictures};
use super::verdicts::verdicts;
use super::{FadingRow, Findings, Level, MapFindings, SweepRow, thesis};
use crate::mind::draw::COLOURS;
use crate::report::figure::{Figure, Shape};
use crate::report::{Scale, Series};
use crate::study::document::{Document, Section};
use crate::table::{Table, bytes, grouped};
use portolan_sim::mind::Mode;

pub(super) fn document(found: &Findings, drawn: Pictures) -> Document {
    let Pictures { stretches, building, city, experiment } = drawn;
    let sections = vec![
        ratios(found),
        lengths(found),
        pictured("Figure 5.6: what is known, in a building", &how_drawn(), building),
        pictured("Figure 5.10: what is known, in a city", "Settings are the usual ones.", city),
        exploring(found, stretches),
        second_experiment(found, experiment),
        recall(found),
        fading(found),
    ];
    Document { sections, verdicts: verdicts(found) }
}

/// Says what the colours of pictures mean.
fn how_drawn() -> String {
    let modes = COLOURS.iter().zip(Mode::NAMED).map(|((colour, _), (name, _))| format!("{colour}: {name}"));
    format!(
        "Blue is what the mind knew before its walk, darker the better; green is A*'s walk; the mind's own by how it chose its steps: {}.",
        modes.collect::<Vec<_>>().join(", ")
    )
}

fn pictured(heading: &str, text: &str, drawn: Vec<Drawn>) -> Section {
    let section = Section::new(heading).text(text);
    drawn.into_iter().fold(section, |section, Drawn { caption, svg }| section.picture(caption, &svg))
}

/// Returns what an amount of knowledge is called.
fn name_of(level: &Level) -> String {
    let full = if level.full { ", full" } else { "" };
    format!("{} %{full}", level.knowledge)
}

/// Figure 5.9: ratios by what is known.
fn ratios(found: &Findings) -> Section {
    let levels = found.maps.first().map_or(&[][..], |map| &map.levels);
    let names: Vec<String> = levels.iter().map(name_of).collect();
    let heading: Vec<&str> = ["world", "hexagons"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heading);
    for map in &found.maps {
        let ratios = map.levels.iter().map(|level| format!("{:.3}", level.walked.ratio));
        table.push([map.map.clone(), grouped(map.hexagons as f64)].into_iter().chain(ratios).collect());
    }
    let printed = levels.iter().map(|level| {
        let own = thesis::RATIOS.iter().find(|(percent, _)| (percent - level.knowledge).abs() < 1e-9);
        own.map_or_else(String::new, |(_, ratio)| format!("{ratio}"))
    });
    table.push(["thesis".to_owned(), String::new()].into_iter().chain(printed).collect());
    let series = |map: &MapFindings| Series {
        name: map.map.clone(),
        points: judged(map).map(|(x, level)| (x, level.walked.ratio)).collect(),
    };
    Section::new("Figure 5.9: how many times as long as A*'s walks are")
        .text(
            "Means of the ratios of single walks, by the percent of the hexagons that the minds know. At 100 % all hexagons are known, some better than others; \
             \"full\" is with all counters at their greatest, as the thesis has it: the estimate then prefers none. The figure ends with that.",
        )
        .table(table)
        .figure(lines("Ratio of walks to A*'s", "percent known", "times A*", Scale::LinearFromOne, found.maps.iter().map(series).collect()))
        .table(modes(found))
        .text("How the steps of all walks were chosen, and what minds remember.")
}

/// Returns the levels that figures show with the percent known: those below 100 %, and 100 % with full counters.
fn judged(map: &MapFindings) -> impl Iterator<Item = (f64, &Level)> {
    let shown = map.levels.iter().filter(|level| level.knowledge < 100.0 || level.full);
    shown.map(|level| (level.knowledge, level))
}

/// How steps were chosen.
fn modes(found: &Findings) -> Table {
    let names = Mode::NAMED.map(|(name, _)| name);
    let heading = [&["world", "known", "longest"][..], &names, &["memory"]].concat();
    let mut table = Table::new(&heading).left(1);
    for (map, level) in found.maps.iter().flat_map(|map| map.levels.iter().map(move |level| (map, level))) {
        let walked = &level.walked;
        let all = walked.modes.0.iter().sum::<usize>().max(1) as f64;
        let shares = walked.modes.0.map(|steps| format!("{:.0} %", 100.0 * steps as f64 / all));
        let mut row = vec![map.map.clone(), name_of(level), format!("{:.2}", walked.ratio_max)];
        row.extend(shares);
        row.push(bytes(walked.bytes as usize));
        table.push(row);
    }
    table
}

/// Figure 5.8: lengths by what is known.
fn lengths(found: &Findings) -> Section {
    let section = Section::new("Figure 5.8: the length of walks").text("Mean lengths in hexagons, of minds and of A*.");
    found.maps.iter().fold(section, |section, map| {
        let series = |name: &str, value: fn(&Level) -> f64| Series {
            name: name.to_owned(),
            points: judged(map).map(|(x, level)| (x, value(level))).collect(),
        };
        let series = vec![series("minds", |level| level.walked.length), series("A*", |level| level.walked.shortest)];
        section.figure(lines(&map.map, "percent known", "hexagons", Scale::LinearFromZero, series))
    })
}

fn lines(title: &str, across: &'static str, up: &'static str, scale: Scale, series: Vec<Series>) -> Figure {
    Figure { title: title.to_owned(), across, up, scale, shape: Shape::Lines, series }
}

/// Figure 5.4, and δ.
fn exploring(found: &Findings, drawn: Vec<Drawn>) -> Section {
    let (stretches, deltas): (Vec<&SweepRow>, Vec<&SweepRow>) =
        found.exploring.iter().partition(|row| row.settings.starts_with("stretch"));
    let series = |name: &str| Series {
        name: name.to_owned(),
        points: stretches.iter().filter(|row| row.map == name).map(|row| (row.value, row.walked.ratio)).collect(),
    };
    let series = names(&stretches).into_iter().map(series).collect();
    let section = pictured(
        "Figure 5.4: hexagons explored in one direction, C",
        "Nothing is known. C is how many hexagons a mind explores before it chooses another direction, and δ the least cosine between that and the goal's.",
        drawn,
    );
    section
        .table(crossed("C", &stretches))
        .figure(lines("Ratio by C, nothing known", "C", "times A*", Scale::LinearFromOne, series))
        .table(crossed("δ", &deltas))
}

/// Returns the worlds of rows, each once.
fn names<'a>(rows: &[&'a SweepRow]) -> Vec<&'a str> {
    let mut names: Vec<&str> = rows.iter().map(|row| row.map.as_str()).collect();
    names.dedup();
    names
}

/// Returns a table of ratios with a row for each world and a column for each value.
fn crossed(what: &str, rows: &[&SweepRow]) -> Table {
    let of = |name: &str| rows.iter().filter(|row| row.map == name).copied().collect::<Vec<_>>();
    let worlds = names(rows);
    let values: Vec<String> =
        worlds.first().map_or_else(Vec::new, |name| of(name).iter().map(|row| row.value.to_string()).collect());
    let heading: Vec<&str> = std::iter::once(what).chain(values.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heading);
    for name in worlds {
        let ratios = of(name).into_iter().map(|row| format!("{:.2}", row.walked.ratio));
        table.push(std::iter::once(name.to_owned()).chain(ratios).collect());
    }
    table
}

/// Figure 5.11.
fn second_experiment(found: &Findings, drawn: Vec<Drawn>) -> Section {
    let mut table = Table::new(&["world", "settings", "times A*", "longest"]).left(1);
    for row in &found.experiment {
        let SweepRow { map, settings, walked, .. } = row;
        table.push(vec![
            map.clone(),
            settings.clone(),
            format!("{:.2}", walked.ratio),
            format!("{:.2}", walked.ratio_max),
        ]);
    }
    let text = "Knowledge, δ and C of the thesis' four configurations, from little to full confidence.";
    pictured("Figure 5.11: the settings of the second experiment", text, drawn).table(table)
}

fn recall(found: &Findings) -> Section {
    let mut table = Table::new(&["world", "known %", "estimate", "cost of steps"]);
    for pair in found.recall.chunks_exact(2) {
        let [estimate, cost] = [&pair[0], &pair[1]].map(|row| format!("{:.3}", row.walked.ratio));
        table.push(vec![pair[0].map.clone(), pair[0].value.to_string(), estimate, cost]);
    }
    Section::new("Where familiarity counts: in the estimate, or in the cost of steps")
        .text(
            "Times A*. The thesis adds λ to the estimate, which is then no lower bound. As the cost of steps, it makes a mind walk the way that it knows \
             best, which is longer where the best known way is not the shortest.",
        )
        .table(table)
}

fn fading(found: &Findings) -> Section {
    let mut table = Table::new(&["world", "landmarks", "epochs", "known %", "times A*", "memory"]).left(1);
    for FadingRow { map, landmarks, epochs, walked } in &found.fading {
        let landmarks = if *landmarks { "last longer" } else { "fade alike" };
        table.push(vec![
            map.clone(),
            landmarks.to_owned(),
            epochs.to_string(),
            format!("{:.1}", walked.known_percent),
            format!("{:.3}", walked.ratio),
            bytes(walked.bytes as usize),
        ]);
    }
    let section = Section::new("Memory that fades")
        .text(
            "Minds that knew 75 % walk after some epochs, at the end of each of which every counter fell by 1; with landmarks, those of doorways, \
             junctions and corners only at every second or fourth. Without fading, walks are as after 0 epochs.",
        )
        .table(table);
    let mut names: Vec<&str> = found.fading.iter().map(|row| row.map.as_str()).collect();
    names.dedup();
    names.into_iter().fold(section, |section, name| {
        let series = [(true, "landmarks last longer"), (false, "all fade alike")].map(|(landmarks, words)| {
            let own = found.fading.iter().filter(|row| row.map == name && row.landmarks == landmarks);
            Series { name: words.to_owned(), points: own.map(|row| (row.epochs as f64, row.walked.ratio)).collect() }
        });
        section.figure(lines(name, "epochs", "times A*", Scale::LinearFromOne, series.to_vec()))
    })
}
