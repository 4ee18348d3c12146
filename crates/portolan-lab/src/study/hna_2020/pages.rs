//! The findings of the study HNA* 2020 for people: tables beside the thesis' own numbers, and figures.

use super::agents::BATCHED;
use super::device_pages;
use super::lengths::{CONFIGURATION, FAR};
use super::thesis::{self, PrintedMap};
use super::verdicts::{cores_gain, verdicts};
use super::{BatchRow, ConfigurationRow, Findings, LevelFindings, MapFindings, Timed};
use crate::report::figure::{Figure, Shape};
use crate::report::{Scale, Series};
use crate::study::document::{Document, Section};
use crate::table::{Table, bytes, grouped, micros};

/// Microseconds of a frame at 25 frames a second.
pub(super) const FRAME_US: f64 = 40_000.0;

pub(super) fn document(found: &Findings) -> Document {
    let mut sections: Vec<Section> = found.maps.iter().map(times).collect();
    sections.push(inter_edges(found));
    sections.push(connecting(found));
    sections.push(memory(found));
    sections.push(lengths(found));
    sections.push(frames(found));
    sections.push(batches(found));
    sections.push(device_pages::section(&found.device));
    Document { sections, verdicts: verdicts(found) }
}

fn printed(map: &MapFindings) -> Option<&'static PrintedMap> {
    let all = [&thesis::CITY_ISLAND, &thesis::TROPICAL_ISLAND, &thesis::MEDIEVAL_CITY, &thesis::PARIS];
    all.into_iter().find(|printed| Some(printed.map) == map.stands_for)
}

/// Returns the heading of a mesh.
fn title(map: &MapFindings) -> String {
    let polygons = grouped(map.polygons as f64);
    match printed(map) {
        Some(printed) => {
            format!("{}: {polygons} polygons, for {} with {}", map.map, printed.map, grouped(printed.polygons as f64))
        }
        None => format!("{}: {polygons} polygons", map.map),
    }
}

/// Figures 3.15 to 3.17: one mesh.
fn times(map: &MapFindings) -> Section {
    let heading = [
        "levels",
        "μ",
        "nodes",
        "inter-edges",
        "original µs",
        "connecting",
        "PCCP µs",
        "p95",
        "connecting",
        "A*/original",
        "A*/PCCP",
        "too long %",
        "thesis: original",
        "PCCP",
    ];
    let mut table = Table::new(&heading);
    for level in &map.levels {
        for row in &level.configurations {
            table.push(time_cells(map, level, row));
        }
    }
    let a_star = map.levels.first().map_or_else(String::new, |level| {
        let [ours, centres] = [&level.a_star, &level.by_centres].map(|row| micros(row.mean_us));
        let p95 = micros(level.a_star.p95_us);
        format!("A* over polygons takes {ours} µs by the middles of portals (95 of 100 queries at most {p95}), {centres} by centres. ")
    });
    let thesis = printed(map).and_then(|printed| printed.a_star_ms);
    let thesis =
        thesis.map_or_else(String::new, |ms| format!("The thesis' A* took {ms} ms; its times are in milliseconds. "));
    let text = format!(
        "{a_star}{thesis}Times of a query are means; of five passes the fastest of each query counts. A*/PCCP is how many times as fast as A* in the same race PCCP is. \
         Connecting is the share of joining start and goal to the highest level. Too long is against the shortest route at any \
         angle. Where a row is missing, the mesh is too small for so many levels.",
    );
    let section = Section::new(&title(map)).text(text).table(table);
    if map.stands_for.is_none() {
        return section;
    }
    map.levels
        .iter()
        .filter(|level| !level.configurations.is_empty())
        .fold(section, |section, level| section.figure(query_figure(map, level)).figure(connecting_figure(map, level)))
}

