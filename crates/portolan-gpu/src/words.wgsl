// Reading the arrays of a chart. The program that this is part of declares `chart`, and in `params.at` where each array begins.

fn first(array: u32) -> u32 {
    return params.at[array >> 2u][array & 3u];
}

fn entry(array: u32, index: u32) -> u32 {
    return chart[first(array) + index];
}

// Reads a number of 16 bits, of which two share a word.
fn half_entry(array: u32, index: u32) -> u32 {
    return (chart[first(array) + (index >> 1u)] >> ((index & 1u) * 16u)) & 0xffffu;
}
