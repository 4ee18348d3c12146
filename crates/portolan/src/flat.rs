//! A chart as flat arrays of numbers, for processors that take no pointers: [`Planner::flat`](crate::Planner::flat). And the
//! ground of a grid: [`FlatGrid`].
//!
//! Not here: what edits change in them (`flat/patch.rs`), and computing routes from them. The crate `portolan-gpu` does that.

mod patch;
mod rhumb;
mod square_rows;

pub use crate::field::FlatGrid;
pub use patch::{FlatMark, FlatNodePatch, FlatPatch, FlatRowPatch};
pub use rhumb::{FlatRegion, FlatRhumb};
pub use square_rows::{FlatCluster, FlatExit, FlatSquareRows};

use crate::open_list::resolution;
use crate::space::mesh::NavMesh;

/// The number where there is no region or no way.
pub const NONE: u32 = u32::MAX;

/// What a planner's algorithm reads while it searches, as flat arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "there is one such value for a chart, not a list of them")]
pub enum Flat {
    /// Of `a-star` on meshes that measures by middles.
    MeshPlain(FlatMesh, FlatOpenList),
    /// Of `hna-star` on meshes that reads rows of costs. The open lists are those of the search over polygons for start and
    /// goal in one node, and of the search over inter-edges.
    MeshLevels(FlatMesh, FlatNodes, [FlatOpenList; 2]),
    /// Of `rhumb` on meshes.
    MeshRows(FlatMesh, FlatNodes, FlatRows),
    /// Of `dhpa-star rows=yes` on squares.
    SquareRows(FlatSquareRows),
    /// Of `rhumb` on square grids.
    SquareFronts(FlatRhumb),
}

/// A navigation mesh as flat arrays.
///
/// ```
/// use portolan::flat::Flat;
/// use portolan::{MeshParts, NavMesh, Snapshot, algorithms};
/// let mut parts = MeshParts { vertices: vec![[0., 0., 0.], [4., 0., 0.], [4., 4., 0.], [0., 4., 0.]], ..MeshParts::default() };
/// parts.push(&[0, 1, 2], 1);
/// parts.push(&[0, 2, 3], 1);
/// let world = Snapshot::from(NavMesh::new(&parts)?);
/// let Some(Flat::MeshPlain(mesh, _)) = algorithms::mesh::A_STAR.build(&world)?.flat(&world)? else {
///     return Err("A* is kept in flat arrays".into());
/// };
/// assert_eq!((mesh.first_exit.len(), mesh.middles.len()), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatMesh {
    /// Where the portals of each polygon begin in `exits`, and one entry more.
    pub first_exit: Vec<u32>,
    /// The portals of the polygons, one polygon after another.
    pub exits: Vec<u32>,
    /// The weight of each polygon, 0 if it is blocked.
    pub weights: Vec<u8>,
    /// The least weight of a free polygon, by which lower bounds count distances.
    pub least_weight: u8,
    /// The middle of each portal in the plan, in steps.
    pub middles: Vec<[i32; 2]>,
    /// The two polygons of each portal.
    pub portal_polygons: Vec<[u32; 2]>,
    /// The ends of each portal in the plan, to the right and to the left of an agent that leaves the first polygon.
    pub spans: Vec<[[i32; 2]; 2]>,
}

/// The open list of a search. Its buckets are stacks: the entry pushed last into the lowest bucket comes first, and a key
/// below the lowest bucket counts as one in it.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatOpenList {
    /// The exponent of the width of a bucket.
    pub shift: u32,
    /// How many buckets there are at most from the lowest that has an entry to the highest.
    pub buckets: u32,
}

