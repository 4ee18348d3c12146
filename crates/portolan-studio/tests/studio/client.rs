//! A page for tests, which sends commands over a socket and reads the answers. Not here: any test.

use futures_util::{SinkExt, StreamExt};
use portolan_studio::frame::{Frame, Numbers, Parts, decode, decode_text, encode};
use portolan_studio::{Config, Sessions, Studio};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

/// A server, for as long as a test runs.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) sessions: Sessions,
}

/// Runs a test against a server of its own.
pub(crate) fn with_server<T>(test: impl AsyncFnOnce(&Server) -> T) -> T {
    with_config(config(), test)
}

/// Returns the configuration of a server on a free port.
pub(crate) fn config() -> Config {
    Config { address: ([127, 0, 0, 1], 0).into(), ..Config::default() }
}

pub(crate) fn with_config<T>(config: Config, test: impl AsyncFnOnce(&Server) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let studio = Studio::bind(config).unwrap();
        let server = Server { address: studio.address(), sessions: studio.sessions() };
        let (close, closed) = tokio::sync::oneshot::channel::<()>();
        let running = tokio::spawn(studio.run(async {
            let _ = closed.await;
        }));
        let result = test(&server).await;
        close.send(()).unwrap();
        running.await.unwrap().unwrap();
        result
    })
}

