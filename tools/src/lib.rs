//! Looks at state files.
