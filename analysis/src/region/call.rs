//! The memory that a call reads and writes, in terms of the caller.
//!
//! Input: the summaries of procedures, and the values at a call. Output: events of the caller.
//! Postcondition: if the place of a read in the caller is not known, the read may be of any memory. A write
//! whose place is not known is left out.

use rustc_hash::FxHashMap;

use crate::program::{
    Access, Affine, Argument, Call, Callee, Content, Dimension, Index, Lifetime, Operation, OperationKind,
    ProcedureId, Program, Site, Step, Value, VariableId,
};

use super::cell::{self, Cells};
use super::effects::{Effects, Extent};
use super::memory::Values;
use super::section::{Base, Layout, Position, Section, Shape, Spacing, Symbol};
use super::value::{Calls, EventKind, Read};

/// The effects of a call of a procedure, in terms of the values at its entry.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    pub reads: Vec<(Site, Option<Section>)>,
    /// There are more reads whose place is not known than the list can contain.
    pub reads_unknown: bool,
    pub writes: Vec<Section>,
    /// The memory whose value at the entry a symbol means.
    pub entry: FxHashMap<Symbol, Access>,
}

/// The procedures that calls name.
pub struct Callees<'s> {
    pub effects: &'s dyn Effects,
    /// Without the names of other entries.
    pub names: &'s FxHashMap<&'s str, ProcedureId>,
    /// None for those that are not analysed yet, because they call each other.
    pub summaries: &'s [Option<Summary>],
    /// At this call, a part of the procedure runs that writes these sections.
    pub resumed: Option<(Site, ProcedureId, &'s Summary)>,
}

impl Callees<'_> {
    pub fn summary(&self, call: &Call) -> Option<(ProcedureId, &Summary)> {
        let Callee::Named(name) = &call.callee else { return None };
        let id = *self.names.get(name.as_str())?;
        Some((id, self.summaries[id.0 as usize].as_ref()?))
    }

    /// Makes cells for the static memory that callees depend on.
    pub fn add_cells(&self, program: &Program, operation: &Operation, cells: &mut Cells) {
        let OperationKind::Call(call) = &operation.kind else { return };
        let Some((_, summary)) = self.summary(call) else { return };
        let mut needed: Vec<(&Symbol, &Access)> = summary.entry.iter().collect();
        needed.sort_unstable_by_key(|entry| entry.0);
        for (_, access) in needed {
            let object = program.variables[access.root.0 as usize].object;
            if matches!(program.objects[object.0 as usize].lifetime, Lifetime::Static) {
                if let Some(key) = cell::key(program, access) {
                    cells.add(program, key, access.clone());
                }
            }
        }
    }
}

impl Calls for Callees<'_> {
    fn events(&self, values: &mut Values, site: Site, operation: &Operation) -> Vec<EventKind> {
        let OperationKind::Call(call) = &operation.kind else { return Vec::new() };
        let mut events = Vec::new();
        for argument in &call.arguments {
            if let Argument::Value(Value::Copy(access)) = argument {
                let section = values.read(access);
                events.push(EventKind::Read(Read { site, origin: site, section }));
            }
        }
        let anything = EventKind::Read(Read { site, origin: site, section: None });
        match (self.summary(call), &call.callee) {
            (Some((id, summary)), _) => {
                Transfer { values, call, id, summary, site }.events(&mut events);
            }
            (None, Callee::Named(name)) if !self.names.contains_key(name.as_str()) => {
                match self.effects.external(name, call) {
                    Some(external) => {
                        events.extend(external.reads_more.then_some(anything));
                        for extent in &external.reads {
                            let section = extent_section(values, call, extent, false);
                            events.push(EventKind::Read(Read { site, origin: site, section }));
                        }
                        for object in &external.objects {
                            let section = Some(Section::whole(Base::Object(*object)));
                            events.push(EventKind::Read(Read { site, origin: site, section }));
                        }
                        for extent in external.writes.iter().filter(|extent| extent.bytes.is_some()) {
                            events.extend(extent_section(values, call, extent, true).map(EventKind::Write));
                        }
                    }
                    None => events.push(anything),
                }
            }
            (None, _) => events.push(anything),
        }
        if let Some(result) = &call.result {
            events.extend(values.write(result).map(EventKind::Write));
        }
        events
    }

    fn rest(&self, values: &mut Values, site: Site, operation: &Operation) -> Option<Vec<EventKind>> {
        let (_, id, summary) = self.resumed.filter(|resumed| resumed.0 == site)?;
        let OperationKind::Call(call) = &operation.kind else { return None };
        let mut events = Vec::new();
        Transfer { values, call, id, summary, site }.events(&mut events);
        if let Some(result) = &call.result {
            events.extend(values.write(result).map(EventKind::Write));
        }
        Some(events)
    }
}

