//! Pseudo-random numbers for tests.
//!
//! Input: a seed.
//! Output: numbers that depend on the seed alone, on every machine and in every version of the tests.
//! A failure that prints its seed can be repeated.

/// A generator of pseudo-random numbers: SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number
/// generators*, 2014).
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    #[allow(clippy::should_implement_trait)] // the numbers have no end
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// An index below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.number_below(limit as u64) as usize
    }

    /// A number below `limit`; 0 if `limit` is 0.
    pub fn number_below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// A number from `low` through `high`.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + self.number_below((high - low + 1) as u64) as i64
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// True in one of `times` cases.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.number_below(times) == 0
    }

    /// One element of a list that is not empty.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// One element of a list; none if it is empty.
    pub fn choose<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// The index of a weight; each is chosen as often as its weight says.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if rest < weight {
                return index;
            }
            rest -= weight;
        }
        0
    }

    /// A generator for a part of the work, so that the numbers of one part do not change those of another.
    pub fn fork(&mut self) -> Random {
        Random::new(self.next())
    }
}

/// A number from the environment variable `name`: a seed, or the length of a campaign. `default` if it is not set.
///
/// # Panics
/// If the value is not a number.
pub fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| {
        value.parse().unwrap_or_else(|_| panic!("`{name}` is `{value}`, expected a number"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation for seed 1234567.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random::new(1234567);
        let numbers: Vec<u64> = (0..5).map(|_| random.next()).collect();
        let expected = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn a_limit_of_zero_and_an_empty_list_are_no_error() {
        let mut random = Random::new(1);
        assert_eq!((random.below(0), random.number_below(0)), (0, 0));
        assert_eq!(random.choose::<u8>(&[]), None);
    }

    #[test]
    fn weights_of_zero_are_never_chosen() {
        let mut random = Random::new(1);
        assert!((0..200).all(|_| random.weighted(&[0, 3, 0, 1]) % 2 == 1));
    }
}
