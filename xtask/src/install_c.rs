//! `cargo xtask install-c PREFIX`: builds the binding for C and puts its header, both libraries and a file for pkg-config
//! under a folder.

use crate::failure::Failure;
use crate::shell::{cargo, run as run_command};
use portolan_formats::replace_file;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let [prefix] = arguments else {
        return Err(Failure::Usage("usage: cargo xtask install-c PREFIX, such as /usr/local".to_owned()));
    };
    run_command(&mut cargo(root, &["build", "--release", "-p", "portolan-c"]))?;
    fs::create_dir_all(prefix).map_err(Failure::file(Path::new(prefix)))?;
    let prefix = Path::new(prefix).canonicalize().map_err(Failure::file(Path::new(prefix)))?;
    let built = root.join("target/release");
    let archive = if cfg!(windows) { "portolan_c.lib" } else { "libportolan_c.a" };
    let shared = format!("{DLL_PREFIX}portolan_c{DLL_SUFFIX}");
    let header = root.join("bindings/c/include/portolan.h");
    let put = |from: &Path, to: PathBuf| {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(Failure::file(folder))?;
        }
        fs::copy(from, &to).map_err(Failure::file(&to))?;
        println!("{}", to.display());
        Ok(())
    };
    put(&header, prefix.join("include/portolan.h"))?;
    put(&built.join(archive), prefix.join("lib").join(archive))?;
    put(&built.join(&shared), prefix.join("lib").join(&shared))?;
    let folder = prefix.join("lib/pkgconfig");
    fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
    let described = folder.join("portolan.pc");
    let manifest = root.join("Cargo.toml");
    let version = version(&fs::read_to_string(&manifest).map_err(Failure::file(&manifest))?);
    replace_file(&described, description(&prefix, &version).as_bytes()).map_err(Failure::file(&described))?;
    println!("{}", described.display());
    Ok(())
}

/// Returns the version that the workspace's manifest states.
fn version(manifest: &str) -> String {
    let stated = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    stated.map_or("0", |rest| rest.trim_end_matches('"')).to_owned()
}

/// Returns what pkg-config is told about the library.
fn description(prefix: &Path, version: &str) -> String {
    let prefix = prefix.display();
    format!(
        "prefix={prefix}\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib\n\n\
         Name: Portolan\nDescription: Pathfinding for games and simulations\nVersion: {version}\n\
         Cflags: -I${{includedir}}\nLibs: -L${{libdir}} -lportolan_c\nLibs.private: -lpthread -ldl -lm\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_workspace() {
        let manifest = "[workspace]\nresolver = \"3\"\n[workspace.package]\nversion = \"0.7.1\"\nedition = \"2024\"\n";
        assert_eq!(version(manifest), "0.7.1");
        assert!(description(Path::new("/opt/p"), "0.7.1").contains("Version: 0.7.1\nCflags: -I${includedir}\n"));
    }
}
