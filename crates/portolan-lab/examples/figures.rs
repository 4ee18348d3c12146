//! Draws the figures of the design notes in `docs/` from real charts: `cargo run -p portolan-lab --example figures`.

use portolan::any::AnySnapshot;
use portolan::generate::{generate, recipe};
use portolan::outline::Outline;
use portolan::{Area, Cell, Edit, Planner, Query, Rules, Scratch, Snapshot, SquareGrid, Terrain, World};
use portolan_lab::picture::{Footprint, Mark, Picture, Rgb};
use portolan_lab::worlds::builtin;
use std::fmt::Write;
use std::path::Path;

const START: Rgb = [0x00, 0x9e, 0x73];
const GOAL: Rgb = [0xa0, 0x30, 0x85];
const HOT: Rgb = [0xd5, 0x4e, 0x00];
const INK: Rgb = [0x1a, 0x22, 0x36];
const SKY: Rgb = [0x8a, 0xdc, 0xff];
const PAPER: Rgb = [0xff, 0xff, 0xff];

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let town = Snapshot::from(builtin("harbour").ok_or("it is built in")?.grid(Rules::default()));
    let chart = rhumb(&town, &[("spacing", "12"), ("gap", "4")])?;
    let outline = chart.outline(&town)?.ok_or("a rhumb chart has lines")?;
    let save = |name: &str, svg: String| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        portolan_formats::replace_file(&path, svg.as_bytes())
    };
    save("rhumb-lines.svg", Picture::new(&any(&town)).with_outline(&outline).svg())?;
    save("rhumb-tree.svg", tree(&town, &outline))?;
    let query = Query::new((3, 29), (60, 3));
    save("rhumb-climb.svg", climb(&town, &chart, &outline, query)?)?;
    save("rhumb-unpack.svg", unpack(&town, &chart, &outline, query)?)?;
    save("rhumb-edit.svg", edit()?)?;
    let keep = Snapshot::from(builtin("keep").ok_or("it is built in")?.grid(Rules::default()));
    let graph = Planner::new(&keep, "jump-graph")?;
    let leaps = graph.outline(&keep)?.ok_or("a jump graph has leaps")?;
    let mut footprint = Footprint::default();
    let outcome = graph.watch(&keep, Query::new((2, 3), (45, 15)), &mut Scratch::new(), &mut footprint)?;
    let route = outcome.route().ok_or("the keep is open")?.cells();
    let keep = any(&keep);
    let picture = Picture::new(&keep).with_outline(&leaps).with_expanded(&footprint).with_route(route);
    save("jump-graph.svg", picture.svg())?;
    Ok(())
}

fn rhumb(world: &Snapshot, settings: &[(&str, &str)]) -> Result<Planner, Failure> {
    let algorithm = portolan::algorithm("rhumb").ok_or("it is in the registry")?;
    Ok(Planner::build(world, algorithm, algorithm.settings(settings)?)?)
}

/// Returns the world as pictures take it.
fn any(world: &Snapshot) -> AnySnapshot {
    AnySnapshot::from(world.clone())
}

fn holds(area: Area, cell: Cell) -> bool {
    (area.x..area.x + area.width).contains(&cell.x) && (area.y..area.y + area.height).contains(&cell.y)
}

fn ports(outline: &Outline) -> &[Cell] {
    outline.layers.first().map_or(&[], |layer| &layer.ports)
}

/// Returns the ports on a region's line, and those on its sides. The border of the world is not a side.
fn ports_of(grid: &SquareGrid, outline: &Outline, region: usize) -> (Vec<Cell>, Vec<Cell>) {
    let Area { x, y, width, height } = outline.regions[region].bounds;
    let (right, bottom) = (x + width - 1, y + height - 1);
    let on_side = |cell: Cell| {
        cell.x == x && x > 0
            || cell.y == y && y > 0
            || cell.x == right && usize::from(right) + 1 < grid.width()
            || cell.y == bottom && usize::from(bottom) + 1 < grid.height()
    };
    let inside = ports(outline).iter().copied().filter(|&port| holds(outline.regions[region].bounds, port));
    let (sides, others): (Vec<Cell>, Vec<Cell>) = inside.partition(|&port| on_side(port));
    let on_line = |port: &Cell| outline.regions[region].line.is_some_and(|line| holds(line, *port));
    (others.into_iter().filter(on_line).collect(), sides)
}

fn dots(cells: &[Cell], colour: Rgb, radius: f64) -> impl Iterator<Item = Mark> + '_ {
    cells.iter().map(move |&cell| Mark::Dot { cell, colour, radius })
}

/// Returns the regions from the leaf that contains a cell up to the whole world. If the cell is a port on a line, the
/// first region is the one that this line divides.
fn chain(outline: &Outline, cell: Cell) -> Vec<usize> {
    let mut chain = vec![0];
    loop {
        let region = chain[chain.len() - 1];
        let on_line = outline.regions[region].line.is_some_and(|line| holds(line, cell));
        let halves = (0..outline.regions.len()).filter(|&half| outline.regions[half].parent == Some(region));
        let half = halves.into_iter().find(|&half| holds(outline.regions[half].bounds, cell));
        match half.filter(|_| !(on_line && ports(outline).contains(&cell))) {
            Some(half) => chain.push(half),
            None => break,
        }
    }
    chain.reverse();
    chain
}

