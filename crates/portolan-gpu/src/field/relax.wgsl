// relax: the costs of a tile and of the rim around it are brought into the memory of a group of threads, one thread to a column
// of four nodes in turn, and lowered there in place until nothing changes. What has changed is written back, and tiles are listed whose
// nodes could be reached at less cost from here. A cost that is read may be lowered by another group meanwhile; then that
// group lists this tile. Costs only sink, so that the end does not depend on who was first.

var<workgroup> near_costs: array<atomic<u32>, NEAR>;
var<workgroup> near_weights: array<u32, NEAR>;
var<workgroup> has_changed: atomic<u32>;
var<workgroup> goes_on: u32;
var<workgroup> listed: u32;

// Where the node of a lane lies, inside the tile and its rim.
fn place_of(lane: u32, part: u32) -> u32 {
    return (lane / SIDE + 8u * part + 1u) * WIDE + lane % SIDE + 1u;
}

fn place_offset(direction: u32) -> i32 {
    return params.places[direction >> 2u][direction & 3u];
}

// The cost by way of a neighbour, `FAR` if that is more than the limit.
fn cost_over(cost: u32, price: u32) -> u32 {
    if cost > params.limit || price > params.limit - cost {
        return FAR;
    }
    return cost + price;
}

// The least cost of a node by way of its neighbours.
fn lowered(place: u32, moves: u32) -> u32 {
    var best = atomicLoad(&near_costs[place]);
    let weight = near_weights[place];
    for (var left = moves; left != 0u; left &= left - 1u) {
        let direction = countTrailingZeros(left);
        let beside = u32(i32(place) + place_offset(direction));
        best = min(best, cost_over(atomicLoad(&near_costs[beside]), price_of(direction, weight, near_weights[beside])));
    }
    return best;
}

// Lists the tiles of those neighbours outside of the tile that could be reached at less cost from a node.
fn list_around(node: u32, lane: u32, part: u32, columns: u32, moves: u32) {
    let place = place_of(lane, part);
    for (var left = moves; left != 0u; left &= left - 1u) {
        let direction = countTrailingZeros(left);
        let beside = u32(i32(place) + place_offset(direction));
        let column = beside % WIDE - 1u;
        let row = beside / WIDE - 1u;
        // Before the first column or row, these numbers are huge.
        if column < columns && row < SIDE {
            continue;
        }
        let price = price_of(direction, near_weights[place], near_weights[beside]);
        if cost_over(atomicLoad(&near_costs[place]), price) < atomicLoad(&near_costs[beside]) {
            list_tile_of(neighbour(node, direction));
        }
    }
}

fn relax_tile(tile: u32, lane: u32) {
    let first_column = (tile % params.across) * SIDE;
    let first = (tile / params.across) * SIDE * params.stride + first_column;
    let columns = min(SIDE, params.stride - first_column);
    if lane == 0u {
        atomicStore(&work[flags_begin(params.turn) + tile], 0u);
    }
    workgroupBarrier();
    for (var place = lane; place < NEAR; place += LANES) {
        let node = first + (place / WIDE) * params.stride + place % WIDE - params.stride - 1u;
        // Before the first node, the number is huge.
        let is_node = node < params.nodes;
        var cost = FAR;
        var weight = 0u;
        if is_node {
            cost = atomicLoad(&costs[node]);
            weight = ground_of(node) >> 8u;
        }
        atomicStore(&near_costs[place], cost);
        near_weights[place] = weight;
    }
    var nodes: vec4<u32>;
    var moves: vec4<u32>;
    var before: vec4<u32>;
    workgroupBarrier();
    for (var part = 0u; part < 4u; part++) {
        nodes[part] = first + (lane / SIDE + 8u * part) * params.stride + lane % SIDE;
        if lane % SIDE < columns && nodes[part] < params.nodes {
            moves[part] = ground_of(nodes[part]) & 0xffu;
        }
        before[part] = atomicLoad(&near_costs[place_of(lane, part)]);
    }
    loop {
        if lane == 0u {
            atomicStore(&has_changed, 0u);
        }
        workgroupBarrier();
        for (var part = 0u; part < 4u; part++) {
            let place = place_of(lane, part);
            let best = lowered(place, moves[part]);
            if best < atomicLoad(&near_costs[place]) {
                atomicStore(&near_costs[place], best);
                atomicStore(&has_changed, 1u);
            }
        }
        workgroupBarrier();
        if lane == 0u {
            goes_on = atomicLoad(&has_changed);
        }
        if workgroupUniformLoad(&goes_on) == 0u {
            break;
        }
    }
    for (var part = 0u; part < 4u; part++) {
        let cost = atomicLoad(&near_costs[place_of(lane, part)]);
        // A goal that is new in its tile has not been lowered here, and yet its neighbours may lie elsewhere.
        if cost < before[part] || cost == 0u {
            atomicStore(&costs[nodes[part]], cost);
            list_around(nodes[part], lane, part, columns, moves[part]);
        }
    }
    workgroupBarrier();
}

@compute @workgroup_size(LANES)
fn relax(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = group.y * groups.x + group.x;
    if lane == 0u {
        if block == 0u {
            // The list that the turn before has read; the next turn writes it.
            atomicStore(&work[(params.turn + 2u) % 3u], 0u);
        }
        listed = atomicLoad(&work[params.turn]);
    }
    let count = workgroupUniformLoad(&listed);
    for (var place = block; place < count; place += groups.x * groups.y) {
        relax_tile(atomicLoad(&work[list_begin(params.turn) + place]), lane);
    }
}
