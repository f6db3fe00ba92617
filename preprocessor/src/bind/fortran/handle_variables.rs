//! Integers that contain handles of libraries: communicators, datatypes, plans.
//!
//! Input: the statements of all procedures, and the catalogue.
//! Output: the variables and components that contain handles, and how they get their values.
//! Postcondition: a restart sets the handles that are *current* again. Others have the value of the lost run, and at each
//! place where this may be wrong, there is a warning (C0433).
//!
//! A statement is repeated in a restart if it is before `init` or in an `execute` block, or if its procedure is called
//! from such places only.

use std::sync::OnceLock;

use cppc_analysis::catalogue::entry::{HandleUse, Parameter};
use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::handles::is_lasting;
use cppc_analysis::units::UNIT;
use cppc_grammar::fortran::tree::{
    Argument, ArgumentKind, ConstructKind, DoKind, Expr, ExprKind, Statement, StatementKind,
};
use cppc_source::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bound::{Bound, DirectiveKind, ProcedureKind};
use super::handle_places::{HandlePlace, HandlePlaces, Handles};
use super::ids::{ProcedureId, ScopeId, SymbolId, TypeId};
use super::items::Item;
use super::resolve::{Called, Meaning};
use super::types::{derived_of, Type};
use super::visit::{inside, of_statement, parts, root};
use super::walk::statements_of;

/// What the statements do with handles.
#[derive(Default)]
struct Statements {
    used: FxHashSet<HandlePlace>,
    /// Set by `NEWUNIT`.
    units: FxHashSet<HandlePlace>,
    /// The statements that create handles, as numbers of `assigned`.
    created: Vec<usize>,
    assigned: Vec<Assignment>,
    /// The argument and the dummy argument.
    passed: Vec<(HandlePlace, HandlePlace)>,
    /// The procedure that is called, the caller, and whether the call is repeated.
    calls: Vec<(ProcedureId, ProcedureId, bool)>,
}

struct Assignment {
    procedure: ProcedureId,
    to: HandlePlace,
    from: Option<HandlePlace>,
    is_repeated: bool,
}

/// Where a statement is.
struct Position {
    procedure: ProcedureId,
    is_before_init: bool,
    is_in_block: bool,
}

impl Position {
    fn is_repeated(&self) -> bool {
        self.is_before_init || self.is_in_block
    }

    fn create(&self, to: Option<HandlePlace>, found: &mut Statements) {
        if to.is_some() {
            found.created.push(found.assigned.len());
        }
        self.set(to, None, found);
    }

    fn set(&self, to: Option<HandlePlace>, from: Option<HandlePlace>, found: &mut Statements) {
        found.assigned.extend(to.map(|to| Assignment {
            procedure: self.procedure,
            to,
            from,
            is_repeated: self.is_repeated(),
        }));
    }
}

