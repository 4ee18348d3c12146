//! What a mind knows and how it walked, as marks for pictures, in the colours of the thesis' figures: what is known in shades of blue, darker
//! the better it is known; the shortest walk green; the mind's walk pink where it explores, and in other colours in other modes
//! ([`COLOURS`]).
//!
//! Not here: pictures ([`crate::picture`], [`crate::mesh::picture`]).

use super::MindWalk;
use crate::mesh::mark::MeshMark;
use crate::picture::palette::{GOAL, RIM, START, blend};
use crate::picture::{Mark, Rgb};
use portolan::{Area, Cell, HexCell, HexGrid, NavMesh, SquareGrid};
use portolan_sim::mind::{Hexagons, Lattice, Mind, Mode, Tiled};

/// The colours of walks with their names, in the order of [`Mode::NAMED`].
pub const COLOURS: [(&str, Rgb); Mode::NAMED.len()] = [
    ("pink", [0xe7, 0x2f, 0x8b]),
    ("brown", [0x8a, 0x3b, 0x12]),
    ("purple", [0x7b, 0x2c, 0xbf]),
    ("orange", [0xf2, 0x8c, 0x00]),
];
/// The shortest walk.
const SHORTEST: Rgb = [0x2b, 0xb3, 0x3b];
/// A hexagon that is hardly known.
const FAINT: Rgb = [0xc6, 0xe2, 0xfa];
/// A hexagon that is known in full.
const FULL: Rgb = [0x2f, 0x74, 0xc8];
/// How many shades of blue there are.
const SHADES: u8 = 8;

/// A kind of world whose places are cells.
pub trait Celled: Tiled {
    /// Returns the place of a cell.
    fn place_of(at: Cell) -> Self::Place;
    /// Returns the cell of a place on the world.
    fn cell_of(at: Self::Place) -> Cell;
}

impl Celled for SquareGrid {
    fn place_of(at: Cell) -> Cell {
        at
    }

    fn cell_of(at: Cell) -> Cell {
        at
    }
}

impl Celled for HexGrid {
    fn place_of(at: Cell) -> HexCell {
        HexCell::from(at)
    }

    fn cell_of(at: HexCell) -> Cell {
        at.cell().expect("a hex of a grid has a column and a row")
    }
}

/// How well each node is known, in shades: 0 for one that is not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knowledge(Vec<u8>);

impl Knowledge {
    /// Returns what a mind knows now.
    pub fn of(mind: &Mind, hexagons: &Hexagons) -> Knowledge {
        let (mut shade_by_node, most) = (vec![0; hexagons.nodes()], mind.settings().most());
        for (node, counter) in mind.known(hexagons) {
            shade_by_node[node as usize] = (counter * u16::from(SHADES)).div_ceil(most) as u8;
        }
        Knowledge(shade_by_node)
    }

    /// Returns how many nodes are known.
    pub fn known(&self) -> usize {
        self.0.iter().filter(|&&shade| shade > 0).count()
    }

    fn shade(&self, node: u32) -> u8 {
        self.0[node as usize]
    }
}

/// Returns the colour of a shade.
fn colour_of(shade: u8) -> Rgb {
    blend(FAINT, FULL, f64::from(shade - 1) / f64::from(SHADES - 1))
}

/// Returns the colour of a mode.
fn colour_in(mode: Mode) -> Rgb {
    let index = Mode::NAMED.iter().position(|&(_, other)| other == mode).expect("every mode has a name");
    COLOURS[index].1
}

