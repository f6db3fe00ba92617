//! Determines from the text of a source, without preprocessing, whether it may contain directives.
//!
//! Input: a source and the directories in which its includes are searched.
//! Output: true or false.
//! Postcondition: the result is true for every source that contains directives, directly or in an included
//! file, unless the name of an include comes from a macro. The result may also be true for a source without
//! directives.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::language::Language;
use cppc_grammar::fortran::lines::is_misspelt_comment;

/// `directories` are those of `-iquote` and `-I`. System headers contain no directives.
pub fn may_carry_directives(source: &Path, language: Language, directories: &[PathBuf]) -> bool {
    let mut seen = HashSet::new();
    let mut waiting = vec![source.to_owned()];
    while let Some(path) = waiting.pop() {
        // The compiler reports a file that cannot be read.
        let Ok(text) = std::fs::read(&path) else { continue };
        if text_may_carry_directives(&text, language) {
            return true;
        }
        let own = path.parent().unwrap_or(Path::new(""));
        for include in text.split(|byte| *byte == b'\n').filter_map(included) {
            let own = include.quoted.then_some(own);
            let places = own.into_iter().chain(directories.iter().map(PathBuf::as_path));
            let found = places.map(|place| place.join(include.name)).find(|path| path.is_file());
            if let Some(found) = found.filter(|found| seen.insert(identity(found))) {
                waiting.push(found);
            }
        }
    }
    false
}

/// Device and inode of a file and of its directory.
type Identity = (Option<(u64, u64)>, Option<(u64, u64)>);

/// Identifies a file independently of its path, and the directory in which its own includes are searched.
/// Paths alone are not sufficient: headers that include one another by `../include/a.h` produce infinitely
/// many paths.
fn identity(path: &Path) -> Identity {
    let number = |path: &Path| std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    (number(path), number(directory))
}

pub fn text_may_carry_directives(text: &[u8], language: Language) -> bool {
    match language {
        Language::C => contains(text, b"ragma") && (contains(text, b"cppc") || contains(text, b"cccp")),
        Language::Fortran => text.windows(5).any(is_sentinel) || has_misspelt_sentinel(text),
    }
}

/// The text after the comment mark, for every kind of comment.
fn is_sentinel(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"$cppc") || word.eq_ignore_ascii_case(b"$cccp")
}

/// A misspelt sentinel also counts, because the translation reports it.
fn has_misspelt_sentinel(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines.any(|line| {
        let line = line.trim_ascii_start();
        let comment = line.first().is_some_and(|mark| matches!(mark, b'!' | b'c' | b'C' | b'*'));
        comment && is_misspelt_comment(line)
    })
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

struct Include<'a> {
    name: &'a Path,
    quoted: bool,
}

/// The file that a line such as `#include "a.h"` or `INCLUDE 'a.h'` names.
fn included(line: &[u8]) -> Option<Include<'_>> {
    let rest = line.trim_ascii_start();
    let rest = rest.strip_prefix(b"#").unwrap_or(rest).trim_ascii_start();
    let (word, rest) = rest.split_at_checked(b"include".len())?;
    if !word.eq_ignore_ascii_case(b"include") {
        return None;
    }
    let (open, rest) = rest.trim_ascii_start().split_first()?;
    let close = match open {
        b'"' | b'\'' => open,
        b'<' => &b'>',
        _ => return None,
    };
    let end = rest.iter().position(|byte| byte == close)?;
    Some(Include { name: Path::new(OsStr::from_bytes(&rest[..end])), quoted: *open != b'<' })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_found_in_the_source_and_in_what_it_includes() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path
        };
        write("inc/step.h", "#include \"deep.inc\"\n");
        write("inc/deep.inc", "#pragma cppc checkpoint\n");
        write("cycle.h", "#include \"cycle.h\"\n");
        // Paths that grow with each include and refer to the same two files.
        write("ring/a.h", "#ifndef A\n#define A\n#include \"../ring/b.h\"\n#endif\n");
        write(
            "ring/b.h",
            "#ifndef B\n#define B\n#include \"../ring/a.h\"\n#include \"../ring/b.h\"\n#endif\n",
        );
        let ring = write("ring.c", "#include \"ring/a.h\"\n");
        assert!(!may_carry_directives(&ring, Language::C, &[]));
        let plain =
            write("plain.c", "#include <stdio.h>\n#include \"cycle.h\"\nint main(void) { return 0; }\n");
        let own = write("own.c", "  # pragma cppc init\n");
        let below = write("below.c", "#include <step.h>\n");
        let directories = [directory.path().join("inc")];
        assert!(!may_carry_directives(&plain, Language::C, &directories));
        assert!(may_carry_directives(&own, Language::C, &directories));
        assert!(may_carry_directives(&below, Language::C, &directories));
        assert!(!may_carry_directives(&below, Language::C, &[]));
        assert!(!may_carry_directives(Path::new("nowhere.c"), Language::C, &[]));
        let fixed = write("fixed.f", "      INCLUDE 'steps.inc'\n      END\n");
        assert!(!may_carry_directives(&fixed, Language::Fortran, &directories));
        write("inc/steps.inc", "C$CpPc CHECKPOINT\n");
        assert!(may_carry_directives(&fixed, Language::Fortran, &directories));
        assert!(!may_carry_directives(&own, Language::Fortran, &directories));
    }

    #[test]
    fn a_source_whose_only_sentinel_is_misspelt_is_looked_at() {
        for line in ["!$cpcc init", "  !cppc checkpoint", "! $cppc init", "c$ccpp register(a)"] {
            assert!(
                text_may_carry_directives(format!("x = 1\n{line}\n").as_bytes(), Language::Fortran),
                "{line}"
            );
        }
        for line in ["! cppc is not used here", "!$omp end parallel", "! init", "call init"] {
            assert!(
                !text_may_carry_directives(format!("x = 1\n{line}\n").as_bytes(), Language::Fortran),
                "{line}"
            );
        }
    }
}
