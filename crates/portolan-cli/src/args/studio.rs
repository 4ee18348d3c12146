//! The options of `portolan studio`.

use clap::{Args, ValueHint};
use portolan_studio::{Config, limits};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan studio --open
  portolan studio --port 0 --maps maps

The page lives on this machine and asks nothing of any other. Ctrl-C ends it.")]
pub(crate) struct StudioArgs {
    /// Where to listen; 0 takes any free port
    #[arg(long, value_name = "N", default_value_t = Config::PORT)]
    port: u16,
    /// Open the page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Listen on another address than this machine's own, for others to look on
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// A folder of maps to offer [default: `PORTOLAN_MAPS`, or ../shared/maps if it is there]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    maps: Option<PathBuf>,
    /// Mebibytes that all pages together may take
    #[arg(long, value_name = "MIB", default_value_t = limits::MEMORY >> 20)]
    memory: usize,
    /// Read the page from this folder instead of the program, to work on it
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, hide = true)]
    page: Option<PathBuf>,
}

impl StudioArgs {
    pub(crate) fn config(&self) -> Config {
        let maps = self.maps.clone().or_else(portolan_lab::maps::folder);
        let address = SocketAddr::new(self.listen, self.port);
        let memory = self.memory.saturating_mul(1 << 20);
        Config { address, maps, page: self.page.clone(), memory, ..Config::default() }
    }
}
