//! Executable parts: names that nothing declares, scopes of constructs, procedures that are passed on.
//!
//! Input: the statements of each procedure, hosts before what they contain.
//! Output: symbols for names that are declared by their use, scopes for `BLOCK`, `ASSOCIATE`, `SELECT TYPE`,
//! and which variables contained procedures share with their hosts.

use cppc_grammar::fortran::logical::LineId;
use cppc_grammar::fortran::tree::{
    Argument, Bound as Extent, Construct, ConstructEnd, ConstructKind, DoKind, Expr, ExprKind, Name, Part,
    Statement, StatementKind, Unit,
};

use super::bound::{Bound, ProcedureKind};
use super::ids::{Origin, ScopeId, SymbolId, TypeId};
use super::intrinsics;
use super::symbols::{ProcedureTarget, Scope, ScopeKind, Symbol, SymbolKind};
use super::types::{Type, Typed};
use super::visit::{inside, is_passive, of_argument, of_statement};

/// The shape of an associate name that stands for an array: so many dimensions, no bounds of its own.
static ASSUMED: [Extent; 15] = {
    const ONE: Extent = Extent::AssumedShape { lower: None };
    [ONE; 15]
};

impl<'a> Bound<'a> {
    /// Walks through a unit, then through what it contains.
    pub(super) fn walk_unit(&mut self, scope: ScopeId) {
        let Some(unit) = self.scope(scope).unit else { return };
        let statements = statements_of(unit);
        let start = self.leading_functions(scope, &statements);
        for statement in &statements[start..] {
            self.walk(scope, statement);
        }
        self.walk_statement_functions(scope, &statements[..start]);
        self.walk_first_targets(scope, &statements[..start]);
        let inside = self.scope(scope).inside.iter().copied();
        let inside: Vec<ScopeId> =
            inside.filter(|&id| matches!(self.scope(id).kind, ScopeKind::Procedure(_))).collect();
        for contained in inside {
            self.walk_unit(contained);
        }
    }

    /// Where the executable part begins; definitions of statement functions before it are declarations.
    fn leading_functions(&mut self, scope: ScopeId, statements: &[&'a Statement]) -> usize {
        for (index, statement) in statements.iter().enumerate() {
            match &statement.kind {
                StatementKind::Directive => {}
                StatementKind::Assignment { target, .. } => {
                    if self.as_statement_function(scope, target).is_none() {
                        return index;
                    }
                    self.specify(scope, statement);
                }
                _ if is_passive(statement) => {}
                _ => return index,
            }
        }
        statements.len()
    }

    /// The values of statement functions use names of the procedure, but for their own arguments.
    fn walk_statement_functions(&mut self, scope: ScopeId, statements: &[&'a Statement]) {
        for statement in statements {
            if let StatementKind::Assignment { value, .. } = &statement.kind {
                self.walk_expression(scope, value);
            }
        }
    }

    /// Procedure pointers, also those in derived types, may point to a procedure from the start.
    fn walk_first_targets(&mut self, scope: ScopeId, statements: &[&'a Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::ProcedureDeclaration { targets, .. } => {
                    targets.iter().for_each(|target| self.use_name(scope, target))
                }
                StatementKind::DerivedType(found) => {
                    let components: Vec<&Statement> = found.components.iter().collect();
                    self.walk_first_targets(scope, &components);
                }
                _ => {}
            }
        }
    }

    fn walk(&mut self, scope: ScopeId, statement: &'a Statement) {
        if let StatementKind::Construct(construct) = &statement.kind {
            return self.walk_construct(scope, construct);
        }
        match &statement.kind {
            StatementKind::Call { procedure, arguments } => {
                self.walk_callee(scope, procedure);
                for argument in arguments {
                    self.walk_argument(scope, argument);
                }
            }
            StatementKind::AssignedGoto { variable, .. } | StatementKind::AssignLabel { variable, .. } => {
                self.use_name(scope, variable);
            }
            _ => {
                for expression in of_statement(statement) {
                    self.walk_expression(scope, expression);
                }
            }
        }
        for part in inside(statement) {
            self.walk(scope, part);
        }
    }

