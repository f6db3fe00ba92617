//! The exit statuses of the programs of CPPC, and of a program that CPPC stops.
//!
//! Input: nothing.
//! Output: the numbers, and the table in `docs/settings.md`.

use std::fmt::Write as _;
use std::process::ExitCode;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    Success = 0,
    /// The program could be executed, and found a fault in its input.
    Fault = 1,
    NotExecuted = 2,
    /// The run has ended after a checkpoint because it was asked to. The same number as `EX_TEMPFAIL`.
    Suspended = 75,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

use ExitStatus::{Fault, NotExecuted, Success, Suspended};

/// The statuses of a program.
struct Program {
    name: &'static str,
    /// The status that is not one of ours, and when it occurs.
    other: Option<(&'static str, &'static str)>,
    own: &'static [(ExitStatus, &'static str)],
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "`cppc-pp`",
        other: None,
        own: &[
            (Success, "success"),
            (Fault, "the input has errors, and no output file was written"),
            (NotExecuted, "something could not run: a file, the compiler"),
        ],
    },
    Program {
        name: "`cppc-cc`, `cppc-fc`",
        other: Some(("the compiler's", "the compiler ran")),
        own: &[
            (Fault, "a directive has a mistake, and nothing was written"),
            (NotExecuted, "something could not run"),
        ],
    },
    Program {
        name: "`cppc`",
        other: None,
        own: &[
            (Success, "success; for `verify`: no damage; for `diff`: the states are equal"),
            (Fault, "something is damaged, missing or different"),
            (NotExecuted, "something could not run"),
        ],
    },
    Program {
        name: "`cppc run`",
        other: Some(("the program's", "the program ran; for a signal, 128 plus its number")),
        own: &[(NotExecuted, "the program could not be started")],
    },
    Program {
        name: "a program with CPPC in it",
        other: Some(("its own", "CPPC did not stop it")),
        own: &[
            (Fault, "the run cannot be resumed, or another start uses its state"),
            (NotExecuted, "a setting is wrong"),
            (Suspended, "it was asked to end after a checkpoint, and the next start resumes the run"),
        ],
    },
];

/// The last line of the help of a program.
pub fn help(program: &str) -> String {
    let entry = PROGRAMS.iter().find(|entry| entry.name.contains(&format!("`{program}`")));
    let other = entry.and_then(|entry| entry.other).map(|(status, meaning)| format!("{status} if {meaning}"));
    let own = entry.map_or(&[][..], |entry| entry.own);
    let own = own.iter().map(|(status, meaning)| format!("{} {meaning}", *status as u8));
    format!("Exit status: {}.", other.into_iter().chain(own).collect::<Vec<_>>().join("; "))
}

/// The table in `docs/settings.md`.
pub fn markdown() -> String {
    let mut text = "| program | status | meaning |\n|---|---|---|\n".to_owned();
    for program in PROGRAMS {
        let other = program.other.map(|(status, meaning)| (status.to_owned(), meaning));
        let own = program.own.iter().map(|(status, meaning)| ((*status as u8).to_string(), *meaning));
        let names = std::iter::once(program.name).chain(std::iter::repeat(""));
        for (name, (status, meaning)) in names.zip(other.into_iter().chain(own)) {
            let _ = writeln!(text, "| {name} | {status} | {meaning} |");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_with_a_help_has_its_statuses() {
        for program in ["cppc-pp", "cppc-cc", "cppc-fc", "cppc", "cppc run"] {
            assert!(help(program).contains("2 "), "{program}: {}", help(program));
        }
        assert!(help("cppc-cc").starts_with("Exit status: the compiler's if the compiler ran; 1 "));
    }
}
