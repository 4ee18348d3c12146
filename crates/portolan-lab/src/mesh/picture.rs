//! Pictures of a navigation mesh: from above or at an angle, with its links as dashed lines, the nodes of a hierarchy in colours,
//! and a route, dashed where it is a link.
//!
//! Not here: writing files.

use super::mark::MeshMark;
use crate::picture::palette::{GOAL, GROUND, LINK, PAPER, RIM, ROUTE, Rgb, START, blend, ground, patch};
use crate::picture::raster::Raster;
use portolan::{MeshPoint, NavMesh};
use portolan_formats::png_image;
use std::fmt::Write;

/// The length in pixels of the longer side of a picture.
const LONG_SIDE: f64 = 1200.0;
/// The width of the rim around the mesh, in pixels.
const RIM_WIDTH: f64 = 20.0;
/// A mesh of more polygons than this has no lines around its polygons, which would cover them.
const MOST_LINED: usize = 60_000;
/// The length of a dash of a link, and of the gap after it, in pixels.
const DASH: f64 = 7.0;

/// From where a mesh is seen.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum View {
    /// From straight above.
    #[default]
    Above,
    /// From above and one side, so that heights are seen.
    Isometric,
}

/// A picture of a mesh.
#[derive(Clone)]
pub struct MeshPicture<'a> {
    mesh: &'a NavMesh,
    view: View,
    labels: &'a [u32],
    marks: &'a [MeshMark],
    route: &'a [MeshPoint],
}

/// A polygon on the picture: its corners in pixels and its colour.
struct Face {
    corners: Vec<(f64, f64)>,
    fill: Rgb,
}

/// How places become pixels.
pub(super) struct Frame {
    view: View,
    scale: f64,
    least: (f64, f64),
    width: usize,
    height: usize,
}

impl Frame {
    fn new(mesh: &NavMesh, view: View) -> Frame {
        let mut frame = Frame { view, scale: 1.0, least: (0.0, 0.0), width: 0, height: 0 };
        let (mut least, mut greatest) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        for polygon in 0..mesh.polygons() as u32 {
            for at in mesh.corners(polygon) {
                let (x, y) = frame.turned(at);
                least = (least.0.min(x), least.1.min(y));
                greatest = (greatest.0.max(x), greatest.1.max(y));
            }
        }
        let extent = (greatest.0 - least.0).max(greatest.1 - least.1).max(f64::MIN_POSITIVE);
        frame.scale = (LONG_SIDE - 2.0 * RIM_WIDTH) / extent;
        frame.least = least;
        let side = |from: f64, to: f64| ((to - from) * frame.scale + 2.0 * RIM_WIDTH).ceil() as usize;
        (frame.width, frame.height) = (side(least.0, greatest.0), side(least.1, greatest.1));
        frame
    }

    /// Returns where a place lies from this view, before scaling.
    fn turned(&self, [x, y, z]: [f64; 3]) -> (f64, f64) {
        match self.view {
            View::Above => (x, y),
            // The usual isometric view, with 0.866 for the cosine of 30 degrees.
            View::Isometric => ((x - y) * 0.866, (x + y) * 0.5 - z),
        }
    }

    /// Returns how many pixels a unit of the mesh has.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    pub(super) fn pixel(&self, at: [f64; 3]) -> (f64, f64) {
        let (x, y) = self.turned(at);
        ((x - self.least.0) * self.scale + RIM_WIDTH, (y - self.least.1) * self.scale + RIM_WIDTH)
    }
}

impl<'a> MeshPicture<'a> {
    /// Returns a picture of a mesh from above.
    pub fn new(mesh: &'a NavMesh) -> MeshPicture<'a> {
        MeshPicture { mesh, view: View::Above, labels: &[], marks: &[], route: &[] }
    }

    /// Returns the picture from this view.
    #[must_use]
    pub fn seen_from(self, view: View) -> MeshPicture<'a> {
        MeshPicture { view, ..self }
    }

