//! Shared parts of the end-to-end tests, in the order of the flow: the product that is tested, the
//! programs it is tested with, their forms and builds, their runs, what is done to their state, and the
//! scenarios put together from these.

pub mod product;
pub mod program;
pub mod form;
pub mod build;
pub mod process;
pub mod trace;
pub mod run;
pub mod state;
pub mod scenario;
pub mod matrix;
pub mod shim;
pub mod marks;
pub mod diagnose;
pub mod cases;
pub mod removal;
pub mod deletion;
pub mod random;
