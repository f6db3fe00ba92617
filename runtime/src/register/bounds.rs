//! The bounds of a followed array.
//!
//! Input: the current lower and upper bounds in the program.
//! Output: the same as memory that a state file can contain.
//! Postcondition: an array that is not allocated has no bounds. A scalar has one pair.

use super::frame_registers::RegisterId;
use super::memory::Range;
use super::name::Symbol;

/// The limit of Fortran.
pub const MOST_DIMENSIONS: usize = 15;

/// The character length is stored as a dimension too.
const MOST_PAIRS: usize = MOST_DIMENSIONS + 1;

/// Pairs of a lower and an upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairs {
    of: [i64; 2 * MOST_PAIRS],
    used: usize,
}

impl Pairs {
    /// The array is not allocated.
    pub const NONE: Pairs = Pairs { of: [0; 2 * MOST_PAIRS], used: 0 };

    /// `length` is the length of each character element. Returns none if there are too many pairs.
    pub fn new(length: Option<i64>, lower: &[i64], upper: &[i64]) -> Option<Pairs> {
        let mut pairs = Pairs::NONE;
        let dimensions = lower.iter().copied().zip(upper.iter().copied());
        for (lower, upper) in length.map(|length| (1, length)).into_iter().chain(dimensions) {
            pairs.push(lower, upper)?;
        }
        if pairs.used == 0 {
            pairs.push(1, 1)?;
        }
        Some(pairs)
    }

    /// The inverse of [`Pairs::as_slice`]. Returns none if the input is invalid.
    pub fn from_slice(of: &[i64]) -> Option<Pairs> {
        let mut pairs = Pairs::NONE;
        for pair in of.chunks(2) {
            pairs.push(pair[0], *pair.get(1)?)?;
        }
        Some(pairs)
    }

    /// The same bounds without the character length.
    pub fn of_elements(&self) -> Pairs {
        let mut pairs = Pairs::NONE;
        pairs.used = self.used.saturating_sub(2);
        pairs.of[..pairs.used].copy_from_slice(&self.of[2.min(self.used)..self.used]);
        if self.used == 2 {
            (pairs.of[0], pairs.of[1], pairs.used) = (1, 1, 2);
        }
        pairs
    }

    fn push(&mut self, lower: i64, upper: i64) -> Option<()> {
        let pair = self.of.get_mut(self.used..self.used + 2)?;
        pair.copy_from_slice(&[lower, upper]);
        self.used += 2;
        Some(())
    }

    pub fn is_allocated(&self) -> bool {
        self.used > 0
    }

    pub fn as_slice(&self) -> &[i64] {
        &self.of[..self.used]
    }

    /// The number of elements, where each character counts; none if it is too large.
    pub fn elements(&self) -> Option<usize> {
        if !self.is_allocated() {
            return Some(0);
        }
        let extents = self.as_slice().chunks_exact(2).map(|pair| {
            if pair[1] < pair[0] {
                0
            } else {
                pair[1].abs_diff(pair[0]).saturating_add(1)
            }
        });
        extents
            .map(|extent| usize::try_from(extent).ok())
            .try_fold(1usize, |product, extent| product.checked_mul(extent?))
    }
}

/// The bounds of one register, at an address that does not change.
#[derive(Debug)]
pub struct Bounds {
    /// The name of the bounds in a state file.
    pub name: Symbol,
    pub pairs: Pairs,
    /// If this register is a dummy argument: a register of the actual argument, with its serial.
    pub actual: Option<(RegisterId, u64)>,
    /// Whether the program has passed the address at least once.
    pub is_passed: bool,
}

impl Bounds {
    pub fn new(name: Symbol) -> Bounds {
        Bounds { name, pairs: Pairs::NONE, actual: None, is_passed: false }
    }

    /// The range of the bounds in memory; at address 0 if there are none.
    pub fn range(&self) -> Range {
        let pairs = self.pairs.as_slice();
        let address = if pairs.is_empty() { 0 } else { pairs.as_ptr() as usize };
        Range { address, size_bytes: size_of_val(pairs) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_counted_and_characters_one_by_one() {
        assert_eq!(Pairs::NONE.elements(), Some(0));
        assert_eq!(Pairs::new(None, &[], &[]).and_then(|pairs| pairs.elements()), Some(1));
        assert_eq!(Pairs::new(None, &[0, -2], &[9, 2]).and_then(|pairs| pairs.elements()), Some(50));
        assert_eq!(Pairs::new(Some(7), &[1], &[3]).and_then(|pairs| pairs.elements()), Some(21));
        assert_eq!(Pairs::new(None, &[5], &[4]).and_then(|pairs| pairs.elements()), Some(0));
        assert_eq!(Pairs::new(None, &[i64::MIN, 1], &[i64::MAX, 9]).and_then(|pairs| pairs.elements()), None);
        assert!(Pairs::new(None, &[1; 17], &[1; 17]).is_none());
    }

    #[test]
    fn pairs_come_back_from_what_a_file_holds() {
        let pairs = Pairs::new(Some(3), &[0], &[4]).unwrap();
        assert_eq!(Pairs::from_slice(pairs.as_slice()), Some(pairs));
        assert_eq!(Some(pairs.of_elements()), Pairs::new(None, &[0], &[4]));
        assert_eq!(Some(Pairs::new(Some(3), &[], &[]).unwrap().of_elements()), Pairs::new(None, &[], &[]));
        assert_eq!(Pairs::NONE.of_elements(), Pairs::NONE);
        assert_eq!(Pairs::from_slice(&[]), Some(Pairs::NONE));
        assert_eq!(Pairs::from_slice(&[1]), None);
        assert_eq!(Pairs::from_slice(&[1; 40]), None);
    }
}
