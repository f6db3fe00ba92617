//! `cppc` as its users call it.

mod fixture;
mod look;
mod differ;
