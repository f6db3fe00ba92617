//! Arguments that a compiler copies for a call: what a procedure changes in a copy before its checkpoint is not in what is
//! saved.
//!
//! Input: the arguments of all calls, the pointers that are set, and the names that stand for parts of variables.
//! Output: diagnostics.
//! Postcondition: an array of assumed shape, or a pointer, counts as contiguous if nothing in the program gives it other
//! elements.
//!
//! | code | what |
//! |---|---|
//! | C0457 | warning: a called procedure changes a copy, and the original is registered |
//! | C0452 | error: a registered pointer to parts of elements |

use cppc_grammar::fortran::tree::{
    Argument, ArgumentKind, Bound as Extent, Construct, ConstructKind, Expr, ExprKind, Name,
};
use cppc_source::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bound::{Bound, DirectiveKind};
use super::ids::{ProcedureId, ScopeId, SymbolId};
use super::repointed::Pointer;
use super::resolve::{Called, Meaning};
use super::sections::Layout;
use super::visit::root;

/// How values get from one variable to another without a copy in the program's text.
#[derive(Default)]
pub(super) struct Associations {
    actuals: Vec<Actual>,
    targets: Vec<Target>,
    /// Variables that are passed to procedures without source.
    changed: Vec<SymbolId>,
}

/// An actual argument that is a variable, or a part of one.
struct Actual {
    callee: ProcedureId,
    dummy: SymbolId,
    variable: SymbolId,
    elements: Elements,
    /// The pointer that it is.
    pointer: Option<Pointer>,
    span: Span,
}

/// A pointer, or a name of a construct, that stands for other memory.
struct Target {
    name: SymbolId,
    pointer: Pointer,
    /// None for what a function gives.
    variable: Option<SymbolId>,
    elements: Elements,
    span: Span,
}

/// The layout of elements, which is at least that of another array.
pub(super) struct Elements {
    layout: Layout,
    array: Option<Pointer>,
}

/// Which elements a dummy argument takes.
#[derive(PartialEq, Eq)]
enum Accepts {
    /// One after the other.
    Contiguous,
    /// With gaps between them.
    Strided,
    /// Nothing is copied for it.
    Other,
}

impl<'a> Bound<'a> {
    /// Notes an argument of a call for the dummy arguments of all procedures that it may reach.
    pub(super) fn note_actual(
        &self,
        scope: ScopeId,
        (designator, called, definition): (&Expr, &Called, Option<ProcedureId>),
        (argument, index): (&Argument, usize),
        (position, dummy): (Option<usize>, Option<SymbolId>),
        found: &mut Associations,
    ) {
        let ArgumentKind::Value(expr) = &argument.kind else { return };
        let Some(elements) = self.elements_of(scope, expr) else { return };
        let Some(variable) = root(expr).and_then(|name| self.lookup(scope, &name.text)) else { return };
        if !self.symbol(variable).is_variable() {
            return;
        }
        let receivers = self.receivers(called, definition);
        if receivers.is_empty() && dummy.is_none_or(|dummy| !self.keeps_its_value(dummy)) {
            found.changed.push(variable);
        }
        for callee in receivers {
            let position = position.or_else(|| self.position_of(scope, designator, callee, argument, index));
            let dummy = position.and_then(|position| self.procedure(callee).dummies.get(position).copied());
            if let Some(dummy) = dummy.flatten() {
                let elements = Elements { layout: elements.layout, array: elements.array.clone() };
                let pointer = self.pointer(scope, expr).map(|(pointer, _)| pointer);
                let span = self.anchor(self.scope(scope).source, expr.at);
                found.actuals.push(Actual { callee, dummy, variable, elements, pointer, span });
            }
        }
    }

    /// Through a pointer, any procedure may be called that is passed on.
    fn receivers(&self, called: &Called, definition: Option<ProcedureId>) -> Vec<ProcedureId> {
        match called {
            Called::Indirect { interface, .. } => {
                let count = interface.map(|id| self.procedure(id).dummies.len());
                let is_possible = |id: &ProcedureId| {
                    let procedure = self.procedure(*id);
                    let fits = count.is_none_or(|count| count == procedure.dummies.len());
                    procedure.has_body && procedure.escapes && fits
                };
                (0..self.procedures.len() as u32).map(ProcedureId).filter(is_possible).collect()
            }
            Called::Known(_) | Called::External(_) | Called::Foreign(_) => definition.into_iter().collect(),
        }
    }

