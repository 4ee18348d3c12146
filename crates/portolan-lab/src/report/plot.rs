//! One plot as inline SVG: a dot for every sample, a line through the medians of each series. Colours come from the
//! page's style sheet, classes `s0` to `s7`; lines of different series also differ in their dashes.

use super::{COLOURS, escaped};
use crate::race::percentile;
use std::fmt::Write;

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
/// Dots drawn for a series at most, evenly picked; its line takes all samples into account.
const DOTS: usize = 300;
/// Stretches a line is made of at most.
const STRETCHES: usize = 16;
const DASHES: [&str; 4] = ["none", "7 4", "2 4", "10 4 2 4"];

/// How values go up.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Scale {
    Logarithmic,
    LinearFromOne,
}

/// What one algorithm did.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

pub(super) struct Plot {
    pub(super) title: &'static str,
    pub(super) across: &'static str,
    pub(super) up: &'static str,
    pub(super) scale: Scale,
    pub(super) series: Vec<Series>,
}

/// Where values lie on the paper.
struct Axes {
    x_most: f64,
    y_least: f64,
    y_most: f64,
    scale: Scale,
}

impl Axes {
    fn fitting(plot: &Plot) -> Axes {
        let points = || plot.series.iter().flat_map(|series| series.points.iter().copied());
        let x_most = points().map(|point| point.0).fold(0.0, f64::max);
        let greatest = points().map(|point| point.1).fold(f64::MIN, f64::max);
        let least = points().map(|point| point.1).fold(f64::MAX, f64::min);
        let (y_least, y_most) = match plot.scale {
            Scale::Logarithmic if greatest >= least => {
                let (low, high) = (least.log10().floor(), greatest.log10().ceil());
                (low, if high > low { high } else { low + 1.0 })
            }
            Scale::Logarithmic => (0.0, 1.0),
            Scale::LinearFromOne => (1.0, 1.0 + ((greatest - 1.0) * 1.05).max(0.05)),
        };
        Axes { x_most: if x_most > 0.0 { x_most } else { 1.0 }, y_least, y_most, scale: plot.scale }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + value / self.x_most * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let value = if self.scale == Scale::Logarithmic { value.log10() } else { value };
        HEIGHT - BOTTOM - (value - self.y_least) / (self.y_most - self.y_least) * (HEIGHT - TOP - BOTTOM)
    }

    fn x_ticks(&self) -> Vec<f64> {
        ticks(0.0, self.x_most)
    }

    fn y_ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Logarithmic => (self.y_least as i32..=self.y_most as i32).map(|power| 10_f64.powi(power)).collect(),
            Scale::LinearFromOne => ticks(self.y_least, self.y_most),
        }
    }
}

/// Round values between these, about five.
fn ticks(least: f64, most: f64) -> Vec<f64> {
    let rough = (most - least) / 5.0;
    let unit = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit).into_iter().find(|&step| step >= rough * (1.0 - 1e-9));
    let step = step.unwrap_or(10.0 * unit);
    let (first, last) = ((least / step - 1e-9).ceil() as i64, (most / step + 1e-9).floor() as i64);
    (first..=last).map(|index| index as f64 * step).collect()
}

/// A number without needless zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Plot {
    pub(super) fn svg(&self) -> String {
        let axes = Axes::fitting(self);
        let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n", self.title);
        write!(svg, "<text class=\"title\" x=\"{LEFT}\" y=\"18\">{}</text>\n{}", self.title, self.frame(&axes))
            .expect("a string");
        // All dots below all lines.
        for (index, series) in self.series.iter().enumerate() {
            svg.push_str(&dots(index, series, &axes));
        }
        for (index, series) in self.series.iter().enumerate() {
            svg.push_str(&trend(index, series, &axes));
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn frame(&self, axes: &Axes) -> String {
        let (right, base) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let mut svg = String::new();
        for tick in axes.y_ticks() {
            let y = axes.y(tick);
            writeln!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                y + 4.0,
                short(tick)
            )
            .expect("a string");
        }
        for tick in axes.x_ticks() {
            let x = axes.x(tick);
            writeln!(
                svg,
                "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{base}\" x2=\"{x:.1}\" y2=\"{:.1}\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                base + 5.0,
                base + 19.0,
                short(tick)
            )
            .expect("a string");
        }
        let middle = f64::midpoint(TOP, base);
        write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle:.1})\">{}</text>\n",
            f64::midpoint(LEFT, right),
            HEIGHT - 8.0,
            self.across,
            self.up
        )
        .expect("a string");
        svg
    }
}

fn dots(index: usize, series: &Series, axes: &Axes) -> String {
    let total = series.points.len();
    let picked = (0..total.min(DOTS)).map(|i| series.points[i * total / total.min(DOTS)]);
    // A line of no length with round ends is a dot: one path instead of hundreds of elements.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(0.0, 93.0).iter().map(|&t| short(t)).collect::<Vec<_>>(), ["0", "20", "40", "60", "80"]);
        assert_eq!(ticks(1.0, 1.05).iter().map(|&t| short(t)).collect::<Vec<_>>()[..2], ["1", "1.01"]);
    }

    #[test]
    fn a_plot_without_samples_is_still_a_plot() {
        let plot = |scale| Plot { title: "t", across: "a", up: "u", scale, series: vec![] };
        for scale in [Scale::Logarithmic, Scale::LinearFromOne] {
            let svg = plot(scale).svg();
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
