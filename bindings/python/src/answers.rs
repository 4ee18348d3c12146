//! Routes and batches of routes, as numpy arrays.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use portolan::any::AnyRoute;
use portolan::{AnswerKind, Cell, Outcome};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

/// A route: its cells from start to goal, and what it costs.
#[pyclass(module = "portolan", frozen)]
pub(crate) struct Route {
    cells: Py<PyArray2<u16>>,
    /// What the route costs.
    #[pyo3(get)]
    cost: u32,
    /// Whether it leads to the reachable cell nearest to the goal, and not to the goal.
    #[pyo3(get)]
    partial: bool,
}

/// Returns cells as an array of rows (x, y).
pub(crate) fn array<'py>(py: Python<'py>, cells: &[Cell]) -> PyResult<Bound<'py, PyArray2<u16>>> {
    let numbers: Vec<u16> = cells.iter().flat_map(|cell| [cell.x, cell.y]).collect();
    PyArray1::from_vec(py, numbers).reshape([cells.len(), 2])
}

impl Route {
    /// Returns the route of an outcome, `None` if there is none.
    pub(crate) fn of(py: Python<'_>, outcome: Outcome<AnyRoute>) -> PyResult<Option<Route>> {
        let partial = matches!(outcome, Outcome::Partial(_));
        let Some(route) = outcome.into_route() else { return Ok(None) };
        Ok(Some(Route { cells: array(py, route.cells())?.unbind(), cost: route.cost().0, partial }))
    }
}

#[pymethods]
impl Route {
    /// The cells, from start to goal: an array of rows (x, y).
    #[getter]
    fn cells(&self, py: Python<'_>) -> Py<PyArray2<u16>> {
        self.cells.clone_ref(py)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.cells.bind(py).readonly().as_array().nrows()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let partial = if self.partial { ", to the nearest cell" } else { "" };
        format!("<portolan.Route of {} cells at cost {}{partial}>", self.__len__(py), self.cost)
    }
}

/// The answers to many queries in flat arrays: the cells of the route of query `i` are
/// `cells[offsets[i]:offsets[i + 1]]`.
#[pyclass(module = "portolan", frozen)]
pub(crate) struct Answers {
    outcomes: Py<PyArray1<u8>>,
    costs: Py<PyArray1<u32>>,
    offsets: Py<PyArray1<u64>>,
    cells: Py<PyArray2<u16>>,
}

/// The names of outcomes by number.
const OUTCOMES: [&str; 8] =
    ["reached", "partial", "unreachable", "out-of-budget", "too-far", "off-map", "start-blocked", "out-of-memory"];

impl Answers {
    pub(crate) fn of(py: Python<'_>, answers: portolan::Answers) -> PyResult<Answers> {
        let outcomes: Vec<u8> = answers.kinds().iter().map(|&kind| kind as u8).collect();
        let has_route = |kind: AnswerKind| matches!(kind, AnswerKind::Reached | AnswerKind::Partial);
        let costs = answers.costs().iter().zip(answers.kinds());
        let costs = costs.map(|(cost, &kind)| if has_route(kind) { cost.0 } else { u32::MAX }).collect();
        Ok(Answers {
            outcomes: PyArray1::from_vec(py, outcomes).unbind(),
            costs: PyArray1::from_vec(py, costs).unbind(),
            offsets: PyArray1::from_slice(py, answers.offsets()).unbind(),
            cells: array(py, answers.places())?.unbind(),
        })
    }
}

#[pymethods]
impl Answers {
    /// How each query ended, as a number: an index of `OUTCOMES`.
    #[getter]
    fn outcomes(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.outcomes.clone_ref(py)
    }

    /// What each route costs; 4294967295 without one.
    #[getter]
    fn costs(&self, py: Python<'_>) -> Py<PyArray1<u32>> {
        self.costs.clone_ref(py)
    }

    /// Where the cells of each route begin, and at the end their number.
    #[getter]
    fn offsets(&self, py: Python<'_>) -> Py<PyArray1<u64>> {
        self.offsets.clone_ref(py)
    }

    /// The cells of all routes: an array of rows (x, y).
    #[getter]
    fn cells(&self, py: Python<'_>) -> Py<PyArray2<u16>> {
        self.cells.clone_ref(py)
    }

    /// The names of outcomes by number.
    #[classattr]
    #[pyo3(name = "OUTCOMES")]
    fn names() -> [&'static str; 8] {
        OUTCOMES
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.outcomes.bind(py).readonly().as_array().len()
    }

    /// Returns the cells of one route; an empty array without one.
    fn route<'py>(&self, py: Python<'py>, query: usize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.__len__(py);
        if query >= count {
            return Err(PyIndexError::new_err(format!("there is no query {query}: there are {count}")));
        }
        let offsets = self.offsets.bind(py).readonly();
        let [first, last] = [query, query + 1].map(|at| offsets.as_array()[at] as isize);
        let cells = self.cells.bind(py);
        cells.get_item(pyo3::types::PySlice::new(py, first, last, 1))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let outcomes = self.outcomes.bind(py).readonly();
        let reached = outcomes.as_array().iter().filter(|&&outcome| outcome < 2).count();
        format!("<portolan.Answers to {} queries, {reached} with a route>", self.__len__(py))
    }
}
