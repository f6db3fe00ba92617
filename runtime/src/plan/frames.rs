//! The open frames, and the entries of each.
//!
//! Input: calls that enter and leave procedures, blocks, calls, captures.
//! Output: frames with their entries.
//! Postcondition: the innermost frame is the procedure that made the last call. A frame that was left by a
//! jump is removed with everything that was bound to it.

use super::capture::Captures;
use super::cell::Cells;
use super::entry::{self, Entries, EntryKind, Runs};
use super::size_variables::SizeVariables;
use crate::files::TrackedFile;
use crate::register::memory::Range;
use crate::register::{stack, EntryId, Symbol, Table};
use std::collections::HashMap;

/// How a frame was entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    /// The root frame, which always exists.
    Root,
    /// The first procedure, entered before `CPPC_Init`.
    Outermost,
    /// Announced by `CPPC_Call`.
    Called,
    /// Entered without an announced call.
    Foreign,
    /// Under an execute block. The block replays it as a whole, so its blocks are not in the plan.
    Unrecorded,
}

/// A call that has not returned yet.
#[derive(Debug, Default)]
pub struct OpenCall {
    pub is_open: bool,
    pub block: i32,
    /// The procedure that was entered, or before that, the one that was announced.
    pub callee: Symbol,
    pub captures: Captures,
    is_entered: bool,
    /// The address of a local of the runtime call that announced it; zero if it was not announced.
    announced_at: usize,
    left: Entries,
}

#[derive(Debug)]
pub struct Frame {
    pub procedure: Symbol,
    /// The serial number of this frame.
    pub activation: u64,
    pub blocks: i32,
    pub kind: FrameKind,
    pub entries: Entries,
    /// Those of `entries`.
    runs: Runs,
    pub call: OpenCall,
    pub cells: Cells,
    /// Whether an execute block is running.
    pub is_executing: bool,
    execute_block: i32,
    execute_captures: Captures,
    execute_files: Vec<TrackedFile>,
    register_block: Option<EntryId>,
    /// Whether a restart has ended in a deeper frame since the call began.
    is_resumed: bool,
    /// Where the procedure has called `setjmp`.
    pub jump_point: Option<Symbol>,
    pub size_variables: SizeVariables,
    boundary: usize,
    prune_at: usize,
}

/// What the next captures belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Capturing {
    Nothing,
    Execute,
    Call,
}

#[derive(Debug)]
pub struct Frames {
    /// Frames beyond `depth` have ended. Their memory is reused.
    frames: Vec<Frame>,
    depth: usize,
    /// The number of frames that have been opened.
    activations: u64,
    capturing: Capturing,
    /// A procedure that did something that the plan cannot replay.
    unreplayable: Option<Symbol>,
}

impl Default for Frames {
    fn default() -> Self {
        let mut root = Frame::new();
        root.boundary = usize::MAX;
        root.kind = FrameKind::Root;
        Frames {
            frames: vec![root],
            depth: 0,
            activations: 0,
            capturing: Capturing::Nothing,
            unreplayable: None,
        }
    }
}

impl Frame {
    fn new() -> Frame {
        Frame {
            procedure: Symbol::EMPTY,
            activation: 0,
            blocks: 0,
            kind: FrameKind::Foreign,
            entries: Entries::new(),
            runs: Runs::default(),
            call: OpenCall::default(),
            cells: Cells::default(),
            is_executing: false,
            execute_block: 0,
            execute_captures: Captures::default(),
            execute_files: Vec::new(),
            register_block: None,
            is_resumed: false,
            jump_point: None,
            size_variables: SizeVariables::default(),
            boundary: 0,
            prune_at: 16,
        }
    }

    fn push(&mut self, block: i32, kind: EntryKind, table: &mut Table) {
        if self.entries.len() >= self.prune_at {
            entry::prune(&mut self.entries, table);
            self.prune_at = 16 + 2 * self.entries.len();
        }
        entry::push(&mut self.entries, block, kind);
    }
}

impl Frames {
    pub fn top(&self) -> &Frame {
        &self.frames[self.depth]
    }

    fn top_mut(&mut self) -> &mut Frame {
        &mut self.frames[self.depth]
    }

