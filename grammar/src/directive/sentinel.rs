//! How a directive is told from other pragmas and comments.

/// The words that begin a directive; the second is the papers' older spelling.
pub const SENTINELS: [&str; 2] = ["cppc", "cccp"];

/// Whether the first word of a pragma makes it ours. C's case counts.
pub fn is_c_sentinel(word: &str) -> bool {
    SENTINELS.contains(&word)
}