/// Returns knowledge and walks as marks on a picture of squares or hexes.
pub fn on_cells<S: Celled>(world: &S, lattice: &Lattice<S>, knowledge: &Knowledge, walk: &MindWalk) -> Vec<Mark> {
    let mut marks = tints(world, lattice, knowledge);
    let (columns, rows) = world.size();
    let long = columns.max(rows) as f64;
    let line = |nodes: &[u32], colour, width: f64| Mark::Line { cells: cells(world, lattice, nodes), colour, width };
    if let Some(shortest) = &walk.shortest {
        marks.push(line(shortest, SHORTEST, (long / 160.0).max(0.62)));
    }
    let width = (long / 350.0).max(0.3);
    marks.extend(walk.stretches().iter().map(|(mode, nodes)| line(nodes, colour_in(*mode), width)));
    let last = walk.shortest.as_ref().and_then(|nodes| nodes.last().copied());
    let ends = [(Some(walk.start), START), (last, GOAL)];
    for (node, colour) in ends.into_iter().filter_map(|(node, colour)| Some((node?, colour))) {
        let (cell, radius) = (S::cell_of(lattice.place(node)), (long / 160.0).max(0.5));
        marks.push(Mark::Dot { cell, colour: RIM, radius: radius * 1.35 });
        marks.push(Mark::Dot { cell, colour, radius });
    }
    marks
}

/// Returns a tint for each run of cells of a row that are known equally well, the faintest first.
fn tints<S: Celled>(world: &S, lattice: &Lattice<S>, knowledge: &Knowledge) -> Vec<Mark> {
    let (columns, rows) = world.size();
    let shade = |x, y| {
        let node = lattice.node(world, S::place_of(Cell { x, y }));
        node.map_or(0, |node| knowledge.shade(node))
    };
    let mut runs: Vec<(u8, Area)> = Vec::new();
    for y in 0..rows as u16 {
        let shades: Vec<u8> = (0..columns as u16).map(|x| shade(x, y)).collect();
        let mut x = 0;
        for run in shades.chunk_by(|a, b| a == b) {
            let width = run.len() as u16;
            if run[0] > 0 {
                runs.push((run[0], Area { x, y, width, height: 1 }));
            }
            x += width;
        }
    }
    runs.sort_by_key(|run| run.0);
    runs.into_iter().map(|(shade, area)| Mark::Tint { area, colour: colour_of(shade), share: 0.8 }).collect()
}

/// Returns the cells that a walk over nodes leads over.
fn cells<S: Celled>(world: &S, lattice: &Lattice<S>, nodes: &[u32]) -> Vec<Cell> {
    let mut places: Vec<S::Place> = nodes.first().map(|&first| lattice.place(first)).into_iter().collect();
    for step in nodes.windows(2) {
        lattice.footsteps(world, step[0], step[1], &mut places);
    }
    places.into_iter().map(S::cell_of).collect()
}

