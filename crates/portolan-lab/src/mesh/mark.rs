//! Marks on a picture of a mesh, above the ground and its links and below the route: [`MeshMark`].
//!
//! Not here: the ground itself, links and routes (`picture.rs`).

use super::picture::{Frame, hex};
use crate::picture::palette::{RIM, Rgb};
use crate::picture::raster::Raster;
use std::fmt::Write;

/// A mark. Places are in the units of the mesh.
#[derive(Clone, PartialEq, Debug)]
pub enum MeshMark {
    /// A disc.
    Disc {
        /// Its middle.
        at: [f64; 3],
        /// Its colour.
        colour: Rgb,
        /// Its radius, in the units of the mesh.
        radius: f64,
    },
    /// A line through places.
    Line {
        /// The places in order.
        points: Vec<[f64; 3]>,
        /// Its colour.
        colour: Rgb,
        /// Its thickness, in pixels.
        width: f64,
    },
    /// An end of a walk: a disc with a rim, of the size that the ends of a route have.
    End {
        /// Its middle.
        at: [f64; 3],
        /// Its colour.
        colour: Rgb,
    },
}

impl MeshMark {
    /// Paints the mark.
    pub(super) fn paint(&self, raster: &mut Raster, frame: &Frame) {
        match self {
            MeshMark::Disc { at, colour, radius } => raster.disc(frame.pixel(*at), radius * frame.scale(), *colour),
            MeshMark::Line { points, colour, width } => {
                for part in points.windows(2) {
                    raster.line(frame.pixel(part[0]), frame.pixel(part[1]), width / 2.0, *colour);
                }
            }
            MeshMark::End { at, colour } => {
                raster.disc(frame.pixel(*at), 8.0, RIM);
                raster.disc(frame.pixel(*at), 6.0, *colour);
            }
        }
    }

    /// Writes the mark as SVG.
    pub(super) fn write(&self, svg: &mut String, frame: &Frame) {
        let written = match self {
            MeshMark::Disc { at, colour, radius } => {
                let ((x, y), radius, fill) = (frame.pixel(*at), radius * frame.scale(), hex(*colour));
                writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\"/>")
            }
            MeshMark::Line { points, colour, width } => {
                let points: Vec<String> = points
                    .iter()
                    .map(|&at| {
                        let (x, y) = frame.pixel(at);
                        format!("{x:.1},{y:.1}")
                    })
                    .collect();
                let line = "fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
                let (points, stroke) = (points.join(" "), hex(*colour));
                writeln!(svg, "<polyline points=\"{points}\" {line} stroke-width=\"{width}\" stroke=\"{stroke}\"/>")
            }
            MeshMark::End { at, colour } => {
                let ((x, y), fill, rim) = (frame.pixel(*at), hex(*colour), hex(RIM));
                let rim = format!("stroke=\"{rim}\" stroke-width=\"2\"");
                writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\" fill=\"{fill}\" {rim}/>")
            }
        };
        written.expect("a string");
    }
}
