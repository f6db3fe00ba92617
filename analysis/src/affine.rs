//! Arithmetic on affine values.
//!
//! Input: `Affine` values. Output: their sums, differences and multiples.
//! Postcondition: terms are sorted by variable and no factor is zero, so equal values are equal as data. A
//! result that does not fit into 64 bits is `None`, and never a wrapped number.

use crate::program::{Affine, VariableId};

impl Affine {
    pub fn constant(constant: i64) -> Affine {
        Affine { constant, terms: Vec::new() }
    }

    pub fn variable(variable: VariableId) -> Affine {
        Affine { constant: 0, terms: vec![(variable, 1)] }
    }

    /// The number, if no variable is in it.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The variable, if this is one variable and nothing else.
    pub fn as_variable(&self) -> Option<VariableId> {
        match self.terms[..] {
            [(variable, 1)] if self.constant == 0 => Some(variable),
            _ => None,
        }
    }

    pub fn uses(&self, variable: VariableId) -> bool {
        self.factor(variable) != 0
    }

    /// The factor of a variable: 0 if it does not occur.
    pub fn factor(&self, variable: VariableId) -> i64 {
        match self.terms.binary_search_by_key(&variable, |term| term.0) {
            Ok(at) => self.terms[at].1,
            Err(_) => 0,
        }
    }

    pub fn add(&self, other: &Affine) -> Option<Affine> {
        self.combine(other, 1)
    }

    pub fn sub(&self, other: &Affine) -> Option<Affine> {
        self.combine(other, -1)
    }

    pub fn scale(&self, factor: i64) -> Option<Affine> {
        Affine::default().combine(self, factor)
    }

    /// The product, if one of the two is a constant.
    pub fn multiply(&self, other: &Affine) -> Option<Affine> {
        match (self.as_constant(), other.as_constant()) {
            (Some(factor), _) => other.scale(factor),
            (_, Some(factor)) => self.scale(factor),
            (None, None) => None,
        }
    }

    /// The value after `variable` was replaced by `value`.
    pub fn substitute(&self, variable: VariableId, value: &Affine) -> Option<Affine> {
        let factor = self.factor(variable);
        if factor == 0 {
            return Some(self.clone());
        }
        let mut rest = self.clone();
        rest.terms.retain(|term| term.0 != variable);
        rest.combine(value, factor)
    }

    /// `self + factor · other`.
    fn combine(&self, other: &Affine, factor: i64) -> Option<Affine> {
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut left = self.terms.iter().copied().peekable();
        let mut right = other.terms.iter().copied().peekable();
        loop {
            let next = match (left.peek().copied(), right.peek().copied()) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    left.next();
                    right.next();
                    (a.0, a.1.checked_add(b.1.checked_mul(factor)?)?)
                }
                (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                    left.next();
                    a
                }
                (_, Some(b)) => {
                    right.next();
                    (b.0, b.1.checked_mul(factor)?)
                }
                (_, None) => break,
            };
            if next.1 != 0 {
                terms.push(next);
            }
        }
        Some(Affine { constant, terms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(number: u32) -> Affine {
        Affine::variable(VariableId(number))
    }

    fn sum(constant: i64, terms: &[(u32, i64)]) -> Affine {
        Affine { constant, terms: terms.iter().map(|&(v, f)| (VariableId(v), f)).collect() }
    }

    #[test]
    fn terms_stay_sorted_whatever_the_order_of_addition() {
        let a = variable(7).add(&variable(2)).unwrap().add(&variable(5)).unwrap();
        let b = variable(5).add(&variable(7)).unwrap().add(&variable(2)).unwrap();
        assert_eq!(a, sum(0, &[(2, 1), (5, 1), (7, 1)]));
        assert_eq!(a, b);
    }

    #[test]
    fn terms_that_cancel_disappear() {
        let a = sum(3, &[(1, 2), (4, -1)]);
        assert_eq!(a.sub(&a), Some(Affine::constant(0)));
        assert_eq!(a.add(&sum(0, &[(4, 1)])), Some(sum(3, &[(1, 2)])));
        assert_eq!(a.scale(0), Some(Affine::constant(0)));
    }

    #[test]
    fn a_sum_that_does_not_fit_is_not_known() {
        let large = Affine::constant(i64::MAX);
        assert_eq!(large.add(&Affine::constant(1)), None);
        assert_eq!(sum(0, &[(1, i64::MAX)]).scale(2), None);
        assert_eq!(sum(0, &[(1, i64::MIN)]).scale(-1), None);
        assert_eq!(sum(0, &[(1, 1)]).sub(&sum(0, &[(2, i64::MIN)])), None);
    }

    #[test]
    fn a_product_needs_a_constant() {
        assert_eq!(variable(1).multiply(&Affine::constant(3)), Some(sum(0, &[(1, 3)])));
        assert_eq!(Affine::constant(3).multiply(&variable(1)), Some(sum(0, &[(1, 3)])));
        assert_eq!(variable(1).multiply(&variable(1)), None);
    }

    #[test]
    fn substitution_replaces_every_occurrence() {
        let a = sum(1, &[(1, 2), (3, 1)]);
        assert_eq!(a.substitute(VariableId(1), &sum(5, &[(3, 4)])), Some(sum(11, &[(3, 9)])));
        assert_eq!(a.substitute(VariableId(2), &variable(9)), Some(a));
    }

    #[test]
    fn only_a_lone_variable_is_a_variable() {
        assert_eq!(variable(4).as_variable(), Some(VariableId(4)));
        assert_eq!(sum(1, &[(4, 1)]).as_variable(), None);
        assert_eq!(sum(0, &[(4, 2)]).as_variable(), None);
        assert_eq!(sum(0, &[(4, 1)]).as_constant(), None);
    }
}
