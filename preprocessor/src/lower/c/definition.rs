//! Procedures of a unit.
//!
//! Input: the functions with bodies.
//! Output: their procedures.
//! Postcondition: static functions that the unit does not use are left out, because headers contain many of
//! them.

use std::collections::VecDeque;
use std::rc::Rc;

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::{Argument, Call, Callee as Called, OperationKind, ProcedureId};
use cppc_grammar::c::tree::{
    BlockItem, Compound, Derivation, External, Function, Parameters, Range, Statement, StatementKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::Body;
use super::call::returns_twice;
use super::unit::UnitContext;
use crate::bind::c::{self as bind, Callee, Procedure, StorageKind, SymbolId, SymbolKind};

/// Defines the procedures, so that calls and nested functions find them.
pub(super) fn define(context: &mut UnitContext, program: &mut ProgramBuilder) {
    let bound = context.bound;
    let mut used: FxHashSet<SymbolId> = bound.address_taken_functions.iter().copied().collect();
    for procedure in &bound.procedures {
        used.extend(procedure.facts.calls.iter().filter_map(|call| match call.callee {
            Callee::Function(id) => Some(id),
            Callee::Pointer | Callee::Builtin(_) => None,
        }));
    }
    let targets: FxHashSet<&String> = context.linker.aliases.values().collect();
    let has_alias = |procedure: &&Procedure| targets.contains(&procedure.name);
    used.extend(bound.procedures.iter().filter(has_alias).map(|procedure| procedure.symbol));
    for (name, target) in context.aliases(SymbolKind::Function) {
        program.alias(name, target);
    }
    for (index, procedure) in bound.procedures.iter().enumerate() {
        if procedure.is_static && !procedure.editable && !used.contains(&procedure.symbol) {
            continue;
        }
        let name = context.link(procedure.symbol);
        let declared = bound.symbol(procedure.symbol).declared;
        let span = context.span(Range { start: declared, end: declared + 1 });
        let id = program.define(&name, &procedure.name, span);
        if context.linker.weak.contains(&procedure.name[..]) {
            program.set_weak(id);
        }
        context.procedures[index] = Some(id);
    }
    for &id in &bound.address_taken_functions {
        let name = context.link(id);
        program.take_address(&name);
    }
}

/// The variables that aliases mean, in the whole program. The definition of a variable takes precedence over an alias.
pub(super) fn variable_aliases(contexts: &[UnitContext]) -> Rc<FxHashMap<String, String>> {
    let mut aliases: FxHashMap<String, String> = FxHashMap::default();
    for (name, target) in contexts.iter().flat_map(|context| context.aliases(SymbolKind::Variable)) {
        aliases.entry(name).or_insert(target);
    }
    for name in contexts.iter().flat_map(UnitContext::defined_variables) {
        aliases.remove(name);
    }
    Rc::new(aliases)
}

/// Lowers the bodies. `initial` are the procedures that set the initial values of statics.
pub(super) fn bodies(context: &mut UnitContext, initial: &[String], program: &mut ProgramBuilder) {
    let by_start: FxHashMap<u32, bind::ProcedureId> = context
        .bound
        .procedures
        .iter()
        .enumerate()
        .map(|(index, procedure)| (procedure.range.start, bind::ProcedureId(index as u32)))
        .collect();
    let mut directives: FxHashMap<bind::ProcedureId, VecDeque<usize>> = FxHashMap::default();
    for (index, directive) in context.bound.directives.iter().enumerate() {
        directives.entry(directive.procedure).or_default().push_back(index);
    }
    let unit = context.unit;
    let mut waiting: VecDeque<&Function> = unit
        .parsed
        .unit
        .items
        .iter()
        .filter_map(|item| match item {
            External::Function(function) => Some(&**function),
            External::Declaration(_) | External::StaticAssert(_) | External::Asm(_) | External::Empty(_) => {
                None
            }
        })
        .collect();
    while let Some(function) = waiting.pop_front() {
        let Some(&own) = by_start.get(&function.range.start) else { continue };
        let Some(id) = context.procedures[own.0 as usize] else { continue };
        let own_directives = directives.remove(&own).unwrap_or_default();
        body(context, function, (own, id), own_directives, initial, program);
        nested(&function.body, &mut |inner| waiting.push_back(inner));
    }
}

fn body(
    context: &mut UnitContext,
    function: &Function,
    (own, id): (bind::ProcedureId, ProcedureId),
    directives: VecDeque<usize>,
    initial: &[String],
    program: &mut ProgramBuilder,
) {
    let bound = context.bound;
    let procedure = bound.procedure(own);
    let is_main = procedure.name == "main" && bound.symbol(procedure.symbol).storage == StorageKind::Global;
    let has_unparsed = context.has_unparsed;
    let mut body = new_body(context, id, Some(own), program);
    body.directives = directives;
    let described = body.builder.procedure();
    described.local = (procedure.is_static || procedure.inside.is_some()) && !has_unparsed;
    described.address_taken = has_unparsed;
    described.main = is_main;
    if !procedure.result.is_void() {
        let place = body.temporary(&procedure.result);
        body.result = Some(place.root);
        body.builder.procedure().result = Some(place.root);
    }
    if let Some(Derivation::Function(parameters)) = function.declarator.derivations.first() {
        body.parameters(parameters);
    }
    body.labels_of(procedure);
    if is_main {
        if let Some(&arguments) = body.builder.procedure().parameters.get(1) {
            body.program().set_arguments(arguments);
        }
        for name in initial {
            let call = Call {
                callee: Called::Named(name.clone()),
                arguments: Vec::<Argument>::new(),
                result: None,
                never_returns: false,
            };
            body.emit(OperationKind::Call(Box::new(call)), function.body.range);
        }
    }
    body.compound(&function.body);
    body.directives_before(function.body.range.end);
    body.builder.finish();
}

/// An empty body.
pub(super) fn new_body<'b, 'a, 'p>(
    unit: &'b mut UnitContext<'a>,
    id: ProcedureId,
    procedure: Option<bind::ProcedureId>,
    program: &'p mut ProgramBuilder,
) -> Body<'b, 'a, 'p> {
    let mut sets: FxHashMap<SymbolId, Vec<u32>> = FxHashMap::default();
    if let Some(own) = procedure {
        let procedure = unit.bound.procedure(own);
        for &(symbol, token) in &procedure.facts.set {
            sets.entry(symbol).or_default().push(token);
        }
        let own_range = procedure.range;
        let assigned = &unit.bound.assigned;
        let from = assigned.partition_point(|found| found.1 < own_range.start);
        for &(symbol, token) in assigned[from..].iter().take_while(|found| found.1 < own_range.end) {
            sets.entry(symbol).or_default().push(token);
        }
        for tokens in sets.values_mut() {
            tokens.sort_unstable();
            tokens.dedup();
        }
    }
    let facts = procedure.map(|own| &unit.bound.procedure(own).facts);
    let mut calls: Vec<u32> =
        facts.iter().flat_map(|facts| &facts.calls).map(|call| call.range.start).collect();
    calls.sort_unstable();
    Body {
        builder: program.body(id),
        unit,
        procedure,
        result: None,
        targets: Vec::new(),
        cleanups: Vec::new(),
        switches: Vec::new(),
        labels: FxHashMap::default(),
        local_names: FxHashSet::default(),
        computed: Vec::new(),
        returns: Vec::new(),
        setjmps: FxHashMap::default(),
        sets,
        calls,
        directives: VecDeque::new(),
        evaluated: Vec::new(),
        address_numbers: FxHashMap::default(),
        item: None,
    }
}

