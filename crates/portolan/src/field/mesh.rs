//! Fields on navigation meshes: the cost from every portal to the nearest goal, and the portal to go to next.
//!
//! Ways are measured by the middles of their portals, as `a-star` and `dijkstra` measure them unless told otherwise; a route
//! is then pulled taut in its corridor. Every way counts as one step of the mesh at least, so that every portal on the way
//! costs less than the one before.
//!
//! Not here: how costs are spread and corrected (`field/mend.rs`).

use super::mend::{Mend, MendScratch, Ways};
use super::repair::FieldRepair;
use super::{FAR, FieldError, check_goals, limit};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::memory::{filled, held};
use crate::query::Stale;
use crate::route::Route;
use crate::route::funnel::Corridor;
use crate::scratch::Scratch;
use crate::search::over_polygons::CorridorState;
use crate::space::mesh::shape::distance_up;
use crate::space::mesh::{MeshEdit, MeshPoint, NavMesh};
use crate::space::{Motion, Revision, Snapshot, World};

/// The step of a node that is a goal.
const AT_GOAL: u32 = u32::MAX - 1;
/// The step of a node from which no goal is reached within the range.
const NO_STEP: u32 = u32::MAX;
/// A repair that concerns more than one node in so many is given up for making the field anew.
const WORTH_A_NEW_ONE: usize = 4;

/// The cost from every place of a navigation mesh to the nearest of some goals, and the way there: for many agents that share
/// their goals. It takes eight bytes a portal.
///
/// ```
/// use portolan::{MeshField, MeshParts, NavMesh, Scratch, World};
/// let mut parts = MeshParts { vertices: vec![[0., 0., 0.], [4., 0., 0.], [4., 4., 0.], [0., 4., 0.]], ..MeshParts::default() };
/// parts.push(&[0, 1, 2], 1);
/// parts.push(&[0, 2, 3], 1);
/// let world = World::from(NavMesh::new(&parts)?);
/// let (goal, at) = (world.centre(0), world.centre(1));
/// let mut scratch = Scratch::new();
/// let field = MeshField::new(&world, &[goal], None, &mut scratch)?;
/// let route = field.descend(&world, at, &mut scratch)?.expect("there is a way");
/// assert_eq!(route.cells(), [at, goal]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct MeshField {
    revision: Revision,
    goals: Vec<MeshPoint>,
    /// The polygon and the number of each goal, sorted.
    goals_by_polygon: Vec<(u32, u32)>,
    range: Option<Cost>,
    /// The cost of each portal, then of each goal.
    cost_by_node: Vec<u32>,
    /// Twice the next node, and 1 more if the way there leads through the second polygon of the portal; [`AT_GOAL`] or
    /// [`NO_STEP`].
    step_by_node: Vec<u32>,
}

impl MeshField {
    /// Makes the field of these goals. It holds the costs up to `range`, of all places from which there is a way if `range`
    /// is `None`; costs that [`Cost`] cannot hold are left out. A search that was under way in the scratch is dropped.
    ///
    /// # Errors
    /// When there are no goals, one of them is off the mesh or blocked, or there is no memory for the field.
    pub fn new(
        world: &Snapshot<NavMesh>,
        goals: &[MeshPoint],
        range: Option<Cost>,
        scratch: &mut Scratch<NavMesh>,
    ) -> Result<MeshField, FieldError<MeshPoint>> {
        check_goals::<NavMesh>(world, goals)?;
        let nodes = world.shape.portals.len() + goals.len();
        let mut goals_by_polygon: Vec<_> = goals.iter().map(|goal| goal.polygon).zip(0..).collect();
        goals_by_polygon.sort_unstable();
        let mut field = MeshField {
            revision: world.revision(),
            goals: goals.to_vec(),
            goals_by_polygon,
            range,
            cost_by_node: filled(FAR, nodes)?,
            step_by_node: filled(NO_STEP, nodes)?,
        };
        scratch.pending = None;
        field.spread(world, scratch.states.own());
        Ok(field)
    }

    /// Returns the goals.
    pub fn goals(&self) -> &[MeshPoint] {
        &self.goals
    }

    /// Returns the greatest cost that the field holds, or `None` if it holds all that [`Cost`] does.
    pub fn range(&self) -> Option<Cost> {
        self.range
    }

