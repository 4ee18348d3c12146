// The ends of a task, and what a node keeps about the portals around them.

struct End {
    polygon: u32,
    at: vec2<i32>,
}

fn end_of(task: u32, which: u32) -> End {
    let place = 6u * task + 3u * which;
    return End(tasks[place], vec2<i32>(bitcast<i32>(tasks[place + 1u]), bitcast<i32>(tasks[place + 2u])));
}

fn sums_begin() -> u32 {
    return 2u * (params.tasks + 1u);
}

// Rows of costs are padded to whole fours; `first_cost` counts fours, and `fours` is how many a row has.
struct Node {
    first_portal: u32,
    portals: u32,
    fours: u32,
    first_cost: u32,
    first_next: u32,
    first_border: u32,
}

fn node(number: u32) -> Node {
    let place = (first(NODES) >> 2u) + 2u * number;
    let some = chart4[place];
    let more = chart4[place + 1u];
    return Node(some.x, some.y, some.z, some.w, more.x, more.y);
}

fn exits_of(polygon: u32) -> vec2<u32> {
    return vec2<u32>(entry(FIRST_EXIT, polygon), entry(FIRST_EXIT, polygon + 1u));
}

// What the way from a point to the middle of a portal of its polygon costs.
fn exit_cost(end: End, portal: u32) -> u32 {
    return min(distance_up(end.at, spot(MIDDLES, portal)) * entry(WEIGHTS, end.polygon), NO_WAY);
}

// The number of a portal in the node of one of its polygons.
fn slot_of(portal: u32, polygon: u32) -> u32 {
    let is_second = entry(PORTAL_POLYGONS, 2u * portal) != polygon;
    return half_entry(SLOTS, 2u * portal + select(0u, 1u, is_second));
}

// How many entries the labels have in common that lead between two polygons of one node.
fn common_entries(from_polygon: u32, to_polygon: u32) -> u32 {
    var a = entry(REGION_BY_POLYGON, from_polygon);
    var b = entry(REGION_BY_POLYGON, to_polygon);
    while a != b {
        if a > b {
            a = entry(REGION_PARENTS, a);
        } else {
            b = entry(REGION_PARENTS, b);
        }
    }
    if a == NONE {
        return 0u;
    }
    return entry(REGION_ENDS, a);
}
