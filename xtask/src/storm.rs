//! `cargo xtask storm`: plays random cases for some minutes and judges every answer. The cases themselves are in
//! `crates/portolan/tests/storm`.

use crate::failure::Failure;
use crate::shell::{cargo, run as run_command};
use std::path::Path;

/// The kinds of world that all cases can be made to have.
const KINDS: [&str; 2] = ["square", "hex"];

/// Which cases to play.
#[derive(PartialEq, Eq, Default, Debug)]
struct Play {
    /// How long to play one case after the other, 1 if not given.
    minutes: Option<u64>,
    /// The number of the case to begin with.
    first: Option<u64>,
    /// The number of the only case to play, to look at one that failed.
    case: Option<u64>,
    /// The kind of world of all cases; without it, kinds take turns.
    kind: Option<String>,
}

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let test = ["test", "--package", "portolan", "--test", "storm", "--", "--ignored", "--nocapture"];
    let mut command = cargo(root, &test);
    let Play { minutes, first, case, kind } = read(arguments)?;
    command.env("PORTOLAN_STORM_SECONDS", (60 * minutes.unwrap_or(1)).to_string());
    command.envs(first.map(|first| ("PORTOLAN_STORM_FIRST", first.to_string())));
    command.envs(case.map(|case| ("PORTOLAN_STORM_CASE", case.to_string())));
    command.envs(kind.map(|kind| ("PORTOLAN_STORM_KIND", kind)));
    run_command(&mut command)
}

fn read(arguments: &[String]) -> Result<Play, Failure> {
    let usage = || {
        let takes = "MINUTES and --first CASE, or --case CASE, and --kind square or --kind hex";
        Failure::Usage(format!("`cargo xtask storm` takes {takes}"))
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| usage());
    let (mut play, mut words) = (Play::default(), arguments.iter().map(String::as_str));
    while let Some(word) = words.next() {
        match word {
            "--case" if play.case.is_none() => play.case = Some(number(words.next().ok_or_else(usage)?)?),
            "--first" if play.first.is_none() => play.first = Some(number(words.next().ok_or_else(usage)?)?),
            "--kind" if play.kind.is_none() => {
                let kind = words.next().filter(|kind| KINDS.contains(kind)).ok_or_else(usage)?;
                play.kind = Some(kind.to_owned());
            }
            _ if play.minutes.is_none() => play.minutes = Some(number(word)?),
            _ => return Err(usage()),
        }
    }
    let both = play.case.is_some() && (play.minutes.is_some() || play.first.is_some());
    if both { Err(usage()) } else { Ok(play) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_say_what_to_play() {
        let read = |words: &[&str]| read(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        let long =
            |minutes, first, kind: Option<&str>| Play { minutes, first, case: None, kind: kind.map(str::to_owned) };
        assert_eq!(read(&[]).unwrap(), Play::default());
        assert_eq!(read(&["20", "--first", "7"]).unwrap(), long(Some(20), Some(7), None));
        assert_eq!(read(&["--kind", "hex", "3"]).unwrap(), long(Some(3), None, Some("hex")));
        let alone = |case, kind| Play { case: Some(case), ..long(None, None, kind) };
        assert_eq!(read(&["--case", "345"]).unwrap(), alone(345, None));
        assert_eq!(read(&["--case", "345", "--kind", "square"]).unwrap(), alone(345, Some("square")));
        let wrong: [&[&str]; 8] = [
            &["--case"],
            &["soon"],
            &["1", "2"],
            &["--first", "-1"],
            &["--case", "1", "3"],
            &["--case", "1", "--first", "3"],
            &["--kind", "round"],
            &["--kind", "hex", "--kind", "hex"],
        ];
        for wrong in wrong {
            assert!(matches!(read(wrong), Err(Failure::Usage(_))), "{wrong:?}");
        }
    }
}
