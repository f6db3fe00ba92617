//! Threads that support the calling thread.
//!
//! Input: work that can be done in parts.
//! Output: its results.
//! Postcondition: if no thread can be started, the calling thread has done all the work. The program's
//! signals were not delivered to any of these threads.

mod signals;
pub mod own_table;
pub mod request_signals;
mod in_order;
mod parallel;

pub use in_order::{in_order, Work};
pub use parallel::{in_parallel, on_threads, threads_for};
pub use signals::{without_signals, without_size_signal};
