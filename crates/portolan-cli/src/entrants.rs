//! Algorithms by the names and settings a user gives.

use crate::args::Setting;
use crate::mistake;
use anyhow::{Result, anyhow, bail};
use portolan::{ALGORITHMS, Algorithm};
use portolan_lab::race::Entrant;

/// The algorithm of that name, or which was probably meant.
pub(crate) fn algorithm(name: &str) -> Result<&'static Algorithm> {
    portolan::algorithm(name).ok_or_else(|| {
        let hint = mistake::hint(name, ALGORITHMS.iter().map(|algorithm| algorithm.name));
        let hint = if hint.is_empty() { "; `portolan list` shows them all".to_owned() } else { hint };
        anyhow!("there is no algorithm {name:?}{hint}")
    })
}

/// Those named, or all there are. A setting goes to every one that has it; one that none has is a mistake.
pub(crate) fn entrants(names: &[String], settings: &[Setting], budget: Option<u64>) -> Result<Vec<Entrant>> {
    let chosen: Vec<&'static Algorithm> = if names.is_empty() {
        ALGORITHMS.iter().collect()
    } else {
        names.iter().map(|name| algorithm(name)).collect::<Result<_>>()?
    };
    let has = |algorithm: &Algorithm, key: &str| algorithm.params.iter().any(|param| param.name == key);
    for Setting { key, .. } in settings {
        if !chosen.iter().any(|algorithm| has(algorithm, key)) {
            bail!("none of the algorithms has a setting {key:?}");
        }
    }
    let entrant = |algorithm: &'static Algorithm| {
        let own = settings.iter().filter(|setting| has(algorithm, &setting.key));
        let pairs: Vec<(&str, &str)> = own.map(|setting| (setting.key.as_str(), setting.value.as_str())).collect();
        // A limit of its own that was set on purpose is not to be lowered behind the user's back.
        let own_budget = pairs.iter().find(|pair| pair.0 == "budget").and_then(|pair| pair.1.parse().ok());
        Ok(Entrant { algorithm, settings: algorithm.settings(&pairs)?, budget: budget.or(own_budget) })
    };
    chosen.into_iter().map(entrant).collect()
}
