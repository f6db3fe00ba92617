//! Shared parts of the end-to-end tests, in the order of the flow: the product, the programs for the tests,
//! their forms, builds and runs, faults of their state, and the scenarios that use all of these.

pub mod product;
pub mod program;
pub mod form;
pub mod support;
pub mod build;
pub mod process;
pub mod trace;
pub mod run;
pub mod state;
pub mod scenario;
pub mod matrix;
pub mod slurm;
pub mod shim;
pub mod diagnose;
pub mod document;
pub mod cases;
pub mod removal;
pub mod deletion;
pub mod random;
