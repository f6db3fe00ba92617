//! Proofs about linear inequalities over integers.
//!
//! Input: affine values that are not negative. Output: whether no integers satisfy them all.
//! Postcondition: "infeasible" is a proof. Fourier-Motzkin elimination with integer tightening; when it
//! becomes too large, or a number does not fit into 64 bits, nothing is proved.

use crate::program::{Affine, VariableId};

/// The maximum number of inequalities that are combined.
const LIMIT: usize = 120;

/// No integers make all of these values at least 0.
pub fn infeasible<'a>(inequalities: impl Iterator<Item = &'a Affine> + Clone) -> bool {
    if inequalities.clone().any(is_contradiction) {
        return true;
    }
    let mut variables: Vec<VariableId> =
        inequalities.clone().flat_map(|one| one.terms.iter().map(|term| term.0)).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut current = System::new(variables.len());
    for inequality in inequalities.filter(|one| !one.terms.is_empty()) {
        current.add_inequality(inequality, &variables);
    }
    while let Some(column) = current.cheapest() {
        match current.eliminate(column) {
            Elimination::Done => {}
            Elimination::Contradiction => return true,
            Elimination::TooLarge => return false,
        }
    }
    false
}

/// Whether no integers make the value at least 0, because it is a number.
pub fn is_contradiction(inequality: &Affine) -> bool {
    inequality.terms.is_empty() && inequality.constant < 0
}

enum Elimination {
    Done,
    Contradiction,
    TooLarge,
}

/// Inequalities as rows of numbers: one factor for each variable, and the constant. No two rows have the same factors.
/// Dense rows are faster than lists of terms, because there are few variables.
struct System {
    width: usize,
    numbers: Vec<i64>,
    /// The rows before the last elimination. It keeps its memory for the next one.
    before: Vec<i64>,
    /// For each variable, the number of rows with a positive and with a negative factor.
    counts: Vec<(usize, usize)>,
}

impl System {
    fn new(variables: usize) -> System {
        let counts = vec![(0, 0); variables];
        System {
            width: variables + 1,
            numbers: Vec::with_capacity(16 * (variables + 1)),
            before: Vec::new(),
            counts,
        }
    }

    fn add_inequality(&mut self, inequality: &Affine, variables: &[VariableId]) {
        let first = self.numbers.len();
        self.numbers.resize(first + self.width, 0);
        for (variable, factor) in &inequality.terms {
            if let Ok(column) = variables.binary_search(variable) {
                self.numbers[first + column] = *factor;
            }
        }
        self.numbers[first + self.width - 1] = inequality.constant;
        self.finish_row();
    }

    /// Tightens the last row, and merges it with a row of the same factors. False if it contradicts itself.
    fn finish_row(&mut self) -> bool {
        let before = self.numbers.len() - self.width;
        let (known, new) = self.numbers.split_at_mut(before);
        let Some((constant, factors)) = new.split_last_mut() else { return true };
        let divisor = factors.iter().fold(0, |divisor, &factor| gcd(divisor, factor));
        if divisor > 1 {
            *constant = constant.div_euclid(divisor);
            factors.iter_mut().for_each(|factor| *factor /= divisor);
        }
        let constant = *constant;
        let is_constant = divisor == 0;
        let same = known.chunks_exact_mut(self.width).find(|row| row.starts_with(factors));
        if same.is_some() || is_constant {
            if let Some(last) = same.and_then(|row| row.last_mut()) {
                *last = constant.min(*last);
            }
            self.numbers.truncate(before);
        }
        !is_constant || constant >= 0
    }