/// The nodes of the level that is searched, as flat arrays. `hna-star` on meshes explains what is in them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatNodes {
    /// The node of each polygon.
    pub node_by_polygon: Vec<u32>,
    /// The number of each portal in the nodes of its two polygons.
    pub slots: Vec<[u16; 2]>,
    /// The nodes.
    pub nodes: Vec<FlatNode>,
    /// The portals of the nodes, one node after another, the inter-edges of each first.
    pub node_portals: Vec<u32>,
    /// The costs from each portal of a node to each inter-edge of it, a row for each portal, one node after another.
    pub costs: Vec<u32>,
    /// For each inter-edge of a node, the next portal on the way to it from each portal of the node; by numbers in the node.
    pub next: Vec<u16>,
    /// For each inter-edge of each node, node by node: the number of the inter-edge among all of them.
    pub border_ids: Vec<u32>,
    /// The nodes of each inter-edge, and its place among the inter-edges of each of them.
    pub border_seats: Vec<[[u32; 2]; 2]>,
    /// The portal of each inter-edge.
    pub border_portals: Vec<u32>,
}

/// The rows and labels of a rhumb chart of a mesh, as flat arrays. `rhumb` on meshes explains what is in them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatRows {
    /// The cost from each inter-edge to each entry of `border_ids`.
    pub row_costs: Vec<u32>,
    /// For each entry of `row_costs` the first hop of that way: the place of the next inter-edge in the node that is
    /// crossed, which is the first node of the inter-edge, or its second one if the highest bit is set.
    pub hops: Vec<u16>,
    /// The smallest region that contains each polygon, or [`NONE`].
    pub region_by_polygon: Vec<u32>,
    /// Where the label of each portal begins in `label_costs`; one that is an inter-edge has an empty label.
    pub first_label: Vec<u32>,
    /// How many entries the label of each portal has.
    pub label_lengths: Vec<u32>,
    /// For each region the one that it is a half of, or [`NONE`]. Regions inside a region have greater numbers.
    pub region_parents: Vec<u32>,
    /// For each region how many entries labels have for it and for the regions that contain it.
    pub region_ends: Vec<u32>,
    /// The costs of all labels.
    pub label_costs: Vec<u32>,
    /// For each entry of `label_costs`, the next portal on the way to the hub, by its number in the node.
    pub label_next: Vec<u16>,
}

/// A node: where its parts begin in the arrays of [`FlatNodes`].
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatNode {
    /// Where its portals begin in `node_portals`.
    pub first_portal: u32,
    /// How many portals it has.
    pub portals: u32,
    /// How many of the portals are inter-edges.
    pub borders: u32,
    /// Where its costs begin in `costs`.
    pub first_cost: u32,
    /// Where its next portals begin in `next`.
    pub first_next: u32,
    /// Where its inter-edges begin in `border_ids`.
    pub first_border: u32,
}

impl FlatMesh {
    /// Returns the arrays of a mesh.
    pub(crate) fn of_mesh(mesh: &NavMesh) -> FlatMesh {
        let shape = &*mesh.shape;
        let mut flat = FlatMesh { first_exit: vec![0], least_weight: mesh.least_weight(), ..FlatMesh::default() };
        for polygon in 0..shape.polygons() as u32 {
            flat.exits.extend(shape.exits(polygon));
            flat.first_exit.push(flat.exits.len() as u32);
            flat.weights.push(mesh.terrain(polygon).weight());
        }
        flat.middles = shape.middles.iter().map(|at| [at.x, at.y]).collect();
        for (number, portal) in (0..).zip(&shape.portals) {
            flat.portal_polygons.push(portal.polygons);
            flat.spans.push(shape.ends(number, portal.polygons[0]).map(|at| [at.x, at.y]));
        }
        flat
    }
}

impl FlatOpenList {
    /// Returns the open list of a search that is told these numbers (see [`crate::open_list`]). A key lies at most `spread`
    /// above the lowest one.
    pub(crate) fn of(spread: u64, grain: u32) -> FlatOpenList {
        let shift = resolution(grain);
        FlatOpenList { shift, buckets: u32::try_from((spread >> shift) + 2).unwrap_or(u32::MAX) }
    }
}
