//! The language of a source, determined from its name or from the option `-x` of the compiler.
//!
//! Input: a path and the options with which it is compiled.
//! Output: its language.
//! Postcondition: a name that no Fortran compiler treats as Fortran is C.

use std::ffi::{OsStr, OsString};
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    #[default]
    C,
    Fortran,
}

/// Extensions of Fortran sources. Sources with an extension in capitals are preprocessed.
const FORTRAN_ENDINGS: [&str; 11] =
    ["f", "for", "ftn", "f77", "fpp", "f90", "f95", "f03", "f08", "f15", "f18"];

impl Language {
    pub fn of(path: &Path, flags: &[OsString]) -> Language {
        match language_option(flags) {
            Some(word) if word == "none" => Language::of_name(path),
            Some(word) if word.starts_with("f77") || word.starts_with("f95") => Language::Fortran,
            Some(_) => Language::C,
            None => Language::of_name(path),
        }
    }

    fn of_name(path: &Path) -> Language {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or("").to_ascii_lowercase();
        if FORTRAN_ENDINGS.contains(&ending.as_str()) {
            Language::Fortran
        } else {
            Language::C
        }
    }
}

/// The value of the last `-x`.
fn language_option(flags: &[OsString]) -> Option<String> {
    let mut value = None;
    let mut words = flags.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        match word.strip_prefix("-x") {
            Some("") => value = words.next().map(|word| word.into_owned()),
            Some(joined) if !joined.starts_with('-') => value = Some(joined.to_owned()),
            _ => {}
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_options_tell() {
        let language = |path: &str, flags: &[&str]| {
            let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
            Language::of(Path::new(path), &flags)
        };
        assert_eq!(language("a.c", &[]), Language::C);
        assert_eq!(language("src/A.F90", &[]), Language::Fortran);
        assert_eq!(language("a.txt", &["-x", "f95"]), Language::Fortran);
        assert_eq!(language("a.f", &["-xc"]), Language::C);
        assert_eq!(language("a.f", &["-x", "f95", "-x", "none"]), Language::Fortran);
    }
}