fn time_cells(map: &MapFindings, level: &LevelFindings, row: &ConfigurationRow) -> Vec<String> {
    let time = printed(map)
        .and_then(|printed| printed.times.iter().find(|time| (time.levels, time.merge) == (level.levels, row.merge)));
    let ms = |ms: Option<f64>| ms.map_or_else(String::new, |ms| format!("{ms:.2}"));
    let too_long = row.pccp.row.ratio_mean.map_or(0.0, |ratio| (ratio - 1.0) * 100.0);
    vec![
        level.levels.to_string(),
        row.merge.to_string(),
        grouped(row.nodes as f64),
        format!("{:.1}", row.inter_edges),
        micros(row.original.row.mean_us),
        format!("{:.0} %", row.original.connect_percent()),
        micros(row.pccp.row.mean_us),
        micros(row.pccp.row.p95_us),
        format!("{:.0} %", row.pccp.connect_percent()),
        format!("{:.1}", level.speedup(&row.original)),
        format!("{:.1}", level.speedup(&row.pccp)),
        format!("{too_long:.2}"),
        ms(time.and_then(|time| time.original_ms)),
        ms(time.and_then(|time| time.pccp_ms)),
    ]
}

/// A value of a configuration by merging.
fn series(name: &str, level: &LevelFindings, value: impl Fn(&ConfigurationRow) -> f64) -> Series {
    let point = |row: &ConfigurationRow| (row.merge as f64, value(row).max(0.01));
    Series { name: name.to_owned(), points: level.configurations.iter().map(point).collect() }
}

pub(super) fn lines(
    title: String,
    across: &'static str,
    up: &'static str,
    scale: Scale,
    series: Vec<Series>,
) -> Figure {
    Figure { title, across, up, scale, shape: Shape::Lines, series }
}

fn query_figure(map: &MapFindings, level: &LevelFindings) -> Figure {
    let series = vec![
        series("A*", level, |_| level.a_star.mean_us),
        series("HNA*, original", level, |row| row.original.row.mean_us),
        series("HNA*, PCCP", level, |row| row.pccp.row.mean_us),
    ];
    lines(format!("A query, {} levels, {}", level.levels, map.map), "μ", "microseconds", Scale::Logarithmic, series)
}

fn connecting_figure(map: &MapFindings, level: &LevelFindings) -> Figure {
    let mut ways = vec![
        series("original", level, |row| row.original.connect_us),
        series("PCCP", level, |row| row.pccp.connect_us),
    ];
    if level.configurations.iter().any(|row| row.parallel.is_some()) {
        let threads = |row: &ConfigurationRow| row.parallel.as_ref().map_or(0.0, |parallel| parallel.connect_us);
        ways.insert(1, series("in threads", level, threads));
    }
    lines(format!("Connecting, {} levels, {}", level.levels, map.map), "μ", "microseconds", Scale::Logarithmic, ways)
}

/// Figure 3.18.
fn inter_edges(found: &Findings) -> Section {
    let mut table = Table::new(&["mesh", "levels", "μ", "polygons a node", "inter-edges a node", "bound (3.4)"]);
    let mut lines_by_map = Vec::new();
    for map in &found.maps {
        for level in &map.levels {
            for row in &level.configurations {
                table.push(vec![
                    map.map.clone(),
                    level.levels.to_string(),
                    row.merge.to_string(),
                    format!("{:.0}", map.polygons as f64 / row.nodes as f64),
                    format!("{:.1}", row.inter_edges),
                    grouped(row.most_inter_edges),
                ]);
            }
            if level.levels == 2 && map.stands_for.is_some() {
                lines_by_map.push(series(&map.map, level, |row| row.inter_edges));
                lines_by_map.push(series(&format!("bound, {}", map.map), level, |row| row.most_inter_edges));
            }
        }
    }
    let figure =
        lines("Inter-edges of a node, 2 levels".to_owned(), "μ", "inter-edges", Scale::Logarithmic, lines_by_map);
    Section::new("Figure 3.18: inter-edges")
        .text(
            "The mean number of inter-edges of a node of the highest level. The bound is equation 3.4 with the mean number of \
             sides of the mesh's polygons, for nodes of as many polygons as ours have on average.",
        )
        .table(table)
        .figure(figure)
}

