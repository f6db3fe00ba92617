//! Saves, verifies, agrees on and restores the state of a program.

pub mod manifest;
