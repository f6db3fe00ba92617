//! Builds the model of a C unit.
//!
//! Input: the tree and the facts of the binder.
//! Output: the procedures of the unit.
//! Postcondition: every directive that the binder placed is among the statements of its procedure, in text
//! order.

mod expressions;
mod types;
mod items;
mod origins;
mod constants;
mod mentions;
mod statements;
mod size_variables;
mod graphs;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::OnceLock;

use cppc_grammar::c::token::Preprocessed;
use cppc_grammar::c::tree::{External, Function, Range, Unit};
use cppc_source::{FileId, Span};

use super::token_spans::TokenSpans;
use super::{
    Body, CommandLine, Language, Procedure, Region, SharedDescription, StatementId, UnitId, Variable,
    VariableId,
};
use crate::bind::c::shared_types::{SharedType, SharedTypes};
use crate::bind::c::{Bound, ProcedureId, Selections, StorageKind, SymbolId, SymbolKind};

/// The procedures of one unit, and the structures that it describes for others.
pub fn model(
    unit: &Unit,
    id: UnitId,
    bound: &Bound,
    preprocessed: &Preprocessed,
    main: FileId,
    shared: &SharedTypes,
) -> (Vec<Procedure>, Vec<SharedDescription>) {
    let places = TokenSpans { preprocessed, main };
    let mut contents: Vec<Contents> = bound.procedures.iter().map(|_| Contents::default()).collect();
    for (index, directive) in bound.directives.iter().enumerate() {
        contents[directive.procedure.0 as usize].directives.push_back(index);
    }
    for (index, symbol) in bound.symbols.iter().enumerate() {
        if let Some(procedure) = symbol.procedure {
            contents[procedure.0 as usize].symbols.push(SymbolId(index as u32));
        }
    }
    let starts = bound
        .procedures
        .iter()
        .enumerate()
        .map(|(index, found)| (found.range.start, ProcedureId(index as u32)));
    let by_start = starts.collect();
    let builder = Builder {
        bound,
        preprocessed,
        spans: places,
        types: types::Types::new(bound, preprocessed, shared),
        contents,
        by_start,
    };
    let functions = unit.items.iter().filter_map(|item| match item {
        External::Function(function) => Some(&**function),
        _ => None,
    });
    let procedures = functions.filter_map(|function| builder.procedure(function, id)).collect();
    (procedures, builder.shared_descriptions(id))
}

/// The data that building the model of a unit needs.
pub(super) struct Builder<'a> {
    bound: &'a Bound,
    preprocessed: &'a Preprocessed,
    spans: TokenSpans<'a>,
    types: types::Types<'a>,
    /// The contents of each procedure.
    contents: Vec<Contents>,
    /// The procedures by the first token of their definition.
    by_start: HashMap<u32, ProcedureId>,
}

/// The entries of a procedure in the tables of its unit, in order.
#[derive(Default)]
struct Contents {
    directives: VecDeque<usize>,
    symbols: Vec<SymbolId>,
}

/// The procedure being built.
pub(super) struct ProcedureContext<'a> {
    id: ProcedureId,
    procedure: &'a crate::bind::c::Procedure,
    variables: Vec<Variable>,
    /// The symbols of `variables`, in the same order.
    symbols: Vec<SymbolId>,
    /// The directives that have not been placed yet, as indices into `Bound::directives`, in text order.
    waiting: std::cell::RefCell<VecDeque<usize>>,
    statement_count: std::cell::Cell<u32>,
    usages: mentions::Usages,
    /// The conditions of `if` statements, with the names in them.
    conditions: std::cell::RefCell<Vec<(Span, BTreeSet<u32>)>>,
}

impl ProcedureContext<'_> {
    /// A number that no other statement of the procedure has.
    fn next_statement(&self) -> StatementId {
        let id = self.statement_count.get();
        self.statement_count.set(id + 1);
        StatementId(id)
    }
}

impl<'a> Builder<'a> {
    fn shared_descriptions(&self, unit: UnitId) -> Vec<SharedDescription> {
        let described = |one: &SharedType| {
            let (_, graph) = one.defined.as_ref().filter(|(definer, _)| *definer == unit.0)?;
            let (code, graph) = self.types.graph(graph, &Selections::default())?;
            Some(SharedDescription { unit, word: one.word.clone(), code, graph })
        };
        self.types.shared.all().filter_map(described).collect()
    }

    fn procedure(&self, function: &Function, unit: UnitId) -> Option<Procedure> {
        let id = *self.by_start.get(&function.range.start)?;
        let bound = self.bound.procedure(id);
        let (symbols, variables) = self.variables(id).into_iter().unzip();
        let waiting = std::cell::RefCell::new(self.contents[id.0 as usize].directives.clone());
        let statement_count = std::cell::Cell::new(0);
        let context = ProcedureContext {
            id,
            procedure: bound,
            variables,
            symbols,
            waiting,
            statement_count,
            usages: mentions::Usages::default(),
            conditions: std::cell::RefCell::default(),
        };
        let items = self.block_items(&function.body, &context);
        let symbol = self.bound.symbol(bound.symbol);
        let name = bound.name.clone();
        let result = (!bound.result.is_void()).then(|| self.types.value(&bound.result, Some(id)));
        let jumps = !bound.facts.gotos.is_empty() || !bound.facts.computed_jumps.is_empty();
        let position = |id: &SymbolId| context.symbols.iter().position(|own| own == id).map(VariableId);
        Some(Procedure {
            parameters: bound.parameters.iter().filter_map(position).collect(),
            language: Language::C,
            layout: None,
            main: name == "main",
            command_line: self.command_line(bound),
            unit,
            local: bound.is_static,
            escapes: self.bound.address_taken_functions.contains(&bound.symbol),
            result,
            shape: self.types.shape(&symbol.ty),
            place: self.spans.of(function.range),
            name_span: self.name_span(function),
            body: Body { place: self.place_of_body(function.body.range), items },
            mentions: self.mentions(function.body.range, &context),
            conditions: context.conditions.take(),
            size_variables: self.size_variables(function),
            next_statement: context.next_statement(),
            variables: context.variables,
            by_name: OnceLock::new(),
            regions: self.regions(bound.range),
            jumps,
            entry_name: name.clone(),
            name,
        })
    }

