//! Fields: what it costs from every cell to the nearest of some goals, and the next step there.

use crate::answers::array;
use crate::failure::{QueryError, StaleError, of};
use crate::world::World;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use portolan::any::{AnyField, AnyScratch};
use portolan::{Cell, Cost};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The costs from every cell to the nearest of some goals. After edits of the world, `sync()` brings it up to date.
#[pyclass(module = "portolan", frozen)]
pub(crate) struct Field {
    field: Mutex<(AnyField, AnyScratch)>,
    world: Py<World>,
}

#[pymethods]
impl Field {
    /// Makes the field of some goals (x, y), up to a range of cost if one is given.
    #[new]
    #[pyo3(signature = (world, goals, *, range=None))]
    fn new(py: Python<'_>, world: Py<World>, goals: Vec<(u16, u16)>, range: Option<u32>) -> PyResult<Field> {
        let shared = world.get();
        let goals: Vec<Cell> = goals.into_iter().map(Cell::from).collect();
        let made = py.detach(|| {
            let mut scratch = AnyScratch::new();
            AnyField::new(&shared.snapshot(), &goals, range.map(Cost), &mut scratch).map(|field| (field, scratch))
        });
        let made = made.map_err(of::<QueryError, _>)?;
        Ok(Field { field: Mutex::new(made), world })
    }

    /// Brings the field up to date with all edits of its world.
    fn sync(&self, py: Python<'_>) -> PyResult<()> {
        let shared = self.world.get();
        let synced = py.detach(|| {
            let world = shared.world.read().unwrap_or_else(PoisonError::into_inner);
            let (field, scratch) = &mut *self.field.lock().unwrap_or_else(PoisonError::into_inner);
            field.sync(&world, scratch).map(|_| ())
        });
        synced.map_err(of::<StaleError, _>)
    }

    /// Returns the costs of all cells, with the axes [y, x]; 4294967295 where no goal can be reached.
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let world = self.world.get().snapshot();
        let shape = [world.height(), world.width()];
        let costs = py.detach(|| {
            let field = self.field.lock().unwrap_or_else(PoisonError::into_inner);
            let cost = |cell| Ok(field.0.cost(&world, cell)?.map_or(u32::MAX, |Cost(cost)| cost));
            let rows = (0..shape[0] as u16).flat_map(|y| (0..shape[1] as u16).map(move |x| Cell::new(x, y)));
            rows.map(cost).collect::<Result<Vec<u32>, portolan::Stale>>()
        });
        PyArray1::from_vec(py, costs.map_err(of::<StaleError, _>)?).reshape(shape)
    }

    /// Returns what it costs from a cell to the nearest goal, None where none can be reached.
    fn cost(&self, at: (u16, u16)) -> PyResult<Option<u32>> {
        let world = self.world.get().snapshot();
        let field = self.field.lock().unwrap_or_else(PoisonError::into_inner);
        let cost = field.0.cost(&world, at.into()).map_err(of::<StaleError, _>)?;
        Ok(cost.map(|Cost(cost)| cost))
    }

    /// Returns the next cell on the way to the nearest goal, None at a goal and where none can be reached.
    fn next(&self, at: (u16, u16)) -> PyResult<Option<(u16, u16)>> {
        let world = self.world.get().snapshot();
        let field = self.field.lock().unwrap_or_else(PoisonError::into_inner);
        let next = field.0.next(&world, at.into()).map_err(of::<StaleError, _>)?;
        Ok(next.map(|cell| (cell.x, cell.y)))
    }

    /// Returns the whole way from a cell to the nearest goal as rows (x, y); an empty array where none can be reached.
    fn descend<'py>(&self, py: Python<'py>, start: (u16, u16)) -> PyResult<Bound<'py, PyArray2<u16>>> {
        let mut cells = Vec::new();
        let mut at = if self.cost(start)?.is_some() { Some(start) } else { None };
        while let Some(cell) = at {
            cells.push(Cell::from(cell));
            at = self.next(cell)?;
        }
        array(py, &cells)
    }
}
