//! The pointers in captured values.
//!
//! Input: a captured value, and the memory that is saved.
//! Output: where its pointers point to, in a form that a restart understands.

use super::{pointer_in, portable, Places, Refusal, SnapshotInput};
use crate::graph::objects::Objects;
use crate::graph::symbols::{self, Pointee};
use crate::manifest::{Location, Relocation};
use crate::plan::capture::Captured;
use crate::plan::record::{Captor, Targets};
use cppc_abi::elsewhere::Elsewhere;
use std::cell::OnceCell;
use std::collections::BTreeSet;

impl SnapshotInput<'_> {
    /// The pointers in a captured value. One that is left out is as `Elsewhere` says in a restart.
    /// `others` are the addresses in the program to which other pointers point.
    pub(super) fn relocate(
        &self,
        captured: &Captured,
        captor: Captor,
        places: Places,
        (objects, others): (&OnceCell<Objects>, &BTreeSet<usize>),
    ) -> Result<Targets, Refusal> {
        let mut targets = Targets::default();
        let pointers =
            self.pointers(captured.type_code, captured.element_bytes as usize, captured.count as usize);
        for (number, inside) in pointers.enumerate() {
            let Some(value) = pointer_in(&captured.bytes, inside) else { continue };
            let at = Location { block: 0, offset_bytes: inside as u64 };
            let name = || self.names.text(captured.name).to_owned();
            let portable = portable(value, places);
            // A restart has the address of such memory before the memory is registered.
            let found = (value != 0).then(|| objects.get_or_init(Objects::now));
            let line = found.and_then(|objects| symbols::line(objects, value, Pointee::Text, others));
            targets.in_program.extend(line.iter().map(|line| format!("{number}\t{line}")));
            match (portable, captured.elsewhere, captor) {
                (None, ..) if line.is_some() => {}
                (Some(target), _, _) => {
                    targets.needs_blocks |= target.is_some() && line.is_none();
                    targets.relocations.push(Relocation { at, target });
                }
                (None, Elsewhere::Refused, _) => return Err(Refusal::Captured(name())),
                (None, Elsewhere::Needed, Captor::Returned(callee)) => {
                    return Err(Refusal::Argument {
                        name: name(),
                        callee: self.names.text(callee).to_owned(),
                    });
                }
                (None, Elsewhere::Again | Elsewhere::NotNeeded | Elsewhere::Needed, _) => {
                    targets.has_lost = true
                }
            }
        }
        Ok(targets)
    }
}