    /// Returns the revision of the world that the field was made for or last repaired to.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the bytes of memory that the field takes.
    pub fn bytes(&self) -> usize {
        held(&self.goals) + held(&self.goals_by_polygon) + held(&self.cost_by_node) + held(&self.step_by_node)
    }

    /// Returns what it costs to walk from a place to the nearest goal over the middles of portals. Returns `None` if there is
    /// no way within the range, or no agent can stand there.
    ///
    /// # Errors
    /// When the field is that of another revision of the world.
    pub fn cost(&self, world: &Snapshot<NavMesh>, at: MeshPoint) -> Result<Option<Cost>, Stale> {
        self.check_knows(world)?;
        Ok(self.best(world, at).map(|(cost, _)| Cost(cost)))
    }

    /// Returns the next turn on the way from a place to the nearest goal, or the goal: the second place of the route of
    /// [`MeshField::descend`]. Returns `None` at a goal and where [`MeshField::cost`] does.
    ///
    /// # Errors
    /// When the field is that of another revision of the world.
    pub fn next(
        &self,
        world: &Snapshot<NavMesh>,
        at: MeshPoint,
        scratch: &mut Scratch<NavMesh>,
    ) -> Result<Option<MeshPoint>, Stale> {
        let route = self.descend(world, at, scratch)?;
        Ok(route.and_then(|route| route.cells().get(1).copied()))
    }

    /// Returns the route from a place to the nearest goal, pulled taut. Returns `None` where [`MeshField::cost`] does. Where
    /// all ground has one weight, the route costs no more than [`MeshField::cost`] says, but for rounding.
    ///
    /// # Errors
    /// When the field is that of another revision of the world.
    pub fn descend(
        &self,
        world: &Snapshot<NavMesh>,
        from: MeshPoint,
        scratch: &mut Scratch<NavMesh>,
    ) -> Result<Option<Route<NavMesh>>, Stale> {
        self.check_knows(world)?;
        scratch.pending = None;
        let Some((_, first)) = self.best(world, from) else { return Ok(None) };
        let corridor = &mut scratch.states.own::<CorridorState>().0;
        let goal = self.read_corridor(world, from, first, corridor);
        let Some(cost) = corridor.pull(world, from, goal, &mut scratch.trail) else { return Ok(None) };
        let places = scratch.trail.iter().rev().copied().collect();
        Ok(Some(Route::of(places, Cost(cost), Motion::AnyAngle)))
    }

    /// Writes the portals from a place by way of this node to a goal, which is returned.
    fn read_corridor(&self, mesh: &NavMesh, from: MeshPoint, first: NodeId, corridor: &mut Corridor) -> MeshPoint {
        corridor.portals.clear();
        let (mut node, mut polygon) = (first, from.polygon);
        while let Some(portal) = mesh.shape.portals.get(node.index()) {
            let step = self.step_by_node[node.index()];
            let through = portal.polygons[(step & 1) as usize];
            // A way that goes on through the polygon that it came from touches the portal only.
            if through != polygon {
                corridor.portals.push(node.0);
                polygon = through;
            }
            node = NodeId(step >> 1);
        }
        self.goals[node.index() - mesh.shape.portals.len()]
    }

    /// Returns the least cost from a place to a goal, and the portal or goal to go to first. Of equally cheap ones that is the
    /// one nearest to its goal.
    fn best(&self, mesh: &NavMesh, at: MeshPoint) -> Option<(u32, NodeId)> {
        let weight = if (at.polygon as usize) < mesh.polygons() { mesh.weight(at.polygon) } else { 0 };
        if weight == 0 {
            return None;
        }
        let ways = self.ways(mesh);
        let exits = mesh.shape.exits(at.polygon).iter().map(|&exit| (exit, mesh.shape.middles[exit as usize]));
        let ends = exits.chain(ways.goals_on(at.polygon).map(|(node, goal)| (node, goal.spot())));
        let costs = ends.filter_map(|(node, spot)| {
            let left = self.cost_by_node[node as usize];
            let sum = u64::from(distance_up(at.spot(), spot) * weight) + u64::from(left);
            (sum <= u64::from(limit(self.range))).then_some((sum as u32, left, node))
        });
        costs.min().map(|(sum, _, node)| (sum, NodeId(node)))
    }

