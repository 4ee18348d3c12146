//! `cargo xtask table`: writes the README's table of algorithms from the registry.

use crate::failure::Failure;
use portolan::{ALGORITHMS, Algorithm, MESH_ALGORITHMS, MeshParts, NavMesh, Rules, Space, SquareGrid};
use portolan_formats::replace_file;
use std::fs;
use std::path::Path;

const OPEN: &str = "<!-- algorithms -->";
const CLOSE: &str = "<!-- /algorithms -->";

/// Rewrites the text between the markers in the README.
pub(crate) fn run(root: &Path, _: &[String]) -> Result<(), Failure> {
    let path = root.join("README.md");
    let text = fs::read_to_string(&path).map_err(Failure::file(&path))?;
    let fresh = with_table(&text, &table())?;
    if fresh == text {
        println!("README.md: the table is up to date");
        return Ok(());
    }
    replace_file(&path, fresh.as_bytes()).map_err(Failure::file(&path))?;
    println!("README.md: the table is rewritten");
    Ok(())
}

/// Returns whether the README's table is the one that the registry gives.
pub(crate) fn is_current(readme: &str) -> Result<bool, Failure> {
    with_table(readme, &table()).map(|fresh| fresh == readme)
}

/// Returns the text with the table put between its markers.
fn with_table(text: &str, table: &str) -> Result<String, Failure> {
    let missing = |marker: &str| Failure::Content {
        place: "README.md".to_owned(),
        expected: format!("put {OPEN} and {CLOSE} where the table of algorithms belongs; {marker} is missing"),
    };
    let (before, rest) = text.split_once(OPEN).ok_or_else(|| missing(OPEN))?;
    let (_, after) = rest.split_once(CLOSE).ok_or_else(|| missing(CLOSE))?;
    Ok(format!("{before}{OPEN}\n{table}{CLOSE}{after}"))
}

/// Returns the registry as a Markdown table.
fn table() -> String {
    let world = |weights: &[u8]| SquareGrid::from_weights(4, 4, weights, Rules::default());
    let mut weights = [1; 16];
    let uniform = world(&weights).expect("a small grid is in range");
    weights[5] = 9;
    let weighted = world(&weights).expect("a small grid is in range");
    let mut text = String::from("| name | algorithm | what it does | promises | settings | published |\n");
    text.push_str("|---|---|---|---|---|---|\n");
    for algorithm in ALGORITHMS {
        text.push_str(&row(algorithm, &uniform, &weighted));
    }
    let [uniform, weighted] = [1, 9].map(mesh);
    for algorithm in on_meshes_alone() {
        text.push_str(&row(algorithm, &uniform, &weighted));
    }
    text
}

/// Returns the algorithms that run on meshes and not on squares.
fn on_meshes_alone() -> impl Iterator<Item = &'static Algorithm<NavMesh>> {
    let on_squares = |name: &str| ALGORITHMS.iter().any(|algorithm| algorithm.name == name);
    MESH_ALGORITHMS.iter().copied().filter(move |algorithm| !on_squares(algorithm.name))
}

/// Returns a mesh of two triangles, one of this weight.
fn mesh(weight: u8) -> NavMesh {
    let vertices = vec![[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
    let mut parts = MeshParts { vertices, ..MeshParts::default() };
    parts.push(&[0, 1, 2], 1);
    parts.push(&[0, 2, 3], weight);
    NavMesh::new(&parts).expect("two triangles are a mesh")
}

fn row<S: Space>(algorithm: &Algorithm<S>, uniform: &S, weighted: &S) -> String {
    let defaults = algorithm.settings::<&str, &str>(&[]).expect("defaults are in range");
    let everywhere = if algorithm.suits(weighted).is_ok() { "" } else { "; uniform worlds only" };
    let promise = algorithm.promise(uniform, &defaults);
    let settings: Vec<String> =
        algorithm.params.iter().map(|param| format!("`{}={}`", param.name, param.default)).collect();
    let cells = [
        format!("`{}`", algorithm.name),
        algorithm.title.to_owned(),
        algorithm.summary.to_owned(),
        format!("{promise}{everywhere}"),
        settings.join(" "),
        algorithm.paper.to_owned(),
    ];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_has_a_row() {
        let table = table();
        assert_eq!(table.lines().count(), 2 + ALGORITHMS.len() + on_meshes_alone().count());
        let on_meshes = MESH_ALGORITHMS.iter().map(|algorithm| algorithm.name);
        for name in ALGORITHMS.iter().map(|algorithm| algorithm.name).chain(on_meshes) {
            assert!(table.contains(&format!("| `{name}` |")));
        }
    }

    #[test]
    fn only_what_stands_between_the_markers_changes() {
        let text = format!("before\n{OPEN}\nold\n{CLOSE}\nafter\n");
        let fresh = with_table(&text, "new\n").unwrap();
        assert_eq!(fresh, format!("before\n{OPEN}\nnew\n{CLOSE}\nafter\n"));
        assert_eq!(with_table(&fresh, "new\n").unwrap(), fresh);
    }

    #[test]
    fn a_stale_table_and_a_missing_marker_are_noticed() {
        let stale = format!("{OPEN}\n| `nonesuch` |\n{CLOSE}\n");
        assert!(!is_current(&stale).unwrap());
        assert!(is_current(&with_table(&stale, &table()).unwrap()).unwrap());
        assert!(is_current("no markers").is_err());
        assert!(is_current(OPEN).is_err());
    }
}
