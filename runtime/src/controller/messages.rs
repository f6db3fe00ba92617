//! The messages of the runtime on standard error.
//!
//! Input: messages, the log level, the rank of this process.
//! Output: lines with the prefix `cppc: `.
//! Postcondition: a failure to write a message has no effect.

use crate::settings::Log;
use crate::standard_error;
use std::fmt::{self, Write as _};

#[derive(Debug, Clone)]
pub struct Messages {
    pub rank: u32,
    pub processes: u32,
    pub log: Log,
}

impl Default for Messages {
    fn default() -> Messages {
        Messages { rank: 0, processes: 1, log: Log::Restart }
    }
}

impl Messages {
    /// Reports a failure on this process.
    pub fn failure(&self, message: &str) {
        if self.processes > 1 {
            self.line(&format!("process {}: {message}", self.rank));
        } else {
            self.line(message);
        }
    }

    /// Reports that the run starts or resumes. The message is the same on all processes, so only one of them
    /// prints it.
    pub fn restart(&self, message: &str) {
        self.common(Log::Restart, message);
    }

    pub fn info(&self, message: &str) {
        self.common(Log::Info, message);
    }

    pub fn debug(&self, message: &str) {
        if self.log >= Log::Debug {
            self.failure(message);
        }
    }

    fn common(&self, level: Log, message: &str) {
        if self.rank == 0 && self.log >= level {
            self.line(message);
        }
    }

    fn line(&self, message: &str) {
        standard_error::write(&format!("cppc: {}\n", Shown(message)));
    }
}

/// Replaces control characters. Names come from files that an attacker may have written, and must not control
/// a terminal.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '\n' | '\t' => text.write_char(letter),
            letter if letter.is_control() => write!(text, "{}", letter.escape_default()),
            letter => text.write_char(letter),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_steer_a_terminal_is_spelled_out() {
        assert_eq!(Shown("`a\u{1b}[2Jb\r`\né").to_string(), "`a\\u{1b}[2Jb\\r`\né");
    }
}
