//! Adds up the counts that test binaries print.

use std::fmt;

/// How many tests passed, failed and were skipped.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Tally {
    /// Adds the counts of a line of output if it is the summary of a test binary.
    pub(crate) fn see(&mut self, line: &str) {
        let Some((_, counts)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". ")) else {
            return;
        };
        self.add(counts, ';');
    }

    /// Adds the counts of a line of pytest if it is the last one of a run, such as `12 passed, 1 skipped in 0.50s`.
    pub(crate) fn see_pytest(&mut self, line: &str) {
        if let Some((counts, time)) = line.trim_matches(['=', ' ']).rsplit_once(" in ")
            && time.ends_with('s')
            && counts.starts_with(|first: char| first.is_ascii_digit())
        {
            self.add(counts, ',');
        }
    }

    fn add(&mut self, counts: &str, between: char) {
        for count in counts.split(between) {
            let mut words = count.split_whitespace();
            let (Some(number), Some(what)) = (words.next(), words.next()) else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" | "skipped" => self.skipped += number,
                _ => {}
            }
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_binaries_add_up() {
        let mut tally = Tally::default();
        tally.see("running 3 tests");
        tally.see("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.01s");
        tally.see("test oracle::finds ... ok");
        tally.see("test result: FAILED. 2 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s");
        assert_eq!(tally, Tally { passed: 5, failed: 4, skipped: 1 });
        assert_eq!(tally.to_string(), "5 passed, 4 failed, 1 skipped");
        tally.see_pytest("tests/test_portolan.py ....                                   [100%]");
        tally.see_pytest("26 passed, 1 skipped in 1.53s");
        assert_eq!(tally, Tally { passed: 31, failed: 4, skipped: 2 });
    }
}
