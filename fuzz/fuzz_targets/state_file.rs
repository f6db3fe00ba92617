//! `cargo fuzz run state_file`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (cppc_fuzz_targets::target("state_file").run)(data));
