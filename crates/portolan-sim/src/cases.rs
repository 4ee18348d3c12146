//! The test cases that come with the engine, kept in `worlds/cases/`.
//!
//! Not here: finding the worlds they name, and putting them on.

use portolan_formats::{Case, case};

/// A case that comes with the engine.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shipped {
    /// Its name wherever a case can be named.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// Every case that comes with the engine.
pub const SHIPPED: &[Shipped] =
    &[Shipped { name: "wall-across", text: include_str!("../../../worlds/cases/wall-across.case") }];

/// Looks a case up by its name.
pub fn shipped(name: &str) -> Option<Shipped> {
    SHIPPED.iter().copied().find(|case| case.name == name)
}

impl Shipped {
    /// The case.
    ///
    /// # Panics
    /// Never: every case is read in the tests.
    pub fn case(&self) -> Case {
        case::read(self.text.as_bytes()).expect("shipped cases are well written")
    }
}
