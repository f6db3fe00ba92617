//! The index of a file that is being written.
//!
//! In: the pieces of its blocks, in order, and where each is stored. Out: the bytes of the index. Holds
//! afterwards: pieces of one block that follow one another in a file, stored alike, make one run.

use super::layout::{BaseRecord, Coding, Encoder, RunRecord, Stored};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(super) struct Index {
    bases: Vec<BaseRecord>,
    /// The place of each line in `bases`, from 1.
    numbers: HashMap<u64, u32>,
    runs: Encoder,
    open: Option<Run>,
    pieces: u64,
}

/// A run that may go on.
#[derive(Debug)]
struct Run {
    record: RunRecord,
    /// Where it ends so far.
    end: u64,
    pieces: Encoder,
}

impl Index {
    /// Adds a piece of only zeros.
    pub fn push_zero(&mut self) {
        self.push(Coding::Zero, None, 0, Stored { bytes: 0, crc: 0 });
    }

    /// Adds a piece that stands at `offset` of this file, or of an earlier one.
    pub fn push(&mut self, coding: Coding, base: Option<BaseRecord>, offset: u64, stored: Stored) {
        let base = base.map_or(0, |base| self.number(base));
        self.pieces += 1;
        let goes_on = self.open.as_ref().is_some_and(|run| {
            run.record.pieces < u32::MAX && (run.record.coding, run.record.base, run.end) == (coding, base, offset)
        });
        if !goes_on {
            self.end_run();
        }
        let first = || Run { record: RunRecord { pieces: 0, coding, base, offset }, end: offset, pieces: Encoder::default() };
        let run = self.open.get_or_insert_with(first);
        run.record.pieces += 1;
        run.end += u64::from(stored.bytes);
        RunRecord::encode_piece(coding, stored, &mut run.pieces);
    }

    /// The pieces that come now are those of another block.
    pub fn end_run(&mut self) {
        if let Some(run) = self.open.take() {
            run.record.encode(&mut self.runs);
            self.runs.raw(&run.pieces.bytes);
        }
    }

    /// The bytes, and how many pieces they speak of.
    pub fn close(mut self) -> (Vec<u8>, u64) {
        self.end_run();
        let mut encoder = Encoder::default();
        encoder.count(self.bases.len());
        self.bases.iter().for_each(|base| base.encode(&mut encoder));
        encoder.raw(&self.runs.bytes);
        (encoder.bytes, self.pieces)
    }

    fn number(&mut self, base: BaseRecord) -> u32 {
        *self.numbers.entry(base.line).or_insert_with(|| {
            self.bases.push(base);
            self.bases.len() as u32
        })
    }
}
