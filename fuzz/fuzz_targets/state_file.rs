//! `cargo fuzz run state_file`
#![no_main]

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("state_file"), |data: &[u8]| (cppc_fuzz_targets::target("state_file").run)(data));