    /// Returns the picture with polygons coloured by these numbers, one for each polygon.
    #[must_use]
    pub fn with_labels(self, labels: &'a [u32]) -> MeshPicture<'a> {
        MeshPicture { labels, ..self }
    }

    /// Returns the picture with these marks above the ground and below the route, later marks over earlier ones.
    #[must_use]
    pub fn with_marks(self, marks: &'a [MeshMark]) -> MeshPicture<'a> {
        MeshPicture { marks, ..self }
    }

    /// Returns the picture with a route, its ends marked.
    #[must_use]
    pub fn with_route(self, route: &'a [MeshPoint]) -> MeshPicture<'a> {
        MeshPicture { route, ..self }
    }

    /// Returns the polygons from the farthest to the nearest.
    fn faces(&self, frame: &Frame) -> Vec<Face> {
        let heaviest = (0..self.mesh.polygons() as u32).map(|polygon| self.mesh.terrain(polygon).weight()).max();
        let mut polygons: Vec<(f64, u32)> = (0..self.mesh.polygons() as u32)
            .map(|polygon| {
                let [x, y, z] = self.mesh.coordinates(self.mesh.centre(polygon));
                (if self.view == View::Above { z } else { x + y + z }, polygon)
            })
            .collect();
        polygons.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let face = |(_, polygon): (f64, u32)| {
            let terrain = ground(self.mesh.terrain(polygon).weight(), heaviest.unwrap_or(1));
            let fill = match self.labels.get(polygon as usize) {
                Some(&label) => blend(terrain, label_colour(label), 0.55),
                None => terrain,
            };
            Face { corners: self.mesh.corners(polygon).map(|at| frame.pixel(at)).collect(), fill }
        };
        polygons.into_iter().map(face).collect()
    }

    fn way(&self, frame: &Frame) -> Vec<(f64, f64)> {
        self.route.iter().map(|&at| frame.pixel(self.mesh.coordinates(at))).collect()
    }

    /// Returns where the links of the mesh begin and end.
    fn links(&self, frame: &Frame) -> Vec<[(f64, f64); 2]> {
        self.mesh.links().map(|link| [link.from, link.to].map(|at| frame.pixel(at))).collect()
    }

    /// Returns whether the part of the route that begins at this place of it is a link.
    fn is_link(&self, part: usize) -> bool {
        self.mesh.link_between(self.route[part], self.route[part + 1]).is_some()
    }

    /// Returns the picture as pixels.
    pub fn raster(&self) -> Raster {
        let frame = Frame::new(self.mesh, self.view);
        let mut raster = Raster::filled(frame.width, frame.height, PAPER);
        let is_lined = self.mesh.polygons() <= MOST_LINED;
        for Face { corners, fill } in self.faces(&frame) {
            raster.fill_convex(&corners, fill);
            if is_lined {
                let line = blend(fill, [0; 3], 0.25);
                for (place, &from) in corners.iter().enumerate() {
                    raster.line(from, corners[(place + 1) % corners.len()], 0.2, line);
                }
            }
        }
        for [from, to] in self.links(&frame) {
            dashed(&mut raster, from, to, 1.0, LINK);
            raster.disc(from, 3.0, LINK);
            raster.disc(to, 3.0, LINK);
        }
        self.marks.iter().for_each(|mark| mark.paint(&mut raster, &frame));
        let way = self.way(&frame);
        for (part, step) in way.windows(2).enumerate() {
            if self.is_link(part) {
                dashed(&mut raster, step[0], step[1], 2.0, ROUTE);
            } else {
                raster.line(step[0], step[1], 2.0, ROUTE);
            }
        }
        if let [first, .., last] = way[..] {
            for (at, fill) in [(first, START), (last, GOAL)] {
                raster.disc(at, 8.0, RIM);
                raster.disc(at, 6.0, fill);
            }
        }
        raster
    }

    /// Returns the bytes of a PNG file of the picture.
    pub fn png(&self) -> Vec<u8> {
        let Raster { width, height, pixels } = self.raster();
        png_image::encode_rgb(width as u32, height as u32, &pixels)
    }

    /// Returns the picture as an SVG document.
    pub fn svg(&self) -> String {
        let frame = Frame::new(self.mesh, self.view);
        let (width, height) = (frame.width, frame.height);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n<g stroke-width=\"0.4\" stroke-linejoin=\"round\">\n",
            hex(PAPER)
        );
        let points = |corners: &[(f64, f64)]| {
            let words: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            words.join(" ")
        };
        for Face { corners, fill } in self.faces(&frame) {
            let line = hex(blend(fill, [0; 3], 0.25));
            let _ =
                writeln!(svg, "<polygon points=\"{}\" fill=\"{}\" stroke=\"{line}\"/>", points(&corners), hex(fill));
        }
        svg += "</g>\n";
        for [(x, y), to] in self.links(&frame) {
            let (ends, colour) = (points(&[(x, y), to]), hex(LINK));
            let line = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{DASH}\"");
            let _ = writeln!(svg, "<polyline points=\"{ends}\" {line}/>");
            for (x, y) in [(x, y), to] {
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
            }
        }
        self.marks.iter().for_each(|mark| mark.write(&mut svg, &frame));
        let way = self.way(&frame);
        if let [first, .., last] = way[..] {
            let line = "fill=\"none\" stroke-width=\"4\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
            let mut begin = 0;
            for part in 0..way.len() - 1 {
                let is_link = self.is_link(part);
                if is_link {
                    let dashes = format!("stroke-dasharray=\"{DASH} {}\"", 2.0 * DASH);
                    let ends = points(&way[part..part + 2]);
                    let _ = writeln!(svg, "<polyline points=\"{ends}\" {line} {dashes} stroke=\"{}\"/>", hex(ROUTE));
                }
                // The ground before a link, or before the goal, is one line.
                let end = if is_link { part } else { part + 1 };
                if (is_link || part + 2 == way.len()) && begin < end {
                    let ground = points(&way[begin..=end]);
                    let _ = writeln!(svg, "<polyline points=\"{ground}\" {line} stroke=\"{}\"/>", hex(ROUTE));
                }
                begin = if is_link { part + 1 } else { begin };
            }
            for ((x, y), fill) in [(first, START), (last, GOAL)] {
                let rim = format!("stroke=\"{}\" stroke-width=\"2\"", hex(RIM));
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\" fill=\"{}\" {rim}/>", hex(fill));
            }
        }
        svg + "</svg>\n"
    }
}

