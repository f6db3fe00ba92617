//! `cppc` as users call it.

mod fixture;
mod look;
mod picture;
mod convert;
mod prune;
mod differ;
