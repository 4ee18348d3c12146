//! The errors that Python sees. Each is a `PortolanError`; wrong types and shapes are `TypeError` and `ValueError`, as they are
//! everywhere in Python.
#![allow(missing_docs, reason = "the macro gives each its text")]

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(portolan, PortolanError, PyException, "What Portolan refuses.");
create_exception!(portolan, WorldError, PortolanError, "A world cannot be made, read or edited so.");
create_exception!(portolan, AlgorithmError, PortolanError, "No such algorithm or setting, or not on this world.");
create_exception!(portolan, StaleError, PortolanError, "The world was edited since: call sync().");
create_exception!(portolan, QueryError, PortolanError, "Start or goal off the map, or a blocked start.");
create_exception!(portolan, ChartError, PortolanError, "A chart cannot be written or opened.");

/// Returns what makes a Python error of this type out of a Rust error.
pub(crate) fn of<E: pyo3::type_object::PyTypeInfo, W: ToString>(error: W) -> PyErr {
    PyErr::new::<E, _>(error.to_string())
}

/// Returns the Python error for a query that failed.
pub(crate) fn of_query(error: &portolan::QueryError) -> PyErr {
    match error {
        portolan::QueryError::Stale(_) => of::<StaleError, _>(error),
        _ => of::<QueryError, _>(error),
    }
}
