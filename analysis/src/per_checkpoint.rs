//! A value for each of some checkpoints.
//!
//! Input: checkpoints and their values. Output: the same for unions and for changed values.
//! Postcondition: checkpoints with equal values share one value. Most checkpoints below a procedure need the same memory of
//! its callers, so the work for a procedure does not grow with their number.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::program::Site;

#[derive(Debug, Clone)]
pub struct PerCheckpoint<T> {
    /// Their values differ, and each checkpoint is in one of them.
    classes: Vec<Class<T>>,
}

#[derive(Debug, Clone)]
struct Class<T> {
    /// Sorted.
    checkpoints: Rc<Vec<Site>>,
    value: T,
}

impl<T> Default for PerCheckpoint<T> {
    fn default() -> PerCheckpoint<T> {
        PerCheckpoint { classes: Vec::new() }
    }
}

impl<T: Clone + Eq> PerCheckpoint<T> {
    pub fn of(checkpoint: Site, value: T) -> PerCheckpoint<T> {
        PerCheckpoint { classes: vec![Class { checkpoints: Rc::new(vec![checkpoint]), value }] }
    }

    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Changes each value.
    pub fn map(&self, mut change: impl FnMut(&T) -> T) -> PerCheckpoint<T> {
        self.map_all(|_, value| change(value))
    }

    /// Changes each value, with the checkpoints that have it.
    pub fn map_all(&self, mut change: impl FnMut(&[Site], &T) -> T) -> PerCheckpoint<T> {
        let mut all = PerCheckpoint::default();
        for Class { checkpoints, value } in &self.classes {
            all.push(checkpoints.clone(), change(checkpoints, value));
        }
        all
    }

    /// The checkpoints of both. `both`: the value of a checkpoint that has two.
    pub fn merged(self, other: PerCheckpoint<T>, both: impl Fn(&T, &T) -> T) -> PerCheckpoint<T> {
        if self.is_empty() || other.is_empty() {
            return if self.is_empty() { other } else { self };
        }
        let known: FxHashMap<Site, usize> = (0..)
            .zip(&self.classes)
            .flat_map(|(index, class)| class.checkpoints.iter().map(move |&checkpoint| (checkpoint, index)))
            .collect();
        let mut only_here: Vec<Vec<Site>> =
            self.classes.iter().map(|class| class.checkpoints.to_vec()).collect();
        let mut all = PerCheckpoint::default();
        for Class { checkpoints, value } in other.classes {
            let mut parts: FxHashMap<Option<usize>, Vec<Site>> = FxHashMap::default();
            for &checkpoint in checkpoints.iter() {
                parts.entry(known.get(&checkpoint).copied()).or_default().push(checkpoint);
            }
            let mut parts: Vec<(Option<usize>, Vec<Site>)> = parts.into_iter().collect();
            parts.sort_unstable();
            for (index, part) in parts {
                match index {
                    None => all.push(Rc::new(part), value.clone()),
                    Some(index) => {
                        only_here[index].retain(|checkpoint| part.binary_search(checkpoint).is_err());
                        all.push(Rc::new(part), both(&self.classes[index].value, &value));
                    }
                }
            }
        }
        for (class, rest) in self.classes.into_iter().zip(only_here) {
            if !rest.is_empty() {
                all.push(Rc::new(rest), class.value);
            }
        }
        all
    }

    /// Adds checkpoints that are not there yet.
    fn push(&mut self, checkpoints: Rc<Vec<Site>>, value: T) {
        match self.classes.iter_mut().find(|class| class.value == value) {
            Some(class) => {
                let known = Rc::make_mut(&mut class.checkpoints);
                known.extend(checkpoints.iter().copied());
                known.sort_unstable();
            }
            None => self.classes.push(Class { checkpoints, value }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BlockId, ProcedureId};

    fn site(number: u32) -> Site {
        Site { procedure: ProcedureId(0), block: BlockId(0), operation: number }
    }

    fn all(values: &[(u32, u32)]) -> PerCheckpoint<u32> {
        values.iter().fold(PerCheckpoint::default(), |all: PerCheckpoint<u32>, &(number, value)| {
            all.merged(PerCheckpoint::of(site(number), value), |_, last| *last)
        })
    }

    fn shown(all: &PerCheckpoint<u32>) -> Vec<(Vec<u32>, u32)> {
        let numbers =
            |class: &Class<u32>| class.checkpoints.iter().map(|checkpoint| checkpoint.operation).collect();
        let mut shown: Vec<_> = all.classes.iter().map(|class| (numbers(class), class.value)).collect();
        shown.sort_unstable();
        shown
    }

    #[test]
    fn checkpoints_with_equal_values_share_one() {
        let some = all(&[(3, 7), (1, 7), (2, 8)]);
        assert_eq!(shown(&some), [(vec![1, 3], 7), (vec![2], 8)]);
        assert_eq!(shown(&some.map(|_| 5)), [(vec![1, 2, 3], 5)]);
    }

    #[test]
    fn a_checkpoint_in_both_has_the_value_of_both() {
        let (one, other) = (all(&[(1, 10), (2, 10), (3, 20)]), all(&[(2, 1), (3, 1), (4, 1)]));
        let merged = one.merged(other, |a, b| a + b);
        assert_eq!(shown(&merged), [(vec![1], 10), (vec![2], 11), (vec![3], 21), (vec![4], 1)]);
    }
}
