//! Why a checkpoint is skipped.
//!
//! Input: what a snapshot found.
//! Output: the message, with the names of items and procedures.

use crate::allocations;
use crate::graph::GraphError;
use thiserror::Error;

/// Why this checkpoint must be skipped.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
pub enum Refusal {
    #[error("`{0}` was entered from a caller that CPPC does not know (a callback, a library, or a file that was translated by itself)")]
    Foreign(String),
    #[error(
        "`{0}` ran blocks that a restart could not replay: its caller is not known, or it was left by a jump"
    )]
    Unreplayable(String),
    #[error("`{procedure}` has called `setjmp` ({place}), which a restart would jump over: put it into an execute block, or before `init`")]
    JumpPoint { procedure: String, place: String },
    #[error("`{variable}` determines a size in the declarations of `{procedure}`, and has changed since `{procedure}` was called: pass the size as an argument, or change `{variable}` only after `{procedure}` has returned")]
    SizeVariable { procedure: String, variable: String },
    #[error("the checkpoint is in an execute block of `{0}`")]
    Executing(String),
    #[error("`{0}` was registered outside all register blocks")]
    Unplanned(String),
    #[error("`{0}` points to memory of the program that a restart could not find: register that memory separately, or use an array instead of `alloca`")]
    Unreachable(String),
    #[error("`{0}` was registered through a pointer that has changed: register it again after the change, or through a pointer that does not change")]
    Elsewhere(String),
    #[error("`{0}` points to a static variable of a procedure that a restart does not run: declare that variable outside of the procedure")]
    Deferred(String),
    #[error("`{0}` is registered without elements, and points neither into registered memory nor to its end: write how many elements there are")]
    NoElements(String),
    #[error("`{0}` is registered without elements, and points to a variable that is not registered: register that variable too, where it is declared")]
    BareVariable(String),
    #[error("`{name}` contains a pointer ({place}) that points to no registered memory: {what}")]
    Dangling { name: String, place: String, what: &'static str },
    #[error("`{pointer}` points to memory of `{target}`, which only a procedure called later registers: register `{target}` before `{pointer}`, or where `{pointer}` is registered")]
    TooEarly { pointer: String, target: String },
    #[error("`{pointer}` was captured and points to memory of `{target}`, which a restart registers only later: register `{target}` before")]
    LateRegister { pointer: String, target: String },
    #[error("`{0}` points to a part of an array that is not registered as a whole: register the array that was allocated")]
    NoOwner(String),
    #[error("`{name}` is registered with {size_bytes} bytes at {address:#x}, and not all of them can be read: unregister it before its memory is freed, and register no more elements than it has")]
    Unreadable { name: String, address: usize, size_bytes: usize },
    #[error("`{name}` {fault}")]
    Allocation { name: String, fault: allocations::Fault },
    #[error("{0}")]
    Graph(GraphError),
    #[error(
        "`{name}` and `{other}` are different parts of an array that share memory: register each part only once"
    )]
    SharedField { name: String, other: String },
    #[error("the array of `{0}` is a null pointer, or the number of its elements is not possible: unregister the item before its array is freed")]
    NoStructures(String),
    #[error("`{0}` is in memory that is also saved with `deep`, and a restart would allocate it twice: register it only once. If it is the number of elements of another item, write `p[]` for that item, or a copy of the number")]
    InGraph(String),
    #[error("`{0}` points to memory that is shared with other processes or with a file, for which a restart would allocate memory of this process: allocate that memory in an `execute` block, and save its content in an array that is not shared")]
    Shared(String),
    #[error("`{0}` points to memory of a window that MPI has allocated, for which a restart would allocate other memory: create the window in an `execute` block, and save its content in an array that is not in a window")]
    Window(String),
    #[error("no integer was declared that selects the member of the union `{0}`")]
    NoSelector(String),
    #[error("`{0}` was captured and contains a pointer that points to no registered memory")]
    Captured(String),
    #[error("`{name}`, an argument of a call of `{callee}` that a restart repeats, points to no registered memory, and a restart cannot set it again: register that memory, and keep it for as long as the program runs; or set the pointer in an `execute` block or before `init`")]
    Argument { name: String, callee: String },
}
