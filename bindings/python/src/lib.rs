//! Portolan for Python: the module `portolan._portolan`, which the package `portolan` puts its names on.
//!
//! The interpreter's lock is released while worlds are edited, planners built and routes found. Arrays come from numpy as they
//! are and go back as numpy arrays.
//!
//! What belongs here: translating between Python's terms and the engine's. What does not: searching.
#![deny(unsafe_code)]

mod answers;
mod failure;
mod field;
mod planner;
mod world;

use pyo3::pymodule;

#[pymodule]
mod _portolan {
    #[pymodule_export]
    use super::answers::{Answers, Route};
    #[pymodule_export]
    use super::failure::{AlgorithmError, ChartError, PortolanError, QueryError, StaleError, WorldError};
    #[pymodule_export]
    use super::field::Field;
    #[pymodule_export]
    use super::planner::{Planner, algorithms};
    #[pymodule_export]
    use super::world::World;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
