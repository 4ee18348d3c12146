//! Tables of text with aligned columns, for terminals and plain files.
//!
//! Not here: colours.

/// A table: a heading, then rows. The first column is aligned left, the others right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
    left: Vec<bool>,
}

impl Table {
    /// Returns a table with this heading and no rows yet.
    pub fn new(heading: &[&str]) -> Table {
        let left = (0..heading.len()).map(|column| column == 0).collect();
        Table { rows: vec![heading.iter().map(|&word| word.to_owned()).collect()], left }
    }

    /// Returns the table with this column aligned left, for columns of words.
    #[must_use]
    pub fn left(mut self, column: usize) -> Table {
        self.left[column] = true;
        self
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the number of its cells is not that of the heading.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.left.len(), "a row has a cell for each column");
        self.rows.push(row);
    }

    /// Returns the cells of all rows, the heading first.
    pub(crate) fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Returns whether a column is aligned left.
    pub(crate) fn is_left(&self, column: usize) -> bool {
        self.left[column]
    }

    /// Returns the lines of the table, the heading first, without blanks at the ends of lines.
    pub fn lines(&self) -> Vec<String> {
        let widths: Vec<usize> = (0..self.left.len())
            .map(|c| self.rows.iter().map(|row| row[c].chars().count()).max().unwrap_or(0))
            .collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().enumerate().map(|(c, cell)| {
                let width = widths[c];
                if self.left[c] { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.rows.iter().map(line).collect()
    }
}

/// Returns the table of a race.
pub fn of_race(result: &crate::race::RaceResult) -> Table {
    let mut table = Table::new(&HEADING);
    for row in &result.rows {
        table.push(cells(row));
    }
    table
}

/// The heading of a race's table.
pub(crate) const HEADING: [&str; 15] = [
    "algorithm",
    "build ms",
    "index",
    "solved",
    "mean µs",
    "p50 µs",
    "p95 µs",
    "warm µs",
    "first step",
    "its p95",
    "warm",
    "expanded",
    "open",
    "ratio",
    "worst",
];

/// Returns the cells of a race's row, with the number of wrong answers if there are any.
pub(crate) fn cells(row: &crate::race::Row) -> Vec<String> {
    let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.4}"));
    let wrong = if row.mismatches > 0 { format!(" ({} wrong)", row.mismatches) } else { String::new() };
    vec![
        row.algorithm.clone(),
        format!("{:.2}", row.build_ms),
        bytes(row.index_bytes),
        format!("{} of {}{wrong}", row.solved, row.queries),
        micros(row.mean_us),
        micros(row.p50_us),
        micros(row.p95_us),
        micros(row.warm_us),
        micros(row.first_step_us),
        micros(row.first_step_p95_us),
        micros(row.warm_first_step_us),
        count(row.expanded),
        count(row.open_mean),
        ratio(row.ratio_mean),
        ratio(row.ratio_max),
    ]
}

/// Returns the table of an edit race.
pub fn of_edits(edits: &crate::race::EditRace) -> Table {
    let mut table = Table::new(&EDIT_HEADING);
    for row in &edits.rows {
        table.push(edit_cells(row));
    }
    table
}

/// The heading of an edit race's table.
pub(crate) const EDIT_HEADING: [&str; 10] = [
    "algorithm",
    "edits",
    "mean µs",
    "p50 µs",
    "p95 µs",
    "max µs",
    "clusters",
    "rebuild ms",
    "edit/rebuild",
    "checked",
];

/// Returns the cells of an edit race's row, with the number of wrong answers if there are any.
pub(crate) fn edit_cells(row: &crate::race::EditRow) -> Vec<String> {
    let wrong = if row.mismatches > 0 { format!(" ({} wrong)", row.mismatches) } else { String::new() };
    vec![
        row.algorithm.clone(),
        row.edits.to_string(),
        micros(row.mean_us),
        micros(row.p50_us),
        micros(row.p95_us),
        micros(row.max_us),
        count(row.clusters),
        format!("{:.2}", row.rebuild_ms),
        row.edit_to_rebuild.map_or("-".to_owned(), percent),
        format!("{}{wrong}", row.checked),
    ]
}

/// Returns a line about an edit race as a whole.
pub fn about_edits(edits: &crate::race::EditRace) -> String {
    let crate::race::EditRace { count, size, apply_us, .. } = edits;
    let plural = if *count == 1 { "" } else { "s" };
    format!("{count} edit{plural} of {size} x {size} cells; the world itself takes {} µs for one", micros(*apply_us))
}

/// Returns the batches of a race with the names of their algorithms, and that of a field if there is one.
fn batches_of(result: &crate::race::RaceResult) -> impl Iterator<Item = (&str, &crate::race::BatchRow)> {
    let rows = result.rows.iter().filter_map(|row| Some((row.algorithm.as_str(), row.batch.as_ref()?)));
    rows.chain(result.field.iter().map(|batch| (crate::race::FIELD, batch)))
}

/// Returns the table of a race's batches, without those algorithms that have answered none.
pub fn of_batches(result: &crate::race::RaceResult) -> Table {
    let batches = || batches_of(result);
    let has_gpu = batches().any(|(_, batch)| batch.device.is_some());
    let gpu = if has_gpu { &["GPU ms", "with transfer"][..] } else { &[] };
    let mut table =
        Table::new(&[&["algorithm", "queries", "1 thread ms", "all ms", "speed-up"], gpu, &["identical"]].concat());
    let measured = |ms: Option<f64>| ms.map_or("-".to_owned(), micros);
    for (algorithm, batch) in batches() {
        let head = [algorithm.to_owned(), grouped(batch.queries as f64), micros(batch.one_ms), micros(batch.cpu_ms)];
        let speed_up = format!("{:.2}", batch.speed_up());
        let gpu = if has_gpu { vec![measured(batch.gpu_ms), measured(batch.gpu_whole_ms)] } else { Vec::new() };
        let identical = if batch.identical { "yes" } else { "no" }.to_owned();
        table.push(head.into_iter().chain([speed_up]).chain(gpu).chain([identical]).collect());
    }
    table
}

/// Returns the lines about a race's batches as a whole: on what they ran, and what ran on the CPU only. `None` if there were
/// no batches.
pub fn about_batches(result: &crate::race::RaceResult) -> Option<Vec<String>> {
    let batches = || batches_of(result);
    let (_, first) = batches().next()?;
    let threads = first.threads;
    let device = batches().find_map(|(_, batch)| batch.device.as_ref());
    let device = device.map_or_else(String::new, |name| format!("; the GPU is {name}"));
    let plural = if threads == 1 { "" } else { "s" };
    let headline = format!("Batches: all is {threads} thread{plural}{device}");
    let without = batches().filter_map(|(algorithm, batch)| Some(format!("{algorithm} {}", batch.no_gpu.as_ref()?)));
    Some([headline].into_iter().chain(without).collect())
}

/// Returns the table of a race on a dynamic scenario.
pub fn of_dynamic(race: &crate::race::DynamicRace) -> Table {
    let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.4}"));
    let mut table = Table::new(&[
        "algorithm",
        "queries",
        "matched",
        "wrong",
        "build ms",
        "repair ms",
        "search ms",
        "total ms",
        "ratio",
        "worst",
    ]);
    for row in &race.rows {
        let times = [row.build_ms, row.repair_ms, row.search_ms, row.total_ms].map(micros);
        let counts = [row.queries, row.matched, row.mismatches].map(|count| count.to_string());
        let ratios = [row.ratio_mean, row.ratio_max].map(ratio);
        table.push([row.algorithm.clone()].into_iter().chain(counts).chain(times).chain(ratios).collect());
    }
    table
}

