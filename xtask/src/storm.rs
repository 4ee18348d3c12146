//! `cargo xtask storm`: plays random cases for some minutes and judges every answer. The cases themselves are in
//! `crates/portolan/tests/storm`.

use crate::failure::Failure;
use crate::shell::{cargo, run as run_command};
use std::path::Path;

/// Which cases to play.
#[derive(PartialEq, Eq, Debug)]
enum Play {
    /// One case after the other, for this many minutes, beginning with `first` if it is given.
    Long { minutes: u64, first: Option<u64> },
    /// One case alone, to look at one that failed.
    Alone(u64),
}

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let test = ["test", "--package", "portolan", "--test", "storm", "--", "--ignored", "--nocapture"];
    let mut command = cargo(root, &test);
    match read(arguments)? {
        Play::Alone(case) => command.env("PORTOLAN_STORM_CASE", case.to_string()),
        Play::Long { minutes, first } => {
            command.env("PORTOLAN_STORM_SECONDS", (60 * minutes).to_string());
            command.envs(first.map(|first| ("PORTOLAN_STORM_FIRST", first.to_string())))
        }
    };
    run_command(&mut command)
}

fn read(arguments: &[String]) -> Result<Play, Failure> {
    let usage = || Failure::Usage("`cargo xtask storm` takes MINUTES and --first CASE, or --case CASE".to_owned());
    let number = |text: &String| text.parse::<u64>().map_err(|_| usage());
    let (mut minutes, mut first, mut words) = (None, None, arguments.iter());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--case" if arguments.len() == 2 => return Ok(Play::Alone(number(words.next().ok_or_else(usage)?)?)),
            "--first" if first.is_none() => first = Some(number(words.next().ok_or_else(usage)?)?),
            _ if minutes.is_none() => minutes = Some(number(word)?),
            _ => return Err(usage()),
        }
    }
    Ok(Play::Long { minutes: minutes.unwrap_or(1), first })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_say_what_to_play() {
        let read = |words: &[&str]| read(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert_eq!(read(&[]).unwrap(), Play::Long { minutes: 1, first: None });
        assert_eq!(read(&["20", "--first", "7"]).unwrap(), Play::Long { minutes: 20, first: Some(7) });
        assert_eq!(read(&["--case", "345"]).unwrap(), Play::Alone(345));
        for wrong in [&["--case"][..], &["soon"], &["1", "2"], &["--first", "-1"], &["--case", "1", "3"]] {
            assert!(matches!(read(wrong), Err(Failure::Usage(_))), "{wrong:?}");
        }
    }
}
