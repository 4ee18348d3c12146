//! Connections that are not yet the socket of a page. Each has a limited time to send its request, and if there are too
//! many, the oldest is closed, so that connections that send nothing never keep out one that does.
//!
//! Not here: what is served (`studio.rs`), and open sockets, which are no longer counted here.

use crate::limits;
use axum::Router;
use futures_util::future::{self, Either};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::pin::pin;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// How long to wait after a connection could not be accepted, so that another can end meanwhile.
const PAUSE: Duration = Duration::from_millis(50);

/// The tasks of connections that are not sockets yet, the oldest first.
#[derive(Default)]
struct Connections(VecDeque<JoinHandle<()>>);

impl Connections {
    /// Adds a connection, and ends the oldest if there are too many.
    fn add(&mut self, task: JoinHandle<()>) {
        self.0.retain(|task| !task.is_finished());
        while self.0.len() >= limits::CONNECTIONS {
            self.end_oldest();
        }
        self.0.push_back(task);
    }

    fn end_oldest(&mut self) {
        if let Some(oldest) = self.0.pop_front() {
            oldest.abort();
        }
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        for task in &self.0 {
            task.abort();
        }
    }
}

/// Serves all connections for as long as the future is polled. A connection has the time `patience` for the head of
/// each request.
pub(crate) async fn serve(listener: TcpListener, router: Router, patience: Duration) -> Infallible {
    let mut connections = Connections::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => connections.add(tokio::spawn(converse(stream, router.clone(), patience))),
            // The connection was closed before it was accepted.
            Err(error) if is_about_one(&error) => {}
            // No file descriptors or no memory are left, so that it may help to close a connection.
            Err(_) => {
                connections.end_oldest();
                sleep(PAUSE).await;
            }
        }
    }
}

/// Returns whether the error concerns only the connection that was to be accepted.
fn is_about_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers the requests of one connection until it ends, takes too long or becomes a socket.
async fn converse(stream: TcpStream, router: Router, patience: Duration) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(limits::HEAD);
    let serving = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).with_upgrades();
    let mut serving = pin!(serving);
    // An error of one connection does not concern the others, and is dropped.
    if let Either::Right(((), _)) = future::select(serving.as_mut(), pin!(sleep(limits::CONNECTION))).await {
        serving.as_mut().graceful_shutdown();
        let _ = timeout(patience, serving).await;
    }
}
