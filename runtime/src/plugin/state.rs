//! A manifest and its memory in the structures of the interface.
//!
//! Input: the data to be written.
//! Output: one structure that points to all of it.
//! Postcondition: every address in it is valid as long as this value and its input live.

use super::types::{Texts, Types};
use super::{notes, plan};
use crate::format::binary::elements_of_blocks;
use crate::format::layout::Machine;
use crate::manifest::{BlockPlace, Kind, Manifest, Register, Scope};
use cppc_abi::writer::{self, WriterBlock, WriterNote, WriterPointer, WriterRegister, WriterState, NO_BLOCK};
use std::ffi::c_char;
use std::marker::PhantomData;

/// The data to be written.
#[derive(Clone, Copy)]
pub struct StateData<'a> {
    pub manifest: &'a Manifest,
    /// The machine whose representation the content has.
    pub machine: Machine,
    /// One for each memory block of the manifest, of the same size.
    pub blocks: &'a [&'a [u8]],
    pub seal: &'a [u8],
    /// For each memory block, the compression level, or 0.
    pub deflate: &'a [u32],
    /// The settings as text, for users.
    pub settings: &'a str,
}

/// The structure, and the data that it points to.
pub struct State<'a> {
    state: WriterState,
    _content: Content,
    _facts: PhantomData<StateData<'a>>,
}

/// The data that the structure points to. It is not changed after its address was taken.
struct Content {
    _texts: Texts,
    _types: Types,
    _blocks: Vec<WriterBlock>,
    _registers: Vec<WriterRegister>,
    _dimensions: Vec<Box<[u64]>>,
    _pointers: Vec<WriterPointer>,
    _notes: Vec<WriterNote>,
    _plan: Vec<*const c_char>,
}

impl<'a> State<'a> {
    pub fn new(facts: StateData<'a>) -> State<'a> {
        let StateData { manifest, machine, seal, .. } = facts;
        let provenance = &manifest.provenance;
        let mut texts = Texts::default();
        let mut types = Types::new(machine, &manifest.types, &mut texts);
        let mut dimensions = Vec::new();
        let blocks = blocks(&facts);
        let registers: Vec<WriterRegister> = manifest
            .registers
            .iter()
            .enumerate()
            .map(|(index, register)| {
                described(register, manifest.shape(index), &mut types, &mut dimensions, &mut texts)
            })
            .collect();
        let pointers = pointers(manifest);
        let notes: Vec<WriterNote> = notes::notes(facts.settings, &provenance.fingerprint)
            .iter()
            .map(|(name, value)| WriterNote { name: texts.keep(name), value: texts.keep(value) })
            .collect();
        let lines = plan::lines(&manifest.plan, &manifest.registers);
        let plan: Vec<*const c_char> = lines.iter().map(|line| texts.keep(line)).collect();
        let state = WriterState {
            application: texts.keep(&provenance.application),
            run: provenance.run,
            line: provenance.number,
            calls: provenance.calls,
            rank: provenance.rank,
            processes: provenance.processes,
            big_endian: machine.big_endian.into(),
            pointer_size: machine.pointer_bytes.into(),
            blocks: blocks.as_ptr(),
            block_count: blocks.len() as u64,
            registers: registers.as_ptr(),
            register_count: registers.len() as u64,
            pointers: pointers.as_ptr(),
            pointer_count: pointers.len() as u64,
            notes: notes.as_ptr(),
            note_count: notes.len() as u64,
            plan: plan.as_ptr(),
            plan_count: plan.len() as u64,
            seal: seal.as_ptr(),
            seal_size: seal.len() as u64,
        };
        let content = Content {
            _texts: texts,
            _types: types,
            _blocks: blocks,
            _registers: registers,
            _dimensions: dimensions,
            _pointers: pointers,
            _notes: notes,
            _plan: plan,
        };
        State { state, _content: content, _facts: PhantomData }
    }

    pub fn as_ptr(&self) -> *const WriterState {
        &raw const self.state
    }
}

fn blocks(facts: &StateData) -> Vec<WriterBlock> {
    let elements = elements_of_blocks(facts.manifest);
    let described = facts.manifest.blocks.iter().zip(facts.blocks).enumerate();
    described
        .map(|(index, (block, bytes))| WriterBlock {
            data: bytes.as_ptr().cast(),
            size: bytes.len() as u64,
            elements: elements.get(index).copied().unwrap_or(0),
            place: match block.place {
                BlockPlace::Heap => writer::HEAP,
                BlockPlace::Program => writer::PROGRAM,
            },
            deflate: facts.deflate.get(index).copied().unwrap_or(0),
        })
        .collect()
}

fn described(
    register: &Register,
    shape: Option<&[u64]>,
    types: &mut Types,
    dimensions: &mut Vec<Box<[u64]>>,
    texts: &mut Texts,
) -> WriterRegister {
    let (procedure, depth) = match &register.scope {
        Scope::Program => (std::ptr::null(), 0),
        Scope::Frame { depth, procedure } => (texts.keep(procedure), *depth),
    };
    // A variable with one element is a scalar. The target of a pointer is an array.
    let is_single = register.count == 1 && register.kind == Kind::Memory;
    let extents: Box<[u64]> = match shape {
        Some(extents) => extents.into(),
        None if is_single => Box::new([]),
        None => Box::new([register.count]),
    };
    let described = WriterRegister {
        name: texts.keep(&register.name),
        procedure,
        element: types.get(register.type_code, Some(register.element_bytes.into()), texts),
        count: register.count,
        dimensions: extents.as_ptr(),
        rank: extents.len() as u32,
        depth,
        section: register.section,
        is_pointer: (register.kind == Kind::Pointer).into(),
        block: register.target.map_or(NO_BLOCK, |target| target.block.into()),
        offset: register.target.map_or(0, |target| target.offset_bytes),
    };
    dimensions.push(extents);
    described
}

fn pointers(manifest: &Manifest) -> Vec<WriterPointer> {
    let described = manifest.relocations.iter().map(|relocation| WriterPointer {
        at_block: relocation.at.block.into(),
        at_offset: relocation.at.offset_bytes,
        to_block: relocation.target.map_or(NO_BLOCK, |target| target.block.into()),
        to_offset: relocation.target.map_or(0, |target| target.offset_bytes),
    });
    described.collect()
}
