//! A page as a person uses it: what can be clicked, typed, dragged and read. What only a program can do goes through
//! `window.portolan`, which the page provides for measurements and tests.

use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, Locator};
use http::Method;
use portolan::Cell;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use url::Url;

/// The longest time that any step may take on a slow machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
pub(crate) const PAUSE: Duration = Duration::from_millis(25);

#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) client: Client,
    address: SocketAddr,
    /// Words of errors that the test causes on purpose.
    expected: Arc<Mutex<Vec<&'static str>>>,
}

impl Page {
    pub(crate) fn new(client: Client, address: SocketAddr) -> Page {
        Page { client, address, expected: Arc::default() }
    }

    /// Goes to the page and waits until it shows a world.
    pub(crate) async fn goto(&self, hash: &str) {
        self.client.goto(&format!("http://{}/{hash}", self.address)).await.unwrap();
        self.until("document.body.dataset.line === 'open' && !!window.portolan?.studio.world").await;
    }

    /// Goes to another page of the studio and waits until an expression holds there.
    pub(crate) async fn visit(&self, name: &str, ready: &str) {
        self.client.goto(&format!("http://{}/{name}", self.address)).await.unwrap();
        self.until(ready).await;
    }

    // ---- Reading ----

    /// Returns the value of an expression; a promise is waited for.
    pub(crate) async fn js(&self, expression: &str) -> Value {
        self.run(&format!(
            "const {{ studio, tools, walk, game, crowd, minds, player }} = window.portolan ?? {{}}; return ({expression});"
        ))
        .await
    }

