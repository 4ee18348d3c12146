//! `portolan mesh link`: adds a link to a mesh.

use super::{Facts, checked};
use crate::args::{MeshLinkArgs, Place};
use crate::terminal::Screen;
use anyhow::{Result, anyhow, bail};
use portolan::{MeshLink, NavMesh};
use portolan_formats::{MeshFormat, read_mesh, write_mesh};
use std::io::Write;
use std::process::ExitCode;

pub(crate) fn run(args: &MeshLinkArgs, screen: &mut Screen) -> Result<ExitCode> {
    let MeshLinkArgs { mesh: path, cost, .. } = args;
    let cost = *cost;
    if !(cost >= 0.0 && cost.is_finite()) {
        bail!("--cost {cost}: expected a length, 0 or more");
    }
    let mut parts = read_mesh(path)?;
    let before = checked(path, &parts)?;
    let [from, to] = [args.from, args.to].map(|place| end(place, &before));
    parts.links.push(MeshLink { from: from?, to: to?, cost, both_ways: !args.one_way });
    let linked = checked(path, &parts)?;
    let output = args.output.as_ref().unwrap_or(path);
    write_mesh(output, &parts, MeshFormat::NavMesh)?;
    let facts = Facts::of(output, &linked);
    if args.json {
        screen.json(&facts)?;
    } else {
        writeln!(screen, "{}: {}", output.display(), facts.line())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the end of a link at a place: at its height if it has one, else on the highest polygon there.
fn end(place: Place, mesh: &NavMesh) -> Result<[f64; 3]> {
    let Place { x, y, z } = place;
    let found = match z {
        Some(z) => mesh.point_near([x, y, z]),
        None => mesh.point([x, y]),
    };
    let point = found.ok_or_else(|| anyhow!("{place} lies off the mesh"))?;
    Ok(mesh.coordinates(point))
}
