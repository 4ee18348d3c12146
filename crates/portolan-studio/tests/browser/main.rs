//! The page in a real browser: a studio in this process, Chromium without a window, and clicks, keys and drags as a
//! person would make them. The tests need `chromium` and `chromedriver`; where these are missing, every test says so
//! and passes.
//!
//! Not here: the answers of the server, which are tested without a page in `tests/studio`.

mod bench;
mod page;

mod between;
mod chart;
mod drawing;
mod files;
mod first_click;
mod frames;
mod game;
mod hexes;
mod lab;
mod line;
mod meshes;
mod mind;
mod perception;
mod playback;
mod race;
mod reach;
mod search;
mod share;
mod walk;
mod worlds;
