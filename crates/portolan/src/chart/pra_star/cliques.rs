//! Cliques: which members of a block become one node of the layer above. Members are numbers from 0 on. The cliques
//! depend only on the number of members and on which of them are neighbours, so that a block that is made again without
//! a change gets the cliques it had.
//!
//! Cliques of four are taken first, then cliques of three, then pairs. A member that is left over and has exactly one
//! neighbour is an orphan: it joins the clique of that neighbour. In the topmost block every member that is left over
//! and has neighbours joins the clique of its first one, so that from there on each layer has at most half as many
//! nodes in a connected area, until that is one node.
//!
//! Not here: making nodes out of cliques (`blocks`).

use super::touch::PAIRS;
use std::sync::LazyLock;

/// The most members that a clique has before orphans join it.
const MOST: usize = 4;

/// A sentinel for "no clique yet", and for "no new number yet" while cliques are numbered.
const NONE: u32 = u32::MAX;

/// The members of a block, which of them are neighbours, and the cliques they make. With up to 64 members neighbours
/// are kept as bits, with more as sorted pairs.
#[derive(Default)]
pub(super) struct Cliques {
    members: usize,
    /// By member: its neighbours, one bit each. Empty if there are more than 64 members.
    beside: Vec<u64>,
    /// Pairs of neighbours, each in both orders, if there are more than 64 members. [`Cliques::group`] sorts them.
    pairs: Vec<(u32, u32)>,
    /// By member: where the pairs that begin with it start in `pairs`, once these are sorted.
    first: Vec<u32>,
    /// By member: its clique.
    clique: Vec<u32>,
    count: u32,
    /// The members that have no clique yet, one bit each. Used if there are at most 64 members.
    left: u64,
    renamed: Vec<u32>,
}

impl Cliques {
    /// Begins anew with this number of members, of which no two are neighbours.
    pub(super) fn reset(&mut self, members: usize) {
        self.members = members;
        self.beside.clear();
        self.pairs.clear();
        if members <= 64 {
            self.beside.resize(members, 0);
        }
    }

    /// Makes two members neighbours.
    #[inline]
    pub(super) fn join(&mut self, a: usize, b: usize) {
        if self.members <= 64 {
            self.beside[a] |= 1 << b;
            self.beside[b] |= 1 << a;
        } else {
            self.pairs.extend([(a as u32, b as u32), (b as u32, a as u32)]);
        }
    }

