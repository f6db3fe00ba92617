//! Ratios against references in the same run.
//!
//! In: two things to measure. Out: a row `bench NAME ratio R goal G`. Holds afterwards: the two were
//! measured in turns, so that what else the machine does meets both.

pub mod long_program;
pub mod pairs;
pub mod product;
