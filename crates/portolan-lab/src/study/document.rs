//! A study for people: sections of text, tables and figures, and a verdict on each target. This module puts them
//! together and turns them into one web page that loads no other files.

use super::Results;
use crate::report::figure::Figure;
use crate::report::{escaped, page};
use crate::table::Table;
use serde::Serialize;
use std::fmt::Write;

/// A table or figure of the paper, and the text about it.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its heading.
    pub heading: String,
    /// Its text and tables, in order.
    pub blocks: Vec<Block>,
    figures: Vec<Figure>,
    pictures: Vec<CaptionedPicture>,
}

/// A picture that is part of a page, with words below it.
#[derive(Clone, Debug)]
struct CaptionedPicture {
    caption: String,
    svg: String,
}

/// A piece of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A table of numbers.
    Table(Table),
}

/// A target and what was reached.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// What was to be reached.
    pub target: String,
    /// What was found.
    pub found: String,
    /// Whether the target was met; `None` if the paper sets no target.
    pub met: Option<bool>,
}

impl Verdict {
    pub(super) fn new(target: &str, found: String, met: impl Into<Option<bool>>) -> Verdict {
        Verdict { target: target.to_owned(), found, met: met.into() }
    }

    /// Returns the verdict in one word.
    pub fn word(&self) -> &'static str {
        match self.met {
            Some(true) => "met",
            Some(false) => "missed",
            None => "told",
        }
    }
}

/// The sections and verdicts of a study.
pub(super) struct Document {
    pub(super) sections: Vec<Section>,
    pub(super) verdicts: Vec<Verdict>,
}

impl Section {
    pub(super) fn new(heading: &str) -> Section {
        Section { heading: heading.to_owned(), blocks: Vec::new(), figures: Vec::new(), pictures: Vec::new() }
    }

    pub(super) fn text(mut self, text: impl Into<String>) -> Section {
        self.blocks.push(Block::Text(text.into()));
        self
    }

    pub(super) fn table(mut self, table: Table) -> Section {
        self.blocks.push(Block::Table(table));
        self
    }

    pub(super) fn figure(mut self, figure: Figure) -> Section {
        self.figures.push(figure);
        self
    }

    /// Returns the section with a picture, given as an SVG document.
    pub(super) fn picture(mut self, caption: String, svg: &str) -> Section {
        // Inside a page, SVG needs no name space, which looks like an address to load.
        let svg = svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
        self.pictures.push(CaptionedPicture { caption, svg });
        self
    }

    fn html(&self) -> String {
        let mut html = format!("<section>\n<h2>{}</h2>\n", escaped(&self.heading));
        for block in &self.blocks {
            match block {
                Block::Text(text) => writeln!(html, "<p>{}</p>", escaped(text)).expect("a string"),
                Block::Table(table) => html.push_str(&table_html(table)),
            }
        }
        if !self.figures.is_empty() {
            let figures: String = self.figures.iter().map(Figure::html).collect();
            write!(html, "<div class=\"plots\">\n{figures}</div>\n").expect("a string");
        }
        if !self.pictures.is_empty() {
            let picture = |CaptionedPicture { caption, svg }: &CaptionedPicture| {
                format!("<figure>\n{svg}<figcaption>{}</figcaption>\n</figure>\n", escaped(caption))
            };
            let pictures: String = self.pictures.iter().map(picture).collect();
            write!(html, "<div class=\"plots\">\n{pictures}</div>\n").expect("a string");
        }
        html + "</section>\n"
    }
}

impl Results {
    /// Returns the study as one web page.
    pub fn html(&self) -> String {
        let mut body = format!("<p>{}</p>\n<p>{}</p>\n", escaped(&self.headings[0]), escaped(&self.headings[1]));
        body.push_str(&self.sections.iter().map(Section::html).collect::<String>());
        body.push_str("<section>\n<h2>Verdicts</h2>\n<div class=\"wide\"><table class=\"verdicts\">\n<tbody>\n");
        for verdict in &self.verdicts {
            let (word, target, found) = (verdict.word(), escaped(&verdict.target), escaped(&verdict.found));
            let row = format!("<th scope=\"row\">{word}</th><td>{target}</td><td>{found}</td>");
            writeln!(body, "<tr class=\"{word}\">{row}</tr>").expect("a string");
        }
        body.push_str("</tbody>\n</table></div>\n</section>\n");
        page(&format!("Portolan study {}", self.study), &body)
    }
}

fn table_html(table: &Table) -> String {
    let (heading, rows) = table.rows().split_first().expect("a table has a heading");
    let mut html = String::from("<div class=\"wide\"><table>\n<thead><tr>");
    let side = |column: usize| if table.is_left(column) && column > 0 { " class=\"left\"" } else { "" };
    for (column, cell) in heading.iter().enumerate() {
        write!(html, "<th scope=\"col\"{}>{}</th>", side(column), escaped(cell)).expect("a string");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            match column {
                0 => write!(html, "<th scope=\"row\">{}</th>", escaped(cell)),
                _ => write!(html, "<td{}>{}</td>", side(column), escaped(cell)),
            }
            .expect("a string");
        }
        html.push_str("</tr>\n");
    }
    html + "</tbody>\n</table></div>\n"
}
