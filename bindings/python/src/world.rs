//! Worlds: from numpy arrays and files, edited in place.

use crate::failure::{WorldError, of};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use portolan::any::{AnySnapshot, AnyWorld};
use portolan::{
    Area, Border, Cell, Corners, Cost, Directions, Edit, HexGrid, Metric, Rules, Side, SquareGrid, Terrain,
};
use portolan_formats::{Strictness, read_world};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

/// A world of squares or hexagons whose cells are blocked (weight 0) or free (1, light, to 255, heavy). Arrays are indexed
/// `[y, x]`, cells are named `(x, y)`.
#[pyclass(module = "portolan", frozen)]
pub(crate) struct World {
    pub(crate) world: RwLock<AnyWorld>,
}

/// A rectangle as Python gives it: `(x, y)` or `(x, y, width, height)`.
#[derive(FromPyObject)]
pub(crate) enum Place {
    Area(u16, u16, u16, u16),
    Cell(u16, u16),
}

impl Place {
    fn area(self) -> Area {
        match self {
            Place::Area(x, y, width, height) => Area { x, y, width, height },
            Place::Cell(x, y) => Area { x, y, width: 1, height: 1 },
        }
    }
}

fn named<T: Copy>(all: &[(&'static str, T)], name: &str, what: &str) -> PyResult<T> {
    all.iter().find(|(known, _)| *known == name).map(|named| named.1).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|named| named.0).collect();
        PyValueError::new_err(format!("there is no {what} {name:?}: it is one of {}", names.join(", ")))
    })
}

impl World {
    pub(crate) fn of(world: AnyWorld) -> World {
        World { world: RwLock::new(world) }
    }

    /// Returns the world as it is now.
    pub(crate) fn snapshot(&self) -> AnySnapshot {
        self.world.read().unwrap_or_else(PoisonError::into_inner).snapshot()
    }

    fn apply(&self, py: Python<'_>, edits: Vec<Edit>) -> PyResult<()> {
        py.detach(|| {
            let mut world = self.world.write().unwrap_or_else(PoisonError::into_inner);
            world.apply(&edits).map(|_| ()).map_err(of::<WorldError, _>)
        })
    }
}

#[pymethods]
impl World {
    /// Makes a world of an array of weights with the axes [y, x]: 0 is blocked. Booleans say which cells are free.
    #[new]
    #[pyo3(signature = (weights, *, directions=8, corners="strict", metric=None))]
    fn new(
        py: Python<'_>,
        weights: PyReadonlyArray2<'_, u8>,
        directions: u8,
        corners: &str,
        metric: Option<(u32, u32)>,
    ) -> PyResult<World> {
        let [height, width] = [weights.shape()[0], weights.shape()[1]];
        // An array that lies in memory row by row is read where it is.
        let copied: Vec<u8>;
        let cells: &[u8] = match weights.as_slice() {
            Ok(cells) if weights.is_c_contiguous() => cells,
            _ => {
                copied = weights.as_array().iter().copied().collect();
                &copied
            }
        };
        let metric = metric.map(|(straight, diagonal)| Metric::new(straight, diagonal)).transpose();
        let metric = metric.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let corners = named(&Corners::NAMED, corners, "corner rule")?;
        let made = py.detach(|| match directions {
            6 => HexGrid::from_weights(width, height, cells, metric)
                .map(AnyWorld::from)
                .map_err(|error| error.to_string()),
            4 | 8 => {
                let directions = if directions == 4 { Directions::Four } else { Directions::Eight };
                let rules = Rules { directions, corners, metric };
                SquareGrid::from_weights(width, height, cells, rules)
                    .map(AnyWorld::from)
                    .map_err(|error| error.to_string())
            }
            other => Err(format!("directions is {other}, but must be 4, 6 or 8")),
        });
        made.map(World::of).map_err(of::<WorldError, _>)
    }

