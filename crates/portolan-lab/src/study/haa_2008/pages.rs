//! The findings of the study of HAA* for people: a table of charts, one of queries, when which pays, and verdicts.

use super::{AgentRow, Findings, MapRow, TARGETS};
use crate::study::bucket::{greatest, mean};
use crate::study::document::{Document, Section, Verdict};
use crate::table::{Table, bytes, grouped, micros};

pub(super) fn document(found: &Findings) -> Document {
    let sections = vec![memory(found), upkeep(found), queries(found), when_which_pays(found)];
    Document { sections, verdicts: verdicts(found) }
}

fn memory(found: &Findings) -> Section {
    let heading = [
        "map",
        "free cells",
        "water %",
        "HAA* one",
        "HAA* all",
        "HPA* one",
        "HPA* each",
        "lean one",
        "lean each",
        "all to one",
        "all to lean",
    ];
    let mut table = Table::new(&heading);
    for row in &found.maps {
        let sizes = row.haa_bytes.into_iter().chain(row.hpa_bytes.into_iter().flatten());
        let first = [row.map.clone(), grouped(row.free_cells as f64), format!("{:.1}", row.water_percent)];
        let ratios = row.memory_ratios().map(|ratio| format!("{ratio:.2}"));
        table.push(first.into_iter().chain(sizes.map(bytes)).chain(ratios).collect());
    }
    Section::new("The memory of charts for three agents")
        .text(
            "The agents are one that goes on any ground, one of 2 x 2 cells, and one that does not swim. Beside the annotated \
             chart with the first of them and with all stand one chart of HPA* and one for each agent: as it is by default, \
             with room in which it remembers legs, and lean, without. The ratios are those of the annotated chart with all \
             agents to one chart of HPA*.",
        )
        .table(table)
}

fn upkeep(found: &Findings) -> Section {
    let mut table = Table::new(&[
        "map",
        "HAA* build ms",
        "HPA* build ms",
        "HAA* edit µs",
        "HPA* edit µs",
        "HAA* redone",
        "HPA* redone",
    ]);
    for row in &found.maps {
        let times = row.build_ms.map(|ms| format!("{ms:.1}")).into_iter().chain(row.repair_us.map(micros));
        let redone = row.clusters.map(|clusters| format!("{clusters:.2}"));
        table.push([row.map.clone()].into_iter().chain(times).chain(redone).collect());
    }
    Section::new("Building and repairs")
        .text(
            "Times are those of all three agents together. An edit blocks up to 3 x 3 cells, or gives one back; for each, the \
             clusters that were done again are counted.",
        )
        .table(table)
}

fn queries(found: &Findings) -> Section {
    let heading = [
        "map",
        "agent",
        "queries",
        "A* µs",
        "HPA* µs",
        "HAA* µs",
        "HPA* too long %",
        "HAA* too long %",
        "HPA* worst %",
        "HAA* worst %",
    ];
    let mut table = Table::new(&heading).left(1);
    for row in &found.agents {
        let [_, hpa, haa] = row.mean_percent;
        let [_, hpa_worst, haa_worst] = row.worst_percent;
        let first = [row.map.clone(), row.agent.to_owned(), row.queries.to_string()];
        let percents = [format!("{hpa:.3}"), format!("{haa:.3}"), format!("{hpa_worst:.2}"), format!("{haa_worst:.2}")];
        table.push(first.into_iter().chain(row.mean_us.map(micros)).chain(percents).collect());
    }
    Section::new("Queries")
        .text("Random queries in the world as each agent sees it. Routes are held against the cheapest, those of A*.")
        .table(table)
}

/// Returns the mean over all rows of the ratio of two values.
fn ratio<T>(rows: &[T], of: impl Fn(&T) -> (f64, f64)) -> f64 {
    mean(rows.iter().map(|row| {
        let (a, b) = of(row);
        a / b
    }))
}

fn when_which_pays(found: &Findings) -> Section {
    let memory = ratio(&found.maps, |row| (row.haa_bytes[1] as f64, row.hpa_bytes[0][1] as f64));
    let lean = ratio(&found.maps, |row| (row.haa_bytes[1] as f64, row.hpa_bytes[1][1] as f64));
    let more = ratio(&found.maps, |row| ((row.haa_bytes[1] - row.haa_bytes[0]) as f64 / 2.0, row.haa_bytes[0] as f64));
    let build = ratio(&found.maps, |row| (row.build_ms[0], row.build_ms[1]));
    let repair = ratio(&found.maps, |row| (row.repair_us[0], row.repair_us[1]));
    let query = ratio(&found.agents, |row| (row.mean_us[2], row.mean_us[1]));
    let flat = ratio(&found.agents, |row| (row.mean_us[0], row.mean_us[2]));
    Section::new("When which pays").text(format!(
        "On average over the maps, the annotated chart takes {memory:.2} times the memory of three charts of HPA*, and {lean:.2} \
         times that of three that remember no legs; a further agent adds {:.0} % of what the first one took. Building takes \
         {build:.2} times as long, a repair {repair:.2} times, and a query {query:.2} times; A* takes {flat:.1} times as long as \
         a query does. So the annotated chart pays where there are several kinds of agents and memory counts, the more the more \
         there are. A chart of HPA* for each pays where the same ways are asked for again and again, since it remembers legs, \
         and where worlds are so large that levels matter.",
        more * 100.0
    ))
}

fn verdicts(found: &Findings) -> Vec<Verdict> {
    let (most, too_long) = TARGETS;
    let worst = |at: usize| greatest(found.maps.iter().map(|row: &MapRow| row.memory_ratios()[at]));
    let error = greatest(found.agents.iter().map(|row: &AgentRow| row.mean_percent[2]));
    vec![
        Verdict::new(
            "the chart of three agents takes at most 1.5 times the memory of one chart of HPA*",
            format!("{:.2} times on the worst map", worst(0)),
            worst(0) <= most,
        ),
        Verdict::new(
            "it takes no more than that against a chart that remembers no legs either",
            format!("{:.2} times on the worst map", worst(1)),
            worst(1) <= most,
        ),
        Verdict::new(
            "routes are within 2 % of the cheapest on average, for each agent on each map",
            format!("{error:.3} % at worst"),
            error <= too_long,
        ),
        Verdict::new(
            "every query is answered with a legal route",
            format!("{} not", found.unanswered),
            found.unanswered == 0,
        ),
    ]
}
