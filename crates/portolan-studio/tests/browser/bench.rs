//! What a test in a browser needs: a studio, a driver and the open pages, all of which end with the test.

use crate::page::{PATIENCE, PAUSE, Page};
use fantoccini::ClientBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use portolan_studio::{Config, Studio};
use serde_json::{Map, Value, json};
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

/// Most tests at a time: a browser keeps a core busy.
const MOST: u32 = 2;
static TURNS: Semaphore = Semaphore::const_new(MOST as usize);
static FOLDERS: AtomicUsize = AtomicUsize::new(0);

/// Prints a line whether or not the test passes; the output of `println!` is shown only when it fails.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(io::stdout(), "    browser: {line}");
}

/// Runs a test on a bench of its own if there is a browser, then checks that its pages have logged no errors.
pub(crate) fn browse(work: impl AsyncFnOnce(&Bench)) {
    browse_beside(MOST - 1, work);
}

/// Runs a test as [`browse`] does, but while no other test runs, so that measured times can be relied on.
pub(crate) fn browse_alone(work: impl AsyncFnOnce(&Bench)) {
    browse_beside(0, work);
}

fn browse_beside(others: u32, work: impl AsyncFnOnce(&Bench)) {
    let missing: Vec<&str> = [("chromium", "chromium"), ("chromedriver", "chromium-driver")]
        .into_iter()
        .filter(|(program, _)| find(program).is_none())
        .map(|(_, package)| package)
        .collect();
    if !missing.is_empty() {
        return say(format_args!("skipped: install {} (Debian's names)", missing.join(" and ")));
    }
    let runtime = Runtime::new().unwrap();
    let _turn = runtime.block_on(TURNS.acquire_many(MOST - others)).unwrap();
    let bench = runtime.block_on(async { Bench::new() });
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async {
            work(&bench).await;
            for page in bench.pages() {
                page.check().await;
            }
        });
    }));
    // A driver that is killed leaves its browsers running, so the browsers are closed first, also after a panic.
    runtime.block_on(async {
        for page in bench.pages() {
            let _ = page.client.close().await;
        }
    });
    drop(bench);
    runtime.shutdown_background();
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

/// Returns the file of a program, if it is installed.
fn find(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Returns the folder of benchmark maps, or prints that there is none.
pub(crate) fn maps() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("PORTOLAN_MAPS").map_or_else(usual, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    say("skipped: no map folder at ../shared/maps and PORTOLAN_MAPS is not set");
    None
}

/// A studio, a driver, a folder for files, and the pages that are open.
pub(crate) struct Bench {
    server: Mutex<Option<Server>>,
    address: SocketAddr,
    driver: Driver,
    folder: PathBuf,
    pages: Mutex<Vec<Page>>,
}

impl Bench {
    fn new() -> Bench {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("portolan-studio-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (server, address) = Server::start((Ipv4Addr::LOCALHOST, 0).into());
        let driver = Driver::start();
        Bench { server: Mutex::new(Some(server)), address, driver, folder, pages: Mutex::default() }
    }

    fn pages(&self) -> Vec<Page> {
        self.pages.lock().unwrap().clone()
    }

    /// Opens the page in a browser of its own, with nothing remembered from before, and waits until it has a world.
    pub(crate) async fn open(&self, hash: &str) -> Page {
        let page = self.launch().await;
        page.goto(hash).await;
        page
    }

    /// Starts a browser that shows nothing yet.
    pub(crate) async fn launch(&self) -> Page {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let profile = format!("--user-data-dir={}", self.folder.join(format!("profile-{number}")).display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,800",
            &profile,
        ];
        let downloads = json!({ "download.default_directory": self.folder });
        let mut wishes = Map::<String, Value>::new();
        wishes.insert("goog:chromeOptions".into(), json!({ "args": arguments, "prefs": downloads }));
        wishes.insert("goog:loggingPrefs".into(), json!({ "browser": "ALL" }));
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(wishes)
            .connect(&self.driver.address)
            .await
            .expect("a browser starts");
        let page = Page::new(client, self.address);
        self.pages.lock().unwrap().push(page.clone());
        page
    }

    /// Writes a file for a page to open.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Waits for a file that a page downloads, by the ending of its name.
    pub(crate) async fn downloaded(&self, ending: &str) -> PathBuf {
        let begun = Instant::now();
        loop {
            let files = std::fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path());
            let is_wanted = |path: &PathBuf| path.to_string_lossy().ends_with(ending);
            if let Some(file) =
                files.into_iter().find(|path| is_wanted(path) && path.metadata().is_ok_and(|data| data.len() > 0))
            {
                return file;
            }
            assert!(begun.elapsed() < PATIENCE, "no file that ends in {ending:?} ever came");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Stops the studio, as when its terminal is closed.
    pub(crate) async fn stop_studio(&self) {
        let server = self.server.lock().unwrap().take().expect("it runs");
        server.stop().await;
    }

    /// Starts the studio again on its old address.
    pub(crate) fn start_studio(&self) {
        let (server, _) = Server::start(self.address);
        *self.server.lock().unwrap() = Some(server);
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A studio that runs.
struct Server {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Server {
    fn start(address: SocketAddr) -> (Server, SocketAddr) {
        let studio = Studio::bind(Config { address, ..Config::default() }).expect("the port is free");
        let address = studio.address();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            let until = async move { drop(stopped.await) };
            studio.run(until).await.expect("the studio runs");
        });
        (Server { stop, task }, address)
    }

    async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.expect("the studio ends well");
    }
}

/// A program that drives browsers; it is killed when this is dropped.
struct Driver {
    process: Child,
    address: String,
}

impl Driver {
    /// Starts a driver. This is tried up to three times, because another program may take the port that the driver
    /// chose.
    fn start() -> Driver {
        (0..3).find_map(|_| Driver::try_start()).expect("chromedriver tells its port")
    }

    fn try_start() -> Option<Driver> {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("chromedriver starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        // The driver chooses a port and prints it. Two tests that look for a free port themselves could find one and
        // the same.
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse::<u16>().ok());
        let Some(port) = port else {
            let _ = process.kill();
            let _ = process.wait();
            return None;
        };
        // The output is read to its end, so that the driver never waits for room in the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Driver { process, address: format!("http://127.0.0.1:{port}") })
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
