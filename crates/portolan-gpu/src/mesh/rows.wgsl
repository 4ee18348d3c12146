// The corridors of the rhumb chart: over hubs of labels, and over inter-edges by rows of hops.

// The number in its node of the portal by which the way from a point to a hub begins.
fn exit_to_hub(end: End, index: u32) -> u32 {
    let range = exits_of(end.polygon);
    var best = NONE;
    var chosen = 0u;
    for (var place = range.x; place < range.y; place++) {
        let portal = entry(EXITS, place);
        if index < entry(LABEL_LENGTHS, portal) {
            let total = entry(LABEL_COSTS, entry(FIRST_LABEL, portal) + index) + exit_cost(end, portal);
            if total < best {
                best = total;
                chosen = slot_of(portal, end.polygon);
            }
        }
    }
    return chosen;
}

// Follows a label from a portal to a hub, both included.
fn follow_label(home: Node, from_slot: u32, index: u32, pen: ptr<function, Pen>) {
    var at = from_slot;
    loop {
        let portal = entry(NODE_PORTALS, home.first_portal + at);
        put_passage(pen, home.first_portal + at);
        let next = half_entry(LABEL_NEXT, entry(FIRST_LABEL, portal) + index);
        if next == at {
            return;
        }
        at = next;
    }
}

// The end of a corridor inside a node: the way from the goal to the hub, which is not part of it.
fn follow_label_from_goal(index: u32, goal: End, tail: ptr<function, Tail>) {
    let home = node(entry(NODE_BY_POLYGON, goal.polygon));
    var slot = exit_to_hub(goal, index);
    loop {
        let portal = entry(NODE_PORTALS, home.first_portal + slot);
        let next = half_entry(LABEL_NEXT, entry(FIRST_LABEL, portal) + index);
        if next == slot {
            return;
        }
        note(tail, home.first_portal + slot);
        slot = next;
    }
}

// The first hop of the way from an inter-edge to an entry of its row: the next inter-edge, and the node between the two.
fn hop_from(id: u32, entry_of_row: u32) -> vec2<u32> {
    let hop = half_entry(HOPS, 4u * id * params.width + entry_of_row);
    let seats = chart4[(first(BORDER_SEATS) >> 2u) + id];
    let through = select(seats.x, seats.z, (hop & SECOND_NODE) != 0u);
    return vec2<u32>(entry(BORDER_IDS, node(through).first_border + (hop & (SECOND_NODE - 1u))), through);
}

// Follows the corridor of a task, all but its end near the goal. Inter-edges that the way touches, because it goes on through
// the node that it came from, are left out. Returns the place in the goal's node of the inter-edge where the rest begins.
fn lead(choice: vec4<u32>, start: End, goal: End, pen: ptr<function, Pen>) -> u32 {
    let numbers = vec2<u32>(entry(NODE_BY_POLYGON, start.polygon), entry(NODE_BY_POLYGON, goal.polygon));
    if choice.x == INSIDE {
        follow_label(node(numbers.x), exit_to_hub(start, choice.z), choice.z, pen);
        return choice.w;
    }
    let goal_entry = node(numbers.y).first_border + choice.w;
    let target_id = entry(BORDER_IDS, goal_entry);
    var ahead = entry(BORDER_IDS, node(numbers.x).first_border + choice.z);
    var through = numbers.x;
    var at = NONE;
    loop {
        // What comes after the inter-edge ahead tells whether that one is passed.
        var hop = vec2<u32>(NONE, NONE);
        if ahead != target_id {
            hop = hop_from(ahead, goal_entry);
        } else if at != NONE && through == numbers.y {
            break;
        }
        if hop.y != through {
            let home = node(through);
            let border = place_in(ahead, through);
            if at == NONE {
                let slot = exit_to_border(start, home, border);
                put_passage(pen, home.first_portal + slot);
                follow(home, slot, border, pen);
            } else {
                follow(home, place_in(at, through), border, pen);
            }
            at = ahead;
            through = hop.y;
        }
        if ahead == target_id {
            break;
        }
        ahead = hop.x;
    }
    return place_in(at, numbers.y);
}

// Follows the end of the corridor of a task, from the goal on.
fn lead_back(choice: vec4<u32>, last: u32, goal: End, tail: ptr<function, Tail>) {
    if choice.x == INSIDE {
        follow_label_from_goal(choice.z, goal, tail);
    } else {
        follow_from_goal(last, goal, tail);
    }
}
