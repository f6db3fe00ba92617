//! Variables with `__attribute__((cleanup(f)))`: at the end of their scope, the compiler calls the function with their address.
//!
//! Input: the declarations of a scope, and the statements that leave it.
//! Output: the calls, the last variable first.

use cppc_analysis::program::{Argument, BlockId, Call, Callee, OperationKind, Terminator, Value};
use cppc_grammar::c::tree::Declaration;

use super::body::{Body, Cleanup, Target};
use super::lvalue::Lvalue;
use crate::bind::c::cleanup::cleanup_function;
use crate::bind::c::SymbolId;

impl Body<'_, '_, '_> {
    /// The target of a jump out of what is lowered next.
    pub fn target(&self, block: BlockId) -> Target {
        Target { block, open: self.cleanups.len() }
    }

    /// Notes the function of a variable that is declared here.
    pub fn note_cleanup(&mut self, declaration: &Declaration, declarator: usize, id: SymbolId) {
        let preprocessed = &self.unit.unit.preprocessed;
        let Some(token) = cleanup_function(preprocessed, declaration, declarator) else { return };
        let name = preprocessed.tokens[token as usize].text;
        let function = match self.bound().lookup(name, token) {
            Some(function) => self.unit.link(function),
            None => self.unit.text(name).to_owned(),
        };
        let root = self.variable(id);
        let place = Lvalue::of(root, self.bound().symbol(id).ty.clone());
        self.cleanups.push(Cleanup { function, place, range: declaration.declarators[declarator].range });
    }

    /// Lowers a scope, and calls the functions of its variables at its end.
    pub fn scope(&mut self, lowered: impl FnOnce(&mut Self)) {
        let open = self.cleanups.len();
        lowered(self);
        if !self.builder.terminated() {
            self.clean_up(open);
        }
        self.cleanups.truncate(open);
    }

    /// Calls the functions of the variables whose scopes a jump leaves. `open`: the number of those that stay open.
    pub fn clean_up(&mut self, open: usize) {
        for at in (open..self.cleanups.len()).rev() {
            let cleanup = self.cleanups[at].clone();
            let address = Value::Address(self.first(&cleanup.place, None));
            let call = Call {
                callee: Callee::Named(cleanup.function),
                arguments: vec![Argument::Value(address)],
                result: None,
                never_returns: false,
            };
            self.emit(OperationKind::Call(Box::new(call)), cleanup.range);
        }
    }

    /// A jump to a label may leave the scopes of all variables, or of none.
    pub fn may_clean_up(&mut self) {
        if !self.cleanups.is_empty() {
            self.one_of(|body| body.clean_up(0), |_| ());
        }
    }

    /// Ends the block with a jump to the target.
    pub fn leave_for(&mut self, target: Target) {
        self.clean_up(target.open);
        self.end_block(Terminator::Jump(target.block));
    }
}
