// Kept ways inside a node: following them from portal to portal, to an inter-edge of the node.

// The number in its node of the portal by which the way from a point to an inter-edge of its node begins.
fn exit_to_border(end: End, home: Node, border: u32) -> u32 {
    let range = exits_of(end.polygon);
    var best = NONE;
    var chosen = 0u;
    for (var place = range.x; place < range.y; place++) {
        let portal = entry(EXITS, place);
        let slot = slot_of(portal, end.polygon);
        let total = entry(COSTS, 4u * (home.first_cost + slot * home.fours) + border) + exit_cost(end, portal);
        if total < best {
            best = total;
            chosen = slot;
        }
    }
    return chosen;
}

// Follows kept ways inside a node from a portal to an inter-edge, without the portal itself.
fn follow(home: Node, from_slot: u32, border: u32, pen: ptr<function, Pen>) {
    var at = from_slot;
    while at != border {
        at = half_entry(NEXT, home.first_next + border * home.portals + at);
        put_passage(pen, home.first_portal + at);
    }
}

// The place of an inter-edge in one of its nodes.
fn place_in(id: u32, number: u32) -> u32 {
    let seats = chart4[(first(BORDER_SEATS) >> 2u) + id];
    return select(seats.w, seats.y, seats.x == number);
}

// The end of a corridor over inter-edges: the way from the goal to the last inter-edge, which is not part of it.
fn follow_from_goal(last: u32, goal: End, tail: ptr<function, Tail>) {
    let home = node(entry(NODE_BY_POLYGON, goal.polygon));
    var slot = exit_to_border(goal, home, last);
    while slot != last {
        note(tail, home.first_portal + slot);
        slot = half_entry(NEXT, home.first_next + last * home.portals + slot);
    }
}
