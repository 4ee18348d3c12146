//! The part of a report about edits: a table, and a plot with two bars for each algorithm, one for following an edit
//! and one for building anew. The colours are those of the race's table.

use super::{COLOURS, escaped, list, table};
use crate::race::{EditRace, EditRow};
use crate::table::{EDIT_HEADING, about_edits, edit_cells, micros};
use std::fmt::Write;

const WIDTH: f64 = 620.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 80.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
/// Height of the part of the plot that belongs to one algorithm, and of one bar in it.
const BAND: f64 = 36.0;
const BAR: f64 = 12.0;
/// The shortest time that is drawn, in microseconds. Shorter times are drawn as this one, because 0 has no logarithm.
const LEAST: f64 = 0.01;

pub(super) fn section(edits: &EditRace) -> String {
    let rows = edits.rows.iter().map(|row| (row.mismatches > 0 || row.lost.is_some(), edit_cells(row)));
    let lost = edits.rows.iter().filter_map(EditRow::farewell);
    let faults = edits.faults.iter().map(|fault| format!("wrong: {fault}"));
    format!(
        "<h3>{}</h3>\n{}{}<div class=\"bars\">\n{}</div>\n",
        escaped(&about_edits(edits)),
        table(&EDIT_HEADING, rows),
        list(lost.chain(faults)),
        bars(&edits.rows)
    )
}

/// A logarithmic axis of times, given by the powers of ten at both ends.
struct Axis {
    least: f64,
    most: f64,
}

impl Axis {
    fn fitting(rows: &[EditRow]) -> Axis {
        let times = || rows.iter().flat_map(|row| [row.mean_us, row.rebuild_ms * 1e3]).map(|time| time.max(LEAST));
        let least = times().fold(1.0, f64::min).log10().floor();
        let most = times().fold(1.0, f64::max).log10().ceil();
        Axis { least, most: most.max(least + 1.0) }
    }

    fn x(&self, micros: f64) -> f64 {
        LEFT + (micros.max(LEAST).log10() - self.least) / (self.most - self.least) * (WIDTH - LEFT - RIGHT)
    }
}

fn bars(rows: &[EditRow]) -> String {
    let axis = Axis::fitting(rows);
    let base = TOP + BAND * rows.len() as f64;
    let height = base + BOTTOM;
    let title = "Following an edit (solid) and building anew (faint)";
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\">\n\
         <text class=\"title\" x=\"0\" y=\"18\">{title}</text>\n"
    );
    for power in axis.least as i32..=axis.most as i32 {
        let time = 10_f64.powi(power);
        let x = axis.x(time);
        writeln!(
            svg,
            "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{base}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{time}</text>",
            base + 19.0
        )
        .expect("a string");
    }
    writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">microseconds</text>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        height - 8.0
    )
    .expect("a string");
    for (index, row) in rows.iter().enumerate() {
        let top = TOP + BAND * index as f64 + (BAND - 2.0 * BAR) / 2.0;
        writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            top + BAR + 4.0,
            escaped(&row.algorithm)
        )
        .expect("a string");
        let colour = index % COLOURS;
        for (line, (time, faint)) in [(row.mean_us, ""), (row.rebuild_ms * 1e3, " faint")].into_iter().enumerate() {
            let (y, right) = (top + BAR * line as f64, axis.x(time));
            writeln!(
                svg,
                "<rect class=\"bar{faint} s{colour}\" x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                right - LEFT,
                BAR - 1.0,
                right + 6.0,
                y + BAR - 2.0,
                micros(time)
            )
            .expect("a string");
        }
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mean_us: f64, rebuild_ms: f64, lost: Option<&str>) -> EditRow {
        EditRow {
            algorithm: "a<b".to_owned(),
            edits: 3,
            mean_us,
            p50_us: mean_us,
            p95_us: mean_us,
            max_us: mean_us,
            clusters: 1.5,
            rebuild_ms,
            edit_to_rebuild: None,
            checked: 2,
            mismatches: 0,
            lost: lost.map(str::to_owned),
        }
    }

    #[test]
    fn bars_stay_on_the_paper() {
        for rows in [vec![], vec![row(0.0, 0.0, None)], vec![row(25.0, 1234.5, None), row(1e6, 0.001, None)]] {
            let svg = bars(&rows);
            assert_eq!(svg.matches("<rect").count(), rows.len() * 2);
            assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("width=\"-"), "{svg}");
        }
    }

    #[test]
    fn who_was_left_behind_is_told() {
        let rows = vec![row(1.0, 1.0, None), row(1.0, 1.0, Some("too hilly"))];
        let edits = EditRace { count: 4, size: 2, apply_us: 0.5, rows, faults: vec!["x > y".to_owned()] };
        let html = section(&edits);
        assert!(html.contains("4 edits of 2 x 2 cells; the world itself takes 0.50 µs for one"), "{html}");
        assert!(html.contains("a&lt;b could follow no further than 3 edits: too hilly"), "{html}");
        assert!(html.contains("wrong: x &gt; y") && html.matches("class=\"wrong\"").count() == 1, "{html}");
    }
}
