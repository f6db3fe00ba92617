//! The code at the start of a procedure: hidden declarations, the frame, the dispatch.

use super::captures::extents;
use super::expression::{is_sent, next, Expr, Name, Type};
use super::statement::{Action, Declaration, Shape, Statements, Variable};
use super::Writer;
use crate::model::{FortranShape, FortranType, Pattern};
use crate::plan::fortran::HopId;
use crate::plan::SavedMemberId;

impl Writer<'_> {
    /// Declarations, after those of the program. `called`: the routines that the procedure calls.
    pub(super) fn declarations(&self, mut called: Vec<Name>) -> Statements {
        called.sort();
        called.dedup();
        let mut statements = Statements::default();
        statements.push(Declaration::Include("cppcf.h"));
        if self.frame.layout.declares_externals && !called.is_empty() {
            statements.push(Declaration::External(called));
        }
        self.hidden_variables().into_iter().for_each(|declaration| statements.push(declaration));
        if let Some(rank) = self.frame.followed_rank {
            statements.push(Declaration::of(Type::Count, &["LOWER", "UPPER"], Some(rank.max(1))));
        }
        if let Some(extents) = self.plan.slots.iter().filter_map(|slot| extents(slot.class)).max() {
            statements.push(Declaration::of(Type::Count, &["EXTENTS"], Some(extents.max(1))));
        }
        statements
    }

    /// The hidden variables, with one declaration for each type, in the order of the first use.
    fn hidden_variables(&self) -> Vec<Declaration> {
        let scalar = |word: &'static str| Variable { name: Name::hidden(word), shape: Shape::Scalar };
        let mut integers = vec![scalar("NEXT")];
        integers.extend(self.frame.followed_rank.map(|_| scalar("FOUND")));
        let mut list = vec![((FortranType::DefaultInteger, false), integers)];
        for (index, slot) in self.plan.slots.iter().enumerate() {
            let Some(name) = self.names.variable(SavedMemberId(index)) else { continue };
            let Pattern::Fortran { ty, shape } = slot.pattern else { continue };
            let (shape, is_allocatable) = match shape {
                FortranShape::Scalar => (Shape::Scalar, false),
                FortranShape::Extent(count) => (Shape::Extent(count), false),
                FortranShape::Allocatable { rank } => (Shape::Deferred { rank }, true),
            };
            let variable = Variable { name, shape };
            match list.iter_mut().find(|(known, _)| *known == (ty, is_allocatable)) {
                Some((_, variables)) => variables.push(variable),
                None => list.push(((ty, is_allocatable), vec![variable])),
            }
        }
        let declared = list.into_iter().map(|((ty, is_allocatable), variables)| Declaration::Variables {
            ty: Type::Hidden(ty),
            attributes: if is_allocatable { &["ALLOCATABLE"] } else { &[] },
            variables,
        });
        declared.collect()
    }

    /// Opens the frame. In a restart, jumps to the first block.
    pub(super) fn opening(&self) -> Statements {
        let mut statements = Statements::default();
        if self.plan.main {
            statements.call("CPPC_ARGUMENTS", []);
        }
        let arguments = [Expr::text(&self.plan.name), Expr::integer(self.plan.block_count())];
        statements.assign(next(), Expr::function("CPPC_ENTER", arguments));
        if let Some(slot) = self.frame.alternate {
            statements.assign(self.names.slot(slot), Expr::integer(0));
        }
        for name in &self.frame.unset {
            statements.when(is_sent(), Action::Nullify(Expr::bound(name)));
        }
        for variable in &self.plan.size_variables {
            let Some(code) = &variable.code else { continue };
            let routine = Name::of_type("CPPC_SIZE_VARIABLE", code);
            statements.call(routine, [Expr::bound(&variable.name), Expr::text(&variable.name)]);
        }
        statements.label(self.label(self.frame.dispatch));
        self.hop(HopId(0), false, &mut statements);
        statements
    }
}
