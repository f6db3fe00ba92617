//! What went wrong, for the runtime to tell.
//!
//! In: what was tried, and the system's or the library's reason. Out: a text and a number. Holds
//! afterwards: a full disk is told as such, whoever met it.

use std::fmt;
use std::io;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub text: String,
    /// A value of `errno`; none where none fits.
    pub code: Option<i32>,
}

impl Fault {
    pub fn new(text: impl Into<String>) -> Fault {
        Fault { text: text.into(), code: None }
    }

    pub fn system(tried: &str, error: &io::Error) -> Fault {
        Fault { text: format!("cannot {tried}: {error}"), code: error.raw_os_error() }
    }

    /// What the library says, innermost first.
    pub fn library(tried: &str, said: &[String]) -> Fault {
        let innermost = said.first().map_or("no reason is given", String::as_str);
        Fault { text: format!("cannot {tried}: {innermost}"), code: said.iter().find_map(|text| errno_in(text)) }
    }
}

/// The library tells the system's reason as text.
fn errno_in(text: &str) -> Option<i32> {
    let (_, rest) = text.split_once("errno = ")?;
    let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
    digits.parse().ok().filter(|code| *code > 0)
}

impl fmt::Display for Fault {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_reason_is_found() {
        let said = ["file write failed: time = Fri, errno = 28, error message = 'No space left'".to_owned()];
        assert_eq!(Fault::library("write", &said).code, Some(28));
        assert_eq!(Fault::library("write", &["bad value".to_owned()]).code, None);
    }
}
