//! Saves, verifies, agrees on and restores the state of a program.

pub mod threads;
pub mod standard_error;
pub mod settings;
pub mod storage;
pub mod machine;
pub mod arithmetic;
pub mod loaded_objects;
pub mod program_symbols;
pub mod manifest;
pub mod allocations;
pub mod memory;
pub mod files;
pub mod lock;
pub mod register;
pub mod graph;
pub mod plan;
pub mod checkpoint;
pub mod codec;
pub mod format;
pub mod plugin;
pub mod verify;
pub mod agree;
pub mod write;
pub mod restore;
pub mod run_identity;
pub mod controller;
