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

/// How long each of them is.
pub const SENTINEL_LENGTH: usize = SENTINELS[0].len();
