//! `cargo fuzz run directive_c`
#![no_main]

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("directive_c"), |data: &[u8]| (cppc_fuzz_targets::target("directive_c").run)(data));
