//! Procedures that register static data which no procedure on the way to a checkpoint can name.
//!
//! Input: the variable, and a procedure that can name it.
//! Output: an empty procedure where the variable is visible, and a call of it after `init`.
//! Postcondition: the procedure runs before each checkpoint. The next round adds the register to it.

use std::collections::BTreeSet;

use cppc_source::Files;

use super::registrar_place::RegistrarPlace;
use super::wanted::Wanted;
use super::{parts, positions};
use crate::bind::fortran::{bind, Bound, Length, ScopeId, SymbolId, Type};
use crate::front::{Front, Unit};
use crate::lower::thread_copies::thread_private;

/// The length of a statement in a line of fixed form.
const FIXED_COLUMNS: usize = 66;

/// The declarations of COMMON blocks are added. Removes a procedure that has no place, no call, or the place of another,
/// and its call.
pub fn complete(front: &Front, files: &Files, wanted: BTreeSet<Wanted>) -> BTreeSet<Wanted> {
    let is_common =
        |one: &Wanted| matches!(one, Wanted::Registrar { place: RegistrarPlace::Common { .. }, .. });
    let units = front.units.iter().filter_map(Unit::as_fortran).chain(&front.modules);
    let sources: Vec<_> = units.map(|unit| unit.source()).collect();
    let blocks = wanted.iter().any(is_common).then(|| CommonBlocks {
        bound: bind(&sources, files),
        private: front.units.iter().flat_map(|unit| thread_private(&files.get(unit.file()).bytes)).collect(),
    });
    let mut left_out = BTreeSet::new();
    let mut spots = BTreeSet::new();
    let mut all = BTreeSet::new();
    for mut one in wanted {
        let mut is_complete = true;
        let (name, is_shared) = match &mut one {
            Wanted::Registrar { place, name, declarations } => {
                if let RegistrarPlace::Common { block, .. } = place {
                    let found = blocks.as_ref().and_then(|blocks| blocks.declarations(block));
                    is_complete = found.is_some();
                    *declarations = found.unwrap_or_default();
                }
                (name.clone(), !matches!(place, RegistrarPlace::Common { .. }))
            }
            Wanted::RegistrarCall { name, .. } => (name.clone(), false),
            _ => {
                all.insert(one);
                continue;
            }
        };
        let file = one.place().file;
        let unit = front.units.iter().find(|unit| unit.file() == file);
        let found = unit.and_then(|unit| parts(&*positions(unit, files), &one, file));
        let spot = found.as_ref().and_then(|parts| parts.first()).map(|(spot, _)| (file, *spot));
        let is_first = spot.is_some_and(|spot| !is_shared || spots.insert(spot));
        if !is_complete || !is_first {
            left_out.insert(name);
        }
        all.insert(one);
    }
    all.retain(|one| match one {
        Wanted::Registrar { name, .. } | Wanted::RegistrarCall { name, .. } => !left_out.contains(name),
        _ => true,
    });
    all
}

/// The COMMON blocks of the program.
struct CommonBlocks<'a> {
    bound: Bound<'a>,
    /// Blocks of which each thread has a copy.
    private: BTreeSet<String>,
}

impl CommonBlocks<'_> {
    /// The declarations of a block. The longest ones of the program count. None if the type of a variable has no short form.
    fn declarations(&self, block: &str) -> Option<Vec<String>> {
        if self.private.contains(block) {
            return None;
        }
        let layouts = self.bound.scopes.iter().enumerate().filter_map(|(index, scope)| {
            let (_, members) = scope.blocks.iter().find(|(name, _)| name == block)?;
            let scope = ScopeId(index as u32);
            members.iter().map(|&member| declaration(&self.bound, scope, member)).collect::<Option<Vec<_>>>()
        });
        let size = |members: &Vec<Declared>| members.iter().map(|member| member.bytes).sum::<u128>();
        // The first of the longest ones.
        let longest = layouts.reduce(|one, other| if size(&other) > size(&one) { other } else { one })?;
        let names = longest.iter().map(|member| format!("common /{block}/ {}", member.name));
        let lines: Vec<String> = longest.iter().map(|member| member.line.clone()).chain(names).collect();
        lines.iter().all(|line| line.len() <= FIXED_COLUMNS).then_some(lines)
    }
}

/// A variable of a COMMON block.
struct Declared {
    name: String,
    /// `real(8) a(3,4)`
    line: String,
    bytes: u128,
}

fn declaration(bound: &Bound, scope: ScopeId, member: SymbolId) -> Option<Declared> {
    let symbol = bound.symbol(member);
    let (ty, bytes) = match symbol.ty {
        Type::Integer(kind) => (format!("integer({kind})"), u128::from(kind)),
        Type::Real(kind) => (format!("real({kind})"), u128::from(kind)),
        Type::Complex(kind) => (format!("complex({kind})"), 2 * u128::from(kind)),
        Type::Logical(kind) => (format!("logical({kind})"), u128::from(kind)),
        Type::Character { kind: 1, length: Length::Known(length) } => {
            (format!("character(len={length})"), u128::from(length))
        }
        Type::Character { .. } | Type::Derived(_) | Type::Class(_) | Type::Anything | Type::Unknown => {
            return None;
        }
    };
    if symbol.is.pointer || symbol.is.allocatable {
        return None;
    }
    let extents: Vec<i128> = bound.extents(scope, symbol.shape).into_iter().collect::<Option<_>>()?;
    let elements: u128 = extents.iter().map(|extent| extent.unsigned_abs()).product();
    let texts: Vec<String> = extents.iter().map(i128::to_string).collect();
    let shape = if texts.is_empty() { String::new() } else { format!("({})", texts.join(",")) };
    let name = symbol.name.clone();
    Some(Declared { line: format!("{ty} {name}{shape}"), name, bytes: bytes.saturating_mul(elements) })
}
