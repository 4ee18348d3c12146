//! The messages about the perceptual studies: the commands for the walks of a study and for what follows from answers, and what
//! answers them.
//!
//! Not here: the studies themselves and their statistics, which are in `portolan-lab`.

use crate::answer::{Answer, Reply};
use crate::budget::Full;
use crate::frame::{Numbers, Parts};
use crate::limits;
use crate::session::leash::Leash;
use portolan_lab::perception::results::{Judgement, LONGEST_NAME, Results, ResultsError};
use portolan_lab::perception::statistics::{Counts, Summary, summary};
use portolan_lab::perception::{ANSWERS, Environment, Experiment, NoExperiment, TRIALS};
use serde::{Deserialize, Serialize};

/// The fields of the command `trials`.
#[derive(Copy, Clone, PartialEq, Eq, Deserialize, Debug)]
pub(crate) struct Trials {
    pub(crate) experiment: u8,
    pub(crate) seed: u64,
}

/// The fields of the command `judge`.
#[derive(Clone, PartialEq, Eq, Deserialize, Debug)]
pub(crate) struct Judge {
    /// The names of the files with the answers of others.
    pub(crate) files: Vec<String>,
    /// What was answered on the page.
    pub(crate) taken: Vec<Taken>,
}

/// The answers of one participant on the page, in the order that a seed draws.
#[derive(Clone, PartialEq, Eq, Deserialize, Debug)]
pub(crate) struct Taken {
    pub(crate) participant: String,
    pub(crate) experiment: u8,
    pub(crate) seed: u64,
    pub(crate) answers: Vec<u8>,
}

/// The walks of a study.
#[derive(Clone, Serialize, Debug)]
pub(crate) struct Staged {
    pub(crate) experiment: u8,
    pub(crate) answers: [&'static str; ANSWERS.len()],
    pub(crate) environments: Vec<Staging>,
    pub(crate) trials: Vec<Shown>,
}

/// A world of a study.
#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Staging {
    pub(crate) name: &'static str,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// A walk of a study.
#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Shown {
    pub(crate) environment: u8,
    pub(crate) pair: u8,
    pub(crate) configuration: u8,
    pub(crate) steps: usize,
}

/// What follows from all answers, for each study.
#[derive(Clone, Serialize, Debug)]
pub(crate) struct Judged {
    pub(crate) experiments: Vec<Figures>,
}

/// The figures about a study.
#[derive(Clone, Serialize, Debug)]
pub(crate) struct Figures {
    pub(crate) experiment: u8,
    pub(crate) participants: usize,
    pub(crate) judgements: u64,
    /// The minds: P in percent, δ and C.
    pub(crate) configurations: [(u8, f64, u16); 4],
    pub(crate) counts: Counts,
    pub(crate) independence: Option<Independence>,
    pub(crate) correlation: Option<Correlation>,
}

#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Independence {
    pub(crate) chi_squared: f64,
    pub(crate) degrees: usize,
    pub(crate) p: f64,
    pub(crate) least_expected: f64,
}

#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Correlation {
    pub(crate) rho: f64,
    pub(crate) p: f64,
}

