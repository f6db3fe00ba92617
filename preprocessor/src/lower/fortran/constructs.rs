//! Constructs other than loops: IF, SELECT, BLOCK, ASSOCIATE, CRITICAL, WHERE.
//!
//! Input: a construct. Output: its blocks.
//! Postcondition: the current block is the one after the construct.

use cppc_analysis::program::{BlockId, OperationKind, Terminator};
use cppc_grammar::fortran::tree::{
    Construct, ConstructEnd, ConstructKind, Expr, Name, Part, Statement, StatementKind,
};

use super::body::{Body, Frame};
use super::designated_memory::DesignatedMemory;
use crate::bind::fortran::visit::{is_passive, lengths};
use crate::bind::fortran::{ScopeId, Type};

impl<'a> Body<'_, 'a> {
    pub fn construct(&mut self, scope: ScopeId, statement: &Statement, construct: &Construct) {
        if let ConstructKind::Do(control) = &construct.kind {
            return self.do_construct(scope, statement, construct, control);
        }
        let exit = self.flow.new_block();
        let name = construct.name.as_ref().map(|name| name.text.clone());
        self.frames.push(Frame { name, cycle: None, exit });
        match &construct.kind {
            ConstructKind::If => self.if_construct(scope, construct, exit),
            ConstructKind::SelectCase { selector } => {
                self.reads(scope, selector);
                let selected = self.computed(scope, selector);
                self.flow.set_condition(cppc_analysis::program::Expression::Of(vec![selected]));
                self.select(scope, construct, exit, |_, _, _| {});
            }
            ConstructKind::SelectType { selector, associate }
            | ConstructKind::SelectRank { selector, associate } => {
                self.select_type(scope, construct, exit, selector, associate.as_ref());
            }
            ConstructKind::Block => construct.parts.iter().for_each(|part| self.block(scope, part)),
            ConstructKind::Associate { associations } => self.associate(scope, construct, associations),
            ConstructKind::Masked { keyword, expressions } => {
                self.masked_construct(scope, construct, keyword, expressions)
            }
            ConstructKind::Critical => {
                self.opaque("other images execute a CRITICAL construct in turn", Vec::new());
                self.parts(scope, construct);
            }
            ConstructKind::ChangeTeam { expressions } => {
                expressions.iter().for_each(|expr| self.reads(scope, expr));
                self.opaque("a team of images", Vec::new());
                self.parts(scope, construct);
            }
            ConstructKind::Do(_) => {}
        }
        self.frames.pop();
        if let ConstructEnd::Statement { label: Some(label), .. } = &construct.end {
            self.begin_label(label.value);
        }
        self.flow.fall_into(exit);
    }

    fn scope_of(&self, scope: ScopeId, part: &Part) -> ScopeId {
        self.bound.inner_scope(self.source, part.header).unwrap_or(scope)
    }

    fn parts(&mut self, scope: ScopeId, construct: &Construct) {
        for part in &construct.parts {
            let inner = self.scope_of(scope, part);
            self.statements(inner, &part.statements);
        }
    }

    fn if_construct(&mut self, scope: ScopeId, construct: &Construct, exit: BlockId) {
        for (index, part) in construct.parts.iter().enumerate() {
            self.span = self.anchor(part.header_at);
            let is_last = index + 1 == construct.parts.len();
            let Some(condition) = &part.condition else {
                self.statements(scope, &part.statements);
                continue;
            };
            let then = self.flow.new_block();
            let otherwise = if is_last { exit } else { self.flow.new_block() };
            self.branch(scope, condition, then, otherwise);
            self.flow.switch_to(then);
            self.statements(scope, &part.statements);
            if !self.flow.terminated() {
                self.jump(exit);
            }
            if !is_last {
                self.flow.switch_to(otherwise);
            }
        }
        if !self.flow.terminated() {
            self.jump(exit);
        }
    }

    /// The parts of a SELECT. `begin` is called with each part, in its block.
    fn select(
        &mut self,
        scope: ScopeId,
        construct: &Construct,
        exit: BlockId,
        mut begin: impl FnMut(&mut Self, &Part, ScopeId),
    ) {
        let parts: Vec<&Part> = construct.parts.iter().skip(1).collect();
        let blocks: Vec<BlockId> = parts.iter().map(|_| self.flow.new_block()).collect();
        let has_default = parts.iter().any(|part| self.is_default(part));
        let mut targets = blocks.clone();
        if !has_default {
            targets.push(exit);
        }
        self.flow.terminate(Terminator::Switch(targets));
        for (part, block) in parts.into_iter().zip(blocks) {
            self.flow.switch_to(block);
            let inner = self.scope_of(scope, part);
            begin(self, part, inner);
            self.statements(inner, &part.statements);
            if !self.flow.terminated() {
                self.jump(exit);
            }
        }
    }

    fn is_default(&self, part: &Part) -> bool {
        let text = self.bound.text(self.source, part.header_at).to_ascii_lowercase();
        let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        ["casedefault", "classdefault", "rankdefault"].iter().any(|word| text.starts_with(word))
    }

    fn select_type(
        &mut self,
        scope: ScopeId,
        construct: &Construct,
        exit: BlockId,
        selector: &Expr,
        associate: Option<&Name>,
    ) {
        let place = self.selected(scope, selector);
        let name =
            associate.or_else(|| crate::bind::fortran::visit::root(selector)).map(|name| name.text.clone());
        self.select(scope, construct, exit, |body, _, inner| {
            let Some(name) = &name else { return };
            let Some(id) = body.bound.scope(inner).names.get(name).copied() else { return };
            let symbol = body.bound.symbol(id);
            if !symbol.is.construct {
                return;
            }
            let mut alias = place.clone();
            if symbol.ty != Type::Unknown {
                alias.ty = symbol.ty;
                alias.access.size = body.storage.layouts.of_type(body.bound, symbol.ty).0;
                alias.access.content = super::layout::content(body.bound, symbol.ty);
            }
            body.aliases.insert(id, alias);
        });
    }

    /// The object of an associate name: memory whose subscripts are evaluated once, or a value in a
    /// temporary.
    fn selected(&mut self, scope: ScopeId, selector: &Expr) -> DesignatedMemory<'a> {
        if let Some(place) = self.place(scope, selector) {
            let place = self.frozen(place);
            return DesignatedMemory { holder: None, allocatable: false, ..place };
        }
        let typed = self.bound.type_of(scope, selector);
        let value = self.value(scope, selector);
        let size = self.storage.layouts.of_type(self.bound, typed.ty).0.filter(|_| typed.rank == Some(0));
        let to = self.temporary(size, super::layout::content(self.bound, typed.ty));
        self.write(to.clone(), value);
        let mut place = DesignatedMemory::scalar(to, typed.ty);
        place.dimensions = vec![Default::default(); typed.rank.unwrap_or(0) as usize];
        place
    }

    fn associate(&mut self, scope: ScopeId, construct: &Construct, associations: &[(Name, Expr)]) {
        for part in &construct.parts {
            let inner = self.scope_of(scope, part);
            for (name, value) in associations {
                let Some(id) = self.bound.scope(inner).names.get(&name.text).copied() else { continue };
                if self.bound.symbol(id).is.construct && self.bound.symbol(id).scope == inner {
                    let place = self.selected(scope, value);
                    self.aliases.insert(id, place);
                }
            }
            self.statements(inner, &part.statements);
        }
    }

    fn block(&mut self, scope: ScopeId, part: &Part) {
        let inner = self.scope_of(scope, part);
        let (region, count) = (self.flow.open_region(), self.flow.procedure().evaluations.len());
        part.statements.iter().for_each(|one| self.read_declared(inner, &lengths(one), None));
        let mut own: Vec<_> = self.bound.scope(inner).names.values().copied().collect();
        own.sort_unstable();
        own.retain(|&id| self.bound.symbol(id).scope == inner && self.bound.symbol(id).is_variable());
        for &id in &own {
            if !self.bound.is_static(id) {
                let variable = self.variable(id);
                self.emit(OperationKind::Begin(variable));
                self.read_bounds(id, None);
                self.begin_local(id);
            }
        }
        let statements =
            part.statements.iter().filter(|statement| !is_passive(statement) || statement.label.is_some());
        self.statements(inner, statements);
        let region = self.flow.close_region(region);
        self.flow.set_construct(count, &region);
        for id in own {
            self.end_local(id);
        }
    }

    pub fn masked_statement(
        &mut self,
        scope: ScopeId,
        keyword: &str,
        expressions: &[Expr],
        action: Option<&Statement>,
    ) {
        let Some(action) = action else { return };
        match keyword {
            "forall" => self.forall(scope, expressions, &[action]),
            _ => {
                expressions.iter().for_each(|expr| self.reads(scope, expr));
                self.under_mask(scope, action);
            }
        }
    }

    fn masked_construct(
        &mut self,
        scope: ScopeId,
        construct: &Construct,
        keyword: &str,
        expressions: &[Expr],
    ) {
        if keyword == "forall" {
            let statements: Vec<&Statement> = construct.statements().collect();
            return self.forall(scope, expressions, &statements);
        }
        expressions.iter().for_each(|expr| self.reads(scope, expr));
        for part in &construct.parts {
            part.condition.iter().for_each(|condition| self.reads(scope, condition));
            for statement in &part.statements {
                self.under_mask(scope, statement);
            }
        }
    }

    /// Lowers a statement of a WHERE. Elements that the mask excludes keep their values.
    pub fn under_mask(&mut self, scope: ScopeId, statement: &Statement) {
        self.span = self.anchor(statement.at);
        match &statement.kind {
            StatementKind::Assignment { target, value } => self.assign(scope, target, value, true),
            _ => self.statement(scope, statement),
        }
    }
}
