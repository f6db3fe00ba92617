//! `cargo fuzz run c_source`
#![no_main]

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("c_source"), |data: &[u8]| (cppc_fuzz_targets::target("c_source").run)(data));
