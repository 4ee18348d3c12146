//! The server: where it listens, what it serves under which name, and how many pages it has. Not here: what a page says
//! (`socket.rs`), who may ask (`guard.rs`) and for how long (`connections.rs`).

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
    /// Port 0 is any that is free.
    pub address: SocketAddr,
    /// A folder of map files.
    pub maps: Option<PathBuf>,
    /// A folder to read the page from, for those who work on it; it is built in otherwise.
    pub page: Option<PathBuf>,
    /// How long a connection may take to send a request, and stay when it sends none.
    pub patience: Duration,
    /// Bytes that all pages together may take.
    pub memory: usize,
}

impl Config {
    /// The port unless another is asked for.
    pub const PORT: u16 = 7171;
}

impl Default for Config {
    fn default() -> Config {
        let address = (Ipv4Addr::LOCALHOST, Config::PORT).into();
        Config { address, maps: None, page: None, patience: limits::REQUEST, memory: limits::MEMORY }
    }
}

/// Why there is no studio.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// A folder to serve from is not there, or cannot be read.
    #[error("cannot read the folder {}: {source}", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Somebody else listens there.
    #[error("{0} is in use: another studio may be running; --port 0 takes any free port")]
    InUse(SocketAddr),
    /// It cannot listen there.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The catalogue cannot be written.
    #[error(transparent)]
    Catalogue(#[from] FrameError),
    /// The server broke down.
    #[error("the server broke down: {0}")]
    Run(#[from] io::Error),
}

/// A server that listens, and serves once it is run.
pub struct Studio {
    listener: TcpListener,
    address: SocketAddr,
    house: Arc<House>,
    patience: Duration,
    close: watch::Sender<bool>,
}

/// What all pages share.
pub(crate) struct House {
    address: SocketAddr,
    page: Option<PathBuf>,
    pub(crate) atlas: Arc<Atlas>,
    /// What every page is told first.
    pub(crate) catalogue: Frame,
    /// Commands at a time, until they have taken [`limits::SHORT`]: as many as there are cores.
    pub(crate) cores: Arc<Semaphore>,
    /// Races and studies at a time.
    pub(crate) labs: Arc<Semaphore>,
    /// Planners at a time that are built on although nobody waits for them.
    pub(crate) strays: Arc<Semaphore>,
    /// The memory of all pages.
    pub(crate) budget: Arc<Budget>,
    sessions: Sessions,
    pub(crate) closing: watch::Receiver<bool>,
}

/// How many pages are being served.
#[derive(Clone, Default, Debug)]
pub struct Sessions(Arc<AtomicUsize>);

impl Sessions {
    /// Pages whose session is not over.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// One more, for as long as what is returned lives; nothing where there are too many.
    fn enter(&self) -> Option<Visit> {
        let more = |count| (count < limits::SOCKETS).then_some(count + 1);
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok().map(|_| Visit(self.clone()))
    }
}

/// A page that is being served.
struct Visit(Sessions);

impl Drop for Visit {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Studio {
    /// Listens, and looks around for what there is to show.
    ///
    /// # Errors
    /// When a folder cannot be read, which is found out first, or it cannot listen there.
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

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A look at how many pages it has, now and later.
    pub fn sessions(&self) -> Sessions {
        self.house.sessions.clone()
    }

    /// Serves until `shutdown` comes about. Must run in a Tokio runtime with network and time.
    ///
    /// # Errors
    /// When the server breaks down.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<(), StudioError> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let serving = connections::serve(listener, router(self.house), self.patience);
        match future::select(pin!(serving), pin!(shutdown)).await {
            Either::Left((never, _)) => match never {},
            Either::Right(((), _)) => {}
        }
        // Sockets have tasks of their own; nobody left to tell is fine.
        let _ = self.close.send(true);
        Ok(())
    }

    /// Serves until the program is interrupted from the keyboard.
    ///
    /// # Errors
    /// When the server breaks down.
    pub fn run_until_interrupted(self) -> Result<(), StudioError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let ended = runtime.block_on(self.run(async {
            // Without a way to be interrupted it runs until it is killed.
            if tokio::signal::ctrl_c().await.is_err() {
                future::pending::<()>().await;
            }
        }));
        // Nobody waits for the searches of pages that are gone.
        runtime.shutdown_background();
        ended
    }
}

fn router(house: Arc<House>) -> Router {
    Router::new()
        .route("/", get(index))
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
