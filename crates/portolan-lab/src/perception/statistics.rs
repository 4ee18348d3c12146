//! What follows from the answers of a study: how often each answer was given to each configuration, whether the two depend on each
//! other (the χ² test of independence), and how well their orders agree (Spearman's rank correlation).
//!
//! Distributions and ranks are those of the crate `statrs`.
//!
//! Not here: reading answers.

use super::results::Judgement;
use super::{ANSWERS, Experiment};
use statrs::distribution::{ChiSquared, ContinuousCDF, StudentsT};
use statrs::statistics::{Data, OrderStatistics, RankTieBreaker, Statistics};
use std::collections::BTreeSet;

/// How often each answer was given, by configuration and answer.
pub type Counts = [[u64; ANSWERS.len()]; 4];

/// All figures about a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// How many people took part.
    pub participants: usize,
    /// How many walks were judged.
    pub judgements: u64,
    /// How often each answer was given.
    pub counts: Counts,
    /// Whether answers depend on configurations; `None` where only one answer was given or one configuration judged.
    pub independence: Option<Independence>,
    /// How well the order of answers agrees with that of configurations; `None` where there is no order.
    pub correlation: Option<Correlation>,
}

/// The χ² test of independence.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Independence {
    /// The statistic.
    pub chi_squared: f64,
    /// The degrees of freedom.
    pub degrees: usize,
    /// The probability of a statistic this large if answers did not depend on configurations.
    pub p: f64,
    /// The least count that independence would make one expect. The test is trusted from 5 on.
    pub least_expected: f64,
}

/// Spearman's rank correlation.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Correlation {
    /// The correlation, from -1 to 1.
    pub rho: f64,
    /// The probability of a correlation this far from 0 if there were none.
    pub p: f64,
}

/// Sums up all judgements of a study.
pub fn summary(judgements: &[Judgement], experiment: Experiment) -> Summary {
    let mut counts = Counts::default();
    let mut participants = BTreeSet::new();
    for judgement in judgements.iter().filter(|judgement| judgement.experiment == experiment) {
        counts[usize::from(judgement.trial.configuration)][usize::from(judgement.answer)] += 1;
        participants.insert(&judgement.participant);
    }
    Summary {
        participants: participants.len(),
        judgements: counts.iter().flatten().sum(),
        counts,
        independence: independence(&counts.each_ref().map(<[u64; 4]>::as_slice)),
        correlation: correlation(&ranks_of(&counts)),
    }
}

/// Tests whether the columns of a table depend on its rows. Empty rows and columns are left out.
fn independence(counts: &[&[u64]]) -> Option<Independence> {
    let rows: Vec<f64> = counts.iter().map(|row| row.iter().sum::<u64>() as f64).collect();
    let columns: Vec<f64> =
        (0..counts[0].len()).map(|column| counts.iter().map(|row| row[column]).sum::<u64>() as f64).collect();
    let filled = |sums: &[f64]| sums.iter().filter(|&&sum| sum > 0.0).count();
    let degrees = filled(&rows).checked_sub(1)? * filled(&columns).checked_sub(1)?;
    let distribution = ChiSquared::new(degrees as f64).ok()?;
    let all: f64 = rows.iter().sum();
    let (mut chi_squared, mut least_expected) = (0.0, f64::INFINITY);
    for (row, &in_row) in counts.iter().zip(&rows).filter(|(_, sum)| **sum > 0.0) {
        for (&count, &in_column) in row.iter().zip(&columns).filter(|(_, sum)| **sum > 0.0) {
            let expected = in_row * in_column / all;
            chi_squared += (count as f64 - expected).powi(2) / expected;
            least_expected = expected.min(least_expected);
        }
    }
    Some(Independence { chi_squared, degrees, p: distribution.sf(chi_squared), least_expected })
}

/// Returns the configurations and the answers of all judgements.
fn ranks_of(counts: &Counts) -> [Vec<f64>; 2] {
    let mut values = [vec![], vec![]];
    for (configuration, row) in counts.iter().enumerate() {
        for (answer, &count) in row.iter().enumerate() {
            values[0].resize(values[0].len() + count as usize, configuration as f64);
            values[1].resize(values[1].len() + count as usize, answer as f64);
        }
    }
    values
}

