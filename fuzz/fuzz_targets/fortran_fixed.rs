//! `cargo fuzz run fortran_fixed`
#![no_main]

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("fortran_fixed"), |data: &[u8]| (cppc_fuzz_targets::target("fortran_fixed").run)(data));