/// Draws a dashed line.
fn dashed(raster: &mut Raster, from: (f64, f64), to: (f64, f64), radius: f64, fill: Rgb) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(f64::MIN_POSITIVE);
    let at = |along: f64| (from.0 + dx * (along / length).min(1.0), from.1 + dy * (along / length).min(1.0));
    for dash in 0..(length / (2.0 * DASH)).ceil() as usize {
        let begin = 2.0 * DASH * dash as f64;
        raster.line(at(begin), at(begin + DASH), radius, fill);
    }
}

/// Returns the colour of a node: neighbouring numbers get colours that are easy to tell apart.
fn label_colour(label: u32) -> Rgb {
    let base = patch(label as usize);
    let shade = f64::from(label.wrapping_mul(0x9e37_79b9) >> 24) / 255.0;
    blend(base, GROUND, 0.5 * shade)
}

pub(super) fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::tests::holed;

    #[test]
    fn a_picture_shows_polygons_holes_nodes_and_the_route() {
        let mesh = holed(8);
        let route = [mesh.centre(0), mesh.centre(mesh.polygons() as u32 - 1)];
        let plain = MeshPicture::new(&mesh);
        let labels: Vec<u32> = (0..mesh.polygons() as u32).collect();
        for view in [View::Above, View::Isometric] {
            let Raster { width, height, pixels } = plain.clone().seen_from(view).raster();
            assert_eq!(pixels.len(), 3 * width * height);
            let count = |picture: MeshPicture, colour: Rgb| {
                let Raster { pixels, .. } = picture.seen_from(view).raster();
                pixels.as_chunks::<3>().0.iter().filter(|&&pixel| pixel == colour).count()
            };
            let whole = width * height;
            assert!(count(plain.clone(), PAPER) > whole / 20 && count(plain.clone(), PAPER) < whole * 3 / 4);
            assert!(count(plain.clone().with_route(&route), ROUTE) > 500);
            assert!(count(plain.clone().with_labels(&labels), GROUND) < count(plain.clone(), GROUND));
            let svg = plain.clone().with_route(&route).seen_from(view).svg();
            assert_eq!(svg.matches("<polygon").count(), mesh.polygons());
            assert_eq!(svg.matches("<circle").count(), 2);
        }
    }

    #[test]
    fn links_are_dashed_and_so_is_the_route_over_them() {
        let mut parts = holed(8).to_parts();
        let plain = NavMesh::new(&parts).unwrap();
        let ends = [0, plain.polygons() as u32 - 1].map(|polygon| plain.centre(polygon));
        let [from, to] = ends.map(|end| plain.coordinates(end));
        parts.links.push(portolan::MeshLink { from, to, cost: 1.0, both_ways: false });
        let mesh = NavMesh::new(&parts).unwrap();
        let start = mesh.link_ends(0)[0];
        let route = [MeshPoint { x: start.x + 1, ..start }, mesh.link_ends(0)[0], mesh.link_ends(0)[1]];
        let picture = MeshPicture::new(&mesh);
        let count = |picture: &MeshPicture, colour: Rgb| {
            picture.raster().pixels.as_chunks::<3>().0.iter().filter(|&&pixel| pixel == colour).count()
        };
        assert!(count(&picture, LINK) > 300 && count(&MeshPicture::new(&plain), LINK) == 0);
        assert_eq!(picture.svg().matches("stroke-dasharray").count(), 1);
        let drawn = picture.clone().with_route(&route);
        assert!(count(&drawn, ROUTE) > 300);
        let svg = drawn.svg();
        assert_eq!((svg.matches("stroke-dasharray").count(), svg.matches("<polyline").count()), (2, 3));
    }
}
