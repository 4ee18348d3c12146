//! What is printed and how: colours and progress only where a terminal shows them, quiet ends when a reader leaves.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// Things said by the way.
pub(crate) const DIM: Style = Style::new().dimmed();
/// What went wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Standard output, colours taken out where they would not be seen.
pub(crate) struct Screen(BufWriter<AutoStream<io::StdoutLock<'static>>>);

impl Screen {
    pub(crate) fn new() -> Screen {
        Screen(BufWriter::new(AutoStream::auto(io::stdout().lock())))
    }

    /// Whether somebody is looking rather than a file or a program.
    pub(crate) fn is_watched() -> bool {
        io::stdout().is_terminal()
    }

    /// Whether colours will be seen.
    pub(crate) fn has_colours() -> bool {
        AutoStream::choice(&io::stdout()) != ColorChoice::Never
    }

    /// Characters in a line.
    pub(crate) fn width() -> usize {
        terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).max(20)
    }

    /// A line in a style.
    pub(crate) fn styled(&mut self, style: Style, line: &str) -> io::Result<()> {
        writeln!(self, "{style}{line}{style:#}")
    }

    /// A value as JSON, laid out for reading.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        Ok(writeln!(self, "{}", serde_json::to_string_pretty(value)?)?)
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Says in one line on standard error what is wrong.
pub(crate) fn complain(message: &str) {
    // Nobody is left to tell when this fails.
    let _ = writeln!(anstream::stderr(), "{BAD}error{BAD:#}: {message}");
}

/// A bar on standard error, on terminals only, that shows itself once the work has taken a second.
pub(crate) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(what: &str) -> Progress {
        let style = ProgressStyle::with_template("{msg} {wide_bar:.cyan/dim} {percent:>3} % {eta}")
            .expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style);
        bar.set_message(what.to_owned());
        Progress { bar, begun: Instant::now(), shown: false }
    }

    /// That much of so much is done. Goes on always: who wants to stop a command ends it.
    pub(crate) fn at(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        if !self.shown && self.begun.elapsed() > Duration::from_secs(1) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
        ControlFlow::Continue(())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
