//! The language of a source, told by its name or by the compiler's `-x`.
//!
//! In: a path and the options it is compiled with. Out: its language. Holds afterwards: a name that no
//! Fortran compiler would take for Fortran is C's.

use std::ffi::{OsStr, OsString};
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    #[default]
    C,
    Fortran,
}

/// Endings of Fortran sources; in capitals they are preprocessed.
const FORTRAN_ENDINGS: [&str; 11] =
    ["f", "for", "ftn", "f77", "fpp", "f90", "f95", "f03", "f08", "f15", "f18"];

impl Language {
    pub fn of(path: &Path, flags: &[OsString]) -> Language {
        match said(flags) {
            Some(word) if word == "none" => Language::of_name(path),
            Some(word) if word.starts_with("f77") || word.starts_with("f95") => Language::Fortran,
            Some(_) => Language::C,
            None => Language::of_name(path),
        }
    }

    fn of_name(path: &Path) -> Language {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or("").to_ascii_lowercase();
        if FORTRAN_ENDINGS.contains(&ending.as_str()) { Language::Fortran } else { Language::C }
    }
}

/// What the last `-x` says.
fn said(flags: &[OsString]) -> Option<String> {
    let mut said = None;
    let mut words = flags.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        match word.strip_prefix("-x") {
            Some("") => said = words.next().map(|word| word.into_owned()),
            Some(joined) if !joined.starts_with('-') => said = Some(joined.to_owned()),
            _ => {}
        }
    }
    said
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
