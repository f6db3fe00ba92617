//! Addresses on the stack.
//!
//! In: the address of a local of a call. Out: which frames and registers it has outlived. Holds
//! afterwards: nothing, this is arithmetic; stacks grow downwards on every machine we know.

/// How far the locals of two different calls of ours may lie apart when both were made from the same
/// place of the program.
pub const SLACK_BYTES: usize = 256;

/// What a call of ours has of the stack above its local at least: the return address, saved registers, other locals.
/// Behind it may be variables of the caller, which a callee registers through its parameters.
const ABOVE_BYTES: usize = 24;

/// Where the stack ends for the callee of a call that was announced at `announced`: what lies below
/// dies when the callee returns. The callee's frame begins where that of the announcing call did.
pub fn dying_below(announced: usize) -> usize {
    announced.saturating_add(ABOVE_BYTES)
}

/// Whether a frame whose `CPPC_Enter` had its local at `boundary` is gone, given a later call of
/// another kind from the program at `here`.
pub fn is_stale(boundary: usize, here: usize) -> bool {
    here > boundary.saturating_add(SLACK_BYTES)
}