/// Draws the tree of regions and below it the map, with one region, its line and its sides marked.
fn tree(grid: &Snapshot, outline: &Outline) -> String {
    const WIDTH: f64 = 1000.0;
    const ROW: f64 = 62.0;
    let size = |place: &usize| {
        let (line, sides) = ports_of(grid, outline, *place);
        line.len().min(sides.len() / 3)
    };
    let shown = (0..outline.regions.len()).max_by_key(size).unwrap_or(0);
    let (line, sides) = ports_of(grid, outline, shown);
    let area = outline.regions[shown].bounds;
    let mut marks = vec![Mark::Frame { area, colour: HOT, width: 0.35 }];
    marks.extend(dots(&sides, START, 0.5).chain(dots(&line, HOT, 0.5)));
    let map = Picture::new(&any(grid)).with_outline(outline).with_marks(marks).svg();
    let depths = outline.regions.iter().map(|region| region.depth).max().unwrap_or(0);
    let top = ROW * (depths + 1) as f64 + 20.0;
    let scale = WIDTH / grid.width() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {0}\" width=\"{WIDTH}\" height=\"{0}\">\n\
         <rect width=\"{WIDTH}\" height=\"{0}\" fill=\"#ffffff\"/>\n\
         <g font-family=\"sans-serif\" font-size=\"15\" text-anchor=\"middle\" stroke-linecap=\"round\">\n",
        top + scale * grid.height() as f64
    );
    // The leaves are side by side; every other region is above the middle between its halves.
    let mut across = vec![0.0; outline.regions.len()];
    let leaves = outline.regions.iter().filter(|region| region.line.is_none()).count();
    let mut next = 0.0;
    for (place, region) in outline.regions.iter().enumerate() {
        if region.line.is_none() {
            across[place] = (next + 0.5) * WIDTH / leaves as f64;
            next += 1.0;
        }
    }
    for place in (0..outline.regions.len()).rev().filter(|&place| outline.regions[place].line.is_some()) {
        let halves = (0..outline.regions.len()).filter(|&half| outline.regions[half].parent == Some(place));
        across[place] = halves.map(|half| across[half]).sum::<f64>() / 2.0;
    }
    let down = |place: usize| ROW * outline.regions[place].depth as f64 + 32.0;
    for (place, region) in outline.regions.iter().enumerate() {
        if let Some(parent) = region.parent {
            let (x, y, up, at) = (across[place], down(place), down(parent), across[parent]);
            let _ = writeln!(svg, "<path stroke=\"#8a93a6\" stroke-width=\"2\" d=\"M{x:.0} {y:.0}L{at:.0} {up:.0}\"/>");
        }
    }
    for (place, region) in outline.regions.iter().enumerate() {
        let (line, sides) = ports_of(grid, outline, place);
        let (x, y) = (across[place], down(place));
        let is_shown = place == shown;
        let (fill, ink) = match (region.line, is_shown) {
            (_, true) => ("#d54e00", "#ffffff"),
            (Some(_), _) => ("#dbe7f5", "#1a2236"),
            (None, _) => ("#fbf6e9", "#1a2236"),
        };
        let words = if region.line.is_some() {
            format!("{} + {}", line.len(), sides.len())
        } else {
            format!("{}", sides.len())
        };
        let half = if region.line.is_some() { 31 } else { 19 };
        let _ = writeln!(
            svg,
            "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{}\" height=\"26\" rx=\"6\" fill=\"{fill}\" stroke=\"#8a93a6\"/>\
             <text x=\"{x:.0}\" y=\"{:.0}\" fill=\"{ink}\">{words}</text>",
            x - f64::from(half),
            y - 13.0,
            2 * half,
            y + 5.0
        );
    }
    let map = map.replacen("<svg ", &format!("<svg y=\"{top:.0}\" "), 1);
    svg + "</g>\n" + &map + "</svg>\n"
}

/// Returns the first port of a route on the line of least depth that the route crosses at a port. A query takes the
/// first of several equally good ports.
fn meeting(outline: &Outline, route: &[Cell]) -> Option<Cell> {
    let ports: Vec<Cell> = ports(outline).iter().copied().filter(|port| route.contains(port)).collect();
    let mut lines: Vec<(usize, Area)> = outline.regions.iter().filter_map(|at| Some((at.depth, at.line?))).collect();
    lines.sort_by_key(|&(depth, _)| depth);
    lines.iter().find_map(|&(_, line)| ports.iter().copied().find(|&port| holds(line, port)))
}

