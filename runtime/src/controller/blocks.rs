//! Frames and blocks.
//!
//! Input: the calls by which the program enters and leaves procedures, and begins and ends blocks.
//! Output: in a restart, the block at which the program continues.
//! Postcondition: the plan contains what ran. In a restart, the program and the plan agree, or the run stops.

use super::{Controller, Mode, Stop};
use crate::plan::replay::BlockKind;
use crate::plan::FrameKind;
use crate::register::memory::Range;
use cppc_abi::statuses::Status;

impl Controller {
    /// Opens a frame. Returns the block to jump to in a restart, or 0 otherwise.
    pub fn enter(&mut self, procedure: &str, blocks: i32, here: usize) -> Result<i32, Stop> {
        let symbol = self.registers.names.symbol(procedure);
        self.frames.enter(&mut self.registers.table, symbol, blocks, here, self.mode == Mode::Dormant);
        let Some(resumption) = &mut self.resumption else { return Ok(0) };
        resumption.replay.truncate(self.frames.depth() - 1);
        if self.frames.top().kind == FrameKind::Unrecorded {
            resumption.replay.enter_unrecorded();
            return Ok(0);
        }
        let next = resumption.replay.enter(procedure).map_err(Stop::restart)?;
        self.fill_cells(self.frames.depth() as usize);
        Ok(next.unwrap_or(blocks + 1))
    }

    /// The number of the innermost frame.
    pub fn frame(&self) -> i32 {
        i32::try_from(self.frames.depth()).unwrap_or(i32::MAX)
    }

    /// Control has returned to this frame, by a jump or normally.
    pub fn land(&mut self, frame: i32) {
        self.frames.land(&mut self.registers.table, usize::try_from(frame).unwrap_or(usize::MAX));
    }

    /// The selector of a construct has another dynamic type than before.
    pub fn other_part(&self, place: &str) -> Stop {
        Stop::restart(format!("the `select type` at {place} has another dynamic type than when the state file was written: register the variable that is its selector, or the pointer that is passed for it"))
    }

    /// Records that the innermost procedure calls `setjmp`. A restart would jump over that call.
    pub fn jump_point(&mut self, place: &str) {
        if matches!(self.mode, Mode::Normal | Mode::Restarting) {
            let place = self.registers.names.symbol(place);
            self.frames.jump_point(place);
        }
    }

    /// Records the value of a variable that determines a size in the declarations of the innermost procedure.
    ///
    /// # Safety
    /// The range is readable now.
    pub unsafe fn size_variable(&mut self, name: &str, range: Range) {
        if self.mode != Mode::Finished {
            let name = self.registers.names.symbol(name);
            // SAFETY: the caller guarantees it.
            unsafe { self.frames.size_variable(name, range) };
        }
    }

    /// Closes the innermost frame.
    pub fn leave(&mut self, here: usize) -> Result<(), Stop> {
        let procedure = self.frames.top().procedure;
        if !self.frames.leave(&mut self.registers.table, here) {
            self.complain("`CPPC_Leave` was called without a `CPPC_Enter` before it");
            return Ok(());
        }
        if let Some(resumption) = &mut self.resumption {
            resumption.replay.truncate(self.frames.depth() + 1);
            resumption.replay.leave(self.registers.names.text(procedure)).map_err(Stop::restart)?;
        }
        Ok(())
    }

    /// Begins a register block.
    pub fn block(&mut self, block: i32, here: usize) -> Result<Status, Stop> {
        match self.mode {
            Mode::Dormant => return Ok(Status::NotInitialised),
            Mode::Finished => return Ok(Status::Finished),
            Mode::Normal | Mode::Restarting => {}
        }
        self.replay(BlockKind::Register, block)?;
        self.frames.block(&mut self.registers.table, block, here);
        Ok(Status::Success)
    }

