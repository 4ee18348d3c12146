//! The findings of the study of D* for people: a table for each world, and verdicts.

use super::{Findings, Reported, WORLDS, WorldFindings};
use crate::game::GoalRow;
use crate::study::document::{Document, Section, Verdict};
use crate::table::{Table, grouped, micros};

pub(super) fn document(found: &Findings) -> Document {
    let sections = found.worlds.iter().zip(&WORLDS).map(|(found, world)| {
        let (percent, every) = (found.traps_percent, found.every);
        let text = format!(
            "{}: {} ({}). Traps on {percent} % of the free cells, updated every {every} ticks; {:.0} ticks a game. All goals \
             together, averaged over the games; the report's figures below ours where it has the algorithm. The height is \
             the binary logarithm of the mean size of the heap, the depth operations times height.",
            found.world, world.about, world.table, found.ticks,
        );
        Section::new(&format!("{}: {}", world.table, world.about)).text(text).table(table(found))
    });
    Document { sections: sections.collect(), verdicts: verdicts(found) }
}

fn table(found: &WorldFindings) -> Table {
    let heading = [
        "agent",
        "of",
        "inserts",
        "removes",
        "heap",
        "operations",
        "height",
        "depth",
        "A*/it",
        "expanded",
        "searches",
        "steps",
        "µs",
    ];
    let mut table = Table::new(&heading).left(1);
    let plain = found.operations("A*").unwrap_or(f64::NAN);
    let reported_plain = found.rows.iter().find(|row| row.entrant == "A*").and_then(|row| row.report);
    for row in &found.rows {
        let sum: &GoalRow = &row.ours.sum;
        let mut cells = vec![row.entrant.to_owned(), "ours".to_owned()];
        cells.extend(counts([sum.inserts, sum.removes, sum.heap_size, sum.operations, sum.heap_height, sum.depth]));
        cells.push(format!("{:.1}", plain / sum.operations));
        cells.extend([sum.expanded, sum.searches, sum.steps].map(grouped));
        cells.push(sum.time_us.map_or_else(String::new, micros));
        table.push(cells);
        if let Some(Reported { inserts, removes, heap_size, operations, heap_height, depth }) = row.report {
            let mut cells = vec![String::new(), "report".to_owned()];
            cells.extend(counts([inserts, removes, heap_size, operations, heap_height, depth]));
            cells
                .push(reported_plain.map_or_else(String::new, |plain| format!("{:.1}", plain.operations / operations)));
            cells.extend([(); 4].map(|()| String::new()));
            table.push(cells);
        }
    }
    table
}

/// Formats inserts, removes, heap size, operations, height and depth.
fn counts([inserts, removes, size, operations, height, depth]: [f64; 6]) -> [String; 6] {
    [
        grouped(inserts),
        grouped(removes),
        format!("{size:.2}"),
        grouped(operations),
        format!("{height:.2}"),
        grouped(depth),
    ]
}

fn verdicts(found: &Findings) -> Vec<Verdict> {
    let [maze, field] = &found.worlds[..] else { return Vec::new() };
    let mut verdicts = vec![
        times_fewer("in the maze, D* needs at most an eighth of A*'s heap operations (report: 8.5)", maze, "D*", 8.0),
        times_fewer("on the field, Focused D* needs at most a ninth (report: 9.7)", field, "FD*", 9.0),
    ];
    verdicts.extend([(maze, "in the maze"), (field, "on the field")].map(|(world, place)| {
        let target = format!("{place}, D* Lite needs no more than the better of the two");
        match [world.operations("D* Lite"), world.operations("D*"), world.operations("FD*")] {
            [Some(lite), Some(plain), Some(focused)] => {
                let better = plain.min(focused);
                let found = format!("{} against {}", grouped(lite), grouped(better));
                Verdict::new(&target, found, lite <= better)
            }
            _ => Verdict::new(&target, "it did not take part".to_owned(), None),
        }
    }));
    let late = format!("{} did not", found.unanswered);
    verdicts.push(Verdict::new("every agent reaches its last goal in every game", late, found.unanswered == 0));
    verdicts
}

/// Returns the verdict on an entrant that is to need so many times fewer operations than A*.
fn times_fewer(target: &str, world: &WorldFindings, title: &str, least: f64) -> Verdict {
    match (world.operations("A*"), world.operations(title)) {
        (Some(plain), Some(own)) => {
            let found = format!("{:.1} times fewer, {} against {}", plain / own, grouped(own), grouped(plain));
            Verdict::new(target, found, plain / own >= least)
        }
        _ => Verdict::new(target, "it did not take part".to_owned(), None),
    }
}
