//! How a directive is told from other pragmas and comments.

/// The words that begin a directive; the second is the papers' older spelling.
pub const SENTINELS: [&str; 2] = ["cppc", "cccp"];

/// Whether the first word of a pragma makes it ours. C's case counts.
pub fn is_c_sentinel(word: &str) -> bool {
    SENTINELS.contains(&word)
}

/// Whether a text begins with a sentinel of Fortran, whose case does not count. What stands before it
/// in a comment is `$`.
pub fn begins_with_sentinel(text: &[u8]) -> bool {
    let same = |sentinel: &str| {
        text.get(..sentinel.len()).is_some_and(|word| word.eq_ignore_ascii_case(sentinel.as_bytes()))
    };
    SENTINELS.iter().any(|sentinel| same(sentinel))
}

/// What a directive's text begins with.
const FIRST_WORDS: [&str; 7] = ["init", "shutdown", "register", "unregister", "execute", "end", "checkpoint"];

/// Whether a word and the text behind it were probably meant to be a directive: one letter is wrong in
/// the sentinel, or two stand the wrong way round.
pub fn is_misspelt(word: &str, behind: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_near = |sentinel: &&str| strsim::osa_distance(&word, sentinel) == 1;
    word.len() <= 5 && begins_as_directive(behind) && SENTINELS.iter().any(is_near)
}

/// Whether a text begins as that of a directive does.
pub fn begins_as_directive(text: &str) -> bool {
    let text = text.trim_start().to_ascii_lowercase();
    let first = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    FIRST_WORDS.contains(&first)
}

/// How long each of them is.
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
