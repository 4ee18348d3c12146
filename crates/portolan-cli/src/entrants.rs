//! Algorithms by the names and settings a user gives.

use crate::args::Setting;
use crate::mistake;
use anyhow::{Result, anyhow, bail};
use portolan::{ALGORITHMS, AUTO, Algorithm, Edits, Snapshot};
use portolan_formats::ChartFile;
use portolan_lab::race::Entrant;
use std::path::Path;

/// The algorithm of that name, or which was probably meant.
pub(crate) fn algorithm(name: &str) -> Result<&'static Algorithm> {
    portolan::algorithm(name).ok_or_else(|| {
        if name == AUTO {
            return anyhow!("{AUTO} is no algorithm but chooses one, for `portolan find`, `race`, `check` and `sim`");
        }
        let hint = mistake::hint(name, ALGORITHMS.iter().map(|algorithm| algorithm.name).chain([AUTO]));
        let hint = if hint.is_empty() { "; `portolan list` shows them all".to_owned() } else { hint };
        anyhow!("there is no algorithm {name:?}{hint}")
    })
}

/// Complains of a name that is neither an algorithm's nor `auto`.
pub(crate) fn known(names: &[String]) -> Result<()> {
    names.iter().filter(|name| *name != AUTO).try_for_each(|name| algorithm(name).map(|_| ()))
}

/// Those named, or all there are; `auto` is what the rules choose for this world and edits. A setting goes to every one
/// that has it; one that none has is a mistake.
pub(crate) fn entrants(
    names: &[String],
    settings: &[Setting],
    budget: Option<u64>,
    (world, edits): (&Snapshot, Edits),
) -> Result<Vec<Entrant>> {
    let named = |name: &String| {
        if name == AUTO { Ok(Entrant::auto(world, edits)) } else { algorithm(name).map(Entrant::new) }
    };
    let chosen: Vec<Entrant> = if names.is_empty() {
        ALGORITHMS.iter().map(Entrant::new).collect()
    } else {
        names.iter().map(named).collect::<Result<_>>()?
    };
    let has = |algorithm: &Algorithm, key: &str| algorithm.params.iter().any(|param| param.name == key);
    for Setting { key, .. } in settings {
        if !chosen.iter().any(|entrant| has(entrant.algorithm, key)) {
            bail!("none of the algorithms has a setting {key:?}");
        }
    }
    let with_settings = |entrant: Entrant| {
        let own = settings.iter().filter(|setting| has(entrant.algorithm, &setting.key));
        let pairs: Vec<(&str, &str)> = own.map(|setting| (setting.key.as_str(), setting.value.as_str())).collect();
        // A limit of its own that was set on purpose is not to be lowered behind the user's back.
        let own_budget = pairs.iter().find(|pair| pair.0 == "budget").and_then(|pair| pair.1.parse().ok());
        Ok(Entrant { settings: entrant.algorithm.settings(&pairs)?, budget: budget.or(own_budget), ..entrant })
    };
    chosen.into_iter().map(with_settings).collect()
}

/// A saved chart at the start line.
pub(crate) fn opened(chart: &str, budget: Option<u64>) -> Result<Entrant> {
    let path = Path::new(chart);
    let file = ChartFile::read(path)?;
    let named = |error: &dyn std::fmt::Display| anyhow!("{chart}: {error}");
    let algorithm = algorithm(&file.header().algorithm).map_err(|error| named(&error))?;
    let settings = algorithm.settings(&file.header().settings).map_err(|error| named(&error))?;
    Ok(Entrant { settings, budget, chart: Some(path.to_path_buf()), ..Entrant::new(algorithm) })
}
