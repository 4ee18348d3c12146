//! The server: the address that it listens on, what it serves under which name, and how many pages are open. Not here:
//! the messages of a page (`socket.rs`), which requests are answered (`guard.rs`) and how long a connection may last
//! (`connections.rs`).

use crate::answer::Answer;
use crate::atlas::Atlas;
use crate::budget::Budget;
use crate::catalogue::catalogue;
use crate::frame::{Frame, FrameError, Parts, encode};
use crate::{connections, guard, limits, page, socket};
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path as Named, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::future::{self, Either};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// Where to listen, and what to serve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The address to listen on. Port 0 means any free port.
    pub address: SocketAddr,
    /// A folder of map files.
    pub maps: Option<PathBuf>,
    /// A folder to read the page from while it is being worked on. If it is `None`, the page that is built into the
    /// program is served.
    pub page: Option<PathBuf>,
    /// The time that a connection has to send a request, and after which a connection that sends none is closed.
    pub patience: Duration,
    /// Most bytes that all pages together may take.
    pub memory: usize,
}

impl Config {
    /// The port that is used unless another is given.
    pub const PORT: u16 = 7171;
}

impl Default for Config {
    fn default() -> Config {
        let address = (Ipv4Addr::LOCALHOST, Config::PORT).into();
        Config { address, maps: None, page: None, patience: limits::REQUEST, memory: limits::MEMORY }
    }
}

/// Why the studio cannot start or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// A folder to serve from does not exist or cannot be read.
    #[error("cannot read the folder {}: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why the folder cannot be read.
        source: io::Error,
    },
    /// Another program listens on this address already.
    #[error("{0} is in use: another studio may be running; --port 0 takes any free port")]
    InUse(SocketAddr),
    /// The server cannot listen on this address, for another reason.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why the server cannot listen on it.
        source: io::Error,
    },
    /// The catalogue cannot be written as a message.
    #[error(transparent)]
    Catalogue(#[from] FrameError),
    /// The server could not be started or failed while it ran.
    #[error("the server broke down: {0}")]
    Run(#[from] io::Error),
}

/// A server that listens already and answers requests once it is run.
pub struct Studio {
    listener: TcpListener,
    address: SocketAddr,
    house: Arc<House>,
    patience: Duration,
    close: watch::Sender<bool>,
}

/// The state that all pages share.
pub(crate) struct House {
    address: SocketAddr,
    page: Option<PathBuf>,
    pub(crate) atlas: Arc<Atlas>,
    /// The first message to every page.
    pub(crate) catalogue: Frame,
    /// Permits for commands to run, one for each core. A command gives its permit back when it ends or has taken
    /// [`limits::SHORT`].
    pub(crate) cores: Arc<Semaphore>,
    /// Permits for races and studies to run.
    pub(crate) labs: Arc<Semaphore>,
    /// Permits for planners that are built to their end although their command was cancelled.
    pub(crate) strays: Arc<Semaphore>,
    /// The memory that all pages share.
    pub(crate) budget: Arc<Budget>,
    sessions: Sessions,
    pub(crate) closing: watch::Receiver<bool>,
}

/// Counts the pages that are being served.
#[derive(Clone, Default, Debug)]
pub struct Sessions(Arc<AtomicUsize>);

impl Sessions {
    /// Returns the number of pages whose session has not ended.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Counts one more page for as long as the returned value lives. Returns `None` if too many pages are open.
    fn enter(&self) -> Option<Visit> {
        let more = |count| (count < limits::SOCKETS).then_some(count + 1);
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok().map(|_| Visit(self.clone()))
    }
}

/// A page that is being served, which is counted until this is dropped.
struct Visit(Sessions);

impl Drop for Visit {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Studio {
    /// Starts to listen, and lists the worlds and algorithms that pages can choose from.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read, which is checked first, or if the server cannot listen on the
    /// address.
    pub fn bind(config: Config) -> Result<Studio, StudioError> {
        let Config { address, maps, page, patience, memory } = config;
        for folder in [&maps, &page].into_iter().flatten() {
            let fault = |source| StudioError::Folder { folder: folder.clone(), source };
            std::fs::read_dir(folder).map_err(fault)?;
        }
        let fault = |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => StudioError::InUse(address),
            _ => StudioError::Listen { address, source },
        };
        let listener = TcpListener::bind(address).map_err(fault)?;
        listener.set_nonblocking(true).map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        let atlas = Atlas::new(maps);
        let catalogue = encode(0, &Answer::Catalogue(Box::new(catalogue(&atlas, memory))), &Parts::default())?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (close, closing) = watch::channel(false);
        let house = House {
            address,
            page,
            atlas: Arc::new(atlas),
            catalogue,
            cores: Arc::new(Semaphore::new(cores)),
            labs: Arc::new(Semaphore::new(limits::LABS)),
            strays: Arc::new(Semaphore::new(limits::STRAYS)),
            budget: Budget::new(memory),
            sessions: Sessions::default(),
            closing,
        };
        Ok(Studio { listener, address, house: Arc::new(house), patience, close })
    }

    /// Returns the address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns a handle that always tells the present number of pages.
    pub fn sessions(&self) -> Sessions {
        self.house.sessions.clone()
    }

    /// Serves until `shutdown` completes. It must run in a Tokio runtime that has its network and time drivers enabled.
    ///
    /// # Errors
    /// Returns an error if the listener cannot be used in the runtime.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<(), StudioError> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let serving = connections::serve(listener, router(self.house), self.patience);
        match future::select(pin!(serving), pin!(shutdown)).await {
            Either::Left((never, _)) => match never {},
            Either::Right(((), _)) => {}
        }
        // Sockets have tasks of their own, which are told here to end. Sending fails only if there are none.
        let _ = self.close.send(true);
        Ok(())
    }

    /// Serves until the program is interrupted from the keyboard.
    ///
    /// # Errors
    /// Returns an error if the runtime cannot be made, or if the listener cannot be used in it.
    pub fn run_until_interrupted(self) -> Result<(), StudioError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let ended = runtime.block_on(self.run(async {
            // If the interrupt cannot be listened for, the server runs until it is killed.
            if tokio::signal::ctrl_c().await.is_err() {
                future::pending::<()>().await;
            }
        }));
        // Searches of pages that are gone may still run; the program does not wait for them.
        runtime.shutdown_background();
        ended
    }
}

