//! How arguments are reached: the pointers and allocatables on their access paths.
//!
//! Input: the designator of an argument, and the dummy argument that receives it.
//! Output: what a replayed call can receive instead of the argument; nothing if there is no pointer or
//! allocatable on the access path.

use cppc_grammar::fortran::tree::{Expr, ExprKind};

use super::types::allocatable;
use super::{Builder, ProcedureContext};
use crate::bind::fortran::types::derived_of;
use crate::bind::fortran::visit::root;
use crate::bind::fortran::{Meaning, ScopeId, ScopeKind, Symbol, SymbolKind, Type, Typed};
use crate::model::{Class, Presence, Substitute, Through};

/// The object of a designator, and how it is reached.
#[derive(Clone, Copy)]
struct Path {
    is_pointer: bool,
    is_allocatable: bool,
    /// The number of pointers and allocatables that its access path follows.
    steps: u32,
}

impl Path {
    fn is_dynamic(self) -> bool {
        self.is_pointer || self.is_allocatable
    }

    /// How a program determines whether the object has memory.
    fn presence(self) -> Option<Presence> {
        match (self.is_pointer, self.is_allocatable) {
            (true, _) => Some(Presence::Associated),
            (false, true) => Some(Presence::Allocated),
            (false, false) => None,
        }
    }

    /// What is context of it.
    fn into_parts(self) -> u32 {
        self.steps + u32::from(self.is_dynamic())
    }
}

impl Builder<'_, '_> {
    pub(super) fn through(
        &self,
        expr: &Expr,
        scope: ScopeId,
        context: &ProcedureContext,
        dummy: Option<&Symbol>,
        is_lent: bool,
    ) -> Option<Through> {
        let path = self.path(expr, scope)?;
        let typed = self.bound.type_of(scope, expr);
        let is_scalar = typed.rank == Some(0);
        let moves = dummy.is_some_and(|dummy| dummy.is.allocatable || dummy.is.pointer);
        let steps = path.steps + u32::from(!moves && path.is_dynamic());
        if steps == 0 || (is_lent && steps == 1) {
            return None;
        }
        let takes_one = dummy.is_some_and(|dummy| dummy.is_variable() && dummy.shape.is_empty());
        // A null pointer means an absent argument, which has no value.
        let may_be_absent = is_scalar && path.is_dynamic() && dummy.is_some_and(|dummy| dummy.is.optional);
        let is_read = takes_one
            && is_scalar
            && typed.ty.code().is_some()
            && dummy.is_some_and(|dummy| (dummy.is.intent_in || dummy.is.value) && !dummy.is.target)
            && !moves
            && !may_be_absent;
        // A dummy argument that is allocatable accepts only allocatables.
        let needs_allocatable =
            may_be_absent || (path.is_allocatable && dummy.is_some_and(|dummy| dummy.is.allocatable));
        let rank = typed.rank.unwrap_or_default();
        let substitute = match (needs_allocatable, may_be_absent) {
            (true, _) if typed.ty.can_be_declared() => {
                Substitute::Array { rank, pattern: allocatable(typed.ty, rank), presence: path.presence() }
            }
            (_, true) => Substitute::None,
            _ => self.substitute(expr, path, typed, context, scope, moves, takes_one, steps),
        };
        Some(Through {
            unset: self.unset_pointer(expr, scope, context),
            is_read,
            is_written: dummy.is_some_and(|dummy| dummy.is.intent_out),
            substitute,
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn substitute(
        &self,
        expr: &Expr,
        path: Path,
        typed: Typed,
        context: &ProcedureContext,
        scope: ScopeId,
        moves: bool,
        takes_one: bool,
        steps: u32,
    ) -> Substitute {
        let value = self.value(typed, context);
        let begins_array =
            typed.rank == Some(0) && !takes_one && matches!(expr.kind, ExprKind::Reference { .. });
        let is_text = matches!(typed.ty, Type::Character { .. });
        match (value.class, value.pattern) {
            // The address of the memory, or of the descriptor.
            (Class::Record, _) if steps == 1 && !moves => Substitute::Address,
            _ if moves || typed.ty.code().is_none() => Substitute::None,
            _ if begins_array && !is_text => {
                self.elements(expr, typed, scope, context).unwrap_or(Substitute::None)
            }
            (Class::Arithmetic, Some(_)) if !begins_array => Substitute::Value,
            (Class::Dynamic { rank: 0, .. }, Some(_)) if !begins_array => Substitute::Value,
            (Class::Dynamic { rank, text: false }, Some(pattern)) => {
                Substitute::Array { rank, pattern, presence: path.presence() }
            }
            _ => Substitute::None,
        }
    }

    /// An element with which an array may begin.
    fn elements(
        &self,
        expr: &Expr,
        typed: Typed,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Option<Substitute> {
        let ExprKind::Reference { base, .. } = &expr.kind else { return None };
        self.bound.type_of(scope, base).rank.filter(|&rank| rank > 0)?;
        let pattern = self.value(Typed { rank: Some(1), ..typed }, context).pattern?;
        Some(Substitute::Elements { base: self.place(context, base.at)?, pattern })
    }

    fn path(&self, expr: &Expr, scope: ScopeId) -> Option<Path> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let symbol = self.bound.symbol(self.bound.lookup(scope, &name.text)?);
                let is = &symbol.is;
                let is_known = symbol.is_variable() && !is.construct && !is.coarray;
                is_known.then_some(Path { is_pointer: is.pointer, is_allocatable: is.allocatable, steps: 0 })
            }
            ExprKind::Component { base, name } => {
                let steps = self.path(base, scope)?.into_parts();
                let home = derived_of(self.bound.type_of(scope, base).ty)?;
                let (component, _) = self.bound.component_of(home, &name.text)?;
                Some(Path { is_pointer: component.pointer, is_allocatable: component.allocatable, steps })
            }
            ExprKind::Reference { base, arguments } => {
                let is_part = matches!(self.bound.meaning(scope, base, arguments), Meaning::Part(_));
                let steps = self.path(base, scope).filter(|_| is_part)?.into_parts();
                Some(Path { is_pointer: false, is_allocatable: false, steps })
            }
            _ => None,
        }
    }

    /// The pointer with which a designator begins, if only statements of the program set it, and no
    /// directive.
    fn unset_pointer(&self, expr: &Expr, scope: ScopeId, context: &ProcedureContext) -> Option<String> {
        let name = root(expr)?;
        let id = self.bound.lookup(scope, &name.text)?;
        let symbol = self.bound.symbol(id);
        let is = &symbol.is;
        let own = symbol.scope == context.procedure.scope
            && !matches!(self.bound.scope(symbol.scope).kind, ScopeKind::Module);
        let lives_on = is.dummy
            || is.save
            || is.initialised
            || is.result
            || symbol.common.is_some()
            || self.bound.is_static(id);
        let is_plain = matches!(symbol.kind, SymbolKind::Variable) && is.pointer && !is.equivalenced;
        (own && is_plain && !lives_on && !self.bound.registered.contains(&id)).then(|| symbol.name.clone())
    }
}
