//! How numbers, times and names are said.
//!
//! In: values. Out: text for people. Holds afterwards: nothing that a file holds can steer the
//! terminal.

use std::time::{Duration, SystemTime};

/// A size in the unit that suits it.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// How long ago something was.
pub fn age(modified: Option<SystemTime>) -> String {
    let passed = modified.and_then(|time| SystemTime::now().duration_since(time).ok());
    match passed.as_ref().map(Duration::as_secs) {
        None => "-".to_owned(),
        Some(seconds) if seconds < 120 => format!("{seconds} s"),
        Some(seconds) if seconds < 7200 => format!("{} min", seconds / 60),
        Some(seconds) if seconds < 172_800 => format!("{} h", seconds / 3600),
        Some(seconds) => format!("{} d", seconds / 86_400),
    }
}

/// A time for programs: seconds since 1970.
pub fn epoch(modified: Option<SystemTime>) -> Option<u64> {
    modified?.duration_since(SystemTime::UNIX_EPOCH).ok().map(|since| since.as_secs())
}

/// A name from a file, without anything that is not to be seen.
pub fn plain(name: &str) -> String {
    name.chars().flat_map(|letter| if letter.is_control() { letter.escape_default().collect() } else { vec![letter] }).collect()
}

/// How many there are, with the noun.
pub fn many(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Numbers with ranges drawn together: `0-3, 7`.
pub fn ranges(numbers: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if number.checked_sub(1) == Some(*last) => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let said = parts.iter().map(|&(first, last)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    });
    said.collect::<Vec<_>>().join(", ")
}

/// Lines of cells, as columns; `right` says which are numbers.
pub fn table(rows: &[Vec<String>], right: &[bool]) -> String {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let padding = " ".repeat(width(column) - cell.chars().count());
            let gap = if column == 0 { "  " } else { "   " };
            let cell = if right.get(column) == Some(&true) {
                format!("{gap}{padding}{cell}")
            } else {
                format!("{gap}{cell}{padding}")
            };
            line.push_str(&cell);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_ranges() {
        assert_eq!(size(0), "0 B");
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(u64::MAX), "16.0 EiB");
        assert_eq!(ranges(&[0, 1, 2, 7, 9, 10]), "0-2, 7, 9-10");
        assert_eq!(plain("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "10".to_owned()], vec!["bcd".to_owned(), "9".to_owned()]];
        assert_eq!(table(&rows, &[false, true]), "  a     10\n  bcd    9\n");
    }
}
