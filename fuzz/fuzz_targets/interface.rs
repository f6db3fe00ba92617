//! `cargo fuzz run interface`
//!
//! The calls are made in child processes. Their coverage comes back in shared memory, so that libFuzzer sees it.
#![no_main]

use std::arch::global_asm;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use cppc_fuzz_targets::interface::{calls_with, Around};

// The linker defines where the counters of the instrumentation begin and end. A declaration in Rust would take these
// names from the instrumentation, which would then find no counters.
global_asm!(
    ".pushsection .data.rel.ro, \"aw\"",
    ".balign 8",
    ".globl cppc_fuzz_counters",
    "cppc_fuzz_counters:",
    ".quad __start___sancov_cntrs",
    ".quad __stop___sancov_cntrs",
    ".popsection",
);

extern "C" {
    #[link_name = "cppc_fuzz_counters"]
    static COUNTERS: [*mut u8; 2];
}

fn counters() -> &'static mut [u8] {
    // SAFETY: only this thread uses the counters in this way; instrumented code adds to them.
    unsafe {
        let [start, end] = COUNTERS;
        std::slice::from_raw_parts_mut(start, end.offset_from(start) as usize)
    }
}

/// Memory that parent and child share, as large as the counters.
fn shared() -> &'static mut [u8] {
    static ADDRESS: OnceLock<usize> = OnceLock::new();
    let length = counters().len();
    let address = *ADDRESS.get_or_init(|| {
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        // SAFETY: new memory at an address of the system's choice.
        let address = unsafe {
            libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
        };
        assert!(address != libc::MAP_FAILED, "no memory to share");
        address as usize
    });
    // SAFETY: the memory stays mapped, and the parent waits while the child uses it.
    unsafe { std::slice::from_raw_parts_mut(address as *mut u8, length) }
}

/// In the child, before libFuzzer's own function at exit, which takes every exit for a crash.
extern "C" fn hand_over(status: c_int, _: *mut c_void) {
    for (shared, counter) in shared().iter_mut().zip(counters()) {
        *shared = shared.saturating_add(*counter);
    }
    // SAFETY: the child ends here.
    unsafe { libc::_exit(status) };
}

libfuzzer_sys::fuzz_target!(init: cppc_fuzz_targets::add_seeds("interface"), |data: &[u8]| {
    shared().fill(0);
    calls_with(data, &Around { before: || counters().fill(0), at_exit: hand_over });
    for (counter, shared) in counters().iter_mut().zip(shared()) {
        *counter = counter.saturating_add(*shared);
    }
});
