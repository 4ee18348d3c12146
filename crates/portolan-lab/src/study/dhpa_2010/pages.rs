//! The findings of the study DHPA* and SHPA* 2010 for people: tables beside the paper's figures, plots, verdicts.

use super::{ENTRANTS, Findings};
use crate::report::figure::{Figure, Shape};
use crate::report::{Scale, Series};
use crate::study::document::{Document, Section, Verdict};
use crate::table::{Table, bytes, grouped, micros};

pub(super) fn document(found: &Findings) -> Document {
    let sections = vec![figure_5(found), figure_6(found), lengths(found), memory(found), figure_7(found)];
    Document { sections, verdicts: verdicts(found) }
}

fn figure_5(found: &Findings) -> Section {
    let heading =
        ["cluster", "clusters", "with nodes", "paper", "HPA* ms", "DHPA* ms", "ratio", "HPA* s", "DHPA* s", "ratio"];
    let mut table = Table::new(&heading);
    for row in &found.builds {
        let ratio = |[hpa, dhpa]: [f64; 2]| format!("{:.2}", dhpa / hpa);
        table.push(vec![
            row.cluster.to_string(),
            grouped(row.clusters as f64),
            grouped(row.clusters_with_nodes as f64),
            grouped(row.paper_clusters as f64),
            format!("{:.1}", row.build_ms[0]),
            format!("{:.1}", row.build_ms[1]),
            ratio(row.build_ms),
            format!("{:.1}", row.paper_seconds[0]),
            format!("{:.1}", row.paper_seconds[1]),
            ratio(row.paper_seconds),
        ]);
    }
    Section::new("Figure 5: building the charts of all maps")
        .text(
            "Milliseconds are ours, seconds the paper's. The paper's clusters seem to be those with nodes. HPA* as published \
             searches once for every pair of nodes; ours searches once for each node and only until those not yet joined to \
             it are reached, where DHPA* covers the cluster, and not at all where there are no obstacles.",
        )
        .table(table)
}

fn figure_6(found: &Findings) -> Section {
    let mut few =
        Table::new(&["against HPA*", "all searches", "mean of buckets", "best bucket", "two clusters", "paper"]);
    let papers = ["", "1.9 on average, ~11 across two clusters", "the same", "1.3 on average, ~5 across two clusters"];
    for (speedup, paper) in found.speedups.iter().zip(papers).skip(1) {
        let times = [speedup.all_times, speedup.buckets_times, speedup.best_times, speedup.two_clusters_times];
        let times = times.map(|times| format!("{times:.2}"));
        few.push([vec![speedup.entrant.to_owned()], times.to_vec(), vec![paper.to_owned()]].concat());
    }
    let mut all =
        Table::new(&["length", "searches", "HPA* µs", "DHPA*", "stop=first", "SHPA*", "DHPA* ×", "first ×", "SHPA* ×"]);
    for row in &found.speeds {
        let times = [1, 2, 3].map(|entrant| format!("{:.2}", row.times(entrant)));
        let name = format!("{:.0} to {:.0}", row.from, row.to);
        all.push([vec![name, row.searches.to_string()], row.mean_us.map(micros).to_vec(), times.to_vec()].concat());
    }
    let series = |entrant: usize| Series {
        name: ENTRANTS[entrant].to_owned(),
        points: found.speeds.iter().map(|row| (row.middle(), row.times(entrant))).collect(),
    };
    Section::new("Figure 6: search speed against HPA*")
        .text(format!(
            "Times faster than HPA*, in buckets of the shortest route's length as in the paper; a bucket's figure is the \
             ratio of mean times. Two clusters: {} searches more between clusters that share a border, where the shortest \
             route stays in the two. A query's time is the least of five in turns. The paper's HPA* runs an A* for every node \
             it connects start and goal to; ours runs one search for all, and none in a cluster without obstacles, so that \
             there is less to save.",
            found.two_cluster_searches
        ))
        .table(few.left(5))
        .table(all)
        .figure(Figure {
            title: "Search speed against HPA*".to_owned(),
            across: "length of the shortest route",
            up: "times as fast",
            scale: Scale::LinearFromZero,
            shape: Shape::Lines,
            series: [1, 2, 3].map(series).to_vec(),
        })
}

