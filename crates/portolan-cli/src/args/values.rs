//! Values of options that have to be parsed: cells, sizes, settings, and the rules of a world.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use portolan::any::AnySnapshot;
use portolan::{Cell, Corners, Directions, HexGrid, Metric, Space, SquareGrid};
use portolan_formats::MeshFormat;
use portolan_formats::polyanya::Version;
use std::fmt;
use std::str::FromStr;

/// A place as typed, which may lie off any world: column and row on a grid, coordinates on a mesh.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The height, on a mesh.
    pub(crate) z: Option<f64>,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[x, y]) if x.is_finite() && y.is_finite() => Ok(Place { x, y, z: None }),
            Some(&[x, y, z]) if [x, y, z].iter().all(|at| at.is_finite()) => Ok(Place { x, y, z: Some(z) }),
            _ => Err("expected column and row, such as 12,34, or on a mesh x,y or x,y,height".to_owned()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)?;
        self.z.map_or(Ok(()), |z| write!(f, ",{z}"))
    }
}

impl Place {
    /// Returns the cell, if it lies on the grid.
    pub(crate) fn on(self, world: &AnySnapshot) -> anyhow::Result<Cell> {
        if self.x.fract() != 0.0 || self.y.fract() != 0.0 || self.z.is_some() {
            anyhow::bail!("{self}: cells are named by whole columns and rows, such as 12,34");
        }
        let side = |at: f64| (0.0..=f64::from(u16::MAX)).contains(&at).then_some(at as u16);
        let cell = side(self.x).zip(side(self.y)).map(|(x, y)| Cell::new(x, y));
        cell.filter(|&cell| world.contains(cell))
            .ok_or_else(|| anyhow::anyhow!("{self} lies off the map, which is {} x {}", world.width(), world.height()))
    }
}

/// Columns and rows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let size = || {
            let (width, height) = text.split_once(['x', 'X', '×'])?;
            Some(Size { width: width.trim().parse().ok()?, height: height.trim().parse().ok()? })
        };
        size().ok_or_else(|| "expected columns and rows, such as 128x96".to_owned())
    }
}

/// A setting as typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
        Ok(Setting { key: key.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// Returns a parser that takes one of these words, each of which stands for a value. Help and completions list the
/// words.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    named: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let words = PossibleValuesParser::new(named.iter().map(|(name, _)| *name));
    words.try_map(move |word| {
        named.iter().find(|(name, _)| *name == word).map(|&(_, value)| value).ok_or("no such word")
    })
}

/// What is made for meshes to be built from, where kinds of worlds are named.
pub(crate) const GEOMETRY: &str = "geometry";

/// Returns a parser that takes the name of a kind of world.
pub(super) fn kind() -> impl TypedValueParser<Value = &'static str> {
    one_of(&[(SquareGrid::KIND, SquareGrid::KIND), (HexGrid::KIND, HexGrid::KIND), (GEOMETRY, GEOMETRY)])
}

/// Returns a parser that takes the name of a format of meshes.
pub(super) fn mesh_format() -> impl TypedValueParser<Value = MeshFormat> {
    one_of(&[
        ("portolan", MeshFormat::NavMesh),
        ("polyanya-2", MeshFormat::Polyanya(Version::Two)),
        ("polyanya-3", MeshFormat::Polyanya(Version::Three)),
    ])
}

pub(super) fn corners() -> impl TypedValueParser<Value = Corners> {
    one_of(&Corners::NAMED)
}

pub(super) fn directions() -> impl TypedValueParser<Value = Directions> {
    one_of(&[("4", Directions::Four), ("8", Directions::Eight)])
}

pub(super) fn metric(text: &str) -> Result<Metric, String> {
    let numbers = || {
        let (straight, diagonal) = text.split_once('/')?;
        Some((straight.trim().parse().ok()?, diagonal.trim().parse().ok()?))
    };
    let (straight, diagonal) = numbers().ok_or("expected straight/diagonal, such as 408/577")?;
    Metric::new(straight, diagonal).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_off_the_map_are_read_and_then_refused() {
        let grid = AnySnapshot::from(SquareGrid::open(10, 5, portolan::Rules::default()).unwrap());
        assert_eq!("9, 4".parse::<Place>().unwrap().on(&grid).unwrap(), Cell::new(9, 4));
        for text in ["-1,0", "10,0", "0,5", "99999999,0"] {
            let error = text.parse::<Place>().unwrap().on(&grid).unwrap_err().to_string();
            assert_eq!(error, format!("{text} lies off the map, which is 10 x 5"));
        }
        let hexagon = AnySnapshot::from(HexGrid::hexagon(1, None).unwrap());
        assert!("0,0".parse::<Place>().unwrap().on(&hexagon).is_err(), "a corner of the columns and rows is no hex");
        assert!("3".parse::<Place>().is_err() && "a,b".parse::<Place>().is_err() && "nan,1".parse::<Place>().is_err());
        let fraction = "1.5,2".parse::<Place>().unwrap();
        assert_eq!(fraction.to_string(), "1.5,2");
        assert!(fraction.on(&grid).is_err() && "1,2,3".parse::<Place>().unwrap().on(&grid).is_err());
    }

    #[test]
    fn sizes_settings_and_metrics_are_read() {
        assert_eq!("12x9".parse::<Size>(), Ok(Size { width: 12, height: 9 }));
        assert!("12".parse::<Size>().is_err());
        assert_eq!("a=b=c".parse::<Setting>(), Ok(Setting { key: "a".into(), value: "b=c".into() }));
        assert_eq!(metric("10/14"), Ok(Metric::new(10, 14).unwrap()));
        assert!(metric("10").is_err() && metric("10/30").unwrap_err().contains("10/30"));
    }
}
