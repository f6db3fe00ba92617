//! A set of numbers of processes.
//!
//! Input: the numbers that `checkpoint ranks(…)` names: `1, 4:16, 25`.
//! Output: whether a number is one of them.
//! Postcondition: the text of a set names the same numbers.

use std::fmt;
use std::ops::RangeInclusive;

/// Numbers of processes, as ranges in the order in which they are named.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ranks(Vec<(u32, u32)>);

impl Ranks {
    /// Reads a list of numbers, and of ranges `first:last`. `None` if it is not such a list, or has the number 0.
    pub fn parse(text: &str) -> Option<Ranks> {
        let range = |item: &str| {
            let (first, last) = item.split_once(':').unwrap_or((item, item));
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some((first, last))
        };
        text.split(',').map(range).collect::<Option<_>>().map(Ranks)
    }

    /// The numbers, with neighbours as ranges.
    pub fn of(numbers: impl IntoIterator<Item = u32>) -> Ranks {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for number in numbers {
            match ranges.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        Ranks(ranges)
    }

    pub fn contains(&self, number: u32) -> bool {
        self.ranges().any(|range| range.contains(&number))
    }

    pub fn ranges(&self) -> impl Iterator<Item = RangeInclusive<u32>> + '_ {
        self.0.iter().map(|&(first, last)| first..=last)
    }
}

fn number(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|&number| number > 0)
}

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            match last - first {
                0 => write!(f, "{comma}{first}")?,
                1 => write!(f, "{comma}{first}, {last}")?,
                _ => write!(f, "{comma}{first}:{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Ranks;

    #[test]
    fn a_text_names_the_same_numbers() {
        let numbers = [1, 2, 4, 5, 6, 25];
        let ranks = Ranks::of(numbers);
        assert_eq!(ranks.to_string(), "1, 2, 4:6, 25");
        let read = Ranks::parse(&ranks.to_string()).expect("a list");
        assert!((0..40).all(|number| read.contains(number) == numbers.contains(&number)));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "0", "4:2", "n", "1, ", "4:", "-1", "4294967296"] {
            assert_eq!(Ranks::parse(text), None, "{text}");
        }
    }
}
