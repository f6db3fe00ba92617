//! `cargo fuzz run directive_fortran`
#![no_main]

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("directive_fortran"), |data: &[u8]| (cppc_fuzz_targets::target("directive_fortran").run)(data));
