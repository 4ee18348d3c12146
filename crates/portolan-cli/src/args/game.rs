//! The options of `portolan sim` for games.

use super::values::one_of;
use clap::{Args, ValueHint};
use portolan_sim::Replan;
use portolan_sim::testbed::{Formation, Influence, Obstructed};
use std::path::PathBuf;

/// How a game is played.
#[derive(Args)]
#[command(next_help_heading = "Game on a world")]
pub(crate) struct GameArgs {
    /// One agent for each algorithm, with settings after a name if need be; auto chooses one for a world that changes
    /// [default: auto]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', requires = "case")]
    pub(crate) agents: Vec<String>,
    /// The most pit traps at once, in percent of the free cells [default: 0%]
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "case", allow_hyphen_values = true)]
    pub(crate) traps: Option<f64>,
    /// Ticks between two updates of traps [default: 20]
    #[arg(long, value_name = "TICKS", requires = "case")]
    pub(crate) every: Option<u64>,
    /// How many ticks a trap lasts at least and at most [default: one to five updates]
    #[arg(long, value_name = "LEAST:MOST", value_parser = range, requires = "case")]
    pub(crate) lasts: Option<(u64, u64)>,
    /// Have so many agents, with the algorithms in turns, play without an end until --ticks is over, and say how long a
    /// tick takes and whether memory stays level
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), requires = "case",
        conflicts_with_all = ["runs", "log", "watch"])]
    pub(crate) crowd: Option<u32>,
    /// Which random traps and monsters [default: 1]
    #[arg(long, value_name = "S", requires = "case")]
    pub(crate) seed: Option<u64>,
    /// How many games, each with the next seed [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000), requires = "case")]
    pub(crate) runs: Option<u64>,
    /// Give a game up after so many ticks [default: 20 for every free cell, at least 10000]
    #[arg(long, value_name = "N", requires = "case")]
    pub(crate) ticks: Option<u64>,
    /// After which changes agents plan again: any, as in the report, or those that touch their way [default: any]
    #[arg(long, value_name = "WHEN", value_parser = one_of(&Replan::NAMED), requires = "case")]
    pub(crate) replan: Option<Replan>,
    /// Plan in legs where an algorithm can: faster for crowds, but what such searches do is not counted
    #[arg(long, requires = "case")]
    pub(crate) legs: bool,
    /// What an agent does whose goal is cut off: walk-on until its old way is blocked, or stop [default: walk-on]
    #[arg(long, value_name = "HOW", value_parser = one_of(&Obstructed::NAMED), requires = "case")]
    pub(crate) obstructed: Option<Obstructed>,
    /// Let monsters catch agents, which then begin at their start again
    #[arg(long, requires = "case")]
    pub(crate) vulnerable: bool,
    /// What influence adds to weights: threat in front of a monster, weather under a cloud, congestion for each agent
    #[arg(long, value_name = "threat=N,weather=N,congestion=N", value_parser = influence, requires = "case")]
    pub(crate) influence: Option<Influence>,
    /// How many followers each agent leads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000), requires = "case")]
    pub(crate) followers: Option<u32>,
    /// How followers move: in a file along the leader's trail, or as a flock [default: file]
    #[arg(long, value_name = "FORMATION", value_parser = one_of(&Formation::NAMED), requires = "followers")]
    pub(crate) formation: Option<Formation>,
    /// Write a row for each goal, agent and run
    #[arg(long, value_name = "FILE.tsv|.csv|.parquet", value_hint = ValueHint::FilePath, requires = "case")]
    pub(crate) log: Option<PathBuf>,
    /// Play the first game on the screen, a tick every so many milliseconds
    #[arg(long, value_name = "MS", num_args = 0..=1, default_missing_value = "80", require_equals = true, requires = "case")]
    pub(crate) watch: Option<u64>,
}

impl GameArgs {
    /// Returns the first option that was given, which only games have.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let all = [
            (!self.agents.is_empty(), "--agents"),
            (self.traps.is_some(), "--traps"),
            (self.every.is_some(), "--every"),
            (self.lasts.is_some(), "--lasts"),
            (self.crowd.is_some(), "--crowd"),
            (self.seed.is_some(), "--seed"),
            (self.runs.is_some(), "--runs"),
            (self.ticks.is_some(), "--ticks"),
            (self.replan.is_some(), "--replan"),
            (self.legs, "--legs"),
            (self.obstructed.is_some(), "--obstructed"),
            (self.vulnerable, "--vulnerable"),
            (self.influence.is_some(), "--influence"),
            (self.followers.is_some(), "--followers"),
            (self.log.is_some(), "--log"),
            (self.watch.is_some(), "--watch"),
        ];
        all.into_iter().find(|option| option.0).map(|option| option.1)
    }
}

fn percent(text: &str) -> Result<f64, &'static str> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse().ok();
    number.filter(|percent: &f64| percent.is_finite()).ok_or("expected a share of the map, such as 5%")
}

fn range(text: &str) -> Result<(u64, u64), &'static str> {
    let numbers = text.split_once(':').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    numbers.ok_or("expected the least and the greatest number of ticks, such as 20:100")
}

fn influence(text: &str) -> Result<Influence, String> {
    let mut influence = Influence::default();
    for part in text.split(',') {
        let wrong = || format!("expected threat=N, weather=N or congestion=N with N up to 100, found {part:?}");
        let (name, value) = part.split_once('=').ok_or_else(wrong)?;
        let value = value.parse().ok().filter(|&value: &u8| value <= 100).ok_or_else(wrong)?;
        match name.trim() {
            "threat" => influence.threat = value,
            "weather" => influence.weather = value,
            "congestion" => influence.congestion = value,
            _ => return Err(wrong()),
        }
    }
    Ok(influence)
}
