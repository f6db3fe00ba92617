//! `cargo fuzz run fortran_free`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (cppc_fuzz_targets::target("fortran_free").run)(data));
