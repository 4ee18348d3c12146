//! The findings of the study PRA* 2017 for people: tables beside the thesis' own, figures, verdicts.

use super::dynamic::{Change, ChangeRow};
use super::thesis::{CORRIDOR, PrintedChange, WALL};
use super::{ENTRANTS, EntrantRow, Findings, HPA, NARROW, PARTIAL, SearchRow, WIDE};
use crate::report::figure::{Figure, Shape};
use crate::report::{Scale, Series};
use crate::study::document::{Document, Section, Verdict};
use crate::table::{Table, bytes, grouped, micros};

/// Milliseconds that the thesis' agent takes for a step.
const STEP_MS: f64 = 500.0;

pub(super) fn document(found: &Findings) -> Document {
    Document {
        sections: vec![table_4_1(found), quality(found), table_4_2(found), section_4_4(found)],
        verdicts: verdicts(found),
    }
}

fn table_4_1(found: &Findings) -> Section {
    let heading = ["", "cost", "cells", "expanded", "µs", "PQD %", "cost", "cells", "expanded", "ms", "PQD %"];
    let mut section = Section::new("Table 4.1: pathfinding").text(
        "Ours on the left, means of the tenth of all searches that comes nearest to the length of the thesis' one, which is on \
         the right. PQD, path quality degradation, is by how much a route costs more than A*'s. Expanded are nodes of all \
         layers and of joining start and goal; the thesis' HPA* runs an A* for every node that start and goal are joined \
         to, ours one search for all, and none in a cluster without obstacles. PRA* 2017 searches every layer in the \
         corridor of the route above, down to the cells; PRA* and PRA*(16) have one a node wider on each side and walk \
         to what is in sight, as HPA* does along its edges, without expanding anything. On brc101d the thesis' costs give 2.9 % for \
         HPA* and 14.2 % for PRA* where it prints 3.9 and 11. A query's time is the least of three in turns.",
    );
    for row in &found.searches {
        let mut table = Table::new(&heading);
        for entrant in &row.alike {
            let own = [
                entrant.entrant.to_owned(),
                format!("{:.1}", entrant.cost),
                format!("{:.1}", entrant.cells),
                grouped(entrant.expanded),
                micros(entrant.mean_us),
                format!("{:.2}", entrant.quality.mean_percent),
            ];
            let printed = entrant.printed.map_or([const { String::new() }; 5], |printed| {
                [
                    format!("{:.1}", printed.cost),
                    printed.cells.to_string(),
                    grouped(f64::from(printed.expanded)),
                    format!("{:.1}", printed.ms),
                    format!("{:.1}", printed.percent),
                ]
            });
            table.push([own.to_vec(), printed.to_vec()].concat());
        }
        let (cells, searches) = (grouped(row.free_cells as f64), row.alike_searches);
        section = section.text(format!("{}: {cells} free cells, {searches} searches.", row.map)).table(table);
    }
    section
}

fn quality(found: &Findings) -> Section {
    let heading = [
        "map",
        "",
        "expanded",
        "µs",
        "PQD: mean %",
        "p90 %",
        "p95 %",
        "worst %",
        "within 1 %",
        "within 5 %",
        "thesis %",
    ];
    let mut table = Table::new(&heading).left(1);
    for row in &found.searches {
        for entrant in &row.entrants {
            let quality = entrant.quality;
            let percents = [quality.mean_percent, quality.p90_percent, quality.p95_percent, quality.max_percent];
            let shares = [quality.within_1, quality.within_5].map(|share| format!("{share:.0} %"));
            let (expanded, us) = (grouped(entrant.expanded), micros(entrant.mean_us));
            let name = vec![row.map.clone(), entrant.entrant.to_owned(), expanded, us];
            let printed = entrant.printed.map_or(String::new(), |printed| format!("{:.1}", printed.percent));
            let percents = percents.map(|percent| format!("{percent:.2}"));
            table.push([name, percents.to_vec(), shares.to_vec(), vec![printed]].concat());
        }
    }
    let series = |entrant: usize, value: &dyn Fn(&super::LengthRow) -> [f64; 5]| Series {
        name: ENTRANTS[entrant].to_owned(),
        points: found.lengths.iter().map(|row| (f64::midpoint(row.from, row.to), value(row)[entrant])).collect(),
    };
    let figure = |title: &str, up, scale, series| Figure {
        title: title.to_owned(),
        across: "length of the shortest route",
        up,
        scale,
        shape: Shape::Lines,
        series,
    };
    // A* is included although it is exact, so that every entrant has one colour in both figures.
    let percents = (0..5).map(|entrant| series(entrant, &|row| row.mean_percent)).collect();
    let expanded = (0..5).map(|entrant| series(entrant, &|row| row.mean_expanded)).collect();
    Section::new("All searches")
        .text("Means of all searches, short and long: what nine routes in ten and nineteen in twenty stay within, and how many stay \
             within 1 and 5 %.")
        .table(table)
        .figure(figure("How much too long routes are", "percent", Scale::LinearFromZero, percents))
        .figure(figure("Nodes expanded", "nodes", Scale::Logarithmic, expanded))
}

