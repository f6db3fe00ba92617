//! Designators: from names, components, elements and sections to accesses.
//!
//! Input: an expression that designates memory. Output: a `Place`.
//! Postcondition: subscripts were read. A subscript that is not affine is `Index::Unknown`.

use cppc_analysis::program::{Access, Affine, Content, Dimension, Index, Step, Value, VariableId};
use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Bound as Extent, Expr, ExprKind};

use super::body::Body;
use super::designated_memory::{dereferenced, field, unknown_elements, Declared, DesignatedMemory};
use super::layout::{content, Field};
use super::link_names::is_library;
use super::storage::is_reference;
use crate::bind::fortran::types::derived_of;
use crate::bind::fortran::{Length, Meaning, ScopeId, SymbolId, SymbolKind, Type, TypeId};

impl<'a> Body<'_, 'a> {
    /// The memory that an expression designates. `None` if it is a value, or is not understood.
    pub fn place(&mut self, scope: ScopeId, expr: &Expr) -> Option<DesignatedMemory<'a>> {
        let mut place = match &expr.kind {
            ExprKind::Name(name) => {
                if let Some((_, place)) = self.names.iter().rev().find(|(known, _)| *known == name.text) {
                    return Some(place.clone());
                }
                match self.bound.lookup(scope, &name.text) {
                    Some(id) => self.place_of_symbol(id)?,
                    None => self.foreign(scope, &name.text)?,
                }
            }
            ExprKind::Component { base, name } => {
                let outer = self.place(scope, base)?;
                self.component(outer, &name.text)?
            }
            ExprKind::Reference { base, arguments } => {
                if !matches!(self.bound.meaning(scope, base, arguments), Meaning::Part(_))
                    && !self.is_local_name(base)
                {
                    return None;
                }
                let outer = self.place(scope, base)?;
                self.part(scope, outer, arguments)
            }
            ExprKind::Parenthesized(_) => return None,
            _ => return None,
        };
        place.access.text = self.text_of(expr);
        if let Some(holder) = &mut place.holder {
            holder.text.clone_from(&place.access.text);
        }
        Some(place)
    }

    fn is_local_name(&self, base: &Expr) -> bool {
        matches!(&base.kind, ExprKind::Name(name) if self.names.iter().any(|(known, _)| *known == name.text))
    }

    /// The text of the designator in a directive: whole arrays are without `(:)`.
    fn text_of(&self, expr: &Expr) -> String {
        let expr = match &expr.kind {
            ExprKind::Reference { base, arguments } if arguments.iter().all(is_full) => base,
            _ => expr,
        };
        let text = self.bound.written(self.source, expr);
        text.chars().filter(|letter| !letter.is_whitespace()).collect()
    }

    pub fn place_of_symbol(&mut self, id: SymbolId) -> Option<DesignatedMemory<'a>> {
        if let Some(alias) = self.aliases.get(&id) {
            return Some(alias.clone());
        }
        let bound = self.bound;
        let symbol = bound.symbol(id);
        if !matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant(_) | SymbolKind::Unknown) {
            return None;
        }
        let variable = self.variable(id);
        let access = self.root(variable);
        Some(self.place_of_variable(id, access))
    }

    fn place_of_variable(&mut self, id: SymbolId, mut access: Access) -> DesignatedMemory<'a> {
        let bound = self.bound;
        let symbol = bound.symbol(id);
        let element = self.storage.layouts.of_type(bound, symbol.ty).0;
        let inner = content(bound, symbol.ty);
        let moves = symbol.is.allocatable || symbol.is.pointer;
        let mut holder = None;
        if is_reference(symbol) {
            let (kind, size) = self.storage.holder(symbol.ty, symbol.shape.len());
            let (kind, size) = if moves { (kind, Some(size)) } else { (inner.clone(), element) };
            access = dereferenced(access, size, kind);
        }
        if moves {
            holder = Some(access.clone());
            access = dereferenced(access, element, inner.clone());
        }
        (access.size, access.content) = (element, inner);
        let dimensions = match moves {
            true => symbol.shape.iter().map(|_| Declared::default()).collect(),
            false => self.dimensions(symbol.scope, symbol.shape),
        };
        DesignatedMemory {
            access,
            holder,
            ty: symbol.ty,
            dimensions,
            shape: symbol.shape,
            allocatable: symbol.is.allocatable,
        }
    }

    fn root(&self, variable: VariableId) -> Access {
        self.flow.program.whole(variable)
    }

    /// A variable of a module whose source is not given.
    fn foreign(&mut self, scope: ScopeId, name: &str) -> Option<DesignatedMemory<'a>> {
        let module = self.bound.opaque_module(scope, name)?.to_owned();
        let constant = is_library(&module);
        let object = format!("{module}%{name}");
        let known = self.flow.program.find_object(&object);
        let object = known.unwrap_or_else(|| {
            self.flow.program.object(cppc_analysis::program::Object {
                name: object,
                lifetime: cppc_analysis::program::Lifetime::Static,
                size: None,
                initialized: true,
                constant,
                external: true,
            })
        });
        let variable = self.flow.program.variable(cppc_analysis::program::Variable {
            name: name.to_owned(),
            object,
            offset: 0,
            size: None,
            declared: None,
            content: Content::Unknown,
            is_array: false,
        });
        let access = self.root(variable);
        Some(DesignatedMemory::scalar(access, Type::Unknown))
    }

    /// The declared bounds, if they are affine.
    pub fn dimensions(&mut self, home: ScopeId, shape: &[Extent]) -> Vec<Declared> {
        let one = Affine::constant(1);
        let mut list = Vec::new();
        for bound in shape {
            list.push(match bound {
                Extent::Explicit { lower, upper } => {
                    let lower = lower.as_ref().map_or(Some(one.clone()), |lower| self.at_entry(home, lower));
                    let upper = self.at_entry(home, upper);
                    let extent =
                        lower.as_ref().zip(upper).and_then(|(lower, upper)| upper.sub(lower)?.add(&one));
                    Declared { lower, extent }
                }
                Extent::AssumedSize { lower } | Extent::AssumedShape { lower } => {
                    let lower = lower.as_ref().map_or(Some(one.clone()), |lower| self.at_entry(home, lower));
                    Declared { lower, extent: None }
                }
                Extent::AssumedRank => Declared::default(),
            });
        }
        list
    }

    pub fn component(&mut self, outer: DesignatedMemory<'a>, name: &str) -> Option<DesignatedMemory<'a>> {
        let bound = self.bound;
        let base = outer.whole();
        if let (Type::Complex(kind), "re" | "im") = (outer.ty, name) {
            let ty = Type::Real(kind);
            let size = self.storage.layouts.of_type(bound, ty).0;
            let offset = if name == "im" { size.unwrap_or(0) } else { 0 };
            return Some(DesignatedMemory::scalar(field(base, name, offset, size, Content::Data), ty));
        }
        let id = derived_of(outer.ty)?;
        if super::layout::is_address(bound, id) {
            return None;
        }
        if let Some(ancestor) =
            bound.component_of(id, name).is_none().then(|| bound.ancestor_named(id, name)).flatten()
        {
            let ty = Type::Derived(ancestor);
            return Some(DesignatedMemory::scalar(Access { content: Content::Record, ..base }, ty));
        }
        let layout = self.storage.layouts.of(bound, id);
        match layout.fields.iter().rev().find(|field| field.name == name) {
            Some(found) => Some(self.field(base, found)),
            // The components of the type are not known, so this may be any of them.
            None => Some(DesignatedMemory::scalar(
                Access { size: None, content: Content::Unknown, ..base },
                Type::Unknown,
            )),
        }
    }

    /// A component of a structure that is designated in full.
    pub fn field(&mut self, base: Access, found: &Field<'a>) -> DesignatedMemory<'a> {
        let bound = self.bound;
        let element = self.storage.layouts.of_type(bound, found.ty).0;
        let inner = content(bound, found.ty);
        if found.procedure {
            let size = self.storage.layouts.pointer_bytes;
            let access = field(base, &found.name, found.offset, Some(size), Content::Pointer);
            return DesignatedMemory {
                holder: Some(access.clone()),
                ..DesignatedMemory::scalar(access, Type::Unknown)
            };
        }
        let moves = found.allocatable || found.pointer;
        let mut access = field(base, &found.name, found.offset, element, inner.clone());
        let mut holder = None;
        if moves {
            let (kind, size) = self.storage.holder(found.ty, found.shape.len());
            (access.size, access.content) = (Some(size), kind);
            holder = Some(access.clone());
            access = dereferenced(access, element, inner);
        }
        let home = bound.derived(found.home).scope;
        let dimensions = match moves {
            true => found.shape.iter().map(|_| Declared::default()).collect(),
            false => self.dimensions(home, found.shape),
        };
        DesignatedMemory {
            access,
            holder,
            ty: found.ty,
            dimensions,
            shape: found.shape,
            allocatable: found.allocatable,
        }
    }

    /// `place(arguments)`: an element, a section, a substring.
    fn part(
        &mut self,
        scope: ScopeId,
        place: DesignatedMemory<'a>,
        arguments: &[Argument],
    ) -> DesignatedMemory<'a> {
        if place.dimensions.is_empty() {
            return match sectioned(&place.access) == arguments.len() && !arguments.is_empty() {
                true => self.part_of_section(scope, place, arguments),
                false => self.substring(scope, place, arguments),
            };
        }
        // Arrays of numbers may contain the neighbours of a process.
        let is_number = matches!(place.ty, Type::Integer(_) | Type::Logical(_));
        let mut indices = Vec::new();
        for (position, declared) in place.dimensions.iter().enumerate() {
            indices.push(match arguments.get(position) {
                Some(argument) => match self.index(scope, argument, declared) {
                    Index::Unknown if is_number => self.computed_index(scope, argument),
                    found => found,
                },
                None => Index::Unknown,
            });
        }
        let access = place.with(indices);
        DesignatedMemory::scalar(access, place.ty)
    }

    /// Subscripts of an associate name that is a section: they count from 1.
    fn part_of_section(
        &mut self,
        scope: ScopeId,
        place: DesignatedMemory<'a>,
        arguments: &[Argument],
    ) -> DesignatedMemory<'a> {
        let mut own = Vec::new();
        let declared = Declared { lower: Some(Affine::constant(1)), extent: None };
        for argument in arguments {
            own.push(self.index(scope, argument, &declared));
        }
        let mut access = place.access;
        if let Some(Step::Elements(dimensions)) = access.path.last_mut() {
            let ranged =
                dimensions.iter_mut().rev().filter(|dimension| !matches!(dimension.index, Index::At(_)));
            for (dimension, own) in ranged.zip(own) {
                let first = match &dimension.index {
                    Index::All => dimension.lower.clone().map(|lower| (lower, 1)),
                    Index::Range { first, step, .. } => Some((first.clone(), *step)),
                    Index::At(_) | Index::Unknown => None,
                };
                dimension.index = match (own, first) {
                    (Index::All, _) => dimension.index.clone(),
                    (Index::At(at), Some((first, step))) => {
                        let steps = at.sub(&Affine::constant(1)).and_then(|at| at.scale(step));
                        steps.and_then(|steps| first.add(&steps)).map_or(Index::Unknown, Index::At)
                    }
                    _ => Index::Unknown,
                };
            }
        }
        DesignatedMemory::scalar(access, place.ty)
    }

    fn index(&mut self, scope: ScopeId, argument: &Argument, declared: &Declared) -> Index {
        match &argument.kind {
            ArgumentKind::Value(value) => {
                let typed = self.bound.type_of(scope, value);
                self.reads(scope, value);
                match typed.rank {
                    Some(0) if matches!(value.kind, ExprKind::Name(_)) => {
                        Index::At(self.affine_value(scope, value))
                    }
                    Some(0) => self.affine(scope, value).map_or(Index::Unknown, Index::At),
                    _ => Index::Unknown,
                }
            }
            ArgumentKind::Range { lower, upper, stride } => {
                for expr in [lower, upper, stride].into_iter().flatten() {
                    self.reads(scope, expr);
                }
                if lower.is_none() && upper.is_none() && stride.is_none() {
                    return Index::All;
                }
                let step = stride.as_ref().map_or(Some(1), |stride| self.bound.integer(scope, stride));
                let Some(step) = step.and_then(|step| i64::try_from(step).ok()).filter(|&step| step != 0)
                else {
                    return Index::Unknown;
                };
                let (low, high) = (declared.lower.clone(), declared.upper());
                let (begin, end) = if step > 0 { (low, high) } else { (high, low) };
                let first = lower.as_ref().map_or(begin, |expr| self.affine(scope, expr));
                let last = upper.as_ref().map_or(end, |expr| self.affine(scope, expr));
                match (first, last) {
                    (Some(first), Some(last)) => Index::Range { first, last, step },
                    _ => Index::Unknown,
                }
            }
            ArgumentKind::AlternateReturn(_) | ArgumentKind::Star => Index::Unknown,
        }
    }

    /// A subscript that is not affine, in a temporary. Its reads have been emitted.
    fn computed_index(&mut self, scope: ScopeId, argument: &Argument) -> Index {
        match &argument.kind {
            ArgumentKind::Value(value)
                if self.bound.type_of(scope, value).rank == Some(0) && !self.calls(scope, value) =>
            {
                Index::At(self.affine_value(scope, value))
            }
            _ => Index::Unknown,
        }
    }

    fn substring(
        &mut self,
        scope: ScopeId,
        place: DesignatedMemory<'a>,
        arguments: &[Argument],
    ) -> DesignatedMemory<'a> {
        let Type::Character { kind, length } = place.ty else {
            arguments.iter().flat_map(Argument::expressions).for_each(|expr| self.reads(scope, expr));
            let mut access = place.access;
            (access.size, access.content) = (None, Content::Unknown);
            access.path.push(unknown_elements());
            return DesignatedMemory::scalar(access, Type::Unknown);
        };
        let extent = match length {
            Length::Known(length) => i64::try_from(length).ok().map(Affine::constant),
            _ => None,
        };
        let declared = Declared { lower: Some(Affine::constant(1)), extent };
        let index =
            arguments.first().map_or(Index::Unknown, |argument| self.index(scope, argument, &declared));
        let mut access = place.access;
        let stride = Some(u64::from(kind));
        access.path.push(Step::Elements(vec![Dimension {
            index,
            lower: declared.lower,
            extent: declared.extent,
            stride,
        }]));
        access.size = stride;
        DesignatedMemory::scalar(access, Type::Character { kind, length: Length::Varying })
    }

    /// The same place, with subscripts that no longer change.
    pub fn frozen(&mut self, mut place: DesignatedMemory<'a>) -> DesignatedMemory<'a> {
        let mut path = std::mem::take(&mut place.access.path);
        for step in &mut path {
            let Step::Elements(dimensions) = step else { continue };
            for dimension in dimensions {
                match &mut dimension.index {
                    Index::At(affine) => self.freeze(affine),
                    Index::Range { first, last, .. } => {
                        self.freeze(first);
                        self.freeze(last);
                    }
                    Index::All | Index::Unknown => {}
                }
            }
        }
        if let Some(holder) = &mut place.holder {
            holder.path = path[..holder.path.len()].to_vec();
        }
        place.access.path = path;
        place
    }

    fn freeze(&mut self, affine: &mut Affine) {
        if affine.as_constant().is_none() {
            *affine = self.integer_temporary(Value::Affine(affine.clone()));
        }
    }

    /// The components of a type with their positions.
    pub fn fields(&mut self, id: TypeId) -> Vec<Field<'a>> {
        self.storage.layouts.of(self.bound, id).fields
    }
}

/// The number of dimensions of the last section.
fn sectioned(access: &Access) -> usize {
    match access.path.last() {
        Some(Step::Elements(dimensions)) => {
            dimensions.iter().filter(|dimension| !matches!(dimension.index, Index::At(_))).count()
        }
        _ => 0,
    }
}

fn is_full(argument: &Argument) -> bool {
    matches!(&argument.kind, ArgumentKind::Range { lower: None, upper: None, stride: None })
}
