//! Errors that the runtime reports.
//!
//! Input: the attempted action, and the reason from the system or the library.
//! Output: a text and a number.
//! Postcondition: a full disk is reported as such, whether the system or the library found it.

use std::fmt;
use std::io;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub text: String,
    /// A value of `errno`, if one is known.
    pub code: Option<i32>,
}

impl Fault {
    pub fn new(text: impl Into<String>) -> Fault {
        Fault { text: text.into(), code: None }
    }

    pub fn system(tried: &str, error: &io::Error) -> Fault {
        Fault { text: format!("cannot {tried}: {error}"), code: error.raw_os_error() }
    }

    /// `said` are the messages of the library, innermost first. `EINVAL` is not passed on: if the numbers in a
    /// file are damaged, the library reads at offsets that no file has, and that is what the system answers.
    pub fn library(tried: &str, said: &[String]) -> Fault {
        let innermost = said.first().map_or("no reason is given", String::as_str);
        Fault {
            text: format!("cannot {tried}: {innermost}"),
            code: said.iter().find_map(|text| errno_in(text)),
        }
    }
}

/// The library contains the error number of the system in its text.
fn errno_in(text: &str) -> Option<i32> {
    let (_, rest) = text.split_once("errno = ")?;
    let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
    digits.parse().ok().filter(|code| *code > 0 && *code != libc::EINVAL)
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
        let said = ["file read failed: errno = 22, error message = 'Invalid argument'".to_owned()];
        assert_eq!(Fault::library("read", &said).code, None);
    }
}
