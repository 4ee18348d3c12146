//! The files of the page: built into the program, or read from a folder while the page is being worked on.
//!
//! Not here: what the page does; that is in `page/`.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;
use std::path::Path;
use twox_hash::XxHash3_64;

/// The file that is served under `/`.
const INDEX: &str = "index.html";
/// The file that is served under `/perception`.
pub(crate) const PERCEPTION: &str = "perception.html";

/// A file of the page.
struct File {
    name: &'static str,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(File { name: $name, bytes: include_bytes!(concat!("../page/", $name)) }),*]
    };
}

/// Every file of the page.
const FILES: &[File] = files![
    "between.js",
    "camera.js",
    "chart.js",
    "controls.js",
    "crowd.js",
    "dom.js",
    "export.js",
    "frame.js",
    "game.js",
    "grid.js",
    "ground.js",
    "hexes.js",
    "icon.svg",
    "icons.js",
    "index.html",
    "keys.js",
    "link.js",
    "look.js",
    "main.js",
    "mesh-picture.js",
    "meshes.js",
    "mind.js",
    "mind-tape.js",
    "minimap.js",
    "overlay-between.js",
    "overlay-game.js",
    "overlay-look.js",
    "overlay-mesh.js",
    "overlay-mind.js",
    "overlay.js",
    "palette.js",
    "panel-chart.js",
    "panel-crowd.js",
    "panel-game.js",
    "panel-ground.js",
    "panel-lab.js",
    "panel-mind.js",
    "panel-race.js",
    "panel-search.js",
    "panel-walk.js",
    "panel-world.js",
    "perception.css",
    "perception.html",
    "perception.js",
    "perception-picture.js",
    "perception-results.js",
    "player.js",
    "plot.js",
    "questions.js",
    "share.js",
    "squares.js",
    "strokes.js",
    "studio.js",
    "style.css",
    "theme.js",
    "tools-between.js",
    "tools.js",
    "trace.js",
    "view.js",
    "walk.js",
];

/// Returns the MIME type of a file by the ending of its name, or `None` for a kind of file that is not served.
fn mime(name: &str) -> Option<&'static str> {
    Some(match Path::new(name).extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}

/// Answers a request for the file `name` of the page, or for the page itself if `name` is `None`.
pub(crate) fn serve(folder: Option<&Path>, name: Option<&str>, headers: &HeaderMap) -> Response {
    let name = name.unwrap_or(INDEX);
    let Some((mime, bytes)) = mime(name).and_then(|mime| Some((mime, find(folder, name)?))) else {
        return (StatusCode::NOT_FOUND, "There is no such page.\n").into_response();
    };
    let tag = format!("\"{:016x}\"", XxHash3_64::oneshot(&bytes));
    // The file may be different after the next start of the server, so browsers must ask every time whether their copy
    // is current.
    let kept = [(CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag.clone())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    (kept, [(CONTENT_TYPE, mime)], bytes.into_owned()).into_response()
}

fn find(folder: Option<&Path>, name: &str) -> Option<Cow<'static, [u8]>> {
    let Some(folder) = folder else {
        return FILES.iter().find(|file| file.name == name).map(|file| Cow::Borrowed(file.bytes));
    };
    // Only plain file names are allowed, so that no name leads out of the folder.
    let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
    (plain && !name.starts_with('.')).then(|| std::fs::read(folder.join(name)).ok().map(Cow::Owned))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if [".d.ts", ".json"].iter().any(|ending| name.ends_with(ending)) {
                continue;
            }
            let listed = FILES.iter().any(|file| file.name == name);
            assert!(listed, "page/{name} is not served: add {name:?} to FILES in src/page.rs, or take it out of page/");
            assert!(
                mime(&name).is_some(),
                "page/{name} is of no kind that is served: add its ending to mime() in src/page.rs"
            );
        }
    }

    #[test]
    fn names_do_not_lead_out_of_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        assert!(find(Some(&folder), INDEX).is_some());
        for name in ["../Cargo.toml", "..", ".", "", "/etc/passwd", "..\\Cargo.toml", ".hidden.js"] {
            assert!(find(Some(&folder), name).is_none(), "{name}");
        }
    }
}