    fn walk_construct(&mut self, scope: ScopeId, construct: &'a Construct) {
        for expression in super::visit::of_headers(construct) {
            self.walk_expression(scope, expression);
        }
        if let ConstructKind::Do(control) = &construct.kind {
            if let DoKind::Counted { variable, .. } = &control.kind {
                self.use_name(scope, variable);
            }
        }
        for part in &construct.parts {
            let inner = self.open_part(scope, construct, part);
            let first = match construct.kind {
                ConstructKind::Block => leading(part).count(),
                _ => 0,
            };
            for statement in &part.statements[first..] {
                self.walk(inner, statement);
            }
        }
    }

    /// The scope of a part of a construct: a new one when it declares names.
    fn open_part(&mut self, scope: ScopeId, construct: &'a Construct, part: &'a Part) -> ScopeId {
        match &construct.kind {
            ConstructKind::Block => {
                let inner = self.new_inner(scope, construct, part);
                self.declare_types(inner, &part.statements);
                for statement in leading(part) {
                    self.specify(inner, statement);
                }
                self.settle(inner);
                inner
            }
            ConstructKind::Associate { associations } => {
                let inner = self.new_inner(scope, construct, part);
                for (name, value) in associations {
                    self.associate(scope, inner, name, value);
                }
                inner
            }
            ConstructKind::SelectType { selector, associate }
            | ConstructKind::SelectRank { selector, associate } => {
                let inner = self.new_inner(scope, construct, part);
                let plain = match &selector.kind {
                    ExprKind::Name(name) => Some(name),
                    _ => None,
                };
                if let Some(name) = associate.as_ref().or(plain) {
                    let typed = self.guarded(scope, part.header, self.type_of(scope, selector));
                    self.stand_for(inner, name, typed);
                }
                inner
            }
            _ => scope,
        }
    }

    fn new_inner(&mut self, scope: ScopeId, construct: &Construct, part: &Part) -> ScopeId {
        let (source, implicit) = {
            let around = self.scope(scope);
            (around.source, around.implicit.clone())
        };
        let mut inner = Scope::new(ScopeKind::Inner, "", source, Some(scope), implicit);
        if let ConstructEnd::Statement { line, .. } = construct.end {
            inner.lines = Some((part.header, line));
        }
        let id = self.push_scope(inner);
        self.inner.insert((source, part.header), id);
        id
    }

    fn associate(&mut self, scope: ScopeId, inner: ScopeId, name: &'a Name, value: &'a Expr) {
        if let ExprKind::Name(variable) = &value.kind {
            if let Some(id) = self.lookup(scope, &variable.text) {
                self.scopes[inner.0 as usize].names.insert(name.text.clone(), id);
                return;
            }
        }
        let typed = self.type_of(scope, value);
        self.stand_for(inner, name, typed);
    }

    /// A name that stands for something else: it has a type, and no memory of its own.
    fn stand_for(&mut self, inner: ScopeId, name: &Name, typed: Typed) {
        let mut symbol = Symbol::new(&name.text, inner, Origin::of(self.scope(inner).source, name));
        (symbol.ty, symbol.typed) = (typed.ty, true);
        symbol.is.construct = true;
        symbol.shape = match typed.rank {
            Some(rank) => &ASSUMED[..(rank as usize).min(ASSUMED.len())],
            None => &[],
        };
        self.push_symbol(symbol);
    }

    /// The type that `TYPE IS (name)` or `CLASS IS (name)` gives to the selector.
    fn guarded(&self, scope: ScopeId, header: LineId, selector: Typed) -> Typed {
        let source = self.scope(scope).source;
        let text = self.text(source, self.statement_at(source, header)).to_ascii_lowercase();
        let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let named = |word: &str| -> Option<TypeId> {
            let (_, rest) = text.split_once(word)?;
            self.type_named(scope, rest.split(')').next()?)
        };
        if let Some(id) = named("typeis(") {
            return Typed { ty: Type::Derived(id), ..selector };
        }
        match named("classis(") {
            Some(id) => Typed { ty: Type::Class(Some(id)), ..selector },
            None if text.contains("typeis(") => Typed { ty: Type::Unknown, ..selector },
            None => selector,
        }
    }

