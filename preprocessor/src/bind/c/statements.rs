//! Statements and procedures: scopes, labels, jumps.
//!
//! Input: the external declarations of a unit.
//! Output: procedures with their facts.
//! Postcondition: every expression of the unit has been bound and typed once.

use std::collections::HashSet;

use cppc_grammar::c::token::TokenKind;
use cppc_grammar::c::tree::{
    BlockItem, Compound, Declaration, Derivation, External, ForInit, Function, Parameters, Range, Statement,
    StatementKind, Unit,
};

use super::binder::{Binder, Declared};
use super::bound::Procedure;
use super::declarations::{adjusted, noreturn};
use super::facts::{Facts, GotoFact, LabelFact};
use super::ids::{ProcedureId, SymbolId};
use super::symbols::{ScopeKind, StorageKind, SymbolKind};
use super::types::{Kind, Type};

impl Binder<'_> {
    pub(super) fn unit(&mut self, unit: &Unit) {
        for item in &unit.items {
            match item {
                External::Function(function) => self.definition(function),
                External::Declaration(declaration) => self.declaration(declaration),
                External::StaticAssert(_) | External::Asm(_) | External::Empty(_) => {}
            }
        }
    }

    /// A function with its body.
    fn definition(&mut self, function: &Function) {
        let Some(name) = function.declarator.name else { return };
        let base = self.specified(&function.specifiers, false);
        let Some((Derivation::Function(parameters), outer)) = function.declarator.derivations.split_first()
        else {
            return;
        };
        let result = outer.iter().rev().fold(base, |ty, derivation| self.derive(ty, derivation));
        let fixed = function.specifiers.storage == cppc_grammar::c::tree::Storage::Static;
        let storage = match (fixed, self.procedure) {
            (true, _) => StorageKind::StaticFile,
            (false, Some(_)) => StorageKind::Automatic,
            (false, None) => StorageKind::Global,
        };
        let unknown = Type::UNKNOWN;
        let symbol = self.declare(Declared {
            noreturn: noreturn(&function.specifiers, &function.declarator),
            ..Declared::new(name.name, name.token, SymbolKind::Function, storage, unknown)
        });
        let outside = self.procedure;
        let id = self.open_procedure(function, symbol, &result);
        let ty = self.own_parameters(function, parameters, result);
        self.symbols[symbol.0 as usize].ty = ty;
        self.symbols[symbol.0 as usize].defined = true;
        self.collect_parameters(id, parameters);
        self.compound(&function.body);
        self.leave();
        self.procedure = outside;
    }

    /// Enters the procedure and the scope of its parameters.
    fn open_procedure(&mut self, function: &Function, symbol: SymbolId, result: &Type) -> ProcedureId {
        let id = ProcedureId(self.procedures.len() as u32);
        let inside = self.procedure.replace(id);
        let scope = self.enter(ScopeKind::Procedure, function.range);
        let found = self.symbol(symbol);
        self.procedures.push(Procedure {
            symbol,
            name: self.text(found.name).to_owned(),
            result: result.clone(),
            parameters: Vec::new(),
            range: function.range,
            body: function.body.range,
            scope,
            inside,
            editable: self.editable(function.body.range),
            is_static: found.storage == StorageKind::StaticFile,
            is_inline: function.specifiers.inline,
            variables: Vec::new(),
            facts: Facts::default(),
        });
        id
    }

    /// Whether both braces stand in the main file and no macro brought them.
    fn editable(&self, body: Range) -> bool {
        let plain = |index: u32| {
            let token = self.preprocessed.tokens.get(index as usize);
            token.is_some_and(|token| token.origin.expansion.is_none() && token.origin.span.file == self.main)
        };
        plain(body.start) && plain(body.end.saturating_sub(1))
    }

    /// Declares the parameters of a definition, new style or old; gives the function's type.
    fn own_parameters(&mut self, function: &Function, parameters: &Parameters, result: Type) -> Type {
        let ty = self.function(result, parameters);
        for declaration in &function.old_parameters {
            self.old_parameters(declaration);
        }
        for ident in &parameters.identifiers {
            let declared = self.resolve(ident.name).is_some_and(|id| {
                self.symbol(id).kind == SymbolKind::Parameter && self.symbol(id).scope == self.scope()
            });
            if !declared {
                let kind = SymbolKind::Parameter;
                self.declare(Declared::new(ident.name, ident.token, kind, StorageKind::Automatic, Type::INT));
            }
        }
        match ty.kind {
            // A definition with `()` has no parameters.
            Kind::Function(ref found) if parameters.list.is_empty() && parameters.identifiers.is_empty() => {
                Kind::Function(super::types::FunctionType { unspecified: false, ..(**found).clone() }.into())
                    .into()
            }
            _ => ty,
        }
    }

    fn old_parameters(&mut self, declaration: &Declaration) {
        let base = self.specified(&declaration.specifiers, false);
        for init in &declaration.declarators {
            let ty = self.derived(base.clone(), &init.declarator);
            let ty = adjusted(ty, &init.declarator);
            self.declare_parameter(&declaration.specifiers, &init.declarator, &ty);
        }
    }

    fn collect_parameters(&mut self, id: ProcedureId, parameters: &Parameters) {
        let named = parameters.list.iter().filter_map(|parameter| parameter.declarator.name);
        let names: Vec<_> = named.chain(parameters.identifiers.iter().copied()).collect();
        let scope = self.scope();
        let found: Vec<SymbolId> = names
            .iter()
            .filter_map(|ident| self.resolve(ident.name))
            .filter(|&id| self.symbol(id).scope == scope)
            .collect();
        let procedure = &mut self.procedures[id.0 as usize];
        procedure.variables.extend(&found);
        procedure.parameters = found;
    }

    pub(super) fn compound(&mut self, compound: &Compound) {
        self.enter(ScopeKind::Block, compound.range);
        for item in &compound.items {
            match item {
                BlockItem::Declaration(declaration) => self.declaration(declaration),
                BlockItem::Function(function) => self.definition(function),
                BlockItem::Statement(statement) => self.statement(statement),
                BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => {}
            }
        }
        self.leave();
    }

    fn statement(&mut self, statement: &Statement) {
        let range = statement.range;
        self.statements.entry(range.start).or_insert(range);
        if matches!(
            statement.kind,
            StatementKind::While { .. } | StatementKind::DoWhile { .. } | StatementKind::For { .. }
        ) {
            self.loops.push(range);
        }
        match &statement.kind {
            StatementKind::Expr(value) | StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.expression(value);
                }
            }
            StatementKind::Compound(body) => self.compound(body),
            StatementKind::If { condition, then, otherwise } => {
                self.expression(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::Switch { condition, body } | StatementKind::While { condition, body } => {
                self.expression(condition);
                self.statement(body);
            }
            StatementKind::DoWhile { body, condition } => {
                self.statement(body);
                self.expression(condition);
            }
            StatementKind::For { .. } => self.for_loop(statement),
            StatementKind::Case { value, last, body } => {
                self.expression(value);
                if let Some(last) = last {
                    self.expression(last);
                }
                self.statement(body);
            }
            StatementKind::Default { body } => self.statement(body),
            StatementKind::Continue | StatementKind::Break => {}
            _ => self.jump_or_label(statement),
        }
    }

    fn for_loop(&mut self, statement: &Statement) {
        let StatementKind::For { init, condition, step, body } = &statement.kind else { return };
        self.enter(ScopeKind::Block, statement.range);
        match init {
            ForInit::None => {}
            ForInit::Expr(value) => {
                self.expression(value);
            }
            ForInit::Declaration(declaration) => self.declaration(declaration),
        }
        for part in [condition, step].into_iter().flatten() {
            self.expression(part);
        }
        self.statement(body);
        self.leave();
    }

    fn jump_or_label(&mut self, statement: &Statement) {
        let range = statement.range;
        match &statement.kind {
            StatementKind::Goto(label) => {
                if let Some(facts) = self.facts() {
                    facts.gotos.push(GotoFact { name: label.name, token: label.token, range });
                }
            }
            StatementKind::ComputedGoto(target) => {
                self.expression(target);
                if let Some(facts) = self.facts() {
                    facts.computed_jumps.push(range);
                }
            }
            StatementKind::Label { name, body } => {
                if let Some(facts) = self.facts() {
                    facts.labels.push(LabelFact { name: name.name, token: name.token, range });
                }
                self.statement(body);
            }
            StatementKind::Asm { goto } => self.assembler(range, *goto),
            _ => {}
        }
    }

    /// The operands of `asm` are not parsed: each variable named in it may be read, written and
    /// pointed to.
    fn assembler(&mut self, range: Range, goto: bool) {
        let tokens =
            self.preprocessed.tokens.get(range.start as usize..range.end as usize).unwrap_or_default();
        let names: HashSet<_> = tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Identifier)
            .map(|token| token.text)
            .collect();
        let named: Vec<SymbolId> = names
            .into_iter()
            .filter_map(|name| self.resolve(name))
            .filter(|&id| matches!(self.symbol(id).kind, SymbolKind::Variable | SymbolKind::Parameter))
            .collect();
        if let Some(facts) = self.facts() {
            facts.address_taken.extend(named);
            if goto {
                facts.computed_jumps.push(range);
            }
        }
    }
}