    /// Begins an execute block. Returns true in a normal run, false in a replay.
    pub fn execute(&mut self, block: i32, here: usize) -> Result<bool, Stop> {
        if !matches!(self.mode, Mode::Normal | Mode::Restarting) || !self.is_own_process()? {
            return Ok(true);
        }
        let is_replay = self.replay(BlockKind::Execute, block)?;
        self.frames.execute(&mut self.registers.table, block, here);
        Ok(!is_replay)
    }

    /// Begins a call. Returns true in a normal run, false in a replay.
    pub fn call(&mut self, block: i32, callee: Option<&str>, here: usize) -> Result<bool, Stop> {
        let symbol = self.registers.names.symbol(callee.unwrap_or_default());
        let is_replay = self.replay(BlockKind::Call, block)?;
        self.frames.call(&mut self.registers.table, block, symbol, here);
        Ok(!is_replay)
    }

    /// In a restart, compares the block with the plan. Returns whether the block is replayed.
    fn replay(&mut self, kind: BlockKind, block: i32) -> Result<bool, Stop> {
        if self.mode != Mode::Restarting || self.is_in_unrecorded_frame() {
            return Ok(false);
        }
        let procedure = self.registers.names.text(self.frames.top().procedure);
        let Some(resumption) = &mut self.resumption else { return Ok(false) };
        resumption.replay.truncate(self.frames.depth());
        resumption.replay.begin(procedure, kind, block).map_err(Stop::restart)?;
        Ok(true)
    }

    /// Whether the calling code is in an unrecorded frame: an execute block of a caller replays it as a
    /// whole.
    pub(super) fn is_in_unrecorded_frame(&self) -> bool {
        self.frames.top().kind == FrameKind::Unrecorded
    }

    /// Ends a call that has returned. Returns whether the procedure must reload its saved values.
    pub fn return_from(&mut self, block: i32, here: usize) -> Result<bool, Stop> {
        let Some(is_resumed) = self.frames.return_from(&mut self.registers.table, block, here) else {
            let message = format!(
                "`CPPC_Return({block})` in `{}` has no `CPPC_Call({block})` before it",
                self.procedure()
            );
            self.complain(&message);
            // Procedures were left by a jump: what is known of those that are running cannot be trusted any more.
            self.frames.give_up();
            return Ok(false);
        };
        if let Some(resumption) = &mut self.resumption {
            resumption.delivery.mark_changed();
        }
        Ok(is_resumed)
    }

    /// Whether `jump_next` has nothing to do.
    #[inline]
    pub fn is_jump_idle(&self) -> bool {
        self.mode == Mode::Normal && !self.frames.is_block_open()
    }

    /// Ends a block. Returns the block to jump to in a restart, or 0 otherwise.
    pub fn jump_next(&mut self) -> Result<i32, Stop> {
        if self.mode == Mode::Normal {
            if self.frames.is_block_open() {
                self.end_of_files()?;
                self.frames.end_block();
            }
            return Ok(0);
        }
        self.jump_in_restart()
    }

    fn jump_in_restart(&mut self) -> Result<i32, Stop> {
        let is_unrecorded = self.is_in_unrecorded_frame();
        self.end_of_files()?;
        let depth = self.frames.depth();
        let Some(resumption) = &mut self.resumption else { return Ok(0) };
        if self.frames.top().is_executing {
            resumption.delivery.mark_changed();
        }
        self.frames.end_block();
        if is_unrecorded {
            return Ok(0);
        }
        resumption.undo.take_back(depth);
        resumption.replay.truncate(depth);
        if depth == 0 && resumption.replay.is_unnumbered() {
            return Ok(resumption.replay.checkpoint().unwrap_or(1).max(1));
        }
        match resumption.replay.advance() {
            Some(block) => Ok(block),
            None if depth > 0 => Ok(self.frames.top().blocks + 1),
            None => {
                Err(Stop::restart("the program ended before it reached the checkpoint of the state file"))
            }
        }
    }
}
