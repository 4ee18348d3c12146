//! Printing: colours and progress bars only where a terminal shows them. Not here: what the commands print.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use portolan_lab::table::Table;
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The style of headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// The style of remarks.
pub(crate) const DIM: Style = Style::new().dimmed();
/// The style of errors and wrong results.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Standard output. Colours are removed where they would not be shown.
pub(crate) struct Screen(BufWriter<AutoStream<io::StdoutLock<'static>>>);

impl Screen {
    pub(crate) fn new() -> Screen {
        Screen(BufWriter::new(AutoStream::auto(io::stdout().lock())))
    }

    /// Returns whether standard output is a terminal, not a file or another program.
    pub(crate) fn is_watched() -> bool {
        io::stdout().is_terminal()
    }

    /// Returns whether colours are shown.
    pub(crate) fn has_colours() -> bool {
        AutoStream::choice(&io::stdout()) != ColorChoice::Never
    }

    /// Returns how many characters a line has: as many as the terminal is wide, or 80 if there is no terminal.
    pub(crate) fn width() -> usize {
        terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).max(20)
    }

    /// Prints a line in a style.
    pub(crate) fn styled(&mut self, style: Style, line: &str) -> io::Result<()> {
        writeln!(self, "{style}{line}{style:#}")
    }

    /// Prints a table with its heading.
    pub(crate) fn table(&mut self, table: &Table) -> io::Result<()> {
        let lines = table.lines();
        let (heading, rows) = lines.split_first().expect("every table has a heading");
        self.styled(DIM, heading)?;
        rows.iter().try_for_each(|row| writeln!(self, "{row}"))
    }

    /// Prints a value as JSON on several lines, with indentation.
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

/// Prints one line on standard error that says what is wrong.
pub(crate) fn complain(message: &str) {
    // If this fails, there is nowhere else to report it.
    let _ = writeln!(anstream::stderr(), "{BAD}error{BAD:#}: {message}");
}

/// A progress bar on standard error, on terminals only, which appears once the work has taken a second.
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

    /// Shows that `done` of `total` is done. Always continues: a command is stopped by ending its process.
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
