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
    /// `CPPC_Field *`, which the call sets.
    Field,
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
    /// Calls of the restart plan. Translations make them, and programs that use frames without the
    /// translation.
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
        "Starts the service: removes the settings from argv, agrees with the other processes on the recovery"
        "line to resume from, and reads it. In an MPI program, MPI_Init must have been called. Null pointers"
        "mean no arguments. Returns CPPC_SUCCESS, or another status if there will be no service."),
    call!(Program Int "CPPC_Shutdown"()
        "Ends the service: waits for the dump in progress, and removes the state files unless the settings"
        "keep them. Returns CPPC_SUCCESS or another status. CPPC_Init cannot be called again."),
    call!(Program Memory "CPPC_Register"("section": Int, "address": Memory, "count": Size, "type": Int, "name": Text, "storage": Int)
        "Registers `count` elements at `address` under `name`. In a restart the saved content is copied"
        "there or, with CPPC_DYNAMIC, returned in memory that free accepts."
        "Registering a name again in the same scope replaces the earlier register. Returns the address."),
    call!(Program Nothing "CPPC_Arguments"("argc": ArgumentCount, "argv": Arguments)
        "First call in main: removes the runtime's settings from argv and keeps them for CPPC_Init, which may"
        "be called later and elsewhere. Without this call, CPPC_Init removes them itself."),
    call!(Program Int "CPPC_Register_value"("section": Int, "address": Memory, "type": Int, "name": Text, "storage": Int)
        "CPPC_Register for one element. Returns 1 if its saved content was copied there, which happens only"
        "in a restart; else 0."),
    call!(Program Memory "CPPC_Register_pointer"("section": Int, "slot": Memory, "count": Size, "type": Int, "name": Text, "storage": Int)
        "Registers the `count` elements to which the pointer in `slot` points at each checkpoint. In a restart"
        "the pointer is set. `storage` is that of the slot, with CPPC_PARAMETER added if the pointer is a"
        "parameter of its procedure. Returns the pointer in the slot."),
    call!(Program Int "CPPC_Shape"("name": Text, "rank": Int, "extents": Sizes)
        "Call it right after the call that registered `name`. Its elements are an array of `rank` dimensions with"
        "these extents, the slowest in memory first. State files contain the shape; a restart does not depend on"
        "it. Returns CPPC_SUCCESS, or another status if the product of the extents is not the count."),
    call!(Program Int "CPPC_Fields"("name": Text, "offset": Size, "stride": Size, "elements": Size)
        "Call it before CPPC_Register or CPPC_Register_pointer of `name`. `count` is then a number of structures, and"
        "the register has a field of each: `elements` elements of the type, `offset` bytes after the first structure."
        "The structures are `stride` bytes apart. In a restart their memory must exist. Returns CPPC_SUCCESS or"
        "another status."),
    call!(Program Int "CPPC_Way"("name": Text, "slot": Memory, "storage": Int)
        "Call it right after the call that registered `name`. The pointer in `slot` is part of the access path to its"
        "address. It must point to the same address at each checkpoint; otherwise the checkpoint is skipped. Pass the"
        "pointers in the order in which the program follows them. With CPPC_AUTOMATIC the slot ends with the frame"
        "and is not read after that. Returns CPPC_SUCCESS or another status."),
    call!(Program Int "CPPC_Unregister"("address": Memory)
        "Ends the register with this address, with this slot, or with this address in its slot. Returns"
        "CPPC_SUCCESS or another status."),
    call!(Program Int "CPPC_Unregister_name"("name": Text, "address": Memory)
        "As CPPC_Unregister. The name selects among registers that share the address."),
    call!(Plan Nothing "CPPC_Out_of_scope"("name": Text)
        "The variable that the innermost procedure has registered under `name` is out of its scope: ends the"
        "register, if there is one. A name with `[]` means all elements with this name."),
    call!(Program Int "CPPC_Do_checkpoint"("id": Int)
        "A checkpoint: every N-th call makes a dump, where N is a setting. In a restart, checks that the state"
        "file was written here and that everything was restored. Returns 1 if a restart has ended here, so that"
        "saved values must be restored, else 0."),
    call!(Program Int "CPPC_Do_checkpoint_at"("id": Int, "place": Text)
        "CPPC_Do_checkpoint, with the position of the checkpoint in the source for messages: `heat.c:41`."),
    call!(Plan Nothing "CPPC_Ranks"("ranks": Text)
        "Call it right before CPPC_Do_checkpoint. State is saved there only in runs with one of these numbers of"
        "processes: `1, 4:16`. The text must not change during the run."),
    call!(Program Int "CPPC_Jump_next"()
        "Ends a block. Returns 0 in a normal run, else the block to jump to; one more than the number of"
        "blocks is the exit. In a program that never numbers its blocks: whether a restart is in progress."),
    call!(Program Int "CPPC_Restarting"()
        "Returns 1 during a restart, else 0."),
    call!(Program Int "CPPC_Define_type"("name": Text, "size": Size, "fields": Int, "field": Fields)
        "Describes a structure of `size` bytes by its fields. Returns its type code, or a negative status."
        "Equal descriptions have the same code. A field with the name `u.real if kind == 1` is one only while the field"
        "`kind` has this value."),
    call!(Program Int "CPPC_Bit_field"("field": Field, "sample": Memory, "size": Size, "negative": Int)
        "Sets the offset and the type of a field that is a bit-field. All bits of the field are set in the structure"
        "`sample` of `size` bytes, and no others. `negative`: its value is negative then. Returns CPPC_SUCCESS or another"
        "status."),
    call!(Program Int "CPPC_Select"("name": Text, "selector": Memory, "type": Int)
        "Declares the integer that selects the member of the union that was registered last, under `name`. In the"
        "description of the union, the name of each member ends with its condition: `real if kind == 1`. The integer"
        "must exist as long as the register. Returns CPPC_SUCCESS or another status."),
    call!(Program Int "CPPC_Points"("type": Int, "field": Text, "target": Int)
        "Declares that the pointers in this field of a structure point to elements of the type `target`, or to"
        "functions (CPPC_FUNCTION). Registers with CPPC_DEEP need it for each pointer that they reach. Returns"
        "CPPC_SUCCESS or another status."),
    call!(Program Int "CPPC_Stated"("type": Int, "field": Text)
        "Declares that the user has stated what the pointers in this field of a structure point to. That memory is"
        "not searched for addresses. Returns CPPC_SUCCESS or another status."),
    call!(Plan Int "CPPC_Enter"("procedure": Text, "blocks": Int)
        "Opens a frame of a procedure with this number of blocks. Returns 0, or in a restart the block to jump to."),
    call!(Plan Nothing "CPPC_Leave"()
        "Closes the innermost frame; the registers of its automatic variables end."),
    call!(Plan Int "CPPC_Frame"()
        "Returns the number of the innermost frame; for procedures that call setjmp."),
    call!(Plan Nothing "CPPC_Land"("frame": Int)
        "The program continues in this frame: closes the inner frames that a longjmp has left."),
    call!(Plan Nothing "CPPC_Jump_point"("place": Text)
        "The procedure calls setjmp outside of execute blocks, at this position: `heat.c:41`. A restart would skip"
        "that call. Until the frame is closed, checkpoints are skipped."),
    call!(Plan Nothing "CPPC_Size_variable"("address": Memory, "size": Size, "name": Text)
        "Call it after CPPC_Enter: a size in the declarations of the procedure depends on the variable of `size`"
        "bytes at `address`. It must have the same value at each checkpoint until the frame is closed. Otherwise"
        "the checkpoint is skipped, because a restart would compute another size."),
    call!(Plan Nothing "CPPC_Identify"("fingerprint": Text)
        "Call it before CPPC_Init: the fingerprint of the program's instrumented procedures. State files of a"
        "program with another fingerprint are refused."),
    call!(Plan Int "CPPC_Block"("block": Int)
        "Begins a register block. Returns CPPC_SUCCESS or another status."),
    call!(Plan Int "CPPC_Accepts_deferred"()
        "Whether registers with CPPC_DEFERRED have an effect now. A procedure calls it each time that it begins, until"
        "the result is 1, and then registers its static variables. Any thread may make these calls."),
    call!(Plan Int "CPPC_Wants"("name": Text)
        "Returns 1 if registering `name` now has an effect. Outside of a restart it always has."),
    call!(Plan Int "CPPC_Replays"()
        "Returns 1 while the current block is replayed, else 0."),
    call!(Plan Int "CPPC_Element"("name": Text, "subscripts": Memory)
        "The next register of this name is that of an element. Each `[]` in the name stands for the next one of the"
        "subscripts, which are numbers of type long long. In a replay they are set to those of the recorded"
        "register. Returns 1 if registering it now has an effect."),
    call!(Plan Int "CPPC_Execute"("block": Int)
        "Begins an execute block. Returns 1 in a normal run, 0 in a replay."),
    call!(Plan Int "CPPC_Call"("block": Int, "callee": Text)
        "Begins a call to an instrumented procedure; a null `callee` means a call through a pointer. Returns 1 in"
        "a normal run, 0 in a replay."),
    call!(Plan Nothing "CPPC_Capture"("address": Memory, "count": Size, "type": Int, "name": Text)
        "Call it after CPPC_Execute or CPPC_Call: records the content. In a replay the recorded content is"
        "copied there, and the previous content is copied back at the end of the block."),
    call!(Plan Nothing "CPPC_Capture_pointers"("address": Memory, "count": Size, "type": Int, "name": Text, "elsewhere": Int)
        "Call it after CPPC_Call, as CPPC_Capture, for an argument that is a pointer or contains pointers. In a replay,"
        "pointers to registered memory point to the same element again. `elsewhere` selects what happens to others."),
    call!(Plan Int "CPPC_Evaluates"("name": Text)
        "Call it after CPPC_Call, before the argument of the next CPPC_Capture_pointers is evaluated. Returns 0 if a"
        "replay has its value from the state file, so that the evaluation can be left out, else 1."),
    call!(Plan Nothing "CPPC_File"("file": Int, "name": Text, "handle": Text)
        "Call it after CPPC_Execute and the captures: the block opens the file of this name, and `handle` refers to"
        "it. The first file is 1. In a replay, a file that was being written is set aside so that the block cannot"
        "truncate it."),
    call!(Plan Nothing "CPPC_File_stream"("file": Int, "stream": Memory)
        "Call it at the end of the block with its FILE *, or null if it was not opened. In a replay the file is"
        "moved back and truncated to its length at the checkpoint, and the stream refers to it, at its old position."),
    call!(Plan Nothing "CPPC_File_descriptor"("file": Int, "descriptor": Int)
        "As CPPC_File_stream, for a descriptor; negative if it was not opened."),
    call!(Plan Int "CPPC_Return"("block": Int)
        "The call has returned. Returns 1 if a restart has ended in an inner frame since the call began, so that"
        "the saved values must be restored, else 0."),
    call!(Plan Int "CPPC_Register_saved"("section": Int, "slot": Int, "address": Memory, "count": Size, "type": Int, "name": Text, "storage": Int)
        "Registers a copy of the variable at `address` in cell `slot` of the frame, for languages in which the"
        "address of a variable must not be kept. Returns 1 if a restart has copied the saved content to the"
        "variable, else 0. `storage` is CPPC_AUTOMATIC."),
    call!(Plan Nothing "CPPC_Save"("slot": Int, "address": Memory, "count": Size, "type": Int)
        "Copies the variable into cell `slot` of the frame. Call it right before a checkpoint, or before a call"
        "that may reach one. A cell that is not registered is saved with its frame."),
    call!(Plan Nothing "CPPC_Take"("slot": Int, "address": Memory, "count": Size, "type": Int)
        "Copies the cell into the variable, if the cell has a value that differs. During a restart this is done"
        "only if the frame has reached its last block."),
    call!(Plan Nothing "CPPC_Loop"("slot": Int, "first": Memory, "last": Memory, "step": Memory, "type": Int)
        "Call it at the header of a loop that can only be entered through the header. `last` and `step` are copied"
        "into the cells slot + 1 and slot + 2. In a restart all three are copied from the cells if the frame has"
        "reached its last block; else they are set so that the loop runs once."),
    call!(Plan Int "CPPC_Register_followed"("section": Int, "type": Int, "rank": Int, "lower": Memory, "upper": Memory, "name": Text, "storage": Int)
        "Registers an array whose memory and bounds change. Call CPPC_Follow or CPPC_Follow_nothing right after it."
        "`lower` and `upper` point to `rank` integers of 8 bytes each. Returns 0 in a normal run. In a restart,"
        "returns -1 if the array was not allocated, and 1 with its bounds if it was. Returns 2 if its memory was"
        "restored already, because an earlier register shares it (see CPPC_Place)."),
    call!(Plan Nothing "CPPC_Deliver"("address": Memory, "name": Text)
        "In a restart, call it after the array was allocated with these bounds: copies the content there."),
    call!(Plan Nothing "CPPC_Follow"("address": Memory, "length": Size, "rank": Int, "lower": Memory, "upper": Memory, "name": Text)
        "Passes the current address and bounds of the array. Call it right before a checkpoint, or before a call"
        "that may reach one. `length` is that of each element for CPPC_CHARACTER, else 0."),
    call!(Plan Nothing "CPPC_Follow_nothing"("name": Text)
        "The array is not allocated now."),
    call!(Plan Memory "CPPC_Place"("name": Text)
        "In a restart, returns the address of an array whose memory was restored already; else null."),
    call!(Plan Nothing "CPPC_Capture_value"("address": Memory, "count": Size, "type": Int, "name": Text)
        "As CPPC_Capture, but the previous content is not copied back."),
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