    /// Sorts the pairs, removes duplicates and finds where the pairs of each member start.
    fn sort(&mut self) {
        if self.members <= 64 {
            return;
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.first.clear();
        self.first.resize(self.members + 1, 0);
        for &(member, _) in &self.pairs {
            self.first[member as usize + 1] += 1;
        }
        for member in 0..self.members {
            self.first[member + 1] += self.first[member];
        }
    }

    fn list(&self, member: usize) -> &[(u32, u32)] {
        &self.pairs[self.first[member] as usize..self.first[member + 1] as usize]
    }

    fn are_joined(&self, a: usize, b: usize) -> bool {
        self.list(a).binary_search(&(a as u32, b as u32)).is_ok()
    }

    /// Returns whether a member has a neighbour. Call it after [`Cliques::group`], which sorts the pairs.
    #[inline]
    pub(super) fn is_joined(&self, member: usize) -> bool {
        self.beside.get(member).map_or_else(|| !self.list(member).is_empty(), |&row| row != 0)
    }

    /// Returns those neighbours of a member whose number is at least `from`, in ascending order.
    #[inline]
    fn beside(&self, member: usize, from: usize) -> impl Iterator<Item = usize> + '_ {
        let mut bits = self.beside.get(member).map_or(0, |row| row & u64::MAX.checked_shl(from as u32).unwrap_or(0));
        let list = if self.members <= 64 { &[][..] } else { self.list(member) };
        let later = list.partition_point(|&(_, other)| (other as usize) < from);
        let bits = std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                bit
            })
        });
        bits.chain(list[later..].iter().map(|&(_, other)| other as usize))
    }

    /// Makes the cliques and returns how many there are. They are numbered in the order of their first members.
    /// `is_top` says whether this is the topmost block.
    pub(super) fn group(&mut self, is_top: bool) -> usize {
        self.clique.clear();
        self.clique.resize(self.members, NONE);
        self.count = 0;
        self.left = u64::MAX;
        self.sort();
        for size in (2..=MOST).rev() {
            for member in 0..self.members {
                if self.clique[member] == NONE {
                    self.try_clique(member, size);
                }
            }
        }
        self.take_in_orphans(is_top);
        self.number()
    }

    /// Makes a clique of `size` out of a member and later members that have no clique yet, if there is one.
    #[inline(always)]
    fn try_clique(&mut self, member: usize, size: usize) {
        let mut found = [member; MOST];
        let is_found = match self.beside.get(member) {
            Some(&row) => {
                let among = row & self.left & later(member);
                among.count_ones() as usize + 1 >= size && self.extend_bits(&mut found, 1, size, among)
            }
            None => self.extend(&mut found, 1, size),
        };
        if is_found {
            for &one in &found[..size] {
                self.clique[one] = self.count;
                self.left &= !1u64.checked_shl(one as u32).unwrap_or(0);
            }
            self.count += 1;
        }
    }

    /// Extends a clique of `have` members to `size` members, trying lower numbers first, and returns whether that
    /// worked. `among` has a bit for each member that is a neighbour of all members found so far.
    fn extend_bits(&self, found: &mut [usize; MOST], have: usize, size: usize, mut among: u64) -> bool {
        if have == size {
            return true;
        }
        while among.count_ones() as usize >= size - have {
            let next = among.trailing_zeros() as usize;
            among &= among - 1;
            found[have] = next;
            if self.extend_bits(found, have + 1, size, among & self.beside[next]) {
                return true;
            }
        }
        false
    }

    /// Does what `extend_bits` does where neighbours are pairs instead of bits.
    fn extend(&self, found: &mut [usize; MOST], have: usize, size: usize) -> bool {
        if have == size {
            return true;
        }
        let last = found[have - 1];
        for next in self.beside(found[0], last + 1) {
            let fits = self.clique[next] == NONE && found[1..have].iter().all(|&one| self.are_joined(one, next));
            if fits {
                found[have] = next;
                if self.extend(found, have + 1, size) {
                    return true;
                }
            }
        }
        false
    }

    /// Adds each member that is left over to the clique of its only neighbour or, in the topmost block, of its first
    /// neighbour. Any other such member becomes a clique of its own.
    fn take_in_orphans(&mut self, is_top: bool) {
        for member in 0..self.members {
            if self.clique[member] != NONE {
                continue;
            }
            let joined = {
                let mut neighbours = self.beside(member, 0);
                match (neighbours.next(), neighbours.next()) {
                    (Some(only), None) => Some(only),
                    (Some(first), Some(_)) if is_top => Some(first),
                    _ => None,
                }
            };
            match joined.map(|neighbour| self.clique[neighbour]) {
                // `Some(NONE)` does not occur: two neighbours that are both left over would have become a pair.
                Some(NONE) | None => {
                    self.clique[member] = self.count;
                    self.count += 1;
                }
                Some(clique) => self.clique[member] = clique,
            }
        }
    }

    /// Numbers the cliques in the order of their first members, and returns how many there are.
    fn number(&mut self) -> usize {
        self.renamed.clear();
        self.renamed.resize(self.count as usize, NONE);
        let mut next = 0;
        for clique in &mut self.clique {
            let renamed = &mut self.renamed[*clique as usize];
            if *renamed == NONE {
                *renamed = next;
                next += 1;
            }
            *clique = *renamed;
        }
        next as usize
    }

    /// Returns the clique of a member. Call it after [`Cliques::group`].
    #[inline]
    pub(super) fn of(&self, member: usize) -> usize {
        self.clique[member] as usize
    }
}