    /// Runs a script and returns its result.
    pub(crate) async fn run(&self, script: &str) -> Value {
        let answer = self.client.execute(script, vec![]).await;
        answer.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Returns the value of an expression as a Rust type.
    pub(crate) async fn read<T: serde::de::DeserializeOwned>(&self, expression: &str) -> T {
        let value = self.js(expression).await;
        serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{expression} is {value}: {error}"))
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.unwrap()
    }

    /// Returns the value of an element's `data-` attribute.
    pub(crate) async fn data(&self, css: &str, name: &str) -> String {
        let attribute = format!("data-{name}");
        let value = self.find(css).await.attr(&attribute).await.unwrap();
        value.unwrap_or_else(|| panic!("{css} has no {attribute}"))
    }

    /// Waits until an expression holds.
    pub(crate) async fn until(&self, expression: &str) {
        let begun = Instant::now();
        loop {
            let value = self.js(expression).await;
            if value == Value::Bool(true) {
                return;
            }
            if begun.elapsed() > PATIENCE {
                let message = self.js("document.getElementById('message')?.textContent").await;
                panic!("still {value} after {PATIENCE:?}: {expression}; the page's latest message is {message}");
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    pub(crate) async fn find(&self, css: &str) -> Element {
        self.client.find(Locator::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    // ---- Doing ----

    pub(crate) async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap_or_else(|error| panic!("clicking {css}: {error}"));
    }

    /// Opens a panel.
    pub(crate) async fn panel(&self, name: &str) {
        self.click(&format!("#tab-{name}")).await;
    }

    /// Chooses a value from a list.
    pub(crate) async fn choose(&self, css: &str, value: &str) {
        let list = self.find(css).await;
        list.select_by_value(value).await.unwrap_or_else(|error| panic!("{value:?} in {css}: {error}"));
    }

    /// Sets the value of a field or a slider; a pointer could not set a slider exactly.
    pub(crate) async fn slide(&self, css: &str, value: impl Into<Value>) {
        let script = "const slider = document.querySelector(arguments[0]); slider.value = arguments[1]; \
                      for (const kind of ['input', 'change']) slider.dispatchEvent(new Event(kind, { bubbles: true }));";
        self.client.execute(script, vec![css.into(), value.into()]).await.unwrap();
    }

    /// Gives a file to an input for files.
    pub(crate) async fn give(&self, css: &str, file: &Path) {
        // The driver takes only absolute paths without `..`.
        let file = file.canonicalize().unwrap();
        self.find(css).await.send_keys(file.to_str().unwrap()).await.unwrap();
    }

    /// Presses and releases keys, wherever the focus is.
    pub(crate) async fn press(&self, keys: impl IntoIterator<Item = impl Into<char>>) {
        let mut actions = KeyActions::new("keyboard".to_owned());
        for key in keys {
            let value = key.into();
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Presses a key while another is held.
    pub(crate) async fn press_with(&self, held: Key, key: char) {
        let held = char::from(held);
        let actions = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: held })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: held });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Drags from cell to cell of the first pane, with the left button.
    pub(crate) async fn drag(&self, cells: &[Cell]) {
        let moves = |[x, y]: [f64; 2]| PointerAction::MoveTo { duration: Some(Duration::from_millis(20)), x, y };
        let mut actions = MouseActions::new("mouse".to_owned());
        for (i, &cell) in cells.iter().enumerate() {
            actions = actions.then(moves(self.pixel(cell).await));
            if i == 0 {
                actions = actions.then(PointerAction::Down { button: 0 });
            }
        }
        actions = actions.then(PointerAction::Up { button: 0 });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Returns where the middle of a cell is on the page.
    async fn pixel(&self, Cell { x, y }: Cell) -> [f64; 2] {
        self.read(&format!(
            "(() => {{ const box = studio.views[0].canvas.getBoundingClientRect(), {{ camera }} = studio; \
             const [x, y] = studio.scene.ground.grid.middle({x}, {y}); \
             const at = (place, middle, start, size) => start + size / 2 + (place - middle) * camera.scale; \
             return [at(x, camera.x, box.left, box.width), at(y, camera.y, box.top, box.height)]; }})()"
        ))
        .await
    }

    /// Runs a search, waits for the answer, and skips the playback.
    pub(crate) async fn search(&self) {
        self.js("void (window.before = studio.found)").await;
        self.click("#run").await;
        self.until("studio.found !== null && studio.found !== window.before").await;
        self.js("player.seek(Infinity)").await;
    }

    /// Runs a search in its panel and asserts that it finds a route.
    pub(crate) async fn finds(&self, why: &str) {
        self.panel("search").await;
        self.search().await;
        assert_eq!(self.data("#results", "outcome").await, "reached", "{why}");
    }

    pub(crate) async fn cell(&self, expression: &str) -> Cell {
        let [x, y] = self.read(expression).await;
        Cell::new(x, y)
    }

    /// Makes the browser do something that a page cannot bring about.
    pub(crate) async fn devtools(&self, command: &str, params: Value) {
        let body = json!({ "cmd": command, "params": params });
        self.client.issue_cmd(Extra { name: "goog/cdp/execute", body }).await.unwrap();
    }

    /// Makes the page this large.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", params).await;
        self.until(&format!("innerWidth === {width} && innerHeight === {height}")).await;
    }

    // ---- Checking ----

    /// Allows errors with these words, which the test causes on purpose.
    pub(crate) fn expect(&self, words: &'static str) {
        self.expected.lock().unwrap().push(words);
    }

    /// Panics if the browser has logged an error, or if the page has loaded anything that does not come from the
    /// studio.
    pub(crate) async fn check(&self) {
        let log = Extra { name: "se/log", body: json!({ "type": "browser" }) };
        let log = self.client.issue_cmd(log).await.expect("the driver keeps a log");
        let expected = self.expected.lock().unwrap().clone();
        let is_bad = |entry: &&Value| {
            let message = entry["message"].as_str().unwrap_or_default();
            entry["level"] == "SEVERE" && !expected.iter().any(|words| message.contains(words))
        };
        let bad: Vec<&Value> = log.as_array().into_iter().flatten().filter(is_bad).collect();
        assert!(bad.is_empty(), "the browser complains: {bad:#?}");
        let asked: Vec<String> = self.read("performance.getEntriesByType('resource').map(({ name }) => name)").await;
        let ours = format!("http://{}/", self.address);
        let others: Vec<&String> =
            asked.iter().filter(|url| !url.starts_with(&ours) && !url.starts_with("blob:")).collect();
        assert!(!asked.is_empty() && others.is_empty(), "the page asked {others:?}");
    }
}

/// A command that only Chromium's driver has.
#[derive(Debug)]
struct Extra {
    name: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extra {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.name))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
