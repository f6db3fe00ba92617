//! What a name with a list in parentheses means: an element, a substring, a call, a constructor.
//!
//! Input: a reference and its scope.
//! Output: its meaning, generic names resolved by their arguments as far as these tell.
//! Postcondition: `Called::Known` has more than one procedure only when nothing tells them apart.

use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Expr, ExprKind, Operator};

use super::bound::Bound;
use super::built_in;
use super::ids::{ProcedureId, ScopeId, SymbolId, TypeId};
use super::intrinsics;
use super::symbols::{ProcedureTarget, SymbolKind};
use super::types::{derived_of, Length, Type, Typed};

/// What a reference means.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// An element, a section, a substring.
    Part(Typed),
    Call(Called),
    StatementFunction(SymbolId),
    Intrinsic(&'static str),
    Constructor(TypeId),
    Unknown,
}

/// Which procedure a call leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Called {
    /// One, or those that cannot be told apart.
    Known(Vec<ProcedureId>),
    /// Found by its name when the program is linked.
    External(SymbolId),
    /// A dummy argument, a pointer, or one that extensions of a type may replace.
    Indirect { interface: Option<ProcedureId>, symbol: Option<SymbolId> },
    /// Of a module that was not found, with the type of what it gives if that is known.
    Foreign(Type),
}