impl Bound<'_> {
    /// Finds the handles, and ends registers of them: an execute block sets them.
    pub(super) fn note_handles(&mut self) {
        let has_block = self.directives.values().any(|one| matches!(one.kind, DirectiveKind::Execute { .. }));
        let has_init = self.directives.values().any(|one| matches!(one.kind, DirectiveKind::Init));
        if !has_block && !has_init {
            return;
        }
        self.handles.renamed = self.renamed_blocks();
        let mut found = Statements::default();
        for index in 0..self.procedures.len() as u32 {
            let id = ProcedureId(index);
            let procedure = self.procedure(id);
            if procedure.has_body {
                let is_init = |one: &super::bound::BoundDirective| {
                    one.procedure == id && matches!(one.kind, DirectiveKind::Init)
                };
                let begins = procedure.kind == ProcedureKind::Main && self.directives.values().any(is_init);
                let mut position = Position { procedure: id, is_before_init: begins, is_in_block: false };
                for statement in statements_of(procedure.unit) {
                    self.handles_in(procedure.scope, statement, &mut position, &mut found);
                }
            }
        }
        let renamed = std::mem::take(&mut self.handles.renamed);
        self.handles = self.handle_places(&found);
        self.handles.renamed = renamed;
        self.leave_out_handles();
    }

    /// The COMMON blocks whose variables have different names in different procedures.
    fn renamed_blocks(&self) -> FxHashSet<String> {
        let mut names: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let mut renamed = FxHashSet::default();
        for (block, members) in self.scopes.iter().flat_map(|scope| &scope.blocks) {
            let here: Vec<&str> = members.iter().map(|&id| self.symbol(id).name.as_str()).collect();
            if names.entry(block).or_insert_with(|| here.clone()) != &here {
                renamed.insert(block.clone());
            }
        }
        renamed
    }

    /// Whether a restart has the handle of the new run in this argument.
    pub fn is_current_handle(&self, scope: ScopeId, expr: &Expr) -> bool {
        let current = &self.handles.arguments.current;
        !current.is_empty() && self.handle_place(scope, expr).is_some_and(|place| current.contains(&place))
    }

    /// Whether this argument may have the handle of the lost run.
    pub fn is_mixed_handle(&self, scope: ScopeId, expr: &Expr) -> bool {
        let mixed = &self.handles.arguments.mixed;
        !mixed.is_empty() && self.handle_place(scope, expr).is_some_and(|place| mixed.contains(&place))
    }

    fn handles_in(
        &self,
        scope: ScopeId,
        statement: &Statement,
        position: &mut Position,
        found: &mut Statements,
    ) {
        let source = self.scope(scope).source;
        match &statement.kind {
            StatementKind::Directive => {
                match self.directives.get(&(source, statement.line)).map(|one| &one.kind) {
                    Some(DirectiveKind::Init) => position.is_before_init = false,
                    Some(DirectiveKind::Execute { .. }) => position.is_in_block = true,
                    Some(DirectiveKind::EndExecute) => position.is_in_block = false,
                    Some(
                        DirectiveKind::Shutdown
                        | DirectiveKind::Register(_)
                        | DirectiveKind::Unregister(_)
                        | DirectiveKind::Checkpoint(_),
                    )
                    | None => {}
                }
            }
            StatementKind::Assignment { target, value } => {
                self.set_components(scope, target, position, found);
                if let Some(to) = self.handle_place(scope, target) {
                    let from = self.handle_place(scope, value);
                    // A restart evaluates the call of a function again.
                    let is_result = self.is_result(&to);
                    position.set(Some(to), from, found);
                    if let Some(last) = found.assigned.last_mut() {
                        last.is_repeated |= is_result;
                    }
                }
            }
            StatementKind::Io { keyword, controls, items } => {
                self.units_in(scope, keyword, controls, position, found);
                if keyword.eq_ignore_ascii_case("read") {
                    items.iter().for_each(|item| self.set_handle(scope, item, position, found));
                }
            }
            StatementKind::OtherExecutable { expressions } => {
                expressions.iter().for_each(|expr| self.set_handle(scope, expr, position, found));
            }
            StatementKind::Call { procedure, arguments } => {
                if let Some(called) = self.callee(scope, procedure, arguments) {
                    self.handles_in_call(scope, procedure, &called, arguments, position, found);
                }
            }
            StatementKind::Construct(construct) => {
                if let ConstructKind::Do(control) = &construct.kind {
                    if let DoKind::Counted { variable, .. } = &control.kind {
                        let place =
                            self.lookup(scope, &variable.text).and_then(|id| self.handle_variable(id));
                        position.set(place, None, found);
                    }
                }
                for expr in of_statement(statement) {
                    self.handles_in_expression(scope, expr, position, found);
                }
                for part in &construct.parts {
                    let inner = self.inner_scope(source, part.header).unwrap_or(scope);
                    for statement in &part.statements {
                        self.handles_in(inner, statement, position, found);
                    }
                }
                return;
            }
            _ => {}
        }
        for expr in of_statement(statement) {
            self.handles_in_expression(scope, expr, position, found);
        }
        for statement in inside(statement) {
            self.handles_in(scope, statement, position, found);
        }
    }

    /// A statement sets a variable to any value.
    fn set_handle(&self, scope: ScopeId, expr: &Expr, position: &Position, found: &mut Statements) {
        if let ExprKind::ImpliedDo { items, .. } = &expr.kind {
            items.iter().for_each(|item| self.set_handle(scope, item, position, found));
        }
        self.set_components(scope, expr, position, found);
        position.set(self.handle_place(scope, expr), None, found);
    }

    /// A statement sets all components of a structure.
    fn set_components(&self, scope: ScopeId, expr: &Expr, position: &Position, found: &mut Statements) {
        let mut pending: Vec<TypeId> = derived_of(self.type_of(scope, expr).ty).into_iter().collect();
        let mut seen = FxHashSet::default();
        while let Some(id) = pending.pop().filter(|&id| seen.insert(id)) {
            let derived = self.derived(id);
            pending.extend(derived.parent);
            for component in &derived.components {
                pending.extend(derived_of(component.ty));
                let place = HandlePlace::Component(id, component.name.clone());
                position.set(matches!(component.ty, Type::Integer(_)).then_some(place), None, found);
            }
        }
    }

    /// Units that an input or output statement uses, and one that OPEN chooses.
    fn units_in(
        &self,
        scope: ScopeId,
        keyword: &str,
        controls: &[Argument],
        position: &Position,
        found: &mut Statements,
    ) {
        for control in controls {
            let ArgumentKind::Value(value) = &control.kind else { continue };
            let word = control.keyword.as_ref().map(|word| word.text.to_ascii_lowercase());
            match word.as_deref() {
                Some("newunit") if keyword.eq_ignore_ascii_case("open") => {
                    let place = self.handle_place(scope, value);
                    found.units.extend(place.clone());
                    position.create(place, found);
                }
                Some("iostat" | "number" | "size" | "recl" | "nextrec" | "id" | "pos") => {
                    self.set_handle(scope, value, position, found);
                }
                Some(_) | None => {}
            }
        }
    }

    fn handles_in_expression(
        &self,
        scope: ScopeId,
        expr: &Expr,
        position: &Position,
        found: &mut Statements,
    ) {
        if let ExprKind::Reference { base, arguments } = &expr.kind {
            if let Meaning::Call(called) = self.meaning(scope, base, arguments) {
                self.handles_in_call(scope, base, &called, arguments, position, found);
            }
        }
        for part in parts(expr) {
            self.handles_in_expression(scope, part, position, found);
        }
    }

    fn handles_in_call(
        &self,
        scope: ScopeId,
        designator: &Expr,
        called: &Called,
        arguments: &[Argument],
        position: &Position,
        found: &mut Statements,
    ) {
        let candidates: Vec<Option<ProcedureId>> = match called {
            Called::Known(ids) => ids.iter().copied().map(Some).collect(),
            Called::External(symbol) => vec![self.external(&self.symbol(*symbol).name)],
            Called::Indirect { interface, .. } => vec![*interface],
            Called::Foreign(_) => vec![None],
        };
        for candidate in candidates {
            let definition = candidate.and_then(|id| self.with_body(id));
            let Some(callee) = definition else {
                self.handles_of_library(scope, designator, arguments, position, found);
                continue;
            };
            found.calls.push((callee, position.procedure, position.is_repeated()));
            for (index, argument) in arguments.iter().enumerate() {
                let ArgumentKind::Value(value) = &argument.kind else { continue };
                let dummy = self
                    .position_of(scope, designator, callee, argument, index)
                    .and_then(|at| self.procedure(callee).dummies.get(at).copied().flatten());
                let places = self.handle_place(scope, value).zip(dummy.map(HandlePlace::Variable));
                found.passed.extend(places);
            }
        }
    }

    fn handles_of_library(
        &self,
        scope: ScopeId,
        designator: &Expr,
        arguments: &[Argument],
        position: &Position,
        found: &mut Statements,
    ) {
        let Some(name) = root(designator).map(|name| &name.text) else { return };
        for (index, argument) in arguments.iter().enumerate() {
            let ArgumentKind::Value(value) = &argument.kind else { continue };
            let Some(place) = self.handle_place(scope, value) else { continue };
            let word = argument.keyword.as_ref().map(|word| word.text.as_str());
            let Some(parameter) = parameter(name, index, word) else { continue };
            match parameter.handle {
                // A request of one communication is complete at every checkpoint.
                Some(HandleUse::Makes(kind)) if !is_lasting(&kind, name) => {
                    position.set(Some(place), None, found);
                }
                Some(HandleUse::Makes(kind)) if kind != UNIT => {
                    found.used.insert(place.clone());
                    position.create(Some(place), found);
                }
                Some(HandleUse::Uses(kind) | HandleUse::Ends(kind)) if kind != UNIT => {
                    found.used.insert(place);
                }
                Some(HandleUse::Makes(_) | HandleUse::Uses(_) | HandleUse::Ends(_)) | None => {
                    position.set(parameter.writes.map(|_| place), None, found);
                }
            }
        }
    }

    /// The place that an expression denotes, if that may contain a handle. For a call of a function, it is its result.
    fn handle_place(&self, scope: ScopeId, expr: &Expr) -> Option<HandlePlace> {
        match &expr.kind {
            ExprKind::Name(name) => self.handle_variable(self.lookup(scope, &name.text)?),
            ExprKind::Component { base, name } => {
                let home = derived_of(self.type_of(scope, base).ty)?;
                let (component, home) = self.component_of(home, &name.text)?;
                let is_integer = matches!(component.ty, Type::Integer(_));
                is_integer.then(|| HandlePlace::Component(home, name.text.clone()))
            }
            ExprKind::Reference { base, arguments } => match self.meaning(scope, base, arguments) {
                Meaning::Part(_) => self.handle_place(scope, base),
                Meaning::Call(Called::Known(ids)) => {
                    let [id] = ids[..] else { return None };
                    self.handle_variable(self.procedure(self.with_body(id)?).result?)
                }
                Meaning::Call(Called::External(symbol)) => {
                    let id = self.external(&self.symbol(symbol).name)?;
                    self.handle_variable(self.procedure(id).result?)
                }
                _ => None,
            },
            ExprKind::Parenthesized(inner) => self.handle_place(scope, inner),
            ExprKind::Literal(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo { .. }
            | ExprKind::Other(_) => None,
        }
    }

    fn handle_variable(&self, id: SymbolId) -> Option<HandlePlace> {
        let symbol = self.symbol(id);
        // Other names may denote the same memory.
        let is_shared = symbol.is.pointer || symbol.is.target || symbol.is.equivalenced;
        let is_renamed = symbol.common.as_ref().is_some_and(|block| self.handles.renamed.contains(block));
        if !symbol.is_variable() || !matches!(symbol.ty, Type::Integer(_)) || is_shared || is_renamed {
            return None;
        }
        Some(match &symbol.common {
            Some(block) => HandlePlace::Common { block: block.clone(), name: symbol.name.clone() },
            None => HandlePlace::Variable(id),
        })
    }

    fn is_dummy(&self, place: &HandlePlace) -> bool {
        match place {
            HandlePlace::Variable(id) => self.symbol(*id).is.dummy,
            HandlePlace::Common { .. } | HandlePlace::Component(..) => false,
        }
    }

    fn is_result(&self, place: &HandlePlace) -> bool {
        match place {
            HandlePlace::Variable(id) => self.symbol(*id).is.result,
            HandlePlace::Common { .. } | HandlePlace::Component(..) => false,
        }
    }

    /// The place of an item: `comm`, or `grid%comm`. Or the type of the item.
    fn handle_of_item(&self, item: &Item) -> (Option<HandlePlace>, Option<TypeId>) {
        let names = item.lvalue.split('%').skip(1);
        let (mut ty, mut place) = (self.symbol(item.root).ty, self.handle_variable(item.root));
        for name in names {
            let name = name.split('(').next().unwrap_or_default().trim().to_ascii_lowercase();
            let found = derived_of(ty).and_then(|home| self.component_of(home, &name));
            let Some((component, home)) = found else { return (None, None) };
            ty = component.ty;
            let is_integer = matches!(ty, Type::Integer(_));
            place = is_integer.then(|| HandlePlace::Component(home, component.name.clone()));
        }
        (place, derived_of(ty))
    }

    /// The components with handles in variables of a type, and in those of the types of its components.
    fn handles_of_type(&self, ty: TypeId) -> Vec<String> {
        let (mut seen, mut pending, mut found) = (FxHashSet::default(), vec![ty], Vec::new());
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            let derived = self.derived(id);
            pending.extend(derived.parent);
            for component in &derived.components {
                pending.extend(derived_of(component.ty));
                let place = HandlePlace::Component(id, component.name.clone());
                if self.handles.items.current.contains(&place) || self.handles.items.mixed.contains(&place) {
                    found.push(component.name.clone());
                }
            }
        }
        found
    }

    /// Directives have no effect on current handles. Mixed ones have warnings.
    fn leave_out_handles(&mut self) {
        if self.handles.items.current.is_empty() && self.handles.items.mixed.is_empty() {
            return;
        }
        let mut directives = std::mem::take(&mut self.directives);
        let mut warnings = Vec::new();
        for directive in directives.values_mut() {
            let items = match &mut directive.kind {
                DirectiveKind::Register(items) | DirectiveKind::Unregister(items) => items,
                DirectiveKind::Execute { captures, .. } => captures,
                DirectiveKind::Init
                | DirectiveKind::Shutdown
                | DirectiveKind::EndExecute
                | DirectiveKind::Checkpoint(_) => continue,
            };
            items.retain(|item| {
                let (place, ty) = self.handle_of_item(item);
                let inside = ty.map_or(Vec::new(), |ty| self.handles_of_type(ty));
                warnings.extend(inside.into_iter().map(|component| part(&component, item)));
                let Some(place) = place else { return true };
                if self.handles.items.mixed.contains(&place) {
                    warnings.push(stale(item));
                }
                !self.handles.items.current.contains(&place)
            });
        }
        self.directives = directives;
        self.diagnostics.extend(warnings);
    }
}