    fn walk_callee(&mut self, scope: ScopeId, procedure: &'a Expr) {
        match &procedure.kind {
            ExprKind::Name(name) => {
                let known = self.lookup(scope, &name.text);
                match known {
                    Some(id) => {
                        self.note_use(scope, id);
                        let is = self.symbol(id).is;
                        if self.symbol(id).is_variable() && !is.pointer && !is.intrinsic {
                            self.become_procedure(id);
                        }
                    }
                    None if intrinsics::is_subroutine(&name.text) => {}
                    None if self.opaque_module(scope, &name.text).is_some() => {}
                    None => self.declare_external(scope, name, true),
                }
            }
            _ => self.walk_expression(scope, procedure),
        }
    }

    fn walk_argument(&mut self, scope: ScopeId, argument: &'a Argument) {
        for expression in of_argument(argument) {
            self.walk_expression(scope, expression);
        }
    }

    fn walk_expression(&mut self, scope: ScopeId, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.use_name(scope, name),
            ExprKind::Reference { base, arguments } => {
                match &base.kind {
                    ExprKind::Name(name) => self.refer(scope, name, arguments),
                    _ => self.walk_expression(scope, base),
                }
                for argument in arguments {
                    self.walk_argument(scope, argument);
                }
            }
            ExprKind::ImpliedDo { items, variable, bounds } => {
                self.use_name(scope, variable);
                for part in items.iter().chain(bounds) {
                    self.walk_expression(scope, part);
                }
            }
            _ => {
                for part in super::visit::parts(expr) {
                    self.walk_expression(scope, part);
                }
            }
        }
    }

    /// A name by itself: a variable, or a procedure that is passed on.
    fn use_name(&mut self, scope: ScopeId, name: &Name) {
        match self.lookup(scope, &name.text) {
            Some(id) => {
                self.note_use(scope, id);
                self.pass_on(id);
            }
            None if self.opaque_module(scope, &name.text).is_some() => {}
            None => {
                let home = self.outer_scope(scope);
                let ty = self.scope(home).implicit.of(&name.text);
                if ty != Type::Unknown {
                    let mut symbol = Symbol::new(&name.text, home, Origin::of(self.scope(home).source, name));
                    symbol.ty = ty;
                    self.push_symbol(symbol);
                }
            }
        }
    }

    /// A name with a list behind it, in an expression.
    fn refer(&mut self, scope: ScopeId, name: &Name, arguments: &[Argument]) {
        let Some(id) = self.lookup(scope, &name.text) else {
            let known = intrinsics::is_function(&name.text)
                || self.type_named(scope, &name.text).is_some()
                || self.opaque_module(scope, &name.text).is_some();
            if !known {
                self.declare_external(scope, name, false);
            }
            return;
        };
        self.note_use(scope, id);
        let symbol = self.symbol(id);
        let own = self.procedure_of(scope).is_some_and(|id| self.procedure(id).name == name.text);
        let ranges = arguments
            .iter()
            .any(|one| matches!(one.kind, cppc_grammar::fortran::tree::ArgumentKind::Range { .. }));
        let scalar = symbol.is_variable() && symbol.shape.is_empty() && !symbol.is.allocatable;
        let stands = symbol.is.pointer || symbol.is.construct || (symbol.is.result && own) || ranges;
        let intrinsic = intrinsics::is_function(&name.text) && !symbol.is.dummy;
        if scalar && !stands && !intrinsic && symbol.common.is_none() {
            self.become_procedure(id);
        }
    }

    /// What was taken for a variable is called: it is a function, declared by its type alone.
    fn become_procedure(&mut self, id: SymbolId) {
        let symbol = &mut self.symbols[id.0 as usize];
        symbol.kind = SymbolKind::Procedure(match symbol.is.dummy {
            true => ProcedureTarget::Indirect(None),
            false => ProcedureTarget::External,
        });
    }

    fn declare_external(&mut self, scope: ScopeId, name: &Name, subroutine: bool) {
        let home = self.outer_scope(scope);
        let mut symbol = Symbol::new(&name.text, home, Origin::of(self.scope(home).source, name));
        // An external procedure is known inside of itself.
        let around = std::iter::successors(self.procedure_of(scope), |&id| self.procedure(id).host);
        let own = around.into_iter().find(|&id| {
            let procedure = self.procedure(id);
            procedure.kind == ProcedureKind::External && procedure.name == name.text
        });
        symbol.kind = SymbolKind::Procedure(own.map_or(ProcedureTarget::External, ProcedureTarget::Known));
        if !subroutine && own.is_none() {
            symbol.ty = self.scope(home).implicit.of(&name.text);
        }
        self.push_symbol(symbol);
    }

    /// Remembers that a contained procedure uses a variable of its host.
    pub(super) fn note_use(&mut self, scope: ScopeId, id: SymbolId) {
        let home = self.outer_scope(self.symbol(id).scope);
        if home == self.outer_scope(scope) || !self.symbol(id).is_variable() {
            return;
        }
        if matches!(self.scope(home).kind, ScopeKind::Program | ScopeKind::Procedure(_)) {
            self.captured.insert(id);
        }
    }

    fn pass_on(&mut self, id: SymbolId) {
        let target = match self.symbol(id).kind {
            SymbolKind::Procedure(ProcedureTarget::Known(id)) => Some(id),
            SymbolKind::Procedure(ProcedureTarget::External) => {
                self.externals.get(&self.symbol(id).name).copied()
            }
            _ => None,
        };
        let Some(target) = target else { return };
        self.procedures[target.0 as usize].escapes = true;
        // An interface speaks of the procedure that is defined elsewhere.
        if let Some(&definition) = self.externals.get(&self.procedure(target).name) {
            if !self.procedure(target).has_body {
                self.procedures[definition.0 as usize].escapes = true;
            }
        }
    }

    /// Procedures bound to types that extensions may replace are called through the object's type.
    pub(super) fn note_bindings(&mut self) {
        let mut found = Vec::new();
        for index in 0..self.types.len() as u32 {
            let id = TypeId(index);
            for binding in &self.derived(id).bindings {
                let inherited =
                    self.derived(id).parent.is_some_and(|up| self.binding_of(up, &binding.name).is_some());
                let replaced = (0..self.types.len() as u32).map(TypeId).any(|other| {
                    other != id
                        && self.derived(other).parent.is_some()
                        && self.extends(other, id)
                        && self.derived(other).bindings.iter().any(|one| one.name == binding.name)
                });
                if inherited || replaced {
                    let scope = self.derived(id).scope;
                    found.extend(binding.targets.iter().filter_map(|name| self.procedure_named(scope, name)));
                }
            }
        }
        for id in found {
            self.procedures[id.0 as usize].escapes = true;
        }
    }
}