impl Bound<'_> {
    /// The meaning of `base(arguments)` in an expression.
    pub fn meaning(&self, scope: ScopeId, base: &Expr, arguments: &[Argument]) -> Meaning {
        match &base.kind {
            ExprKind::Name(name) => self.meaning_of_name(scope, &name.text, arguments),
            ExprKind::Component { base: object, name } => {
                self.meaning_of_component(scope, object, &name.text, arguments)
            }
            _ => {
                let inner = self.type_of(scope, base);
                match inner.ty {
                    Type::Character { kind, .. } => Meaning::Part(Typed {
                        ty: Type::Character { kind, length: Length::Varying },
                        rank: inner.rank,
                    }),
                    _ => Meaning::Unknown,
                }
            }
        }
    }

    fn meaning_of_name(&self, scope: ScopeId, name: &str, arguments: &[Argument]) -> Meaning {
        let Some(id) = self.lookup(scope, name) else {
            if let Some(id) = self.type_named(scope, name) {
                return Meaning::Constructor(id);
            }
            if let Some(name) = intrinsic_name(name) {
                return Meaning::Intrinsic(name);
            }
            return match self.opaque_module(scope, name) {
                Some(_) => Meaning::Call(Called::Foreign(built_in::type_of_foreign(name))),
                None => Meaning::Unknown,
            };
        };
        let symbol = self.symbol(id);
        match &symbol.kind {
            SymbolKind::Variable | SymbolKind::Constant(_) => {
                let own = Typed { ty: symbol.ty, rank: symbol.rank() };
                let character = matches!(symbol.ty, Type::Character { .. });
                if own.rank != Some(0) || character {
                    return Meaning::Part(self.part(scope, own, arguments));
                }
                // In a function, its name with arguments is a call.
                let own_name = self.procedure_of(scope).filter(|&id| self.procedure(id).name == name);
                match own_name.filter(|_| symbol.is.result) {
                    Some(id) => Meaning::Call(Called::Known(vec![id])),
                    None => match intrinsic_name(name).filter(|_| !symbol.is.dummy) {
                        Some(name) => Meaning::Intrinsic(name),
                        None => Meaning::Unknown,
                    },
                }
            }
            SymbolKind::Procedure(ProcedureTarget::Intrinsic) => {
                Meaning::Call(Called::Foreign(Type::Unknown))
            }
            SymbolKind::Procedure(target) => Meaning::Call(self.called(*target, id)),
            SymbolKind::Generic(_) => self.meaning_of_generic(scope, id, name, arguments),
            SymbolKind::StatementFunction { .. } => Meaning::StatementFunction(id),
            SymbolKind::Type(id) => Meaning::Constructor(*id),
            SymbolKind::Unknown => Meaning::Call(Called::Foreign(symbol.ty)),
            SymbolKind::Namelist | SymbolKind::Unit => Meaning::Unknown,
        }
    }

    fn called(&self, target: ProcedureTarget, id: SymbolId) -> Called {
        match target {
            ProcedureTarget::Known(id) => Called::Known(vec![id]),
            ProcedureTarget::External => Called::External(id),
            ProcedureTarget::Indirect(interface) => Called::Indirect { interface, symbol: Some(id) },
            ProcedureTarget::Intrinsic => Called::Foreign(Type::Unknown),
        }
    }

    fn meaning_of_generic(
        &self,
        scope: ScopeId,
        id: SymbolId,
        name: &str,
        arguments: &[Argument],
    ) -> Meaning {
        let found = self.resolve_generic(scope, id, arguments, None);
        if !found.is_empty() {
            return Meaning::Call(Called::Known(found));
        }
        // A generic may extend an intrinsic, or make objects of the type of its name.
        if let Some(id) = self.type_named(scope, name) {
            return Meaning::Constructor(id);
        }
        match intrinsic_name(name) {
            Some(name) => Meaning::Intrinsic(name),
            None => Meaning::Call(self.any_of(id)),
        }
    }

    /// What a generic name may mean when no procedure of it seems to fit.
    fn any_of(&self, generic: SymbolId) -> Called {
        let all = self.specific(generic);
        if all.is_empty() {
            Called::Foreign(Type::Unknown)
        } else {
            Called::Known(all)
        }
    }

    fn meaning_of_component(
        &self,
        scope: ScopeId,
        object: &Expr,
        name: &str,
        arguments: &[Argument],
    ) -> Meaning {
        let whole = self.type_of(scope, object);
        let Some(id) = derived_of(whole.ty) else {
            return match whole.ty {
                Type::Unknown => self.bound_anywhere(name).map_or(Meaning::Unknown, Meaning::Call),
                _ => Meaning::Part(Typed::UNKNOWN),
            };
        };
        if let Some((component, _)) = self.component_of(id, name) {
            if component.procedure {
                return Meaning::Call(Called::Indirect { interface: None, symbol: None });
            }
            let own = Typed { ty: component.ty, rank: Some(component.shape.len() as u32) };
            let part = self.part(scope, own, arguments);
            let rank = whole.rank.and_then(|outer| part.rank.map(|inner| inner + outer));
            return Meaning::Part(Typed { rank, ..part });
        }
        match self.resolve_binding(scope, object, name, arguments) {
            Some(called) => Meaning::Call(called),
            None => Meaning::Unknown,
        }
    }

    /// The type of `x(arguments)`, `x` being an array or a character variable.
    fn part(&self, scope: ScopeId, own: Typed, arguments: &[Argument]) -> Typed {
        if own.rank == Some(0) {
            let Type::Character { kind, .. } = own.ty else { return Typed::UNKNOWN };
            return Typed::scalar(Type::Character { kind, length: Length::Varying });
        }
        let mut rank = Some(0);
        for argument in arguments {
            let more = match &argument.kind {
                ArgumentKind::Range { .. } => Some(1),
                ArgumentKind::Value(value) => self.type_of(scope, value).rank,
                _ => None,
            };
            rank = rank.and_then(|rank: u32| more.map(|more| rank + more));
        }
        Typed { ty: own.ty, rank }
    }

    /// What `CALL procedure(arguments)` leads to.
    pub fn callee(&self, scope: ScopeId, procedure: &Expr, arguments: &[Argument]) -> Option<Called> {
        match &procedure.kind {
            ExprKind::Name(name) => {
                let Some(id) = self.lookup(scope, &name.text) else {
                    return match intrinsics::is_subroutine(&name.text) {
                        true => None,
                        false => Some(Called::Foreign(Type::Unknown)),
                    };
                };
                match &self.symbol(id).kind {
                    _ if self.symbol(id).is.intrinsic => None,
                    SymbolKind::Procedure(target) => Some(self.called(*target, id)),
                    SymbolKind::Generic(_) => {
                        let found = self.resolve_generic(scope, id, arguments, None);
                        Some(if found.is_empty() { self.any_of(id) } else { Called::Known(found) })
                    }
                    _ => Some(Called::Foreign(Type::Unknown)),
                }
            }
            ExprKind::Component { base, name } => {
                let ty = self.type_of(scope, base).ty;
                if let (Type::Unknown, Some(called)) = (ty, self.bound_anywhere(&name.text)) {
                    return Some(called);
                }
                let id = derived_of(ty);
                if id.and_then(|id| self.component_of(id, &name.text)).is_some() {
                    return Some(Called::Indirect { interface: None, symbol: None });
                }
                let found = self.resolve_binding(scope, base, &name.text, arguments);
                // A binding of an object whose type is not known may be anything.
                Some(found.unwrap_or(Called::Indirect { interface: None, symbol: None }))
            }
            _ => Some(Called::Indirect { interface: None, symbol: None }),
        }
    }

    /// `object%name(arguments)`, `name` being bound to the object's type.
    fn resolve_binding(
        &self,
        scope: ScopeId,
        object: &Expr,
        name: &str,
        arguments: &[Argument],
    ) -> Option<Called> {
        let whole = self.type_of(scope, object).ty;
        let id = derived_of(whole)?;
        let (binding, _) = self.binding_of(id, name)?;
        let names: Vec<&str> = match binding.generic {
            true => binding.targets.iter().map(String::as_str).collect(),
            false => vec![name],
        };
        let mut found = Vec::new();
        let mut replaced = false;
        for name in &names {
            let Some((one, home)) = self.binding_of(id, name) else { continue };
            let dynamic = matches!(whole, Type::Class(_));
            replaced |= dynamic && (one.deferred || self.is_overridden(home, name));
            let target = one.interface.as_ref().filter(|_| one.deferred).or_else(|| one.targets.first());
            let target = target.and_then(|target| self.procedure_named(self.derived(home).scope, target));
            found.extend(target.map(|target| (target, one.nopass, one.pass.clone())));
        }
        if binding.generic && found.len() > 1 {
            found.retain(|(target, nopass, pass)| {
                let passed = (!nopass).then(|| (whole, pass.clone()));
                self.accepts(scope, *target, arguments, passed.as_ref())
            });
        }
        if replaced || found.is_empty() {
            return Some(Called::Indirect { interface: found.first().map(|found| found.0), symbol: None });
        }
        Some(Called::Known(found.into_iter().map(|found| found.0).collect()))
    }

    fn is_overridden(&self, home: TypeId, name: &str) -> bool {
        let types =
            (0..self.types.len() as u32).map(TypeId).filter(|&id| id != home && self.extends(id, home));
        types.into_iter().any(|id| self.derived(id).bindings.iter().any(|binding| binding.name == name))
    }

    /// The procedure of a name in a scope, also when a generic has the same name.
    pub fn procedure_named(&self, scope: ScopeId, name: &str) -> Option<ProcedureId> {
        if let Some(id) = self.lookup(scope, name) {
            match self.symbol(id).kind {
                SymbolKind::Procedure(ProcedureTarget::Known(id)) => return Some(id),
                SymbolKind::Procedure(ProcedureTarget::External) => {
                    return self.externals.get(name).copied();
                }
                _ => {}
            }
        }
        let here = |index: &usize| {
            let procedure = &self.procedures[*index];
            let around = self.scope(procedure.scope).parent;
            procedure.name == name && around == Some(scope)
        };
        let index = (0..self.procedures.len()).find(here)?;
        Some(ProcedureId(index as u32))
    }

    /// The procedures of a generic name that take these arguments.
    pub(super) fn resolve_generic(
        &self,
        scope: ScopeId,
        generic: SymbolId,
        arguments: &[Argument],
        passed: Option<&(Type, Option<String>)>,
    ) -> Vec<ProcedureId> {
        let fits: Vec<ProcedureId> = self
            .specific(generic)
            .into_iter()
            .filter(|&id| self.accepts(scope, id, arguments, passed))
            .collect();
        // One that is not elemental goes before one that is.
        let plain: Vec<ProcedureId> = fits.iter().copied().filter(|&id| !self.is_elemental(id)).collect();
        if plain.is_empty() {
            fits
        } else {
            plain
        }
    }

    /// The procedures of a generic name.
    fn specific(&self, generic: SymbolId) -> Vec<ProcedureId> {
        let SymbolKind::Generic(specific) = &self.symbol(generic).kind else { return Vec::new() };
        let mut all: Vec<ProcedureId> =
            specific.iter().filter_map(|(home, name)| self.procedure_named(*home, name)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The procedures that are bound to any type under a name, for an object whose type is not known.
    fn bound_anywhere(&self, name: &str) -> Option<Called> {
        let mut all = Vec::new();
        for derived in &self.types {
            for binding in derived.bindings.iter().filter(|binding| binding.name == name && !binding.generic)
            {
                all.extend(
                    binding.targets.iter().filter_map(|target| self.procedure_named(derived.scope, target)),
                );
            }
        }
        all.sort_unstable();
        all.dedup();
        (!all.is_empty()).then_some(Called::Known(all))
    }

    pub(super) fn is_elemental(&self, id: ProcedureId) -> bool {
        let prefixes = &self.procedure(id).unit.prefixes;
        prefixes.iter().any(|prefix| matches!(prefix, cppc_grammar::fortran::tree::Prefix::Elemental))
    }

    /// Whether a procedure takes these arguments, as far as their types are known.
    fn accepts(
        &self,
        scope: ScopeId,
        id: ProcedureId,
        arguments: &[Argument],
        passed: Option<&(Type, Option<String>)>,
    ) -> bool {
        let procedure = self.procedure(id);
        let mut taken = vec![false; procedure.dummies.len()];
        if let Some((ty, name)) = passed {
            let position = name.as_ref().map_or(Some(0), |name| self.dummy_named(id, name));
            let Some(position) = position.filter(|&position| position < taken.len()) else { return false };
            let fits = procedure.dummies[position].is_none_or(|dummy| self.fits(*ty, self.symbol(dummy).ty));
            if !fits {
                return false;
            }
            taken[position] = true;
        }
        for argument in arguments {
            let position = match &argument.keyword {
                Some(name) => self.dummy_named(id, &name.text),
                None => taken.iter().position(|taken| !taken),
            };
            let Some(position) = position.filter(|&position| position < taken.len()) else { return false };
            taken[position] = true;
            let Some(dummy) = procedure.dummies[position] else { continue };
            if !self.fits_dummy(scope, argument, dummy, self.is_elemental(id)) {
                return false;
            }
        }
        let missing = procedure
            .dummies
            .iter()
            .zip(&taken)
            .any(|(dummy, taken)| !taken && dummy.is_some_and(|dummy| !self.symbol(dummy).is.optional));
        !missing
    }

    /// The position of a dummy argument of a procedure.
    pub fn dummy_named(&self, id: ProcedureId, name: &str) -> Option<usize> {
        let dummies = &self.procedure(id).dummies;
        dummies.iter().position(|dummy| dummy.is_some_and(|dummy| self.symbol(dummy).name == name))
    }

    fn fits_dummy(&self, scope: ScopeId, argument: &Argument, dummy: SymbolId, elemental: bool) -> bool {
        let ArgumentKind::Value(value) = &argument.kind else { return true };
        let wanted = self.symbol(dummy);
        if !wanted.is_variable() {
            return true;
        }
        let typed = self.type_of(scope, value);
        let rank = match (typed.rank, wanted.rank()) {
            (Some(actual), Some(wanted)) => actual == wanted || elemental,
            _ => true,
        };
        rank && self.fits(typed.ty, wanted.ty)
    }

    /// Whether something of the one type can be passed for the other.
    fn fits(&self, actual: Type, wanted: Type) -> bool {
        let (Some(one), Some(other)) = (derived_of(actual), derived_of(wanted)) else {
            return actual.fits(wanted);
        };
        // Types of modules that were not found are known by their names alone.
        let (first, second) = (self.derived(one), self.derived(other));
        let alike = (first.opaque || second.opaque) && first.name == second.name;
        let extended = matches!(wanted, Type::Class(_)) && self.extends(one, other);
        alike || extended || one == other
    }

    /// The procedures that an operator on these operands may lead to.
    pub fn operator_calls(
        &self,
        scope: ScopeId,
        operator: &Operator,
        operands: &[&Expr],
    ) -> Vec<ProcedureId> {
        let types: Vec<Typed> = operands.iter().map(|operand| self.type_of(scope, operand)).collect();
        self.operator_on(scope, operator, &types)
    }

    /// The same for operands of these types.
    pub(super) fn operator_on(
        &self,
        scope: ScopeId,
        operator: &Operator,
        types: &[Typed],
    ) -> Vec<ProcedureId> {
        let named = matches!(operator, Operator::Defined(_));
        if !named && types.iter().all(|typed| typed.ty.is_intrinsic()) {
            return Vec::new();
        }
        let mut found: Vec<ProcedureId> = operator_names(operator)
            .iter()
            .flat_map(|name| self.defined_by(&format!("operator({name})"), scope, types))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The procedures that an assignment to something of a derived type may lead to.
    pub fn assignment_calls(&self, scope: ScopeId, target: &Expr, value: &Expr) -> Vec<ProcedureId> {
        let types = [self.type_of(scope, target), self.type_of(scope, value)];
        if types.iter().all(|typed| typed.ty.is_intrinsic()) {
            return Vec::new();
        }
        self.defined_by("assignment(=)", scope, &types)
    }

    /// The procedures of an operator or of the assignment that take operands of these types.
    fn defined_by(&self, key: &str, scope: ScopeId, types: &[Typed]) -> Vec<ProcedureId> {
        let mut found = Vec::new();
        if let Some(SymbolKind::Generic(specific)) = self.lookup(scope, key).map(|id| &self.symbol(id).kind) {
            found.extend(specific.iter().filter_map(|(home, name)| self.procedure_named(*home, name)));
        }
        for id in types.iter().filter_map(|typed| derived_of(typed.ty)) {
            let Some((binding, home)) = self.binding_of(id, key) else { continue };
            for target in &binding.targets {
                let bound = self.binding_of(id, target).and_then(|(bound, _)| bound.targets.first());
                let name = bound.unwrap_or(target);
                found.extend(self.procedure_named(self.derived(home).scope, name));
            }
        }
        found.retain(|&id| {
            let dummies = &self.procedure(id).dummies;
            let fits = |(dummy, typed): (&Option<SymbolId>, &Typed)| {
                dummy.is_none_or(|dummy| self.fits(typed.ty, self.symbol(dummy).ty))
            };
            dummies.len() == types.len() && dummies.iter().zip(types).all(fits)
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The procedures of a generic name for objects of a type, such as `write(formatted)`: of the type, of its extensions, and
    /// of interfaces.
    pub fn defined_for(&self, scope: ScopeId, id: TypeId, key: &str) -> Vec<ProcedureId> {
        let mut found = Vec::new();
        if let Some(SymbolKind::Generic(specific)) = self.lookup(scope, key).map(|id| &self.symbol(id).kind) {
            let named = specific.iter().filter_map(|(home, name)| self.procedure_named(*home, name));
            found.extend(named.filter(|&one| {
                let first = self.procedure(one).dummies.first().copied().flatten();
                first.is_none_or(|dummy| self.fits(Type::Derived(id), self.symbol(dummy).ty))
            }));
        }
        let types = (0..self.types.len() as u32).map(TypeId);
        for ty in types.filter(|&ty| self.extends(ty, id)) {
            found.extend(self.bound_to(ty, key));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The assignments that are bound to a type, for two objects of this type.
    pub fn assignments_of(&self, id: TypeId) -> Vec<ProcedureId> {
        let mut found = self.bound_to(id, "assignment(=)");
        found.retain(|&one| {
            let dummies = &self.procedure(one).dummies;
            let fits = |dummy: &Option<SymbolId>| {
                dummy.is_none_or(|dummy| self.fits(Type::Derived(id), self.symbol(dummy).ty))
            };
            dummies.len() == 2 && dummies.iter().all(fits)
        });
        found
    }

    /// The procedures that a generic name of a type means.
    fn bound_to(&self, id: TypeId, key: &str) -> Vec<ProcedureId> {
        let Some((binding, home)) = self.binding_of(id, key) else { return Vec::new() };
        let of_target = |target: &String| {
            let (name, home) = match self.binding_of(id, target) {
                Some((bound, own)) => (bound.targets.first().unwrap_or(target), own),
                None => (target, home),
            };
            self.procedure_named(self.derived(home).scope, name)
        };
        binding.targets.iter().filter_map(of_target).collect()
    }

    /// Whether a name means an intrinsic procedure here.
    pub(super) fn is_intrinsic_here(&self, scope: ScopeId, name: &str) -> bool {
        match self.lookup(scope, name) {
            None => intrinsics::is_function(name),
            Some(id) => {
                let symbol = self.symbol(id);
                let plain = symbol.is_variable() && symbol.shape.is_empty() && !symbol.is.dummy;
                intrinsics::is_function(name) && (symbol.is.intrinsic || plain)
            }
        }
    }
}

/// The name in the table, which lives on.
fn intrinsic_name(name: &str) -> Option<&'static str> {
    intrinsics::known(name)
}

/// How an operator is written in an interface, in all its ways.
fn operator_names(operator: &Operator) -> Vec<String> {
    let names: &[&str] = match operator {
        Operator::Add => &["+"],
        Operator::Subtract => &["-"],
        Operator::Multiply => &["*"],
        Operator::Divide => &["/"],
        Operator::Power => &["**"],
        Operator::Concatenate => &["//"],
        Operator::Equal => &["==", ".eq."],
        Operator::NotEqual => &["/=", ".ne."],
        Operator::Less => &["<", ".lt."],
        Operator::LessEqual => &["<=", ".le."],
        Operator::Greater => &[">", ".gt."],
        Operator::GreaterEqual => &[">=", ".ge."],
        Operator::Not => &[".not."],
        Operator::And => &[".and."],
        Operator::Or => &[".or."],
        Operator::Equivalent => &[".eqv."],
        Operator::NotEquivalent => &[".neqv."],
        Operator::Defined(name) => return vec![format!(".{}.", name.trim_matches('.').to_ascii_lowercase())],
    };
    names.iter().map(|&name| name.to_owned()).collect()
}
