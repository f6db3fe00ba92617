//! The output of two runs.
//!
//! Input: texts, and a tolerance for the numbers in them.
//! Output: the first difference.
//! Postcondition: without a tolerance, equal means equal bytes.

use crate::diff::Tolerance;
use crate::display::{plain, shortened};
use std::collections::BTreeMap;
use wildmatch::WildMatch;

const MOST_LETTERS: usize = 100;

/// Compares what a killed run and its restart have printed with the output of the unbroken run, as sets of lines: ranks
/// print in any order, and lines before the kill may be printed twice.
pub fn output(
    unbroken: &[u8],
    killed: &[u8],
    restarted: &[u8],
    ignored: &[String],
    tolerance: Tolerance,
) -> Option<String> {
    let ignored: Vec<WildMatch> = ignored.iter().map(|pattern| WildMatch::new(pattern)).collect();
    let lines = |text: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(text).into_owned();
        let is_compared = |line: &&str| !ignored.iter().any(|pattern| pattern.matches(line));
        text.lines().filter(is_compared).map(str::to_owned).collect()
    };
    let (unbroken, restarted) = (lines(unbroken), lines(restarted));
    let mut printed = lines(killed);
    printed.extend(restarted.iter().cloned());
    if let Some(line) = surplus(&restarted, &unbroken, tolerance) {
        return Some(format!("it prints `{}`, which the unbroken run does not print", short(line)));
    }
    surplus(&unbroken, &printed, tolerance)
        .map(|line| format!("it does not print `{}`, which the unbroken run prints", short(line)))
}

/// Whether the pattern describes a line of the output.
pub fn is_in(pattern: &str, output: &[u8]) -> bool {
    let pattern = WildMatch::new(pattern);
    String::from_utf8_lossy(output).lines().any(|line| pattern.matches(line))
}

/// The first line that occurs more often in `some` than in `all`.
fn surplus<'a>(some: &'a [String], all: &[String], tolerance: Tolerance) -> Option<&'a String> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    all.iter().for_each(|line| *left.entry(line).or_default() += 1);
    let unmatched: Vec<&String> = some
        .iter()
        .filter(|line| match left.get_mut(line.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect();
    if tolerance.absolute == 0.0 && tolerance.relative == 0.0 {
        return unmatched.first().copied();
    }
    unmatched.into_iter().find(|line| {
        let near = left.iter_mut().find(|(other, count)| **count > 0 && is_near(line, other, tolerance));
        near.map(|(_, count)| *count -= 1).is_none()
    })
}

/// Compares two versions of a file, line by line.
pub fn file(unbroken: Option<&[u8]>, restarted: Option<&[u8]>, tolerance: Tolerance) -> Option<String> {
    let (unbroken, restarted) = match (unbroken, restarted) {
        (None, None) => return None,
        (Some(_), None) => return Some("it is missing".to_owned()),
        (None, Some(_)) => return Some("the unbroken run does not write it".to_owned()),
        (Some(unbroken), Some(restarted)) => (unbroken, restarted),
    };
    if unbroken == restarted {
        return None;
    }
    let texts = std::str::from_utf8(unbroken).ok().zip(std::str::from_utf8(restarted).ok());
    let Some((a, b)) = texts else {
        let at = unbroken.iter().zip(restarted).take_while(|(a, b)| a == b).count();
        return Some(format!("it differs from byte {at} on"));
    };
    let (mut a, mut b) = (a.lines(), b.lines());
    for number in 1.. {
        match (a.next(), b.next()) {
            (None, None) => break,
            (Some(a), Some(b)) if a == b || is_near(a, b, tolerance) => {}
            (Some(a), Some(b)) => {
                return Some(format!("line {number} is `{}` instead of `{}`", short(b), short(a)))
            }
            (Some(_), None) => return Some(format!("it ends before line {number}")),
            (None, Some(b)) => return Some(format!("it has another line {number}: `{}`", short(b))),
        }
    }
    None
}

/// Whether two lines differ only in numbers, and by little.
fn is_near(a: &str, b: &str, tolerance: Tolerance) -> bool {
    let (mut a, mut b) = (a.split_whitespace(), b.split_whitespace());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => {
                let (Ok(x), Ok(y)) = (a.parse::<f64>(), b.parse::<f64>()) else { return false };
                let most = tolerance.absolute.max(tolerance.relative * x.abs().max(y.abs()));
                // False for a NaN.
                let is_close = (x - y).abs() <= most;
                if !is_close {
                    return false;
                }
            }
            (Some(_), None) | (None, Some(_)) => return false,
        }
    }
}

fn short(line: &str) -> String {
    shortened(&plain(line), MOST_LETTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Tolerance = Tolerance { absolute: 0.0, relative: 0.0 };

    fn check(unbroken: &str, killed: &str, restarted: &str, expected: Option<&str>) {
        let found = output(
            unbroken.as_bytes(),
            killed.as_bytes(),
            restarted.as_bytes(),
            &["time *".to_owned()],
            EXACT,
        );
        assert_eq!(found.as_deref().map(|text| text.split('`').nth(1).unwrap_or_default()), expected);
    }

    #[test]
    fn a_restart_prints_the_lines_of_the_unbroken_run() {
        check("a\nb\nc\n", "a\nb\n", "c\n", None);
        // The head is printed again, and one line before the kill too.
        check("head\na\nb\n", "head\na\n", "head\na\nb\n", None);
        check("a\nb\nc\n", "a\n", "c\n", Some("b"));
        check("a\nb\nc\n", "a\n", "b\nx\n", Some("x"));
        check("a\nb\n", "a\n", "b\nb\n", Some("b"));
        check("a\ntime 3 s\n", "", "a\ntime 4 s\n", None);
    }

    #[test]
    fn a_pattern_describes_a_whole_line() {
        assert!(!is_in("time", b"a\ntime 3 s\n") && is_in("*time*", b"a\ntime 3 s\n"));
    }

    #[test]
    fn numbers_may_differ_by_the_tolerance() {
        let near = Tolerance { absolute: 0.0, relative: 1e-3 };
        let compare = |a: &str, b: &str| file(Some(a.as_bytes()), Some(b.as_bytes()), near);
        assert_eq!(compare("x 1000.0 y\n", "x 1000.5 y\n"), None);
        assert!(compare("x 1000.0 y\n", "x 1002.0 y\n").is_some());
        assert!(compare("x 1000.0 y\n", "x nan y\n").is_some());
        assert!(compare("x 1\n", "x 1\nz\n").is_some());
        assert!(output(b"e 1.0\n", b"", b"e 1.0001\n", &[], near).is_none());
        assert!(output(b"e 1.0\n", b"", b"e 1.1\n", &[], near).is_some());
    }
}