fn table_4_2(found: &Findings) -> Section {
    let heading = [
        "map", "size", "free %", "PRA* ms", "HPA* ms", "ratio", "PRA*", "HPA*", "free %", "PRA* ms", "HPA* ms", "ratio",
    ];
    let mut table = Table::new(&heading);
    for row in &found.builds {
        let ms = |ms: f64, digits: usize| format!("{ms:.digits$}");
        let own = [
            row.map.clone(),
            format!("{} x {}", row.size[0], row.size[1]),
            format!("{:.1}", row.free_percent()),
            ms(row.build_ms[0], 3),
            ms(row.build_ms[1], 3),
            format!("{:.1}", row.times()),
            bytes(row.bytes[0]),
            bytes(row.bytes[1]),
        ];
        let printed = row
            .printed
            .map_or([const { String::new() }; 3], |[pra, hpa]| [ms(pra, 1), ms(hpa, 1), format!("{:.1}", hpa / pra)]);
        let free = row.printed_free_percent.map_or(String::new(), |percent| format!("{percent:.1}"));
        table.push([own.to_vec(), vec![free], printed.to_vec()].concat());
    }
    Section::new("Table 4.2: building")
        .text(
            "Ours on the left with the bytes that are kept, the thesis' on the right. Times are the medians of seven builds in \
             turns. The thesis' HPA* runs an A* for every pair of nodes of a cluster; ours one search a node, and none \
             where a cluster has no obstacles.",
        )
        .table(table)
}

fn section_4_4(found: &Findings) -> Section {
    let heading = [
        "map",
        "",
        "cells",
        "changed",
        "blocks",
        "repair µs",
        "anew ms",
        "ratio",
        "search µs",
        "steps",
        "length",
        "then",
        "differ",
        "thesis: anew ms",
        "steps",
        "search ms",
    ];
    let mut table = Table::new(&heading).left(1);
    for row in &found.changes {
        let steps = (row.repair_us / 1e3 / STEP_MS).floor();
        let own = [
            row.map.clone(),
            if row.change == Change::Wall { "wall" } else { "corridor" }.to_owned(),
            row.cells.to_string(),
            row.changed.to_string(),
            row.blocks.to_string(),
            micros(row.repair_us),
            format!("{:.3}", row.rebuild_ms),
            format!("{:.0}", row.times()),
            micros(row.search_us),
            format!("{steps:.0}"),
            format!("{:.1}", row.before),
            format!("{:.1}", row.after),
            format!("{} of {}", row.differ, row.checked),
        ];
        let printed = printed_change(row).map_or([const { String::new() }; 3], |printed| {
            [format!("{:.1}", printed.rebuild_ms), printed.steps.to_string(), format!("{:.1}", printed.search_ms)]
        });
        table.push([own.to_vec(), printed.to_vec()].concat());
    }
    Section::new("Section 4.4: a changing map")
        .text(
            "A vertical wall of 50 cells across the longest way, where it covers most ground, or a corridor through what the way \
             goes around; the thesis tells neither how long its own were nor where. Steps are those that the agent takes while \
             the hierarchy is brought up to date, one each 500 ms. Differ counts the queries that the repaired planner answers \
             otherwise than one built anew. Times are medians of nine in turns; what the world itself does to take the edit \
             in is the same for both and not counted. Length is that of the way \
             before, then after.",
        )
        .table(table)
}

fn printed_change(row: &ChangeRow) -> Option<&'static PrintedChange> {
    let (map, printed) = if row.change == Change::Wall { &WALL } else { &CORRIDOR };
    (row.map == *map).then_some(printed)
}

/// Returns whether all rows meet a target; `None` if there are no rows.
fn all<T>(rows: &[T], met: impl Fn(&T) -> bool) -> Option<bool> {
    (!rows.is_empty()).then(|| rows.iter().all(met))
}

/// Returns a list of all maps, each with a value in words.
fn told<'a, T: 'a>(rows: impl IntoIterator<Item = &'a T>, map: fn(&T) -> &str, value: impl Fn(&T) -> String) -> String {
    let words: Vec<String> = rows.into_iter().map(|row| format!("{} {}", map(row), value(row))).collect();
    if words.is_empty() { "no such map was at hand".to_owned() } else { words.join(", ") }
}

