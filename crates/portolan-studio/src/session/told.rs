//! The answer that describes a world as it was opened.
//!
//! Not here: opening worlds.

use super::edits::{has_between, tell_between};
use super::finding::choice;
use super::playing;
use crate::answer::{self, Answer, Reply, StepRules, Word};
use crate::atlas::Opened;
use crate::command::{Entrant, Grid, Place, Ways, spot};
use crate::frame::Parts;
use portolan::Rules;
use portolan::any::{AnyAlgorithm, AnySnapshot, all_algorithms};
use portolan::auto::{AUTO, Edits, Queries, Use};
use portolan_formats::case::Case;
use portolan_sim::Behaviour;
use std::collections::BTreeMap;

/// Returns the answer to a command that has opened a world.
pub(super) fn world(opened: &Opened) -> Reply {
    let Opened { name, reference, ends, case, entities, kinds, floors, .. } = opened;
    let world = opened.world.snapshot();
    let (metric, rules) = (world.metric(), world.rules());
    let answer = answer::World {
        name: name.clone(),
        reference: reference.clone(),
        width: world.width(),
        height: world.height(),
        grid: Grid::of(&world),
        rules: rules.map(|Rules { corners, directions, .. }| StepRules {
            corners: corners.into(),
            directions: Ways(directions),
        }),
        straight: metric.straight(),
        diagonal: rules.map(|_| metric.diagonal()),
        least: least(&world),
        free: world.free_cells(),
        bytes: world.bytes(),
        mesh: None,
        from: Place::Cell(spot(ends.0)),
        to: Place::Cell(spot(ends.1)),
        promises: promises(&world),
        racers: racers(&world),
        case: case.as_ref().map(|(case, behaviour)| case_info(name, case, *behaviour)),
        level: playing::info(&world, entities),
        kinds: kinds.names().filter_map(|name| Some((kinds.kind(name)?, name.to_owned()))).collect(),
        floors: floors.map(|floors| (floors.count(), floors.size().0, floors.size().1)),
    };
    let mut parts = Parts::default();
    parts.push("weights", world.to_weights());
    if world.has_kinds() {
        parts.push("kinds", world.to_kinds());
    }
    if has_between(&world) {
        tell_between(&world, &mut parts);
    }
    if !entities.is_empty() {
        parts.push("entities", playing::written(entities));
    }
    Reply { answer: Answer::World(Box::new(answer)), parts }
}

fn case_info(name: &str, case: &Case, behaviour: Behaviour) -> answer::CaseInfo {
    let entrant = |(algorithm, settings): &(String, Vec<(String, String)>)| Entrant {
        algorithm: algorithm.clone(),
        settings: settings.iter().cloned().collect(),
    };
    answer::CaseInfo {
        name: name.to_owned(),
        about: case.about.clone(),
        replan: behaviour.replan.into(),
        ticks: case.ticks,
        with: case.with.as_ref().map(entrant),
        edits: case.edits.len(),
        last: case.edits.iter().map(|&(tick, _)| tick).max().unwrap_or(0),
    }
}

/// Returns what each algorithm promises in a world, or what it would need to run there.
fn promises(world: &AnySnapshot) -> BTreeMap<&'static str, Word> {
    let of_any_kind = all_algorithms().map(|algorithm| (algorithm.name(), algorithm));
    // One that runs on worlds of several kinds is listed for each; the one for this kind comes last and stays.
    let of_this_kind = world.algorithms().into_iter().map(|algorithm| (algorithm.name(), algorithm));
    let chosen = (AUTO, choice(world).0);
    let all: BTreeMap<&'static str, AnyAlgorithm> = of_any_kind.chain(of_this_kind).chain([chosen]).collect();
    all.into_iter().map(|(name, algorithm)| (name, promise(algorithm, world))).collect()
}

/// Returns the algorithms that run in a world, those first that are worth a race: what the rules choose for one query, for
/// exact answers and for near ones in a world that is edited, and then those that keep a chart.
fn racers(world: &AnySnapshot) -> Vec<&'static str> {
    let edited = Use { edits: Edits::Sometimes, ..Use::default() };
    let uses = [Use { queries: Queries::One, ..edited }, edited, Use { exact: false, ..edited }];
    let (charts, others): (Vec<AnyAlgorithm>, Vec<AnyAlgorithm>) =
        world.algorithms().into_iter().partition(|algorithm| algorithm.can_be_saved());
    let mut racers: Vec<&'static str> = vec![];
    for algorithm in uses.map(|usage| world.choose(usage).0).into_iter().chain(charts).chain(others) {
        if algorithm.suits(world).is_ok() && !racers.contains(&algorithm.name()) {
            racers.push(algorithm.name());
        }
    }
    racers
}

fn promise(algorithm: AnyAlgorithm, world: &AnySnapshot) -> Word {
    match (algorithm.suits(world), algorithm.settings::<&str, &str>(&[])) {
        (Ok(()), Ok(defaults)) => Word::Promise(algorithm.promise(world, &defaults).to_string()),
        (Err(unsuited), _) => Word::Needs(unsuited.needs.to_owned()),
        (_, Err(error)) => Word::Needs(error.to_string()),
    }
}

/// Returns the least weight of a free cell, or 1 if no cell is free.
pub(super) fn least(world: &AnySnapshot) -> u8 {
    let weights = world.cells_by_weight();
    (1..=u8::MAX).find(|&weight| weights[usize::from(weight)] > 0).unwrap_or(1)
}
