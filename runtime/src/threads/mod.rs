//! Threads beside the one that asks for something.
//!
//! In: work that can be done in parts. Out: its results. Holds afterwards: where no thread is to be
//! had, the one that asked has done it all; the program's signals were not delivered to any of them.

mod signals;
mod in_order;
mod together;

pub use in_order::{in_order, Work};
pub use signals::{without_signals, without_size_signal};
pub use together::{on_threads, threads_for, together};