/// Figure 3.19.
fn connecting(found: &Findings) -> Section {
    let heading =
        ["mesh", "μ", "inter-edges", "original µs", "in threads µs", "PCCP µs", "original/threads", "original/PCCP"];
    let mut table = Table::new(&heading);
    let rows = found.maps.iter().flat_map(|map| map.levels.iter().map(move |level| (map, level)));
    for (map, level) in rows {
        for row in &level.configurations {
            let Some(parallel) = &row.parallel else { continue };
            let [original, threads, pccp] = [&row.original, parallel, &row.pccp].map(|timed: &Timed| timed.connect_us);
            table.push(vec![
                map.map.clone(),
                row.merge.to_string(),
                format!("{:.1}", row.inter_edges),
                micros(original),
                micros(threads),
                micros(pccp),
                format!("{:.2}", original / threads),
                grouped(original / pccp),
            ]);
        }
    }
    let [original, pccp] = thesis::CONNECTING_MS;
    Section::new("Figure 3.19: connecting alone, 3 levels")
        .text(format!(
            "The mean time of joining start and goal to the highest level, 0 for queries within one node. In threads is the \
             original way with its searches shared between the cores. In the Medieval City, merging ten, the thesis' searches \
             took {original} ms and its PCCP {pccp}. A search of ours ends at its inter-edge, but has no estimate of what is left \
             and so looks at more than the thesis' A*; and the ways within the node are copied first.",
        ))
        .table(table)
}

/// Figure 3.12.
fn memory(found: &Findings) -> Section {
    let mut table = Table::new(&["mesh", "polygons", "levels", "μ", "build ms", "planner", "of it PCCP"]);
    for map in &found.maps {
        for level in &map.levels {
            for row in &level.configurations {
                table.push(vec![
                    map.map.clone(),
                    grouped(map.polygons as f64),
                    level.levels.to_string(),
                    row.merge.to_string(),
                    format!("{:.1}", row.pccp.row.build_ms),
                    bytes(row.pccp.row.index_bytes),
                    bytes(row.pccp_bytes),
                ]);
            }
        }
    }
    let [city, dungeon] = thesis::PCCP_MB;
    Section::new("Figure 3.12: memory of PCCP")
        .text(format!(
            "PCCP is what a planner keeps more than one that searches to connect. The thesis' took {city} MB for the Medieval \
             City and {dungeon} MB for the 119 polygons of a dungeon; it keeps whole ways, ours the costs of ways and the next \
             portal on each.",
        ))
        .table(table)
}

/// Figure 3.14.
fn lengths(found: &Findings) -> Section {
    let lengths = &found.lengths;
    let heading =
        ["distance", "queries", "centres %", "worst %", "points %", "centres too long %", "points too long %"];
    let mut table = Table::new(&heading);
    for (name, row) in [(format!("up to {FAR:.0} m"), &lengths.near), (format!("over {FAR:.0} m"), &lengths.far)] {
        let percents = [
            row.centres_percent,
            row.worst_centres_percent,
            row.points_percent,
            row.centres_too_long_percent,
            row.points_too_long_percent,
        ];
        let cells = [name, row.queries.to_string()].into_iter();
        table.push(cells.chain(percents.map(|percent| format!("{percent:.2}"))).collect());
    }
    let offsets = |name: &str, value: fn(&super::LengthSample) -> f64| Series {
        name: name.to_owned(),
        points: lengths.samples.iter().enumerate().map(|(place, sample)| (place as f64 + 1.0, value(sample))).collect(),
    };
    let series = vec![offsets("PCCP from centres", super::LengthSample::offset)];
    let figure = lines(
        format!("Difference in length from the original HNA*, {}", lengths.map),
        "query, the nearest goal first",
        "percent",
        Scale::LinearFromZero,
        series,
    );
    let [far, near] = thesis::OFFSET_PERCENT;
    let (levels, merge) = CONFIGURATION;
    Section::new("Figure 3.14: length of routes")
        .text(format!(
            "On {}, {levels} levels of {merge}: by how many percent routes of PCCP differ from the original HNA*'s, which searches \
             from the true points; then against the shortest route at any angle. The thesis' PCCP price from the centres of \
             polygons: {far} % on average over 100 m, {near} % for shorter routes. Priced from the true points nothing differs.",
            lengths.map
        ))
        .table(table)
        .figure(figure)
}

