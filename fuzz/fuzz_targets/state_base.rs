//! `cargo fuzz run state_base`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (cppc_fuzz_targets::target("state_base").run)(data));