fn lengths(found: &Findings) -> Section {
    let heading = [
        "",
        "too long: mean %",
        "bucket %",
        "largest %",
        "smoothed: mean %",
        "over HPA*: mean %",
        "bucket %",
        "largest %",
    ];
    let mut table = Table::new(&heading);
    for quality in &found.quality {
        let percents = |excess: super::Excess| {
            let most = format!("{:.2}", excess.max_percent);
            vec![format!("{:.3}", excess.mean_percent), format!("{:.2}", excess.bucket_percent), most]
        };
        let smoothed = vec![format!("{:.3}", quality.smoothed_percent)];
        let name = vec![quality.entrant.to_owned()];
        table.push([name, percents(quality.optimum), smoothed, percents(quality.hpa_star)].concat());
    }
    Section::new("Length of routes")
        .text(
            "Bucket is the largest mean over a bucket of lengths with twenty searches or more, which is what the paper's \
             largest figures seem to be; largest is that of a single search. Routes are as found but for the column \
             smoothed, where HPA* 2004's smoothing was applied.",
        )
        .table(table)
        .text(
            "The paper: DHPA* is less than 1 % suboptimal to HPA* in all results; SHPA* is 1.8 % suboptimal on average and \
             6.7 % at most, 0.5 % and 4.7 % less optimal than HPA*, which leaves 1.3 % for HPA* itself. It does not say \
             whether routes were smoothed.",
        )
}

fn memory(found: &Findings) -> Section {
    let memory = &found.memory;
    let mut table = Table::new(&["", "all maps", "largest chart", "paper, largest map"]);
    let papers = ["142 KB, 36,488 entries", "4.2 MB, 547,441 entries of 8 bytes", "", "less than HPA*"];
    for (entrant, paper) in papers.into_iter().enumerate() {
        let (all, largest) = (bytes(memory.bytes[entrant]), bytes(memory.largest_bytes[entrant]));
        table.push(vec![ENTRANTS[entrant].to_owned(), all, largest, paper.to_owned()]);
    }
    let [hpa, dhpa, ..] = memory.largest_bytes;
    let entries = memory.entries();
    let each = dhpa.saturating_sub(hpa) as f64 / entries.max(1) as f64;
    Section::new("Memory").table(table.left(3)).text(format!(
        "The largest chart has {} clusters, {} of them with nodes, {} nodes and {} intra-edges (paper: 809 clusters). \
         DHPA* knows a cost and a step for {} pairs of a node and a cell of its cluster, at {each:.2} bytes each beyond \
         what HPA* keeps (paper: 8, and 3 would do): three bytes and some bookkeeping where a cluster has obstacles, \
         nothing where it has not.",
        memory.clusters[0],
        memory.clusters[1],
        grouped(memory.nodes as f64),
        grouped(memory.intra_edges as f64),
        grouped(entries as f64),
    ))
}

