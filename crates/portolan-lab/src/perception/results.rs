//! What people answered, as CSV: one line for each walk that someone saw ([`Judgement`]).
//!
//! The columns are those of [`COLUMNS`]: the experiment, environment and pair counted from 1, the configuration and the answer from 0, as
//! in the thesis. The number is the place of the walk in the order of the participant, from 1.
//!
//! Not here: what follows from the answers.

use super::{ANSWERS, Experiment, TRIALS, Trial};
use csv::StringRecord;
use std::collections::BTreeMap;

/// The columns, in their order.
pub const COLUMNS: [&str; 7] =
    ["participant", "experiment", "number", "environment", "pair", "configuration", "answer"];

/// The most judgements in one table.
pub const MOST: usize = 100_000;

/// The longest name of a participant, in characters.
pub const LONGEST_NAME: usize = 80;

/// An answer about one walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The name or number of the participant.
    pub participant: String,
    /// The study.
    pub experiment: Experiment,
    /// The place of the walk in the order that they saw, from 1.
    pub number: u8,
    /// The walk.
    pub trial: Trial,
    /// The answer, an index into [`ANSWERS`].
    pub answer: u8,
}

/// Why results cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// A field is not what its column has.
    #[error("{file}, line {line}, column {column} ({name}): {found:?}, expected {expected}")]
    Field {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The number of the column, from 1.
        column: usize,
        /// The name of the column.
        name: &'static str,
        /// What is there.
        found: String,
        /// What is expected there, in words.
        expected: &'static str,
    },
    /// A line has too few or too many columns.
    #[error("{file}, line {line}: {found} columns, expected {}: {}", COLUMNS.len(), COLUMNS.join(","))]
    Columns {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// How many there are.
        found: usize,
    },
    /// A line cannot be read as text.
    #[error("{file}, line {line}, column {column}: not UTF-8 text")]
    Text {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: usize,
    },
    /// There are no columns at all.
    #[error("{file}, line 1: the file is empty, expected the columns {}", COLUMNS.join(","))]
    Empty {
        /// The file.
        file: String,
    },
    /// Someone judges a walk twice.
    #[error(
        "{file}, line {line}, column 1 (participant): {participant:?} has answered this walk already in {before}, line {before_line}"
    )]
    Twice {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The participant.
        participant: String,
        /// The file with the first answer.
        before: String,
        /// The line with the first answer.
        before_line: u64,
    },
    /// There are too many lines.
    #[error("{file}: results have at most {MOST} answers in all")]
    TooMany {
        /// The file.
        file: String,
    },
}

/// The judgements of some files and where each was read.
#[derive(Clone, Default, Debug)]
pub struct Results {
    judgements: Vec<Judgement>,
    /// The file and line of each judgement, by participant, experiment and trial.
    seen: BTreeMap<(String, Experiment, Trial), (usize, u64)>,
    files: Vec<String>,
}