/// Where the memory of an argument begins.
struct ArgumentMemory {
    base: Base,
    offset: Affine,
    /// The dimensions of the access, and the index in each.
    dimensions: Vec<(Spacing, Affine)>,
}

/// `None` if it is not known, or is a part of an array that may be copied for the call.
fn locate(values: &Values, access: &Access) -> Option<ArgumentMemory> {
    let (base, mut offset, steps) = values.base(access)?;
    let mut dimensions = Vec::new();
    for step in steps {
        match step {
            Step::Dereference => return None,
            Step::Field { offset: field, .. } => {
                offset = offset.add(&Affine::constant(i64::try_from(*field).ok()?))?;
            }
            Step::Elements(list) => {
                if !is_contiguous(list) {
                    return None;
                }
                for (at, dimension) in list.iter().enumerate() {
                    dimensions.push((values.spacing(dimension, &list[at + 1..]), begin(values, dimension)?));
                }
            }
        }
    }
    Some(ArgumentMemory { base, offset, dimensions })
}

fn begin(values: &Values, dimension: &Dimension) -> Option<Affine> {
    let from = |index: &Affine| {
        let lower = dimension.lower.as_ref().and_then(|lower| values.evaluate(lower)).unwrap_or_default();
        values.evaluate(index)?.sub(&lower)
    };
    match &dimension.index {
        Index::At(index) => from(index),
        Index::Range { first, step: 1, .. } => from(first),
        // If the lower bound of a dimension is not known, its beginning has no number.
        Index::All => dimension.lower.as_ref().map(|_| Affine::constant(0)),
        Index::Range { .. } | Index::Unknown => None,
    }
}

/// In order of the memory: whole dimensions, one part of a dimension, single indices. Or one element.
fn is_contiguous(list: &[Dimension]) -> bool {
    if list.iter().all(|dimension| matches!(dimension.index, Index::At(_))) {
        return true;
    }
    let whole = list.iter().rev().take_while(|dimension| matches!(dimension.index, Index::All)).count();
    let rest = &list[..list.len() - whole];
    let parts = match rest.last() {
        Some(Dimension { index: Index::Range { step: 1, .. }, .. }) => &rest[..rest.len() - 1],
        _ => rest,
    };
    parts.iter().all(|dimension| matches!(dimension.index, Index::At(_)))
}

/// The beginning of the memory to which an argument points or refers.
fn argument_place(values: &Values, call: &Call, number: usize) -> Option<ArgumentMemory> {
    match call.arguments.get(number)? {
        Argument::Reference(access) | Argument::Value(Value::Address(access)) => locate(values, access),
        Argument::Value(Value::Copy(pointer)) => {
            let (base, offset) = values.target(values.content(pointer)?)?;
            Some(ArgumentMemory { base, offset, dimensions: Vec::new() })
        }
        Argument::Value(_) | Argument::Absent => None,
    }
}

fn extent_section(values: &mut Values, call: &Call, extent: &Extent, write: bool) -> Option<Section> {
    let place = argument_place(values, call, extent.argument)?;
    let Some(bytes) = &extent.bytes else { return Some(Section::whole(place.base)) };
    let bytes = values.evaluate(bytes)?;
    let mut offset = place.offset;
    for (spacing, index) in &place.dimensions {
        let stride = match (spacing.stride, spacing.floating) {
            (Some(stride), false) => i64::try_from(stride).ok()?,
            _ if index.as_constant() == Some(0) => 0,
            _ => return None,
        };
        offset = offset.add(&index.scale(stride)?)?;
    }
    let local = values.fresh();
    let mut section = Section::bytes(place.base, offset, &bytes, local)?;
    if !write {
        values.add_facts(&mut section);
    }
    Some(section)
}

/// One call of a procedure with a summary.
struct Transfer<'t, 'v, 'p> {
    values: &'t mut Values<'v>,
    call: &'p Call,
    id: ProcedureId,
    summary: &'t Summary,
    site: Site,
}

