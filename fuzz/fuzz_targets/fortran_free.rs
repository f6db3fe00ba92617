//! `cargo fuzz run fortran_free`
#![no_main]

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("fortran_free"), |data: &[u8]| (cppc_fuzz_targets::target("fortran_free").run)(data));
