//! Addresses on the stack. Stacks grow downwards on all supported machines.
//!
//! Input: the address of a local of a call.
//! Output: the frames and registers that have ended before the call.

/// The maximum distance between the locals of two different runtime calls that are made from the same place
/// of the program.
pub const SLACK_BYTES: usize = 256;

/// The minimum size of the stack of a runtime call above its local: the return address, saved registers,
/// other locals. Above that may be variables of the caller, which a callee registers through its parameters.
const ABOVE_BYTES: usize = 24;

/// Where the stack ends for the callee of a call that was announced at `announced`: the memory below dies
/// when the callee returns. The frame of the callee begins where the frame of the announcing call did.
pub fn dying_below(announced: usize) -> usize {
    announced.saturating_add(ABOVE_BYTES)
}

/// Whether a frame whose `CPPC_Enter` had its local at `boundary` has ended, given a later call of another
/// kind from the program at `here`.
pub fn is_stale(boundary: usize, here: usize) -> bool {
    here > boundary.saturating_add(SLACK_BYTES)
}
