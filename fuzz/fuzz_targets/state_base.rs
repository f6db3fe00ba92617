//! `cargo fuzz run state_base`
#![no_main]

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("state_base"), |data: &[u8]| (cppc_fuzz_targets::target("state_base").run)(data));
