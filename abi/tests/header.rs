//! The committed header is the one that the tables give.
//!
//! `cargo xtask headers` writes it.

use std::path::Path;

#[test]
fn the_committed_header_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime-ffi/include/cppc.h");
    let wanted = cppc_abi::header::c_header();
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "cppc.h is out of date: run `cargo xtask headers`");
}
