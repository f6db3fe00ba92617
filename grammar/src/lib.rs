//! From source text to trees.