    /// The variable whose elimination makes the fewest inequalities. Variables with no lower or no upper bound are
    /// eliminated first: their rows are removed.
    fn cheapest(&mut self) -> Option<usize> {
        loop {
            self.counts.fill((0, 0));
            for row in self.numbers.chunks_exact(self.width) {
                for (count, &factor) in self.counts.iter_mut().zip(row) {
                    count.0 += usize::from(factor > 0);
                    count.1 += usize::from(factor < 0);
                }
            }
            let is_open = |count: &(usize, usize)| (count.0 == 0) != (count.1 == 0);
            if !self.counts.iter().any(is_open) {
                break;
            }
            let (width, counts) = (self.width, &self.counts);
            self.before.clear();
            for row in self.numbers.chunks_exact(width) {
                if !row.iter().zip(counts).any(|(&factor, count)| factor != 0 && is_open(count)) {
                    self.before.extend_from_slice(row);
                }
            }
            std::mem::swap(&mut self.numbers, &mut self.before);
        }
        let used = self.counts.iter().enumerate().filter(|(_, count)| **count != (0, 0));
        used.min_by_key(|(_, (lower, upper))| lower * upper).map(|(column, _)| column)
    }

    fn eliminate(&mut self, column: usize) -> Elimination {
        let (lower, upper) = self.counts[column];
        let rest = self.numbers.len() / self.width - lower - upper;
        if lower * upper + rest > LIMIT {
            return Elimination::TooLarge;
        }
        std::mem::swap(&mut self.numbers, &mut self.before);
        let before = std::mem::take(&mut self.before);
        self.numbers.clear();
        let width = self.width;
        let rows = || before.chunks_exact(width);
        rows().filter(|row| row[column] == 0).for_each(|row| self.numbers.extend_from_slice(row));
        for low in rows().filter(|row| row[column] > 0) {
            for high in rows().filter(|row| row[column] < 0) {
                // A combination that does not fit is left out. So less can be proved, but no proof is wrong.
                if self.add_combination(low, high, column).is_some() && !self.finish_row() {
                    return Elimination::Contradiction;
                }
            }
        }
        self.before = before;
        Elimination::Done
    }

    /// Adds positive multiples of the two rows, so that the column cancels. Adds nothing if a number does not fit.
    fn add_combination(&mut self, low: &[i64], high: &[i64], column: usize) -> Option<()> {
        let (a, b) = (low[column], high[column].checked_neg()?);
        let divisor = gcd(a, b);
        let (of_low, of_high) = (b / divisor, a / divisor);
        let first = self.numbers.len();
        for (low, high) in low.iter().zip(high) {
            let sum = low
                .checked_mul(of_low)
                .zip(high.checked_mul(of_high))
                .and_then(|(low, high)| low.checked_add(high));
            match sum {
                Some(sum) => self.numbers.push(sum),
                None => {
                    self.numbers.truncate(first);
                    return None;
                }
            }
        }
        Some(())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn value(constant: i64, terms: &[(u32, i64)]) -> Affine {
        Affine { constant, terms: terms.iter().map(|&(v, f)| (VariableId(v), f)).collect() }
    }

    #[test]
    fn a_contradiction_over_integers_is_found() {
        // 2x = 2y + 1.
        assert!(infeasible([value(-1, &[(1, 2), (2, -2)]), value(1, &[(1, -2), (2, 2)])].iter()));
        // x < y < z < x.
        let less = |a, b| value(-1, &[(a, -1), (b, 1)]);
        let below = |a: u32, b: u32| if a < b { less(a, b) } else { value(-1, &[(b, 1), (a, -1)]) };
        assert!(infeasible([below(1, 2), below(2, 3), value(-1, &[(1, 1), (3, -1)])].iter()));
        assert!(!infeasible([below(1, 2), below(2, 3)].iter()));
    }

    #[test]
    fn numbers_that_do_not_fit_prove_nothing() {
        let huge = value(-1, &[(1, i64::MAX), (2, 1)]);
        assert!(!infeasible([huge, value(0, &[(1, -3), (2, i64::MAX)]), value(0, &[(1, 1)])].iter()));
        assert!(!infeasible([value(i64::MIN, &[(1, 1)]), value(0, &[(2, 1)])].iter()));
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
