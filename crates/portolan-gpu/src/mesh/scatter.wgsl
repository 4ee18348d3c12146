// scatter: writes changed words into a chart, each where it belongs.

// How many words have changed, then for each of them its place and what it is now.
@group(0) @binding(0) var<storage, read> changes: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read_write> chart: array<u32>;

const LANES = 64u;

@compute @workgroup_size(LANES)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = id.y * groups.x * LANES + id.x;
    if thread < changes[0].x {
        let change = changes[1u + thread];
        chart[change.x] = change.y;
    }
}
