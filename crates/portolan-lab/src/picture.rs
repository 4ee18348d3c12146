//! Pictures of a world with a route, the cells that a search expanded, and the outline of a planner's chart: as pixels,
//! as SVG, and as text, which shows only the route and the expanded cells.
//!
//! Not here: writing files, and finding out what a terminal can show.

mod mark;
mod palette;
mod raster;
mod svg;
mod text;

use portolan::{Cell, Event, NodeId, Outline, Probe, SquareGrid};

pub use mark::Mark;
pub use palette::Rgb;
pub use raster::Raster;

/// A picture of a world.
#[derive(Clone)]
pub struct Picture<'a> {
    grid: &'a SquareGrid,
    route: &'a [Cell],
    expanded: Vec<Cell>,
    outline: Option<&'a Outline>,
    marks: Vec<Mark>,
}

impl<'a> Picture<'a> {
    /// Returns a picture of the world alone.
    pub fn new(grid: &'a SquareGrid) -> Picture<'a> {
        Picture { grid, route: &[], expanded: Vec::new(), outline: None, marks: Vec::new() }
    }

    /// Returns the picture with a route, its ends marked.
    #[must_use]
    pub fn with_route(self, route: &'a [Cell]) -> Picture<'a> {
        Picture { route, ..self }
    }

    /// Returns the picture with these cells shown as expanded.
    #[must_use]
    pub fn with_expanded(self, footprint: &Footprint) -> Picture<'a> {
        let expanded = footprint.nodes.iter().map(|&node| self.grid.cell(node)).collect();
        Picture { expanded, ..self }
    }

    /// Returns the picture with the outline of a planner's chart: its ports, and its lines, which are darker the larger
    /// the regions are that they divide. Expanded ports stand out.
    #[must_use]
    pub fn with_outline(self, outline: &'a Outline) -> Picture<'a> {
        Picture { outline: Some(outline), ..self }
    }

    /// Returns the picture with these marks between the ground and the route, later marks over earlier ones.
    #[must_use]
    pub fn with_marks(self, marks: Vec<Mark>) -> Picture<'a> {
        Picture { marks, ..self }
    }

    /// Returns what each cell shows without the route, row by row.
    fn layers(&self) -> Vec<Layer> {
        let mut layers: Vec<Layer> =
            self.grid.cells().map(|cell| Layer { weight: self.grid.terrain(cell).weight(), expanded: false }).collect();
        for &cell in &self.expanded {
            layers[self.index(cell)].expanded = true;
        }
        layers
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * self.grid.width() + usize::from(cell.x)
    }

    /// Returns the largest weight of the world, or 1 if no cell is free. Colours of ground depend on it.
    fn heaviest(&self) -> u8 {
        (1..=255).rev().find(|&weight: &u8| self.grid.cells_by_weight()[usize::from(weight)] > 0).unwrap_or(1)
    }
}

/// What a cell shows.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Layer {
    weight: u8,
    expanded: bool,
}

/// A probe that keeps the nodes that were expanded.
#[derive(Clone, Default, Debug)]
pub struct Footprint {
    nodes: Vec<NodeId>,
}

impl Footprint {
    /// Returns the number of expansions.
    pub fn expanded(&self) -> u64 {
        self.nodes.len() as u64
    }
}

impl Probe for Footprint {
    fn event(&mut self, event: Event) {
        if let Event::Expand { node, .. } = event {
            self.nodes.push(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::{Planner, Query, Rules, Scratch, Snapshot};

    fn world() -> Snapshot {
        let mut weights = vec![1; 20 * 10];
        for y in 0..8 {
            weights[y * 20 + 9] = 0;
        }
        weights[9 * 20 + 3] = 9;
        Snapshot::from(SquareGrid::from_weights(20, 10, &weights, Rules::default()).unwrap())
    }

    fn drawn<T>(draw: impl FnOnce(Picture) -> T) -> T {
        let world = world();
        let planner = Planner::new(&world, "a-star").unwrap();
        let mut footprint = Footprint::default();
        let query = Query::new((1, 1), (18, 1));
        let outcome = planner.watch(&world, query, &mut Scratch::new(), &mut footprint).unwrap();
        assert!(footprint.expanded() > 10);
        draw(Picture::new(&world).with_route(outcome.route().unwrap().cells()).with_expanded(&footprint))
    }

    #[test]
    fn small_worlds_are_scaled_up_in_whole_steps() {
        let raster = drawn(|picture| picture.raster());
        assert_eq!((raster.width, raster.height), (1000, 500));
        assert_eq!(raster.pixels.len(), 1000 * 500 * 3);
        let colours: std::collections::HashSet<&[u8]> = raster.pixels.chunks_exact(3).collect();
        assert!(colours.len() > 5, "wall, ground, weight, expanded, route and ends are all there");
    }

    #[test]
    fn svg_merges_cells_and_shows_the_route() {
        let svg = drawn(|picture| picture.svg());
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("M9 0h1v8h-1z"), "the wall is one rectangle: {svg}");
        assert!(svg.contains("<polyline") && svg.matches("<circle").count() == 2);
        assert!(svg.len() < 4000, "{} bytes", svg.len());
    }

    #[test]
    fn plain_text_shows_walls_route_and_ends() {
        let text = drawn(|picture| picture.text(80, false));
        assert_eq!(text.lines().count(), 10);
        for mark in ['#', '*', 'S', 'G', '.'] {
            assert!(text.contains(mark), "no {mark} in\n{text}");
        }
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn text_fits_the_width_and_colours_are_ended() {
        for width in [5, 10, 20, 100] {
            let plain = drawn(|picture| picture.text(width, false));
            assert!(plain.lines().all(|line| line.len() <= width), "{plain}");
        }
        let coloured = drawn(|picture| picture.text(20, true));
        assert!(coloured.lines().all(|line| line.ends_with("\u{1b}[0m")));
    }

    #[test]
    fn a_chart_is_drawn_over_the_ground_and_under_the_route() {
        let world = world();
        let algorithm = portolan::algorithm("rhumb").unwrap();
        let settings = algorithm.settings(&[("spacing", "6"), ("gap", "3")]).unwrap();
        let outline = Planner::build(&world, algorithm, settings).unwrap().outline(&world).unwrap();
        let bare = Picture::new(&world);
        let charted = bare.clone().with_outline(&outline);
        assert!(charted.raster().pixels != bare.raster().pixels);
        assert_eq!(charted.text(80, false), bare.text(80, false));
        let svg = charted.with_route(&[Cell::new(1, 1), Cell::new(2, 1), Cell::new(3, 1)]).svg();
        assert_eq!(svg.matches("h0").count(), outline.layers[0].ports.len());
        assert!(svg.find("h0") < svg.find("<polyline"));
        let merged = Planner::new(&world, "shpa-star").unwrap().outline(&world).unwrap();
        let patched = bare.clone().with_outline(&merged).svg();
        assert!(patched.contains("fill-opacity") && !bare.svg().contains("fill-opacity"), "{patched}");
        let area = portolan::Area { x: 1, y: 2, width: 3, height: 4 };
        let colour = [255, 0, 0];
        let marks = vec![
            Mark::Frame { area, colour, width: 0.5 },
            Mark::Label { at: (1.0, 2.0), text: "here".to_owned(), colour, size: 1.0 },
        ];
        let svg = bare.with_marks(marks).svg();
        assert!(svg.contains("M1 2h3v4h-3z") && svg.contains(">here</text>"), "{svg}");
    }
}