fn router(house: Arc<House>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/perception", get(perception))
        .route("/socket", get(open_socket))
        .route("/{name}", get(file))
        .fallback(|| async { (StatusCode::NOT_FOUND, "There is no such page.\n") })
        .layer(from_fn_with_state(Arc::clone(&house), guarded))
        .with_state(house)
}

async fn guarded(State(house): State<Arc<House>>, request: Request, next: Next) -> Response {
    let is_socket = request.uri().path() == "/socket";
    guard::seal(match guard::check(house.address, request.headers(), is_socket) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    })
}

async fn index(State(house): State<Arc<House>>, headers: HeaderMap) -> Response {
    page::serve(house.page.as_deref(), None, &headers)
}

async fn perception(State(house): State<Arc<House>>, headers: HeaderMap) -> Response {
    page::serve(house.page.as_deref(), Some(page::PERCEPTION), &headers)
}

async fn file(State(house): State<Arc<House>>, Named(name): Named<String>, headers: HeaderMap) -> Response {
    page::serve(house.page.as_deref(), Some(&name), &headers)
}

async fn open_socket(State(house): State<Arc<House>>, upgrade: WebSocketUpgrade) -> Response {
    let Some(visit) = house.sessions.enter() else {
        let full = format!("{} pages are open already; close one.\n", limits::SOCKETS);
        return (StatusCode::SERVICE_UNAVAILABLE, full).into_response();
    };
    let upgrade = upgrade.max_message_size(limits::MESSAGE).max_frame_size(limits::MESSAGE);
    upgrade.on_upgrade(move |socket| async move {
        socket::serve(socket, house).await;
        drop(visit);
    })
}