/// Runs an ignored test in a process of its own, so that nothing else takes memory there.
///
/// With one arena for each thread, glibc spreads the memory of one page over all arenas and keeps the gaps, which hides
/// what such a test looks for. The process has a single arena.
pub(crate) fn passes_alone(test: &str) {
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

impl Server {
    /// Opens a page and reads its catalogue.
    pub(crate) async fn page(&self) -> Page {
        let (page, _) = self.greeted().await;
        page
    }

    /// Opens a page and returns it with its catalogue.
    pub(crate) async fn greeted(&self) -> (Page, Value) {
        let host = self.address.to_string();
        let socket = self.knock(&host, Some(&format!("http://{host}"))).await.unwrap();
        let mut page = Page { socket, id: 0 };
        let catalogue = page.hear().await;
        assert_eq!((&catalogue["re"], &catalogue["id"]), (&json!("catalogue"), &json!(0)));
        (page, catalogue.head)
    }

    /// Asks for a socket with these headers.
    pub(crate) async fn knock(
        &self,
        host: &str,
        origin: Option<&str>,
    ) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, Error> {
        let mut request = format!("ws://{}/socket", self.address).into_client_request()?;
        request.headers_mut().insert("host", host.parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        connect_async_with_config(request, Some(config), true).await.map(|(socket, _)| socket)
    }

    /// Sends a plain request and returns the response, with its headers.
    pub(crate) async fn get(&self, path: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\n{headers}connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Waits until all sessions have ended.
    pub(crate) async fn empties(&self) {
        let start = Instant::now();
        while self.sessions.count() > 0 {
            assert!(start.elapsed() < Duration::from_mins(1), "{} sessions are left", self.sessions.count());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// The page's end of a socket.
pub(crate) struct Page {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    id: u64,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) head: Value,
    pub(crate) parts: Parts,
}

impl std::ops::Index<&str> for Reply {
    type Output = Value;

    fn index(&self, key: &str) -> &Value {
        &self.head[key]
    }
}

impl Reply {
    pub(crate) fn bytes(&self, name: &str) -> &[u8] {
        match self.parts.get(name) {
            Some(Numbers::U8(bytes)) => bytes,
            other => panic!("{name}: {other:?} in {}", self.head),
        }
    }

    pub(crate) fn u16s(&self, name: &str) -> &[u16] {
        match self.parts.get(name) {
            Some(Numbers::U16(numbers)) => numbers,
            other => panic!("{name}: {other:?} in {}", self.head),
        }
    }

    pub(crate) fn u32s(&self, name: &str) -> &[u32] {
        match self.parts.get(name) {
            Some(Numbers::U32(numbers)) => numbers,
            other => panic!("{name}: {other:?} in {}", self.head),
        }
    }

    /// Returns where a world that was opened has its start and its goal.
    pub(crate) fn ends(&self) -> [[u16; 2]; 2] {
        ["from", "to"].map(|key| [0, 1].map(|index| self[key][index].as_u64().unwrap() as u16))
    }

    pub(crate) fn number(&self, key: &str) -> f64 {
        self.head[key].as_f64().unwrap_or_else(|| panic!("{key} is no number in {}", self.head))
    }

    /// Returns the message of an error, and panics if the answer is not an error.
    pub(crate) fn fault(&self) -> &str {
        assert_eq!(self["re"], "error", "{}", self.head);
        self["message"].as_str().unwrap()
    }
}

impl Page {
    /// Sends a command and returns its number.
    pub(crate) async fn send(&mut self, head: Value, parts: &Parts) -> u64 {
        self.id += 1;
        let message = match encode(self.id, &head, parts).unwrap() {
            Frame::Text(text) => Message::Text(text.into()),
            Frame::Binary(bytes) => Message::Binary(bytes.into()),
        };
        self.socket.send(message).await.unwrap();
        self.id
    }

    /// Returns the next answer.
    pub(crate) async fn hear(&mut self) -> Reply {
        self.heard().await.expect("the socket is open")
    }

    /// Returns the next message of any kind.
    pub(crate) async fn message(&mut self) -> Message {
        self.socket.next().await.expect("the socket is open").expect("and well")
    }

    /// Returns the next answer, or `None` if the socket is closed.
    pub(crate) async fn heard(&mut self) -> Option<Reply> {
        loop {
            let (head, parts) = match self.socket.next().await?.ok()? {
                Message::Text(text) => decode_text(&text).unwrap(),
                Message::Binary(bytes) => decode(&bytes).unwrap(),
                Message::Close(_) => return None,
                _ => continue,
            };
            return Some(Reply { head, parts });
        }
    }

    /// Sends a command and returns its answer.
    pub(crate) async fn ask(&mut self, head: Value) -> Reply {
        self.ask_with(head, &Parts::default()).await
    }

    pub(crate) async fn ask_with(&mut self, head: Value, parts: &Parts) -> Reply {
        let id = self.send(head, parts).await;
        loop {
            let reply = self.hear().await;
            if reply["re"] != "progress" {
                assert_eq!(reply["id"], id, "{}", reply.head);
                return reply;
            }
        }
    }

    pub(crate) async fn open(&mut self, world: Value) -> Reply {
        let reply = self.ask(json!({ "do": "open", "world": world, "corners": "strict", "directions": 8 })).await;
        assert_eq!(reply["re"], "world", "{}", reply.head);
        reply
    }

    /// Ticks until the walk is over, and returns the last answer.
    pub(crate) async fn walk_to_the_end(&mut self) -> Reply {
        for _ in 0..5_000 {
            let reply = self.ask(json!({ "do": "tick", "count": 7 })).await;
            assert_eq!(reply["re"], "ticked", "{}", reply.head);
            if reply["done"] == true {
                return reply;
            }
        }
        panic!("it does not end");
    }

    pub(crate) async fn builtin(&mut self, name: &str) -> Reply {
        self.open(json!({ "kind": "builtin", "name": name })).await
    }

    pub(crate) async fn edit(&mut self, stroke: u64, edits: &[[u16; 5]]) -> Reply {
        let mut parts = Parts::default();
        parts.push("edits", edits.concat());
        self.ask_with(json!({ "do": "edit", "stroke": stroke }), &parts).await
    }

    pub(crate) async fn find(&mut self, algorithm: &str, from: [u16; 2], to: [u16; 2], trace: bool) -> Reply {
        self.ask(find(algorithm, from, to, trace)).await
    }
}

pub(crate) fn find(algorithm: &str, from: [u16; 2], to: [u16; 2], trace: bool) -> Value {
    json!({ "do": "find", "algorithm": algorithm, "settings": {}, "from": from, "to": to, "nearest": false, "trace": trace })
}

pub(crate) fn made(recipe: &str, width: usize, height: usize, seed: u64) -> Value {
    json!({ "kind": "made", "recipe": recipe, "width": width, "height": height, "seed": seed, "settings": {} })
}

/// Returns a `restore` of a world of this size; its weights are sent along as an array.
pub(crate) fn restore(width: usize, height: usize) -> Value {
    json!({ "do": "restore", "name": "mine", "width": width, "height": height, "corners": "strict", "directions": 8 })
}