/// The declarations that a `BLOCK` begins with, and the directives among them.
pub fn leading(part: &Part) -> impl Iterator<Item = &Statement> {
    part.statements.iter().take_while(|one| is_passive(one) || matches!(one.kind, StatementKind::Directive))
}

/// All statements of a unit in the order of the text.
pub fn statements_of(unit: &Unit) -> Vec<&Statement> {
    unit.specification.iter().chain(&unit.execution).collect()
}

impl Bound<'_> {
    /// The position of the first statement that is executed, or of the first directive when nothing is
    /// declared between it and that statement.
    pub fn first_executable(&self, scope: ScopeId, statements: &[&Statement]) -> usize {
        let is_function = |statement: &Statement| match &statement.kind {
            StatementKind::Assignment {
                target: Expr { kind: ExprKind::Reference { base, .. }, .. }, ..
            } => {
                let ExprKind::Name(name) = &base.kind else { return false };
                let symbol = self.lookup(scope, &name.text).map(|id| self.symbol(id));
                symbol.is_some_and(|symbol| matches!(symbol.kind, SymbolKind::StatementFunction { .. }))
            }
            _ => false,
        };
        let executed = |statement: &&&Statement| {
            let directive = matches!(statement.kind, StatementKind::Directive);
            !directive && !is_passive(statement) && !is_function(statement)
        };
        let first = statements.iter().position(|statement| executed(&statement)).unwrap_or(statements.len());
        let declared = statements[..first].iter().rposition(|one| one.kind.declares() || is_function(one));
        let behind = declared.map_or(0, |last| last + 1);
        let directive = |statement: &&Statement| matches!(statement.kind, StatementKind::Directive);
        statements[behind..first].iter().position(directive).map_or(first, |index| behind + index)
    }
}
