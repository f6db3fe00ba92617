//! Arguments of calls in Fortran that a restart repeats.
//!
//! Input: an argument.
//! Output: its captures, the argument that is passed instead of it, and temporary memory for it.
//! Postcondition: a replay evaluates no argument whose memory may not exist.

use cppc_source::Diagnostic;

use crate::model::{
    Expression, ExpressionKind, FortranShape, FortranType, LocalArray, Pattern, Substitute, Through,
};
use crate::plan::builder::PlanBuilder;
use crate::plan::{
    CallBlock, CapturedMember, Fragment, Hole, InPlace, Pointers, Role, SavedMemberId, SavedMemberKind,
    SubstituteKind, Substituted, TemporaryArgument,
};

impl PlanBuilder<'_> {
    /// An argument of Fortran. One element is captured in place, after the values from which its address is
    /// computed. The value of an expression is captured in a slot.
    pub(super) fn prepare_reference(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let nature = argument.nature;
        if nature.constant {
            return holes;
        }
        if nature.stale_handle {
            self.warn_stale(argument);
        }
        if let Some(through) =
            argument.through.as_deref().filter(|_| argument.place.is_some() && !nature.handle)
        {
            if through.is_read {
                return self.capture_value(argument, holes, block);
            }
            if (block.may_be_repeated || through.unset.is_some()) && !self.branches {
                return self.substitute(argument, through, holes, block);
            }
        }
        if nature.by_reference || nature.object || nature.handle {
            let holes = self.prepare_parts(argument, holes, false, block);
            if let (true, false, Some(span), Some(code)) =
                (nature.by_reference, nature.handle, argument.place, &argument.ty.code)
            {
                let place = Fragment { span, holes: holes.clone() };
                block.in_place.push(InPlace { place, code: code.clone() });
            }
            return holes;
        }
        if argument.ty.pattern.is_some() {
            return self.capture_value(argument, holes, block);
        }
        if !nature.composed && depends_on_memory(argument) {
            self.warn_unknown(argument);
        }
        self.prepare_parts(argument, holes, false, block)
    }

    /// Replaces an argument that a replay of a returned call must not evaluate, because its memory may not
    /// exist.
    fn substitute(
        &mut self,
        argument: &Expression,
        through: &Through,
        holes: Vec<Hole>,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let holes = self.prepare_parts(argument, holes, false, block);
        let Some(place) = self.fragment(argument, holes.clone()) else { return holes };
        let (slot, kind) = match &through.substitute {
            Substitute::Value => {
                let Some(slot) = self.new_slot(argument, SavedMemberKind::Argument) else { return holes };
                if !through.is_written {
                    block.captures.push(CapturedMember {
                        slot,
                        source: argument.anchor,
                        pointers: Pointers::Known,
                    });
                    block.arguments.push((slot, place.clone()));
                }
                (slot, SubstituteKind::Value { goes_back: !through.is_written })
            }
            Substitute::Array { rank, pattern, presence } => {
                let (slot, extents) = self.substitute_array(pattern, *rank);
                (slot, SubstituteKind::Array { extents, rank: *rank, presence: *presence })
            }
            Substitute::Elements { base, pattern } => {
                let (slot, extents) = self.substitute_array(pattern, 1);
                let inside = holes.iter().filter(|hole| base.contains(hole.span)).cloned().collect();
                (slot, SubstituteKind::Elements { extents, base: Fragment { span: *base, holes: inside } })
            }
            Substitute::Address => return holes,
            Substitute::None => {
                if block.may_be_repeated {
                    self.warn_through(argument);
                }
                return holes;
            }
        };
        if block.is_repeated.is_none() {
            let known = self.is_repeated;
            let flag = known.unwrap_or_else(|| self.hidden(Role::Repeated, Pattern::FORTRAN_LOGICAL));
            self.is_repeated = Some(flag);
            block.is_repeated = Some(flag);
        }
        self.unset.extend(through.unset.clone());
        block.substitutes.push(Substituted { place, unset: through.unset.clone(), slot, kind });
        holes
    }

    fn substitute_array(&mut self, pattern: &Pattern, rank: u32) -> (SavedMemberId, SavedMemberId) {
        let slot = self.hidden(Role::Substitute, pattern.clone());
        (slot, self.hidden(Role::Shape, counts(rank.max(1))))
    }

    /// A returned call may be replayed for a block below it. At that time, the array may not be allocated.
    /// Then it gets temporary memory.
    pub(super) fn lend(&mut self, array: &LocalArray, block: &mut CallBlock) {
        if block.lent.iter().any(|lent| lent.array == *array) {
            return;
        }
        if let Some(known) = self.lent.iter().find(|lent| lent.array == *array) {
            return block.lent.push(known.clone());
        }
        let bounds = self.hidden(Role::Bounds, counts(2 * array.rank));
        let is_lent = self.hidden(Role::Lent, Pattern::FORTRAN_LOGICAL);
        let lent = TemporaryArgument { array: array.clone(), bounds, is_lent };
        self.lent.push(lent.clone());
        block.lent.push(lent);
    }

    fn warn_through(&mut self, argument: &Expression) {
        let message = "this argument is evaluated again on a restart";
        self.diagnostics.push(
            Diagnostic::warning("C0512", argument.anchor, message)
                .because("it is reached through a pointer or an allocatable, and no variable of its type can be declared")
                .note("a restart repeats this call for an execute block or a register below it, also after it has returned: the pointers that lead to the argument must be set then")
                .help("set and register the pointers that lead to it before this call, and keep them until the end of the program"),
        );
    }

    fn warn_stale(&mut self, argument: &Expression) {
        let message =
            "this argument is a handle of a library, and a restart passes its value of the lost run";
        self.diagnostics.push(
            Diagnostic::warning("C0433", argument.anchor, message)
                .because("its value is not valid in the next run")
                .note("some statements that set it are neither in an `execute` block nor before `init`")
                .help("set it in `execute` blocks only"),
        );
    }

    fn warn_unknown(&mut self, argument: &Expression) {
        let message = "this argument is evaluated again on a restart";
        self.diagnostics.push(
            Diagnostic::warning("C0512", argument.anchor, message)
                .because("it is not a variable, and no variable can be declared for its value")
                .note(
                    "the variables that it depends on must have the same values when the program is resumed",
                )
                .help("assign it to a variable before the call, and pass and register this variable"),
        );
    }
}

/// The type of numbers of elements and of bounds.
fn counts(count: u32) -> Pattern {
    Pattern::Fortran { ty: FortranType::Count, shape: FortranShape::Extent(count) }
}

/// Whether the value may differ from one time to the next.
fn depends_on_memory(expression: &Expression) -> bool {
    let nature = expression.nature;
    let leaf = matches!(expression.kind, ExpressionKind::Leaf);
    let calls = matches!(expression.kind, ExpressionKind::Call { .. } | ExpressionKind::Statements(_));
    calls || (leaf && !nature.constant) || expression.children().into_iter().any(depends_on_memory)
}
