//! `cppc` as users call it.

mod fixture;
mod look;
mod widths;
mod picture;
mod report;
mod convert;
mod prune;
mod differ;
