//! Pictures of a world of squares or hexes with its borders and links, a route, the cells that a search expanded, and the outline of a planner's chart: as pixels,
//! as SVG, and as text, which shows only the route and the expanded cells.
//!
//! Not here: writing files, and finding out what a terminal can show.

mod between;
mod hexes;
mod mark;
pub(crate) mod palette;
pub(crate) mod raster;
mod svg;
mod text;

use portolan::any::AnySnapshot;
use portolan::outline::Outline;
use portolan::probe::{Event, NodeId, Probe};
use portolan::{Cell, Cost};

pub use mark::Mark;
pub use palette::{GOAL, Rgb};
pub use raster::Raster;

/// A picture of a world.
#[derive(Clone)]
pub struct Picture<'a> {
    world: &'a AnySnapshot,
    route: &'a [Cell],
    expanded: Vec<Cell>,
    outline: Option<&'a Outline>,
    marks: Vec<Mark>,
    /// How far each column of each row is from a goal, from 1 to [`palette::BANDS`]; 0 where that is not shown. Empty if there
    /// is no field.
    bands: Vec<u8>,
}

impl<'a> Picture<'a> {
    /// Returns a picture of the world alone.
    pub fn new(world: &'a AnySnapshot) -> Picture<'a> {
        Picture { world, route: &[], expanded: Vec::new(), outline: None, marks: Vec::new(), bands: Vec::new() }
    }

    /// Returns the picture with a route, its ends marked.
    #[must_use]
    pub fn with_route(self, route: &'a [Cell]) -> Picture<'a> {
        Picture { route, ..self }
    }

    /// Returns the picture with these cells shown as expanded.
    #[must_use]
    pub fn with_expanded(self, footprint: &Footprint) -> Picture<'a> {
        let expanded = footprint.nodes.iter().map(|&node| self.world.cell(node)).collect();
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

    /// Returns the picture with the costs of a field in shades, from light at its goals to dark where they are dearest, in
    /// place of weights. Cells from which no goal is reached stay as they are.
    #[must_use]
    pub fn with_field(self, cost: impl Fn(Cell) -> Option<Cost>) -> Picture<'a> {
        let dearest = self.world.cells().filter_map(&cost).max().map_or(0, |cost| u64::from(cost.0));
        let mut bands = vec![0; self.world.width() * self.world.height()];
        for cell in self.world.cells() {
            if let Some(Cost(cost)) = cost(cell) {
                let steps = u64::from(palette::BANDS - 1);
                bands[self.index(cell)] = 1 + (steps * u64::from(cost) / dearest.max(1)) as u8;
            }
        }
        Picture { bands, ..self }
    }

    /// Returns what each column of each row shows without the route. Where a hexagonal grid has no cell, it is blocked.
    fn layers(&self) -> Vec<Layer> {
        let mut layers: Vec<Layer> =
            self.world.to_weights().into_iter().map(|weight| Layer { weight, ..Layer::default() }).collect();
        for (layer, &band) in layers.iter_mut().zip(&self.bands) {
            layer.band = band;
        }
        if self.world.has_kinds() {
            for (layer, kind) in layers.iter_mut().zip(self.world.to_kinds()) {
                layer.kind = kind;
            }
        }
        for &cell in &self.expanded {
            layers[self.index(cell)].expanded = true;
        }
        layers
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * self.world.width() + usize::from(cell.x)
    }

    /// Returns how wide and high the picture is, in cells.
    fn size(&self) -> (f64, f64) {
        let (columns, rows) = (self.world.width() as f64, self.world.height() as f64);
        if self.has_hexes() { hexes::size(columns, rows) } else { (columns, rows) }
    }

    /// Returns the longer side of the picture, in cells.
    fn long_side(&self) -> f64 {
        let (width, height) = self.size();
        width.max(height)
    }

    /// Returns where the middle of a cell lies, in cells from the top left of the picture.
    fn middle(&self, cell: Cell) -> (f64, f64) {
        let [x, y] = self.world.position(cell).map(f64::from);
        (x + 0.5, y + if self.has_hexes() { hexes::SIDE } else { 0.5 })
    }

    fn has_hexes(&self) -> bool {
        self.world.hex().is_some()
    }

    /// Returns the largest weight of the world, or 1 if no cell is free. Colours of ground depend on it.
    fn heaviest(&self) -> u8 {
        (1..=255).rev().find(|&weight: &u8| self.world.cells_by_weight()[usize::from(weight)] > 0).unwrap_or(1)
    }
}

/// What a cell shows.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Layer {
    weight: u8,
    kind: u8,
    expanded: bool,
    /// How far it is from a goal, from 1 to [`palette::BANDS`], or 0.
    band: u8,
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
    use portolan::any::{AnyField, AnyPlanner, AnyScratch, AnyWorld};
    use portolan::{Area, Border, Edit, HexGrid, Planner, Query, Rules, Side, SquareGrid, Terrain};

