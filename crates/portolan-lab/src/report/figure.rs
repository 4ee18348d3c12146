//! A figure of a paper, drawn with our numbers: lines through given points, or stacked bars, with a legend. Colours
//! come from the page's style sheet.

use super::axes::{Axes, Scale};
use super::{COLOURS, DASHES, Series, escaped, legend};
use std::fmt::Write;

/// How the values of a figure are drawn.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum Shape {
    /// A line for each series.
    Lines,
    /// Bars of this width; those of later series stand on top of those of earlier ones.
    Stack(f64),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Figure {
    pub(crate) title: String,
    pub(crate) across: &'static str,
    pub(crate) up: &'static str,
    pub(crate) scale: Scale,
    pub(crate) shape: Shape,
    pub(crate) series: Vec<Series>,
}

impl Figure {
    /// Returns the figure and its legend.
    pub(crate) fn html(&self) -> String {
        let tops = self.stacked();
        let drawn = tops.iter().flat_map(|series| series.points.iter().copied());
        let half = if let Shape::Stack(width) = self.shape { width / 2.0 } else { 0.0 };
        let axes = Axes::fitting(drawn.map(|(x, y)| (x + half, y)), self.scale);
        let mut inside = String::new();
        for (index, series) in tops.iter().enumerate() {
            inside.push_str(&match self.shape {
                Shape::Lines => line(index, series, &axes),
                Shape::Stack(_) => bars(index, series, index.checked_sub(1).map(|below| &tops[below]), half, &axes),
            });
        }
        let svg = axes.framed(&self.title, self.across, self.up, &inside);
        format!("<figure>\n{svg}{}</figure>\n", legend(self.series.iter().map(|series| series.name.as_str())))
    }

    /// Returns the series as they are drawn: in a stack, each value is added to those of the series below. All series
    /// of a stack have points in equal places.
    fn stacked(&self) -> Vec<Series> {
        let mut series = self.series.clone();
        if matches!(self.shape, Shape::Stack(_)) {
            for index in 1..series.len() {
                let below = series[index - 1].points.clone();
                for (point, (_, top)) in series[index].points.iter_mut().zip(below) {
                    point.1 += top;
                }
            }
        }
        series
    }
}

fn line(index: usize, series: &Series, axes: &Axes) -> String {
    let colour = index % COLOURS;
    let name = escaped(&series.name);
    let at: Vec<(f64, f64)> = series.points.iter().map(|&(x, y)| (axes.x(x), axes.y(y))).collect();
    let line: Vec<String> = at.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let mut svg = format!(
        "<polyline class=\"trend s{colour}\" stroke-dasharray=\"{}\" points=\"{}\"/>\n",
        DASHES[index % DASHES.len()],
        line.join(" ")
    );
    for ((x, y), (across, up)) in at.iter().zip(&series.points) {
        let value = format!("<title>{name}: {across:.0}, {up:.2}</title>");
        writeln!(svg, "<circle class=\"point s{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\">{value}</circle>")
            .expect("a string");
    }
    svg
}

fn bars(index: usize, series: &Series, below: Option<&Series>, half: f64, axes: &Axes) -> String {
    let colour = index % COLOURS;
    let name = escaped(&series.name);
    let mut svg = String::new();
    for (place, &(across, top)) in series.points.iter().enumerate() {
        let base = below.map_or(0.0, |below| below.points[place].1);
        let (x, width) = (axes.x(across - half), axes.x(across + half) - axes.x(across - half));
        let (y, height) = (axes.y(top), axes.y(base) - axes.y(top));
        let value = format!("<title>{name}: {across:.0}, {:.2}</title>", top - base);
        writeln!(
            svg,
            "<rect class=\"bar s{colour}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\">{value}</rect>"
        )
        .expect("a string");
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(shape: Shape) -> String {
        let series = |name: &str, points: &[(f64, f64)]| Series { name: name.to_owned(), points: points.to_vec() };
        let series = vec![series("a & b", &[(5.0, 2.0), (15.0, 4.0)]), series("c", &[(5.0, 1.0), (15.0, 0.0)])];
        let title = "<t>".to_owned();
        Figure { title, across: "x", up: "y", scale: Scale::LinearFromZero, shape, series }.html()
    }

    #[test]
    fn lines_show_every_point_and_bars_every_value() {
        let lines = figure(Shape::Lines);
        assert_eq!((lines.matches("<polyline").count(), lines.matches("<circle").count()), (2, 4));
        let bars = figure(Shape::Stack(10.0));
        assert_eq!(bars.matches("<rect").count(), 4);
        assert!(bars.contains("<title>c: 5, 1.00</title>"), "{bars}");
        for html in [lines, bars] {
            assert!(html.contains("a &amp; b") && html.contains("&lt;t&gt;") && !html.contains("NaN"), "{html}");
        }
    }
}
