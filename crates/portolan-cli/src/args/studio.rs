//! The options of `portolan studio`.

use clap::{Args, ValueHint};
use portolan_studio::{Config, limits};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan studio --open
  portolan studio --open town.mesh
  portolan studio --port 0 --maps maps

The page lives on this machine and asks nothing of any other. Ctrl-C ends it.")]
pub(crate) struct StudioArgs {
    /// The world to show first: a file of a map, mesh or level geometry, or a built-in world
    #[arg(value_name = "WORLD", value_hint = ValueHint::FilePath)]
    pub(crate) world: Option<String>,
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
    /// Returns the configuration of the server. A world in a file makes the file's folder that of the maps, unless another
    /// is given.
    pub(crate) fn config(&self) -> Config {
        let file = self.world.as_deref().map(Path::new).filter(|path| path.is_file());
        let beside = || {
            file.and_then(Path::parent).map(|folder| if folder == Path::new("") { ".".into() } else { folder.into() })
        };
        let maps = self.maps.clone().or_else(beside).or_else(portolan_lab::maps::folder);
        let address = SocketAddr::new(self.listen, self.port);
        let memory = self.memory.saturating_mul(1 << 20);
        Config { address, maps, page: self.page.clone(), memory, ..Config::default() }
    }
}