    fn weights() -> Vec<u8> {
        let mut weights = vec![1; 20 * 10];
        for y in 0..8 {
            weights[y * 20 + 9] = 0;
        }
        weights[9 * 20 + 3] = 9;
        weights
    }

    fn world() -> AnySnapshot {
        AnySnapshot::from(SquareGrid::from_weights(20, 10, &weights(), Rules::default()).unwrap())
    }

    fn hexes() -> AnySnapshot {
        AnySnapshot::from(HexGrid::from_weights(20, 10, &weights(), None).unwrap())
    }

    fn drawn<T>(draw: impl FnOnce(Picture) -> T) -> T {
        drawn_on(&world(), draw)
    }

    /// Draws a route around the wall and what the search for it expanded.
    fn drawn_on<T>(world: &AnySnapshot, draw: impl FnOnce(Picture) -> T) -> T {
        let settings = world.exact().settings::<&str, &str>(&[]).unwrap();
        let planner = AnyPlanner::build(world, world.exact(), settings).unwrap();
        let mut footprint = Footprint::default();
        let query = Query::new((1, 1), (18, 1));
        let outcome = planner.watch(world, query, &mut AnyScratch::new(), &mut footprint).unwrap();
        assert!(footprint.expanded() > 10);
        draw(Picture::new(world).with_route(outcome.route().unwrap().cells()).with_expanded(&footprint))
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
        let any = world();
        let world = any.square().unwrap();
        let algorithm = portolan::algorithm("rhumb").unwrap();
        let settings = algorithm.settings(&[("spacing", "6"), ("gap", "3")]).unwrap();
        let outline = Planner::build(world, algorithm, settings).unwrap().outline(world).unwrap().unwrap();
        let bare = Picture::new(&any);
        let charted = bare.clone().with_outline(&outline);
        assert!(charted.raster().pixels != bare.raster().pixels);
        assert_eq!(charted.text(80, false), bare.text(80, false));
        let svg = charted.with_route(&[Cell::new(1, 1), Cell::new(2, 1), Cell::new(3, 1)]).svg();
        assert_eq!(svg.matches("h0").count(), outline.layers[0].ports.len());
        assert!(svg.find("h0") < svg.find("<polyline"));
        let merged = Planner::new(world, "shpa-star").unwrap().outline(world).unwrap().unwrap();
        let patched = bare.clone().with_outline(&merged).svg();
        assert!(patched.contains("fill-opacity") && !bare.svg().contains("fill-opacity"), "{patched}");
        let area = Area { x: 1, y: 2, width: 3, height: 4 };
        let colour = [255, 0, 0];
        let marks = vec![
            Mark::Frame { area, colour, width: 0.5 },
            Mark::Label { at: (1.0, 2.0), text: "here".to_owned(), colour, size: 1.0 },
        ];
        let svg = bare.with_marks(marks).svg();
        assert!(svg.contains("M1 2h3v4h-3z") && svg.contains(">here</text>"), "{svg}");
    }

    #[test]
    fn fields_are_lightest_at_their_goals() {
        for world in [world(), hexes()] {
            let goals = [Cell::new(1, 1)];
            let field = AnyField::new(&world, &goals, None, &mut AnyScratch::new()).unwrap();
            let bare = Picture::new(&world);
            let shaded = bare.clone().with_field(|at| field.cost(&world, at).unwrap());
            let band = |x, y| shaded.layers()[shaded.index(Cell::new(x, y))].band;
            assert_eq!((band(1, 1), band(9, 0), band(19, 0)), (1, 0, palette::BANDS));
            assert!(band(2, 2) <= band(8, 2) && band(8, 2) < band(10, 0));
            assert!(shaded.svg() != bare.svg() && shaded.raster().pixels != bare.raster().pixels);
            let text = shaded.text(80, false);
            assert!(text.contains('0') && text.contains('9') && text.contains('#'), "{text}");
        }
    }

