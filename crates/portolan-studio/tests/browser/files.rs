//! Files that a person opens: broken ones are refused with a message, and nothing is lost.

use crate::bench::browse;
use portolan::Rules;
use portolan_formats::{ascii, map, png_image};
use portolan_lab::worlds::builtin;
use portolan_studio::limits;
use serde_json::Value;
use std::fs::read;

#[test]
fn broken_files_are_refused_and_good_ones_open() {
    browse(async |bench| {
        let page = bench.open("#builtin=keep").await;
        page.panel("world").await;
        let large = vec![b'.'; limits::UPLOAD + 1];
        let broken: [(&str, &[u8], &str); 6] = [
            ("short.map", b"type octile\nheight 4\nwidth 4\nmap\n....\n", "short.map"),
            ("no.map", b"\xff\xfe\x00garbage", "no.map"),
            ("broken.png", b"\x89PNG\r\n\x1a\nand then nothing", "broken.png"),
            ("empty.txt", b"", "empty.txt"),
            ("wrong.case", b"portolan case 1\nabout nothing\nworld nowhere\n", "wrong.case"),
            ("large.txt", &large, "at most"),
        ];
        for (name, bytes, words) in broken {
            page.js("void (document.getElementById('message').textContent = '')").await;
            page.give("#file", &bench.file(name, bytes)).await;
            page.until(&format!("document.getElementById('message').textContent.includes({words:?})")).await;
            page.until("!document.getElementById('message').hidden && document.body.dataset.line === 'open'").await;
            assert_eq!(page.find("#message").await.attr("class").await.unwrap().as_deref(), Some("bad"), "{name}");
            assert_eq!(page.js("studio.world.name").await, "keep", "{name} leaves the world as it was");
        }
        page.finds("the line is still good").await;

        page.panel("world").await;
        page.give("#file", &bench.file("good.txt", "o....\n.AAA.\n....p\n")).await;
        page.until("studio.world.name === 'good.txt' && studio.world.width === 5 && studio.world.height === 3").await;
        page.give("#file", &bench.file("good.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n")).await;
        page.until("studio.world.name === 'good.map' && studio.world.free === 5").await;
        page.finds("in the world of the latest file").await;
    });
}

#[test]
fn what_is_saved_is_what_is_shown() {
    browse(async |bench| {
        let page = bench.open("#builtin=keep").await;
        page.search().await;
        page.panel("world").await;
        let weights = builtin("keep").unwrap().grid(Rules::default()).to_weights();
        for kind in ["map", "png", "txt"] {
            page.click(&format!("#save-{kind}")).await;
            let bytes = read(bench.downloaded(&format!("keep.{kind}")).await).unwrap();
            let grid = match kind {
                "map" => map::read(&bytes, Rules::default()).unwrap(),
                "png" => png_image::read(&bytes, Rules::default()).unwrap(),
                _ => ascii::read(&bytes, Rules::default()).unwrap().grid,
            };
            assert!(grid.to_weights() == weights, "{kind}");
            std::fs::remove_file(bench.downloaded(&format!("keep.{kind}")).await).unwrap();
        }
        page.click("#svg").await;
        let svg = String::from_utf8(read(bench.downloaded(".svg").await).unwrap()).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("<polyline") && svg.trim_end().ends_with("</svg>"));
        page.click("#trace").await;
        let trace: Value = serde_json::from_slice(&read(bench.downloaded(".json").await).unwrap()).unwrap();
        let events: usize = page.read("player.trace.length").await;
        assert_eq!(trace["events"].as_array().unwrap().len(), events);
        page.click("#png").await;
        let png = read(bench.downloaded("keep.png").await).unwrap();
        assert!(png.starts_with(b"\x89PNG"));
    });
}
