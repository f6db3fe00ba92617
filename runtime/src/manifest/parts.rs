//! Parts of memory blocks.
//!
//! Input: parts, which may overlap: memory block, first byte, end.
//! Output: the same bytes as sorted and disjoint parts.
//! Postcondition: parts that touch are merged.

pub type Part = (u32, u64, u64);

pub fn parts(mut extents: Vec<Part>) -> Vec<Part> {
    extents.sort_unstable();
    extents.dedup_by(|next, last| {
        let is_joined = next.0 == last.0 && next.1 <= last.2;
        if is_joined {
            last.2 = last.2.max(next.2);
        }
        is_joined
    });
    extents
}

/// Whether a range is in one of the parts, which are sorted and disjoint. An empty range always is.
pub fn is_in(parts: &[Part], (block, start, end): Part) -> bool {
    let after = parts.partition_point(|part| (part.0, part.1) <= (block, start));
    let part = after.checked_sub(1).and_then(|before| parts.get(before));
    start == end || part.is_some_and(|part| part.0 == block && end <= part.2)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn parts_that_touch_are_one() {
        let found = parts(vec![(1, 8, 16), (0, 4, 8), (1, 0, 8), (1, 2, 3), (1, 20, 24)]);
        assert_eq!(found, [(0, 4, 8), (1, 0, 16), (1, 20, 24)]);
        for (part, is_inside) in [
            ((1, 4, 12), true),
            ((1, 16, 17), false),
            ((1, 15, 21), false),
            ((0, 3, 5), false),
            ((0, 4, 8), true),
            ((2, 0, 0), true),
        ] {
            assert_eq!(is_in(&found, part), is_inside, "{part:?}");
        }
    }
}