impl Results {
    /// Returns all judgements in the order in which they were added.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// Adds all judgements of a file.
    ///
    /// # Errors
    /// When the file is not such a table, or someone judges a walk a second time; nothing is added then.
    pub fn read(&mut self, file: &str, bytes: &[u8]) -> Result<(), ResultsError> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let mut lines = Vec::new();
        let mut is_head = true;
        for record in reader.records() {
            let record = record.map_err(|error| not_text(file, &error))?;
            let line = record.position().map_or(1, csv::Position::line);
            let at = At { file, line };
            if record.len() != COLUMNS.len() {
                return Err(ResultsError::Columns { file: file.to_owned(), line, found: record.len() });
            }
            if is_head {
                head(&record, at)?;
                is_head = false;
            } else {
                lines.push((line, judgement(&record, at)?));
            }
            if lines.len() > MOST {
                return Err(ResultsError::TooMany { file: file.to_owned() });
            }
        }
        if is_head {
            return Err(ResultsError::Empty { file: file.to_owned() });
        }
        self.add(file, lines)
    }

    /// Adds judgements that were not read from a file. `source` is where they come from, for errors.
    ///
    /// # Errors
    /// When someone judges a walk a second time, or there are too many; nothing is added then.
    pub fn add(&mut self, source: &str, lines: Vec<(u64, Judgement)>) -> Result<(), ResultsError> {
        if self.judgements.len() + lines.len() > MOST {
            return Err(ResultsError::TooMany { file: source.to_owned() });
        }
        let mut seen = self.seen.clone();
        for (line, judgement) in &lines {
            let key = (judgement.participant.clone(), judgement.experiment, judgement.trial);
            if let Some((before, before_line)) = seen.insert(key, (self.files.len(), *line)) {
                return Err(ResultsError::Twice {
                    file: source.to_owned(),
                    line: *line,
                    participant: judgement.participant.clone(),
                    before: self.files.get(before).map_or(source, String::as_str).to_owned(),
                    before_line,
                });
            }
        }
        self.seen = seen;
        self.files.push(source.to_owned());
        self.judgements.extend(lines.into_iter().map(|(_, judgement)| judgement));
        Ok(())
    }

    /// Returns all judgements as a file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail.
        let mut write = |fields: [&str; COLUMNS.len()]| writer.write_record(fields).expect("memory takes all");
        write(COLUMNS);
        for Judgement { participant, experiment, number, trial, answer } in &self.judgements {
            let Trial { environment, pair, configuration } = trial;
            let numbers = [experiment.number(), *number, environment + 1, pair + 1, *configuration, *answer]
                .map(|number| number.to_string());
            let [experiment, number, environment, pair, configuration, answer] = &numbers;
            write([participant, experiment, number, environment, pair, configuration, answer]);
        }
        writer.into_inner().expect("memory takes all")
    }
}

/// A line of a file.
#[derive(Copy, Clone)]
struct At<'a> {
    file: &'a str,
    line: u64,
}

impl At<'_> {
    fn fault(self, index: usize, found: &str, expected: &'static str) -> ResultsError {
        ResultsError::Field {
            file: self.file.to_owned(),
            line: self.line,
            column: index + 1,
            name: COLUMNS[index],
            found: found.chars().take(LONGEST_NAME).collect(),
            expected,
        }
    }
}

fn not_text(file: &str, error: &csv::Error) -> ResultsError {
    let (line, column) = match error.kind() {
        csv::ErrorKind::Utf8 { pos, err } => (pos.as_ref().map_or(1, csv::Position::line), err.field() + 1),
        _ => (error.position().map_or(1, csv::Position::line), 1),
    };
    ResultsError::Text { file: file.to_owned(), line, column }
}

/// Checks that the first line names the columns.
fn head(record: &StringRecord, at: At) -> Result<(), ResultsError> {
    for (index, name) in COLUMNS.into_iter().enumerate() {
        // Spreadsheets begin a file with a mark of its byte order.
        let found = record[index].trim_start_matches('\u{feff}').trim();
        if found != name {
            return Err(at.fault(index, found, "the name of the column"));
        }
    }
    Ok(())
}

