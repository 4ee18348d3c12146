//! The frame of a plot as SVG: the places of values in the plot, grid lines, and round numbers along both sides.
//!
//! Not here: what is drawn inside the frame.

use super::escaped;
use std::fmt::Write;

pub(super) const WIDTH: f64 = 620.0;
pub(super) const HEIGHT: f64 = 360.0;
pub(super) const LEFT: f64 = 58.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;

/// The vertical scale of a plot. The horizontal scale is linear and starts at 0, except for `BothLogarithmic`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Scale {
    Logarithmic,
    BothLogarithmic,
    LinearFromOne,
    LinearFromZero,
}

/// The axes of a plot: they map values to places in the SVG. The ends are logarithms if the scale is logarithmic.
pub(super) struct Axes {
    x_least: f64,
    x_most: f64,
    y_least: f64,
    y_most: f64,
    scale: Scale,
}

impl Axes {
    /// Returns axes with room for all these points.
    pub(super) fn fitting(points: impl Iterator<Item = (f64, f64)>, scale: Scale) -> Axes {
        let (mut x_least, mut x_most, mut least, mut greatest) = (f64::MAX, 0.0, f64::MAX, f64::MIN);
        for (x, y) in points {
            (x_least, x_most) = (f64::min(x_least, x), f64::max(x_most, x));
            (least, greatest) = (f64::min(least, y), f64::max(greatest, y));
        }
        let (y_least, y_most) = match scale {
            Scale::Logarithmic | Scale::BothLogarithmic if greatest >= least => {
                let (low, high) = (least.log10().floor(), greatest.log10().ceil());
                (low, if high > low { high } else { low + 1.0 })
            }
            Scale::Logarithmic | Scale::BothLogarithmic => (0.0, 1.0),
            Scale::LinearFromOne => (1.0, 1.0 + ((greatest - 1.0) * 1.05).max(0.05)),
            Scale::LinearFromZero => (0.0, if greatest > 0.0 { greatest * 1.05 } else { 1.0 }),
        };
        let (x_least, x_most) = match scale {
            // From a power of two to a power of two, as the sides of worlds are, with a little room at both ends.
            Scale::BothLogarithmic if x_most > 0.0 => (x_least.log2().floor() - 0.25, x_most.log2().ceil() + 0.25),
            _ => (0.0, if x_most > 0.0 { x_most } else { 1.0 }),
        };
        Axes { x_least, x_most, y_least, y_most, scale }
    }

    pub(super) fn x(&self, value: f64) -> f64 {
        let value = if self.scale == Scale::BothLogarithmic { value.log2() } else { value };
        LEFT + (value - self.x_least) / (self.x_most - self.x_least) * (WIDTH - LEFT - RIGHT)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        let logarithmic = matches!(self.scale, Scale::Logarithmic | Scale::BothLogarithmic);
        let value = if logarithmic { value.log10() } else { value };
        HEIGHT - BOTTOM - (value - self.y_least) / (self.y_most - self.y_least) * (HEIGHT - TOP - BOTTOM)
    }

    fn x_ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::BothLogarithmic => {
                (self.x_least.ceil() as i32..=self.x_most.floor() as i32).map(|power| 2_f64.powi(power)).collect()
            }
            _ => ticks(0.0, self.x_most),
        }
    }

    fn y_ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Logarithmic | Scale::BothLogarithmic => {
                (self.y_least as i32..=self.y_most as i32).map(|power| 10_f64.powi(power)).collect()
            }
            Scale::LinearFromOne | Scale::LinearFromZero => ticks(self.y_least, self.y_most),
        }
    }

    /// Returns a plot: title, grid, numbers and names of both axes, with `inside` drawn in it.
    pub(super) fn framed(&self, title: &str, across: &str, up: &str, inside: &str) -> String {
        let title = escaped(title);
        format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"18\">{title}</text>\n{}{inside}</svg>\n",
            self.frame(&escaped(across), &escaped(up))
        )
    }

    fn frame(&self, across: &str, up: &str) -> String {
        let (right, base) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let mut svg = String::new();
        for tick in self.y_ticks() {
            let y = self.y(tick);
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
        for tick in self.x_ticks() {
            let x = self.x(tick);
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
            across,
            up
        )
        .expect("a string");
        svg
    }
}

/// Returns about five round values from `least` to `most`.
fn ticks(least: f64, most: f64) -> Vec<f64> {
    let rough = (most - least) / 5.0;
    let unit = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit).into_iter().find(|&step| step >= rough * (1.0 - 1e-9));
    let step = step.unwrap_or(10.0 * unit);
    let (first, last) = ((least / step - 1e-9).ceil() as i64, (most / step + 1e-9).floor() as i64);
    (first..=last).map(|index| index as f64 * step).collect()
}

/// Formats a number without needless zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
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
    fn axes_of_nothing_are_still_axes() {
        let scales = [Scale::Logarithmic, Scale::BothLogarithmic, Scale::LinearFromOne, Scale::LinearFromZero];
        for scale in scales {
            let svg = Axes::fitting(std::iter::empty(), scale).framed("t", "a", "u", "");
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn what_doubles_is_as_far_apart_both_times() {
        let points = [(256.0, 10.0), (512.0, 100.0), (1024.0, 1000.0)];
        let axes = Axes::fitting(points.into_iter(), Scale::BothLogarithmic);
        let [a, b, c] = points.map(|(x, y)| (axes.x(x), axes.y(y)));
        assert!((b.0 - a.0 - (c.0 - b.0)).abs() < 1e-9 && (a.1 - b.1 - (b.1 - c.1)).abs() < 1e-9);
        assert!(a.0 > LEFT && c.0 < WIDTH);
        assert_eq!(axes.x_ticks().iter().map(|&tick| short(tick)).collect::<Vec<_>>(), ["256", "512", "1024"]);
        // A single world must not lead to a division by 0.
        assert!(Axes::fitting([(256.0, 10.0)].into_iter(), Scale::BothLogarithmic).x(256.0).is_finite());
    }
}