/// Draws a query: the regions that it climbs from both ends, the ports that it expands, and the port where the two
/// sides meet.
fn climb(world: &Snapshot, chart: &Planner, outline: &Outline, query: Query) -> Result<String, Failure> {
    let mut footprint = Footprint::default();
    let outcome = chart.watch(world, query, &mut Scratch::new(), &mut footprint)?;
    let route = outcome.route().ok_or("the town is open")?.cells();
    let port = meeting(outline, route).ok_or("the ends lie apart")?;
    let mut marks = Vec::new();
    for (end, colour) in [(query.from, START), (query.to, GOAL)] {
        let chain = chain(outline, end);
        for (level, &region) in chain.iter().enumerate().take(chain.len() - 1) {
            let area = outline.regions[region].bounds;
            marks.push(Mark::Tint { area, colour, share: 0.1 });
            marks.push(Mark::Frame { area, colour, width: 0.5 - 0.08 * level as f64 });
        }
    }
    marks.extend([(INK, 1.0), (PAPER, 0.85), (HOT, 0.6)].map(|(colour, radius)| Mark::Dot {
        cell: port,
        colour,
        radius,
    }));
    let world = any(world);
    Ok(Picture::new(&world).with_outline(outline).with_expanded(&footprint).with_route(route).with_marks(marks).svg())
}

/// Draws a route and the ports at which unpacking divides it, numbered by the step that finds them.
fn unpack(world: &Snapshot, chart: &Planner, outline: &Outline, query: Query) -> Result<String, Failure> {
    let outcome = chart.find(world, query, &mut Scratch::new())?;
    let route = outcome.route().ok_or("the town is open")?.cells();
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut parts = vec![(0, route.len() - 1, 1)];
    while let Some((first, last, step)) = parts.pop() {
        if let Some(port) = meeting(outline, &route[first + 1..last]) {
            let at = first + 1 + route[first + 1..last].iter().position(|&cell| cell == port).unwrap_or(0);
            found.push((at, step));
            parts.extend([(first, at, step + 1), (at, last, step + 1)]);
        }
    }
    let line = Mark::Line { cells: route.to_vec(), colour: HOT, width: 0.4 };
    let ends = [(query.from, START), (query.to, GOAL)];
    let mut marks = vec![line];
    marks.extend(ends.map(|(cell, _)| Mark::Dot { cell, colour: PAPER, radius: 0.75 }));
    marks.extend(ends.map(|(cell, colour)| Mark::Dot { cell, colour, radius: 0.55 }));
    for (at, step) in found {
        let cell = route[at];
        marks.extend([(INK, 0.95), (SKY, 0.82)].map(|(colour, radius)| Mark::Dot { cell, colour, radius }));
        let at = (f64::from(cell.x) + 0.5 - 0.36, f64::from(cell.y) + 0.5 + 0.46);
        marks.push(Mark::Label { at, text: step.to_string(), colour: INK, size: 1.3 });
    }
    Ok(Picture::new(&any(world)).with_outline(outline).with_marks(marks).svg())
}

/// Draws an edit: the leaves that it touches, the ports that it moves, and the regions above these leaves.
fn edit() -> Result<String, Failure> {
    /// The fronts of regions of up to this many cells are repaired together with an edit. With the default settings,
    /// these are the regions of up to five by five leaves.
    const AT_ONCE: usize = 120 * 120;
    let rooms = recipe("rooms").ok_or("a known recipe")?;
    let grid = generate(rooms, 193, 97, 3, &rooms.settings::<&str, &str>(&[])?, Rules::default())?;
    let mut world = World::from(grid);
    let mut chart = rhumb(&world, &[])?;
    let before = chart.outline(&world)?.ok_or("a rhumb chart has lines")?;
    let area = Area { x: 117, y: 57, width: 6, height: 5 };
    let edits = [Edit::new(area, Terrain::BLOCKED)];
    world.apply(&edits)?;
    chart.repair(&world, &edits)?;
    let after = chart.outline(&world)?.ok_or("a rhumb chart has lines")?;
    let overlaps = |a: Area| {
        a.x < area.x + area.width && area.x < a.x + a.width && a.y < area.y + area.height && area.y < a.y + a.height
    };
    let mut marks = Vec::new();
    for region in after.regions.iter().filter(|region| overlaps(region.bounds)) {
        let Area { width, height, .. } = region.bounds;
        if region.line.is_none() {
            marks.push(Mark::Tint { area: region.bounds, colour: HOT, share: 0.4 });
        } else {
            let colour = if usize::from(width) * usize::from(height) <= AT_ONCE { START } else { GOAL };
            marks.push(Mark::Frame { area: region.bounds, colour, width: 1.4 - 0.2 * region.depth as f64 });
        }
    }
    marks.push(Mark::Tint { area, colour: HOT, share: 1.0 });
    let fresh: Vec<Cell> = ports(&after).iter().copied().filter(|port| !ports(&before).contains(port)).collect();
    let gone: Vec<Cell> = ports(&before).iter().copied().filter(|port| !ports(&after).contains(port)).collect();
    marks.extend(dots(&gone, PAPER, 0.7).chain(dots(&fresh, SKY, 0.9)));
    Ok(Picture::new(&any(&world)).with_outline(&after).with_marks(marks).svg())
}
