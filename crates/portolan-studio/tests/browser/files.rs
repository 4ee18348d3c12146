//! Files that a person brings: broken ones are refused with a word, and nothing is lost by it.

use crate::bench::browse;
use portolan_studio::limits;

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
            ("what.ever", b"....\n....\n", "what.ever"),
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
        page.panel("search").await;
        page.search().await;
        assert_eq!(page.data("#results", "outcome").await, "reached", "the line is still good");

        page.panel("world").await;
        page.give("#file", &bench.file("good.txt", "o....\n.AAA.\n....p\n")).await;
        page.until("studio.world.name === 'good.txt' && studio.world.width === 5 && studio.world.height === 3").await;
        page.give("#file", &bench.file("good.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n")).await;
        page.until("studio.world.name === 'good.map' && studio.world.free === 5").await;
        page.panel("search").await;
        page.search().await;
        assert_eq!(page.data("#results", "outcome").await, "reached");
    });
}
