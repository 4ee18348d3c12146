//! Which requests and sockets are refused, and what is served to the others.

use crate::client::with_server;
use portolan_studio::{Config, Studio, StudioError};

#[test]
fn the_page_is_served_with_its_headers() {
    with_server(async |server| {
        let host = format!("host: localhost:{}\r\n", server.address.port());
        let page = server.get("/", &host).await;
        assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Portolan"), "{page}");
        for header in [
            "content-type: text/html; charset=utf-8",
            "content-security-policy: default-src 'none'; script-src 'self';",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-cache",
        ] {
            assert!(page.contains(header), "{header} in {page}");
        }
        let tag = page.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
        let again = server.get("/index.html", &format!("{host}if-none-match: {tag}\r\n")).await;
        assert!(again.starts_with("HTTP/1.1 304") && again.contains("content-security-policy"), "{again}");
        for path in ["/nothing.js", "/..%2fCargo.toml", "/protocol.d.ts", "/a/b", "/%00"] {
            let missing = server.get(path, &host).await;
            assert!(
                missing.starts_with("HTTP/1.1 404") && missing.contains("content-security-policy"),
                "{path}: {missing}"
            );
        }
    });
}

#[test]
fn strangers_are_refused() {
    with_server(async |server| {
        let port = server.address.port();
        let own = format!("localhost:{port}");
        for headers in [
            "host: evil.example\r\n".to_owned(),
            format!("host: evil.example:{port}\r\n"),
            format!("host: {own}\r\norigin: http://evil.example\r\n"),
            format!("host: {own}\r\norigin: null\r\n"),
        ] {
            let answer = server.get("/", &headers).await;
            assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("This server answers only"), "{answer}");
        }
        let origin = format!("http://{own}");
        assert!(server.knock(&own, Some(&origin)).await.is_ok());
        for (host, origin) in [
            (own.as_str(), None),
            (own.as_str(), Some("http://evil.example")),
            (own.as_str(), Some("http://localhost:1")),
            ("evil.example", Some("http://evil.example")),
        ] {
            let refused = server.knock(host, origin).await.err().unwrap().to_string();
            assert!(refused.contains("403"), "{host} {origin:?}: {refused}");
        }
        server.empties().await;
    });
}

#[test]
fn a_port_in_use_is_told_with_a_hint() {
    let first = Studio::bind(Config { address: ([127, 0, 0, 1], 0).into(), ..Config::default() }).unwrap();
    let second = Studio::bind(Config { address: first.address(), ..Config::default() });
    match second.err() {
        Some(error @ StudioError::InUse(_)) => assert!(error.to_string().contains("--port 0"), "{error}"),
        other => panic!("{other:?}"),
    }
}
