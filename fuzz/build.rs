//! The HDF5 writer is a shared object with instrumented code. It finds the symbols of libFuzzer and of the sanitizer in
//! the program.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for symbols in ["__sancov_lowest_stack", "__sanitizer_*", "__asan_*"] {
        println!("cargo:rustc-link-arg-bins=-Wl,--export-dynamic-symbol={symbols}");
    }
}
