//! Programs that some checks need and a bare machine may lack: a browser, Node with a compiler that checks the types of
//! the page, and a driver for graphics processors. They are installed where that is possible; otherwise the checks are skipped, with a message that
//! says what to install.

use crate::failure::Failure;
use crate::shell::{run, works};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program and the Debian package it comes in.
struct Program {
    name: &'static str,
    package: &'static str,
}

const BROWSER: &[Program] =
    &[Program { name: "chromium", package: "chromium" }, Program { name: "chromedriver", package: "chromium-driver" }];
const NODE: &[Program] = &[Program { name: "node", package: "nodejs" }, Program { name: "npm", package: "npm" }];

/// The version of the TypeScript compiler that checks the page's types. It is fixed, so that every machine gives the
/// same result for the same page.
const TYPESCRIPT: &str = "5.9.3";

/// Installs a browser and its driver if they are missing. The error says what to install by hand.
pub(crate) fn browser() -> Result<(), String> {
    see_to(BROWSER)
}

/// Checks the types of the page's modules, which are written in the modules' comments. `Ok(Err)` means that the check
/// cannot be run, and says what is missing.
pub(crate) fn check_page(root: &Path) -> Result<Result<(), String>, Failure> {
    if let Err(missing) = see_to(NODE) {
        return Ok(Err(missing));
    }
    let folder = root.join("target/page");
    let compiler = folder.join("node_modules/typescript/bin/tsc");
    if !is_version(&folder, TYPESCRIPT) {
        fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        let package = format!("typescript@{TYPESCRIPT}");
        let quiet = ["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", "--prefix"];
        let mut install = Command::new("npm");
        install.current_dir(&folder).args(quiet).arg(&folder).arg(&package);
        if run(&mut install).is_err() {
            return Ok(Err(format!("npm could not install {package}")));
        }
    }
    let page = root.join("crates/portolan-studio/page");
    run(Command::new("node").arg(compiler).arg("--project").arg(page))?;
    Ok(Ok(()))
}

fn is_version(folder: &Path, wanted: &str) -> bool {
    let manifest = fs::read_to_string(folder.join("node_modules/typescript/package.json")).unwrap_or_default();
    manifest.contains(&format!("\"version\": \"{wanted}\""))
}

/// The Debian package with Vulkan drivers, among them one that computes on the CPU.
const DRIVERS: &str = "mesa-vulkan-drivers";
/// The folders in which Vulkan looks for drivers.
const DRIVER_FOLDERS: &[&str] = &["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];

/// Installs a Vulkan driver if there is none. The error says what to install by hand.
pub(crate) fn vulkan_driver() -> Result<(), String> {
    install(|| if has_vulkan_driver() { Vec::new() } else { vec![DRIVERS] })
}

/// Returns whether there is a driver for graphics processors; systems without Vulkan bring one of their own.
fn has_vulkan_driver() -> bool {
    let has_entry = |folder: &&str| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    let is_named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
    cfg!(any(windows, target_os = "macos")) || is_named || DRIVER_FOLDERS.iter().any(has_entry)
}

/// Installs the packages of those programs that are missing, where that is allowed. The error says which are still
/// missing.
fn see_to(programs: &[Program]) -> Result<(), String> {
    install(|| programs.iter().filter(|program| find(program.name).is_none()).map(|program| program.package).collect())
}

/// Installs packages that are missing, where that is allowed. The error says which are still missing.
fn install(missing: impl Fn() -> Vec<&'static str>) -> Result<(), String> {
    let packages = missing();
    if packages.is_empty() {
        return Ok(());
    }
    if may_install() {
        println!("installing {}", packages.join(" "));
        let apt = |arguments: &[&str]| {
            let mut command = Command::new("apt-get");
            command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments).stdout(Stdio::null());
            run(&mut command)
        };
        let install = [&["install", "-y", "-qq", "--no-install-recommends"], &packages[..]].concat();
        // Either command may fail, for example without a network. What is there now is checked below.
        let _ = apt(&["update", "-qq"]).and_then(|()| apt(&install));
    }
    let left = missing();
    if left.is_empty() { Ok(()) } else { Err(format!("install {} (Debian's names)", left.join(" and "))) }
}

/// Returns where a program lies, looked up in `PATH`.
fn find(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Returns whether this program runs as root on a system with `apt-get`.
fn may_install() -> bool {
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    is_root && works(Command::new("apt-get").arg("--version"))
}
