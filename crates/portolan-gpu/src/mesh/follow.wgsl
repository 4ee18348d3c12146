// Writing the portals of a corridor that are passed, one after another.

// What a walk along a corridor writes. Portals that the corridor touches and does not pass are left out: those after which
// it goes on through the polygon that it came from.
struct Pen {
    // How many portals there were, and how many gates were written.
    seen: u32,
    gates: u32,
    // Where the first gate is written; nothing is if `writes` is false.
    begin: u32,
    writes: bool,
    // The polygon before the latest portal, that portal, and its polygons.
    polygon: u32,
    portal: u32,
    polygons: vec2<u32>,
    // The latest four gates, the last one last. They are written four at a time.
    held: vec4<u32>,
}

// Where the number of a corridor is kept: four numbers of a task lie together, and those of the tasks of a group side by
// side.
fn corridor_place(begin: u32, index: u32) -> u32 {
    return begin + (index >> 2u) * GROUP;
}

// A portal of a corridor as an agent passes it: its number, and whether the agent leaves its first polygon.
fn gate(portal: u32, is_first: bool) -> u32 {
    return (portal << 2u) | select(0u, 2u, is_first);
}

// One of four numbers.
fn one_of(four: vec4<u32>, place: u32) -> u32 {
    return select(select(four.x, four.y, (place & 1u) != 0u), select(four.z, four.w, (place & 1u) != 0u), (place & 2u) != 0u);
}

// The end of a corridor is found from the goal on and needed the other way round. So the places of its portals are noted behind the
// corridor, up to place `room`, from the last one on.
struct Tail {
    begin: u32,
    room: u32,
    writes: bool,
    // How many portals there were.
    count: u32,
    // The latest four, the last one first. They are written four at a time.
    held: vec4<u32>,
}

// Notes a portal of a node, given by its place among the portals of all nodes.
fn note(tail: ptr<function, Tail>, portal: u32) {
    (*tail).count += 1u;
    if (*tail).writes {
        (*tail).held = vec4<u32>(portal, (*tail).held.xyz);
        let place = (*tail).room - (*tail).count;
        if (place & 3u) == 0u {
            corridor[corridor_place((*tail).begin, place)] = (*tail).held;
        }
    }
}

// Writes what is held back of a tail.
fn finish_tail(tail: ptr<function, Tail>) {
    let place = (*tail).room - (*tail).count;
    var held = (*tail).held;
    for (var empty = place & 3u; empty > 0u; empty--) {
        held = vec4<u32>(0u, held.xyz);
    }
    if (*tail).count > 0u && (place & 3u) != 0u {
        corridor[corridor_place((*tail).begin, place)] = held;
    }
}

// Goes on to the portals of a tail.
fn put_tail(pen: ptr<function, Pen>, tail: Tail) {
    let first_place = tail.room - tail.count;
    var four = vec4<u32>();
    for (var place = first_place; place < tail.room; place++) {
        if place == first_place || (place & 3u) == 0u {
            four = corridor[corridor_place(tail.begin, place)];
        }
        put_passage(pen, one_of(four, place));
    }
}

// Goes on to a portal.
fn put(pen: ptr<function, Pen>, portal: u32) {
    if (*pen).writes {
        put_gate(pen, portal, pair(PORTAL_POLYGONS, portal));
    }
    (*pen).seen += 1u;
}

// Goes on to a portal of a node, given by its place among the portals of all nodes.
fn put_passage(pen: ptr<function, Pen>, place: u32) {
    if (*pen).writes {
        let passage = chart4[(first(PASSAGES) >> 2u) + place];
        put_gate(pen, passage.x, passage.yz);
    }
    (*pen).seen += 1u;
}

// Writes the gate of the portal before, unless the corridor only touches it.
fn put_gate(pen: ptr<function, Pen>, portal: u32, polygons: vec2<u32>) {
    if (*pen).seen > 0u {
        let is_first = (*pen).polygons.x == (*pen).polygon;
        let behind = select((*pen).polygons.x, (*pen).polygons.y, is_first);
        if any(polygons == vec2<u32>(behind)) {
            (*pen).held = vec4<u32>((*pen).held.yzw, gate((*pen).portal, is_first));
            (*pen).polygon = behind;
            (*pen).gates += 1u;
            if ((*pen).gates & 3u) == 0u {
                corridor[corridor_place((*pen).begin, (*pen).gates - 1u)] = (*pen).held;
            }
        }
    }
    (*pen).portal = portal;
    (*pen).polygons = polygons;
}

// Writes the last gate, and what is held back.
fn finish(pen: ptr<function, Pen>, goal: u32) {
    put_gate(pen, 0u, vec2<u32>(goal));
    let left = (*pen).gates & 3u;
    if left != 0u {
        var held = (*pen).held;
        for (var place = left; place < 4u; place++) {
            held = vec4<u32>(held.yzw, 0u);
        }
        corridor[corridor_place((*pen).begin, (*pen).gates)] = held;
    }
}
