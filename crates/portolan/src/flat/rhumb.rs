//! A square grid with its rhumb chart as flat arrays: [`FlatRhumb`].
//!
//! Not here: filling them in (`chart/rhumb/flatten.rs`).

/// A square grid with its rhumb chart, as flat arrays. `docs/rhumb-chart.md` explains what is in them. A port is given by
/// its column and row, a cost is in the prices of the chart, and [`NONE`](super::NONE) stands for no way.
///
/// ```
/// use portolan::flat::Flat;
/// use portolan::{Rules, Snapshot, SquareGrid, algorithms};
/// let world = Snapshot::from(SquareGrid::open(100, 70, Rules::default())?);
/// let Some(Flat::SquareFronts(flat)) = algorithms::RHUMB.build(&world)?.flat(&world)? else {
///     return Err("rhumb is kept in flat arrays".into());
/// };
/// assert_eq!((flat.size, flat.regions[0].bounds), ([100, 70], [0, 0, 100, 70]));
/// assert_eq!(flat.ports.len(), flat.ranks.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatRhumb {
    /// The columns and rows of the world.
    pub size: [u32; 2],
    /// About how many cells lie between two lines.
    pub spacing: u32,
    /// What a straight and a diagonal step cost in the chart, over ground of weight 1.
    pub prices: [u32; 2],
    /// What a straight and a diagonal step cost in the chart at least; a diagonal one as much as two straight ones where
    /// there are no diagonal steps. No way costs less than one over open ground at these prices.
    pub open_prices: [u32; 2],
    /// What a straight and a diagonal step cost in the world's metric.
    pub metric: [u32; 2],
    /// Whether steps may be diagonal.
    pub has_diagonals: bool,
    /// Whether a walk in plain sight is taken without asking the chart.
    pub is_direct: bool,
    /// The weight of all free cells if `weights` is empty.
    pub weight: u8,
    /// The weight of each cell, row by row; empty if all free cells have one weight, which costs in the chart leave out.
    pub weights: Vec<u8>,
    /// The legal steps from each cell, one bit for each direction, clockwise from north.
    pub moves: Vec<u8>,
    /// The regions, each one before its halves. The first is the whole world.
    pub regions: Vec<FlatRegion>,
    /// The lists of ports of all regions: those on a region's line, then those on its sides.
    pub ports: Vec<[u16; 2]>,
    /// For each entry of `ports` the rank of the port on the sides of the region's halves, or `u16::MAX`.
    pub ranks: Vec<[u16; 2]>,
    /// The costs from each port of a region's line to all ports of its list, row by row.
    pub rows: Vec<u32>,
    /// The costs between the ports on a region's sides, row by row.
    pub sides: Vec<u32>,
    /// The trees of the leaves: for each port and cell, the direction of the step towards the port, 8 if there is none.
    /// A byte holds the steps of two cells, the first in its lower half. Each tree begins with a byte of its own.
    pub steps: Vec<u8>,
    /// A bit for every pair of ports of a leaf, by the port that a walk leads to and the one that it comes from: whether
    /// the walk with its diagonal steps first is taken.
    pub clear: Vec<u64>,
}

/// A region: where its parts begin in the arrays of a [`FlatRhumb`].
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatRegion {
    /// The first column and row, and how many of them there are.
    pub bounds: [u16; 4],
    /// The region that this is a half of, or [`NONE`](super::NONE).
    pub parent: u32,
    /// The halves on the low and on the high side of the line, or [`NONE`](super::NONE) in a leaf.
    pub halves: [u32; 2],
    /// Whether the line is a row, and which column or row it is.
    pub line: (bool, u16),
    /// Where its list begins in `ports`.
    pub first_port: u32,
    /// How many ports of the list are on the line.
    pub line_ports: u32,
    /// How many ports the list has.
    pub ports: u32,
    /// Where its rows begin in `rows`.
    pub first_row: u32,
    /// Where the costs between its sides begin in `sides`.
    pub first_side: u32,
    /// Where the trees of a leaf begin in `steps`; [`NONE`](super::NONE) for other regions and for open leaves, whose cells
    /// are all free and of one weight.
    pub first_step: u32,
    /// Where the pairs of a leaf begin in `clear`, or [`NONE`](super::NONE) if none are noted.
    pub first_clear: u32,
    /// What a straight and a diagonal step cost in an open leaf.
    pub open_prices: [u32; 2],
    /// The number of a leaf among all leaves, or of another region among all that are not leaves.
    pub number: u32,
}
