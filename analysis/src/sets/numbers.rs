//! A set of numbers.
//!
//! Postcondition: equal sets are equal as data, and iteration is in ascending order.

/// A set of numbers: sorted words of 64 bits, without empty words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumberSet {
    words: Vec<(u32, u64)>,
}

impl NumberSet {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn insert(&mut self, number: u32) -> bool {
        let bit = 1u64 << (number % 64);
        match self.words.binary_search_by_key(&(number / 64), |word| word.0) {
            Ok(at) => {
                let new = self.words[at].1 & bit == 0;
                self.words[at].1 |= bit;
                new
            }
            Err(at) => {
                self.words.insert(at, (number / 64, bit));
                true
            }
        }
    }

    pub fn remove(&mut self, number: u32) {
        if let Ok(at) = self.words.binary_search_by_key(&(number / 64), |word| word.0) {
            self.words[at].1 &= !(1u64 << (number % 64));
            if self.words[at].1 == 0 {
                self.words.remove(at);
            }
        }
    }

    pub fn contains(&self, number: u32) -> bool {
        match self.words.binary_search_by_key(&(number / 64), |word| word.0) {
            Ok(at) => self.words[at].1 >> (number % 64) & 1 == 1,
            Err(_) => false,
        }
    }

    /// Adds all of `other`. Returns the new elements.
    pub fn add(&mut self, other: &NumberSet) -> NumberSet {
        let mut new = NumberSet::default();
        if self.includes(other) {
            return new;
        }
        let mut merged = Vec::with_capacity(self.words.len() + other.words.len());
        let mut mine = self.words.iter().copied().peekable();
        for &(at, bits) in &other.words {
            while let Some(word) = mine.next_if(|word| word.0 < at) {
                merged.push(word);
            }
            let old = mine.next_if(|word| word.0 == at).map_or(0, |word| word.1);
            merged.push((at, old | bits));
            if bits & !old != 0 {
                new.words.push((at, bits & !old));
            }
        }
        if new.is_empty() {
            return new;
        }
        merged.extend(mine);
        self.words = merged;
        new
    }

    fn includes(&self, other: &NumberSet) -> bool {
        let mut rest = &self.words[..];
        other.words.len() <= rest.len()
            && other.words.iter().all(|&(at, bits)| {
                // The word is often at the front.
                let near = rest.iter().take(4).position(|word| word.0 >= at);
                let skipped = near.unwrap_or_else(|| rest.partition_point(|word| word.0 < at));
                rest = &rest[skipped..];
                rest.first().is_some_and(|word| word.0 == at && bits & !word.1 == 0)
            })
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flat_map(|&(at, mut bits)| {
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some(at * 64 + bit)
            })
        })
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.1.count_ones() as usize).sum()
    }

    /// The only number in the set.
    pub fn single(&self) -> Option<u32> {
        match self.words[..] {
            [(at, bits)] if bits.is_power_of_two() => Some(at * 64 + bits.trailing_zeros()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_numbers_returns_the_new_ones() {
        let mut set = NumberSet::default();
        for number in [3, 64, 1000, 65] {
            assert!(set.insert(number));
        }
        assert!(!set.insert(64));
        let mut other = NumberSet::default();
        for number in [3, 66, 1000, 5000] {
            other.insert(number);
        }
        assert_eq!(set.add(&other).iter().collect::<Vec<_>>(), [66, 5000]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 65, 66, 1000, 5000]);
        assert_eq!((set.len(), set.single(), set.contains(65)), (6, None, true));
    }
}
