//! How numbers, times and names are shown.
//!
//! Input: values.
//! Output: text for people.
//! Postcondition: the text contains no control characters from a file.

use anstyle::{AnsiColor, Style};
use cppc_runtime::verify::{Reason, VerifyError};
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use wildmatch::WildMatch;

pub const PLAIN: Style = Style::new();
pub const HEADING: Style = Style::new().bold();
pub const FAINT: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default();
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
pub const BAD: Style = AnsiColor::Red.on_default();

/// Text in a colour. If the output has no colours, the stream removes it again.
pub fn styled(text: &str, style: Style) -> String {
    if style == PLAIN || text.is_empty() {
        text.to_owned()
    } else {
        format!("{style}{text}{style:#}")
    }
}

/// A path for programs. JSON contains only Unicode, so other bytes are replaced.
pub fn lossy<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&path.display())
}

pub fn lossy_option<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.display().to_string()).serialize(to)
}

pub fn lossy_list<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(paths.iter().map(|path| path.display().to_string()))
}

/// A number for programs: a string if it exceeds 64 bits.
pub fn whole_number<S: Serializer>(number: &Option<u128>, to: S) -> Result<S::Ok, S::Error> {
    match number.map(|number| u64::try_from(number).map_err(|_| number.to_string())) {
        None => to.serialize_none(),
        Some(Ok(number)) => to.serialize_u64(number),
        Some(Err(text)) => to.serialize_str(&text),
    }
}

/// A size in a suitable unit.
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

/// A name from a file, with invisible characters escaped.
pub fn plain(name: &str) -> String {
    name.chars()
        .flat_map(|letter| if is_unseen(letter) { letter.escape_default().collect() } else { vec![letter] })
        .collect()
}

/// Whether a character moves the cursor or changes the order of the text around it.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The first letters of a text, with an ellipsis if it is longer.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The beginning and the end of a name, with an ellipsis between them if it is longer. Long names usually
/// differ at their ends.
pub fn abbreviated(name: &str, most: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= most {
        return name.to_owned();
    }
    let (first, last) = (most / 3, most.saturating_sub(1 + most / 3));
    let (beginning, end) = (&letters[..first], &letters[letters.len() - last..]);
    beginning.iter().chain(&['…']).chain(end).collect()
}

/// A tolerance on a command line.
pub fn not_negative(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|&value| value >= 0.0)
        .ok_or_else(|| format!("`{text}` is not a number of 0 or more"))
}

/// A number with its noun.
pub fn many(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The message if no register matches the patterns.
pub fn none_named(patterns: &[String]) -> String {
    let said: Vec<String> = patterns.iter().map(|pattern| format!("`{}`", plain(pattern))).collect();
    format!("no register is named {}; `cppc show` lists the names", said.join(" or "))
}

/// The message about a file. The advice for a run is left out, since `cppc` resumes none.
pub fn wrong(error: &VerifyError) -> String {
    plain(&match &error.reason {
        Reason::UnknownWriter { first } => format!(
            "`{}` has the signature of no known writer ({first}): if it is a state file, name the directory of its writer with `CPPC_WRITERS`",
            error.path.display()
        ),
        _ => error.to_string(),
    })
}

/// An error with its causes, without repetitions: some messages contain their cause.
pub fn error_text(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for part in error.chain().map(ToString::to_string).filter(|part| !part.is_empty()) {
        if !said.contains(&part) {
            said = if said.is_empty() { part } else { format!("{said}: {part}") };
        }
    }
    plain(&said)
}

/// Whether a name matches one of the patterns; true if there are none.
pub fn is_wanted(name: &str, patterns: &[String]) -> bool {
    // `%` follows the module of a Fortran variable, `:` follows the file of a static variable of C, and `*p`
    // is what `p` points to.
    let bare = name.strip_suffix("(:)").unwrap_or(name);
    let own = name[bare.rfind(['%', ':']).map_or(0, |mark| mark + 1)..].trim_start_matches('*');
    let fits = |pattern: &String| {
        let pattern = WildMatch::new(pattern);
        pattern.matches(name) || pattern.matches(own)
    };
    patterns.is_empty() || patterns.iter().any(fits)
}

/// Numbers as ranges: `0-3, 7`.
pub fn ranges<T: Copy + Into<u64>>(numbers: &[T]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for number in numbers.iter().map(|&number| number.into()) {
        match parts.last_mut() {
            Some((_, last)) if number.checked_sub(1) == Some(*last) => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let said = parts.iter().map(
        |&(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        },
    );
    said.collect::<Vec<_>>().join(", ")
}

/// A text in a table.
#[derive(Debug, Clone)]
pub struct TableCell {
    pub text: String,
    pub style: Style,
}

impl TableCell {
    pub fn new(text: impl Into<String>, style: Style) -> TableCell {
        TableCell { text: text.into(), style }
    }
}

impl<T: Into<String>> From<T> for TableCell {
    fn from(text: T) -> TableCell {
        TableCell::new(text, PLAIN)
    }
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
        assert_eq!(ranges(&[0u32, 1, 2, 7, 9, 10]), "0-2, 7, 9-10");
    }

    #[test]
    fn nothing_unseen_is_left() {
        assert_eq!(plain("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
        assert_eq!(plain("x\u{9b}2J\u{202e}y\u{200b}"), "x\\u{9b}2J\\u{202e}y\\u{200b}");
        assert_eq!(plain("größe_µ"), "größe_µ");
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(shortened("abcd", 4), "abcd");
        assert_eq!(abbreviated("chunk%tiles(12)%field%density0", 16), "chunk…d%density0");
        assert_eq!(abbreviated("density0", 8), "density0");
    }

    #[test]
    fn names_are_chosen_by_patterns() {
        let wanted = |name, patterns: &[&str]| {
            is_wanted(name, &patterns.iter().map(|&pattern| pattern.to_owned()).collect::<Vec<_>>())
        };
        assert!(wanted("grid%u", &["u"]) && wanted("grid%u", &["grid%*"]) && !wanted("grid%u", &["grid"]));
        assert!(wanted("heat.c:u", &["u"]) && wanted("grid%a(:)", &["a(:)"]) && !wanted("grid%a(:)", &["a"]));
        assert!(wanted("u", &[]) && wanted("u_new", &["x", "u*"]) && wanted("a(:)", &["a(?)"]));
        assert!(!wanted("grid", &["u*"]));
        assert!(wanted("*list", &["list"]) && wanted("heat.c:*p", &["p"]) && !wanted("*list", &["l"]));
    }

    #[test]
    fn causes_are_said_once() {
        let error = anyhow::Error::from(std::io::Error::other("the disk is full"))
            .context("cannot write `x`: the disk is full")
            .context("no");
        assert_eq!(error_text(&error), "no: cannot write `x`: the disk is full");
    }
}
