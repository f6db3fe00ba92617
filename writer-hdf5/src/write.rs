//! Writes a state as an HDF5 file.
//!
//! Input: the state, a path.
//! Output: the file.
//! Postcondition: each byte of each memory block is in one dataset, which `/cppc/content` names. Each
//! register has a name in the file, whether it stores its bytes or shares them.

use crate::attributes;
use crate::boxes;
use crate::chunks::{self, Chunk};
use crate::extents::{covering, divide, OwnedRange, PartOwner, Range};
use crate::fault::Fault;
use crate::file::{offset_of, DataShape, DatasetSlice, File};
use crate::handle::Handle;
use crate::names::{escaped, Paths};
use crate::row_table::{ContentRow, RowTable};
use crate::session::Session;
use crate::tables::{self, Array, StoredPart, CONTENT, SEAL};
use crate::transfer::{self, Piece, Skeleton};
use crate::types;
use crate::view::View;
use cppc_abi::writer::{self, WriterRegister, WriterType, NO_BLOCK};
use std::borrow::Cow;
use std::ffi::CStr;

/// The name of the format. The number increases if old readers would not understand a file.
const FORMAT: &str = "CPPC state in HDF5, version 1";
/// Longer text is stored as small numbers, since a text is one element and cannot be read in parts.
const MOST_TEXT_BYTES: u64 = 65_536;
/// Smaller datasets are not compressed.
const LEAST_CHUNKED_BYTES: u64 = 512;

pub fn write(view: &View, path: &CStr) -> Result<(), Fault> {
    // The library truncates a file before it writes to it. If it makes the file elsewhere, its metadata can
    // be written to the disk blocks that an older file has. With compression that would need as much memory
    // again.
    let is_compressed = view.blocks.iter().any(|block| block.deflate > 0);
    let mut skeleton = if is_compressed { None } else { Skeleton::new() };
    let session = Session::begin()?;
    let file = File::create(skeleton.as_ref().map_or(path, Skeleton::path))?;
    if let Some(skeleton) = &mut skeleton {
        skeleton.forget_name();
    }
    let (pieces, places) = lay_out(view, file)?;
    drop(session);
    let length = match skeleton {
        Some(skeleton) => transfer::write_whole(path, &skeleton, pieces)?,
        None => transfer::write(path, &pieces)?,
    };
    let table = places.encode(&transfer::open(path)?, length)?;
    transfer::append(path, length, &table)
}

/// Writes everything except the content, and returns where the content goes.
fn lay_out<'a>(view: &'a View, file: File) -> Result<(Vec<Piece<'a>>, RowTable), Fault> {
    let mut writing = StateWriting::new(view, file);
    writing.describe()?;
    writing.store()?;
    writing.share()?;
    tables::content(&writing.file, CONTENT, &writing.stored)?;
    tables::pointers(&writing.file, "/cppc/pointers", view.pointers)?;
    tables::bytes(&writing.file, SEAL, view.seal)?;
    let (pieces, entries) = (writing.pieces, writing.entries);
    let seal_at = offset_of(&writing.file.dataset_at(SEAL)?)
        .ok_or_else(|| Fault::new("the library returned no file offset for the seal"))?;
    writing.file.close()?;
    Ok((pieces, RowTable { entries, seal_at, seal_bytes: view.seal.len() as u64 }))
}

struct StateWriting<'a> {
    view: &'a View<'a>,
    file: File,
    parts: Vec<OwnedRange>,
    /// The path of each register.
    paths: Vec<String>,
    /// One for each part.
    stored: Vec<StoredPart>,
    /// Content that is still to be written.
    pieces: Vec<Piece<'a>>,
    /// Where everything is, or will be.
    entries: Vec<ContentRow>,
}

