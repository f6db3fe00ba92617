//! The procedure that is being lowered.

use std::collections::VecDeque;

use cppc_analysis::builder::{ProcedureBuilder, ProgramBuilder};
use cppc_analysis::program::{Access, BlockId, Content, OperationKind, Value, VariableId};
use cppc_grammar::c::token::Name;
use cppc_grammar::c::tree::{ExprId, Range};
use cppc_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::lvalue::Lvalue;
use super::unit::UnitContext;
use crate::bind::c::{self as bind, SymbolId, Type};

pub(super) struct Body<'b, 'a, 'p> {
    pub unit: &'b mut UnitContext<'a>,
    pub builder: ProcedureBuilder<'p>,
    /// `None` for the procedure that sets the initial values of statics.
    pub procedure: Option<bind::ProcedureId>,
    pub result: Option<VariableId>,
    /// The targets of `break` and `continue`, innermost last. A `switch` has no target for `continue`.
    pub targets: Vec<(Target, Option<Target>)>,
    /// The variables with the attribute `cleanup` whose scopes are open, innermost last.
    pub cleanups: Vec<Cleanup>,
    pub switches: Vec<Switch>,
    /// The blocks of labels, by name. There are several if `__label__` declares a name again, innermost last.
    pub labels: FxHashMap<Name, Vec<BlockId>>,
    /// The names that `__label__` has declared.
    pub local_names: FxHashSet<Name>,
    /// Blocks that `goto *p` can reach. None if it does not occur.
    pub computed: Vec<BlockId>,
    /// The blocks at which control may continue after a call, in addition to the next operation: those after
    /// calls of `setjmp`, and those of labels to which nested functions jump.
    pub returns: Vec<BlockId>,
    /// The block after each call of a procedure that returns twice.
    pub setjmps: FxHashMap<ExprId, BlockId>,
    /// The first tokens of the calls, in order.
    pub calls: Vec<u32>,
    /// The tokens at which variables are set, in order.
    pub sets: FxHashMap<SymbolId, Vec<u32>>,
    /// The indices of directives that are not lowered yet, in text order.
    pub directives: VecDeque<usize>,
    /// The local variables that the current expression has read so far.
    pub evaluated: Vec<(Access, Range)>,
    /// The integer variables that contain an address, or a number that is computed from its bits.
    pub address_numbers: FxHashMap<SymbolId, AddressNumber>,
    /// The item of a directive that is being lowered. The ranges of its expressions are not those of the unit.
    pub item: Option<(String, Span)>,
}

/// A variable with the attribute `cleanup` whose scope is open.
#[derive(Debug, Clone)]
pub(super) struct Cleanup {
    /// The name of the procedure.
    pub function: String,
    pub place: Lvalue,
    pub range: Range,
}

/// What an integer variable contains that is computed from an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressNumber {
    Address,
    /// A number that has nothing in common with those of other addresses.
    Hash,
}

/// Where `break` or `continue` goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub block: BlockId,
    /// The number of variables whose scopes stay open.
    pub open: usize,
}

/// The `switch` that is being lowered.
pub(super) struct Switch {
    pub cases: Vec<BlockId>,
    pub has_default: bool,
}

impl<'a> Body<'_, 'a, '_> {
    pub fn bound(&self) -> &'a bind::Bound {
        self.unit.bound
    }

    pub fn program(&mut self) -> &mut ProgramBuilder {
        self.builder.program
    }

    pub fn span(&self, range: Range) -> Span {
        match &self.item {
            Some((_, span)) => *span,
            None => self.unit.span(range),
        }
    }

    pub fn emit(&mut self, kind: OperationKind, range: Range) {
        let span = self.span(range);
        self.builder.emit(kind, span);
    }

    pub fn read(&mut self, access: Access, range: Range) {
        if access.path.is_empty() && self.builder.program.is_declared_local(access.root) {
            self.evaluated.push((access.clone(), range));
        }
        self.emit(OperationKind::Read(access), range);
    }

    /// The translation calls an instrumented procedure before it evaluates the expression around the call, unless another
    /// part of the expression may change the values. So what the expression has read before is read after the call, too.
    /// `own`: how many reads there were before those of the arguments.
    pub fn read_again(&mut self, own: usize) {
        self.evaluated.truncate(own);
        for (access, range) in self.evaluated.clone() {
            self.emit(OperationKind::Read(access), range);
        }
    }

    pub fn write(&mut self, to: Access, value: Value, range: Range) {
        self.emit(OperationKind::Write { to, value }, range);
    }

    pub fn variable(&mut self, id: SymbolId) -> VariableId {
        self.unit.variable(id, self.builder.program)
    }

    /// A temporary for a value of this type.
    pub fn temporary(&mut self, ty: &Type) -> Lvalue {
        let size = self.bound().size_of(ty);
        let content = match self.unit.content(ty) {
            // The temporary is used as a pointer, even if its type is not known.
            Content::Unknown if ty.is_void() => Content::Pointer,
            content => content,
        };
        let root = self.builder.temporary(size, content);
        Lvalue::of(root, ty.clone())
    }
}
