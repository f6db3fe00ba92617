//! Ratios against references in the same run.
