//! Arguments of calls that a restart replays although they have returned.
//!
//! Input: a call block with substitutes.
//! Output: statements.
//! Postcondition: a replay of a returned call follows no pointer and no allocatable of the program for these arguments. A
//! call in which the restart continues gets the program's own.

use cppc_source::Span;

use super::expression::{is_normal, is_sent, Expr, Name, Operator, Source};
use super::statement::{Action, Statements};
use super::Writer;
use crate::model::Presence;
use crate::plan::{CallBlock, SavedMemberId, SubstituteKind, Substituted};

impl Writer<'_> {
    /// Captures the shapes, and asks whether the call is such a replay.
    pub(super) fn measure_substitutes(&self, block: &CallBlock, statements: &mut Statements) {
        let Some(flag) = block.is_repeated else { return };
        for one in &block.substitutes {
            let Some((extents, rank)) = self.extents_of(one) else { continue };
            let place = self.own(&one.place);
            let shape = match &one.kind {
                SubstituteKind::Elements { base, .. } => Expr::counted("SIZE", [self.own(base)]),
                SubstituteKind::Array { rank: 0, .. } => Expr::integer(0),
                _ => Expr::counted("SHAPE", [place.clone()]),
            };
            statements.assign(extents.clone(), Expr::Integer { value: -1, kind: None });
            let measure = Action::assign(extents.clone(), shape);
            match &one.kind {
                // The argument may be absent.
                SubstituteKind::Array { presence: Some(presence), .. } => {
                    let function = match presence {
                        Presence::Associated => "ASSOCIATED",
                        Presence::Allocated => "ALLOCATED",
                    };
                    let is_there = Expr::function(function, [place]);
                    statements.if_then(is_normal(), |inner| inner.when(is_there, measure));
                }
                _ => statements.when(is_normal(), measure),
            }
            let title = Expr::text(format!("shape of {}", self.text.written(one.place.span)));
            statements
                .call("CPPC_CAPTURE_ARRAY_INTEGER_8", [extents, Expr::count(rank.max(1).into()), title]);
        }
        self.ask(block, flag, statements);
    }

    /// The runtime reports a pointer that is null where the call continues, as it does for an array that is not allocated.
    fn ask(&self, block: &CallBlock, flag: SavedMemberId, statements: &mut Statements) {
        let flag = self.names.slot(flag);
        let (absent, there) = (Expr::count(-5), Expr::count(1));
        statements.assign(flag.clone(), is_sent());
        let mut pointers: Vec<&String> =
            block.substitutes.iter().filter_map(|one| one.unset.as_ref()).collect();
        pointers.dedup();
        if pointers.is_empty() {
            let asked = Expr::function("CPPC_LENDS", [Expr::text(" "), Expr::count(0), absent]);
            return statements.when(flag.clone(), Action::assign(flag, asked.not_zero()));
        }
        statements.if_then(flag.clone(), |inner| {
            for pointer in pointers {
                let is_set = Expr::function("ASSOCIATED", [Expr::bound(pointer)]);
                let upper = Expr::function("MERGE", [absent.clone(), there.clone(), is_set]);
                let asked = Expr::function("CPPC_LENDS", [Expr::text(pointer), there.clone(), upper]);
                inner.assign(flag.clone(), asked.not_zero());
            }
        });
    }

    /// The call as a replay with substitutes, or as in the source.
    pub(super) fn call_with_substitutes(
        &self,
        block: &CallBlock,
        flag: SavedMemberId,
        statements: &mut Statements,
    ) {
        let replay = |inner: &mut Statements| {
            let arrays = block.substitutes.iter().filter_map(|one| Some((one, self.extents_of(one)?)));
            let arrays: Vec<Expr> = arrays
                .map(|(one, (extents, rank))| {
                    let (array, extent) =
                        (self.names.slot(one.slot), |number| extents.clone().at([Expr::integer(number)]));
                    let is_there = extent(1).binary(Operator::AtLeast, Expr::integer(0));
                    let shape = (1..=rank).map(extent).collect();
                    inner.when(is_there, Action::Allocate(array.clone().shaped(shape)));
                    array
                })
                .collect();
            inner.push(self.valued(block, self.with_substitutes(block)));
            for array in arrays {
                inner.when(Expr::function("ALLOCATED", [array.clone()]), Action::Deallocate(array));
            }
        };
        statements.if_else(self.names.slot(flag), replay, |inner| {
            block.substitutes.iter().for_each(|one| self.put_value_back(one, inner));
            self.call_as_written(block, inner);
        });
    }

    fn with_substitutes(&self, block: &CallBlock) -> Source {
        let Source { span, mut holes } = self.source(&block.call);
        let is_replaced = |hole: Span| block.substitutes.iter().any(|one| one.place.span.contains(hole));
        holes.retain(|(hole, _)| !is_replaced(*hole));
        holes.extend(block.substitutes.iter().map(|one| (one.place.span, self.names.slot(one.slot))));
        holes.sort_by_key(|(hole, _)| hole.start);
        Source { span, holes }
    }

    /// The value that an argument had when the call began.
    fn put_value_back(&self, one: &Substituted, statements: &mut Statements) {
        let SubstituteKind::Value { goes_back: true } = one.kind else { return };
        let Some(code) = &self.plan.slots[one.slot.0].code else { return };
        let condition = match &one.unset {
            Some(pointer) => is_sent().and(Expr::function("ASSOCIATED", [Expr::bound(pointer)])),
            None => is_sent(),
        };
        let arguments = [self.own(&one.place), self.names.slot(one.slot)];
        statements.when(condition, Action::call(Name::of_type("CPPC_PUT_BACK", code), arguments));
    }

    /// The extents of a substitute that is an array, and its rank.
    fn extents_of(&self, one: &Substituted) -> Option<(Expr, u32)> {
        match &one.kind {
            SubstituteKind::Value { .. } => None,
            SubstituteKind::Array { extents, rank, .. } => Some((self.names.slot(*extents), *rank)),
            SubstituteKind::Elements { extents, .. } => Some((self.names.slot(*extents), 1)),
        }
    }
}
