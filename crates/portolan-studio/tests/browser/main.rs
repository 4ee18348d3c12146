//! The page in a real browser: a studio in this process, Chromium without a window, and clicks, keys and drags as a person
//! would make them. Needs `chromium` and `chromedriver`; where they are missing every test says so and passes.
//!
//! Not here: what the server answers to whom, which needs no page.

mod bench;
mod page;

mod chart;
mod drawing;
mod files;
mod first_click;
mod frames;
mod lab;
mod line;
mod playback;
mod race;
mod reach;
mod search;
mod share;
mod walk;
mod worlds;