    pub fn depth(&self) -> u32 {
        self.depth as u32
    }

    /// From the root to the innermost frame.
    pub fn open(&self) -> &[Frame] {
        &self.frames[..=self.depth]
    }

    pub fn unreplayable(&self) -> Option<Symbol> {
        self.unreplayable
    }

    /// The innermost procedure did something that the plan cannot repeat.
    pub fn give_up(&mut self) {
        self.unreplayable = self.unreplayable.or(Some(self.top().procedure));
    }

    /// Opens a frame. `here` is the address of a local of `CPPC_Enter`.
    pub fn enter(
        &mut self,
        table: &mut Table,
        procedure: Symbol,
        blocks: i32,
        here: usize,
        is_dormant: bool,
    ) {
        while self.depth > 0 && here > self.top().boundary {
            self.drop_frame(table);
        }
        let origin = self.kind_of(procedure, is_dormant);
        let top = self.top_mut();
        match origin {
            FrameKind::Outermost => {
                top.call.is_open = true;
                (top.call.block, top.call.callee, top.call.is_entered) = (0, procedure, true);
                top.call.announced_at = 0;
                top.call.captures.clear();
            }
            FrameKind::Called => (top.call.callee, top.call.is_entered) = (procedure, true),
            FrameKind::Root | FrameKind::Foreign | FrameKind::Unrecorded => {}
        }
        self.capturing = Capturing::Nothing;
        self.depth += 1;
        if self.frames.len() == self.depth {
            self.frames.push(Frame::new());
        }
        self.activations += 1;
        let activation = self.activations;
        let frame = self.top_mut();
        frame.activation = activation;
        (frame.procedure, frame.blocks, frame.kind, frame.boundary) = (procedure, blocks, origin, here);
        frame.call.is_open = false;
        frame.cells.clear();
        frame.is_executing = false;
        frame.register_block = None;
        frame.is_resumed = false;
        frame.jump_point = None;
        frame.size_variables.clear();
    }

    fn kind_of(&self, procedure: Symbol, is_dormant: bool) -> FrameKind {
        let top = self.top();
        let is_named = top.call.callee == procedure || top.call.callee == Symbol::EMPTY;
        if top.is_executing || top.kind == FrameKind::Unrecorded {
            FrameKind::Unrecorded
        } else if top.call.is_open && !top.call.is_entered && is_named {
            FrameKind::Called
        } else if is_dormant && top.kind == FrameKind::Root && !top.call.is_open {
            FrameKind::Outermost
        } else {
            FrameKind::Foreign
        }
    }

    /// Closes the innermost frame. Returns false if only the root is open.
    pub fn leave(&mut self, table: &mut Table, here: usize) -> bool {
        self.drop_stale(table, here);
        if self.depth == 0 {
            return false;
        }
        self.close(table);
        let parent = self.depth - 1;
        let (open, rest) = self.frames.split_at_mut(self.depth);
        let (parent_frame, frame) = (&mut open[parent], &mut rest[0]);
        match frame.kind {
            FrameKind::Called | FrameKind::Outermost => parent_frame.call.left.append(&mut frame.entries),
            FrameKind::Foreign if !frame.entries.is_empty() => self.unreplayable = Some(frame.procedure),
            FrameKind::Foreign | FrameKind::Root | FrameKind::Unrecorded => {}
        }
        entry::discard(&mut frame.entries, table);
        frame.runs.clear();
        let is_outermost = frame.kind == FrameKind::Outermost;
        self.depth = parent;
        if is_outermost {
            self.end_call(table);
        }
        true
    }

    /// Ends what is bound to the innermost frame, and removes the entries that are no longer needed.
    fn close(&mut self, table: &mut Table) {
        let caller = &self.frames[self.depth - 1];
        let is_announced = caller.call.is_open && caller.call.announced_at != 0;
        let dying_below =
            if is_announced { stack::dying_below(caller.call.announced_at) } else { caller.boundary };
        table.end_frame(self.depth as u32, dying_below);
        entry::prune(&mut self.frames[self.depth].entries, table);
    }

