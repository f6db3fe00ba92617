//! Gives the shared library a name with its major version, so that only programs of that version load it.

fn main() {
    let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcppc_mpi.so.{major}");
    println!("cargo:rerun-if-changed=build.rs");
}