fn figure_7(found: &Findings) -> Section {
    let dynamic = &found.dynamic;
    let heading = ["searches", "HPA* build", "search", "total", "DHPA* build", "search", "total", "HPA* / DHPA*"];
    let mut table = Table::new(&heading);
    for row in &dynamic.rows {
        let totals = row.total_ms();
        let part = |entrant: usize| {
            [row.build_ms[entrant], row.search_ms[entrant], totals[entrant]].map(|ms| format!("{ms:.1}")).to_vec()
        };
        let ratio = format!("{:.2}", totals[0] / totals[1]);
        table.push([vec![row.searches.to_string()], part(0), part(1), vec![ratio]].concat());
    }
    let figure = |title: &str, value: &dyn Fn(&super::DynamicRow) -> [f64; 2]| Figure {
        title: title.to_owned(),
        across: "searches after a move",
        up: "milliseconds",
        scale: Scale::LinearFromZero,
        shape: Shape::Lines,
        series: [0, 1]
            .map(|entrant| Series {
                name: ENTRANTS[entrant].to_owned(),
                points: dynamic.rows.iter().map(|row| (row.searches as f64, value(row)[entrant])).collect(),
            })
            .to_vec(),
    };
    let crossing = dynamic.crossover_times.map_or("DHPA* never gets ahead".to_owned(), |searches| {
        format!("DHPA* is ahead from {searches:.1} searches a move on")
    });
    Section::new("Figure 7: where the world changes")
        .text(format!(
            "Obstacles of 2 × 2 cells on 2 % of each map's free cells, all moved at once ({} moves, {:.1} obstacles each); \
             charts are repaired in one batch, then searched so many times. Milliseconds, all moves together.",
            dynamic.moves,
            dynamic.obstacles as f64 / dynamic.moves.max(1) as f64
        ))
        .table(table)
        .text(format!(
            "{crossing}; in the paper from 20 on. Of the searches checked {} had no legal route and {} cost DHPA* something \
             else than HPA*.",
            dynamic.unanswered, dynamic.differ
        ))
        .figure(figure("7a: building", &|row| row.build_ms))
        .figure(figure("7b: searching", &|row| row.search_ms))
        .figure(figure("7c: both", &super::DynamicRow::total_ms))
}

fn verdicts(found: &Findings) -> Vec<Verdict> {
    let [_, dhpa, first, shpa] = &found.speedups[..] else { return Vec::new() };
    let average = |name: &str, speedup: &super::Speedup, least: f64| {
        let target = format!("{name} at least {least} times as fast as HPA*");
        [("all searches", speedup.all_times), ("the mean of buckets", speedup.buckets_times)].map(|(over, times)| {
            Verdict::new(&format!("{target}, {over}"), format!("{times:.2} times"), times >= least)
        })
    };
    let [_, longer, longer_first, shpa_longer] = &found.quality[..] else { return Vec::new() };
    let rows = &found.dynamic.rows;
    let wins = |row: &super::DynamicRow| row.total_ms()[1] <= row.total_ms()[0];
    let wins_from = rows.iter().rev().take_while(|row| wins(row)).last().map(|row| row.searches);
    let others = [
        Verdict::new(
            "DHPA* 11 times as fast across two clusters",
            format!("{:.2} times, {:.2} with stop=first", dhpa.two_clusters_times, first.two_clusters_times),
            dhpa.two_clusters_times >= 11.0,
        ),
        Verdict::new(
            "DHPA* under 1 % longer than HPA*",
            format!(
                "{:.3} % on average, {:.3} % with stop=first (buckets at most {:.2} %)",
                longer.hpa_star.mean_percent, longer_first.hpa_star.mean_percent, longer_first.hpa_star.bucket_percent
            ),
            longer.hpa_star.mean_percent < 1.0 && longer.hpa_star.bucket_percent < 1.0,
        ),
        Verdict::new(
            "SHPA* at most 1.8 % too long on average",
            format!("{:.3} %", shpa_longer.optimum.mean_percent),
            shpa_longer.optimum.mean_percent <= 1.8,
        ),
        Verdict::new(
            "DHPA* ahead from 20 searches a move on, or earlier",
            wins_from.map_or("never ahead".to_owned(), |searches| format!("ahead at {searches} and all above")),
            wins_from.is_some_and(|searches| searches <= 20),
        ),
        Verdict::new(
            "every search is answered",
            format!("{} without a legal route", found.unanswered + found.dynamic.unanswered),
            found.unanswered + found.dynamic.unanswered == 0,
        ),
    ];
    average("DHPA*", dhpa, 1.9).into_iter().chain(average("SHPA*", shpa, 1.3)).chain(others).collect()
}
