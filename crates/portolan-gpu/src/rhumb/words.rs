//! The rhumb chart of a square grid as one list of words of four bytes, as the programs on the processor read it.
//!
//! Not here: the programs (`*.wgsl`) and how they are run (`run.rs`).

use crate::chart::ChartWords;
use portolan::flat::{FlatRegion, FlatRhumb, NONE};

/// What the programs read where there is no way; `chart.wgsl` has the same number.
const NO_WAY: u32 = 0x3fff_ffff;

/// The words of a chart, and what its programs are translated for.
pub(super) struct SquareWords {
    pub(super) chart: ChartWords,
    pub(super) shape: Shape,
}

/// What the programs of a chart are translated for, and how much working memory they need.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// Whether two costs share a word.
    pub(super) is_narrow: bool,
    /// Room for the ports of a line, one more at least than any line has. It is even.
    pub(super) line: u32,
    /// How many regions there are around a cell at most.
    pub(super) depth: u32,
    /// Room for what it costs from an end to the sides of all regions around it.
    pub(super) values: u32,
    /// How many leaves there are.
    pub(super) leaves: u32,
}

impl SquareWords {
    pub(super) fn new(flat: &FlatRhumb) -> SquareWords {
        let is_narrow = flat.rows.iter().chain(&flat.sides).all(|&cost| cost == NONE || cost < 0xffff);
        let mut costs = Costs { is_narrow, words: Vec::new() };
        let mut trees = Vec::new();
        let mut clear = Vec::new();
        let mut regions = Vec::with_capacity(12 * flat.regions.len());
        for region in &flat.regions {
            let (count, line) = (region.ports as usize, region.line_ports as usize);
            let sides = count - line;
            let mut begins = [costs.words.len() as u32; 2];
            if region.halves[0] == NONE {
                begins[0] = if region.first_step == NONE { NONE } else { trees.len() as u32 };
                push_trees(flat, region, &mut trees);
            } else {
                costs.push(&flat.rows[region.first_row as usize..][..line * count], count);
            }
            begins[1] = costs.words.len() as u32;
            costs.push(&flat.sides[region.first_side as usize..][..sides * sides], sides);
            let first_clear = if region.first_clear == NONE { NONE } else { clear.len() as u32 };
            push_clear(flat, region, &mut clear);
            regions.extend(region_words(region, begins, first_clear));
        }
        let mut chart = ChartWords::default();
        chart.list(regions);
        chart.list(flat.ports.iter().map(|&[x, y]| u32::from(x) | u32::from(y) << 16));
        chart.list(flat.ranks.iter().map(|&[low, high]| u32::from(low) | u32::from(high) << 16));
        chart.list(costs.words);
        chart.list(trees);
        chart.list(clear);
        chart.list(bytes(&flat.moves));
        chart.list(bytes(&flat.weights));
        SquareWords { chart, shape: shape(flat, is_narrow) }
    }
}

/// Returns the words of a region; `Region` and `leaf_part` in `chart.wgsl` read them.
fn region_words(region: &FlatRegion, begins: [u32; 2], first_clear: u32) -> [u32; 12] {
    let [x, y, width, height] = region.bounds.map(u32::from);
    let (is_row, at) = region.line;
    let is_leaf = region.halves[0] == NONE;
    let place = if is_leaf {
        [NONE, x | y << 16, width | height << 16]
    } else {
        [u32::from(at) << 1 | u32::from(is_row), region.halves[0], region.halves[1]]
    };
    [
        place[0],
        place[1],
        place[2],
        region.parent,
        region.first_port,
        region.line_ports | region.ports << 16,
        begins[0],
        begins[1],
        first_clear,
        region.open_prices[0],
        region.open_prices[1],
        region.number,
    ]
}

/// Appends the trees of a leaf, eight steps in a word. Each tree begins with a word of its own.
fn push_trees(flat: &FlatRhumb, region: &FlatRegion, words: &mut Vec<u32>) {
    if region.first_step == NONE {
        return;
    }
    let cells = usize::from(region.bounds[2]) * usize::from(region.bounds[3]);
    let size = cells.div_ceil(2);
    for tree in flat.steps[region.first_step as usize..][..size * region.ports as usize].chunks_exact(size) {
        words.extend(bytes(tree));
    }
}

/// Appends the clear pairs of a leaf, 32 in a word.
fn push_clear(flat: &FlatRhumb, region: &FlatRegion, words: &mut Vec<u32>) {
    if region.first_clear == NONE {
        return;
    }
    let pairs = (region.ports as usize).pow(2).div_ceil(64);
    for bits in &flat.clear[region.first_clear as usize..][..pairs] {
        words.extend([*bits as u32, (bits >> 32) as u32]);
    }
}

/// Returns bytes, four in a word.
fn bytes(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks(4).map(|four| {
        let byte = |at: usize| four.get(at).copied().unwrap_or(0);
        u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
    })
}

/// Rows of costs, padded so that each begins at an even column with a word of its own.
struct Costs {
    is_narrow: bool,
    words: Vec<u32>,
}

impl Costs {
    fn push(&mut self, costs: &[u32], columns: usize) {
        for row in costs.chunks_exact(columns.max(1)) {
            for pair in row.chunks(2) {
                let costs = [pair[0], pair.get(1).copied().unwrap_or(NONE)];
                if self.is_narrow {
                    let [low, high] = costs.map(|cost| cost.min(0xffff));
                    self.words.push(low | high << 16);
                } else {
                    self.words.extend(costs.map(|cost| cost.min(NO_WAY)));
                }
            }
        }
    }
}

/// Works out how much room climbs need.
fn shape(flat: &FlatRhumb, is_narrow: bool) -> Shape {
    // By region: how many regions there are around it, itself included, and how many ports on the sides of all of them.
    let mut around: Vec<(u32, u32)> = Vec::with_capacity(flat.regions.len());
    let (mut depth, mut values, mut line, mut leaves) = (0, 0, 0, 0);
    for region in &flat.regions {
        let above = if region.parent == NONE { (0, 0) } else { around[region.parent as usize] };
        let own = (above.0 + 1, above.1 + region.ports - region.line_ports);
        around.push(own);
        (depth, values, line) = (depth.max(own.0), values.max(own.1), line.max(region.line_ports));
        leaves += u32::from(region.halves[0] == NONE);
    }
    // In steps of some ports, so that edits seldom need other programs.
    let (line, values) = ((line + 1).next_multiple_of(32), values.next_multiple_of(128));
    Shape { is_narrow, line, depth, values, leaves }
}
