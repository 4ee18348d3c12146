//! Compiles the program that searches with Detour, where Detour's headers, its library and a C++ compiler are installed.
//! Where they are not, the race says so and goes on without it.
//!
//! Here: finding and calling the compiler. Not here: the program (`detour/search.cpp`) and talking to it
//! (`src/mesh/detour.rs`).

use std::env;
use std::path::{Path, PathBuf};

/// Where packages put the headers.
const FOLDERS: [&str; 3] = ["/usr/include/recastnavigation", "/usr/local/include/recastnavigation", "/usr/include"];

const SOURCE: &str = "detour/search.cpp";

fn main() {
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rerun-if-changed=build.rs");
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}/DetourNavMesh.h");
    }
    if let Some(program) = compiled() {
        println!("cargo::rustc-env=PORTOLAN_DETOUR={}", program.display());
    }
}

/// Compiles the program and returns where it lies; `None` if something that it needs is missing.
fn compiled() -> Option<PathBuf> {
    let folder = FOLDERS.iter().find(|folder| Path::new(folder).join("DetourNavMesh.h").is_file())?;
    let compiler = cc::Build::new().cpp(true).std("c++17").opt_level(3).include(folder).try_get_compiler().ok()?;
    let program = PathBuf::from(env::var_os("OUT_DIR")?).join("detour-search");
    let status = compiler.to_command().arg(SOURCE).arg("-o").arg(&program).arg("-lDetour").status();
    status.is_ok_and(|status| status.success()).then_some(program)
}
