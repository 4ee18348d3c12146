//! Finds algorithms by the names and settings that a user gives. Not here: racing them.

use crate::args::Setting;
use crate::mistake;
use anyhow::{Result, anyhow, bail};
use portolan::any::{AnyAlgorithm, AnyPick, AnySnapshot, all_algorithms};
use portolan::auto::{AUTO, Edits, Use};
use portolan::pick::PickError;
use portolan::{Algorithm, Unsuited};
use portolan_formats::ChartFile;
use portolan_lab::race::Entrant;
use std::path::Path;

/// Returns the algorithm of that name on square grids. If there is none, the error says which was probably meant.
pub(crate) fn algorithm(name: &str) -> Result<&'static Algorithm> {
    portolan::algorithm(name).ok_or_else(|| unknown(name))
}

/// Returns the algorithm of that name on worlds of this kind. If there is none, the error says whether it runs on other
/// worlds, or else which was probably meant.
pub(crate) fn algorithm_on(world: &AnySnapshot, name: &str) -> Result<AnyAlgorithm> {
    world.algorithm(name).ok_or_else(|| match all_algorithms().find(|algorithm| algorithm.name() == name) {
        Some(elsewhere) => elsewhere.suits(world).err().map_or_else(|| unknown(name), |error: Unsuited| error.into()),
        None => unknown(name),
    })
}

/// Returns the error for a name that no algorithm has.
pub(crate) fn unknown(name: &str) -> anyhow::Error {
    if name == AUTO {
        return anyhow!("{AUTO} is no algorithm but chooses one, for `portolan find`, `race`, `check` and `sim`");
    }
    let hint = mistake::hint(name, all_algorithms().map(AnyAlgorithm::name).chain([AUTO]));
    let hint = if hint.is_empty() { "; `portolan list` shows them all".to_owned() } else { hint };
    anyhow!("there is no algorithm {name:?}{hint}")
}

/// Reads an algorithm with settings after its name, as in `rhumb smoothing=taut`, or `auto`.
pub(crate) fn pick(text: &str) -> Result<AnyPick> {
    AnyPick::parse(text).map_err(|error| match &error {
        PickError::Unknown(name) => unknown(name),
        _ => anyhow!("{error}"),
    })
}

/// Returns the settings that a text has after the name.
pub(crate) fn own_settings(text: &str) -> Vec<(String, String)> {
    let pairs = text.split_whitespace().filter_map(|word| word.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Checks that every text names an algorithm or `auto` and that its settings are right.
pub(crate) fn known(texts: &[String]) -> Result<()> {
    texts.iter().try_for_each(|text| pick(text).map(|_| ()))
}

/// Returns an entrant for each text, or for every algorithm if there is no text; `auto` becomes what the rules choose
/// for this world and edits. Settings after a name are for that entrant alone. Each of `settings` goes to every entrant
/// that has such a setting and does not set it itself; a setting that no entrant has is an error.
pub(crate) fn entrants(
    texts: &[String],
    settings: &[Setting],
    budget: Option<u64>,
    (world, edits): (&AnySnapshot, Edits),
) -> Result<Vec<Entrant>> {
    let named = |text: &String| {
        let (algorithm, settings, why) = pick(text)?.choose(world, Use { edits, ..Use::default() })?;
        Ok(Entrant { settings, why, set: own_settings(text), ..Entrant::new(algorithm) })
    };
    let chosen: Vec<Entrant> = if texts.is_empty() {
        world.algorithms().into_iter().map(Entrant::new).collect()
    } else {
        texts.iter().map(named).collect::<Result<_>>()?
    };
    let has = |algorithm: AnyAlgorithm, key: &str| algorithm.params().iter().any(|param| param.name == key);
    for Setting { key, .. } in settings {
        if !chosen.iter().any(|entrant| has(entrant.algorithm, key)) {
            bail!("none of the algorithms has a setting {key:?}");
        }
    }
    let with_settings = |entrant: Entrant| {
        let free = |setting: &&Setting| {
            has(entrant.algorithm, &setting.key) && entrant.set.iter().all(|(key, _)| *key != setting.key)
        };
        let own = entrant.set.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let given = settings.iter().filter(free).map(|setting| (setting.key.as_str(), setting.value.as_str()));
        let pairs: Vec<(&str, &str)> = own.chain(given).collect();
        // A budget that the user set as a setting is also the entrant's limit, so that it is not lowered later.
        let own_budget = pairs.iter().find(|pair| pair.0 == "budget").and_then(|pair| pair.1.parse().ok());
        Ok(Entrant { settings: entrant.algorithm.settings(&pairs)?, budget: budget.or(own_budget), ..entrant.clone() })
    };
    chosen.into_iter().map(with_settings).collect()
}

/// Returns an entrant that opens a saved chart.
pub(crate) fn opened(chart: &str, budget: Option<u64>) -> Result<Entrant> {
    let path = Path::new(chart);
    let file = ChartFile::read(path)?;
    let named = |error: &dyn std::fmt::Display| anyhow!("{chart}: {error}");
    let algorithm = algorithm(&file.header().algorithm).map_err(|error| named(&error))?;
    let settings = algorithm.settings(&file.header().settings).map_err(|error| named(&error))?;
    Ok(Entrant { settings, budget, chart: Some(path.to_path_buf()), ..Entrant::new(algorithm) })
}
