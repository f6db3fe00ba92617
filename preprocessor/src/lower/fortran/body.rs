//! The body of one procedure while it is lowered, and the basic operations of lowering.
//!
//! Input: a procedure of the binder. Output: its blocks.
//! Postcondition: values that declarations need are computed in the first block.

use cppc_analysis::builder::ProcedureBuilder;
use cppc_analysis::program::{
    Access, Affine, Argument, BlockId, Call, Callee, Content, OperationKind, Terminator, Value, VariableId,
};
use cppc_grammar::fortran::logical::At;
use cppc_source::{Files, Span};
use rustc_hash::FxHashMap;

use super::designated_memory::DesignatedMemory;
use super::facts::Facts;
use super::storage::{is_shared, Storage};
use crate::bind::fortran::{self as bind, Bound, ScopeId, SymbolId};

/// A construct that `EXIT` or `CYCLE` may name.
pub(super) struct Frame {
    pub name: Option<String>,
    /// The target of `CYCLE`. `None` if it is not a loop.
    pub cycle: Option<BlockId>,
    pub exit: BlockId,
}

pub(super) struct Body<'l, 'a> {
    pub bound: &'l Bound<'a>,
    pub files: &'l Files,
    pub storage: &'l mut Storage<'a>,
    pub flow: ProcedureBuilder<'l>,
    pub id: bind::ProcedureId,
    pub source: usize,
    pub facts: &'l Facts,
    /// Variables of this copy of the procedure, if it is lowered again for an `ENTRY`.
    pub copies: Option<FxHashMap<SymbolId, VariableId>>,
    pub labels: FxHashMap<u32, BlockId>,
    pub frames: Vec<Frame>,
    /// The block for the prologue, and the one after it.
    pub before: BlockId,
    pub start: BlockId,
    pub exit: BlockId,
    /// Associate names.
    pub aliases: FxHashMap<SymbolId, DesignatedMemory<'a>>,
    /// Names that are valid in one statement: dummy arguments of statement functions, indices of implied
    /// loops. The last entry of a name is valid.
    pub names: Vec<(String, DesignatedMemory<'a>)>,
    /// The arguments of the current call that are the rest of an array, each with its first element.
    pub first_elements: Vec<(Access, Access)>,
    /// The values of dummy arguments and others at the entry.
    pub entry_values: FxHashMap<SymbolId, VariableId>,
    pub prologue: Vec<(OperationKind, Span)>,
    /// The statement functions whose definitions are being lowered.
    pub open_functions: Vec<SymbolId>,
    /// How many definitions of statement functions were lowered in place of their calls.
    pub expanded_functions: u32,
    /// The span of the statement that is lowered.
    pub span: Span,
}

impl<'l, 'a> Body<'l, 'a> {
    pub fn anchor(&self, at: At) -> Span {
        self.bound.anchor(self.source, at)
    }

    pub fn emit(&mut self, kind: OperationKind) {
        let span = self.span;
        self.flow.emit(kind, span);
    }

    pub fn read(&mut self, access: Access) {
        self.emit(OperationKind::Read(access));
    }

    pub fn write(&mut self, to: Access, value: Value) {
        self.emit(OperationKind::Write { to, value });
    }

    pub fn jump(&mut self, to: BlockId) {
        self.flow.terminate(Terminator::Jump(to));
    }

    /// Continues in `then` or in `otherwise`; which one is not known.
    pub fn fork(&mut self, then: BlockId, otherwise: BlockId) {
        self.flow.terminate(Terminator::Branch { condition: None, then, otherwise });
    }

    /// Emits operations that may be skipped.
    pub fn perhaps(&mut self, work: impl FnOnce(&mut Self)) {
        let (inside, after) = (self.flow.new_block(), self.flow.new_block());
        self.fork(inside, after);
        self.flow.switch_to(inside);
        work(self);
        self.flow.fall_into(after);
    }

    /// Emits operations that are skipped if the statement of input or output fails.
    pub fn if_it_succeeds(&mut self, work: impl FnOnce(&mut Self)) {
        let (inside, after) = (self.flow.new_block(), self.flow.new_block());
        self.flow.terminate(Terminator::Succeeds { then: inside, otherwise: after });
        self.flow.switch_to(inside);
        work(self);
        self.flow.fall_into(after);
    }

    pub fn temporary(&mut self, size: Option<u64>, content: Content) -> Access {
        let id = self.flow.temporary(size, content);
        self.flow.program.whole(id)
    }

    /// A temporary integer with this value.
    pub fn integer_temporary(&mut self, value: Value) -> Affine {
        let to = self.temporary(Some(8), Content::Integer { bytes: 8 });
        let variable = to.root;
        self.write(to, value);
        Affine::variable(variable)
    }

    /// A call of a procedure of the catalogue.
    pub fn library(&mut self, name: &str, arguments: Vec<Argument>, result: Option<Access>) {
        let callee = Callee::Named(format!("fortran%{name}"));
        self.emit(OperationKind::Call(Box::new(Call { callee, arguments, result, never_returns: false })));
    }

    /// The block of a label. A label that no statement has gets a block that may continue anywhere.
    pub fn label(&mut self, label: u32) -> BlockId {
        if let Some(&known) = self.labels.get(&label) {
            return known;
        }
        let block = self.flow.new_block();
        self.labels.insert(label, block);
        block
    }

    pub fn variable(&mut self, id: SymbolId) -> VariableId {
        let current = self.flow.id();
        let own = self.bound.procedure_of(self.bound.symbol(id).scope) == Some(self.id)
            && !self.bound.is_static(id);
        if let (Some(copies), true) = (&mut self.copies, own) {
            if let Some(&known) = copies.get(&id) {
                return known;
            }
            let made = self.storage.fresh(self.flow.program, self.bound, id, current);
            copies.insert(id, made);
            return made;
        }
        self.storage.variable(self.flow.program, self.bound, id, current)
    }

    /// The value that an integer has at the entry of the procedure, as a variable that never changes.
    pub fn entry_value(&mut self, id: SymbolId, access: Access) -> Affine {
        if let Some(&known) = self.entry_values.get(&id) {
            return Affine::variable(known);
        }
        let to = self.temporary(Some(8), Content::Integer { bytes: 8 });
        let variable = to.root;
        let span = self.span;
        self.prologue.push((OperationKind::Read(access.clone()), span));
        self.prologue.push((OperationKind::Write { to, value: Value::Copy(access) }, span));
        self.entry_values.insert(id, variable);
        Affine::variable(variable)
    }

    /// Whether the value of a scalar integer is the same during the whole procedure.
    pub fn is_fixed(&self, id: SymbolId) -> bool {
        let symbol = self.bound.symbol(id);
        let reads = symbol.is.intent_in && symbol.is.dummy;
        let aliased = symbol.is.target || symbol.is.equivalenced;
        reads
            || !(aliased || self.facts.is_modified(id) || is_shared(self.bound, id) && self.facts.has_calls())
    }

    pub fn is_own(&self, scope: ScopeId) -> bool {
        self.bound.procedure_of(scope) == Some(self.id)
    }
}