    #[test]
    fn borders_links_and_kinds_are_drawn() {
        for world in [world(), hexes()] {
            let (bare, mut edited) = (Picture::new(&world).raster(), AnyWorld::from(world.clone()));
            let area = Area { x: 2, y: 2, width: 1, height: 4 };
            edited.apply(&[Edit::border(area, Side::East, Border::Closed)]).unwrap();
            let walled = edited.snapshot();
            let picture = Picture::new(&walled);
            let scale = picture.scale() as f64;
            let at = |raster: &Raster, (x, y): (f64, f64)| {
                let pixel = &raster.pixels[((y * scale) as usize * raster.width + (x * scale) as usize) * 3..][..3];
                [pixel[0], pixel[1], pixel[2]]
            };
            for y in 2..6 {
                let (x, y) = picture.middle(Cell::new(2, y));
                assert_eq!(at(&picture.raster(), (x + 0.5, y)), palette::BORDER);
                assert_ne!(at(&bare, (x + 0.5, y)), palette::BORDER);
            }
            edited.apply(&[Edit::link((12, 1), (17, 7), Cost(9), false)]).unwrap();
            edited.apply(&[Edit::border(Cell::new(15, 3), Side::West, Border::Out)]).unwrap();
            edited.apply(&[Edit::new(Cell::new(14, 8), Terrain::GROUND.with_kind(3))]).unwrap();
            let all = edited.snapshot();
            let svg = Picture::new(&all).svg();
            assert!(svg.contains("stroke-dasharray") && svg.contains(&palette::hex(palette::ONE_WAY)), "{svg}");
            let water = Picture::new(&all).raster();
            let spot = Picture::new(&all).middle(Cell::new(14, 8));
            let blueness = |raster: &Raster| i32::from(at(raster, spot)[2]) - i32::from(at(raster, spot)[0]);
            let [bare, water] = [&bare, &water].map(blueness);
            assert!(water > bare, "ground {bare}, under water {water}");
        }
    }

    /// The wall ends at row 7, which is odd and so half a cell further to the right than row 8.
    #[test]
    fn hexes_are_hexagons_of_pixels() {
        let world = hexes();
        let raster = Picture::new(&world).raster();
        // 20.5 cells wide and 9 rows of 0.866 cells and a last one of 1.155 high, with 48 pixels a cell.
        assert_eq!((raster.width, raster.height), (984, 430));
        let at = |x: f64, y: f64| {
            let (x, y) = ((x * 48.0) as usize, (y * 48.0) as usize);
            let pixel = &raster.pixels[(y * raster.width + x) * 3..][..3];
            [pixel[0], pixel[1], pixel[2]]
        };
        let picture = Picture::new(&world);
        let wall = palette::colour(Layer::default(), 9);
        for row in 0..10 {
            let (x, y) = picture.middle(Cell::new(9, row));
            let is_wall = [(0.0, 0.0), (0.45, 0.0), (-0.45, 0.0), (0.0, 0.5), (0.0, -0.5)]
                .map(|(across, down)| at(x + across, y + down) == wall);
            assert_eq!(is_wall, [row < 8; 5], "row {row}");
            // Right and left of its upper corner a hex has no ground, unless the hexes above are walls too.
            let beside = [-0.45, 0.45].map(|across| at(x + across, (y - 0.5).max(0.0)) == wall);
            let expected = [row > 0 && row < 9 && row % 2 == 1, row > 0 && row < 9 && row % 2 == 0];
            assert_eq!(beside, expected.map(|above| above && row <= 8), "row {row}");
        }
        assert_eq!((at(0.01, 0.01), at(20.4, 0.5)), (palette::PAPER, palette::PAPER), "nothing lies beyond the hexes");
    }

    #[test]
    fn hexes_are_hexagons_in_svg_with_route_and_marks() {
        let svg = drawn_on(&hexes(), |picture| {
            let area = Area { x: 2, y: 3, width: 2, height: 2 };
            let colour = [255, 0, 0];
            let dot = Mark::Dot { cell: Cell::new(0, 1), colour, radius: 0.2 };
            picture.with_marks(vec![Mark::Tint { area, colour, share: 0.5 }, dot]).svg()
        });
        assert!(svg.contains("viewBox=\"0 0 20.5 8.95\""), "{svg}");
        let hexagons = svg.matches("l.5 .289v.577").count();
        assert!(hexagons > 200 + 8 + 4, "every cell, those that look otherwise, and the tint: {hexagons}");
        assert!(svg.contains("M1 1.44h0"), "the dot lies in the middle of a row that is shifted: {svg}");
        assert!(svg.contains("<polyline points=\"2,1.44 ") && svg.matches("<circle").count() == 2, "{svg}");
    }

    #[test]
    fn rows_of_hexes_are_shifted_in_text() {
        let text = drawn_on(&hexes(), |picture| picture.text(80, false));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 10);
        let wall = |row: usize| lines[row].find('#');
        assert_eq!([0, 1, 2, 3].map(wall), [Some(18), Some(19), Some(18), Some(19)]);
        for mark in ['*', 'S', 'G', '.'] {
            assert!(text.contains(mark), "no {mark} in\n{text}");
        }
        for width in [6, 10, 20, 40, 41] {
            let plain = drawn_on(&hexes(), |picture| picture.text(width, false));
            assert!(plain.lines().all(|line| line.len() <= width), "{width}:\n{plain}");
        }
        let hexagon = AnySnapshot::from(HexGrid::hexagon(1, None).unwrap());
        assert_eq!(Picture::new(&hexagon).text(80, true).matches("\u{1b}[38;5;").count(), 7);
    }
}
