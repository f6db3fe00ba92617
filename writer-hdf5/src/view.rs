//! The structures that the runtime passes, as Rust types.
//!
//! Input: the structures of the interface.
//! Output: slices and texts.
//! Postcondition: nothing was copied; everything is valid until the call returns.
//!
//! One of the few files with `unsafe`: the runtime passes addresses and counts.

use cppc_abi::writer::{
    WriterBlock, WriterField, WriterNote, WriterPointer, WriterRegister, WriterState, WriterType,
};
use std::ffi::{c_char, CStr};

/// A state to be written.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub state: &'a WriterState,
    pub blocks: &'a [WriterBlock],
    pub registers: &'a [WriterRegister],
    pub pointers: &'a [WriterPointer],
    pub notes: &'a [WriterNote],
    pub plan: &'a [*const c_char],
    pub seal: &'a [u8],
}

impl<'a> View<'a> {
    /// # Safety
    /// `state` was passed by a runtime to `write`, and lives as long as `'a`.
    pub unsafe fn new(state: &'a WriterState) -> View<'a> {
        // SAFETY: the runtime guarantees the counts.
        unsafe {
            View {
                state,
                blocks: slice(state.blocks, state.block_count),
                registers: slice(state.registers, state.register_count),
                pointers: slice(state.pointers, state.pointer_count),
                notes: slice(state.notes, state.note_count),
                plan: slice(state.plan, state.plan_count),
                seal: slice(state.seal, state.seal_size),
            }
        }
    }

    /// The content of a memory block.
    pub fn content(&self, block: usize) -> &'a [u8] {
        let block = &self.blocks[block];
        // SAFETY: the runtime guarantees the size.
        unsafe { slice(block.data.cast(), block.size) }
    }

    /// A text of the state; empty for a null pointer.
    pub fn text(&self, text: *const c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: every text that the runtime passes ends with a zero byte.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    /// The type of a register or field.
    pub fn element(&self, element: *const WriterType) -> &'a WriterType {
        // SAFETY: the runtime never passes a null pointer here.
        unsafe { &*element }
    }

    pub fn fields(&self, element: &WriterType) -> &'a [WriterField] {
        // SAFETY: the runtime guarantees the count.
        unsafe { slice(element.fields, element.field_count.into()) }
    }

    /// The extents of a register, slowest first; empty for a single value.
    pub fn dimensions(&self, register: &WriterRegister) -> &'a [u64] {
        // SAFETY: the runtime guarantees the rank.
        unsafe { slice(register.dimensions, register.rank.into()) }
    }

    pub fn bytes_of(&self, register: &WriterRegister) -> u64 {
        register.count * self.element(register.element).size
    }
}

unsafe fn slice<'a, T>(start: *const T, count: u64) -> &'a [T] {
    if count == 0 || start.is_null() {
        return &[];
    }
    // SAFETY: the caller guarantees start and count.
    unsafe { std::slice::from_raw_parts(start, count as usize) }
}
