//! Sections: sets of bytes of one piece of memory, with symbolic bounds.
//!
//! Input: affine values over value numbers (`value`). Output: sections, and their expansion over loops.
//! Postcondition: the section of a read contains all bytes that the operation may read; that of a write
//! contains only bytes that the operation certainly writes.

use crate::program::{Affine, ObjectId, VariableId};

use super::prover;

/// The number of a value that does not change while the number means it. Numbers of variables mean the value of
/// the variable at the entry of the procedure. Greater ones mean a value that arises in the procedure.
pub type Symbol = VariableId;

/// The memory of which a section is a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    Object(ObjectId),
    /// The memory to which the variable with `Content::Reference` refers.
    Referent(VariableId),
    /// The memory that this pointer value points to.
    Target(Symbol),
}

/// The cells at `index`, for all integers `local` for which no value in `given` is negative.
///
/// A read consists of the cells for every value of all symbols, so `local` only names those that are unique to
/// the section. For a write, a cell is written if there are such integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub base: Base,
    pub shape: Shape,
    pub local: Vec<Symbol>,
    pub given: Vec<Affine>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// All bytes of the memory.
    Whole,
    Grid {
        layout: Layout,
        index: Vec<Position>,
    },
}

/// How the position of a cell follows from its indices. Index 0 is the first one of each dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// In bytes from the begin of the base.
    pub offset: Affine,
    /// The slowest dimension first.
    pub dimensions: Vec<Spacing>,
    /// The bytes of a cell.
    pub cell: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spacing {
    /// The bytes between neighbours, if constant.
    pub stride: Option<u64>,
    /// Otherwise: the extents of all faster dimensions, which determine it. None if one is not known.
    pub inner: Option<Vec<Affine>>,
    /// The lower bound is not known, so that indices count from the index 0 of the source.
    pub floating: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    At(Affine),
    /// Every index that the dimension has.
    Every,
}

impl Section {
    pub fn whole(base: Base) -> Section {
        Section { base, shape: Shape::Whole, local: Vec::new(), given: Vec::new() }
    }

    /// The given number of bytes from `offset` on.
    pub fn bytes(base: Base, offset: Affine, bytes: &Affine, local: Symbol) -> Option<Section> {
        let byte = Affine::variable(local);
        let last = bytes.sub(&Affine::constant(1))?.sub(&byte)?;
        let layout = Layout {
            offset,
            dimensions: vec![Spacing { stride: Some(1), inner: None, floating: false }],
            cell: Some(1),
        };
        let shape = Shape::Grid { layout, index: vec![Position::At(byte.clone())] };
        Some(Section { base, shape, local: vec![local], given: vec![byte, last] })
    }

    /// The section after a change of every affine value. `None` if one of them cannot be changed.
    pub fn map(&self, base: Base, change: &mut dyn FnMut(&Affine) -> Option<Affine>) -> Option<Section> {
        let given = self.given.iter().map(&mut *change).collect::<Option<_>>()?;
        let shape = match &self.shape {
            Shape::Whole => Shape::Whole,
            Shape::Grid { layout, index } => {
                let mut dimensions = Vec::with_capacity(layout.dimensions.len());
                for spacing in &layout.dimensions {
                    let inner = match &spacing.inner {
                        Some(list) => Some(list.iter().map(&mut *change).collect::<Option<_>>()?),
                        None => None,
                    };
                    dimensions.push(Spacing { inner, ..spacing.clone() });
                }
                let index = index
                    .iter()
                    .map(|position| match position {
                        Position::At(value) => change(value).map(Position::At),
                        Position::Every => Some(Position::Every),
                    })
                    .collect::<Option<_>>()?;
                let offset = change(&layout.offset)?;
                Shape::Grid { layout: Layout { offset, dimensions, cell: layout.cell }, index }
            }
        };
        Some(Section { base, shape, local: self.local.clone(), given })
    }

    pub fn substitute(&self, symbol: Symbol, value: &Affine) -> Option<Section> {
        self.map(self.base, &mut |affine| affine.substitute(symbol, value))
    }

