//! Maps the elements of one array to an array of another shape.
//!
//! Input: the extents of two arrays, the slowest first, and the first element of a common range in each,
//! counted in the order of memory.
//! Output: pairs of boxes.
//! Postcondition: the boxes of a pair contain the same elements in the same order; together they contain all
//! elements, each once.

/// A box of elements. Both vectors have one number for each dimension of the array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementBox {
    pub first: Vec<u64>,
    pub counts: Vec<u64>,
}

/// Two shapes may need as many boxes as the array has rows. More pairs than this are not useful.
const MOST: usize = 256;

/// `None` if there would be too many pairs. The elements are inside both arrays.
pub fn pairs(into: (&[u64], u64), from: (&[u64], u64), count: u64) -> Option<Vec<(ElementBox, ElementBox)>> {
    let (mut to, mut at, mut left) = (into.1, from.1, count);
    let mut list = Vec::new();
    while left > 0 {
        if list.len() == MOST {
            return None;
        }
        let mut size = left;
        // The largest box in both arrays; a single element always is one.
        let (here, there) = loop {
            let here = begin(into.0, to, size);
            let there = begin(from.0, at, elements(&here));
            if elements(&here) == elements(&there) {
                break (here, there);
            }
            size = elements(&there);
        };
        let taken = elements(&here);
        (to, at, left) = (to + taken, at + taken, left - taken);
        list.push((here, there));
    }
    Some(list)
}

fn elements(block: &ElementBox) -> u64 {
    block.counts.iter().product()
}

/// The largest box of at most `most` elements that begins at `place` and is contiguous in memory.
fn begin(dims: &[u64], place: u64, most: u64) -> ElementBox {
    let mut strides = vec![1u64; dims.len()];
    for index in (1..dims.len()).rev() {
        strides[index - 1] = strides[index] * dims[index];
    }
    let first: Vec<u64> = strides.iter().zip(dims).map(|(stride, all)| place / stride % all).collect();
    let mut counts = vec![1; dims.len()];
    // The slowest dimension in which the box can have more than one row. The dimensions after it are
    // complete.
    let fits = |index: &usize| place % strides[*index] == 0 && strides[*index] <= most;
    if let Some(row) = (0..dims.len()).find(fits) {
        counts[row] = (most / strides[row]).min(dims[row] - first[row]);
        counts[row + 1..].copy_from_slice(&dims[row + 1..]);
    }
    ElementBox { first, counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements of a box, one by one.
    fn map(dims: &[u64], block: &ElementBox) -> Vec<u64> {
        let mut list = vec![0];
        for (index, all) in dims.iter().enumerate() {
            let inside = |base: u64| {
                (0..block.counts[index])
                    .map(move |at| base * all + block.first[index] + at)
                    .collect::<Vec<u64>>()
            };
            list = list.into_iter().flat_map(inside).collect();
        }
        list
    }

    fn check(into: (&[u64], u64), from: (&[u64], u64), count: u64) -> usize {
        let found = pairs(into, from, count).unwrap();
        let mut next = 0;
        for (here, there) in &found {
            let (here, there) = (map(into.0, here), map(from.0, there));
            assert_eq!(here.len(), there.len());
            for (to, at) in here.into_iter().zip(there) {
                assert_eq!((to, at), (into.1 + next, from.1 + next));
                next += 1;
            }
        }
        assert_eq!(next, count);
        found.len()
    }

    #[test]
    fn whole_rows_are_one_box() {
        assert_eq!(check((&[4, 5], 0), (&[4, 5], 0), 20), 1);
        assert_eq!(check((&[20], 0), (&[4, 5], 0), 20), 1);
        assert_eq!(check((&[2, 3, 4], 0), (&[6, 4], 0), 24), 1);
        assert_eq!(check((&[7], 0), (&[9], 2), 7), 1);
        assert_eq!(check((&[3, 5], 0), (&[10, 5], 10), 15), 1);
        assert_eq!(check((&[15], 0), (&[10, 5], 8), 15), 3);
    }

    #[test]
    fn any_shape_over_any_other_has_each_element_once() {
        let shapes: [&[u64]; 6] = [&[60], &[6, 10], &[10, 6], &[3, 4, 5], &[1, 60, 1], &[5, 2, 2, 3]];
        for into in shapes {
            for from in shapes {
                for (to, at, count) in
                    [(0, 0, 60), (7, 0, 31), (0, 11, 49), (13, 29, 1), (1, 2, 58), (0, 0, 0)]
                {
                    check((into, to), (from, at), count);
                }
            }
        }
    }

    #[test]
    fn too_many_boxes_are_none() {
        assert_eq!(pairs((&[1000, 4], 0), (&[1001, 4], 1), 4000), None);
    }
}
