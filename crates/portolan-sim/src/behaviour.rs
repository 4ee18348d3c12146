//! What a case says about its agent: when it plans again ([`Replan`]) and how its planner follows edits ([`Follow`]),
//! and the words of case files for these.
//!
//! Not here: the lines of case files, which `portolan-formats` reads, and what agents do.

use portolan_formats::{Case, ReadError, Words};
use std::fmt;

/// After which edits an agent plans its route again.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Replan {
    /// After an edit that makes a step left on the route illegal or changes its cost.
    #[default]
    Touched,
    /// After any edit, since it may have opened a shorter route.
    Any,
}

impl Replan {
    /// Both values with their words in case files.
    pub const NAMED: [(&'static str, Replan); 2] = [("touched", Replan::Touched), ("any", Replan::Any)];

    /// Returns the word for this value in case files.
    pub fn name(self) -> &'static str {
        match self {
            Replan::Touched => "touched",
            Replan::Any => "any",
        }
    }

    /// Returns the words for this value in a case, or `None` for the default, which cases leave out.
    pub fn words(self) -> Option<Words> {
        (self != Replan::default()).then(|| Words::new(self.name()))
    }

    /// Returns the value that these words of a case say.
    ///
    /// # Errors
    /// When they are not the words of a value. The error says where they are.
    pub fn read(words: &Words) -> Result<Replan, ReadError> {
        let named = Replan::NAMED.iter().find(|(name, _)| words.get(0) == Some(name));
        let &(_, replan) = named.ok_or_else(|| words.fault(0, "touched or any"))?;
        words.end(1)?;
        Ok(replan)
    }
}

/// How a planner follows edits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Follow {
    /// At once: the planner is repaired before the next step.
    #[default]
    Repair,
    /// In the background: the next planner is made on another thread, while the agent walks on with the old one.
    Rebuild {
        /// Ticks from the edit until the next planner is handed over.
        ticks: u64,
    },
}

impl Follow {
    /// Returns the words for this value in a case, or `None` for the default, which cases leave out.
    pub fn words(self) -> Option<Words> {
        (self != Follow::default()).then(|| Words::new(&self.to_string()))
    }

    /// Returns the value that these words of a case say.
    ///
    /// # Errors
    /// When they are not the words of a value. The error says where they are.
    pub fn read(words: &Words) -> Result<Follow, ReadError> {
        const { assert!(Case::MAX_TICK == 10_000_000, "the message below says so") };
        match words.get(0) {
            Some("repair") => words.end(1).map(|()| Follow::Repair),
            Some("rebuild") => {
                let word = words.get(1).ok_or_else(|| words.fault(1, "a number of ticks"))?;
                let ticks = word.parse().ok().filter(|&ticks| ticks <= Case::MAX_TICK);
                let ticks = ticks.ok_or_else(|| words.fault(1, "a whole number up to 10000000"))?;
                words.end(2)?;
                Ok(Follow::Rebuild { ticks })
            }
            _ => Err(words.fault(0, "repair or rebuild")),
        }
    }
}

impl fmt::Display for Follow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Follow::Repair => f.write_str("repair"),
            Follow::Rebuild { ticks } => write!(f, "rebuild {ticks}"),
        }
    }
}

/// All that a case says about how its agent behaves.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Behaviour {
    /// After which edits the agent plans again.
    pub replan: Replan,
    /// How the agent's planner follows edits.
    pub follow: Follow,
}

impl Behaviour {
    /// Returns how the agent of this case behaves. What the case does not say has its default.
    ///
    /// # Errors
    /// When a line has words that mean nothing. The error says which line of which file.
    pub fn of(case: &Case) -> Result<Behaviour, ReadError> {
        let replan = case.replan.as_ref().map(Replan::read).transpose()?.unwrap_or_default();
        let follow = case.follow.as_ref().map(Follow::read).transpose()?.unwrap_or_default();
        Ok(Behaviour { replan, follow })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan_formats::case;

    fn of(line: &str) -> Result<Behaviour, String> {
        let text = format!("portolan case 1\nworld a.map\nfrom 0,0\nto 1,1\n{line}\n");
        Behaviour::of(&case::read(text.as_bytes()).unwrap()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn every_word_is_understood_and_what_is_left_out_has_its_default() {
        let behaviour = |replan, follow| Ok(Behaviour { replan, follow });
        assert_eq!(of(""), behaviour(Replan::Touched, Follow::Repair));
        assert_eq!(of("replan touched\nfollow repair"), behaviour(Replan::Touched, Follow::Repair));
        assert_eq!(of("follow rebuild 5\nreplan any"), behaviour(Replan::Any, Follow::Rebuild { ticks: 5 }));
    }

    #[test]
    fn faults_are_told_by_place() {
        for (line, message) in [
            ("replan", "5:7: expected touched or any, found end of line"),
            ("replan often", "5:8: expected touched or any, found 'often'"),
            ("replan any time", "5:12: expected end of line, found 'time'"),
            ("follow", "5:7: expected repair or rebuild, found end of line"),
            ("follow closely", "5:8: expected repair or rebuild, found 'closely'"),
            ("follow repair 5", "5:15: expected end of line, found '5'"),
            ("follow rebuild", "5:15: expected a number of ticks, found end of line"),
            ("follow rebuild soon", "5:16: expected a whole number up to 10000000, found 'soon'"),
            ("follow rebuild 10000001", "5:16: expected a whole number up to 10000000, found '10000001'"),
        ] {
            assert_eq!(of(line), Err(message.to_owned()));
        }
    }

    #[test]
    fn words_are_read_back_and_defaults_go_without_saying() {
        assert_eq!((Replan::Touched.words(), Follow::Repair.words()), (None, None));
        let follow = Follow::Rebuild { ticks: 12 };
        assert_eq!(Follow::read(&follow.words().unwrap()), Ok(follow));
        assert_eq!(Replan::read(&Replan::Any.words().unwrap()), Ok(Replan::Any));
    }
}