/// Why there is nothing to show or to sum up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PerceptionError {
    #[error(transparent)]
    Experiment(#[from] NoExperiment),
    #[error("at most {most} files are read at a time, not {0}: join them, as a file that this page saves does", most = limits::RESULT_FILES)]
    Files(usize),
    #[error("this command needs a part {0:?} of kind u8")]
    NoFile(String),
    #[error("at most {most} people take part on one page, not {0}", most = limits::PARTICIPANTS)]
    Participants(usize),
    #[error("{0:?} cannot be who takes part: expected a name of 1 to {LONGEST_NAME} characters")]
    Name(String),
    #[error("a study has {TRIALS} answers from 0 to 3; answer {number} of {participant:?} is {answer}")]
    Answer { participant: String, number: usize, answer: u8 },
    #[error(transparent)]
    Results(#[from] ResultsError),
    #[error(transparent)]
    Full(#[from] Full),
}

/// Bytes that a byte of a file takes while it is read, at most.
const READING: usize = 40;
/// Bytes that as many results as there may be take.
const MOST: usize = 64 << 20;

/// Returns the walks of a study in the order that a seed draws.
pub(crate) fn staged(asked: Trials) -> Result<Reply, PerceptionError> {
    let experiment = Experiment::try_from(asked.experiment)?;
    let environments = Environment::all();
    let (mut walks, mut ends, mut trials) = (Vec::new(), Vec::new(), Vec::new());
    for trial in experiment.order(asked.seed) {
        let walk = environments[usize::from(trial.environment)].walk(experiment, trial);
        let cells = walk.iter().map(|at| at.cell().expect("cells have columns and rows"));
        walks.extend(cells.flat_map(|at| [at.x, at.y]));
        ends.push(walks.len() as u32);
        let (environment, pair, configuration) = (trial.environment, trial.pair, trial.configuration);
        trials.push(Shown { environment, pair, configuration, steps: walk.len() - 1 });
    }
    let mut parts = Parts::default();
    let mut stagings = Vec::new();
    for (index, environment) in environments.iter().enumerate() {
        let (name, world) = (environment.name, &environment.world);
        stagings.push(Staging { name, width: world.width(), height: world.height() });
        parts.push(format!("weights{index}"), world.to_weights());
    }
    parts.push("walks", walks);
    parts.push("walk-ends", ends);
    let staged = Staged { experiment: asked.experiment, answers: ANSWERS, environments: stagings, trials };
    Ok(Reply { answer: Answer::Staged(Box::new(staged)), parts })
}

/// Sums up the answers that files bring and those that were given on the page.
pub(crate) fn judged(asked: &Judge, mut parts: Parts, leash: &Leash) -> Result<Reply, PerceptionError> {
    let Judge { files, taken } = asked;
    if files.len() > limits::RESULT_FILES {
        return Err(PerceptionError::Files(files.len()));
    }
    if taken.len() > limits::PARTICIPANTS {
        return Err(PerceptionError::Participants(taken.len()));
    }
    let mut results = Results::default();
    for (index, file) in files.iter().enumerate() {
        let name = format!("file{index}");
        let Some(Numbers::U8(bytes)) = parts.take(&name) else { return Err(PerceptionError::NoFile(name)) };
        leash.set_aside((READING * bytes.len()).min(MOST))?;
        results.read(file, &bytes)?;
    }
    for one in taken {
        results.add(&format!("the answers of {:?} on this page", one.participant), judgements(one)?)?;
    }
    let experiments = Experiment::ALL.map(|experiment| figures(experiment, &summary(results.judgements(), experiment)));
    let mut parts = Parts::default();
    parts.push("csv", results.write());
    Ok(Reply { answer: Answer::Judged(Box::new(Judged { experiments: experiments.to_vec() })), parts })
}

/// Returns the answers of one participant, with their places in the order of the walks.
fn judgements(
    Taken { participant, experiment, seed, answers }: &Taken,
) -> Result<Vec<(u64, Judgement)>, PerceptionError> {
    let experiment = Experiment::try_from(*experiment)?;
    let participant = participant.trim();
    if !(1..=LONGEST_NAME).contains(&participant.chars().count()) {
        return Err(PerceptionError::Name(participant.chars().take(LONGEST_NAME).collect()));
    }
    let order = experiment.order(*seed);
    let judgement = |(index, &answer): (usize, &u8)| {
        let (number, participant) = (index + 1, participant.to_owned());
        match order.get(index).filter(|_| usize::from(answer) < ANSWERS.len()) {
            Some(&trial) => {
                Ok((number as u64, Judgement { participant, experiment, number: number as u8, trial, answer }))
            }
            None => Err(PerceptionError::Answer { participant, number, answer }),
        }
    };
    answers.iter().enumerate().map(judgement).collect()
}

fn figures(experiment: Experiment, summary: &Summary) -> Figures {
    let Summary { participants, judgements, counts, independence, correlation } = *summary;
    Figures {
        experiment: experiment.number(),
        participants,
        judgements,
        configurations: experiment.configurations().map(|one| (one.knowledge, one.delta, one.stretch)),
        counts,
        independence: independence.map(|one| Independence {
            chi_squared: one.chi_squared,
            degrees: one.degrees,
            p: one.p,
            least_expected: one.least_expected,
        }),
        correlation: correlation.map(|one| Correlation { rho: one.rho, p: one.p }),
    }
}