    /// Removes the innermost frame, which was left by a jump.
    fn drop_frame(&mut self, table: &mut Table) {
        self.close(table);
        let frame = &mut self.frames[self.depth];
        if !frame.entries.is_empty() {
            self.unreplayable = Some(frame.procedure);
        }
        entry::discard(&mut frame.entries, table);
        frame.runs.clear();
        self.depth -= 1;
        let caller = self.top_mut();
        caller.call.is_open = false;
        let mut left = std::mem::take(&mut caller.call.left);
        entry::discard(&mut left, table);
    }

    /// Removes the frames that were opened after the one at `depth`.
    pub fn land(&mut self, table: &mut Table, depth: usize) {
        while self.depth > depth {
            self.drop_frame(table);
        }
    }

    /// Records that the procedure of the innermost frame calls `setjmp`.
    pub fn jump_point(&mut self, place: Symbol) {
        self.top_mut().jump_point = Some(place);
    }

    /// Records the value of a variable that determines a size in the declarations of the innermost procedure.
    ///
    /// # Safety
    /// The range is readable now.
    pub unsafe fn size_variable(&mut self, name: Symbol, range: Range) {
        // SAFETY: the caller guarantees it.
        unsafe { self.top_mut().size_variables.remember(name, range) };
    }

    /// Removes the frames that have ended, as a call from `here` shows.
    fn drop_stale(&mut self, table: &mut Table, here: usize) {
        while self.depth > 0 && stack::is_stale(self.top().boundary, here) {
            self.drop_frame(table);
        }
    }

    /// Records that `CPPC_Init` runs in the innermost frame.
    pub fn init(&mut self) {
        entry::push(&mut self.top_mut().entries, 0, EntryKind::Init);
    }

    /// Begins a register block.
    pub fn block(&mut self, table: &mut Table, block: i32, here: usize) {
        self.drop_stale(table, here);
        let top = &mut self.frames[self.depth];
        if top.kind == FrameKind::Unrecorded || top.is_executing {
            return;
        }
        let id = table.open_entry();
        top.register_block = Some(id);
        top.push(block, EntryKind::Register(id), table);
    }

    /// The current register block.
    pub fn register_block(&self) -> Option<EntryId> {
        self.top().register_block
    }

    /// Whether the current code is replayed as a whole, under an execute block.
    pub fn is_unrecorded(&self) -> bool {
        self.top().kind == FrameKind::Unrecorded || self.top().is_executing
    }

    /// Whether the program has numbered blocks.
    pub fn is_numbered(&self) -> bool {
        self.depth > 0 || self.top().entries.iter().any(|entry| !matches!(entry.kind, EntryKind::Init))
    }

    /// Begins an execute block.
    pub fn execute(&mut self, table: &mut Table, block: i32, here: usize) {
        self.drop_stale(table, here);
        let top = self.top_mut();
        top.is_executing = true;
        top.execute_block = block;
        top.execute_captures.clear();
        top.execute_files.clear();
        top.register_block = None;
        self.capturing = Capturing::Execute;
    }

    /// Begins a call.
    pub fn call(&mut self, table: &mut Table, block: i32, callee: Symbol, here: usize) {
        self.drop_stale(table, here);
        let top = self.top_mut();
        let mut left = std::mem::take(&mut top.call.left);
        entry::discard(&mut left, table);
        top.call.left = left;
        (top.call.is_open, top.call.is_entered) = (true, false);
        (top.call.block, top.call.callee, top.call.announced_at) = (block, callee, here);
        top.call.captures.clear();
        top.register_block = None;
        self.capturing = Capturing::Call;
    }

    /// The list to which the next captures are added.
    pub fn captures(&mut self) -> Option<&mut Captures> {
        let capturing = self.capturing;
        let top = self.top_mut();
        match capturing {
            Capturing::Nothing => None,
            Capturing::Execute => Some(&mut top.execute_captures),
            Capturing::Call => Some(&mut top.call.captures),
        }
    }

    /// Ends a call that has returned. Returns none if no such call was open, or else whether the saved values
    /// must be reloaded.
    pub fn return_from(&mut self, table: &mut Table, block: i32, here: usize) -> Option<bool> {
        self.drop_stale(table, here);
        let is_waiting = |frame: &Frame| frame.call.is_open && frame.call.block == block;
        let caller = self.frames[..=self.depth].iter().rposition(is_waiting)?;
        // A frame that is still open was left by a jump.
        self.land(table, caller);
        self.capturing = Capturing::Nothing;
        self.end_call(table);
        Some(std::mem::take(&mut self.top_mut().is_resumed))
    }

