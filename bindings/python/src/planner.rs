//! Planners: an algorithm with what it keeps about a world.

use crate::answers::{Answers, Route, array};
use crate::failure::{AlgorithmError, ChartError, StaleError, of, of_query};
use crate::world::World;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use portolan::any::{AnyBatchScratch, AnyPick, AnyPlanner, AnyScratch, AnySnapshot, all_algorithms};
use portolan::auto::Use;
use portolan::{Cell, Cost, Query, RepairError};
use portolan_formats::{ChartFile, write_chart};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, RwLock};

const ON_SQUARES: &str = "charts are kept in files for worlds of squares alone";

/// Plans routes on a world. After edits of the world, `sync()` brings it up to date.
#[pyclass(module = "portolan", frozen)]
pub(crate) struct Planner {
    own: RwLock<AnyPlanner>,
    /// Memory that one query after another uses. A thread that finds it taken makes its own.
    scratch: Mutex<AnyScratch>,
    world: Py<World>,
}

impl Planner {
    fn of(planner: AnyPlanner, world: Py<World>) -> Planner {
        Planner { own: RwLock::new(planner), scratch: Mutex::new(AnyScratch::new()), world }
    }

    fn with_scratch<R>(&self, work: impl FnOnce(&mut AnyScratch) -> R) -> R {
        match self.scratch.try_lock() {
            Ok(mut scratch) => work(&mut scratch),
            Err(_) => work(&mut AnyScratch::new()),
        }
    }

    /// Runs `work` with the planner and the world as it is now, without the interpreter's lock.
    fn detached<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&AnyPlanner, &AnySnapshot) -> R + Send) -> R {
        let world = self.world.get();
        py.detach(|| work(&self.own.read().unwrap_or_else(PoisonError::into_inner), &world.snapshot()))
    }
}

fn query(start: (u16, u16), goal: (u16, u16), nearest: bool, budget: Option<u64>) -> Query {
    let query = Query::new(start, goal);
    let query = if nearest { query.nearest() } else { query };
    budget.map_or(query, |budget| query.budget(budget))
}

/// Returns the cells in the rows of an array.
fn cells(rows: &PyReadonlyArray2<'_, u16>, name: &str) -> PyResult<Vec<Cell>> {
    let rows = rows.as_array();
    if rows.ncols() != 2 {
        let shape = rows.shape();
        return Err(PyValueError::new_err(format!("{name} has the shape {shape:?}, but must have rows (x, y)")));
    }
    Ok(rows.outer_iter().map(|row| Cell::new(row[0], row[1])).collect())
}

#[pymethods]
impl Planner {
    /// Builds a planner for a world. Settings are given by name, with underscores for hyphens: Planner(world, "hpa-star",
    /// cluster=16). "auto" lets rules choose.
    #[new]
    #[pyo3(signature = (world, algorithm="auto", **settings))]
    fn new(
        py: Python<'_>,
        world: Py<World>,
        algorithm: &str,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Planner> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (name, value) in settings.into_iter().flat_map(PyDictMethods::iter) {
            let name: String = name.extract()?;
            let value = match value.extract::<bool>() {
                Ok(flag) => if flag { "yes" } else { "no" }.to_owned(),
                Err(_) => value.str()?.extract()?,
            };
            pairs.push((name.replace('_', "-"), value));
        }
        let shared = world.get();
        let built = py.detach(|| -> Result<AnyPlanner, String> {
            let world = shared.snapshot();
            let pick = AnyPick::new(algorithm, &pairs).map_err(|error| error.to_string())?;
            let picked = pick.choose(&world, Use::default()).map_err(|error| error.to_string())?;
            AnyPlanner::build(&world, picked.0, picked.1).map_err(|error| error.to_string())
        });
        built.map(|planner| Planner::of(planner, world)).map_err(of::<AlgorithmError, _>)
    }

    /// Opens a planner whose chart was saved for this world.
    #[staticmethod]
    fn open(py: Python<'_>, world: Py<World>, path: PathBuf) -> PyResult<Planner> {
        let shared = world.get();
        let opened = py.detach(|| -> Result<AnyPlanner, String> {
            let file = ChartFile::read(&path).map_err(|error| error.to_string())?;
            let world = shared.snapshot();
            let world = world.square().ok_or(ON_SQUARES)?;
            let opened = file.open(world).map(AnyPlanner::from);
            opened.map_err(|error| format!("{}: {error}", path.display()))
        });
        opened.map(|planner| Planner::of(planner, world)).map_err(of::<ChartError, _>)
    }