    /// The section with other names of local symbols. The new ones do not occur in it.
    pub fn renamed(&self, names: &[(Symbol, Symbol)]) -> Section {
        let new = |symbol: &mut Symbol| {
            if let Some((_, name)) = names.iter().find(|(old, _)| old == symbol) {
                *symbol = *name;
            }
        };
        let renamed = self.map(self.base, &mut |affine| {
            let mut affine = affine.clone();
            affine.terms.iter_mut().for_each(|(symbol, _)| new(symbol));
            affine.terms.sort_unstable_by_key(|term| term.0);
            Some(affine)
        });
        let mut renamed = renamed.unwrap_or_else(|| self.clone());
        renamed.local.iter_mut().for_each(new);
        renamed
    }

    /// Adds conditions that are not yet there.
    pub fn require(&mut self, conditions: &[Affine]) {
        for condition in conditions {
            if !self.given.contains(condition) {
                self.given.push(condition.clone());
            }
        }
    }

    /// Every symbol in the section, some more than once.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut found = Vec::new();
        let mut add = |affine: &Affine| found.extend(affine.terms.iter().map(|term| term.0));
        self.given.iter().for_each(&mut add);
        if let Shape::Grid { layout, index } = &self.shape {
            add(&layout.offset);
            layout
                .dimensions
                .iter()
                .filter_map(|spacing| spacing.inner.as_ref())
                .flatten()
                .for_each(&mut add);
            for position in index {
                if let Position::At(value) = position {
                    add(value);
                }
            }
        }
        if let Base::Target(symbol) = self.base {
            found.push(symbol);
        }
        found
    }

    /// The same bytes with fewer local symbols, as far as that is easy: those that no position uses are
    /// eliminated, and `3i + j` with `0 <= j < 3` becomes one symbol. For writes.
    pub fn simplify(mut self) -> Section {
        let mut at = 0;
        while at < self.local.len() {
            let symbol = self.local[at];
            if !self.positions_use(symbol) {
                if let Some(given) = prover::project(&self.given, symbol) {
                    self.given = given;
                    self.local.remove(at);
                    continue;
                }
            }
            at += 1;
        }
        while self.merge_one().is_some() {}
        self.given.retain(|one| !one.terms.is_empty() || one.constant < 0);
        self
    }

    /// Whether the positions of its cells depend on no local symbol. Then the local symbols only say under which conditions
    /// these cells are meant.
    pub fn has_fixed_cells(&self) -> bool {
        !self.local.iter().any(|&symbol| self.positions_use(symbol))
    }

    pub fn has_cells_of(&self, other: &Section) -> bool {
        (self.base, &self.shape) == (other.base, &other.shape)
    }

    /// The cells without conditions, if they are fixed.
    pub fn without_conditions(self) -> Section {
        Section { local: Vec::new(), given: Vec::new(), ..self }
    }

    fn positions_use(&self, symbol: Symbol) -> bool {
        let Shape::Grid { layout, index } = &self.shape else { return false };
        layout.offset.uses(symbol)
            || layout
                .dimensions
                .iter()
                .flat_map(|spacing| spacing.inner.iter().flatten())
                .any(|one| one.uses(symbol))
            || index.iter().any(|position| matches!(position, Position::At(value) if value.uses(symbol)))
    }

    /// Merges two local symbols of one position, if all cells between their ends are in the section.
    fn merge_one(&mut self) -> Option<()> {
        let Shape::Grid { index, .. } = &self.shape else { return None };
        for at in 0..index.len() {
            let Position::At(value) = &index[at] else { continue };
            let Some((value, given, dropped)) = self.merge_in(value) else { continue };
            let elsewhere = index.iter().enumerate().any(|(other, position)| {
                other != at
                    && matches!(position, Position::At(value) if dropped.iter().any(|&s| value.uses(s)))
            });
            let Shape::Grid { layout, .. } = &self.shape else { return None };
            if elsewhere || dropped.iter().any(|&symbol| layout.offset.uses(symbol)) {
                continue;
            }
            self.given = given;
            self.local.retain(|symbol| *symbol != dropped[0]);
            if let Shape::Grid { index, .. } = &mut self.shape {
                index[at] = Position::At(value);
            }
            return Some(());
        }
        None
    }

    /// `value` with an inner symbol `j` of constant range and an outer one `i` whose factor is the range of `j`
    /// times its factor: `i` then takes the place of both. The last two are the symbols, `j` first.
    fn merge_in(&self, value: &Affine) -> Option<(Affine, Vec<Affine>, [Symbol; 2])> {
        for &inner in &self.local {
            let step = value.factor(inner);
            if step <= 0 {
                continue;
            }
            let Some((low, high)) = self.range(inner) else { continue };
            let Some(count) = high.sub(&low).and_then(|length| length.as_constant()) else { continue };
            if count < 0 {
                continue;
            }
            let count = count + 1;
            for &outer in &self.local {
                if outer == inner || Some(value.factor(outer)) != step.checked_mul(count) {
                    continue;
                }
                let Some((first, last)) = self.range(outer) else { continue };
                if low.uses(outer) || first.uses(inner) {
                    continue;
                }
                // A new symbol q = count·(i - first) + (j - low), which is 0 up to count·(last - first + 1) - 1.
                let start = value.substitute(inner, &low)?.substitute(outer, &first)?;
                let value = start.add(&Affine::variable(outer).scale(step)?)?;
                let end = last.sub(&first)?.add(&Affine::constant(1))?.scale(count)?;
                let mut given: Vec<Affine> =
                    self.given.iter().filter(|one| !one.uses(inner) && !one.uses(outer)).cloned().collect();
                given.push(Affine::variable(outer));
                given.push(end.sub(&Affine::constant(1))?.sub(&Affine::variable(outer))?);
                return Some((value, given, [inner, outer]));
            }
        }
        None
    }

    /// The least and greatest value of a local symbol, if exactly one inequality states each.
    pub fn range(&self, symbol: Symbol) -> Option<(Affine, Affine)> {
        let (mut low, mut high) = (None, None);
        for one in self.given.iter().filter(|one| one.uses(symbol)) {
            let factor = one.factor(symbol);
            let rest = one.substitute(symbol, &Affine::constant(0))?;
            match factor {
                1 if low.is_none() => low = Some(rest.scale(-1)?),
                -1 if high.is_none() => high = Some(rest),
                _ => return None,
            }
        }
        Some((low?, high?))
    }

    /// The first and the last byte, if the section is all bytes in between. For writes.
    pub fn contiguous(&self) -> Option<(Affine, Affine)> {
        let Shape::Grid { layout, .. } = &self.shape else { return None };
        let mut width = i64::try_from(layout.cell?).ok()?;
        let mut first = self.address()?;
        let mut open: Vec<Symbol> = self.local.clone();
        loop {
            let Some(next) =
                open.iter().position(|&symbol| first.factor(symbol).unsigned_abs() == width as u64)
            else {
                // The remaining conditions may only determine whether the section is empty. `cover` finds
                // values for them.
                let last = first.add(&Affine::constant(width - 1))?;
                return (!open.iter().any(|&symbol| first.uses(symbol))).then_some((first, last));
            };
            let symbol = open.remove(next);
            let (low, high) = self.range(symbol)?;
            if open.iter().any(|&other| low.uses(other) || high.uses(other)) {
                return None;
            }
            let forward = first.factor(symbol) > 0;
            let begin = first.substitute(symbol, if forward { &low } else { &high })?;
            let length = high.sub(&low)?.add(&Affine::constant(1))?;
            match length.as_constant() {
                Some(count) if count > 0 => {
                    first = begin;
                    width = width.checked_mul(count)?;
                }
                Some(_) => return None,
                None => {
                    let last = begin.add(&length.scale(width)?)?.sub(&Affine::constant(1))?;
                    let rest = open.iter().any(|&other| begin.uses(other) || last.uses(other));
                    return (!rest).then_some((begin, last));
                }
            }
        }
    }

    /// The byte where a cell begins.
    pub fn address(&self) -> Option<Affine> {
        let Shape::Grid { layout, index } = &self.shape else { return None };
        let mut address = layout.offset.clone();
        for (spacing, position) in layout.dimensions.iter().zip(index) {
            let Position::At(value) = position else { return None };
            if spacing.floating {
                return None;
            }
            address = address.add(&value.scale(i64::try_from(spacing.stride?).ok()?)?)?;
        }
        Some(address)
    }
}
