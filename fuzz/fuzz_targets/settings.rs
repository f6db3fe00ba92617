//! `cargo fuzz run settings`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (cppc_fuzz_targets::target("settings").run)(data));