/// Table 4.1.
fn frames(found: &Findings) -> Section {
    let mut table =
        Table::new(&["mesh", "algorithm", "mean µs", "p95", "index", "agents in a frame", "thesis", "thesis: CUDA"])
            .left(1);
    for map in &found.maps {
        let agents = printed(map).and_then(|printed| printed.agents);
        for (place, row) in map.frame.iter().enumerate() {
            let thesis = agents.and_then(|agents| [agents.a_star, agents.original, agents.pccp].get(place).copied());
            table.push(vec![
                map.map.clone(),
                row.algorithm.clone(),
                micros(row.mean_us),
                micros(row.p95_us),
                bytes(row.index_bytes),
                grouped((FRAME_US / row.mean_us).floor()),
                thesis.map_or_else(String::new, |agents| agents.to_string()),
                agents.filter(|_| place == 1).map_or_else(String::new, |agents| agents.cuda.to_string()),
            ]);
        }
    }
    Section::new("Table 4.1: agents in a frame")
        .text(
            "How many agents can be given a route one after another in 40 ms, by the mean time of a query. The levels and the \
             merging are the thesis' where it has the world, and two levels of ten elsewhere; hna-star alone has its own \
             defaults. The thesis' CUDA connects start and goal by searches on a GPU, one agent after another; agents that are \
             routed at once on a graphics processor have a table of their own below.",
        )
        .table(table)
}

/// Figures 4.1 and 4.3.
fn batches(found: &Findings) -> Section {
    let mut table =
        Table::new(&["mesh", "agents", "algorithm", "cores", "ms", "µs an agent", "A*/it", "all cores/one"]).left(2);
    for row in &found.batches {
        let plain = found.batches.iter().find(|other| {
            other.algorithm == BATCHED[0]
                && (&other.map, other.agents, other.threads) == (&row.map, row.agents, row.threads)
        });
        let gain = cores_gain(&found.batches, row).map_or_else(String::new, |(gain, _)| format!("{gain:.2}"));
        table.push(vec![
            row.map.clone(),
            grouped(row.agents as f64),
            row.algorithm.to_owned(),
            row.threads.to_string(),
            format!("{:.1}", row.batch_ms),
            format!("{:.2}", row.batch_ms * 1e3 / row.agents as f64),
            plain.map_or_else(String::new, |plain| format!("{:.1}", plain.batch_ms / row.batch_ms)),
            gain,
        ]);
    }
    let (levels, merge) = super::agents::CONFIGURATION;
    let [least, most] = thesis::BATCH_SPEEDUP;
    let section = Section::new("Figures 4.1 and 4.3: many agents at once")
        .text(format!(
            "Batches of random queries, the least of five times; large ones of A* ran once. PCCP has {levels} levels of {merge}. The \
             thesis answered its batches on a GPU: PCCP {least} to {most} times as fast as A*; the next section has the times of a \
             graphics processor.",
        ))
        .table(table);
    let mut names: Vec<&str> = found.batches.iter().map(|row| row.map.as_str()).collect();
    names.dedup();
    names.into_iter().fold(section, |section, name| section.figure(batch_figure(name, &found.batches)))
}

/// Figure 4.1 for one mesh: all cores.
fn batch_figure(map: &str, rows: &[BatchRow]) -> Figure {
    let most = rows.iter().map(|row| row.threads).max().unwrap_or(1);
    let series = BATCHED.into_iter().map(|algorithm| {
        let own = rows.iter().filter(|row| row.map == map && row.algorithm == algorithm && row.threads == most);
        Series {
            name: algorithm.to_owned(),
            points: own.map(|row| (row.agents as f64, row.batch_ms.max(0.01))).collect(),
        }
    });
    lines(format!("Batches on {most} cores, {map}"), "agents", "milliseconds", Scale::BothLogarithmic, series.collect())
}
