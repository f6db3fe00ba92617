//! Recognises directives among other pragmas and comments.

/// The words that begin a directive. The second is the older spelling, which is used in the papers.
pub const SENTINELS: [&str; 2] = ["cppc", "cccp"];

/// True if a pragma with this first word is a CPPC directive. C is case-sensitive.
pub fn is_c_sentinel(word: &str) -> bool {
    SENTINELS.contains(&word)
}

/// True if a text begins with a sentinel of Fortran, in upper or lower case. In a comment a `$` precedes it.
pub fn begins_with_sentinel(text: &[u8]) -> bool {
    let same = |sentinel: &str| {
        text.get(..sentinel.len()).is_some_and(|word| word.eq_ignore_ascii_case(sentinel.as_bytes()))
    };
    SENTINELS.iter().any(|sentinel| same(sentinel))
}

/// The words with which the text of a directive can begin.
const FIRST_WORDS: [&str; 7] = ["init", "shutdown", "register", "unregister", "execute", "end", "checkpoint"];

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
    FIRST_WORDS.contains(&first)
}

/// Length of each sentinel, in bytes.
pub const SENTINEL_LENGTH: usize = SENTINELS[0].len();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_from_other_directives() {
        for (word, behind) in [("cpcc", "checkpoint"), ("CPC", "Register(a)"), ("ccppc", " init"), ("ccp", "end execute")] {
            assert!(is_misspelt(word, behind), "{word} {behind}");
        }
        for (word, behind) in [("acc", "init"), ("omp", "end parallel"), ("cppc", "init"), ("cpcc", "registers")] {
            assert!(!is_misspelt(word, behind), "{word} {behind}");
        }
    }
}
