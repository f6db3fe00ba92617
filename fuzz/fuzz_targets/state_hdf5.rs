//! `cargo fuzz run state_hdf5`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (cppc_fuzz_targets::target("state_hdf5").run)(data));