fn judgement(record: &StringRecord, at: At) -> Result<Judgement, ResultsError> {
    let number = |index: usize, least: u8, most: u8, expected| {
        let found = record[index].trim();
        found
            .parse()
            .ok()
            .filter(|value| (least..=most).contains(value))
            .ok_or_else(|| at.fault(index, found, expected))
    };
    let participant = record[0].trim();
    if participant.is_empty() || participant.chars().count() > LONGEST_NAME {
        return Err(at.fault(0, participant, "a name of 1 to 80 characters"));
    }
    let experiment = number(1, 1, 2, "1 or 2")?;
    let place = number(2, 1, TRIALS as u8, "a whole number from 1 to 32")?;
    let trial = Trial {
        environment: number(3, 1, 2, "1 or 2")? - 1,
        pair: number(4, 1, 4, "a whole number from 1 to 4")? - 1,
        configuration: number(5, 0, 3, "a whole number from 0 to 3")?,
    };
    let answer = number(6, 0, ANSWERS.len() as u8 - 1, "an answer from 0 (very little) to 3 (extremely well)")?;
    let experiment = Experiment::try_from(experiment).expect("it was checked");
    Ok(Judgement { participant: participant.to_owned(), experiment, number: place, trial, answer })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(participant: &str, seed: u64) -> Vec<(u64, Judgement)> {
        let order = Experiment::Second.order(seed);
        let judgement = |(index, trial): (usize, Trial)| Judgement {
            participant: participant.to_owned(),
            experiment: Experiment::Second,
            number: index as u8 + 1,
            trial,
            answer: trial.configuration,
        };
        order.into_iter().enumerate().map(|one| (one.0 as u64 + 1, judgement(one))).collect()
    }

    fn fault(text: &[u8]) -> String {
        Results::default().read("a.csv", text).unwrap_err().to_string()
    }

    const HEAD: &str = "participant,experiment,number,environment,pair,configuration,answer\n";

    #[test]
    fn what_is_written_is_read_again() {
        let mut results = Results::default();
        for (seed, name) in ["1", "Ada, \"the first\"", "Žofie"].into_iter().enumerate() {
            results.add("here", answered(name, seed as u64)).unwrap();
        }
        let bytes = results.write();
        let mut again = Results::default();
        again.read("all.csv", &bytes).unwrap();
        assert_eq!(again.judgements(), results.judgements());
        assert_eq!(again.write(), bytes);
        assert!(bytes.starts_with(HEAD.as_bytes()));
        let mut windows = Results::default();
        let text = String::from_utf8(bytes).unwrap().replace('\n', "\r\n");
        windows.read("all.csv", format!("\u{feff}{text}").as_bytes()).unwrap();
        assert_eq!(windows.judgements(), results.judgements(), "as spreadsheets write it");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told_with_line_and_column() {
        let line = |text: &str| fault(format!("{HEAD}1,1,1,1,1,0,0\n{text}\n").as_bytes());
        assert_eq!(
            line("1,1,2,1,1,1,4"),
            "a.csv, line 3, column 7 (answer): \"4\", expected an answer from 0 (very little) to 3 (extremely well)"
        );
        assert_eq!(line("1,3,2,1,1,1,0"), "a.csv, line 3, column 2 (experiment): \"3\", expected 1 or 2");
        assert_eq!(
            line("1,1,x,1,1,1,0"),
            "a.csv, line 3, column 3 (number): \"x\", expected a whole number from 1 to 32"
        );
        assert_eq!(line("1,1,2,1,9,1,0"), "a.csv, line 3, column 5 (pair): \"9\", expected a whole number from 1 to 4");
        assert_eq!(
            line(" ,1,2,1,1,1,0"),
            "a.csv, line 3, column 1 (participant): \"\", expected a name of 1 to 80 characters"
        );
        let expected = format!("a.csv, line 3: 3 columns, expected 7: {}", HEAD.trim());
        assert_eq!(line("1,1,2"), expected);
        assert_eq!(
            line("1,1,9,1,1,0,2"),
            "a.csv, line 3, column 1 (participant): \"1\" has answered this walk already in a.csv, line 2"
        );
        let head = HEAD.replace("pair", "pairs");
        assert_eq!(
            fault(head.as_bytes()),
            "a.csv, line 1, column 5 (pair): \"pairs\", expected the name of the column"
        );
        assert_eq!(fault(b""), format!("a.csv, line 1: the file is empty, expected the columns {}", HEAD.trim()));
        let broken = [HEAD.as_bytes(), b"1,1,1,1,1,0,\xff\n"].concat();
        assert_eq!(fault(&broken), "a.csv, line 2, column 7: not UTF-8 text");
    }

    #[test]
    fn a_file_that_is_refused_adds_nothing() {
        let mut results = Results::default();
        results.add("here", answered("1", 1)).unwrap();
        let bytes = results.write();
        let twice = results.read("again.csv", &bytes).unwrap_err().to_string();
        assert!(twice.starts_with("again.csv, line 2, ") && twice.ends_with("in here, line 1"), "{twice}");
        assert_eq!(results.judgements().len(), 32);
        results.add("here", answered("2", 2)).unwrap();
        assert_eq!(results.judgements().len(), 64);
    }
}
