//! Turning the steps of agents into places, and checking every one of them on the way.
//!
//! Not here: computing the steps.

use super::run::Walked;
use crate::error::GpuError;
use portolan::flat::FlatGrid;
use portolan::{Cost, Routed};

/// Appends the routes of agents that stood on these nodes.
///
/// # Errors
/// When a step is not legal, or the steps of a route do not cost what the processor says.
pub(super) fn unroll<P>(
    flat: &FlatGrid,
    starts: &[u32],
    walked: &Walked,
    place: impl Fn(u32) -> P,
    routed: &mut Routed<P>,
) -> Result<(), GpuError> {
    let wrong = || GpuError::Failed("it has told steps that are no route".into());
    let mut words = walked.ways.iter();
    for (&start, &[cost, steps]) in starts.iter().zip(&walked.found) {
        if cost == u32::MAX {
            routed.costs.push(None);
            routed.offsets.push(routed.places.len() as u64);
            continue;
        }
        let (mut node, mut left, mut word) = (start as usize, cost, 0);
        routed.places.push(place(start));
        for step in 0..steps {
            if step % 4 == 0 {
                word = *words.next().ok_or_else(wrong)?;
            }
            let direction = (word & 0xff) as usize;
            word >>= 8;
            if flat.moves[node].checked_shr(direction as u32).is_none_or(|moves| moves & 1 == 0) {
                return Err(wrong());
            }
            let next = node.wrapping_add_signed(flat.offsets[direction] as isize);
            let weights = u32::from(flat.weights[node]) + u32::from(flat.weights[next]);
            left = left.checked_sub(flat.prices[direction] * weights / 2).ok_or_else(wrong)?;
            node = next;
            routed.places.push(place(node as u32));
        }
        if left != 0 {
            return Err(wrong());
        }
        routed.costs.push(Some(Cost(cost)));
        routed.offsets.push(routed.places.len() as u64);
    }
    Ok(())
}