enum Target {
    Memory(ArgumentMemory),
    /// Memory of the callee.
    Own,
    Unknown,
}

impl Transfer<'_, '_, '_> {
    fn events(&mut self, events: &mut Vec<EventKind>) {
        let summary = self.summary;
        let mut symbols: FxHashMap<Symbol, Option<Affine>> = FxHashMap::default();
        for (origin, section) in &summary.reads {
            let section = match section {
                None => None,
                Some(section) => match self.target(section.base) {
                    Target::Own => continue,
                    Target::Unknown => None,
                    Target::Memory(place) => self.read(section, &place, &mut symbols),
                },
            };
            events.push(EventKind::Read(Read { site: self.site, origin: *origin, section }));
        }
        if summary.reads_unknown {
            events.push(EventKind::Read(Read { site: self.site, origin: self.site, section: None }));
        }
        for section in &summary.writes {
            if let Target::Memory(place) = self.target(section.base) {
                events.extend(self.write(section, &place, &mut symbols).map(EventKind::Write));
            }
        }
    }

    fn parameter(&self, variable: VariableId) -> Option<usize> {
        let procedure = &self.values.program.procedures[self.id.0 as usize];
        procedure.parameters.iter().position(|&one| one == variable)
    }

    fn is_static(&self, variable: VariableId) -> bool {
        let object = self.values.program.variables[variable.0 as usize].object;
        matches!(self.values.program.objects[object.0 as usize].lifetime, Lifetime::Static)
    }

    fn target(&self, base: Base) -> Target {
        let place = match base {
            Base::Object(object) => match self.values.program.objects[object.0 as usize].lifetime {
                Lifetime::Static => {
                    Some(ArgumentMemory { base, offset: Affine::constant(0), dimensions: Vec::new() })
                }
                Lifetime::Local(owner) if owner == self.id => return Target::Own,
                // Of a procedure around it.
                Lifetime::Local(_) => None,
            },
            Base::Referent(variable) => {
                self.parameter(variable).and_then(|number| argument_place(self.values, self.call, number))
            }
            Base::Target(symbol) => self.summary.entry.get(&symbol).and_then(|access| {
                match self.parameter(access.root) {
                    Some(number) if access.path.is_empty() => {
                        let content = &self.values.program.variables[access.root.0 as usize].content;
                        // The bounds and the distance of elements are in the descriptor of the callee.
                        let described = matches!(content, Content::Descriptor);
                        if described {
                            None
                        } else {
                            argument_place(self.values, self.call, number)
                        }
                    }
                    _ => {
                        let (base, offset) = self.values.target(&self.actual(access)?)?;
                        Some(ArgumentMemory { base, offset, dimensions: Vec::new() })
                    }
                }
            }),
        };
        place.map_or(Target::Unknown, Target::Memory)
    }

    /// The value at the call that memory has at the entry of the callee.
    fn actual(&self, access: &Access) -> Option<Affine> {
        let Some(number) = self.parameter(access.root) else {
            return if self.is_static(access.root) { self.values.content(access).cloned() } else { None };
        };
        let rest = match access.path.first() {
            Some(Step::Dereference) => Some(&access.path[1..]),
            _ => None,
        };
        let (of, rest) = match (self.call.arguments.get(number)?, rest) {
            (Argument::Reference(of) | Argument::Value(Value::Address(of)), Some(rest)) => (of, rest),
            (Argument::Value(Value::Copy(of)), _) => (of, &access.path[..]),
            (Argument::Value(Value::Affine(affine)), None) if access.path.is_empty() => {
                return self.values.evaluate(affine);
            }
            _ => return None,
        };
        let path = of.path.iter().chain(rest).cloned().collect();
        let size = if rest.is_empty() { of.size } else { access.size };
        self.values.content(&Access { path, size, ..of.clone() }).cloned()
    }

    fn read(
        &mut self,
        section: &Section,
        place: &ArgumentMemory,
        symbols: &mut FxHashMap<Symbol, Option<Affine>>,
    ) -> Option<Section> {
        let mut renamed: FxHashMap<Symbol, Affine> = FxHashMap::default();
        let mut local = Vec::new();
        for symbol in section.symbols() {
            if renamed.contains_key(&symbol) {
                continue;
            }
            let known = if section.local.contains(&symbol) { None } else { self.known(symbol, symbols) };
            let value = known.unwrap_or_else(|| {
                let fresh = self.values.fresh();
                local.push(fresh);
                Affine::variable(fresh)
            });
            renamed.insert(symbol, value);
        }
        let moved = section.map(place.base, &mut |affine| replace(affine, &renamed))?;
        let shape = match moved.shape {
            Shape::Whole => Shape::Whole,
            Shape::Grid { layout, index } => combine(place, layout, index)?,
        };
        let mut section = Section { shape, local, ..moved };
        self.values.add_facts(&mut section);
        Some(section)
    }

    fn write(
        &mut self,
        section: &Section,
        place: &ArgumentMemory,
        symbols: &mut FxHashMap<Symbol, Option<Affine>>,
    ) -> Option<Section> {
        let mut renamed: FxHashMap<Symbol, Affine> = FxHashMap::default();
        let mut local = Vec::new();
        for &symbol in &section.local {
            let fresh = self.values.fresh();
            local.push(fresh);
            renamed.insert(symbol, Affine::variable(fresh));
        }
        for symbol in section.symbols() {
            let in_base = section.base == Base::Target(symbol);
            if !renamed.contains_key(&symbol) && !in_base {
                renamed.insert(symbol, self.known(symbol, symbols)?);
            }
        }
        let moved = section.map(place.base, &mut |affine| replace(affine, &renamed))?;
        let shape = match moved.shape {
            Shape::Whole if place.dimensions.is_empty() && place.offset.as_constant() == Some(0) => {
                Shape::Whole
            }
            Shape::Whole => return None,
            Shape::Grid { layout, index } => combine(place, layout, index)?,
        };
        Some(Section { shape, local, ..moved }.simplify())
    }

    /// The value of a symbol of the callee. None if the caller does not know it.
    fn known(&self, symbol: Symbol, symbols: &mut FxHashMap<Symbol, Option<Affine>>) -> Option<Affine> {
        symbols
            .entry(symbol)
            .or_insert_with(|| self.summary.entry.get(&symbol).and_then(|access| self.actual(access)))
            .clone()
    }
}