/// The warning for a handle that a restart may take from the lost run.
fn stale(item: &Item) -> Diagnostic {
    let message =
        format!("`{}` is a handle of a library, and a restart uses its value of the lost run", item.name);
    Diagnostic::warning("C0433", item.span, message)
        .because("its value is not valid in the next run")
        .note("some statements that set it are neither in an `execute` block nor before `init`")
        .help("set it in `execute` blocks only")
}

/// The warning for a structure with such a handle.
fn part(component: &str, item: &Item) -> Diagnostic {
    let message = format!("the component `{component}` of `{}` is a handle of a library", item.name);
    Diagnostic::warning("C0433", item.span, message)
        .because("a restart restores its value of the lost run, which is not valid in the next run")
        .help("register the other components by their names: `register(a(:)%x, a(:)%y)`")
}

/// The entry for an argument of a procedure. Without an entry, the procedure only reads the argument.
fn parameter(name: &str, index: usize, keyword: Option<&str>) -> Option<Parameter> {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    let mut entry = CATALOGUE.get_or_init(Catalogue::built_in).entry(&format!("{name}_"))?;
    let index = match keyword {
        Some(word) => entry.parameters.iter().position(|one| one.name.eq_ignore_ascii_case(word))?,
        None => index,
    };
    (index < entry.parameters.len()).then(|| entry.parameters.swap_remove(index))
}