/// Returns knowledge and walks as marks on a picture of a mesh.
pub fn on_mesh(mesh: &NavMesh, lattice: &Lattice<NavMesh>, knowledge: &Knowledge, walk: &MindWalk) -> Vec<MeshMark> {
    let at = |node: u32| mesh.coordinates(lattice.place(node));
    let line = |nodes: &[u32], colour, width: f64| MeshMark::Line {
        points: nodes.iter().map(|&node| at(node)).collect(),
        colour,
        width,
    };
    let radius = 0.42 * lattice.tiling().size;
    let known = (0..lattice.nodes() as u32).filter(|&node| knowledge.shade(node) > 0);
    let dot = |node| MeshMark::Disc { at: at(node), colour: colour_of(knowledge.shade(node)), radius };
    let mut marks: Vec<MeshMark> = known.map(dot).collect();
    if let Some(shortest) = &walk.shortest {
        marks.push(line(shortest, SHORTEST, 7.0));
    }
    marks.extend(walk.stretches().iter().map(|(mode, nodes)| line(nodes, colour_in(*mode), 3.0)));
    marks.push(MeshMark::End { at: at(walk.start), colour: START });
    if let Some(&last) = walk.shortest.as_ref().and_then(|nodes| nodes.last()) {
        marks.push(MeshMark::End { at: at(last), colour: GOAL });
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::picture::MeshPicture;
    use crate::mesh::tests::holed;
    use crate::picture::{Picture, palette};
    use portolan::any::AnySnapshot;
    use portolan::{MeshPoint, Rules, Snapshot};
    use portolan_sim::mind::{MindScratch, MindSettings};

    /// Lets a mind that knows half of what it can reach walk. Returns what it knew and its walk.
    fn walked(hexagons: &Hexagons, ends: [u32; 2]) -> (Knowledge, MindWalk) {
        let settings: MindSettings = "knowledge=50".parse().unwrap();
        let (mut mind, mut scratch) = (Mind::new(&settings, 3), MindScratch::new());
        mind.learn(hexagons, ends[0], &mut scratch);
        let knowledge = Knowledge::of(&mind, hexagons);
        let walk = MindWalk::of(&mut mind, hexagons, ends, &mut scratch);
        assert!(walk.has_arrived() && !walk.steps.is_empty());
        (knowledge, walk)
    }

    fn grid() -> SquareGrid {
        crate::worlds::builtin("harbour").unwrap().grid(Rules::default())
    }

    /// Checks that a picture of a world shows the walks and what is known.
    fn check_picture(world: &AnySnapshot, marks: Vec<Mark>) {
        let hex = |[r, g, b]: Rgb| format!("#{r:02x}{g:02x}{b:02x}");
        let svg = Picture::new(world).with_marks(marks.clone()).svg();
        for colour in [SHORTEST, colour_of(SHADES), START, palette::GOAL] {
            assert!(svg.contains(&hex(colour)), "{colour:?} in {svg}");
        }
        assert!(COLOURS.iter().any(|&(_, colour)| svg.contains(&hex(colour))));
        assert!(Picture::new(world).with_marks(marks).raster() != Picture::new(world).raster());
    }

    fn check_on<S: Celled>(world: &S, picture: &AnySnapshot, size: Option<f64>) {
        let lattice = Lattice::new(world, size).unwrap();
        let ends = [(36, 4), (52, 33)].map(|(x, y)| lattice.node(world, S::place_of(Cell::new(x, y))).unwrap());
        let (knowledge, walk) = walked(&lattice, ends);
        let marks = on_cells(world, &lattice, &knowledge, &walk);
        let tinted =
            marks.iter().map(|mark| if let Mark::Tint { area, .. } = mark { u32::from(area.width) } else { 0 });
        assert!(tinted.sum::<u32>() as usize >= knowledge.known(), "every known hexagon has a cell");
        for mark in &marks {
            if let Mark::Line { cells, .. } = mark {
                assert!(cells.windows(2).all(|step| picture.step_cost(step[0], step[1]).is_some()), "{cells:?}");
            }
        }
        check_picture(picture, marks);
    }

    #[test]
    fn walks_are_drawn_cell_by_cell_on_squares_and_hexes() {
        let squares = Snapshot::from(grid());
        check_on::<SquareGrid>(&squares, &AnySnapshot::from(squares.clone()), None);
        check_on::<SquareGrid>(&squares, &AnySnapshot::from(squares.clone()), Some(3.0));
        let hexes = HexGrid::from_weights(grid().width(), grid().height(), &grid().to_weights(), None).unwrap();
        let hexes = Snapshot::from(hexes);
        check_on::<HexGrid>(&hexes, &AnySnapshot::from(hexes.clone()), None);
    }

    #[test]
    fn walks_are_drawn_on_meshes() {
        let mesh = holed(8);
        let lattice = Lattice::new(&mesh, None).unwrap();
        let node = |at: MeshPoint| lattice.node(&mesh, at).unwrap();
        let ends = [0, mesh.polygons() as u32 - 1].map(|polygon| node(mesh.centre(polygon)));
        let (knowledge, walk) = walked(&lattice, ends);
        let marks = on_mesh(&mesh, &lattice, &knowledge, &walk);
        let picture = MeshPicture::new(&mesh).with_marks(&marks);
        let discs = marks.iter().filter(|mark| matches!(mark, MeshMark::Disc { .. })).count();
        assert_eq!(discs, knowledge.known());
        let svg = picture.svg();
        assert_eq!(svg.matches("<circle").count(), discs + 2);
        assert_eq!(svg.matches("<polyline").count(), 1 + walk.stretches().len());
        assert!(picture.raster() != MeshPicture::new(&mesh).raster());
    }
}
