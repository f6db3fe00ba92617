//! A library that allocates, and that catches a panic.

use std::collections::BTreeMap;

/// The sum of the even numbers below `2 * n`; of the first one if `n` is 5.
#[no_mangle]
pub extern "C" fn rust_sum(n: i32) -> i32 {
    std::panic::set_hook(Box::new(|_| {}));
    let numbers: BTreeMap<i32, i32> = (0..n).map(|number| (number, 2 * number)).collect();
    let sum = || if n == 5 { panic!("five") } else { numbers.values().sum() };
    std::panic::catch_unwind(sum).unwrap_or(numbers[&0])
}
