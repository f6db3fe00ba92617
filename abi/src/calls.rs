//! The calls of the runtime: names, arguments, and their contracts.
//!
//! Input: nothing.
//! Output: the table from which `cppc.h` is made.
//! Postcondition: the table contains exactly the calls that a library exports to C.

/// The type of an argument, independent of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    Int,
    Size,
    /// `const char *`, ended by a zero byte.
    Text,
    /// `void *`.
    Memory,
    /// `int *`, the `argc` of `main`.
    ArgumentCount,
    /// `char ***`, the `argv` of `main`.
    Arguments,
    /// `const CPPC_Field *`.
    Fields,
    /// `const size_t *`.
    Sizes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned {
    Nothing,
    Int,
    Memory,
}

pub struct Parameter {
    pub name: &'static str,
    pub argument: Argument,
}

/// Who makes the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Calls that programs and translations make.
    Program,
    /// Calls of the restart plan: translations make them, and programs that are written with frames.
    Plan,
}

pub struct Call {
    pub name: &'static str,
    pub group: Group,
    pub returns: Returned,
    pub parameters: &'static [Parameter],
    /// The description, one line of text each.
    pub doc: &'static [&'static str],
}

use Argument::*;

const fn p(name: &'static str, argument: Argument) -> Parameter {
    Parameter { name, argument }
}

macro_rules! call {
    ($group:ident $returns:ident $name:literal ( $($parameter:literal : $argument:ident),* ) $($doc:literal)+) => {
        Call {
            name: $name,
            group: Group::$group,
            returns: Returned::$returns,
            parameters: &[$(p($parameter, $argument)),*],
            doc: &[$($doc),+],
        }
    };
}

