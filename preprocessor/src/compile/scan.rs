//! Determines from the text of a source, without preprocessing, whether it may contain directives.
//!
//! Input: a source and the directories in which its includes are searched.
//! Output: true or false.
//! Postcondition: the result is true for every source that contains directives, directly or in an included
//! file, unless the name of an include comes from a macro, which `computed_include` finds. The result may also be true
//! for a source without directives.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::language::Language;
use cppc_grammar::directive_words::{is_c_sentinel, SENTINELS};
use cppc_grammar::fortran::lines::is_misspelt_comment;

/// `directories` are those of `-iquote` and `-I`. System headers contain no directives.
pub fn may_carry_directives(source: &Path, language: Language, directories: &[PathBuf]) -> bool {
    let found = |_: &Path, text: &[u8]| text_may_carry_directives(text, language).then_some(());
    find(source, directories, found).is_some()
}

/// Whether a C source, or a file that it includes, has an `#include` whose name comes from a macro.
pub fn computed_include(source: &Path, directories: &[PathBuf]) -> bool {
    let is_computed = |line: &[u8]| {
        let rest = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        let name = rest.and_then(|rest| rest.strip_prefix(b"include")).map(<[u8]>::trim_ascii_start);
        name.and_then(|name| name.first()).is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
    };
    find(source, directories, |_, text| text.split(|byte| *byte == b'\n').any(is_computed).then_some(()))
        .is_some()
}

/// Whether a source, or a file that it includes, contains a name of the runtime.
pub fn may_name_runtime(source: &Path, directories: &[PathBuf]) -> bool {
    find(source, directories, |_, text| contains(text, b"cppc").then_some(())).is_some()
}

/// A line with a directive.
#[derive(Debug, PartialEq, Eq)]
pub struct DirectiveLine {
    pub path: PathBuf,
    /// From 1.
    pub line: usize,
}

/// The first directive in a source that is not translated, such as one in C++, or in a file that it includes.
/// Comments and conditions are not taken into account.
pub fn untranslated_directive(source: &Path, directories: &[PathBuf]) -> Option<DirectiveLine> {
    find(source, directories, |path, text| {
        let index = text.split(|byte| *byte == b'\n').position(is_directive)?;
        Some(DirectiveLine { path: path.to_owned(), line: index + 1 })
    })
}

/// Whether a line is a directive of C, or contains one as an operator.
fn is_directive(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let pragma = || line.strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"pragma");
    let operator = || {
        const OPERATOR: &[u8] = b"_Pragma";
        let start = line.windows(OPERATOR.len()).position(|word| word == OPERATOR)? + OPERATOR.len();
        line[start..].trim_ascii_start().strip_prefix(b"(")?.trim_ascii_start().strip_prefix(b"\"")
    };
    let begins = |rest: &[u8]| {
        let rest = rest.trim_ascii_start();
        let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        is_c_sentinel(&String::from_utf8_lossy(&rest[..end.unwrap_or(rest.len())]))
    };
    pragma().is_some_and(begins) || operator().is_some_and(begins)
}

/// Reads a source and what it includes until `found` returns a result.
fn find<T>(source: &Path, directories: &[PathBuf], found: impl Fn(&Path, &[u8]) -> Option<T>) -> Option<T> {
    let mut seen = HashSet::new();
    let mut waiting = vec![source.to_owned()];
    while let Some(path) = waiting.pop() {
        // The compiler reports a file that cannot be read.
        let Ok(text) = std::fs::read(&path) else { continue };
        let result = found(&path, &text);
        if result.is_some() {
            return result;
        }
        let own = path.parent().unwrap_or(Path::new(""));
        for include in text.split(|byte| *byte == b'\n').filter_map(included) {
            let own = (include.quoted || include.name.is_absolute()).then_some(own);
            let places = own.into_iter().chain(directories.iter().map(PathBuf::as_path));
            let included = places.map(|place| place.join(include.name)).find(|path| path.is_file());
            if let Some(included) = included.filter(|path| seen.insert(identity(path))) {
                waiting.push(included);
            }
        }
    }
    None
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
        Language::C => {
            contains(text, b"ragma") && SENTINELS.iter().any(|word| contains(text, word.as_bytes()))
        }
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
    text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
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
        let computed = write("computed.c", "#include \"names.h\"\n# include STEP\n");
        assert!(computed_include(&computed, &[]));
        let absolute =
            write("absolute.c", &format!("#include <{}/inc/deep.inc>\n", directory.path().display()));
        assert!(may_carry_directives(&absolute, Language::C, &[]));
        assert!(!computed_include(&absolute, &[]));
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
    fn a_directive_that_is_not_translated_is_found_with_its_line() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::write(at("step.hpp"), "// #pragma cppc init\nvoid f() {\n #  pragma CPPC checkpoint\n}\n")
            .unwrap();
        std::fs::write(at("a.cpp"), "#include \"step.hpp\"\n").unwrap();
        std::fs::write(at("b.cc"), "#pragma omp parallel\n_Pragma ( \"cppc init\")\n").unwrap();
        std::fs::write(at("c.cc"), "#pragma cppcheck\nint cppc;\nconst char *s = \"#pragma cppc init\";\n")
            .unwrap();
        let found = |name: &str| untranslated_directive(&at(name), &[]).map(|found| (found.path, found.line));
        assert_eq!(found("a.cpp"), Some((at("step.hpp"), 3)));
        assert_eq!(found("b.cc"), Some((at("b.cc"), 2)));
        assert_eq!(found("c.cc"), None);
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
