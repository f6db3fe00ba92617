//! Information about modules that needs no parsing: the modules that a Fortran text defines and uses, and the
//! directories that options give for modules.
//!
//! Input: the bytes of a source, options of a compiler.
//! Output: names, directories.
//! Postcondition: a definition on a line of its own is found. The result may contain extra names; they do no
//! harm.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The options that name the directory of module files, longest first.
pub const MODULE_DIRECTORY: [&str; 4] = ["-module-dir=", "-module-dir", "-module", "-J"];

/// Modules that are supplied with compilers and libraries. No source is searched for them.
pub fn is_supplied_with_compiler(name: &str) -> bool {
    let known = [
        "mpi",
        "mpi_f08",
        "omp_lib",
        "openacc",
        "iso_c_binding",
        "iso_fortran_env",
        "cppc",
        "hdf5",
        "netcdf",
    ];
    known.contains(&name) || name.starts_with("ieee_")
}

/// The values of the options, joined to the option or in the next word.
pub fn values(flags: &[OsString], options: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let joined = options.iter().find_map(|option| flag.as_bytes().strip_prefix(option.as_bytes()));
        match joined {
            Some(b"") => found.extend(flags.next().map(PathBuf::from)),
            Some(value) => found.push(OsStr::from_bytes(value).into()),
            None => {}
        }
    }
    found
}

/// The names of modules in a text, in lower case, as compilers name their files.
#[derive(Default)]
pub struct Names {
    pub defined: Vec<Vec<u8>>,
    pub used: Vec<Vec<u8>>,
}

impl Names {
    /// Scans the text line by line without parsing it. Extra names do no harm.
    pub fn of(text: &[u8]) -> Names {
        let mut names = Names::default();
        let lower = joined(&text.to_ascii_lowercase());
        for statement in lower.split(|byte| matches!(byte, b'\n' | b';')) {
            let words = words(statement);
            match words.as_slice() {
                [b"module", b"procedure" | b"subroutine" | b"function", _, ..] => {}
                [b"module", name] => names.defined.push(name.to_vec()),
                [b"use", b",", ..] => {
                    let name = words.iter().skip_while(|word| **word != b"::").nth(1);
                    names.used.extend(name.map(|name| name.to_vec()));
                }
                [b"use", b"::", name, ..] | [b"use", name, ..] => names.used.push(name.to_vec()),
                [b"submodule", b"(", parent, rest @ ..] => {
                    names.used.push(parent.to_vec());
                    if let [b":", ancestor, ..] = rest {
                        names.used.push(ancestor.to_vec());
                    }
                }
                _ => {}
            }
        }
        names
    }
}

/// Joins continued lines. The source form is unknown here, so the rules of both forms are applied as far as
/// possible.
fn joined(text: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut goes_on = false;
    for line in text.split(|&byte| byte == b'\n') {
        let solid = line.trim_ascii_start();
        if goes_on && (solid.is_empty() || solid.starts_with(b"!")) {
            continue;
        }
        let is_marked = line.starts_with(b"     ")
            && line.get(5).is_some_and(|mark| matches!(mark, b'1'..=b'9' | b'+' | b'*' | b'$' | b'.'));
        let rest = match solid.strip_prefix(b"&") {
            Some(rest) => Some(rest),
            None if is_marked && !goes_on => line.get(6..),
            None => None,
        };
        match rest {
            // The continued line may end within a word.
            Some(rest) => out.extend_from_slice(rest),
            None => {
                out.push(if goes_on { b' ' } else { b'\n' });
                out.extend_from_slice(line);
            }
        }
        let start = out.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let code = out[start..].split(|&byte| byte == b'!').next().map_or(0, <[u8]>::len);
        let end = out[start..start + code].trim_ascii_end().len();
        goes_on = end > 0 && out[start + end - 1] == b'&';
        out.truncate(start + if goes_on { end - 1 } else { code });
    }
    out
}

/// The names and punctuation of a statement, up to a comment.
fn words(statement: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let mut rest = statement.trim_ascii_start();
    while let Some(first) = rest.first() {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = match first {
            b'!' => break,
            _ if is_name(first) => rest.iter().take_while(|byte| is_name(byte)).count(),
            b':' if rest.get(1) == Some(&b':') => 2,
            _ => 1,
        };
        // Module names are among the first words of a statement.
        if words.len() == 8 {
            break;
        }
        words.push(&rest[..length]);
        rest = rest[length..].trim_ascii_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_in_a_text() {
        let text = b"  MODULE Grid_Data ! of old\nuse, intrinsic :: iso_c_binding\n use kinds, only: wp\nuse::plain\n\
            module procedure add\nmodule subroutine step(n)\nsubmodule (top:middle) low\nx = 1; use late\nuse_it = 3\n";
        let shown = |names: Vec<Vec<u8>>| {
            let names: Vec<String> =
                names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
            names.join(" ")
        };
        let names = Names::of(text);
        assert_eq!(shown(names.defined), "grid_data");
        assert_eq!(shown(names.used), "iso_c_binding kinds plain top middle late");
    }

    #[test]
    fn names_may_go_on_in_the_next_line() {
        let text = b"module stor& ! here\n\n  ! a comment\n   &e\nuse grid &\n  , only: n\nuse &\n  late\n      module hea\n     1ter\n      use dat\n     &a\n";
        let names = Names::of(text);
        assert_eq!(names.defined, [b"store".to_vec(), b"heater".to_vec()]);
        assert_eq!(names.used, [b"grid".to_vec(), b"late".to_vec(), b"data".to_vec()]);
    }

    #[test]
    fn directories_come_from_options() {
        let flags = ["-O2", "-Jone", "-I", "two", "-module-dir", "three", "-Ifour"].map(OsString::from);
        assert_eq!(values(&flags, &MODULE_DIRECTORY), ["one", "three"].map(PathBuf::from));
        assert_eq!(values(&flags, &["-I"]), ["two", "four"].map(PathBuf::from));
    }
}
