//! `portolan studio`: serves the page for drawing, watching and racing until it is interrupted.

use crate::args::StudioArgs;
use crate::terminal::{BOLD, Screen};
use anyhow::Result;
use portolan_studio::Studio;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;

pub(crate) fn run(args: &StudioArgs, screen: &mut Screen) -> Result<ExitCode> {
    let studio = Studio::bind(args.config())?;
    let address = studio.address();
    let page = format!("http://{}/", to_visit(address));
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

/// Returns the address for a browser on this machine: an address that means all interfaces cannot be visited.
fn to_visit(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, address.port())
}
