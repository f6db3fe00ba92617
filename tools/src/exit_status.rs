//! The exit statuses of `cppc` and its commands.
//!
//! Input: what a command found.
//! Output: the status of the process, the last line of the help of each command, and the table of the manual.

use std::fmt::Write as _;

pub use cppc_abi::exit_statuses::ExitStatus;

/// What the statuses of a command mean.
struct Meanings {
    /// The name of the subcommand, or `cppc` for all of them.
    command: &'static str,
    meanings: &'static [(ExitStatus, &'static str)],
}

use ExitStatus::{Fault, NotExecuted, Success};

const TABLE: &[Meanings] = &[
    Meanings {
        command: "cppc",
        meanings: &[
            (Success, "success"),
            (Fault, "state is damaged, missing or different"),
            (NotExecuted, "the command could not be executed"),
        ],
    },
    Meanings {
        command: "list",
        meanings: &[(Success, "success"), (NotExecuted, "there is nothing to list")],
    },
    Meanings {
        command: "show",
        meanings: &[
            (Success, "success"),
            (Fault, "a part is damaged"),
            (NotExecuted, "nothing could be shown"),
        ],
    },
    Meanings {
        command: "report",
        meanings: &[
            (Success, "success"),
            (Fault, "a part is damaged, and the page reports it"),
            (NotExecuted, "no page was written"),
        ],
    },
    Meanings {
        command: "diff",
        meanings: &[
            (Success, "equal"),
            (Fault, "different or damaged"),
            (NotExecuted, "the states could not be compared"),
        ],
    },
    Meanings {
        command: "convert",
        meanings: &[
            (Success, "success"),
            (Fault, "something was damaged and is missing in the result"),
            (NotExecuted, "nothing was done"),
        ],
    },
    Meanings {
        command: "prune",
        meanings: &[
            (Success, "success"),
            (Fault, "there are fewer complete lines, or something could not be removed"),
            (NotExecuted, "nothing was done"),
        ],
    },
    Meanings {
        command: "verify",
        meanings: &[
            (Success, "no file is damaged, and each application has a complete line"),
            (Fault, "otherwise"),
            (NotExecuted, "there is nothing to verify"),
        ],
    },
    Meanings {
        command: "checkpoint",
        meanings: &[
            (Success, "the recovery line is complete"),
            (Fault, "the recovery line is not complete, or the run has ended"),
            (NotExecuted, "no program runs there, or it does not answer"),
        ],
    },
    Meanings {
        command: "rehearse",
        meanings: &[
            (Success, "all restarts have given the results of the unbroken run"),
            (Fault, "a restart has failed or has given other results"),
            (NotExecuted, "the program fails by itself, or writes no recovery line"),
        ],
    },
    Meanings {
        command: "run",
        meanings: &[
            (Success, "the program ended successfully"),
            (
                Fault,
                "or more: the exit status of the program, or 128 plus the number of the signal that ended it",
            ),
            (NotExecuted, "also if the program could not be started"),
        ],
    },
];

/// The help of a command, with the meaning of its exit statuses as the last line.
pub fn with_help(command: clap::Command) -> clap::Command {
    let Some(entry) = TABLE.iter().find(|entry| entry.command == command.get_name()) else { return command };
    let meanings: Vec<String> =
        entry.meanings.iter().map(|(status, meaning)| format!("{} {meaning}", *status as u8)).collect();
    let before = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let text = format!("{before}\n\nExit status: {}.", meanings.join("; "));
    command.after_help(text.trim_start().to_owned())
}

/// The table of the manual.
pub fn markdown() -> String {
    let mut text = "| command | 0 | 1 | 2 |\n|---|---|---|---|\n".to_owned();
    for entry in TABLE.iter().filter(|entry| entry.command != "cppc") {
        let meaning = |wanted: ExitStatus| {
            entry.meanings.iter().find(|(status, _)| *status == wanted).map_or("", |(_, meaning)| meaning)
        };
        let [success, fault, not_executed] = [Success, Fault, NotExecuted].map(meaning);
        let _ = writeln!(text, "| `{}` | {success} | {fault} | {not_executed} |", entry.command);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_line_of_statuses_in_its_help() {
        let command = crate::command::command();
        let own = std::iter::once(&command);
        for one in own.chain(command.get_subcommands()) {
            let help = one.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Exit status: 0 "), "{}: {help}", one.get_name());
        }
        assert_eq!(TABLE.len(), 1 + command.get_subcommands().count());
    }
}