/// Returns the mean share over all routes of all maps.
fn overall(rows: &[SearchRow], share: impl Fn(&SearchRow) -> f64) -> f64 {
    let searches: usize = rows.iter().map(|row| row.searches).sum();
    rows.iter().map(|row| share(row) * row.searches as f64).sum::<f64>() / searches.max(1) as f64
}

fn verdicts(found: &Findings) -> Vec<Verdict> {
    let rows = &found.searches;
    let name: fn(&SearchRow) -> &str = |row| &row.map;
    let mean = |entrant: usize| move |row: &SearchRow| row.entrants[entrant].quality.mean_percent;
    let near = |row: &SearchRow| row.entrants[WIDE].quality.within_1;
    let partial = |row: &SearchRow| row.entrants[PARTIAL].quality.within_5;
    let no_worse = |row: &SearchRow| {
        let EntrantRow { quality, printed, .. } = &row.entrants[NARROW];
        printed.is_none_or(|printed| quality.mean_percent <= printed.percent)
    };
    let percent = |value: f64| format!("{value:.2} %");
    let share = |value: f64| format!("{value:.0} %");
    let mut verdicts = vec![
        Verdict::new(
            "every search is answered by a legal route",
            format!("{} were not", found.unanswered),
            all(rows, |_| found.unanswered == 0),
        ),
        Verdict::new(
            "PRA*: at most 3 % too long on average, on each map",
            told(rows, name, |row| percent(mean(WIDE)(row))),
            all(rows, |row| mean(WIDE)(row) <= 3.0),
        ),
        Verdict::new(
            "PRA*: nine routes in ten at most 1 % too long, on each map",
            format!("{} ({} of all)", told(rows, name, |row| share(near(row))), share(overall(rows, near))),
            all(rows, |row| near(row) >= 90.0),
        ),
        Verdict::new(
            "PRA* 2017: no longer than the thesis' 11, 11, 11 and 16.2 %",
            told(rows, name, |row| percent(mean(NARROW)(row))),
            all(rows, no_worse),
        ),
        Verdict::new(
            "PRA*(16): at least 95 % of routes at most 5 % too long, on each map",
            format!("{} ({} of all)", told(rows, name, |row| share(partial(row))), share(overall(rows, partial))),
            all(rows, |row| partial(row) >= 95.0),
        ),
    ];
    verdicts.extend([NARROW, WIDE].map(|entrant| fewer(rows, entrant)));
    verdicts.extend(verdicts_on_building(found));
    verdicts
}

/// Returns the verdicts on how long PRA* takes to build and to repair, and on its answers after repairs.
fn verdicts_on_building(found: &Findings) -> [Verdict; 3] {
    let differ: usize = found.changes.iter().map(|row| row.differ).sum();
    let checked: usize = found.changes.iter().map(|row| row.checked).sum();
    let slowest = found.builds.iter().map(super::BuildRow::times).fold(f64::MAX, f64::min);
    let walls: Vec<&ChangeRow> =
        found.changes.iter().filter(|row| row.change == Change::Wall && row.map == CORRIDOR.0).collect();
    [
        Verdict::new(
            "PRA* is built at least five times as fast as HPA*, on each map",
            told(&found.builds, |row| &row.map, |row| format!("{:.1}", row.times())),
            all(&found.builds, |_| slowest >= 5.0),
        ),
        Verdict::new(
            "a wall of 50 cells on AcrosstheCape is repaired in under a hundredth of building anew",
            told(walls.iter().copied(), |row| &row.map, |row| format!("1/{:.0}", row.times())),
            all(&walls, |row| row.times() > 100.0),
        ),
        Verdict::new(
            "a repaired PRA* answers as one built anew",
            format!("{differ} of {checked} answers differ"),
            all(&found.changes, |_| differ == 0),
        ),
    ]
}

/// Returns the verdict on whether an entrant expands fewer nodes than HPA* on the three largest maps.
fn fewer(rows: &[SearchRow], entrant: usize) -> Verdict {
    let mut largest: Vec<&SearchRow> = rows.iter().collect();
    largest.sort_by_key(|row| std::cmp::Reverse(row.free_cells));
    largest.truncate(3);
    let both = |row: &SearchRow| [entrant, HPA].map(|entrant| row.entrants[entrant].expanded);
    let words = |row: &SearchRow| both(row).map(grouped).join(" to ");
    Verdict::new(
        &format!("{} expands fewer nodes than HPA* on the three largest maps", ENTRANTS[entrant]),
        told(largest.iter().copied(), |row| &row.map, words),
        all(&largest, |row| both(row)[0] < both(row)[1]),
    )
}
