//! The findings of the study HPA* 2004 for people: tables beside the paper's, its figures with our numbers, verdicts.

use super::{Findings, LengthRow, SizeRow, Technique};
use crate::report::figure::{Figure, Shape};
use crate::report::{Scale, Series};
use crate::study::bucket::greatest;
use crate::study::document::{Document, Section, Verdict};
use crate::table::{Table, grouped, micros};

const LENGTH: &str = "length of the shortest route";
/// The number of searches from which on a stretch of lengths is counted as typical.
const TYPICAL: usize = 20;

pub(super) fn document(found: &Findings) -> Document {
    let sections = vec![
        table_2(found),
        table_3(found),
        figure_5(found),
        figure_6(found),
        figure_7(found),
        figure_8(found),
        claims(found),
    ];
    Document { sections, verdicts: verdicts(found) }
}

fn table_2(found: &Findings) -> Section {
    let mut section = Section::new("Table 2: the size of the graph").text(
        "Means over the maps, the paper's first. Nodes and edges between clusters count on the highest level they \
         reach; moves between cells count once.",
    );
    for sizes in &found.sizes {
        let note = match sizes.entrances {
            "table-2" => "entrances=table-2, the rule by which the paper's figures come about:",
            _ => "entrances=hpa-2004, the rule as the paper words it:",
        };
        let heading = ["graph", "nodes", "ours", "%", "inter-edges", "ours", "%", "intra-edges", "ours", "%"];
        let mut table = Table::new(&heading);
        for row in &sizes.rows {
            table.push(size_cells(row));
        }
        section = section.text(note).table(table);
    }
    section
}

fn size_cells(row: &SizeRow) -> Vec<String> {
    let name = match (row.graph, row.level) {
        (0, _) => "0, cells".to_owned(),
        (graph, Some(level)) => format!("{graph}, level {level}"),
        (graph, None) => format!("{graph}, total"),
    };
    let figures = row.difference().into_iter().zip(row.paper).zip(row.mean);
    let cells = figures.flat_map(|((difference, paper), ours)| {
        if paper == 0.0 && ours == 0.0 {
            return ["0".to_owned(), "0".to_owned(), String::new()];
        }
        [grouped(paper), grouped(ours), format!("{difference:+.1}")]
    });
    [name].into_iter().chain(cells).collect()
}

fn table_3(found: &Findings) -> Section {
    let mut table = Table::new(&["open list", "paper", "ours"]);
    let mut row = |name: &str, paper: &str, ours: String| table.push(vec![name.to_owned(), paper.to_owned(), ours]);
    row("low level", "51.24", format!("{:.2}", found.techniques[0].open));
    for technique in &found.techniques[1..] {
        let paper = if technique.levels == 1 { "17.23" } else { "" };
        let levels = if technique.levels == 1 { "level" } else { "levels" };
        row(&format!("main, {} {levels}", technique.levels), paper, format!("{:.2}", technique.open));
    }
    row("connecting (SG)", "4.50", "cannot be told".to_owned());
    row("refining", "5.48", "cannot be told".to_owned());
    Section::new("Table 3: mean size of the open list")
        .text(
            "Nodes on the open list, each once, on average over a search's expansions and then over searches. The paper \
             does not say which number of levels its figure for the main search is for.",
        )
        .table(table)
        .text(
            "Connecting and refining cannot be told: the small searches inside a cluster report the cells they expand, \
             not their queue, and where a cluster has no obstacles there is no search at all.",
        )
}

/// Returns one series for each technique.
fn by_technique(found: &Findings, value: impl Fn(&Technique) -> f64) -> Vec<Series> {
    let series = |levels: usize| Series {
        name: found.techniques[levels].name(),
        points: found.lengths.iter().map(|row| (middle(row), value(&row.techniques[levels]))).collect(),
    };
    (0..=3).map(series).collect()
}

fn middle(row: &LengthRow) -> f64 {
    f64::midpoint(row.from, row.to)
}

fn stretch(row: &LengthRow) -> String {
    format!("{:.0} to {:.0}", row.from, row.to)
}

fn figure_5(found: &Findings) -> Section {
    let heading = ["length", "searches", "A*", "1 level", "2", "3", "A* µs", "1 level", "2", "3"];
    let mut table = Table::new(&heading);
    let cells = |techniques: &[Technique]| {
        let expanded = techniques.iter().map(|technique| grouped(technique.total()));
        expanded.chain(techniques.iter().map(|technique| micros(technique.mean_us))).collect::<Vec<_>>()
    };
    for row in &found.lengths {
        table.push([vec![stretch(row), row.searches.to_string()], cells(&row.techniques)].concat());
    }
    let searches: usize = found.lengths.iter().map(|row| row.searches).sum();
    table.push([vec!["all".to_owned(), searches.to_string()], cells(&found.techniques)].concat());
    let figure = |title: &str, up, series| Figure {
        title: title.to_owned(),
        across: LENGTH,
        up,
        scale: Scale::Logarithmic,
        shape: Shape::Lines,
        series,
    };
    Section::new("Figure 5: nodes expanded and time by length of the route")
        .text(
            "The whole effort: connecting, searching and refining. A* is a-star successors=all. Times are of this \
             machine, the least of three runs in turns; the paper's HPA* takes less than 10 ms on average at 800 MHz.",
        )
        .table(table)
        .figure(figure("Nodes expanded", "nodes", by_technique(found, |technique| technique.total().max(1.0))))
        .figure(figure("Time", "microseconds", by_technique(found, |technique| technique.mean_us.max(0.01))))
}

