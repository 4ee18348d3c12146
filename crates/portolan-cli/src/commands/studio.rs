//! `portolan studio`: serves the page for drawing, watching and racing until it is interrupted.

use crate::args::StudioArgs;
use crate::terminal::{BOLD, Screen};
use anyhow::{Result, anyhow, bail};
use portolan_lab::worlds::builtin;
use portolan_studio::Studio;
use std::fmt::Write as _;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &StudioArgs, screen: &mut Screen) -> Result<ExitCode> {
    let config = args.config();
    let first = args.world.as_deref().map(|world| first(world, config.maps.as_deref())).transpose()?;
    let studio = Studio::bind(config)?;
    let address = studio.address();
    let page = format!("http://{}/{}", to_visit(address), first.unwrap_or_default());
    writeln!(screen, "{BOLD}{page}{BOLD:#}")?;
    if !address.ip().is_loopback() {
        let warning = "whoever can reach this machine can use the page, and keep the machine busy with it";
        writeln!(screen, "Listening on {address}: {warning}.")?;
    }
    writeln!(screen, "Ctrl-C ends it.")?;
    screen.flush()?;
    if args.open
        && let Err(error) = open::that_detached(&page)
    {
        writeln!(screen, "No browser could be opened ({error}); open the address above.")?;
        screen.flush()?;
    }
    studio.run_until_interrupted()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the part of the page's address that names the world to show first.
fn first(world: &str, maps: Option<&Path>) -> Result<String> {
    let path = Path::new(world);
    if !path.is_file() {
        let known = builtin(world).ok_or_else(|| anyhow!("there is no file or built-in world {world:?}"))?;
        return Ok(format!("#builtin={}", known.name));
    }
    let folder = maps.and_then(|folder| folder.canonicalize().ok());
    let path = path.canonicalize()?;
    let Some(name) = folder.and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_path_buf)) else {
        bail!("{world}: the file is not in the folder that --maps names");
    };
    let mut hash = "#map=".to_owned();
    for byte in name.to_string_lossy().replace('\\', "/").bytes() {
        match byte {
            b'-' | b'_' | b'.' | b'/' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => hash.push(char::from(byte)),
            _ => write!(hash, "%{byte:02X}")?,
        }
    }
    Ok(hash)
}

/// Returns the address for a browser on this machine: an address that means all interfaces cannot be visited.
fn to_visit(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, address.port())
}