    /// Ends the call of the innermost frame. It gets an entry in the plan if it has left entries.
    fn end_call(&mut self, table: &mut Table) {
        let top = &mut self.frames[self.depth];
        top.call.is_open = false;
        if top.call.left.is_empty() {
            return;
        }
        let mut left = std::mem::take(&mut top.call.left);
        entry::prune(&mut left, table);
        if !left.is_empty() && !top.is_executing && top.kind != FrameKind::Unrecorded {
            entry::add_call(
                &mut top.entries,
                top.call.block,
                top.call.callee,
                &top.call.captures,
                &mut left,
                table,
            );
        }
        entry::discard(&mut left, table);
        top.call.left = left;
    }

    /// The cells of the innermost frame, for a call from `here`; none if that frame may have ended.
    #[inline]
    pub fn cells_at_once(&mut self, here: usize) -> Option<&mut Cells> {
        let top = self.frames.get_mut(self.depth)?;
        (!stack::is_stale(top.boundary, here)).then_some(&mut top.cells)
    }

    /// The cells of the innermost frame.
    pub fn cells(&mut self, table: &mut Table, here: usize) -> &mut Cells {
        self.drop_stale(table, here);
        &mut self.top_mut().cells
    }

    /// The cells of the open frame at `depth`, to be filled from a state file.
    pub fn cells_of(&mut self, depth: usize) -> Option<&mut Cells> {
        self.frames[..=self.depth].get_mut(depth).map(|frame| &mut frame.cells)
    }

    /// Whether a block of the innermost frame is open.
    #[inline]
    pub fn is_block_open(&self) -> bool {
        self.frames.get(self.depth).is_none_or(|top| top.is_executing || top.register_block.is_some())
    }

    /// Ends the block of the innermost frame.
    pub fn end_block(&mut self) {
        let top = &mut self.frames[self.depth];
        top.register_block = None;
        if std::mem::take(&mut top.is_executing) && top.kind != FrameKind::Unrecorded {
            let files = std::mem::take(&mut top.execute_files);
            let (entries, runs) = (&mut top.entries, &mut top.runs);
            entry::add_execute(entries, runs, top.execute_block, &top.execute_captures, files);
        }
        self.capturing = Capturing::Nothing;
    }

    /// Adds a file that the current execute block has opened.
    pub fn add_file(&mut self, file: TrackedFile) {
        // The new file may have the descriptor or unit number of a file that was closed before.
        let _ = self.each_file(&mut |earlier| {
            earlier.release_handle_to(&file);
            Ok::<(), ()>(())
        });
        self.top_mut().execute_files.push(file);
    }

    /// Visits the files that execute blocks have opened, in the order of the plan.
    pub fn each_file<E>(
        &mut self,
        visit: &mut dyn FnMut(&mut TrackedFile) -> Result<(), E>,
    ) -> Result<(), E> {
        self.frames[..=self.depth]
            .iter_mut()
            .try_for_each(|frame| entry::each_file(&mut frame.entries, visit))
    }

    /// Removes the oldest runs of blocks whose files are all closed. To be called after the files were
    /// measured.
    pub fn forget_closed(&mut self) {
        let mut counts = HashMap::new();
        for frame in self.frames[..=self.depth].iter_mut().rev() {
            entry::forget_closed(&mut frame.entries, frame.procedure, &mut counts);
        }
    }

    /// A checkpoint was reached.
    pub fn checkpoint(&mut self, table: &mut Table, here: usize) {
        self.drop_stale(table, here);
    }

    /// A restart has ended in the innermost frame. The outer frames must reload their saved values.
    pub fn resume(&mut self) {
        for frame in &mut self.frames[..self.depth] {
            frame.is_resumed = true;
        }
    }

    /// Removes from all open frames the entries that are no longer needed.
    pub fn prune(&mut self, table: &mut Table) {
        for frame in &mut self.frames[..=self.depth] {
            entry::prune(&mut frame.entries, table);
        }
    }
}