fn replace(affine: &Affine, renamed: &FxHashMap<Symbol, Affine>) -> Option<Affine> {
    let mut value = Affine::constant(affine.constant);
    for &(symbol, factor) in &affine.terms {
        value = value.add(&renamed.get(&symbol)?.scale(factor)?)?;
    }
    Some(value)
}

/// The cells of a callee, from the beginning of the argument. If each dimension of the callee has the same
/// distance between neighbours as one of the argument, the result has the dimensions of the argument.
fn combine(place: &ArgumentMemory, layout: Layout, index: Vec<Position>) -> Option<Shape> {
    let offset = place.offset.add(&layout.offset)?;
    if let Some((dimensions, index)) = align(place, &layout, &index) {
        return Some(Shape::Grid { layout: Layout { offset, dimensions, cell: layout.cell }, index });
    }
    let mut offset = offset;
    for (spacing, start) in &place.dimensions {
        if start.as_constant() == Some(0) && !spacing.floating {
            continue;
        }
        if spacing.floating {
            return None;
        }
        offset = offset.add(&start.scale(i64::try_from(spacing.stride?).ok()?)?)?;
    }
    Some(Shape::Grid { layout: Layout { offset, ..layout }, index })
}

fn align(
    place: &ArgumentMemory,
    layout: &Layout,
    index: &[Position],
) -> Option<(Vec<Spacing>, Vec<Position>)> {
    let mut dimensions = Vec::new();
    let mut combined = Vec::new();
    let mut inner = layout.dimensions.iter().zip(index).peekable();
    if place.dimensions.is_empty() {
        return None;
    }
    for (spacing, start) in &place.dimensions {
        if spacing.floating {
            return None;
        }
        dimensions.push(spacing.clone());
        match inner.peek() {
            Some((of_callee, position))
                if **of_callee == *spacing && (spacing.stride.is_some() || spacing.inner.is_some()) =>
            {
                let Position::At(value) = position else { return None };
                combined.push(Position::At(start.add(value)?));
                inner.next();
            }
            _ => combined.push(Position::At(start.clone())),
        }
    }
    inner.peek().is_none().then_some((dimensions, combined))
}