    /// Opens a map file of any kind that Portolan reads: `.map`, pictures, `.tmx`, `.ldtk`, its own text.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<World> {
        let read =
            py.detach(|| read_world(&path, Rules::default(), Strictness::default()).map_err(|error| error.to_string()));
        read.map(|world| World::of(AnyWorld::from(world))).map_err(of::<WorldError, _>)
    }

    /// Columns of the world.
    #[getter]
    fn width(&self) -> usize {
        self.snapshot().width()
    }

    /// Rows of the world.
    #[getter]
    fn height(&self) -> usize {
        self.snapshot().height()
    }

    /// Rows and columns, as the shape of a numpy array.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        let world = self.snapshot();
        (world.height(), world.width())
    }

    /// `squares` or `hexes`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.snapshot() {
            AnySnapshot::Square(_) => "squares",
            AnySnapshot::Hex(_) => "hexes",
        }
    }

    /// What a straight and a diagonal step cost over weight 1.
    #[getter]
    fn metric(&self) -> (u32, u32) {
        let metric = self.snapshot().metric();
        (metric.straight(), metric.diagonal())
    }

    /// How many edits were applied.
    #[getter]
    fn revision(&self) -> u64 {
        self.snapshot().revision().edits()
    }

    /// Returns the weights of all cells as an array of its own.
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let world = self.snapshot();
        numpy::PyArray1::from_vec(py, world.to_weights()).reshape([world.height(), world.width()])
    }

    /// Gives a cell (x, y), or the cells of an area (x, y, width, height), this weight, 0 to block them, and kind of ground.
    #[pyo3(signature = (place, weight, kind=0))]
    fn set(&self, py: Python<'_>, place: Place, weight: u8, kind: u8) -> PyResult<()> {
        self.apply(py, vec![Edit::new(place.area(), Terrain::of_weight(weight).with_kind(kind))])
    }

    /// Gives the world these weights from the cell `at` on. Only cells that change are edited, all in one batch.
    #[pyo3(signature = (weights, at=(0, 0)))]
    fn update(&self, py: Python<'_>, weights: PyReadonlyArray2<'_, u8>, at: (u16, u16)) -> PyResult<()> {
        let array = weights.as_array();
        let [height, width] = [array.shape()[0], array.shape()[1]];
        let world = self.snapshot();
        let fits = |from: u16, length: usize, side: usize| usize::from(from) + length <= side;
        if !fits(at.0, width, world.width()) || !fits(at.1, height, world.height()) {
            let (across, down) = (world.width(), world.height());
            let words = format!("{width} x {height} cells at {at:?} do not fit into a world of {across} x {down}");
            return Err(PyValueError::new_err(words));
        }
        let mut edits = Vec::new();
        for ((y, x), &weight) in array.indexed_iter() {
            let cell = Cell::new(at.0 + x as u16, at.1 + y as u16);
            let terrain = world.terrain(cell);
            if terrain.weight() != weight {
                edits.push(Edit::new(cell, Terrain::of_weight(weight).with_kind(terrain.kind())));
            }
        }
        drop(world);
        if edits.is_empty() { Ok(()) } else { self.apply(py, edits) }
    }

    /// Closes the borders on a side ("north", "east", ...) of a cell or of the cells of an area, or makes them "open", or
    /// crossed only "out" of the cells or only "in".
    #[pyo3(signature = (place, side, border="closed"))]
    fn border(&self, py: Python<'_>, place: Place, side: &str, border: &str) -> PyResult<()> {
        let sides: Vec<(&'static str, Side)> = Side::ALL.iter().map(|&side| (side.name(), side)).collect();
        let (side, border) = (named(&sides, side, "side")?, named(&Border::NAMED, border, "border")?);
        self.apply(py, vec![Edit::border(place.area(), side, border)])
    }

    /// Makes a link from one cell to another, such as stairs or a teleport.
    #[pyo3(signature = (start, end, cost, *, both_ways=true))]
    fn link(&self, py: Python<'_>, start: (u16, u16), end: (u16, u16), cost: u32, both_ways: bool) -> PyResult<()> {
        self.apply(py, vec![Edit::link(start, end, Cost(cost), both_ways)])
    }

    /// Removes the link from one cell to another.
    #[pyo3(signature = (start, end, *, both_ways=true))]
    fn unlink(&self, py: Python<'_>, start: (u16, u16), end: (u16, u16), both_ways: bool) -> PyResult<()> {
        self.apply(py, vec![Edit::unlink(start, end, both_ways)])
    }

    /// Returns whether there is a way between two cells, there and back.
    fn connected(&self, start: (u16, u16), end: (u16, u16)) -> bool {
        self.snapshot().connected(start.into(), end.into())
    }

    /// Returns the reachable cell nearest to a goal, or None if the start is blocked.
    fn nearest(&self, start: (u16, u16), goal: (u16, u16)) -> Option<(u16, u16)> {
        let nearest = self.snapshot().nearest_reachable(start.into(), goal.into());
        nearest.map(|cell| (cell.x, cell.y))
    }

    /// Returns a world of its own that is as this one is now.
    fn copy(&self) -> World {
        World::of(AnyWorld::from(self.snapshot()))
    }

    fn __repr__(&self) -> String {
        let world = self.snapshot();
        let (width, height, free) = (world.width(), world.height(), world.free_cells());
        format!("<portolan.World {width} x {height} {}, {free} cells free>", self.kind())
    }
}
