// Searching: the memory of threads that search, their open lists, and what they note about the routes they find.
//
// A thread that searches takes one task after another from a counter, so that the memory for records does not grow with the
// number of tasks. A record has the number of the search that wrote it, so that nothing is cleared between searches.

// How records and lists lie in memory: those of one thread together. Records begin with one that has no node, in which a thread
// keeps the number of its latest search.
@group(0) @binding(9) var<storage, read_write> records: array<vec2<u32>>;
@group(0) @binding(10) var<storage, read_write> lists: array<u32>;
// Where a thread that has ended within a search goes on: three fours of numbers for each thread.
@group(0) @binding(11) var<storage, read_write> states: array<vec4<u32>>;

// Costs and keys from here on are not told apart. A search that finds no route below half of this is left to the planner.
const TOO_FAR = 0x40000000u;
const MOST_COST = 0x20000000u;

// The counters behind those of the kinds of tasks: words of trails, whether these are too many, the next task of each search, how
// many threads have ended within a search, and for each search how often 64 nodes were expanded and 64 edges looked at.
const TRAIL_WORDS = 0u;
const TRAIL_IS_FULL = 1u;
const NEXT_SEARCH = 2u;
const NEXT_BORDER_SEARCH = 3u;
const SEARCHES_LEFT = 4u;
const LOOKED_AT = 5u;

// Far tasks take longest and come first.
fn kind_of(task: u32) -> u32 {
    let steps = distance_up(end_of(task, 0u).at, end_of(task, 1u).at) >> 12u;
    return params.kinds - 1u - min(steps, params.kinds - 1u);
}

fn next_turn(counter: u32) -> u32 {
    return atomicAdd(&tallies[params.kinds + counter], 1u);
}

// A lower bound on the cost from a place to a goal.
fn estimate(at: vec2<i32>, goal: vec2<i32>) -> u32 {
    return min(distance_down(at, goal) * params.least_weight, TOO_FAR);
}

// A number of a trail. Trails are kept in the memory of places.
fn trail(place: u32) -> u32 {
    return places[place >> 2u][place & 3u];
}

fn set_trail(place: u32, number: u32) {
    places[place >> 2u][place & 3u] = number;
}

// Reserves room for a trail in whole fours, so that no two threads write to one. Returns where it begins, or NONE if it does not
// fit.
fn reserve_trail(length: u32) -> u32 {
    let count = (length + 3u) & ~3u;
    let begin = atomicAdd(&tallies[params.kinds + TRAIL_WORDS], count);
    if begin >= 0x80000000u {
        atomicStore(&tallies[params.kinds + TRAIL_IS_FULL], 1u);
        return NONE;
    }
    return select(NONE, begin, begin + count <= 4u * params.places_room);
}

// A ring of buckets, each a stack of entries: the heads of the stacks, a bit for each that is not empty, and the entries, each
// an item and the entry below it.
struct OpenList {
    begin: u32,
    mask: u32,
    shift: u32,
    // The lowest bucket, counted from key 0. No entry lies below it.
    current: u32,
    length: u32,
    // How many entries there have been at once, and the first that is free again.
    used: u32,
    free: u32,
    // Whether an entry did not fit.
    is_full: bool,
}

var<private> open: OpenList;

fn open_reset(worker: u32, which: u32, first_key: u32) {
    open = OpenList();
    open.begin = worker * params.list_stride;
    open.mask = params.buckets[which] - 1u;
    open.shift = params.shifts[which];
    open.current = first_key >> open.shift;
    open.free = NONE;
    let bits = open.begin + open.mask + 1u;
    spend(open.mask >> 11u);
    for (var word = 0u; word <= open.mask >> 5u; word++) {
        lists[bits + word] = 0u;
    }
}

fn open_entries() -> u32 {
    return open.begin + open.mask + 1u + ((open.mask + 1u) >> 5u);
}

