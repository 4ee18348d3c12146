//! A plot as inline SVG: a dot for every sample, and for each series a line through medians. Colours come from the
//! classes `s0` to `s7` of the page's style sheet; lines of different series also differ in their dashes.

use super::axes::{Axes, Scale};
use super::{COLOURS, DASHES, Series, escaped};
use crate::race::percentile;
use std::fmt::Write;

/// The greatest number of dots for a series, picked evenly. The line is computed from all samples.
const DOTS: usize = 300;
/// The greatest number of points of a line. Each is the median of the samples of one stretch of lengths.
const STRETCHES: usize = 16;

pub(super) struct Plot {
    pub(super) title: &'static str,
    pub(super) across: &'static str,
    pub(super) up: &'static str,
    pub(super) scale: Scale,
    pub(super) series: Vec<Series>,
}

impl Plot {
    pub(super) fn svg(&self) -> String {
        let points = self.series.iter().flat_map(|series| series.points.iter().copied());
        let axes = Axes::fitting(points, self.scale);
        // All dots are drawn below all lines.
        let dots = self.series.iter().enumerate().map(|(index, series)| dots(index, series, &axes));
        let trends = self.series.iter().enumerate().map(|(index, series)| trend(index, series, &axes));
        axes.framed(self.title, self.across, self.up, &dots.chain(trends).collect::<String>())
    }
}

fn dots(index: usize, series: &Series, axes: &Axes) -> String {
    let total = series.points.len();
    let picked = (0..total.min(DOTS)).map(|i| series.points[i * total / total.min(DOTS)]);
    // A line of length 0 with round ends is a dot. So all dots are one path instead of hundreds of elements.
    let mut path = String::new();
    for (x, y) in picked {
        write!(path, "M{:.1} {:.1}h0", axes.x(x), axes.y(y)).expect("a string");
    }
    format!("<path class=\"dots s{}\" d=\"{path}\"/>\n", index % COLOURS)
}

fn trend(index: usize, series: &Series, axes: &Axes) -> String {
    let mut points = series.points.clone();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let stretch = points.len().div_ceil(STRETCHES).max(5);
    let mut line = String::new();
    for near in points.chunks(stretch) {
        let mut values: Vec<f64> = near.iter().map(|point| point.1).collect();
        values.sort_by(f64::total_cmp);
        let x = near.iter().map(|point| point.0).sum::<f64>() / near.len() as f64;
        let space = if line.is_empty() { "" } else { " " };
        write!(line, "{space}{:.1},{:.1}", axes.x(x), axes.y(percentile(&values, 50.0))).expect("a string");
    }
    format!(
        "<polyline class=\"trend s{}\" stroke-dasharray=\"{}\" points=\"{line}\"><title>{}</title></polyline>\n",
        index % COLOURS,
        DASHES[index % DASHES.len()],
        escaped(&series.name)
    )
}