    /// Saves the chart to a file, without its world, or with it if `embed`.
    #[pyo3(signature = (path, *, embed=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, embed: bool) -> PyResult<usize> {
        let written = self.detached(py, |planner, world| match (planner, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                write_chart(&path, planner, world, embed).map_err(|error| error.to_string())
            }
            _ => Err(ON_SQUARES.to_owned()),
        });
        written.map_err(of::<ChartError, _>)
    }

    /// Brings the planner up to date with all edits of its world. Returns how many parts were made anew.
    fn sync(&self, py: Python<'_>) -> PyResult<usize> {
        let shared = self.world.get();
        let synced = py.detach(|| {
            let world = shared.world.read().unwrap_or_else(PoisonError::into_inner);
            self.own.write().unwrap_or_else(PoisonError::into_inner).sync(&world)
        });
        synced.map(|repair| repair.clusters).map_err(|error| match error {
            RepairError::Unsuited(_) => of::<AlgorithmError, _>(error),
            other => of::<StaleError, _>(other),
        })
    }

    /// Finds a route between two cells (x, y). Returns None if there is none; with `nearest`, a route to the reachable cell
    /// nearest to the goal in its place.
    #[pyo3(signature = (start, goal, *, nearest=false, budget=None))]
    fn find(
        &self,
        py: Python<'_>,
        start: (u16, u16),
        goal: (u16, u16),
        nearest: bool,
        budget: Option<u64>,
    ) -> PyResult<Option<Route>> {
        let query = query(start, goal, nearest, budget);
        let outcome =
            self.detached(py, |planner, world| self.with_scratch(|scratch| planner.find(world, query, scratch)));
        Route::of(py, outcome.map_err(|error| of_query(&error))?)
    }

    /// Returns the first cells of a route, as many as are known without computing the rest: on charts within microseconds.
    /// None if there is no route.
    #[pyo3(signature = (start, goal, *, nearest=false))]
    fn first_leg<'py>(
        &self,
        py: Python<'py>,
        start: (u16, u16),
        goal: (u16, u16),
        nearest: bool,
    ) -> PyResult<Option<Bound<'py, PyArray2<u16>>>> {
        let query = query(start, goal, nearest, None);
        let leg = self.detached(py, |planner, world| {
            self.with_scratch(|scratch| {
                let mut route = planner.plan(world, query, scratch)?.into_route();
                route.as_mut().map_or(Ok(None), |route| route.next_leg(planner, world, scratch))
            })
        });
        leg.map_err(|error| of_query(&error))?.map(|leg| array(py, &leg)).transpose()
    }

    /// Answers many queries at once, on all cores unless `threads` says otherwise. `starts` and `goals` have rows (x, y). The
    /// answers do not depend on the number of threads.
    #[pyo3(signature = (starts, goals, *, nearest=false, budget=None, threads=0))]
    fn find_many(
        &self,
        py: Python<'_>,
        starts: PyReadonlyArray2<'_, u16>,
        goals: PyReadonlyArray2<'_, u16>,
        nearest: bool,
        budget: Option<u64>,
        threads: usize,
    ) -> PyResult<Answers> {
        let (starts, goals) = (cells(&starts, "starts")?, cells(&goals, "goals")?);
        if starts.len() != goals.len() {
            let words = format!("{} starts and {} goals: there must be as many", starts.len(), goals.len());
            return Err(PyValueError::new_err(words));
        }
        let answers = self.detached(py, |planner, world| {
            let pairs = starts.iter().zip(&goals);
            let queries: Vec<Query> =
                pairs.map(|(from, to)| query((from.x, from.y), (to.x, to.y), nearest, budget)).collect();
            planner.find_many(world, &queries, &mut AnyBatchScratch::new(threads))
        });
        Answers::of(py, answers.map_err(of::<StaleError, _>)?)
    }

    /// Returns what it costs to get from a cell to each goal, rows (x, y); 4294967295 where there is no way.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        start: (u16, u16),
        goals: PyReadonlyArray2<'_, u16>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let goals = cells(&goals, "goals")?;
        let costs = self.detached(py, |planner, world| {
            self.with_scratch(|scratch| planner.distances(world, start.into(), &goals, scratch))
        });
        let costs = costs.map_err(|error| of_query(&error))?;
        let numbers = costs.into_iter().map(|cost| cost.map_or(u32::MAX, |Cost(cost)| cost)).collect();
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// The name of the algorithm.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.own.read().unwrap_or_else(PoisonError::into_inner).algorithm().name()
    }

    /// The settings, by name.
    #[getter]
    fn settings(&self) -> Vec<(&'static str, String)> {
        let planner = self.own.read().unwrap_or_else(PoisonError::into_inner);
        planner.settings().iter().map(|(name, value)| (name, value.to_string())).collect()
    }

    /// The world that the planner plans on.
    #[getter]
    fn world(&self, py: Python<'_>) -> Py<World> {
        self.world.clone_ref(py)
    }

    /// How many bytes of memory the chart takes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.own.read().unwrap_or_else(PoisonError::into_inner).bytes()
    }

    fn __repr__(&self) -> String {
        format!("<portolan.Planner {}, {} bytes>", self.algorithm(), self.nbytes())
    }
}

/// Lists the algorithms for squares and hexes: name, title, what it is good for, and its settings with their defaults.
#[pyfunction]
pub(crate) fn algorithms(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    all_algorithms()
        .map(|algorithm| {
            let entry = PyDict::new(py);
            entry.set_item("name", algorithm.name())?;
            entry.set_item("world", algorithm.kind())?;
            entry.set_item("title", algorithm.title())?;
            entry.set_item("summary", algorithm.summary())?;
            entry.set_item("paper", algorithm.paper())?;
            let names: Vec<&str> = algorithm.params().iter().map(|param| param.name).collect();
            entry.set_item("settings", names)?;
            Ok(entry)
        })
        .collect()
}