impl Bound<'_> {
    fn handle_places(&self, found: &Statements) -> HandlePlaces {
        if found.created.is_empty() {
            return HandlePlaces::default();
        }
        let repeated = found.repeated_procedures(self.procedures.len());
        let is_repeated = |one: &Assignment| one.is_repeated || repeated.contains(&one.procedure);
        let place = |one: &Assignment| one.to.clone();
        let created = found.created.iter().map(|&number| &found.assigned[number]);
        let mut made: FxHashSet<HandlePlace> = created.filter(|one| is_repeated(one)).map(place).collect();
        let others = found.assigned.iter().filter(|one| !is_repeated(one));
        let mut plain: FxHashSet<HandlePlace> = others.map(place).collect();
        // What a procedure gives to its dummy arguments comes to the arguments.
        let down = || found.passed.iter().map(|(argument, dummy)| (argument, dummy));
        let up = || down().map(|(argument, dummy)| (dummy, argument));
        close(&mut made, up());
        close(&mut plain, up().chain(found.copies()));
        close(&mut made, down().chain(found.copies()));
        let mut units = found.units.clone();
        close(&mut units, up());
        close(&mut units, down().chain(found.copies()));
        let of = |plain: &FxHashSet<HandlePlace>, handles: FxHashSet<HandlePlace>| {
            let (mut mixed, current): (FxHashSet<_>, _) =
                handles.into_iter().partition(|place| plain.contains(place));
            // The runtime compares the numbers of units.
            mixed.retain(|place| !units.contains(place));
            Handles { current, mixed }
        };
        let used = found.used_as_handles().into_iter().filter(|place| self.is_dummy(place));
        let arguments = of(&plain, made.iter().cloned().chain(used).collect());
        close(&mut plain, down().chain(found.copies()));
        HandlePlaces { arguments, items: of(&plain, made), renamed: FxHashSet::default() }
    }
}

