//! Whole-program analyses. They do not depend on a source language.
//!
//! Input: a program as flow graphs, made by the front ends (`cppc-preprocessor`, module `lower`).
//! Output: the memory that a restart needs at each checkpoint, and the part of it that is not restored.
//! Postcondition: memory of which this is not known is treated as needed. The same input gives the same
//! output in the same order.

pub mod operators;
pub mod program;
mod operations;
mod usual_runs;
pub mod affine;
pub mod builder;
pub mod dump;
pub mod verify;
pub mod effects;
pub mod catalogue;
pub mod unreached;
pub mod copied_allocators;
pub mod region;
pub mod sets;
pub mod points_to;
pub mod solver;
mod dominators;
pub mod natural_loops;
pub mod calls;
pub mod instances;
pub mod accesses;
pub mod spot;
pub mod access_ranges;
pub mod owners;
mod named_elements;
pub mod loop_registers;
pub mod problems;
pub mod units;
pub mod written_handles;
pub mod messages;
pub mod summary;
pub mod nameless;
pub mod proof;
pub mod live;
mod early_registers;
mod passed_registers;
pub mod held;
mod same_arguments;
pub mod registered;
pub mod reached;
mod existing;
mod handovers;
pub mod register_sizes;
pub mod unsaved;
pub mod restored;
mod per_checkpoint;
pub mod needs;
pub mod evaluated_again;
pub mod replays;
pub mod handles;
pub mod needed_opens;
pub mod paths;
pub mod file_modes;
pub mod file_names;
pub mod handle_uses;
pub mod unrestored_files;
pub mod named_files;
pub mod rewritten_streams;
pub mod file_positions;
pub mod kept_arrays;
pub mod witness;
pub mod unknown;
pub mod communications;
pub mod captured_values;
pub mod replaced_runs;
pub mod process_values;
pub mod unequal_runs;
pub mod candidates;
pub mod costs;
pub mod check;
mod file_findings;
mod block_findings;
