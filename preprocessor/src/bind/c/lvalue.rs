//! What an lvalue is made of: its variable, the pointers on the way, the sizes in it.

use cppc_grammar::c::token::Token;
use cppc_grammar::c::tree::{Expr, ExprKind, UnaryOperator};
use cppc_grammar::directive::{spell_tightly, CItem};

use super::amount::Memory;
use super::binder::Binder;
use super::ids::SymbolId;
use super::items::SizeVariable;
use super::symbols::SymbolKind;
use super::visit::parts;

pub(super) fn is_name(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_name(inner),
        ExprKind::Ident(_) => true,
        _ => false,
    }
}

/// Whether C could store into the expression, by its form.
pub(super) fn is_lvalue(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_lvalue(inner),
        ExprKind::Unary { operator: UnaryOperator::Extension, operand } => is_lvalue(operand),
        ExprKind::Ident(_) | ExprKind::Index { .. } => true,
        ExprKind::Member { base, arrow, .. } => *arrow || is_lvalue(base),
        ExprKind::Unary { operator, .. } => *operator == UnaryOperator::Dereference,
        _ => false,
    }
}

impl Binder<'_> {
    /// The identifier in which an lvalue starts.
    pub(super) fn root<'t>(&self, expr: &'t Expr) -> Option<&'t Expr> {
        match &expr.kind {
            ExprKind::Ident(_) => Some(expr),
            ExprKind::Paren(inner) => self.root(inner),
            ExprKind::Member { base, .. } => self.root(base),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => self.root(operand),
            ExprKind::Index { base, index } => {
                let pointer = |expr: &Expr| self.type_of(expr.id).decayed().is_pointer();
                self.root(if !pointer(base) && pointer(index) { index } else { base })
            }
            ExprKind::Binary { left, right, .. } => {
                let pointer = self.type_of(left.id).decayed().is_pointer();
                self.root(if pointer { left } else { right })
            }
            ExprKind::Conditional { then, otherwise, .. } => self.root(then.as_deref().unwrap_or(otherwise)),
            _ => None,
        }
    }

    /// Whether evaluating an expression reads through a pointer.
    pub(super) fn through_pointer(&self, expr: &Expr) -> bool {
        let here = match &expr.kind {
            ExprKind::Member { arrow, .. } => *arrow,
            ExprKind::Unary { operator, .. } => *operator == UnaryOperator::Dereference,
            ExprKind::Index { base, index } => {
                !self.type_of(base.id).is_array() && !self.type_of(index.id).is_array()
            }
            _ => false,
        };
        here || parts(expr).into_iter().any(|part| self.through_pointer(part))
    }

    /// The integer variables that the counts and the lvalue's subscripts are computed from.
    pub(super) fn size_variables(&self, pragma: usize, memory: &Memory, item: &CItem) -> Vec<SizeVariable> {
        let all = &self.preprocessed.pragmas[pragma].expanded;
        let first = item.counts.len() - memory.counts.len();
        let counts = item.counts[first..].iter().zip(&memory.counts);
        let sizes =
            counts.map(|(count, tree)| (&tree.expr, all.get(count.tokens.clone()).unwrap_or_default()));
        self.variables_of(memory, all, &sizes.collect::<Vec<_>>())
    }

    /// The same for these sizes, each with its tokens. `all` are the tokens of the pragma.
    pub(super) fn variables_of(
        &self,
        memory: &Memory,
        all: &[Token],
        sizes: &[(&Expr, &[Token])],
    ) -> Vec<SizeVariable> {
        let mut found = Vec::new();
        self.subscripts(&memory.lvalue, all.get(memory.tokens.clone()).unwrap_or_default(), &mut found);
        for (size, tokens) in sizes {
            self.sizes(size, tokens, &mut found);
        }
        let mut unique: Vec<SizeVariable> = Vec::new();
        for variable in found {
            if !unique.iter().any(|other| other.key == variable.key) {
                unique.push(variable);
            }
        }
        unique
    }

    fn subscripts(&self, lvalue: &Expr, tokens: &[Token], found: &mut Vec<SizeVariable>) {
        match &lvalue.kind {
            ExprKind::Index { base, index } => {
                self.subscripts(base, tokens, found);
                self.sizes(index, tokens, found);
            }
            // `*(p + n)` is `p[n]`.
            ExprKind::Binary { left, right, .. } => {
                for side in [left, right] {
                    match self.type_of(side.id).decayed().is_pointer() {
                        true => self.subscripts(side, tokens, found),
                        false => self.sizes(side, tokens, found),
                    }
                }
            }
            _ => parts(lvalue).into_iter().for_each(|part| self.subscripts(part, tokens, found)),
        }
    }

    /// The outermost integer lvalues of an expression. What `sizeof` is applied to is not read.
    fn sizes(&self, expr: &Expr, tokens: &[Token], found: &mut Vec<SizeVariable>) {
        if matches!(expr.kind, ExprKind::SizeofExpr(_) | ExprKind::AlignofExpr(_)) {
            return;
        }
        let lvalue =
            is_lvalue(expr) && self.type_of(expr.id).is_integer() && !matches!(expr.kind, ExprKind::Paren(_));
        let root = self.root(expr).and_then(|root| self.binding(root)).filter(|_| lvalue);
        if let Some(root) = root.filter(|&root| self.is_variable(root)) {
            found.extend(self.size_variable(expr, root, tokens));
            // The subscripts of `dims[i]` matter too.
            if !is_name(expr) {
                self.subscripts(expr, tokens, found);
            }
            return;
        }
        parts(expr).into_iter().for_each(|part| self.sizes(part, tokens, found));
    }

    pub(super) fn is_variable(&self, id: SymbolId) -> bool {
        matches!(self.symbol(id).kind, SymbolKind::Variable | SymbolKind::Parameter)
    }

    fn size_variable(&self, expr: &Expr, root: SymbolId, tokens: &[Token]) -> Option<SizeVariable> {
        let own = tokens.get(expr.range.start as usize..expr.range.end as usize)?;
        let text = spell_tightly(own, &self.preprocessed.names);
        let ty = self.type_of(expr.id).clone();
        Some(SizeVariable {
            key: self.key(root, &text),
            indexed: self.indexed(root, expr, tokens),
            constant: ty.qualifiers.constant,
            is_name: is_name(expr),
            through_pointer: self.through_pointer(expr),
            way: self.access_path(expr, tokens),
            storage: self.symbol(root).storage,
            expr: expr.id,
            text,
            ty: ty.unqualified(),
            root,
        })
    }
}