impl Statements {
    fn copies(&self) -> impl Iterator<Item = (&HandlePlace, &HandlePlace)> {
        self.assigned.iter().filter_map(|one| Some((one.from.as_ref()?, &one.to)))
    }

    /// The places that a library uses as handles, and those that are passed for them.
    fn used_as_handles(&self) -> FxHashSet<HandlePlace> {
        let mut handles = self.used.clone();
        close(&mut handles, self.passed.iter().map(|(argument, dummy)| (dummy, argument)));
        handles
    }

    /// The procedures that are called from repeated statements only.
    fn repeated_procedures(&self, procedures: usize) -> FxHashSet<ProcedureId> {
        let mut callers: FxHashMap<ProcedureId, Vec<(ProcedureId, bool)>> = FxHashMap::default();
        for &(callee, caller, is_repeated) in &self.calls {
            callers.entry(callee).or_default().push((caller, is_repeated));
        }
        let all = (0..procedures as u32).map(ProcedureId);
        let mut repeated: FxHashSet<ProcedureId> = all.filter(|id| callers.contains_key(id)).collect();
        loop {
            let is_other = |id: &&ProcedureId| {
                callers[*id].iter().any(|(caller, is_repeated)| !is_repeated && !repeated.contains(caller))
            };
            let others: Vec<ProcedureId> = repeated.iter().filter(is_other).copied().collect();
            if others.is_empty() {
                return repeated;
            }
            others.iter().for_each(|id| {
                repeated.remove(id);
            });
        }
    }
}

/// Adds what can be reached through the edges.
fn close<'p>(
    set: &mut FxHashSet<HandlePlace>,
    edges: impl Iterator<Item = (&'p HandlePlace, &'p HandlePlace)>,
) {
    let mut next: FxHashMap<&HandlePlace, Vec<&HandlePlace>> = FxHashMap::default();
    for (from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let mut pending: Vec<HandlePlace> = set.iter().cloned().collect();
    while let Some(place) = pending.pop() {
        for &to in next.get(&place).into_iter().flatten() {
            if set.insert(to.clone()) {
                pending.push(to.clone());
            }
        }
    }
}
