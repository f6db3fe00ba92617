//! `cargo fuzz run c_source`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (cppc_fuzz_targets::target("c_source").run)(data));
