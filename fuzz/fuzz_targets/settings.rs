//! `cargo fuzz run settings`
#![no_main]

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("settings"), |data: &[u8]| (cppc_fuzz_targets::target("settings").run)(data));
