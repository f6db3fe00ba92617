//! The scopes of variables with the attribute `cleanup`: a restart must not enter them (C0523).
//!
//! Input: an offset in a C source. Output: whether it is in such a scope.

use cppc_grammar::c::tree::{BlockItem, Declaration, ExprKind};

use super::c::CSource;
use super::expressions::{each, of_declaration};
use crate::bind::c::cleanup::cleanup_function;

impl CSource<'_> {
    /// Whether a directive at the offset would be in such a scope. Variables at the beginning of a procedure are before
    /// the jumps.
    pub fn is_in_cleanup_scope(&self, offset: u32) -> bool {
        let steps = self.steps(offset).unwrap_or_default();
        steps.iter().enumerate().any(|(level, step)| {
            let mut is_opening = level == 0;
            step.block.items.iter().any(|item| {
                let BlockItem::Declaration(declaration) = item else {
                    is_opening = false;
                    return false;
                };
                is_opening &= !acts(declaration);
                let is_before = self.bytes(declaration.range).is_some_and(|(_, end)| end <= offset);
                is_before && !is_opening && self.cleans_up(declaration)
            })
        })
    }

    fn cleans_up(&self, declaration: &Declaration) -> bool {
        let mut declarators = 0..declaration.declarators.len();
        declarators.any(|number| cleanup_function(&self.unit.preprocessed, declaration, number).is_some())
    }
}

fn acts(declaration: &Declaration) -> bool {
    let mut found = false;
    of_declaration(declaration, &mut |expr| {
        each(expr, &mut |expr| {
            found |= matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Assign { .. });
        });
    });
    found
}
