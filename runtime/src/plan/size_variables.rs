//! The variables that determine sizes in the declarations of a procedure.
//!
//! Input: their addresses, when the procedure is entered.
//! Output: the variable whose value has changed since then.
//! Postcondition: none. A restart enters the procedure with the values of the checkpoint. If these differ from the values
//! at the entry, it would compute other sizes.

use crate::register::memory::{read_mapped, Range};
use crate::register::Symbol;

#[derive(Debug)]
struct SizeVariable {
    name: Symbol,
    range: Range,
    at_entry: Box<[u8]>,
}

/// Those of one frame.
#[derive(Debug, Default)]
pub struct SizeVariables(Vec<SizeVariable>);

impl SizeVariables {
    /// Remembers the present value. A variable that is named again replaces the earlier one.
    ///
    /// # Safety
    /// The range is readable now.
    pub unsafe fn remember(&mut self, name: Symbol, range: Range) {
        self.0.retain(|known| known.name != name);
        // SAFETY: the caller guarantees that the range is readable.
        let at_entry = unsafe { range.bytes() }.into();
        self.0.push(SizeVariable { name, range, at_entry });
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The first variable that has another value now, or can no longer be read.
    pub fn changed(&self) -> Option<Symbol> {
        let mut now = Vec::new();
        let mut is_changed = |known: &&SizeVariable| {
            now.resize(known.at_entry.len(), 0);
            read_mapped(known.range, &mut now) < now.len() || *now != *known.at_entry
        };
        self.0.iter().find(|known| is_changed(known)).map(|known| known.name)
    }
}
