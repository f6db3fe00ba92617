//! A library that allocates, and that starts a thread.

use std::collections::BTreeMap;

/// The sum of the even numbers below `2 * n`.
#[no_mangle]
pub extern "C" fn rust_sum(n: i32) -> i32 {
    let numbers: BTreeMap<i32, i32> = (0..n).map(|number| (number, 2 * number)).collect();
    std::thread::spawn(move || numbers.values().sum()).join().unwrap_or(-1)
}
