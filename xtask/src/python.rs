//! The tests of the binding for Python: an environment of its own with numpy and pytest, the compiled module laid into the
//! package, and the package's tests.

use crate::failure::Failure;
use crate::shell::{cargo, run, watch, works};
use crate::tally::Tally;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the package and its tests need.
const PACKAGES: &[&str] = &["numpy", "pytest"];

/// Runs the tests of the package and adds them to the tally. `Ok(Err)` means that they cannot be run, and says what is missing.
pub(crate) fn test(root: &Path, tally: &mut Tally) -> Result<Result<(), String>, Failure> {
    let folder = root.join("target/python");
    let Some(python) = environment(&folder)? else {
        return Ok(Err(format!("there is no Python with venv, pip and {} to be had", PACKAGES.join(" and "))));
    };
    // The profile of the tests, so that the engine is not compiled once more.
    run(&mut cargo(root, &["build", "--profile", "test", "-p", "portolan-python", "-p", "portolan-cases"]))?;
    let package = folder.join("package/portolan");
    lay_out(root, &package)?;
    let cases = folder.join("cases");
    fs::create_dir_all(&cases).map_err(Failure::file(&cases))?;
    run(Command::new(root.join("target/debug").join(format!("portolan-cases{}", std::env::consts::EXE_SUFFIX)))
        .arg(&cases))?;
    let binding = root.join("bindings/python");
    let mut pytest = Command::new(python);
    pytest.current_dir(&binding).args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    pytest.env("PYTHONPATH", folder.join("package")).env("PORTOLAN_CASES", cases).env("PYTHONDONTWRITEBYTECODE", "1");
    watch(&mut pytest, |line| tally.see_pytest(line))?;
    Ok(Ok(()))
}

/// Makes an environment for the tests, unless there is one, and returns its interpreter; `None` if it cannot be made.
fn environment(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    let venv = folder.join("venv");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let has_all = |python: &Path| works(Command::new(python).args(["-c", "import numpy, pytest"]));
    if has_all(&python) {
        return Ok(Some(python));
    }
    let found = ["python3", "python"].into_iter().find(|name| works(Command::new(name).arg("--version")));
    let Some(found) = found else { return Ok(None) };
    let is_made = works(Command::new(found).args(["-m", "venv"]).arg(&venv))
        && works(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES));
    Ok((is_made && has_all(&python)).then_some(python))
}

/// Lays the package out in a folder: its sources, and the compiled module.
fn lay_out(root: &Path, package: &Path) -> Result<(), Failure> {
    fs::create_dir_all(package).map_err(Failure::file(package))?;
    let sources = root.join("bindings/python/python/portolan");
    for entry in fs::read_dir(&sources).map_err(Failure::file(&sources))?.flatten() {
        let to = package.join(entry.file_name());
        if entry.path().is_file() {
            fs::copy(entry.path(), &to).map_err(Failure::file(&to))?;
        }
    }
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = root.join(format!("target/debug/{prefix}_portolan{suffix}"));
    let module = package.join(if cfg!(windows) { "_portolan.pyd" } else { "_portolan.abi3.so" });
    fs::copy(&library, &module).map_err(Failure::file(&library))?;
    Ok(())
}