impl<'a> StateWriting<'a> {
    fn new(view: &'a View<'a>, file: File) -> StateWriting<'a> {
        let sizes: Vec<u64> = view.blocks.iter().map(|block| block.size).collect();
        let ranges: Vec<(usize, Range)> = view
            .registers
            .iter()
            .enumerate()
            .filter_map(|(index, register)| Some((index, range(view, register)?)))
            .collect();
        let mut taken = Paths::default();
        let paths = view.registers.iter().map(|register| taken.distinct(path(view, register))).collect();
        StateWriting {
            view,
            file,
            parts: divide(&sizes, &ranges),
            paths,
            stored: Vec::new(),
            pieces: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Writes provenance as attributes of the file.
    fn describe(&self) -> Result<(), Fault> {
        let (view, root) = (self.view, self.file.root());
        let state = view.state;
        attributes::text(root, "format", FORMAT)?;
        attributes::text(root, "application", &view.text(state.application))?;
        attributes::text(root, "run", &format!("{:016x}", state.run))?;
        let numbers = [
            ("line", state.line),
            ("rank", state.rank.into()),
            ("processes", state.processes.into()),
            ("checkpoint_calls", state.calls),
            ("pointer_bytes", state.pointer_size.into()),
        ];
        numbers.iter().try_for_each(|(name, value)| attributes::number(root, name, *value))?;
        let order = if state.big_endian != 0 { "big-endian" } else { "little-endian" };
        attributes::text(root, "byte_order", order)?;
        for note in view.notes {
            attributes::text(root, &escaped(&view.text(note.name)), &view.text(note.value))?;
        }
        let plan: Vec<String> = view.plan.iter().map(|line| view.text(*line)).collect();
        if plan.is_empty() || attributes::lines(root, "plan", &plan).is_ok() {
            return Ok(());
        }
        // A long plan does not fit into an attribute.
        tables::lines(&self.file, "/cppc/plan", &plan)
    }

    /// Makes a dataset for each part.
    fn store(&mut self) -> Result<(), Fault> {
        for part in self.parts.clone() {
            let OwnedRange { range, owner } = part;
            let rest_path = format!("/cppc/rest/{}+{}", range.block, range.offset);
            let stored = match owner {
                PartOwner::Whole(index) => self.store_register(index, range)?,
                PartOwner::Rest(index) => {
                    let register = &self.view.registers[index];
                    let element = self.view.element(register.element);
                    let is_row =
                        element.size > 0 && range.size % element.size == 0 && !is_text(element, range.size);
                    if is_row {
                        let dims = [range.size / element.size];
                        self.store_elements(&rest_path, register.element, DataShape::Array(&dims), range)?
                    } else {
                        self.store_raw(&rest_path, range)?
                    }
                }
                PartOwner::NoRegister => self.store_raw(&rest_path, range)?,
            };
            self.stored.push(stored);
        }
        Ok(())
    }

    fn store_register(&mut self, index: usize, range: Range) -> Result<StoredPart, Fault> {
        let register = &self.view.registers[index];
        let element = self.view.element(register.element);
        let path = self.paths[index].clone();
        let dims = self.view.dimensions(register);
        let stored = if let Some((texts, length)) = texts(element, dims, range.size) {
            types::text(length, element.code >= types::FIRST_FORTRAN).and_then(|text| {
                self.store_as(&path, &text, length, texts, range)?;
                Ok(StoredPart { range, path: path.clone(), array: None })
            })
        } else {
            let shape = if dims.is_empty() { DataShape::Single } else { DataShape::Array(dims) };
            self.store_elements(&path, register.element, shape, range)
        };
        // A type that the library cannot express must not make the checkpoint fail.
        let stored = match stored {
            Ok(stored) => stored,
            Err(fault) => self.store_raw(&path, range).map_err(|_| fault)?,
        };
        let dataset = self.file.dataset_at(&path)?;
        self.describe_register(&dataset, index)?;
        Ok(stored)
    }

    fn store_elements(
        &mut self,
        path: &str,
        element: *const WriterType,
        shape: DataShape,
        range: Range,
    ) -> Result<StoredPart, Fault> {
        let described = self.view.element(element);
        let made = if described.kind == writer::CHARACTER && described.size == 1 {
            types::small_number()?
        } else {
            types::element(self.view, described)?
        };
        self.store_as(path, &made, described.size, shape, range)?;
        let array = match shape {
            DataShape::Array(dims) => Some(Array { element, dims: dims.to_vec() }),
            DataShape::Null | DataShape::Single => None,
        };
        Ok(StoredPart { range, path: path.to_owned(), array })
    }

    fn store_as(
        &mut self,
        path: &str,
        element: &Handle,
        element_bytes: u64,
        shape: DataShape,
        range: Range,
    ) -> Result<(), Fault> {
        let level = self.view.blocks[range.block].deflate;
        match shape {
            DataShape::Array(dims) if level > 0 && range.size >= LEAST_CHUNKED_BYTES => {
                let chunk = chunks::extents(dims, element_bytes);
                let dataset = self.file.chunked(path, element, dims, &chunk, level)?;
                let written = chunks::write(&dataset, dims, &chunk, element_bytes, level, self.bytes(range))?;
                self.add_rows(range, &written);
                Ok(())
            }
            _ => {
                let dataset = self.file.plain(path, element, shape)?;
                self.add_piece(&dataset, range)
            }
        }
    }

    fn store_raw(&mut self, path: &str, range: Range) -> Result<StoredPart, Fault> {
        let dataset = self.file.plain(path, &types::raw_byte()?, DataShape::Array(&[range.size]))?;
        self.add_piece(&dataset, range)?;
        Ok(StoredPart { range, path: path.to_owned(), array: None })
    }

    fn bytes(&self, range: Range) -> &'a [u8] {
        let content = self.view.content(range.block);
        &content[range.offset as usize..(range.offset + range.size) as usize]
    }

