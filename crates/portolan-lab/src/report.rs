//! Races as one web page that loads no other files: for each map a table and two plots, and one more table and plot if
//! edits were raced. The page is light or dark as the reader's system is. Pages of other experiments are made from the
//! parts of this module. [`tsv`] and [`csv()`] give the numbers alone, for spreadsheets and scripts.
//!
//! Not here: writing files and serving pages.

mod axes;
mod edits;
pub(crate) mod figure;
mod plot;
mod rows;

pub(crate) use axes::Scale;
pub use rows::{csv, tsv};

use crate::race::{RaceResult, Sample};
use crate::table::{HEADING, about_batches, cells, of_batches};
use plot::Plot;
use std::fmt::Write;

/// Returns the page of these races.
///
/// # Panics
/// Never: writing to a string cannot fail.
pub fn html(results: &[RaceResult]) -> String {
    let mut body = format!("<p>{INTRODUCTION}</p>\n");
    for result in results {
        write!(body, "<section>\n<h2>{}</h2>\n", escaped(&result.map)).expect("a string");
        body.push_str(&table(&HEADING, result.rows.iter().map(|row| (row.mismatches > 0, cells(row)))));
        body.push_str(&notes(result));
        body.push_str(&legend(result.rows.iter().map(|row| row.algorithm.as_str())));
        body.push_str(&plots(result));
        if let Some(about) = about_batches(result) {
            body.push_str(&batches(result, about));
        }
        if let Some(edits) = &result.edits {
            body.push_str(&edits::section(edits));
        }
        body.push_str("</section>\n");
    }
    page("Portolan race", &body)
}

const INTRODUCTION: &str = "The same queries for every algorithm, in turns. Times are in microseconds and those of one \
pass, in which no query is repeated; warm ones are the least of several runs on end. The first step is known before the \
last where an algorithm plans in legs. Ratio is route to optimum. In the plots a dot is a query of the pass and a line the \
median of its neighbourhood.";

/// Returns a whole page with this title and body.
pub(crate) fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!("{HEAD}<title>{title}</title>\n{STYLE}<body>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</body>\n</html>\n")
}