fn figure_6(found: &Findings) -> Section {
    let heading = ["technique", "main", "connecting", "refining", "total", "main %", "connecting %", "refining %"];
    let mut table = Table::new(&heading);
    for technique in &found.techniques[1..] {
        let parts = [technique.main, technique.connecting, technique.refining];
        let total = technique.total();
        let numbers = parts.into_iter().chain([total]).map(|part| format!("{part:.1}"));
        let shares = parts.into_iter().map(|part| format!("{:.0}", part / total.max(1e-9) * 100.0));
        table.push([technique.name()].into_iter().chain(numbers).chain(shares).collect());
    }
    let mut section = Section::new("Figure 6: what the effort of HPA* is made of")
        .table(table)
        .text(
            "Ours differs by design. In a cluster without obstacles start and goal are connected without a search; \
             elsewhere one search over the cluster's cells reaches all its nodes, where the paper runs an A* for each node. \
             Legs in sight are refined without a search. Start and goal are connected on the lowest level alone, so that \
             more levels do not make that dearer.",
        );
    for technique in &found.techniques[1..] {
        let part = |name: &str, value: fn(&Technique) -> f64| Series {
            name: name.to_owned(),
            points: found.lengths.iter().map(|row| (middle(row), value(&row.techniques[technique.levels]))).collect(),
        };
        section = section.figure(Figure {
            title: technique.name(),
            across: LENGTH,
            up: "nodes expanded",
            scale: Scale::LinearFromZero,
            shape: Shape::Stack(super::STRETCH * 0.8),
            series: vec![
                part("main", |technique| technique.main),
                part("connecting (SG)", |technique| technique.connecting),
                part("refining", |technique| technique.refining),
            ],
        });
    }
    section
}

const SMOOTHED: [&str; 3] = ["before smoothing", "after the paper's smoothing", "pulled taut"];

fn figure_7(found: &Findings) -> Section {
    let mut by_length = Table::new(&["length", "searches", "before %", "smoothed %", "taut %"]);
    for row in &found.lengths {
        let errors = row.error_percent.map(|error| format!("{error:.2}"));
        by_length.push([vec![stretch(row), row.searches.to_string()], errors.to_vec()].concat());
    }
    let mut all = Table::new(&["entrances", "smoothing", "mean %", "largest %"]).left(1);
    for error in &found.errors {
        let (mean, most) = (format!("{:.3}", error.mean_percent), format!("{:.2}", error.max_percent));
        all.push(vec![error.entrances.to_owned(), error.smoothing.to_owned(), mean, most]);
    }
    let series = |(index, name): (usize, &str)| Series {
        name: name.to_owned(),
        points: found.lengths.iter().map(|row| (middle(row), row.error_percent[index])).collect(),
    };
    Section::new("Figure 7: how much too long routes are")
        .text("The paper plots means by length and says that routes are within 1 % of optimal after smoothing.")
        .table(by_length)
        .table(all)
        .text(format!(
            "The cost before smoothing differs between one, two and three levels in {} of {} searches.",
            found.levels_differ, found.searches
        ))
        .figure(Figure {
            title: "Error by length".to_owned(),
            across: LENGTH,
            up: "percent too long",
            scale: Scale::LinearFromZero,
            shape: Shape::Lines,
            series: SMOOTHED.into_iter().enumerate().map(series).collect(),
        })
}

fn figure_8(found: &Findings) -> Section {
    let mut table = Table::new(&["cluster", "main", "connecting", "abstract"]);
    for row in &found.clusters {
        let numbers = [row.main, row.connecting, row.main + row.connecting].map(|number| format!("{number:.1}"));
        table.push([vec![row.cluster.to_string()], numbers.to_vec()].concat());
    }
    let series = |name: &str, value: fn(&super::ClusterRow) -> f64| Series {
        name: name.to_owned(),
        points: found.clusters.iter().map(|row| (f64::from(row.cluster), value(row))).collect(),
    };
    let section = Section::new("Figure 8: effort for an abstract route by size of clusters").table(table).text(
        "Our connecting grows with the area of a cluster, because one search reaches all its cells, and is nothing where \
         there are no obstacles: that moves the minimum to smaller clusters than the paper's.",
    );
    section.figure(Figure {
        title: "Abstract effort, one level".to_owned(),
        across: "cells along a cluster's side",
        up: "nodes expanded",
        scale: Scale::LinearFromZero,
        shape: Shape::Lines,
        series: vec![
            series("main", |row| row.main),
            series("connecting (SG)", |row| row.connecting),
            series("abstract: both", |row| row.main + row.connecting),
        ],
    })
}