    /// Records where the bytes of a dataset go.
    fn add_piece(&mut self, dataset: &Handle, range: Range) -> Result<(), Fault> {
        let offset = offset_of(dataset)
            .ok_or_else(|| Fault::new("the library returned no file offset for a dataset"))?;
        self.pieces.push(Piece { offset, bytes: self.bytes(range) });
        self.add_rows(range, &[Chunk { place: offset, size: range.size, deflated: 0 }]);
        Ok(())
    }

    /// Records where the bytes of a range are, in adjacent chunks.
    fn add_rows(&mut self, range: Range, chunks: &[Chunk]) {
        let mut offset = range.offset;
        for Chunk { place, size, deflated } in chunks.iter().copied() {
            self.entries.push(ContentRow { block: range.block as u64, offset, size, place, deflated });
            offset += size;
        }
    }

    /// Gives a path in the file to each register that does not store all of its bytes itself.
    fn share(&mut self) -> Result<(), Fault> {
        let mut whole = vec![false; self.view.registers.len()];
        for part in &self.parts {
            if let PartOwner::Whole(index) = part.owner {
                whole[index] = true;
            }
        }
        for index in (0..whole.len()).filter(|&index| !whole[index]) {
            self.share_register(index)?;
        }
        Ok(())
    }

    fn share_register(&self, index: usize) -> Result<(), Fault> {
        let register = &self.view.registers[index];
        let path = &self.paths[index];
        let sharers = match range(self.view, register) {
            Some(range) => {
                let begin = self.stored.partition_point(|stored| {
                    (stored.range.block, stored.range.offset + stored.range.size)
                        <= (range.block, range.offset)
                });
                let stored = &self.stored[begin..begin + covering(&self.parts, range).len()];
                if self
                    .slices(register, range, stored)
                    .is_some_and(|slices| self.assemble(index, &slices).is_ok())
                {
                    return Ok(());
                }
                stored.iter().map(|stored| stored.path.clone()).collect()
            }
            None => Vec::new(),
        };
        // The content cannot be shown here, so the dataset is empty.
        let element = types::element(self.view, self.view.element(register.element));
        let element = element.or_else(|_| types::raw_byte())?;
        let dataset = self.file.plain(path, &element, DataShape::Null)?;
        if !sharers.is_empty() {
            attributes::lines(&dataset, "shares", &sharers)?;
        }
        self.describe_register(&dataset, index)
    }