/// Escapes text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a table. Each row comes with whether something in it is wrong, and is marked with the colour of its series.
fn table(heading: &[&str], rows: impl Iterator<Item = (bool, Vec<String>)>) -> String {
    let heading = heading.iter().map(|word| format!("<th scope=\"col\">{}</th>", escaped(word)));
    let heading = heading.collect::<Vec<_>>().concat();
    let mut html = format!("<div class=\"wide\"><table>\n<thead><tr>{heading}</tr></thead>\n<tbody>\n");
    for (index, (wrong, cells)) in rows.enumerate() {
        let class = if wrong { " class=\"wrong\"" } else { "" };
        write!(html, "<tr{class}>").expect("a string");
        for (column, cell) in cells.iter().enumerate() {
            match column {
                0 => write!(html, "<th scope=\"row\"><i class=\"key s{}\"></i>{}</th>", index % COLOURS, escaped(cell)),
                _ => write!(html, "<td>{}</td>", escaped(cell)),
            }
            .expect("a string");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
    html
}

/// The number of colours for series in the style sheet.
const COLOURS: usize = 8;

/// The dashes of lines, so that series can also be distinguished without colours.
const DASHES: [&str; 4] = ["none", "7 4", "2 4", "10 4 2 4"];

/// The points of one series, for example of one algorithm.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

fn notes(result: &RaceResult) -> String {
    let chosen = result.rows.iter().filter_map(crate::race::Row::reason);
    let skipped =
        result.skipped.iter().map(|skipped| format!("{} was left out: {}", skipped.algorithm, skipped.reason));
    let gave_up = result.rows.iter().filter(|row| row.out_of_budget > 0);
    let gave_up =
        gave_up.map(|row| format!("{} ran out of its budget on {} queries", row.algorithm, row.out_of_budget));
    let faults = result.faults.iter().map(|fault| format!("wrong: {fault}"));
    list(chosen.chain(skipped).chain(gave_up).chain(faults))
}

/// Returns the notes below a table as a list, or an empty string if there are none.
fn list(notes: impl Iterator<Item = String>) -> String {
    let items = notes.map(|note| format!("<li>{}</li>\n", escaped(&note))).collect::<Vec<_>>().concat();
    if items.is_empty() { items } else { format!("<ul class=\"notes\">\n{items}</ul>\n") }
}

/// Returns a legend that gives the colour of each name.
fn legend<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let key = |(index, name): (usize, &str)| {
        format!("<li><i class=\"key s{}\"></i>{}</li>\n", index % COLOURS, escaped(name))
    };
    let keys: String = names.enumerate().map(key).collect();
    format!("<ul class=\"legend\">\n{keys}</ul>\n")
}

/// Returns the table of batches below its first line, and the others as notes.
fn batches(result: &RaceResult, about: Vec<String>) -> String {
    let table_of = of_batches(result);
    let (heading, rows) = table_of.rows().split_first().expect("every table has a heading");
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let wrong = result.rows.iter().filter_map(|row| row.batch.as_ref()).map(|batch| !batch.identical);
    let mut about = about.into_iter();
    let headline = about.next().unwrap_or_default();
    let table = table(&heading, wrong.zip(rows.iter().cloned()));
    format!("<h3>{}</h3>\n{table}{}", escaped(&headline), list(about))
}

fn plots(result: &RaceResult) -> String {
    let series = |value: fn(&Sample) -> Option<f64>| -> Vec<Series> {
        let one = |(samples, row): (&Vec<Sample>, &crate::race::Row)| Series {
            name: row.algorithm.clone(),
            points: samples.iter().filter_map(|sample| Some((sample.length, value(sample)?))).collect(),
        };
        result.samples.iter().zip(&result.rows).map(one).collect()
    };
    let time = Plot {
        title: "Time by route length",
        across: "length of the shortest route",
        up: "microseconds",
        scale: Scale::Logarithmic,
        series: series(|sample| Some(sample.us.max(0.01))),
    };
    let ratio = Plot {
        title: "Ratio to the optimum by route length",
        across: "length of the shortest route",
        up: "route / optimum",
        scale: Scale::LinearFromOne,
        series: series(|sample| sample.ratio),
    };
    format!("<div class=\"plots\">\n{}{}</div>\n", time.svg(), ratio.svg())
}

const HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
"#;

const STYLE: &str = r"<style>
:root { color-scheme: light dark; --paper: #fdfaf3; --ink: #1d2733; --soft: #6b7480; --line: #ddd6c6;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b2408a; --c4: #b07c00; --c5: #2aa1dd; --c6: #1d2733; --c7: #8a6d5a; }
@media (prefers-color-scheme: dark) { :root { --paper: #151b24; --ink: #e9e4d8; --soft: #99a3ad; --line: #323c49;
  --c0: #4aa8e8; --c1: #ff8a3d; --c2: #2fcf9f; --c3: #e58cc4; --c4: #f0bd3e; --c5: #9ad8f7; --c6: #e9e4d8; --c7: #c4a68f; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 1.5rem; }
h1 { font-weight: 600; margin: 0 0 .25rem; }
h2 { font-weight: 600; margin: 2.5rem 0 .75rem; overflow-wrap: anywhere; }
h3 { font-weight: 600; margin: 2rem 0 .5rem; }
p, .notes { color: var(--soft); margin: .25rem 0; }
.notes { padding-left: 1.2rem; margin-top: .75rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: .3rem .75rem; text-align: right; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { color: var(--soft); font-weight: 500; }
th:first-child { text-align: left; padding-left: 0; }
.wrong td, .wrong th { color: var(--c1); }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .5em; background: currentColor; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: 1.25rem 0 .5rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(420px, 1fr)); gap: 1.5rem; }
svg { width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 12px; }
svg text.title { fill: var(--ink); font-size: 14px; font-weight: 600; }
.grid { stroke: var(--line); }
.dots { fill: none; stroke: currentColor; stroke-width: 4.5; stroke-linecap: round; opacity: .3; }
.bars { max-width: 620px; margin-top: 1.25rem; }
.faint { opacity: .3; }
.trend { fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round; }
.s0 { color: var(--c0); } .s1 { color: var(--c1); } .s2 { color: var(--c2); } .s3 { color: var(--c3); }
.s4 { color: var(--c4); } .s5 { color: var(--c5); } .s6 { color: var(--c6); } .s7 { color: var(--c7); }
figure { margin: 0; } figure .legend { margin: 0 0 0 58px; font-size: 13px; }
.wide + p, p + .wide, .wide + .wide, .wide + .plots, p + .plots { margin-top: .75rem; } td.left, th.left { text-align: left; }
.point, .bar { fill: currentColor; } .bar { stroke: var(--paper); stroke-width: .5; }
.met th { color: var(--c2); } .missed th { color: var(--c1); } .verdicts td { text-align: left; white-space: normal; }
</style>
</head>
";

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::progress::go_on;
    use crate::queries;
    use crate::race::{EditPlan, Entrant, race, race_edits};
    use portolan::any::AnySnapshot;
    use portolan::{Rules, SquareGrid};

    /// Checks that a page loads nothing from other files or servers, and that every tag is closed in the right order.
    pub(crate) fn check_page(page: &str) {
        for load in ["http://", "https://", "src=", "href=", "url(", "@import", "<script", "<link"] {
            assert!(!page.contains(load), "{load} in the page");
        }
        let mut open: Vec<&str> = Vec::new();
        for piece in page.split('<').skip(1) {
            let tag = &piece[..piece.find('>').expect("a tag ends")];
            let name = tag.split_whitespace().next().unwrap_or("").trim_end_matches('/');
            if let Some(closed) = name.strip_prefix('/') {
                assert_eq!(open.pop(), Some(closed));
            } else if !tag.ends_with('/') && !["meta", "!DOCTYPE"].contains(&name) {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?} left open");
    }

    fn page() -> String {
        let world = AnySnapshot::from(SquareGrid::open(30, 30, Rules::default()).unwrap());
        let trials = queries::random(&world, 20, 1).unwrap();
        let entrants = ["a-star", "greedy"].map(|name| Entrant::named(&world, name).unwrap());
        let result = race("<b>&\"open\"", &world, &trials, &entrants, 1, &mut go_on).unwrap();
        let plan = EditPlan { count: 4, size: 1, seed: 1 };
        let edits = Some(race_edits(&world, &trials, &entrants, plan, &mut go_on).unwrap());
        html(&[result.clone(), RaceResult { edits, ..result }])
    }

    #[test]
    fn every_tag_is_closed_in_turn() {
        let page = page();
        check_page(&page);
        assert_eq!((page.matches("<svg").count(), page.matches("<table").count()), (5, 3));
        assert!(page.contains("&lt;b&gt;&amp;&quot;open&quot;"));
    }
}