    /// `target => value`
    pub(super) fn note_target(&self, scope: ScopeId, target: &Expr, value: &Expr, found: &mut Associations) {
        // `p(1:n) => a`
        let whole = match &target.kind {
            ExprKind::Reference { base, .. } => base,
            _ => target,
        };
        let Some((pointer, _)) = self.pointer(scope, whole) else { return };
        let Some(name) = root(whole).and_then(|name| self.lookup(scope, &name.text)) else { return };
        self.note_association(scope, name, pointer, value, found);
    }

    /// The names of a construct that stand for its selectors. `inner` is the scope of one part.
    pub(super) fn note_selectors(
        &self,
        scope: ScopeId,
        inner: ScopeId,
        construct: &Construct,
        found: &mut Associations,
    ) {
        for (id, value) in self.selectors(inner, construct) {
            self.note_association(scope, id, Pointer::Variable(id), value, found);
        }
    }

    /// The names that a construct declares in one of its parts, each with its selector.
    pub(super) fn selectors<'c>(
        &self,
        inner: ScopeId,
        construct: &'c Construct,
    ) -> Vec<(SymbolId, &'c Expr)> {
        let written: Vec<(&Name, &Expr)> = match &construct.kind {
            ConstructKind::Associate { associations } => {
                associations.iter().map(|(name, value)| (name, value)).collect()
            }
            ConstructKind::SelectType { selector, associate }
            | ConstructKind::SelectRank { selector, associate } => {
                let name = associate.as_ref().or_else(|| root(selector));
                name.into_iter().map(|name| (name, selector)).collect()
            }
            ConstructKind::If
            | ConstructKind::SelectCase { .. }
            | ConstructKind::Do(_)
            | ConstructKind::Block
            | ConstructKind::Masked { .. }
            | ConstructKind::Critical
            | ConstructKind::ChangeTeam { .. } => Vec::new(),
        };
        let declared = &self.scope(inner).names;
        written.into_iter().filter_map(|(name, value)| Some((*declared.get(&name.text)?, value))).collect()
    }

    fn note_association(
        &self,
        scope: ScopeId,
        name: SymbolId,
        pointer: Pointer,
        value: &Expr,
        found: &mut Associations,
    ) {
        let own = self.elements_of(scope, value);
        let variable = root(value).filter(|_| own.is_some()).and_then(|root| self.lookup(scope, &root.text));
        // `null()` gives no elements.
        let Some(elements) = own.or_else(|| self.elements_of_result(scope, value)) else { return };
        let span = self.anchor(self.scope(scope).source, value.at);
        found.targets.push(Target { name, pointer, variable, elements, span });
    }

    /// The elements of a variable, or of a part of one.
    fn elements_of(&self, scope: ScopeId, expr: &Expr) -> Option<Elements> {
        let layout = self.layout(scope, expr)?;
        let mut array = expr;
        while let ExprKind::Reference { base, .. } = &array.kind {
            array = base;
        }
        // An element stands for the elements that follow it in its array.
        let is_many = self.denotes_many(scope, expr);
        let array = match &array.kind {
            _ if !is_many => None,
            ExprKind::Name(name) => {
                let id = self.lookup(scope, &name.text)?;
                let symbol = self.symbol(id);
                let is_own = symbol.is.pointer || symbol.may_have_gaps() || symbol.is.construct;
                (is_own && !symbol.is.contiguous).then_some(Pointer::Variable(id))
            }
            _ => self.pointer(scope, array).map(|(pointer, _)| pointer),
        };
        Some(Elements { layout, array })
    }

    /// Of the pointer that a function gives.
    fn elements_of_result(&self, scope: ScopeId, expr: &Expr) -> Option<Elements> {
        let ExprKind::Reference { base, arguments } = &expr.kind else { return None };
        let Meaning::Call(called) = self.meaning(scope, base, arguments) else { return None };
        let result = match called {
            Called::Known(ids) => {
                let definition = ids.into_iter().find_map(|id| self.with_body(id));
                definition.and_then(|id| self.procedure(id).result)
            }
            Called::External(_) | Called::Indirect { .. } | Called::Foreign(_) => None,
        };
        Some(Elements { layout: Layout::Contiguous, array: result.map(Pointer::Variable) })
    }

    /// Of each pointer and each array of assumed shape, the worst layout that the program gives it.
    fn layouts(&self, found: &Associations) -> Layouts {
        let mut layouts = Layouts::default();
        let mut growing = true;
        while std::mem::take(&mut growing) {
            for Target { pointer, elements, .. } in &found.targets {
                growing |= layouts.add(pointer, layouts.of(elements));
            }
            for Actual { dummy, elements, pointer, .. } in &found.actuals {
                let symbol = self.symbol(*dummy);
                let array = Pointer::Variable(*dummy);
                if symbol.is.pointer {
                    growing |= layouts.add(&array, layouts.of(elements));
                    if let Some(pointer) = pointer {
                        growing |= layouts.add(pointer, layouts.of_array(&array));
                    }
                } else if symbol.may_have_gaps() {
                    // Compilers differ: the parts are copied, or they have gaps here.
                    growing |= layouts.add(&array, layouts.of(elements).min(Layout::Gaps));
                }
            }
        }
        layouts
    }

    /// Nothing that happens to the dummy argument changes the actual argument.
    fn keeps_its_value(&self, dummy: SymbolId) -> bool {
        let is = &self.symbol(dummy).is;
        is.intent_in || is.value
    }

    fn elements_accepted_by(&self, dummy: SymbolId) -> Accepts {
        let symbol = self.symbol(dummy);
        let first = match symbol.shape.first() {
            Some(first) if !symbol.is.pointer && !symbol.is.allocatable => first,
            _ => return Accepts::Other,
        };
        match first {
            Extent::Explicit { .. } | Extent::AssumedSize { .. } => Accepts::Contiguous,
            Extent::AssumedShape { .. } | Extent::AssumedRank if symbol.is.contiguous => Accepts::Contiguous,
            Extent::AssumedShape { .. } | Extent::AssumedRank => Accepts::Strided,
        }
    }

    /// The registered variables, and what stands for them or for parts of them.
    fn registered_parts(&self, found: &Associations) -> FxHashSet<SymbolId> {
        let mut parts: FxHashSet<SymbolId> = self.registered.iter().copied().collect();
        if parts.is_empty() {
            return parts;
        }
        parts.extend(
            found.targets.iter().filter(|target| target.variable.is_none()).map(|target| target.name),
        );
        self.add_shared(&mut parts);
        let mut growing = true;
        while std::mem::take(&mut growing) {
            for Actual { variable, dummy, .. } in &found.actuals {
                growing |= parts.contains(variable) && parts.insert(*dummy);
            }
            for Target { name, variable, .. } in &found.targets {
                growing |= variable.is_some_and(|variable| parts.contains(&variable)) && parts.insert(*name);
            }
        }
        parts
    }

    /// Adds the variables that share memory with these.
    fn add_shared(&self, parts: &mut FxHashSet<SymbolId>) {
        let equivalences = || self.scopes.iter().flat_map(|scope| &scope.equivalences);
        let mut growing = true;
        while std::mem::take(&mut growing) {
            let blocks: FxHashSet<String> =
                parts.iter().filter_map(|id| self.symbol(*id).common.clone()).collect();
            let in_blocks = self
                .symbols
                .iter()
                .enumerate()
                .filter(|(_, symbol)| symbol.common.as_ref().is_some_and(|block| blocks.contains(block)));
            let before = parts.len();
            parts.extend(in_blocks.map(|(index, _)| SymbolId(index as u32)));
            for set in equivalences() {
                if set.iter().any(|id| parts.contains(id)) {
                    parts.extend(set);
                }
            }
            growing = parts.len() > before;
        }
    }

    /// The variables of which a part is changed, by a statement or below a call.
    fn changed_parts(&self, found: &Associations, changed: &FxHashSet<SymbolId>) -> FxHashSet<SymbolId> {
        let mut parts = changed.clone();
        parts.extend(&found.changed);
        let mut growing = true;
        while std::mem::take(&mut growing) {
            for Actual { variable, dummy, .. } in &found.actuals {
                let is_changed = !self.keeps_its_value(*dummy) && parts.contains(dummy);
                growing |= is_changed && parts.insert(*variable);
            }
            for Target { name, variable, .. } in &found.targets {
                let Some(variable) = variable.filter(|_| parts.contains(name)) else { continue };
                growing |= parts.insert(variable);
            }
        }
        parts
    }

    /// `changed` are the variables that statements or procedures without source change.
    pub(super) fn warn_of_copies(
        &mut self,
        found: &Associations,
        changed: &FxHashSet<SymbolId>,
        on_the_way: &FxHashSet<ProcedureId>,
    ) {
        if on_the_way.is_empty() {
            return;
        }
        let layouts = self.layouts(found);
        self.refuse_pointers_to_parts(found, &layouts);
        let registered = self.registered_parts(found);
        let changed = self.changed_parts(found, changed);
        let mut seen = FxHashSet::default();
        let mut warnings = Vec::new();
        for actual in &found.actuals {
            let layout = layouts.of(&actual.elements);
            let accepts = self.elements_accepted_by(actual.dummy);
            let is_copied = match accepts {
                Accepts::Contiguous => layout > Layout::Contiguous,
                Accepts::Strided => layout > Layout::Gaps,
                Accepts::Other => false,
            };
            let is_lost = is_copied
                && on_the_way.contains(&actual.callee)
                && registered.contains(&actual.variable)
                && changed.contains(&actual.dummy)
                && !self.keeps_its_value(actual.dummy)
                && !self.registered.contains(&actual.dummy);
            if is_lost && seen.insert(actual.span) {
                warnings.push(self.lost_copy(actual, layout));
            }
        }
        self.diagnostics.extend(warnings);
    }

    /// The runtime cannot find such elements: a descriptor has the distance between them in another unit, and
    /// `IS_CONTIGUOUS` of gfortran does not read it.
    fn refuse_pointers_to_parts(&mut self, found: &Associations, layouts: &Layouts) {
        let mut errors = Vec::new();
        for directive in self.directives.values() {
            let DirectiveKind::Register(items) = &directive.kind else { continue };
            for item in items.iter().filter(|item| item.pointer && item.graph.is_none()) {
                let component = item.name.rsplit_once('%').and_then(|(_, name)| name.split('(').next());
                let pointer = match component {
                    Some(name) if !item.is_name => Pointer::Component(name.trim().to_owned()),
                    _ => Pointer::Variable(item.root),
                };
                if layouts.of_array(&pointer) < Layout::Parts {
                    continue;
                }
                let name = if item.is_name { &self.symbol(item.root).name } else { &item.name };
                let message = format!("the elements of `{name}` are not contiguous");
                let because = "it may point to a component or a substring of each element of an array";
                let mut error = Diagnostic::error("C0452", item.span, message).because(because);
                let set = found.targets.iter().find(|target| {
                    target.pointer == pointer && layouts.of(&target.elements) == Layout::Parts
                });
                if let Some(target) = set {
                    error = error.label(target.span, "it is set here");
                }
                errors.push(
                    error.help(
                        "register the array, and set the pointer before `init` or in an `execute` block",
                    ),
                );
            }
        }
        self.diagnostics.extend(errors);
    }

    fn lost_copy(&self, actual: &Actual, layout: Layout) -> Diagnostic {
        let (dummy, there) = (self.symbol(actual.dummy), &self.procedure(actual.callee).name);
        let name = &dummy.name;
        let because = match actual.elements.layout > Layout::Contiguous {
            true => "its elements are not contiguous",
            false => "its elements may not be contiguous",
        };
        let message = format!("`{there}` gets a copy of this argument, but the original is registered");
        let register = format!("register `{name}` in `{there}`");
        let help = match layout {
            Layout::Parts if self.elements_accepted_by(actual.dummy) == Accepts::Strided => {
                format!("declare `{name}` in `{there}` as `contiguous`, and register it there")
            }
            Layout::Parts => register,
            _ if dummy.is.contiguous => format!("{register}, or declare it there without `contiguous`"),
            Layout::Contiguous | Layout::Gaps => {
                format!("{register}, or declare it there as an array of assumed shape")
            }
        };
        Diagnostic::warning("C0457", actual.span, message)
            .because(because)
            .note(format!("a restart loses changes that `{there}` makes before a checkpoint"))
            .help(help)
    }
}

#[derive(Default)]
struct Layouts(FxHashMap<Pointer, Layout>);

impl Layouts {
    fn of_array(&self, array: &Pointer) -> Layout {
        self.0.get(array).copied().unwrap_or(Layout::Contiguous)
    }

    fn of(&self, elements: &Elements) -> Layout {
        let array = elements.array.as_ref().map_or(Layout::Contiguous, |array| self.of_array(array));
        elements.layout.max(array)
    }

    /// Whether the layout is worse than that known before.
    fn add(&mut self, array: &Pointer, layout: Layout) -> bool {
        let is_worse = layout > self.of_array(array);
        if is_worse {
            self.0.insert(array.clone(), layout);
        }
        is_worse
    }
}
