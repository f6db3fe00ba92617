//! Environment variables that begin with `CPPC_` and are not settings of a run.
//!
//! Input: the name of a variable.
//! Output: whether a run ignores it, and the table in `docs/settings.md`.
//! Postcondition: a run ignores every variable that the other programs of the project read.

use std::fmt::Write as _;

const PREFIX: &str = "CPPC_";

/// Variables with a meaning, and the meaning.
const VARIABLES: &[(&str, &str)] = &[
    ("CPPC_CONFIG", "the path of the settings file, instead of `cppc.toml`"),
    ("CPPC_WRITERS", "directories to search for [writers](writers.md#how-a-writer-is-found)"),
    ("CPPC_CC", "the C compiler of `cppc-cc`, and of `cppc-pp` for preprocessing"),
    ("CPPC_FC", "the Fortran compiler of `cppc-fc`"),
    ("CPPC_PREFIX", "the directory in which CPPC is installed, for `cppc-cc` and `cppc-fc`"),
    ("CPPC_PP_CACHE", "the directory in which answers of the C compiler, and objects that a link compiled again, are kept, or `off`"),
    ("CPPC_AUTO", "`register`: add the directives that the program needs besides `checkpoint`; `checkpoint`: add these; `all`: both; see [automatic.md](automatic.md)"),
    ("CPPC_ANNOTATE", "a file for a patch with these directives"),
    ("CPPC_CATALOGUE", "files with the effects of procedures without source, separated by `:`; see [catalogue.md](catalogue.md)"),
    ("CPPC_UNKNOWN", "`stop`: an error where the analyses do not know the effects of a call"),
    ("CPPC_WARN", "`all`: a warning there, and all reports of the check"),
    (
        "CPPC_RANKS",
        "the numbers of processes with which [communications](safe-points.md) are followed, separated by commas",
    ),
    ("CPPC_CHECK", "`none`: no [check](checks.md) of the directives when a program is linked; `messages`: link the [check of messages](messages.md) too"),
];

/// Words that build systems and environment modules put after `CPPC_`. Only the first word counts.
const WORDS: &[&str] = &[
    "CC", "CXX", "FC", "F77", "CPP", "PP", "CFLAGS", "FFLAGS", "LDFLAGS", "LIBS", "LIB", "LIBDIR", "INCLUDE",
    "BIN", "BASE", "ROOT", "HOME", "PATH", "PREFIX", "VERSION", "MODULE", "SETUP", "STAGE",
];

/// Whether a run ignores this variable.
pub fn is_ignored(variable: &str) -> bool {
    let Some(name) = variable.strip_prefix(PREFIX) else { return true };
    let first_word = name.split('_').next().unwrap_or_default();
    // These are settings of a run, too.
    let is_setting = matches!(name, "CONFIG" | "CHECK");
    WORDS.contains(&first_word) || (!is_setting && VARIABLES.iter().any(|(known, _)| *known == variable))
}

/// The table in `docs/settings.md`.
pub fn markdown() -> String {
    let mut text = "| variable | meaning |\n|---|---|\n".to_owned();
    for (name, meaning) in VARIABLES {
        let _ = writeln!(text, "| `{name}` | {meaning} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_programs_and_modules_are_ignored() {
        for variable in ["CPPC_CC", "CPPC_AUTO", "CPPC_ROOT", "CPPC_HOME", "CPPC_CC_RUNNING", "HOME"] {
            assert!(is_ignored(variable), "{variable}");
        }
        for variable in ["CPPC_CONFIG", "CPPC_CHECK", "CPPC_EVERY", "CPPC_EVREY", "CPPC_DIR"] {
            assert!(!is_ignored(variable), "{variable}");
        }
    }
}