    /// Brings the field up to date after [`World::apply`]: see [`crate::Field::repair`].
    ///
    /// # Errors
    /// When the edits do not lead from the field's revision to the world's, or a goal is blocked. The field is then unchanged.
    pub fn repair(
        &mut self,
        world: &Snapshot<NavMesh>,
        edits: &[MeshEdit],
        scratch: &mut Scratch<NavMesh>,
    ) -> Result<FieldRepair, FieldError<MeshPoint>> {
        let (built, asked) = (self.revision, world.revision());
        if built.after::<NavMesh>(edits) != asked {
            return Err(FieldError::Gap { built, asked, edits: edits.len() });
        }
        check_goals::<NavMesh>(world, &self.goals)?;
        scratch.pending = None;
        let shape = &world.shape;
        let exits = edits.iter().flat_map(|edit| shape.exits(edit.polygon).iter().copied());
        let ends = edits.iter().flat_map(|edit| shape.link_ends(edit.polygon)).map(|end| shape.other_end(end));
        let most = self.cost_by_node.len() / WORTH_A_NEW_ONE;
        let nodes = exits.chain(ends).map(NodeId);
        let mended = self.mend(world, scratch.states.own(), |mend| mend.run(nodes, most));
        if mended.is_none() {
            self.cost_by_node.fill(FAR);
            self.step_by_node.fill(NO_STEP);
            self.spread(world, scratch.states.own());
        }
        self.revision = asked;
        Ok(FieldRepair { nodes: mended.unwrap_or(self.cost_by_node.len()), rebuilt: mended.is_none() })
    }

    /// Brings the field up to date with a world, whose own list of edits tells what has changed. If that list does not reach
    /// back to the field's revision, the field is made anew.
    ///
    /// # Errors
    /// As [`crate::Field::sync`].
    pub fn sync(
        &mut self,
        world: &World<NavMesh>,
        scratch: &mut Scratch<NavMesh>,
    ) -> Result<FieldRepair, FieldError<MeshPoint>> {
        if self.revision == world.revision() {
            return Ok(FieldRepair::default());
        }
        if let Some(edits) = world.edits_since(self.revision) {
            return self.repair(world, &edits, scratch);
        }
        *self = MeshField::new(world, &self.goals, self.range, scratch)?;
        Ok(FieldRepair { nodes: self.cost_by_node.len(), rebuilt: true })
    }

    /// Writes costs and steps, which must be those of no way.
    fn spread(&mut self, mesh: &NavMesh, scratch: &mut MendScratch) {
        let first = mesh.shape.portals.len();
        self.cost_by_node[first..].fill(0);
        self.step_by_node[first..].fill(AT_GOAL);
        let goals = (first..self.cost_by_node.len()).map(|node| NodeId(node as u32));
        self.mend(mesh, scratch, |mend| mend.spread(goals));
    }

    fn mend<T>(&mut self, mesh: &NavMesh, scratch: &mut MendScratch, run: impl FnOnce(&mut Mend<MeshWays>) -> T) -> T {
        let MeshField { goals, goals_by_polygon, cost_by_node: costs, step_by_node: steps, .. } = self;
        let ways = MeshWays { mesh, goals, goals_by_polygon };
        run(&mut Mend { ways: &ways, limit: limit(self.range), costs, steps, scratch })
    }

    fn ways<'a>(&'a self, mesh: &'a NavMesh) -> MeshWays<'a> {
        MeshWays { mesh, goals: &self.goals, goals_by_polygon: &self.goals_by_polygon }
    }

    fn check_knows(&self, world: &Snapshot<NavMesh>) -> Result<(), Stale> {
        let (built, asked) = (self.revision, world.revision());
        if built == asked { Ok(()) } else { Err(Stale { built, asked }) }
    }
}

/// The ways of agents on a mesh: from the middle of a portal through one of its polygons to that of another, or to a goal.
struct MeshWays<'a> {
    mesh: &'a NavMesh,
    goals: &'a [MeshPoint],
    goals_by_polygon: &'a [(u32, u32)],
}