pub const CALLS: &[Call] = &[
    call!(Program Int "CPPC_Init"("argc": ArgumentCount, "argv": Arguments)
        "Starts the service: takes the settings out of argv, agrees with the other processes on what to"
        "resume from, and reads it. MPI_Init must have been called in an MPI program. Null pointers"
        "stand for no arguments. Returns CPPC_SUCCESS, or a status when there will be no service."),
    call!(Program Int "CPPC_Shutdown"()
        "Ends the service: waits for the dump that is under way and removes what the settings say."
        "Returns CPPC_SUCCESS, or a status. CPPC_Init cannot be called again."),
    call!(Program Memory "CPPC_Register"("section": Int, "address": Memory, "count": Size, "type": Int, "name": Text, "storage": Int)
        "Registers `count` elements at `address` under `name`. In a restart the saved content is put"
        "there, or, with CPPC_DYNAMIC, memory that free takes is returned with the content in it."
        "Registering a name again in the same scope replaces the earlier register. Returns the address."),
    call!(Program Nothing "CPPC_Arguments"("argc": ArgumentCount, "argv": Arguments)
        "First in main: takes the runtime's settings out of argv and keeps them for CPPC_Init, which may"
        "come later and elsewhere. Without it CPPC_Init takes them out itself."),
    call!(Program Int "CPPC_Register_value"("section": Int, "address": Memory, "type": Int, "name": Text, "storage": Int)
        "CPPC_Register for one element. Returns 1 when its saved content has been put there, which happens"
        "in a restart only; 0 otherwise."),
    call!(Program Memory "CPPC_Register_pointer"("section": Int, "slot": Memory, "count": Size, "type": Int, "name": Text, "storage": Int)
        "Registers `count` elements at the place that the pointer in `slot` points to at each checkpoint."
        "In a restart the pointer is set. `storage` is that of the slot, with CPPC_PARAMETER added when"
        "the pointer is a parameter of its procedure. Returns what the slot points to."),
    call!(Program Int "CPPC_Shape"("name": Text, "rank": Int, "extents": Sizes)
        "Right after the call that registered `name`: its elements are an array of `rank` dimensions, with these"
        "extents, the slowest in memory first. State files show it; a restart does not depend on it. Returns"
        "CPPC_SUCCESS, or a status when the extents do not make the count."),
    call!(Program Int "CPPC_Way"("name": Text, "slot": Memory, "storage": Int)
        "Right after the call that registered `name`: its address was reached through the pointer in `slot`, which"
        "must lead to the same place at each checkpoint, or nothing is written there. Pointers are named in the order"
        "in which they are followed. With CPPC_AUTOMATIC the slot ends with the frame, and is not looked at from then"
        "on. Returns CPPC_SUCCESS or a status."),
    call!(Program Int "CPPC_Unregister"("address": Memory)
        "Ends the register at this address, slot, or pointed-to place. Returns CPPC_SUCCESS or a status."),
    call!(Program Int "CPPC_Unregister_name"("name": Text, "address": Memory)
        "As CPPC_Unregister; the name decides between registers that share the address."),
    call!(Program Int "CPPC_Do_checkpoint"("id": Int)
        "A checkpoint: every N-th call dumps, N from the settings. In a restart it is checked whether"
        "the state file was written here and everything has been recovered. Returns 1 when a restart has"
        "ended right here and saved values must be taken back, else 0."),
    call!(Program Int "CPPC_Do_checkpoint_at"("id": Int, "place": Text)
        "CPPC_Do_checkpoint, with the place of the checkpoint in the source for messages: `heat.c:41`."),
    call!(Program Int "CPPC_Jump_next"()
        "Ends a block. Returns 0 in a normal run, else the block to go to; one more than the number of"
        "blocks is the exit. In a program that never numbers its blocks: whether a restart is under way."),
    call!(Program Int "CPPC_Restarting"()
        "Returns 1 while a restart is under way, else 0."),
    call!(Program Int "CPPC_Define_type"("name": Text, "size": Size, "fields": Int, "field": Fields)
        "Describes a structure of `size` bytes by its fields. Returns its type code, the same for the"
        "same description, or a negative status."),
    call!(Plan Int "CPPC_Enter"("procedure": Text, "blocks": Int)
        "Opens a frame of a procedure with so many blocks. Returns 0, or the block to go to in a restart."),
    call!(Plan Nothing "CPPC_Leave"()
        "Closes the innermost frame; the registers of its automatic variables end."),
    call!(Plan Int "CPPC_Frame"()
        "Which frame is the innermost; for procedures that call setjmp."),
    call!(Plan Nothing "CPPC_Land"("frame": Int)
        "Control is in this frame: those that it has called and that a longjmp has left are closed."),
    call!(Plan Nothing "CPPC_Jump_point"("place": Text)
        "The procedure calls setjmp, outside of execute blocks, at this place: `heat.c:41`. A restart would jump over"
        "that. Until the frame is closed, nothing is written at checkpoints."),
    call!(Plan Nothing "CPPC_Identify"("fingerprint": Text)
        "Before CPPC_Init: the fingerprint of the program's instrumented procedures. A state file that"
        "was written by a program with another one is refused."),
    call!(Plan Int "CPPC_Block"("block": Int)
        "A register block begins. Returns CPPC_SUCCESS or a status."),
    call!(Plan Int "CPPC_Wants"("name": Text)
        "Returns 1 when registering `name` now has an effect, which outside a restart is always so."),
    call!(Plan Int "CPPC_Replays"()
        "Returns 1 while the block under way is repeated from the restart plan, else 0."),
    call!(Plan Int "CPPC_Element"("name": Text, "subscripts": Memory)
        "The register of this name that follows is that of an element: each `[]` in the name stands for the next of"
        "the subscripts, numbers of type long long. In a replay they become those of the register that is made"
        "again. Returns 1 when registering it now has an effect."),
    call!(Plan Int "CPPC_Execute"("block": Int)
        "An execute block begins. Returns 1 in a normal run, 0 in a replay."),
    call!(Plan Int "CPPC_Call"("block": Int, "callee": Text)
        "A call to an instrumented procedure begins; a null `callee` stands for a call through a pointer."
        "Returns 1 in a normal run, 0 in a replay."),
    call!(Plan Nothing "CPPC_Capture"("address": Memory, "count": Size, "type": Int, "name": Text)
        "After CPPC_Execute or CPPC_Call: records the content. In a replay the recorded content is put"
        "in place, and what was there is put back at the end of the block."),
    call!(Plan Nothing "CPPC_File"("file": Int, "name": Text, "handle": Text)
        "After CPPC_Execute and the captures: the block opens the file of this name and has it in `handle`; the"
        "first file is 1. In a replay what was being written is moved aside, so that the block cannot empty it."),
    call!(Plan Nothing "CPPC_File_stream"("file": Int, "stream": Memory)
        "At the end of the block: its FILE *, or null when it was not opened. In a replay the file is moved back,"
        "cut to the length it had at the checkpoint, and the stream leads to it, at its old place."),
    call!(Plan Nothing "CPPC_File_descriptor"("file": Int, "descriptor": Int)
        "As CPPC_File_stream, for a descriptor; negative when it was not opened."),
    call!(Plan Int "CPPC_Return"("block": Int)
        "The call has returned. Returns 1 when a restart has ended below this frame since the call began"
        "and the saved values must be taken back, else 0."),
    call!(Plan Int "CPPC_Register_saved"("section": Int, "slot": Int, "address": Memory, "count": Size, "type": Int, "name": Text, "storage": Int)
        "Registers a copy of the variable at `address`, kept in cell `slot` of the frame, for languages in"
        "which the address of a variable must not be kept. Returns 1 when a restart has put the saved"
        "content into the variable, else 0. `storage` is CPPC_AUTOMATIC."),
    call!(Plan Nothing "CPPC_Save"("slot": Int, "address": Memory, "count": Size, "type": Int)
        "Copies the variable into cell `slot` of the frame, right before a checkpoint or a call that leads"
        "to one. A cell that is not registered is saved with its frame."),
    call!(Plan Nothing "CPPC_Take"("slot": Int, "address": Memory, "count": Size, "type": Int)
        "Copies the cell into the variable, if there is something in it and it differs. While a restart is"
        "under way this is done only where the frame has come to its last block."),
    call!(Plan Nothing "CPPC_Loop"("slot": Int, "first": Memory, "last": Memory, "step": Memory, "type": Int)
        "At the header of a loop that can only be entered through it: `last` and `step` go into the cells"
        "slot + 1 and slot + 2. In a restart all three come from the cells where the frame has come to its"
        "last block; else they are set so that the loop is entered once."),
    call!(Plan Int "CPPC_Register_followed"("section": Int, "type": Int, "rank": Int, "lower": Memory, "upper": Memory, "name": Text, "storage": Int)
        "Registers an array whose memory and bounds change; CPPC_Follow or CPPC_Follow_nothing comes right"
        "after it. `lower` and `upper` lead to `rank` integers of 8 bytes each. Returns 0 in a normal run; in a"
        "restart -1 when it was not allocated, 1 when it was, with its bounds, 2 when its memory is in place"
        "already, because another register that shares it came before (see CPPC_Place)."),
    call!(Plan Nothing "CPPC_Deliver"("address": Memory, "name": Text)
        "In a restart, after the array was allocated with these bounds: puts the content there."),
    call!(Plan Nothing "CPPC_Follow"("address": Memory, "length": Size, "rank": Int, "lower": Memory, "upper": Memory, "name": Text)
        "Says where the array is now and with which bounds, right before a checkpoint or a call that leads"
        "to one. `length` is that of each element for CPPC_CHARACTER, else 0."),
    call!(Plan Nothing "CPPC_Follow_nothing"("name": Text)
        "Says that the array is not allocated now."),
    call!(Plan Memory "CPPC_Place"("name": Text)
        "In a restart, where the memory of the array is that is in place already; else null."),
    call!(Plan Nothing "CPPC_Capture_value"("address": Memory, "count": Size, "type": Int, "name": Text)
        "As CPPC_Capture, but what was there before is not put back."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_carry_the_prefix() {
        let mut names: Vec<_> = CALLS.iter().map(|call| call.name).collect();
        assert!(names.iter().all(|name| name.starts_with("CPPC_")));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CALLS.len());
    }
}