fn open_push(key: u32, item: u32) {
    let number = max(key >> open.shift, open.current);
    if number - open.current > open.mask {
        open.is_full = true;
        return;
    }
    let entries = open_entries();
    var own = open.free;
    if own != NONE {
        open.free = lists[entries + 2u * own + 1u];
    } else if open.used < params.list_room {
        own = open.used;
        open.used += 1u;
    } else {
        open.is_full = true;
        return;
    }
    let bucket = number & open.mask;
    let word = open.begin + open.mask + 1u + (bucket >> 5u);
    let bit = 1u << (bucket & 31u);
    let bits = lists[word];
    var below = NONE;
    if (bits & bit) != 0u {
        below = lists[open.begin + bucket];
    } else {
        lists[word] = bits | bit;
    }
    lists[entries + 2u * own] = item;
    lists[entries + 2u * own + 1u] = below;
    lists[open.begin + bucket] = own;
    open.length += 1u;
}

// Takes an entry out of the lowest bucket. Returns NONE if there are no entries.
fn open_pop() -> u32 {
    if open.length == 0u {
        return NONE;
    }
    open.length -= 1u;
    let words = open.begin + open.mask + 1u;
    var bucket = open.current & open.mask;
    var word = bucket >> 5u;
    var bits = lists[words + word];
    let ahead = bits & (0xffffffffu << (bucket & 31u));
    if ahead != 0u {
        bucket = (word << 5u) + firstTrailingBit(ahead);
    } else {
        loop {
            word = (word + 1u) & (open.mask >> 5u);
            bits = lists[words + word];
            if bits != 0u {
                break;
            }
        }
        bucket = (word << 5u) + firstTrailingBit(bits);
    }
    open.current += (bucket - open.current) & open.mask;
    let own = lists[open.begin + bucket];
    let entry_at = open_entries() + 2u * own;
    let item = lists[entry_at];
    let below = lists[entry_at + 1u];
    lists[entry_at + 1u] = open.free;
    open.free = own;
    if below == NONE {
        lists[words + word] = bits & ~(1u << (bucket & 31u));
    } else {
        lists[open.begin + bucket] = below;
    }
    return item;
}

fn open_floor() -> u32 {
    return open.current << open.shift;
}

// What a thread knows about its task while it searches.
struct Search {
    task: u32,
    number: u32,
    // Where its records begin.
    records: u32,
    start: End,
    goal: End,
    // The least cost of a route so far, and where that route ends: its last portal or inter-edge.
    best: u32,
    last: u32,
    // How many steps are left until the thread ends. What takes as long as many steps counts as many.
    steps: u32,
    // How many nodes were expanded, and how many edges or fours of costs looked at.
    expanded: u32,
    looked: u32,
}

var<private> own: Search;

fn spend(steps: u32) {
    own.steps -= min(own.steps, steps);
}

fn take_task(task: u32) {
    own.task = task;
    own.start = end_of(task, 0u);
    own.goal = end_of(task, 1u);
    own.best = NONE;
    own.last = NONE;
}

// Goes on with the search of the thread, if there is one. Returns whether there is.
fn resume(worker: u32, which: u32) -> bool {
    own.steps = params.steps;
    let first = states[3u * worker];
    if first.x == 0u {
        return false;
    }
    let second = states[3u * worker + 1u];
    take_task(first.y);
    own.best = first.z;
    own.last = first.w;
    open.begin = worker * params.list_stride;
    open.mask = params.buckets[which] - 1u;
    open.shift = params.shifts[which];
    open.current = second.x;
    open.length = second.y;
    open.used = second.z;
    open.free = second.w;
    open.is_full = states[3u * worker + 2u].x != 0u;
    return true;
}

// Notes where the thread is, for `resume`.
fn suspend(worker: u32, which: u32, is_busy: bool) {
    let counter = params.kinds + LOOKED_AT + 2u * which;
    atomicAdd(&tallies[counter], (own.expanded + 32u) / 64u);
    atomicAdd(&tallies[counter + 1u], (own.looked + 32u) / 64u);
    states[3u * worker] = vec4<u32>(select(0u, 1u, is_busy), own.task, own.best, own.last);
    if is_busy {
        states[3u * worker + 1u] = vec4<u32>(open.current, open.length, open.used, open.free);
        states[3u * worker + 2u] = vec4<u32>(select(0u, 1u, open.is_full), 0u, 0u, 0u);
        atomicAdd(&tallies[params.kinds + SEARCHES_LEFT], 1u);
    }
}