/// Returns the correlation of the ranks of two lists, in which equal values share the mean of their ranks.
fn correlation(values: &[Vec<f64>; 2]) -> Option<Correlation> {
    let [a, b] = values.each_ref().map(|values| Data::new(values.clone()).ranks(RankTieBreaker::Average));
    let free = a.len().checked_sub(2).filter(|&free| free > 0)? as f64;
    let rho = (&a).covariance(&b) / ((&a).std_dev() * (&b).std_dev());
    if !rho.is_finite() {
        return None;
    }
    let rho = rho.clamp(-1.0, 1.0);
    let t = rho.abs() * (free / (1.0 - rho * rho)).sqrt();
    let p = if t.is_finite() { 2.0 * StudentsT::new(0.0, 1.0, free).ok()?.sf(t) } else { 0.0 };
    Some(Correlation { rho, p })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::Trial;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-10 * expected.abs().max(1e-3), "{found} is not {expected}");
    }

    #[test]
    fn independence_is_that_of_known_tables() {
        // From the manual of SciPy's `chi2_contingency`.
        let known = independence(&[&[10, 10, 20], &[20, 20, 20]]).unwrap();
        near(known.chi_squared, 25.0 / 9.0);
        near(known.p, 0.249_352_208_777_296_2);
        assert_eq!((known.degrees, known.least_expected), (2, 12.0));
        // Fisher's table of twins of criminals: without a correction, 13.0318.
        let twins = independence(&[&[2, 15], &[10, 3]]).unwrap();
        assert!((twins.chi_squared - 13.031_674).abs() < 1e-6 && twins.degrees == 1, "{twins:?}");
        // With two degrees of freedom, p is exp(-χ²/2).
        near(known.p, (-known.chi_squared / 2.0).exp());
        let none = independence(&[&[5, 10, 15], &[10, 20, 30]]).unwrap();
        assert!(none.chi_squared.abs() < 1e-12 && (none.p - 1.0).abs() < 1e-12, "{none:?}");
    }

    #[test]
    fn empty_rows_and_columns_do_not_count() {
        let whole = independence(&[&[10, 10, 20], &[20, 20, 20]]).unwrap();
        let gaps = independence(&[&[10, 0, 10, 20], &[0, 0, 0, 0], &[20, 0, 20, 20]]).unwrap();
        assert_eq!(gaps, whole);
        assert_eq!(independence(&[&[3, 0], &[4, 0]]), None, "one answer depends on nothing");
        assert_eq!(independence(&[&[0, 0], &[0, 0]]), None);
    }

    #[test]
    fn correlation_is_that_of_known_lists() {
        // From the manual of SciPy's `spearmanr`.
        let known = correlation(&[vec![1., 2., 3., 4., 5.], vec![5., 6., 7., 8., 7.]]).unwrap();
        near(known.rho, 0.820_782_681_668_123_3);
        near(known.p, 0.088_587_005_313_543_8);
        // Intelligence and hours of television of ten people: 1 - 6 · 194 / 990.
        let iq = vec![106., 86., 100., 101., 99., 103., 97., 113., 112., 110.];
        let hours = vec![7., 0., 27., 50., 28., 29., 20., 12., 6., 17.];
        let known = correlation(&[iq, hours]).unwrap();
        near(known.rho, -29.0 / 165.0);
        assert!((known.p - 0.627_188).abs() < 1e-6, "{known:?}");
        let up = correlation(&[vec![1., 2., 3.], vec![4., 5., 9.]]).unwrap();
        assert!((up.rho - 1.0).abs() < 1e-12 && up.p < 1e-6, "{up:?}");
        assert_eq!(correlation(&[vec![1., 2., 3.], vec![2., 2., 2.]]), None, "one answer has no order");
        assert_eq!(correlation(&[vec![1., 2.], vec![1., 2.]]), None, "nor have two people");
    }

    #[test]
    fn a_summary_counts_its_own_study_alone() {
        let judgement = |participant: &str, experiment: Experiment, trial: Trial, answer| Judgement {
            participant: participant.to_owned(),
            experiment,
            number: 1,
            trial,
            answer,
        };
        let mut all = Vec::new();
        for name in ["a", "b", "c"] {
            for trial in Experiment::First.order(1) {
                all.push(judgement(name, Experiment::First, trial, trial.configuration));
            }
        }
        for trial in Experiment::Second.order(1) {
            all.push(judgement("a", Experiment::Second, trial, 2));
        }
        let first = summary(&all, Experiment::First);
        assert_eq!((first.participants, first.judgements), (3, 96));
        assert_eq!(first.counts, [[24, 0, 0, 0], [0, 24, 0, 0], [0, 0, 24, 0], [0, 0, 0, 24]]);
        let independence = first.independence.unwrap();
        near(independence.chi_squared, 3.0 * 96.0);
        assert!(independence.degrees == 9 && independence.p < 1e-50 && first.correlation.unwrap().rho > 0.999_999);
        let second = summary(&all, Experiment::Second);
        assert_eq!((second.participants, second.judgements, second.counts[3]), (1, 32, [0, 0, 8, 0]));
        assert_eq!((second.independence, second.correlation), (None, None));
    }
}
