//! Lvalues with subscripts that are computed: `rows[k]`.
//!
//! Input: an lvalue and its tokens.
//! Output: its text in pieces between those subscripts, and the subscripts.
//! Postcondition: what is in the pieces is the same in every run of the directive; an lvalue whose subscripts
//! are all constant is none.

use cppc_grammar::c::token::Token;
use cppc_grammar::c::tree::{Expr, ExprKind, UnaryOperator};
use cppc_grammar::directive::spell_tightly;

use super::binder::Binder;
use super::ids::SymbolId;
use super::items::Indexed;

impl Binder<'_> {
    /// `tokens` are those that the lvalue, which begins with `root`, was parsed from.
    pub(super) fn indexed(&self, root: SymbolId, lvalue: &Expr, tokens: &[Token]) -> Option<Indexed> {
        let mut subscripts = Vec::new();
        self.computed_subscripts(lvalue, &mut subscripts);
        let names = &self.preprocessed.names;
        let (mut pieces, mut texts) = (Vec::new(), Vec::new());
        let mut at = lvalue.range.start as usize;
        for subscript in &subscripts {
            let (start, end) = (subscript.range.start as usize, subscript.range.end as usize);
            pieces.push(spell_tightly(tokens.get(at..start)?, names));
            texts.push(spell_tightly(tokens.get(start..end)?, names));
            at = end;
        }
        pieces.push(spell_tightly(tokens.get(at..lvalue.range.end as usize)?, names));
        // A register's name says its subscripts in brackets.
        let are_brackets = pieces.windows(2).all(|pair| pair[0].ends_with('[') && pair[1].starts_with(']'));
        let key = self.key(root, &pieces.concat());
        (!texts.is_empty() && are_brackets).then_some(Indexed { key, pieces, subscripts: texts })
    }

    /// In the order of the text. What stands within a subscript belongs to it.
    fn computed_subscripts<'t>(&self, lvalue: &'t Expr, found: &mut Vec<&'t Expr>) {
        match &lvalue.kind {
            ExprKind::Index { base, index } => {
                self.computed_subscripts(base, found);
                let is_integer = !self.type_of(index.id).decayed().is_pointer();
                if is_integer && self.constant(index).is_none() {
                    found.push(index);
                }
            }
            ExprKind::Paren(inner) => self.computed_subscripts(inner, found),
            ExprKind::Member { base, .. } => self.computed_subscripts(base, found),
            ExprKind::Unary { operator: UnaryOperator::Dereference | UnaryOperator::Extension, operand }
            | ExprKind::Cast { operand, .. } => self.computed_subscripts(operand, found),
            _ => {}
        }
    }
}
