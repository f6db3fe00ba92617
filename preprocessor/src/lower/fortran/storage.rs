//! Objects and variables: the memory to which a name refers.
//!
//! Input: symbols of the binder. Output: variables of the program.
//! Postcondition: a symbol has one variable in all procedures. Members of a COMMON block are at their offsets
//! in the object `/block/`. EQUIVALENCEd variables are one object. If the sizes of earlier members are not
//! known, a member begins where the first of these begins, and has no size. So it overlaps all of them.

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::{
    Content, InitialInteger, Lifetime, Object, ObjectId, ProcedureId, Variable, VariableId,
};
use cppc_grammar::fortran::tree::{ArgumentKind, Expr, ExprKind, StatementKind};
use rustc_hash::FxHashMap;

use super::layout::{array_bytes, content, Layouts};
use crate::bind::fortran::visit::root;
use crate::bind::fortran::{self as bind, Bound, ScopeId, ScopeKind, Symbol, SymbolId, SymbolKind, Type};

/// The memory of the program, while procedures are lowered.
#[derive(Debug)]
pub(super) struct Storage<'a> {
    pub layouts: Layouts<'a>,
    variables: FxHashMap<SymbolId, VariableId>,
    pub symbols: FxHashMap<VariableId, SymbolId>,
    /// Positions in COMMON blocks and EQUIVALENCE groups, by the scope that declares them.
    placed: FxHashMap<SymbolId, Position>,
    seen: rustc_hash::FxHashSet<ScopeId>,
    taken: FxHashMap<String, u32>,
    /// The procedures of the program, by those of the binder.
    pub procedures: FxHashMap<bind::ProcedureId, ProcedureId>,
}

#[derive(Debug, Clone, Copy)]
struct Position {
    object: ObjectId,
    offset: u64,
    exact: bool,
}