impl<'a> MeshWays<'a> {
    /// Returns the nodes of the goals on a polygon, and the goals.
    fn goals_on(&self, polygon: u32) -> impl Iterator<Item = (u32, MeshPoint)> + use<'a> {
        let (goals, first) = (self.goals, self.mesh.shape.portals.len() as u32);
        let before = self.goals_by_polygon.partition_point(|&(other, _)| other < polygon);
        let here = self.goals_by_polygon[before..].iter().take_while(move |&&(other, _)| other == polygon);
        here.map(move |&(_, goal)| (first + goal, goals[goal as usize]))
    }

    /// Calls `visit(exit, cost)` for the other portals of a polygon with ground.
    fn for_each_exit(&self, polygon: u32, portal: NodeId, mut visit: impl FnMut(NodeId, u32)) {
        let (shape, weight) = (&self.mesh.shape, self.mesh.weight(polygon));
        let exits = shape.exits(polygon);
        let own = exits.iter().position(|&exit| exit == portal.0).expect("a portal is an exit of its polygons");
        for (&exit, &distance) in exits.iter().zip(shape.crossings(polygon, own)) {
            if exit != portal.0 && weight != 0 {
                visit(NodeId(exit), (distance * weight).max(1));
            }
        }
    }

    /// Returns what the link costs that leads from one of its ends to the other, where an agent can stand.
    fn link_cost(&self, from: u32, to: u32) -> Option<u32> {
        let shape = &self.mesh.shape;
        shape.cost_from_end(from).filter(|_| self.mesh.is_free(shape.polygon_of_end(to)))
    }
}

/// Returns the name of a way to a node through a polygon, at the portal `from`.
fn step_to(mesh: &NavMesh, from: NodeId, to: NodeId, through: u32) -> u32 {
    to.0 << 1 | u32::from(mesh.shape.portals[from.index()].polygons[1] == through)
}

impl Ways for MeshWays<'_> {
    type Step = u32;
    const NO_STEP: u32 = NO_STEP;

    fn is_open(&self, _: NodeId) -> bool {
        true
    }

    fn for_each_way(&self, node: NodeId, mut visit: impl FnMut(NodeId, u32, u32)) {
        let (mesh, shape) = (self.mesh, &self.mesh.shape);
        let Some(portal) = shape.portals.get(node.index()) else { return };
        for polygon in portal.polygons {
            if polygon as usize >= mesh.polygons() {
                let end = shape.other_end(node.0);
                if let Some(cost) = self.link_cost(node.0, end) {
                    visit(NodeId(end), cost, step_to(mesh, node, NodeId(end), polygon));
                }
                continue;
            }
            self.for_each_exit(polygon, node, |exit, cost| visit(exit, cost, step_to(mesh, node, exit, polygon)));
            let weight = mesh.weight(polygon);
            for (goal, at) in self.goals_on(polygon).filter(|_| weight != 0) {
                let distance = distance_up(shape.middles[node.index()], at.spot());
                visit(NodeId(goal), (distance * weight).max(1), step_to(mesh, node, NodeId(goal), polygon));
            }
        }
    }

    fn for_each_way_to(&self, node: NodeId, mut visit: impl FnMut(NodeId, u32, u32)) {
        let (mesh, shape) = (self.mesh, &self.mesh.shape);
        let Some(portal) = shape.portals.get(node.index()) else {
            let MeshPoint { polygon, .. } = self.goals[node.index() - shape.portals.len()];
            let (goal, weight) = (self.goals[node.index() - shape.portals.len()].spot(), mesh.weight(polygon));
            for exit in shape.exits(polygon).iter().map(|&exit| NodeId(exit)) {
                let distance = distance_up(shape.middles[exit.index()], goal);
                visit(exit, (distance * weight).max(1), step_to(mesh, exit, node, polygon));
            }
            return;
        };
        for polygon in portal.polygons {
            if polygon as usize >= mesh.polygons() {
                let end = shape.other_end(node.0);
                if let Some(cost) = self.link_cost(end, node.0) {
                    visit(NodeId(end), cost, step_to(mesh, NodeId(end), node, polygon));
                }
                continue;
            }
            self.for_each_exit(polygon, node, |exit, cost| visit(exit, cost, step_to(mesh, exit, node, polygon)));
        }
    }
}
