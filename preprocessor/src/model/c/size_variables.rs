//! The variables that determine sizes in the types of parameters: `width` in `double (*a)[width]`.
//!
//! Input: the declarators of the parameters.
//! Output: the objects in their sizes, except the parameters themselves. A restart passes their recorded values.

use cppc_grammar::c::tree::{
    ArraySize, Declarator, Derivation, Expr, ExprKind, Function, Ident, UnaryOperator,
};

use super::Builder;
use crate::bind::c::{parts, StorageKind, SymbolKind};
use crate::model::SizeVariable;

impl Builder<'_> {
    pub(super) fn size_variables(&self, function: &Function) -> Vec<SizeVariable> {
        let mut found = Vec::new();
        let list = function.declarator.derivations.iter().find_map(|derivation| match derivation {
            Derivation::Function(parameters) => Some(&parameters.list),
            Derivation::Pointer(_) | Derivation::Array { .. } => None,
        });
        let modern = list.into_iter().flatten().map(|parameter| &parameter.declarator);
        let old = function.old_parameters.iter().flat_map(|declaration| &declaration.declarators);
        for declarator in modern.chain(old.map(|declarator| &declarator.declarator)) {
            sizes(declarator).for_each(|size| self.objects(size, &mut found));
        }
        found
    }

    /// The objects whose values an expression reads.
    fn objects(&self, expr: &Expr, found: &mut Vec<SizeVariable>) {
        if matches!(expr.kind, ExprKind::SizeofExpr(_) | ExprKind::AlignofExpr(_)) {
            return;
        }
        let object = self.object(expr).filter(|_| !self.is_recorded(expr));
        let is_object = object.is_some();
        if let Some(name) = object.filter(|name| found.iter().all(|known| known.name != *name)) {
            found.push(SizeVariable { name, code: None });
        }
        match &expr.kind {
            // The rest of the structure has no effect.
            ExprKind::Member { base, arrow: false, .. } if is_object => {
                parts(base).into_iter().for_each(|part| self.objects(part, found));
            }
            _ => parts(expr).into_iter().for_each(|part| self.objects(part, found)),
        }
    }

    /// A parameter, a constant, or a procedure.
    fn is_recorded(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Ident(name) => !self.is_object(*name),
            ExprKind::Paren(inner) | ExprKind::Member { base: inner, arrow: false, .. } => {
                self.is_recorded(inner)
            }
            _ => false,
        }
    }

    fn is_object(&self, name: Ident) -> bool {
        let symbol = self.bound.lookup(name.name, name.token).map(|id| self.bound.symbol(id));
        symbol.is_some_and(|symbol| {
            symbol.kind == SymbolKind::Variable && symbol.storage != StorageKind::Register
        })
    }

    /// The text of an object in memory. For a bit-field, that of its structure.
    fn object(&self, expr: &Expr) -> Option<String> {
        let text = |name: &Ident| self.preprocessed.names.text(name.name);
        match &expr.kind {
            ExprKind::Ident(name) => Some(text(name).to_owned()),
            ExprKind::Paren(inner) => self.object(inner),
            ExprKind::Member { base, arrow, field } => {
                let base = self.object(base)?;
                match (self.may_be_bits(field), arrow) {
                    (false, true) => Some(format!("{base}->{}", text(field))),
                    (false, false) => Some(format!("{base}.{}", text(field))),
                    (true, true) => Some(format!("*{base}")),
                    (true, false) => Some(base),
                }
            }
            ExprKind::Index { base, index } => {
                let index = match &index.kind {
                    ExprKind::Integer(number) => self.preprocessed.names.text(*number).to_owned(),
                    _ => self.object(index)?,
                };
                Some(format!("{}[{index}]", self.object(base)?))
            }
            ExprKind::Unary { operator: UnaryOperator::Dereference, operand } => {
                Some(format!("(*{})", self.object(operand)?))
            }
            _ => None,
        }
    }

    /// Whether a structure of the unit has a bit-field of this name. It has no address.
    fn may_be_bits(&self, field: &Ident) -> bool {
        let records = self.bound.tables.records.iter().filter_map(|record| record.fields.as_ref());
        records.flatten().any(|known| known.name == Some(field.name) && known.bits.is_some())
    }
}

fn sizes(declarator: &Declarator) -> impl Iterator<Item = &Expr> {
    declarator.derivations.iter().filter_map(|derivation| match derivation {
        Derivation::Array { size: ArraySize::Expr(size), .. } => Some(&**size),
        Derivation::Array { .. } | Derivation::Pointer(_) | Derivation::Function(_) => None,
    })
}
