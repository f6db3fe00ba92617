//! The memory that an access reaches, with the values at one point.
//!
//! Input: an access. Output: its section.
//! Postcondition: the section of a read contains every byte that may be read. The section of a write contains
//! only bytes that are certainly written.

use rustc_hash::FxHashMap;

use crate::program::{Access, Affine, BlockId, Content, Dimension, Index, Program, Step, VariableId};

use super::cell::{self, Cells};
use super::section::{Base, Layout, Position, Section, Shape, Spacing, Symbol};

/// The number of recent facts that every read gets.
const RECENT: usize = 6;

/// The values at one point, while a procedure is numbered.
pub struct Values<'p> {
    pub program: &'p Program,
    pub cells: &'p Cells,
    pub current: Vec<Affine>,
    /// The address that a symbol means, if it is a place in other memory.
    pub addresses: FxHashMap<Symbol, (Base, Affine)>,
    /// The next symbol that is not in use.
    pub next: u32,
    /// For each symbol that is no variable, the block that defines it.
    pub defined: Vec<BlockId>,
    pub block: BlockId,
    /// The facts that are true here: values that are not negative.
    pub facts: Vec<Affine>,
}

impl Values<'_> {
    pub fn fresh(&mut self) -> Symbol {
        self.next += 1;
        self.defined.push(self.block);
        VariableId(self.next - 1)
    }

    pub fn content(&self, access: &Access) -> Option<&Affine> {
        self.cells.exact(self.program, access).map(|number| &self.current[number])
    }

    /// An affine value in symbols.
    pub fn evaluate(&self, affine: &Affine) -> Option<Affine> {
        let mut value = Affine::constant(affine.constant);
        for &(variable, factor) in &affine.terms {
            let term = self.content(&Cells::variable(self.program, variable))?;
            value = value.add(&term.scale(factor)?)?;
        }
        Some(value)
    }

    /// The target of the symbol of a pointer.
    pub fn target(&self, pointer: &Affine) -> Option<(Base, Affine)> {
        let symbol = pointer.as_variable()?;
        Some(self.addresses.get(&symbol).cloned().unwrap_or((Base::Target(symbol), Affine::constant(0))))
    }

    /// The memory in which the path ends, the offset at which its steps after the last dereference begin, and
    /// these steps.
    pub fn base<'a>(&self, access: &'a Access) -> Option<(Base, Affine, &'a [Step])> {
        let variable = &self.program.variables[access.root.0 as usize];
        let last = access.path.iter().rposition(|step| matches!(step, Step::Dereference));
        let Some(last) = last else {
            let offset = Affine::constant(i64::try_from(variable.offset).ok()?);
            return Some((Base::Object(variable.object), offset, &access.path));
        };
        let rest = &access.path[last + 1..];
        if last == 0 && matches!(variable.content, Content::Reference { .. }) {
            return Some((Base::Referent(access.root), Affine::constant(0), rest));
        }
        let key = cell::key_of(self.program, access.root, &access.path[..last])?;
        let (base, offset) = self.target(&self.current[self.cells.number(&key)?])?;
        Some((base, offset, rest))
    }

    /// The bytes that a read of this memory may read.
    pub fn read(&mut self, access: &Access) -> Option<Section> {
        let mut section = self.section(access, false)?;
        self.add_facts(&mut section);
        Some(section)
    }

    /// The bytes that a write to this memory certainly writes. None if there are none.
    pub fn write(&mut self, access: &Access) -> Option<Section> {
        self.section(access, true).map(Section::simplify)
    }

    pub fn section(&mut self, access: &Access, write: bool) -> Option<Section> {
        let (base, mut offset, steps) = self.base(access)?;
        let variable = &self.program.variables[access.root.0 as usize];
        let cell = access.size.or(if access.path.is_empty() { variable.size } else { None });
        let mut local = Vec::new();
        let mut given = Vec::new();
        let mut dimensions = Vec::new();
        let mut index = Vec::new();
        for step in steps {
            match step {
                Step::Dereference => return None,
                Step::Field { offset: field, .. } => {
                    offset = offset.add(&Affine::constant(i64::try_from(*field).ok()?))?;
                }
                Step::Elements(list) => {
                    for (at, dimension) in list.iter().enumerate() {
                        dimensions.push(self.spacing(dimension, &list[at + 1..]));
                        index.push(self.position(dimension, write, &mut local, &mut given)?);
                    }
                }
            }
        }
        let all = !index.is_empty() && index.iter().all(|position| *position == Position::Every);
        let shape = match cell {
            _ if all && matches!(base, Base::Target(_)) && steps.len() == 1 => Shape::Whole,
            None if write => return None,
            None if index.is_empty() => Shape::Whole,
            _ if write && index.contains(&Position::Every) && !matches!(base, Base::Target(_)) => {
                return None
            }
            _ => Shape::Grid { layout: Layout { offset, dimensions, cell }, index },
        };
        Some(Section { base, shape, local, given })
    }

    pub fn spacing(&self, dimension: &Dimension, faster: &[Dimension]) -> Spacing {
        let inner = match dimension.stride {
            Some(_) => None,
            None => faster.iter().map(|one| self.evaluate(one.extent.as_ref()?)).collect(),
        };
        let lower = dimension.lower.as_ref().and_then(|lower| self.evaluate(lower));
        Spacing { stride: dimension.stride, inner, floating: lower.is_none() }
    }

    fn position(
        &mut self,
        dimension: &Dimension,
        write: bool,
        local: &mut Vec<Symbol>,
        given: &mut Vec<Affine>,
    ) -> Option<Position> {
        let lower = dimension.lower.as_ref().and_then(|lower| self.evaluate(lower)).unwrap_or_default();
        let extent = dimension.extent.as_ref().and_then(|extent| self.evaluate(extent));
        let known = match &dimension.index {
            Index::At(index) => self.evaluate(index).and_then(|index| index.sub(&lower)),
            Index::Range { first, last, step } => self.range(first, last, *step, &lower, local, given),
            Index::All => match extent {
                Some(extent) => Some(self.below(&extent, local, given)?),
                None => return Some(Position::Every),
            },
            Index::Unknown => None,
        };
        match known {
            Some(value) => Some(Position::At(value)),
            None if write => None,
            // Any index, and one of the dimension if its size is known.
            None => match dimension.extent.as_ref().and_then(|extent| self.evaluate(extent)) {
                Some(extent) => Some(Position::At(self.below(&extent, local, given)?)),
                None => {
                    let any = self.fresh();
                    local.push(any);
                    Some(Position::At(Affine::variable(any)))
                }
            },
        }
    }

    fn range(
        &mut self,
        first: &Affine,
        last: &Affine,
        step: i64,
        lower: &Affine,
        local: &mut Vec<Symbol>,
        given: &mut Vec<Affine>,
    ) -> Option<Affine> {
        let (first, last) = (self.evaluate(first)?, self.evaluate(last)?);
        let symbol = self.fresh();
        let moved = Affine::variable(symbol).scale(step)?;
        let index = first.add(&moved)?;
        let rest = if step > 0 { last.sub(&index)? } else { index.sub(&last)? };
        if step == 0 {
            return None;
        }
        local.push(symbol);
        given.extend([Affine::variable(symbol), rest]);
        index.sub(lower)
    }

    /// A new symbol from 0 up to `extent - 1`.
    fn below(&mut self, extent: &Affine, local: &mut Vec<Symbol>, given: &mut Vec<Affine>) -> Option<Affine> {
        let symbol = self.fresh();
        let value = Affine::variable(symbol);
        let rest = extent.sub(&Affine::constant(1))?.sub(&value)?;
        local.push(symbol);
        given.extend([value.clone(), rest]);
        Some(value)
    }

    /// Adds the facts at this point about the symbols of a read, and the most recent facts.
    pub fn add_facts(&self, section: &mut Section) {
        let mut symbols = section.symbols();
        let recent = self.facts.len().saturating_sub(RECENT);
        let facts = &self.facts[self.facts.len().saturating_sub(64)..];
        let mut used: Vec<bool> =
            (self.facts.len() - facts.len()..self.facts.len()).map(|at| at >= recent).collect();
        section.given.extend(self.facts[recent..].iter().cloned());
        symbols.extend(self.facts[recent..].iter().flat_map(|fact| fact.terms.iter().map(|term| term.0)));
        let mut added = 0;
        loop {
            let before = added;
            for (at, fact) in facts.iter().enumerate().rev() {
                if added < 12 && !used[at] && fact.terms.iter().any(|term| symbols.contains(&term.0)) {
                    used[at] = true;
                    added += 1;
                    symbols.extend(fact.terms.iter().map(|term| term.0));
                    section.given.push(fact.clone());
                }
            }
            if added == before {
                return;
            }
        }
    }
}