/// Returns a line about a race on a dynamic scenario as a whole.
pub fn about_dynamic(race: &crate::race::DynamicRace) -> String {
    let crate::race::DynamicRace { scenario, width, height, queries, patches, changes, apply_ms, .. } = race;
    let apply = micros(*apply_ms);
    format!(
        "{scenario}: {queries} queries on {width} x {height} cells, changed {changes} times by {patches} patches; \
         the world itself takes {apply} ms for that"
    )
}

/// Returns the table of a race among traps.
pub fn of_traps(race: &crate::race::TrapRace) -> Table {
    let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.4}"));
    let mut table = Table::new(&[
        "algorithm",
        "build ms",
        "first µs",
        "repairs",
        "repair µs",
        "plan µs",
        "mean µs",
        "p50 µs",
        "p99 µs",
        "plain A* µs",
        "times as fast",
        "wrong",
        "ratio",
        "worst",
    ]);
    for row in &race.rows {
        let times = [row.repair_us, row.plan_us, row.mean_us, row.p50_us, row.p99_us, row.plain_us];
        let build = format!("{:.2}", row.build_ms);
        let head = [row.algorithm.clone(), build, micros(row.first_us), row.repairs.to_string()];
        let tail = [count(row.times_as_fast), row.mismatches.to_string(), ratio(row.ratio_mean), ratio(row.ratio_max)];
        table.push(head.into_iter().chain(times.map(micros)).chain(tail).collect());
    }
    table
}

/// Returns a line about a race among traps as a whole.
pub fn about_traps(race: &crate::race::TrapRace) -> String {
    let crate::race::TrapRace { map, traps, change, size, ticks, .. } = race;
    format!(
        "{map}: {ticks} ticks among {traps} traps of {size} x {size} cells, {change} of them other ones in every tick"
    )
}

/// Formats a share in percent, with more digits if it is small.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 1.0 { format!("{percent:.3} %") } else { format!("{percent:.1} %") }
}

/// Formats microseconds with about three digits.
pub fn micros(us: f64) -> String {
    if us < 10.0 {
        format!("{us:.2}")
    } else if us < 1000.0 {
        format!("{us:.1}")
    } else {
        grouped(us)
    }
}

fn count(value: f64) -> String {
    if value < 100.0 { format!("{value:.1}") } else { grouped(value) }
}

/// Formats a whole number with commas between groups of three digits.
pub fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digit != '-' {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of bytes in a suitable unit.
pub fn bytes(count: usize) -> String {
    let kibi = count as f64 / 1024.0;
    match count {
        0 => "-".to_owned(),
        1..1024 => format!("{count} B"),
        1024..1_048_576 => format!("{kibi:.0} KiB"),
        _ => format!("{:.1} MiB", kibi / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_lines_have_no_tail() {
        let mut table = Table::new(&["name", "µs", "note"]).left(2);
        table.push(vec!["a".into(), "1,000".into(), "x".into()]);
        table.push(vec!["longer".into(), "2".into(), String::new()]);
        assert_eq!(table.lines(), ["name       µs  note", "a       1,000  x", "longer      2"]);
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([1.234, 56.78, 1_234_567.8].map(micros), ["1.23", "56.8", "1,234,568"]);
        assert_eq!([0, 100, 2048, 3 << 20].map(bytes), ["-", "100 B", "2 KiB", "3.0 MiB"]);
        assert_eq!([1.0, 999.0, 1000.0].map(grouped), ["1", "999", "1,000"]);
        assert_eq!([0.000_414, 0.0123, 1.0].map(percent), ["0.041 %", "1.2 %", "100.0 %"]);
    }
}
