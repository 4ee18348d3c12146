//! The header, and programs in C and C++ that are compiled with sanitizers, linked with the static library and run: the
//! examples, everything that a caller can do wrong, and the cases that every binding answers.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_header_is_what_the_source_says() {
    let config = cbindgen::Config::from_file(here().join("cbindgen.toml")).expect("a sound configuration");
    let mut made = Vec::new();
    let bindings = cbindgen::Builder::new().with_crate(here()).with_config(config).generate();
    bindings.expect("the source can be read").write(&mut made);
    let header = here().join("include/portolan.h");
    if env::var_os("PORTOLAN_WRITE").is_some() {
        fs::write(&header, &made).expect("the header can be written");
    }
    let kept = fs::read(&header).unwrap_or_default();
    assert!(kept == made, "the header is out of date: PORTOLAN_WRITE=1 cargo test -p portolan-c header");
}

/// Compiles a program with warnings as errors and with the sanitizers that the compiler has. Returns `None`, and says so, if
/// there is no compiler.
fn compile(source: &str) -> Option<PathBuf> {
    let is_cpp = Path::new(source).extension().is_some_and(|extension| extension == "cpp");
    let (compiler, standard) = if is_cpp { ("c++", "-std=c++20") } else { ("cc", "-std=c11") };
    if Command::new(compiler).arg("--version").output().is_err() {
        println!("skipped: there is no {compiler} here");
        return None;
    }
    let test = env::current_exe().expect("a test has a file");
    let library = test.with_file_name("libportolan_c.a");
    assert!(library.exists(), "{} is built with the tests", library.display());
    let name = Path::new(source).file_name().expect("a file").to_string_lossy().replace('.', "-");
    let program = test.with_file_name(format!("portolan-c-{name}"));
    let build = |sanitizers: &[&str]| {
        let mut command = Command::new(compiler);
        command.args([standard, "-g", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]).args(sanitizers);
        command.arg(format!("-I{}", here().join("include").display())).arg(here().join(source)).arg(&library);
        command.args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program);
        command.output().expect("the compiler runs")
    };
    let sanitized = build(&["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    if sanitized.status.success() {
        return Some(program);
    }
    let plain = build(&[]);
    assert!(plain.status.success(), "{source}: {}", String::from_utf8_lossy(&plain.stderr));
    println!("without sanitizers: {}", String::from_utf8_lossy(&sanitized.stderr).lines().last().unwrap_or_default());
    Some(program)
}

/// Runs a program with this input.
fn run(program: &Path, input: &str) -> Output {
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_owned();
    // The program answers while it reads, so that writing must not wait for it to be read.
    let writing = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    let is_written = writing.join().expect("writing does not panic").is_ok();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && is_written, "{}: {}\n{errors}", program.display(), output.status);
    output
}

fn said(program: &Path) -> String {
    String::from_utf8(run(program, "").stdout).expect("text")
}

#[test]
fn the_example_in_c_walks_around_what_is_blocked() {
    let Some(program) = compile("examples/route.c") else { return };
    let said = said(&program);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 4, "{said}");
    assert!(lines[0].starts_with("reached: ") && lines[1].contains("from 2,2"), "{said}");
    assert_eq!(lines[2], "after the edit: the planner is stale");
}

#[test]
fn the_example_in_cpp_answers_a_batch() {
    let Some(program) = compile("examples/route.cpp") else { return };
    let said = said(&program);
    assert!(said.starts_with("100 routes of ") && said.contains("a slip of the pen: "), "{said}");
}

#[test]
fn whatever_a_caller_does_wrong_is_a_status_and_words() {
    let Some(program) = compile("tests/c/misuse.c") else { return };
    assert!(said(&program).contains("algorithms, version "));
}

#[test]
fn answers_are_those_that_rust_gives() {
    let Some(program) = compile("examples/replay.c") else { return };
    let cases = portolan_cases::cases();
    let told = String::from_utf8(run(&program, &cases).stdout).expect("text");
    let known = portolan_cases::answers(&cases);
    for (number, (told, known)) in told.lines().zip(known.lines()).enumerate() {
        assert_eq!(told, known, "answer {number}");
    }
    assert_eq!(told, known);
}