/// Returns the bits of all members after `member`.
fn later(member: usize) -> u64 {
    u64::MAX.checked_shl(member as u32 + 1).unwrap_or(0)
}

/// The cliques of a block whose quarters have at most one node each.
#[derive(Copy, Clone, Default)]
pub(super) struct Split {
    /// By quarter: the clique of its node.
    pub(super) clique: [u8; 4],
    pub(super) count: u8,
    /// The quarters whose node has a neighbour in the block, one bit each.
    pub(super) joined: u8,
}

/// Looks up the cliques of a block. `there` has a bit for each quarter that has a node, `pairs` a bit for each of
/// [`PAIRS`] that touches.
#[inline]
pub(super) fn split(there: u8, pairs: u8) -> &'static Split {
    static ALL: LazyLock<Vec<Split>> = LazyLock::new(|| {
        let mut cliques = Cliques::default();
        (0..1 << (4 + PAIRS.len()))
            .map(|which: usize| {
                let members: Vec<usize> = (0..4).filter(|quarter| which >> quarter & 1 == 1).collect();
                let index = |quarter: usize| members.iter().position(|&member| member == quarter);
                cliques.reset(members.len());
                for (_, &(a, b)) in (4..).zip(&PAIRS).filter(|(bit, _)| which >> bit & 1 == 1) {
                    // A quarter without a node touches nothing, so no block looks up this entry. That holds for nine
                    // entries in ten.
                    let (Some(a), Some(b)) = (index(a), index(b)) else { return Split::default() };
                    cliques.join(a, b);
                }
                let mut split = Split { count: cliques.group(false) as u8, ..Split::default() };
                for (member, &quarter) in members.iter().enumerate() {
                    split.clique[quarter] = cliques.of(member) as u8;
                    split.joined |= u8::from(cliques.is_joined(member)) << quarter;
                }
                split
            })
            .collect()
    });
    &ALL[usize::from(there) | usize::from(pairs) << 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(members: usize, pairs: &[(usize, usize)], is_top: bool) -> Vec<usize> {
        let mut cliques = Cliques::default();
        cliques.reset(members);
        for &(a, b) in pairs {
            cliques.join(a, b);
        }
        cliques.group(is_top);
        (0..members).map(|member| cliques.of(member)).collect()
    }

    #[test]
    fn four_come_before_three_and_three_before_two() {
        assert_eq!(grouped(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], false), [0, 0, 0, 0]);
        // The triangle of 2, 3 and 4 with a tail of 1 and 0.
        assert_eq!(grouped(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (2, 4)], false), [0, 0, 1, 1, 1]);
    }

    #[test]
    fn an_orphan_joins_the_one_it_hangs_on() {
        assert_eq!(grouped(3, &[(0, 1), (1, 2)], false), [0, 0, 0]);
        assert_eq!(grouped(2, &[], false), [0, 1]);
    }

    #[test]
    fn whoever_hangs_on_two_waits_for_the_topmost_block() {
        // Members 0 and 1 are both neighbours of 2, 3 and 4.
        let between = [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)];
        assert_eq!(grouped(5, &between, false), [0, 1, 0, 1, 2]);
        assert_eq!(grouped(5, &between, true), [0, 1, 0, 1, 0]);
    }

    #[test]
    fn many_members_are_grouped_as_few_are() {
        let chain = |members: usize| (1..members).map(|member| (member - 1, member)).collect::<Vec<_>>();
        let (few, many) = (grouped(64, &chain(64), false), grouped(200, &chain(200), false));
        assert_eq!(few[..60], many[..60]);
        assert!(many.windows(2).all(|pair| pair[1] - pair[0] <= 1));
    }
}