/// Returns the size of clusters with which an abstract route takes the least effort.
fn best_cluster(found: &Findings) -> u32 {
    let effort = |row: &&super::ClusterRow| row.main + row.connecting;
    let best = found.clusters.iter().min_by(|a, b| effort(a).total_cmp(&effort(b)));
    best.map_or(0, |row| row.cluster)
}

/// Returns the greatest ratio of A* to HPA* with the best number of levels, over stretches with enough searches.
fn best_ratio(found: &Findings, value: impl Fn(&Technique) -> f64) -> f64 {
    let typical = found.lengths.iter().filter(|row| row.searches >= TYPICAL);
    greatest(typical.map(|row| {
        let best = row.techniques[1..].iter().map(&value).fold(f64::INFINITY, f64::min);
        value(&row.techniques[0]) / best
    }))
}

fn claims(found: &Findings) -> Section {
    let mut table = Table::new(&["the paper says", "ours"]).left(1);
    let mut claim = |words: &str, ours: String| table.push(vec![words.to_owned(), ours]);
    let (time, nodes) = (best_ratio(found, |technique| technique.mean_us), best_ratio(found, Technique::total));
    claim("up to 10 times faster than A*", format!("up to {time:.1} times faster, {nodes:.1} times fewer nodes"));
    let error = |index: usize| found.errors[index].mean_percent;
    claim("within 1 % of optimal after smoothing", format!("{:.2} % on average, {:.2} % taut", error(1), error(2)));
    let slower = found.lengths.iter().find(|row| row.techniques[1].mean_us < row.techniques[0].mean_us);
    let from = slower.map_or("never".to_owned(), |row| format!("ahead from the stretch {} on", stretch(row)));
    claim("A* is slightly better on very short routes", format!("HPA* with one level is {from}"));
    let times: Vec<String> = found.techniques[1..].iter().map(|technique| micros(technique.mean_us)).collect();
    claim("one level is enough when all is refined", format!("{} µs with one, two and three levels", times.join(", ")));
    let efforts = found.techniques[1..].iter().map(|technique| technique.main + technique.connecting);
    let efforts: Vec<String> = efforts.map(|effort| format!("{effort:.1}")).collect();
    claim("an abstract route becomes easier with more levels", format!("{} nodes", efforts.join(", ")));
    claim("the effort has its minimum at cluster size 10", format!("minimum at {}", best_cluster(found)));
    let slowest = greatest(found.lengths.iter().map(|row| row.techniques[1].mean_us));
    claim(
        "less than 10 ms at any length, at 800 MHz",
        format!("at most {} µs on average at any length", micros(slowest)),
    );
    let open = found.techniques[0].open / found.techniques[1].open.max(1e-9);
    claim("the open list is three times shorter", format!("{open:.1} times shorter"));
    let rows = &found.sizes[0].rows;
    let intra = rows.last().map_or(0.0, |row| row.mean[2]);
    let overhead = intra / (rows[0].mean[0] + rows[0].mean[1]) * 100.0;
    claim("three levels add 8.83 % to the cells' graph", format!("{overhead:.2} %"));
    Section::new("What the paper says in words").table(table)
}

fn verdicts(found: &Findings) -> Vec<Verdict> {
    let chart = &found.sizes[0].rows[1];
    let difference = chart.difference();
    let [nodes, inter, intra] = chart.mean.map(|mean| format!("{mean:.1}"));
    let size = format!(
        "{nodes} nodes, {inter} inter-edges, {intra} intra-edges: {:+.1}, {:+.1} and {:+.1} %",
        difference[0], difference[1], difference[2]
    );
    let searches = found.searches;
    let smoothed = &found.errors[1];
    let worst = greatest(found.lengths.iter().filter(|row| row.searches >= TYPICAL).map(|row| row.error_percent[1]));
    let largest = format!(
        "{:.2} % before, {:.2} % after smoothing, {:.2} % taut; means by length at most {worst:.2} %",
        found.errors[0].max_percent, smoothed.max_percent, found.errors[2].max_percent
    );
    vec![
        Verdict::new(
            "chart of one level within 3 % of 367 nodes, 198 inter-edges, 722 intra-edges",
            size,
            difference.iter().all(|percent| percent.abs() <= 3.0),
        ),
        Verdict::new(
            "the same cost with one, two and three levels",
            format!("{} of {searches} searches differ", found.levels_differ),
            found.levels_differ == 0,
        ),
        Verdict::new(
            "mean error after smoothing at most 1 %",
            format!("{:.3} %", smoothed.mean_percent),
            smoothed.mean_percent <= 1.0,
        ),
        Verdict::new("largest error; the paper names none", largest, None),
        Verdict::new(
            "whatever A* reaches is reached",
            format!("{} of {searches} searches without a legal route", found.unanswered),
            found.unanswered == 0,
        ),
    ]
}