impl Body<'_, '_, '_> {
    /// One variable for each parameter, also for those without names.
    fn parameters(&mut self, parameters: &Parameters) {
        let own = self.procedure.map_or(&[][..], |own| &self.bound().procedure(own).parameters);
        let names: FxHashMap<_, SymbolId> =
            own.iter().map(|&id| (self.bound().symbol(id).name, id)).collect();
        let mut variables = Vec::new();
        let mut named = Vec::new();
        for parameter in &parameters.list {
            match parameter.declarator.name {
                Some(name) => named.push((name.name, Some(&parameter.declarator))),
                None if parameters.list.len() == 1 && parameter.declarator.derivations.is_empty() => {}
                None => {
                    variables.push(self.builder.temporary(None, cppc_analysis::program::Content::Unknown));
                    continue;
                }
            }
            if let Some((name, _)) = named.last() {
                variables.extend(names.get(name).map(|&id| self.variable(id)));
            }
        }
        for ident in &parameters.identifiers {
            variables.extend(names.get(&ident.name).map(|&id| self.variable(id)));
        }
        for (name, declarator) in named {
            let found = names.get(&name).copied().zip(declarator);
            if let Some((id, declarator)) =
                found.filter(|(id, _)| self.bound().symbol(*id).ty.is_variably_modified())
            {
                self.parameter_bounds(id, declarator);
            }
        }
        self.builder.procedure().parameters = variables;
    }

    /// Creates the blocks of all labels, and of the places to which control may return.
    fn labels_of(&mut self, procedure: &Procedure) {
        for label in &procedure.facts.labels {
            self.label(label.name);
        }
        for call in &procedure.facts.calls {
            let name = match call.callee {
                Callee::Function(id) => self.unit.text(self.bound().symbol(id).name),
                Callee::Builtin(name) => self.unit.text(name),
                Callee::Pointer => continue,
            };
            if returns_twice(name) {
                let block = self.builder.new_block();
                self.setjmps.insert(call.expr, block);
                self.returns.push(block);
            }
        }
        if !procedure.facts.computed_jumps.is_empty() {
            self.computed = self.address_labels(procedure);
        }
        self.labels_for_nested();
    }

    /// The labels whose address is taken: `&&label`. An operand of the operator `&&` with the same name is
    /// included too, which is harmless.
    fn address_labels(&mut self, procedure: &Procedure) -> Vec<cppc_analysis::program::BlockId> {
        let range = procedure.range.start as usize..procedure.range.end as usize;
        let tokens = self.unit.unit.preprocessed.tokens.get(range).unwrap_or_default();
        let mut found = Vec::new();
        for pair in tokens.windows(2) {
            if self.unit.text(pair[0].text) == "&&" {
                found.extend(self.labels.get(&pair[1].text).and_then(|blocks| blocks.last()).copied());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The labels to which nested functions jump.
    fn labels_for_nested(&mut self) {
        let Some(outer) = self.procedure else { return };
        let mut found = Vec::new();
        // In the list, nested functions directly follow the enclosing procedure.
        let later = self.bound().procedures.iter().skip(outer.0 as usize + 1);
        for nested in later.take_while(|nested| nested.inside.is_some()) {
            if nested.inside != Some(outer) {
                continue;
            }
            let own: FxHashSet<_> = nested.facts.labels.iter().map(|label| label.name).collect();
            let outer = nested.facts.gotos.iter().filter(|goto| !own.contains(&goto.name));
            found
                .extend(outer.filter_map(|goto| {
                    self.labels.get(&goto.name).and_then(|blocks| blocks.last()).copied()
                }));
        }
        self.returns.extend(found);
    }
}

/// The functions that are defined inside a compound statement.
fn nested<'t>(compound: &'t Compound, found: &mut impl FnMut(&'t Function)) {
    for item in &compound.items {
        match item {
            BlockItem::Function(function) => found(function),
            BlockItem::Statement(statement) => nested_in(statement, found),
            BlockItem::Declaration(_) | BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => {}
        }
    }
}

fn nested_in<'t>(statement: &'t Statement, found: &mut impl FnMut(&'t Function)) {
    if let StatementKind::Compound(compound) = &statement.kind {
        nested(compound, found);
    }
    for body in statement.bodies() {
        nested_in(body, found);
    }
}
