//! Pages and connections that take as much as they can: none of them keeps others from being served.

use crate::client::{Page, Server, config, find, made, with_config, with_server};
use futures_util::{FutureExt, SinkExt};
use portolan_studio::frame::Parts;
use portolan_studio::{Config, limits};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

/// Longer than any step of these tests takes on the slowest machine.
const LONG: Duration = Duration::from_mins(1);

#[test]
fn a_page_that_pings_and_does_not_listen_is_read_no_further() {
    // Far more bytes than operating systems buffer for a connection, in both directions together.
    const MOST: usize = 64 << 20;
    with_server(async |server| {
        let mut deaf = server.page().await;
        let (ping, mut sent) = (vec![7_u8; 125], 0);
        let held_up = loop {
            if sent > MOST {
                break false;
            }
            for _ in 0..1000 {
                deaf.socket.feed(Message::Ping(ping.clone().into())).await.unwrap();
                sent += ping.len();
            }
            if timeout(Duration::from_secs(1), deaf.socket.flush()).await.is_err() {
                break true;
            }
        };
        assert!(held_up, "{sent} bytes of pings were taken in, and as many of pongs wait to be sent");
        well_served(&mut server.page().await).await;
        // Once the page reads its answers, it is served again.
        while timeout(Duration::from_millis(10), deaf.socket.flush()).await.is_err() {
            while deaf.message().now_or_never().is_some() {}
        }
        well_served(&mut deaf).await;
    });
}

/// Opens a world, asks for a route, and checks that it is found.
async fn well_served(page: &mut Page) {
    page.builtin("harbour").await;
    assert_eq!(page.find("hpa-star", [36, 4], [52, 33], true).await["outcome"], "reached");
}

#[test]
fn pings_are_answered() {
    with_server(async |server| {
        let mut page = server.page().await;
        for word in ["one", "two", "three"] {
            page.socket.send(Message::Ping(word.into())).await.unwrap();
            assert_eq!(page.message().await, Message::Pong(word.into()));
        }
        well_served(&mut page).await;
    });
}

#[test]
fn nobody_waits_for_long_work_of_others() {
    with_server(async |server| {
        // As many pages as commands that run at a time: two build planners, which takes seconds, and all others search
        // until they are cancelled.
        let cores = std::thread::available_parallelism().map_or(1, usize::from).max(2);
        let mut busy = Vec::new();
        for index in 0..cores {
            let (recipe, side) = if index < 2 { ("noise", 1500) } else { ("maze", 300) };
            let mut page = server.page().await;
            let opened = page.open(made(recipe, side, side, 1)).await;
            let [from, to] = opened.ends();
            let mut long = find(if index < 2 { "rhumb" } else { "ida-star" }, from, to, false);
            if index >= 2 {
                long["settings"] = json!({ "budget": "1000000000000" });
            }
            busy.push((page, long));
        }
        for (page, long) in &mut busy {
            page.send(long.clone(), &Parts::default()).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let mut page = server.page().await;
        well_served(&mut page).await;
        assert_eq!(page.edit(1, &[[1, 1, 1, 1, 0]]).await["re"], "edited");
        for (page, _) in &mut busy {
            assert!(page.hear().now_or_never().is_none(), "the long work ended before");
            page.send(json!({ "do": "cancel" }), &Parts::default()).await;
        }
    });
}

/// Opens a connection and sends this text.
async fn knocking(server: &Server, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Waits until the server closes a connection, and returns what it sent before.
async fn closed(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    // An error is fine too: the server may reset the connection.
    let _ = timeout(LONG, stream.read_to_end(&mut said)).await.expect("the server closes it");
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn of_too_many_connections_the_oldest_is_closed() {
    const MORE: usize = 40;
    with_config(Config { patience: 10 * LONG, ..config() }, async |server| {
        let mut early = server.page().await;
        let mut half_sent = Vec::new();
        for _ in 0..limits::CONNECTIONS + MORE {
            half_sent.push(knocking(server, "GET / HTT").await);
        }
        let host = format!("host: {}\r\n", server.address);
        assert!(server.get("/", &host).await.starts_with("HTTP/1.1 200"));
        well_served(&mut server.page().await).await;
        for stream in &mut half_sent[..MORE] {
            assert_eq!(closed(stream).await, "");
        }
        // The newer connections stay open, and so do the sockets of pages, which are not counted with them.
        let last = half_sent.last_mut().unwrap();
        last.write_all(format!("P/1.1\r\n{host}connection: close\r\n\r\n").as_bytes()).await.unwrap();
        assert!(closed(last).await.starts_with("HTTP/1.1 200"));
        well_served(&mut early).await;
    });
}

#[test]
fn a_connection_that_asks_for_nothing_is_closed() {
    let patience = Duration::from_secs(1);
    with_config(Config { patience, ..config() }, async |server| {
        let mut page = server.page().await;
        let request = format!("GET /theme.js HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        let half = &request[..request.len() - 2];
        let mut connections = Vec::new();
        for (sent, is_answered) in [("", false), ("GET / HTT", false), (half, false), (&request[..], true)] {
            connections.push((knocking(server, sent).await, sent, is_answered));
        }
        for (mut stream, sent, is_answered) in connections {
            let said = closed(&mut stream).await;
            assert_eq!(said.starts_with("HTTP/1.1 200"), is_answered, "{sent:?} was answered {said:?}");
        }
        // The sockets of pages stay open.
        well_served(&mut page).await;
    });
}
