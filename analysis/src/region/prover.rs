//! Proofs about linear inequalities over integers.
//!
//! Input: affine values that are not negative. Output: whether no integers satisfy them all.
//! Postcondition: "infeasible" is a proof. Fourier-Motzkin elimination with integer tightening; when it
//! becomes too large, or a number does not fit into 64 bits, nothing is proved.

use crate::program::{Affine, VariableId};

/// The maximum number of inequalities that are combined.
const LIMIT: usize = 120;

/// No integers make all of these values at least 0.
pub fn infeasible(inequalities: &[Affine]) -> bool {
    let mut current: Vec<Affine> = Vec::with_capacity(inequalities.len());
    for inequality in inequalities {
        if !insert(&mut current, inequality.clone()) {
            return true;
        }
    }
    while let Some(variable) = cheapest(&current) {
        let (lower, rest): (Vec<_>, Vec<_>) = current.into_iter().partition(|one| one.factor(variable) > 0);
        let (upper, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|one| one.factor(variable) < 0);
        if lower.len() * upper.len() + rest.len() > LIMIT {
            return false;
        }
        current = rest;
        for low in &lower {
            for high in &upper {
                // A combination that does not fit is left out. So less can be proved, but no proof is wrong.
                let Some(sum) = combine(low, high, variable) else { continue };
                if !insert(&mut current, sum) {
                    return true;
                }
            }
        }
    }
    false
}

/// The inequalities without `variable`: some integer satisfies all of `inequalities` exactly where the result
/// holds. None if that cannot be expressed.
pub fn project(inequalities: &[Affine], variable: VariableId) -> Option<Vec<Affine>> {
    let mut tight = Vec::with_capacity(inequalities.len());
    for inequality in inequalities {
        tight.push(tighten(inequality.clone()));
    }
    let (used, mut rest): (Vec<_>, Vec<_>) = tight.into_iter().partition(|one| one.uses(variable));
    let (lower, upper): (Vec<_>, Vec<_>) = used.into_iter().partition(|one| one.factor(variable) > 0);
    let unit = |list: &[Affine]| list.iter().all(|one| one.factor(variable).unsigned_abs() == 1);
    if !unit(&lower) && !unit(&upper) {
        return None;
    }
    for low in &lower {
        for high in &upper {
            rest.push(combine(low, high, variable)?);
        }
    }
    (rest.len() <= LIMIT).then_some(rest)
}

/// Positive multiples of the two added, so that the variable cancels.
fn combine(low: &Affine, high: &Affine, variable: VariableId) -> Option<Affine> {
    let (a, b) = (low.factor(variable), high.factor(variable).checked_neg()?);
    let divisor = gcd(a, b);
    low.scale(b / divisor)?.add(&high.scale(a / divisor)?)
}

/// Adds an inequality. False if it contradicts itself.
fn insert(list: &mut Vec<Affine>, inequality: Affine) -> bool {
    let inequality = tighten(inequality);
    if inequality.terms.is_empty() {
        return inequality.constant >= 0;
    }
    match list.iter_mut().find(|known| known.terms == inequality.terms) {
        Some(known) => known.constant = known.constant.min(inequality.constant),
        None => list.push(inequality),
    }
    true
}

/// Divided by the common divisor of the factors; over integers, the constant is rounded down.
fn tighten(mut inequality: Affine) -> Affine {
    let divisor = inequality.terms.iter().fold(0, |divisor, term| gcd(divisor, term.1));
    if divisor > 1 {
        inequality.constant = inequality.constant.div_euclid(divisor);
        for term in &mut inequality.terms {
            term.1 /= divisor;
        }
    }
    inequality
}

/// Never negative, except where a number is the least of its type: then 1, which divides everything.
fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// The variable whose elimination makes the fewest inequalities.
fn cheapest(list: &[Affine]) -> Option<VariableId> {
    let mut variables: Vec<VariableId> = list.iter().flat_map(|one| one.terms.iter().map(|t| t.0)).collect();
    variables.sort_unstable();
    variables.dedup();
    variables.into_iter().min_by_key(|&variable| {
        let lower = list.iter().filter(|one| one.factor(variable) > 0).count();
        let upper = list.iter().filter(|one| one.factor(variable) < 0).count();
        lower * upper
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(constant: i64, terms: &[(u32, i64)]) -> Affine {
        Affine { constant, terms: terms.iter().map(|&(v, f)| (VariableId(v), f)).collect() }
    }

    #[test]
    fn a_contradiction_over_integers_is_found() {
        // 2x = 2y + 1.
        assert!(infeasible(&[value(-1, &[(1, 2), (2, -2)]), value(1, &[(1, -2), (2, 2)])]));
        // x < y < z < x.
        let less = |a, b| value(-1, &[(a, -1), (b, 1)]);
        let below = |a: u32, b: u32| if a < b { less(a, b) } else { value(-1, &[(b, 1), (a, -1)]) };
        assert!(infeasible(&[below(1, 2), below(2, 3), value(-1, &[(1, 1), (3, -1)])]));
        assert!(!infeasible(&[below(1, 2), below(2, 3)]));
    }

    #[test]
    fn numbers_that_do_not_fit_prove_nothing() {
        let huge = value(-1, &[(1, i64::MAX), (2, 1)]);
        assert!(!infeasible(&[huge, value(0, &[(1, -3), (2, i64::MAX)]), value(0, &[(1, 1)])]));
        assert!(!infeasible(&[value(i64::MIN, &[(1, 1)]), value(0, &[(2, 1)])]));
    }

    #[test]
    fn a_projection_is_exact_or_refused() {
        // 0 <= x <= n and x <= m.
        let bounds = [value(0, &[(1, 1)]), value(0, &[(1, -1), (2, 1)]), value(0, &[(1, -1), (3, 1)])];
        assert_eq!(project(&bounds, VariableId(1)), Some(vec![value(0, &[(2, 1)]), value(0, &[(3, 1)])]));
        // 3x >= a and 2x <= b has no integer for every a <= b.
        assert_eq!(
            project(&[value(0, &[(1, 3), (2, -1)]), value(0, &[(1, -2), (3, 1)])], VariableId(1)),
            None
        );
    }
}
