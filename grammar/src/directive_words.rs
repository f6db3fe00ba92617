//! The words of directives, and directives among other pragmas and comments.

/// The directives.
pub const DIRECTIVES: [&str; 9] =
    [INIT, SHUTDOWN, REGISTER, UNREGISTER, EXECUTE, END_EXECUTE, CHECKPOINT, AUTO, ALLOW];

/// The clauses of `execute`.
pub const CLAUSES: [&str; 4] = [ON_RESTART, RESTART, CAPTURE, FILE];

pub const INIT: &str = "init";
pub const SHUTDOWN: &str = "shutdown";
pub const REGISTER: &str = "register";
pub const UNREGISTER: &str = "unregister";
pub const EXECUTE: &str = "execute";
pub const END: &str = "end";
pub const END_EXECUTE: &str = "end execute";
pub const CHECKPOINT: &str = "checkpoint";
pub const SAFE: &str = "safe";
pub const LOOP: &str = "loop";
pub const RANKS: &str = "ranks";
pub const AUTO: &str = "auto";
pub const ALLOW: &str = "allow";
pub const ALL: &str = "all";
pub const ON: &str = "on";
pub const RESTART: &str = "restart";
pub const ON_RESTART: &str = "on restart";
pub const CAPTURE: &str = "capture";
pub const FILE: &str = "file";

/// The words that begin a directive. The second is the older spelling, which is used in the papers.
pub const SENTINELS: [&str; 2] = ["cppc", "cccp"];

/// True if a pragma with this first word is a CPPC directive. `CPPC` counts too: other compilers would skip it in
/// silence.
pub fn is_c_sentinel(word: &str) -> bool {
    SENTINELS.iter().any(|sentinel| sentinel.eq_ignore_ascii_case(word))
}

/// True if a text begins with a sentinel of Fortran, in upper or lower case. In a comment a `$` precedes it.
pub fn begins_with_sentinel(text: &[u8]) -> bool {
    let same = |sentinel: &str| {
        text.get(..sentinel.len()).is_some_and(|word| word.eq_ignore_ascii_case(sentinel.as_bytes()))
    };
    SENTINELS.iter().any(|sentinel| same(sentinel))
}

/// True if a word and the text after it were probably meant to be a directive: one letter of the sentinel is
/// wrong, or two letters are swapped.
pub fn is_misspelt(word: &str, behind: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_near = |sentinel: &&str| strsim::osa_distance(&word, sentinel) == 1;
    word.len() <= 5 && begins_as_directive(behind) && SENTINELS.iter().any(is_near)
}

/// True if the text begins with the word of a directive.
pub fn begins_as_directive(text: &str) -> bool {
    let text = text.trim_start().to_ascii_lowercase();
    let first = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    DIRECTIVES.iter().any(|directive| directive.split(' ').next() == Some(first))
}

/// Length of each sentinel, in bytes.
pub const SENTINEL_LENGTH: usize = SENTINELS[0].len();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_from_other_directives() {
        for (word, behind) in
            [("cpcc", "checkpoint"), ("CPC", "Register(a)"), ("ccppc", " init"), ("ccp", "end execute")]
        {
            assert!(is_misspelt(word, behind), "{word} {behind}");
        }
        for (word, behind) in
            [("acc", "init"), ("omp", "end parallel"), ("cppc", "init"), ("cpcc", "registers")]
        {
            assert!(!is_misspelt(word, behind), "{word} {behind}");
        }
    }
}
