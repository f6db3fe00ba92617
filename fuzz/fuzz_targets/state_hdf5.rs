//! `cargo fuzz run state_hdf5`
#![no_main]

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("state_hdf5"), |data: &[u8]| (cppc_fuzz_targets::target("state_hdf5").run)(data));
