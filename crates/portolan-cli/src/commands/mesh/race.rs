//! `portolan race` on a mesh.

use super::{NO_PROFILES, Named, algorithm, is_chart_of_mesh, open, pairs};
use crate::args::{RaceArgs, Setting};
use crate::commands::race::{QUERIES, REPEAT};
use crate::terminal::Progress;
use anyhow::{Result, anyhow, bail};
use portolan::auto::AUTO;
use portolan::{Algorithm, MESH_ALGORITHMS, NavMesh};
use portolan_formats::ChartFile;
use portolan_lab::mesh::batch::race_batches;
use portolan_lab::mesh::race::{MeshEntrant, race};
use portolan_lab::mesh::random;
use portolan_lab::race::{Processor, RaceResult};
use std::path::Path;

/// Races over a mesh while showing a progress bar.
pub(crate) fn held(path: &Path, args: &RaceArgs, processor: Option<&Processor>) -> Result<RaceResult> {
    let name = path.display().to_string();
    if args.edits.is_some() || args.traps.is_some() || args.scen.is_some() {
        bail!("{name}: --edits, --traps and --scen are for grids, not for meshes");
    }
    args.world.refuse_profile(NO_PROFILES)?;
    let world = open(path)?;
    let mut runners = entrants(args)?;
    let charts = args.chart.iter().map(Path::new).filter(|chart| is_chart_of_mesh(chart));
    for chart in charts {
        runners.push(opened(chart, args.budget)?);
    }
    let count = args.queries.map_or(QUERIES, |count| count as usize);
    let trials =
        |count: usize| random(&world, count, args.seed.unwrap_or(1)).map_err(|error| anyhow!("{name}: {error}"));
    let mut progress = Progress::new(&name);
    let repeat = args.repeat.unwrap_or(REPEAT) as usize;
    let mut result =
        race(&name, &world, &trials(count)?, &runners, repeat, &mut |done, total| progress.at(done, total))?;
    drop(progress);
    if let Some(count) = args.batch {
        let mut bar = Progress::new(&format!("{name}: batches"));
        let trials = trials(count as usize)?;
        race_batches(&world, &trials, &runners, processor, &mut result, &mut |done, total| bar.at(done, total))?;
    }
    Ok(result)
}

/// Returns an entrant for each text, or for every algorithm on meshes. Settings apart go to every entrant that has them.
fn entrants(args: &RaceArgs) -> Result<Vec<MeshEntrant>> {
    let all = || MESH_ALGORITHMS.iter().map(|algorithm| algorithm.name.to_owned()).collect();
    let texts: Vec<String> = if args.with.is_empty() { all() } else { args.with.clone() };
    if texts.iter().any(|text| text == AUTO) {
        bail!("there are no rules for meshes yet; name algorithms");
    }
    let named = texts.iter().map(|text| algorithm(text)).collect::<Result<Vec<_>>>()?;
    let has = |algorithm: &Algorithm<NavMesh>, key: &str| algorithm.params.iter().any(|param| param.name == key);
    for Setting { key, .. } in &args.set {
        if !named.iter().any(|(algorithm, _)| has(algorithm, key)) {
            bail!("none of the algorithms has a setting {key:?}");
        }
    }
    let entrant = |(algorithm, own): Named| {
        let given: Vec<Setting> = args.set.iter().filter(|setting| has(algorithm, &setting.key)).cloned().collect();
        let settings = algorithm.settings(&pairs(own.clone(), &given))?;
        Ok(MeshEntrant { settings, set: own, budget: args.budget, ..MeshEntrant::new(algorithm) })
    };
    named.into_iter().map(entrant).collect()
}

/// Returns an entrant that opens a saved chart.
fn opened(path: &Path, budget: Option<u64>) -> Result<MeshEntrant> {
    let file = ChartFile::read(path)?;
    let named = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", path.display());
    let (algorithm, _) = algorithm(&file.header().algorithm).map_err(|error| named(&error))?;
    let settings = algorithm.settings(&file.header().settings).map_err(|error| named(&error))?;
    Ok(MeshEntrant { settings, budget, chart: Some(path.to_path_buf()), ..MeshEntrant::new(algorithm) })
}
