//! The shape of a register.
//!
//! Input: extents, the slowest in memory first.
//! Output: a shape.
//! Postcondition: the product of the extents is the number of elements of the register, and there are at
//! least two dimensions. Shapes affect only what users and other programs see of the state.

use super::bounds::Pairs;
use crate::manifest::MAX_RANK;
use cppc_abi::types::CHARACTER;

/// The product of the extents is not the number of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfit;

/// The shape of `count` elements; none if there are fewer than two dimensions. Each Fortran character counts
/// as an element, and the character length becomes the last extent.
pub fn shape(extents: &[u64], count: usize, type_code: i32) -> Result<Option<Box<[u64]>>, Unfit> {
    let mut extents = extents.to_vec();
    if type_code == CHARACTER && !extents.is_empty() {
        let texts = product(&extents).ok_or(Unfit)?;
        extents.push((count as u64).checked_div(texts).unwrap_or(0));
    }
    if extents.len() > MAX_RANK || product(&extents) != Some(count as u64) {
        return Err(Unfit);
    }
    Ok((extents.len() > 1).then(|| extents.into_boxed_slice()))
}

/// The shape of a followed array. Its character length is one of its bounds.
pub fn of_pairs(pairs: &Pairs) -> Option<Box<[u64]>> {
    let extents = pairs.as_slice().chunks_exact(2).rev();
    let extents: Vec<u64> = extents
        .map(|pair| if pair[1] < pair[0] { 0 } else { pair[1].abs_diff(pair[0]).saturating_add(1) })
        .collect();
    let is_possible = extents.len() > 1 && product(&extents) == pairs.elements().map(|count| count as u64);
    is_possible.then(|| extents.into_boxed_slice())
}

fn product(extents: &[u64]) -> Option<u64> {
    extents.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cppc_abi::types::{CHAR, DOUBLE};

    #[test]
    fn extents_make_the_count_or_no_shape() {
        let of = |extents: &[u64], count| {
            shape(extents, count, DOUBLE).map(|shape| shape.map(|shape| shape.to_vec()))
        };
        assert_eq!(of(&[3, 4], 12), Ok(Some(vec![3, 4])));
        assert_eq!(of(&[12], 12), Ok(None));
        assert_eq!(of(&[], 1), Ok(None));
        assert_eq!(of(&[0, 4], 0), Ok(Some(vec![0, 4])));
        assert_eq!(of(&[3, 5], 12), Err(Unfit));
        assert_eq!(of(&[11], 12), Err(Unfit));
        assert_eq!(of(&[1 << 32, 1 << 32], 0), Err(Unfit));
        assert_eq!(of(&[1; MAX_RANK], 1), Ok(Some(vec![1; MAX_RANK])));
        assert_eq!(of(&[1; MAX_RANK + 1], 1), Err(Unfit));
    }

    #[test]
    fn texts_of_fortran_have_their_length_behind_their_extents() {
        let of = |extents: &[u64], count| {
            shape(extents, count, CHARACTER).map(|shape| shape.map(|shape| shape.to_vec()))
        };
        assert_eq!(of(&[3, 4], 96), Ok(Some(vec![3, 4, 8])));
        assert_eq!(of(&[3], 3), Ok(Some(vec![3, 1])));
        assert_eq!(of(&[3], 0), Ok(Some(vec![3, 0])));
        assert_eq!(of(&[0], 0), Ok(Some(vec![0, 0])));
        assert_eq!(of(&[], 8), Err(Unfit));
        assert_eq!(of(&[3], 7), Err(Unfit));
        assert_eq!(shape(&[4, 8], 32, CHAR), Ok(Some(vec![4, 8].into())));
    }

    #[test]
    fn bounds_are_turned_round() {
        let of = |length, lower: &[i64], upper: &[i64]| {
            Pairs::new(length, lower, upper).as_ref().and_then(of_pairs).map(|shape| shape.to_vec())
        };
        assert_eq!(of(None, &[0, -2], &[9, 2]), Some(vec![5, 10]));
        assert_eq!(of(Some(8), &[1], &[3]), Some(vec![3, 8]));
        assert_eq!(of(None, &[1, 5, 1], &[3, 4, 7]), Some(vec![7, 0, 3]));
        assert_eq!(of(None, &[1], &[3]), None);
        assert_eq!(of(None, &[], &[]), None);
        assert_eq!(of(None, &[1, 1, 1], &[0, i64::MAX, i64::MAX]), None);
        assert_eq!(of_pairs(&Pairs::NONE), None);
    }
}