    /// From the last byte of the opening brace to the first byte of the closing one: they may be digraphs or trigraphs.
    fn place_of_body(&self, body: Range) -> Option<Span> {
        let place = self.spans.of(body)?;
        let opening = self.spans.end(body.start)?;
        let closing = self.spans.start(body.end.checked_sub(1)?)?;
        Some(Span::new(place.file, opening - 1, closing + 1))
    }

    fn regions(&self, procedure: Range) -> Vec<Region> {
        let context = self
            .bound
            .regions
            .iter()
            .filter(|region| procedure.start <= region.range.start && region.range.end <= procedure.end);
        let regions = context.map(|region| Region {
            statement: self.spans.anchor(region.range),
            pragma: region.pragma,
            name: region.name.clone(),
        });
        regions.collect()
    }

    /// `int argc, char **argv`, or pointers to them.
    fn command_line(&self, procedure: &crate::bind::c::Procedure) -> Option<CommandLine> {
        let mut found: (Option<String>, Option<String>) = (None, None);
        for &id in &procedure.parameters {
            let symbol = self.bound.symbol(id);
            let name = self.preprocessed.names.text(symbol.name);
            let spelled = self.bound.spell(&symbol.ty.unqualified(), "", None, self.preprocessed)?;
            let spelled: String = spelled.split_whitespace().collect();
            match spelled.as_str() {
                "int" => found.0 = found.0.or(Some(format!("&{name}"))),
                "int*" => found.0 = found.0.or(Some(name.to_owned())),
                "char**" => found.1 = found.1.or(Some(format!("&{name}"))),
                "char***" => found.1 = found.1.or(Some(name.to_owned())),
                _ => {}
            }
        }
        let (count, values) = found;
        Some(CommandLine { count: count?, values: values? })
    }

    fn name_span(&self, function: &Function) -> Span {
        let token = function.declarator.name.map_or(function.range.start, |name| name.token);
        self.spans.anchor(Range { start: token, end: token + 1 })
    }

    /// Every name declared in the procedure, including names that only hide variables.
    fn variables(&self, id: ProcedureId) -> Vec<(SymbolId, Variable)> {
        let mut set: HashMap<SymbolId, Vec<u32>> = HashMap::new();
        for &(symbol, token) in &self.bound.procedure(id).facts.set {
            set.entry(symbol).or_default().push(token);
        }
        self.contents[id.0 as usize]
            .symbols
            .iter()
            .filter_map(|&id| {
                let symbol = self.bound.symbol(id);
                let scope = self.bound.scope(symbol.scope).range;
                let start = self.spans.start(symbol.visible).or_else(|| self.spans.end(symbol.declared))?;
                let end = self.spans.end(scope.end.saturating_sub(1))?;
                let variable = Variable {
                    name: self.preprocessed.names.text(symbol.name).to_owned(),
                    scope: Span::new(self.spans.main, start.min(end), end),
                    parameter: symbol.kind == SymbolKind::Parameter,
                    is_static: false,
                    saved_type: self.saved_type(id),
                    register_word: self.register_word(symbol),
                    set_at: self.set_at(&set, id),
                    named_at: if symbol.kind == SymbolKind::Parameter { self.named_at(id) } else { None },
                };
                Some((id, variable))
            })
            .collect()
    }

    /// The bytes at which a variable is set. For text of an included file, the last byte of the main file.
    fn set_at(&self, set: &HashMap<SymbolId, Vec<u32>>, id: SymbolId) -> Vec<u32> {
        let tokens = set.get(&id).into_iter().flatten();
        tokens.map(|&token| self.spans.start(token).unwrap_or(u32::MAX)).collect()
    }

    /// The type of a variable that can have a saved copy.
    fn saved_type(&self, id: SymbolId) -> Option<super::ValueType> {
        self.simple_type(id).filter(|_| !self.bound.symbol(id).ty.qualifiers.constant)
    }

    /// Like `saved_type`, for a variable that may be constant.
    fn simple_type(&self, id: SymbolId) -> Option<super::ValueType> {
        let symbol = self.bound.symbol(id);
        let procedure = symbol.procedure?;
        let automatic = matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Parameter)
            && matches!(symbol.storage, StorageKind::Automatic | StorageKind::Register);
        let escaped = self.bound.procedure(procedure).facts.address_taken.contains(&id);
        let simple = symbol.ty.is_scalar() && !symbol.thread_local;
        if !automatic || escaped || !simple {
            return None;
        }
        let ty = self.types.value(&symbol.ty.unqualified(), Some(procedure));
        ty.pattern.is_some().then_some(ty)
    }
}
