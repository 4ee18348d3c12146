//! Judges an answer by its ends, its steps and its length.

use portolan::{Cell, Cost, Route, SquareGrid};

use crate::course::Trial;

/// The result of judging an answer.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum Verdict {
    /// Every step is legal. The number is the length divided by the optimum.
    Valid(f64),
    /// Some step cuts a corner, and nothing else is wrong. The number is the length divided by the optimum.
    CutsCorners(f64),
    /// It begins or ends at a wrong cell, leaps, or enters a blocked cell.
    Broken,
    /// There is no answer.
    Missing,
}

impl Verdict {
    /// Returns the length divided by the optimum, if the answer has a length.
    pub(crate) fn ratio(self) -> Option<f64> {
        match self {
            Verdict::Valid(ratio) | Verdict::CutsCorners(ratio) => Some(ratio),
            Verdict::Broken | Verdict::Missing => None,
        }
    }
}

/// Judges an answer to a query.
pub(crate) fn judge(grid: &SquareGrid, trial: Trial, cells: Option<Vec<Cell>>) -> Verdict {
    let Some(cells) = cells else { return Verdict::Missing };
    if cells.first() != Some(&trial.from) || cells.last() != Some(&trial.to) {
        return Verdict::Broken;
    }
    let touches = |step: &[Cell]| {
        let (dx, dy) = (step[0].x.abs_diff(step[1].x), step[0].y.abs_diff(step[1].y));
        dx.max(dy) == 1 && grid.is_free(step[1])
    };
    if !grid.is_free(trial.from) || !cells.windows(2).all(touches) {
        return Verdict::Broken;
    }
    let legal = cells.windows(2).all(|step| grid.step_cost(step[0], step[1]).is_some());
    let ratio = Route::new(cells, Cost::ZERO).length(grid) / trial.optimum;
    if legal { Verdict::Valid(ratio) } else { Verdict::CutsCorners(ratio) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::Rules;

    #[test]
    fn every_fault_has_its_verdict() {
        // . # .
        // . . .
        let grid = SquareGrid::from_weights(3, 2, &[1, 0, 1, 1, 1, 1], Rules::default()).unwrap();
        let trial = Trial { from: Cell::new(0, 0), to: Cell::new(2, 0), optimum: 4.0 };
        let judged = |cells: &[(u16, u16)]| judge(&grid, trial, Some(cells.iter().copied().map(Cell::from).collect()));
        assert_eq!(judged(&[(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)]), Verdict::Valid(1.0));
        assert!(matches!(judged(&[(0, 0), (1, 1), (2, 0)]), Verdict::CutsCorners(ratio) if ratio < 1.0));
        assert_eq!(judged(&[(0, 0), (1, 0), (2, 0)]), Verdict::Broken);
        assert_eq!(judged(&[(0, 0), (2, 0)]), Verdict::Broken);
        assert_eq!(judged(&[(0, 0), (0, 1)]), Verdict::Broken);
        assert_eq!(judged(&[]), Verdict::Broken);
        assert_eq!(judge(&grid, trial, None), Verdict::Missing);
    }
}
