//! The command line of the race.

use crate::course::DEFAULT_MAPS;
use crate::mesh;
use portolan::Corners;

pub(crate) const HELP: &str = "\
Races Portolan against other pathfinding crates on the same queries, every answer checked.

  --maps A,B       maps of the collection, such as dao/brc101d, or hills, a weighted generated world;
                   city-mesh, the navigation mesh of a generated city
  --queries N      queries a map, spread evenly over lengths [300; 100 on hills at most; 1000 random ones on
                   city-mesh]
  --repeat K       times each query is asked; the fastest counts [3]
  --edits N        cells changed on each map, blocked and given back by turns [100]; 0 for none
  --corners RULE   strict, no-squeeze or loose [strict]
  --variants       peers with other settings than their documentation's as well

The maps are looked for in PORTOLAN_MAPS, by default ../shared/maps; where there are none, generated ones stand in.
Detour takes part where Debian's librecast-dev was installed at build time.
The result is printed and written to target/peers.json.";

/// The maps to race on, and the other choices of the command line.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Options {
    pub(crate) maps: Vec<String>,
    /// Queries on each map, if the command line says so.
    pub(crate) queries: Option<usize>,
    pub(crate) repeat: usize,
    pub(crate) edits: usize,
    pub(crate) corners: Corners,
    pub(crate) variants: bool,
}

/// What is wrong with the command line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum OptionsError {
    #[error("there is no option {0:?}; --help lists them")]
    Unknown(String),
    #[error("{option} takes {expected}")]
    Value { option: &'static str, expected: &'static str },
}

impl Options {
    pub(crate) fn parse(arguments: &[String]) -> Result<Options, OptionsError> {
        let mut options = Options {
            maps: DEFAULT_MAPS.iter().chain([&mesh::NAME]).map(|&name| name.to_owned()).collect(),
            queries: None,
            repeat: 3,
            edits: 100,
            corners: Corners::Strict,
            variants: false,
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().map_or("", String::as_str);
            match word.as_str() {
                "--maps" => options.maps = value().split(',').map(str::to_owned).collect(),
                "--queries" => options.queries = Some(count("--queries", value())?),
                "--repeat" => options.repeat = count("--repeat", value())?,
                "--edits" => options.edits = edits(value())?,
                "--corners" => options.corners = corners(value())?,
                "--variants" => options.variants = true,
                other => return Err(OptionsError::Unknown(other.to_owned())),
            }
        }
        Ok(options)
    }
}

fn count(option: &'static str, text: &str) -> Result<usize, OptionsError> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or(OptionsError::Value { option, expected: "a whole number from 1" })
}

fn edits(text: &str) -> Result<usize, OptionsError> {
    text.parse().map_err(|_| OptionsError::Value { option: "--edits", expected: "a whole number" })
}

fn corners(text: &str) -> Result<Corners, OptionsError> {
    let found = Corners::NAMED.iter().find(|(name, _)| *name == text);
    let expected = "strict, no-squeeze or loose";
    found.map(|&(_, rule)| rule).ok_or(OptionsError::Value { option: "--corners", expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, OptionsError> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_replace_the_defaults() {
        let options = parse("--maps a/b,hills --queries 20 --variants --repeat 2 --edits 0 --corners loose").unwrap();
        assert_eq!(options.maps, ["a/b", "hills"]);
        assert_eq!((options.queries, options.repeat, options.corners), (Some(20), 2, Corners::Loose));
        assert_eq!((options.edits, parse("").unwrap().edits), (0, 100));
        assert!(options.variants && !parse("").unwrap().variants);
        let maps = parse("").unwrap().maps;
        assert_eq!(maps.split_last(), Some((&mesh::NAME.to_owned(), &DEFAULT_MAPS.map(str::to_owned)[..])));
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(parse("--loud"), Err(OptionsError::Unknown("--loud".to_owned())));
        for line in ["--queries", "--queries 0", "--repeat many", "--edits few", "--corners round"] {
            assert!(matches!(parse(line), Err(OptionsError::Value { .. })), "{line}");
        }
    }
}
