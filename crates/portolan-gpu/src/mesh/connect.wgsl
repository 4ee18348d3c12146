// What the ways from a point to the inter-edges of its node cost.

// The first four portals of a polygon, as most have no more: where their rows of costs begin, in fours, and what the way to
// them costs.
struct Exits {
    rows: vec4<u32>,
    costs: vec4<u32>,
    range: vec2<u32>,
}

fn exits(end: End, home: Node) -> Exits {
    let range = exits_of(end.polygon);
    let begin = first(COSTS) >> 2u;
    var found = Exits(vec4<u32>(begin), vec4<u32>(NO_WAY), range);
    for (var k = 0u; k < 4u; k++) {
        if range.x + k < range.y {
            let portal = entry(EXITS, range.x + k);
            found.rows[k] = begin + home.first_cost + slot_of(portal, end.polygon) * home.fours;
            found.costs[k] = exit_cost(end, portal);
        }
    }
    return found;
}

// What the cheapest ways from a point to four inter-edges of its node cost.
fn border_costs(end: End, way: Exits, home: Node, four: u32) -> vec4<u32> {
    var best = min(
        min(chart4[way.rows.x + four] + way.costs.x, chart4[way.rows.y + four] + way.costs.y),
        min(chart4[way.rows.z + four] + way.costs.z, chart4[way.rows.w + four] + way.costs.w)
    );
    for (var place = way.range.x + 4u; place < way.range.y; place++) {
        let portal = entry(EXITS, place);
        let row = (first(COSTS) >> 2u) + home.first_cost + slot_of(portal, end.polygon) * home.fours;
        best = min(best, chart4[row + four] + exit_cost(end, portal));
    }
    return min(best, vec4<u32>(NO_WAY));
}
