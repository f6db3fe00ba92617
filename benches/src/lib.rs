//! Measures ratios to references in the same run.
//!
//! Input: two functions to measure.
//! Output: a row `bench NAME ratio R goal G`.
//! Postcondition: the two were measured alternately, so that other load on the machine affects both.

pub mod long_program;
pub mod pairs;
pub mod product;
