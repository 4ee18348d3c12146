// Sums of all numbers before each number of a list in `offsets`: `scan_blocks`, `scan_sums` and `scan_add`, in this order.
// The program that this is part of declares `params`, `offsets` and `sums_begin()`.

const SCANNED = 1024u;
var<workgroup> partial: array<u32, 256>;

// Adds up the numbers of all lanes of a group before this one. Afterwards the last of `partial` is the sum of all.
fn sum_before(lane: u32, own: u32) -> u32 {
    workgroupBarrier();
    partial[lane] = own;
    for (var reach = 1u; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        var before = 0u;
        if lane >= reach {
            before = partial[lane - reach];
        }
        workgroupBarrier();
        partial[lane] += before;
    }
    workgroupBarrier();
    return partial[lane] - own;
}

fn block_of(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}

@compute @workgroup_size(256)
fn scan_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = block_of(group, groups);
    let begin = block * SCANNED + 4u * lane;
    var own = vec4<u32>();
    for (var k = 0u; k < 4u; k++) {
        if begin + k < params.scan_count {
            own[k] = offsets[params.scanned + begin + k];
        }
    }
    var running = sum_before(lane, own.x + own.y + own.z + own.w);
    for (var k = 0u; k < 4u; k++) {
        if begin + k < params.scan_count {
            offsets[params.scanned + begin + k] = running;
        }
        running += own[k];
    }
    if lane == 255u && block < params.scan_blocks {
        offsets[sums_begin() + block] = running;
    }
}

@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_index) lane: u32) {
    var carried = 0u;
    for (var begin = 0u; begin < params.scan_blocks; begin += 256u) {
        var own = 0u;
        if begin + lane < params.scan_blocks {
            own = offsets[sums_begin() + begin + lane];
        }
        let before = sum_before(lane, own);
        if begin + lane < params.scan_blocks {
            offsets[sums_begin() + begin + lane] = carried + before;
        }
        carried += workgroupUniformLoad(&partial[255]);
    }
}

@compute @workgroup_size(256)
fn scan_add(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = block_of(group, groups);
    let begin = block * SCANNED + 4u * lane;
    for (var k = 0u; k < 4u; k++) {
        if begin + k < params.scan_count {
            offsets[params.scanned + begin + k] += offsets[sums_begin() + block];
        }
    }
}