impl<'a> Storage<'a> {
    pub fn new(pointer_bytes: u64) -> Storage<'a> {
        Storage {
            layouts: Layouts::new(pointer_bytes),
            variables: FxHashMap::default(),
            symbols: FxHashMap::default(),
            placed: FxHashMap::default(),
            seen: rustc_hash::FxHashSet::default(),
            taken: FxHashMap::default(),
            procedures: FxHashMap::default(),
        }
    }

    /// The variable of a symbol. `current` is the procedure that is lowered: it owns what an interface declares.
    pub fn variable(
        &mut self,
        program: &mut ProgramBuilder,
        bound: &Bound<'a>,
        id: SymbolId,
        current: ProcedureId,
    ) -> VariableId {
        if let Some(&known) = self.variables.get(&id) {
            return known;
        }
        let variable = self.make(program, bound, id, current, true);
        self.variables.insert(id, variable);
        self.symbols.insert(variable, id);
        variable
    }

    /// A variable for a symbol, local to `current` even if another copy of the procedure has one.
    pub fn fresh(
        &mut self,
        program: &mut ProgramBuilder,
        bound: &Bound<'a>,
        id: SymbolId,
        current: ProcedureId,
    ) -> VariableId {
        let variable = self.make(program, bound, id, current, false);
        self.symbols.insert(variable, id);
        variable
    }

    fn make(
        &mut self,
        program: &mut ProgramBuilder,
        bound: &Bound<'a>,
        id: SymbolId,
        current: ProcedureId,
        shared: bool,
    ) -> VariableId {
        let symbol = bound.symbol(id);
        self.place_blocks(program, bound, symbol.scope);
        let (content, mut size) = self.shape_of(bound, symbol);
        let position = self.placed.get(&id).copied().unwrap_or_else(|| {
            let object = self.own_object(program, bound, id, size, current, shared);
            Position { object, offset: 0, exact: true }
        });
        if !position.exact {
            size = None;
        }
        let declared = bound.declared(symbol.origin);
        let Position { object, offset, .. } = position;
        let variable = program.variable(Variable {
            name: symbol.name.clone(),
            object,
            offset,
            size,
            declared,
            content,
            is_array: false,
        });
        let limit = bound.scope(symbol.scope).largest_on_stack;
        let is_large = size.zip(limit).is_some_and(|(size, limit)| size > limit);
        if is_large && !symbol.is.dummy && !symbol.is.result {
            program.may_be_kept(variable);
        }
        variable
    }

    fn own_object(
        &mut self,
        program: &mut ProgramBuilder,
        bound: &Bound<'a>,
        id: SymbolId,
        size: Option<u64>,
        current: ProcedureId,
        shared: bool,
    ) -> ObjectId {
        let symbol = bound.symbol(id);
        let owner = bound.procedure_of(symbol.scope);
        let home = owner
            .filter(|_| shared)
            .and_then(|owner| self.procedures.get(&owner))
            .copied()
            .unwrap_or(current);
        let is_module = owner.is_none();
        let lasting = bound.is_static(id);
        let lifetime = if lasting || is_module { Lifetime::Static } else { Lifetime::Local(home) };
        let name = self.object_name(bound, symbol);
        let starts = bound.symbol(id).is.initialised
            || (lasting && symbol.is.allocatable)
            || self.has_defaults(bound, symbol);
        let object = program.object(Object {
            name,
            lifetime,
            size,
            initialized: matches!(lifetime, Lifetime::Static) && starts,
            constant: matches!(symbol.kind, SymbolKind::Constant(_)),
            external: is_module,
        });
        if let (Type::Integer(_), Some(size), Some(value)) = (symbol.ty, size, bound.integer_constant(id)) {
            program.start_with(InitialInteger { object, offset: 0, size, value });
        }
        object
    }

    /// Whether a static variable has a type with allocatable components. These are not allocated at the
    /// start.
    fn has_defaults(&mut self, bound: &Bound<'a>, symbol: &Symbol<'a>) -> bool {
        matches!(symbol.ty, Type::Derived(ty) if self.layouts.holds_allocatables(bound, ty))
    }

    fn object_name(&mut self, bound: &Bound<'a>, symbol: &Symbol<'a>) -> String {
        let base = match bound.procedure_of(symbol.scope) {
            Some(owner) => format!("{}.{}", bound.procedure(owner).key, symbol.name),
            None => format!("{}%{}", bound.scope(bound.outer_scope(symbol.scope)).name, symbol.name),
        };
        let count = self.taken.entry(base.clone()).or_default();
        *count += 1;
        if *count > 1 {
            format!("{base}.{count}")
        } else {
            base
        }
    }

    /// The content and the size of a variable as it is declared.
    fn shape_of(&mut self, bound: &Bound<'a>, symbol: &Symbol<'a>) -> (Content, Option<u64>) {
        let pointer = self.layouts.pointer_bytes;
        if !matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant(_) | SymbolKind::Unknown) {
            return (Content::Pointer, Some(pointer));
        }
        if is_reference(symbol) {
            let no_alias = !symbol.is.target && !symbol.is.pointer;
            return (Content::Reference { no_alias }, Some(pointer));
        }
        if symbol.is.allocatable || symbol.is.pointer {
            let (content, size) = self.holder(symbol.ty, symbol.shape.len());
            return (content, Some(size));
        }
        let element = self.layouts.of_type(bound, symbol.ty).0;
        (content(bound, symbol.ty), array_bytes(element, &bound.extents(symbol.scope, symbol.shape)))
    }

    /// The content and the size of an allocatable or a pointer.
    pub fn holder(&self, ty: Type, rank: usize) -> (Content, u64) {
        let content = if rank > 0 { Content::Descriptor } else { Content::Pointer };
        (content, self.layouts.descriptor(ty, rank))
    }

    /// Places the COMMON blocks and EQUIVALENCE groups that a scope declares.
    fn place_blocks(&mut self, program: &mut ProgramBuilder, bound: &Bound<'a>, scope: ScopeId) {
        let scope = bound.outer_scope(scope);
        if !self.seen.insert(scope) {
            return;
        }
        let mut starts: FxHashMap<SymbolId, (u32, i64)> = FxHashMap::default();
        let mut groups: Vec<Option<String>> = Vec::new();
        let mut inexact: rustc_hash::FxHashSet<SymbolId> = rustc_hash::FxHashSet::default();
        for (name, members) in &bound.scope(scope).blocks {
            let group = groups.len() as u32;
            groups.push(Some(name.clone()));
            let (mut at, mut exact) = (0_u64, true);
            for &member in members {
                let symbol = bound.symbol(member);
                let (_, size) = self.shape_of(bound, symbol);
                let align = if symbol.is.pointer {
                    self.layouts.pointer_bytes
                } else {
                    self.layouts.of_type(bound, symbol.ty).1
                };
                at = if exact { at.next_multiple_of(align) } else { at };
                starts.insert(member, (group, at as i64));
                exact &= size.is_some();
                if !exact {
                    inexact.insert(member);
                }
                at = at.saturating_add(size.filter(|_| exact).unwrap_or(0));
            }
        }
        self.equivalences(bound, scope, &mut starts, &mut groups, &mut inexact);
        let mut members: Vec<(SymbolId, (u32, i64))> = starts.into_iter().collect();
        members.sort_unstable();
        let mut lowest: FxHashMap<u32, i64> = FxHashMap::default();
        for &(_, (group, start)) in &members {
            let known = lowest.entry(group).or_insert(0);
            *known = (*known).min(start);
        }
        let mut objects: FxHashMap<u32, ObjectId> = FxHashMap::default();
        for &(member, (group, start)) in &members {
            let symbol = bound.symbol(member);
            let offset = (start - lowest[&group]).max(0) as u64;
            let exact = !inexact.contains(&member);
            let size = self.shape_of(bound, symbol).1.filter(|_| exact);
            let lasting = groups[group as usize].is_some() || bound.is_static(member);
            let owner = bound.procedure_of(scope).and_then(|owner| self.procedures.get(&owner)).copied();
            let name = match &groups[group as usize] {
                Some(block) => format!("/{block}/"),
                None => {
                    let base = bound.procedure_of(scope).map_or_else(
                        || bound.scope(scope).name.clone(),
                        |id| bound.procedure(id).key.clone(),
                    );
                    format!("{base}.equivalence.{group}")
                }
            };
            let object = program.object(Object {
                name,
                lifetime: match owner {
                    Some(owner) if !lasting => Lifetime::Local(owner),
                    _ => Lifetime::Static,
                },
                size: size.map(|size| offset + size),
                initialized: symbol.is.initialised,
                constant: false,
                external: groups[group as usize].is_some(),
            });
            objects.insert(group, object);
            self.placed.insert(member, Position { object, offset, exact });
        }
    }

    fn equivalences(
        &mut self,
        bound: &Bound<'a>,
        scope: ScopeId,
        starts: &mut FxHashMap<SymbolId, (u32, i64)>,
        groups: &mut Vec<Option<String>>,
        inexact: &mut rustc_hash::FxHashSet<SymbolId>,
    ) {
        let statements = bound.scope(scope).unit.map(bind::statements_of).unwrap_or_default();
        for statement in statements {
            let StatementKind::Equivalence(sets) = &statement.kind else { continue };
            for set in sets {
                let members: Vec<(SymbolId, Option<i64>)> = set
                    .iter()
                    .filter_map(|expr| {
                        Some((
                            bound.lookup(scope, &root(expr)?.text)?,
                            self.constant_offset(bound, scope, expr),
                        ))
                    })
                    .collect();
                let Some(&(first, offset)) = members.first() else { continue };
                if members.iter().any(|(_, offset)| offset.is_none()) {
                    inexact.extend(members.iter().map(|(member, _)| *member));
                }
                let (group, start) = *starts.entry(first).or_insert_with(|| {
                    groups.push(None);
                    (groups.len() as u32 - 1, 0)
                });
                let common = start + offset.unwrap_or(0);
                for &(member, offset) in &members[1..] {
                    let begins = common - offset.unwrap_or(0);
                    match starts.get(&member).copied() {
                        None => drop(starts.insert(member, (group, begins))),
                        Some((other, at)) if other != group => {
                            merge(starts, groups, (group, begins), (other, at));
                        }
                        Some(_) => {}
                    }
                    if let Some(&(now, _)) = starts.get(&member) {
                        if now != group {
                            // The group of the first member was merged into one of a COMMON block.
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Where a designator with constant subscripts begins in its variable.
    fn constant_offset(&mut self, bound: &Bound<'a>, scope: ScopeId, expr: &Expr) -> Option<i64> {
        let ExprKind::Reference { base, arguments } = &expr.kind else { return Some(0) };
        let before = self.constant_offset(bound, scope, base)?;
        let symbol = bound.symbol(bound.lookup(scope, &root(base)?.text)?);
        let is_name = matches!(base.kind, ExprKind::Name(_));
        if !is_name || symbol.shape.is_empty() {
            // A substring.
            let ArgumentKind::Range { lower, .. } = &arguments.first()?.kind else { return None };
            let lower = lower.as_ref().map_or(Some(1), |lower| bound.integer(scope, lower))?;
            return before.checked_add(i64::try_from(lower.checked_sub(1)?).ok()?);
        }
        let mut stride = i64::try_from(self.layouts.of_type(bound, symbol.ty).0?).ok()?;
        let extents = bound.extents(symbol.scope, symbol.shape);
        let mut offset = before;
        for (index, argument) in arguments.iter().enumerate() {
            let ArgumentKind::Value(value) = &argument.kind else { return None };
            let lower = match symbol.shape.get(index)? {
                cppc_grammar::fortran::tree::Bound::Explicit { lower: Some(lower), .. } => {
                    bound.integer(scope, lower)?
                }
                _ => 1,
            };
            let steps = i64::try_from(bound.integer(scope, value)?.checked_sub(lower)?).ok()?;
            offset = offset.checked_add(steps.checked_mul(stride)?)?;
            stride = stride.checked_mul(i64::try_from((*extents.get(index)?).unwrap_or(0)).ok()?)?;
        }
        Some(offset)
    }
}

/// Joins two groups: `one` and `other` are the same byte. A COMMON block keeps its offsets.
fn merge(
    starts: &mut FxHashMap<SymbolId, (u32, i64)>,
    groups: &[Option<String>],
    one: (u32, i64),
    other: (u32, i64),
) {
    let (kept, gone) = if groups[one.0 as usize].is_some() { (one, other) } else { (other, one) };
    let shift = kept.1 - gone.1;
    for start in starts.values_mut().filter(|start| start.0 == gone.0) {
        *start = (kept.0, start.1 + shift);
    }
}

/// Whether the variable of a symbol is the address of the argument.
pub(super) fn is_reference(symbol: &Symbol) -> bool {
    symbol.is.dummy && !symbol.is.value && matches!(symbol.kind, SymbolKind::Variable)
}

/// Whether other procedures may change the symbol although it is not passed to them.
pub(super) fn is_shared(bound: &Bound, id: SymbolId) -> bool {
    let symbol = bound.symbol(id);
    let module =
        matches!(bound.scope(bound.outer_scope(symbol.scope)).kind, ScopeKind::Module | ScopeKind::BlockData);
    module
        || symbol.common.is_some()
        || symbol.is.equivalenced
        || symbol.is.target
        || bound.captured.contains(&id)
}
