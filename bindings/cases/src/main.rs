//! `portolan-cases FOLDER`: writes `cases.txt` and `answers.txt` for the tests of bindings in other languages.
#![deny(unsafe_code)]

use portolan_formats::replace_file;
use std::env;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = env::args().nth(1) else {
        eprintln!("usage: portolan-cases FOLDER");
        return ExitCode::FAILURE;
    };
    let cases = portolan_cases::cases();
    let answers = portolan_cases::answers(&cases);
    let write = |name: &str, text: &str| replace_file(&Path::new(&folder).join(name), text.as_bytes());
    match write("cases.txt", &cases).and_then(|()| write("answers.txt", &answers)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("portolan-cases: {folder}: {error}");
            ExitCode::FAILURE
        }
    }
}