    fn assemble(&self, index: usize, slices: &[DatasetSlice]) -> Result<(), Fault> {
        let register = &self.view.registers[index];
        let path = &self.paths[index];
        let dims = self.row_or_more(register);
        if let [only] = slices {
            if only.into == only.from && only.of == *dims && only.into.counts == *dims {
                return self.file.link(path, &only.path);
            }
        }
        let element = types::element(self.view, self.view.element(register.element))?;
        let dataset = self.file.assembled(path, &element, &dims, slices)?;
        self.describe_register(&dataset, index)
    }

    /// The extents of a register. A single value is a row of one element.
    fn row_or_more(&self, register: &WriterRegister) -> Cow<'a, [u64]> {
        match self.view.dimensions(register) {
            [] => Cow::Owned(vec![register.count]),
            dims => Cow::Borrowed(dims),
        }
    }

    /// The elements of a register as parts of arrays of the same type; `None` if they are not such parts.
    fn slices(
        &self,
        register: &WriterRegister,
        range: Range,
        stored: &[StoredPart],
    ) -> Option<Vec<DatasetSlice>> {
        let size = self.view.element(register.element).size;
        let dims = self.row_or_more(register);
        if stored.is_empty() {
            return None;
        }
        let mut slices = Vec::new();
        for stored in stored {
            let (begin, end) = (range.offset, range.offset + range.size);
            let from = begin.max(stored.range.offset);
            let to = end.min(stored.range.offset + stored.range.size);
            let skipped = from - stored.range.offset;
            let array = stored.array.as_ref().filter(|array| array.element == register.element)?;
            if skipped % size != 0 || (from - begin) % size != 0 {
                return None;
            }
            let pairs = boxes::pairs(
                (&dims, (from - begin) / size),
                (&array.dims, skipped / size),
                (to - from) / size,
            )?;
            let slice =
                |(into, from)| DatasetSlice { into, path: stored.path.clone(), from, of: array.dims.clone() };
            slices.extend(pairs.into_iter().map(slice));
        }
        Some(slices)
    }

    /// Writes the attributes of a register.
    fn describe_register(&self, dataset: &Handle, index: usize) -> Result<(), Fault> {
        let register = &self.view.registers[index];
        let element = self.view.element(register.element);
        attributes::text(dataset, "type", &self.view.text(element.name))?;
        attributes::number(dataset, "count", register.count)?;
        if register.block != NO_BLOCK {
            attributes::number(dataset, "block", register.block)?;
            attributes::number(dataset, "offset", register.offset)?;
        }
        if register.is_pointer != 0 {
            let said = if register.block == NO_BLOCK { "null" } else { "to this" };
            attributes::text(dataset, "pointer", said)?;
        }
        Ok(())
    }
}

/// The bytes of a register; `None` if it has none.
fn range(view: &View, register: &WriterRegister) -> Option<Range> {
    let size = view.bytes_of(register);
    (register.block != NO_BLOCK && size > 0).then_some(Range {
        block: register.block as usize,
        offset: register.offset,
        size,
    })
}

/// The path of a register in the file: section, procedure with call depth, name.
fn path(view: &View, register: &WriterRegister) -> String {
    let scope = if register.procedure.is_null() {
        "program".to_owned()
    } else {
        format!("{}.{}", escaped(&view.text(register.procedure)), register.depth)
    };
    format!("/section-{}/{scope}/{}", register.section, escaped(&view.text(register.name)))
}

/// How characters are shown: as one text, or as an array of texts whose length is the last extent. `None` for
/// elements that are not characters, and for texts that are too long.
fn texts<'d>(element: &WriterType, dims: &'d [u64], size: u64) -> Option<(DataShape<'d>, u64)> {
    let (shape, length) = match dims {
        [outer @ .., length] if !outer.is_empty() => (DataShape::Array(outer), *length),
        _ => (DataShape::Single, size),
    };
    is_text(element, length).then_some((shape, length))
}

/// Whether this number of such elements is shown as one text.
fn is_text(element: &WriterType, size: u64) -> bool {
    element.kind == writer::CHARACTER && element.size == 1 && size <= MOST_TEXT_BYTES
}
