//! Numbers that are computed from the bits of an address, so that other addresses give unrelated numbers.
//!
//! Input: an expression of an integer type.
//! Output: whether it is such a number: a product, a quotient, a remainder, a shift or an exclusive or of an address.
//! Postcondition: distances of addresses, and addresses that are rounded or tested for their alignment, are no such numbers.

use cppc_analysis::program::{Affine, Value};
use cppc_grammar::c::tree::{BinaryOperator, Expr, ExprKind, UnaryOperator};

use super::body::{AddressNumber, Body};
use crate::bind::c::SymbolId;

/// Remainders of smaller powers of two are alignments.
const LARGEST_ALIGNMENT: i64 = 4096;

impl Body<'_, '_, '_> {
    /// The value of an expression, as that of a temporary if it is computed from the bits of an address.
    pub fn noted_hash(&mut self, value: Value, expr: &Expr) -> Value {
        if self.address_number(expr) != Some(AddressNumber::Hash) {
            return value;
        }
        let place = self.temporary(&self.bound().value_type(expr.id));
        let to = self.access(&place, None);
        self.write(to, value, expr.range);
        self.program().add_address_hash(place.root);
        Value::Affine(Affine::variable(place.root))
    }

    /// Whether it is the value of such a temporary.
    pub fn is_address_hash(&self, value: &Affine) -> bool {
        let is_hash = |variable| self.builder.program.is_address_hash(variable);
        matches!(value.terms[..], [(variable, 1)] if value.constant == 0 && is_hash(variable))
    }

    /// Records what a variable gets.
    pub fn note_address_number(&mut self, variable: Option<SymbolId>, found: Option<AddressNumber>) {
        let Some(id) = variable.filter(|id| self.bound().symbol(*id).ty.is_integer()) else { return };
        match found {
            Some(found) => self.address_numbers.insert(id, found),
            None => self.address_numbers.remove(&id),
        };
    }

    /// The same for a compound assignment, whose value has no temporary.
    pub fn note_compound_number(&mut self, left: &Expr, found: Option<AddressNumber>) {
        let variable = self.bound().symbol_of(left.id);
        self.note_address_number(variable, found);
        if let (Some(id), Some(AddressNumber::Hash)) = (variable, found) {
            let variable = self.variable(id);
            self.program().add_address_hash(variable);
        }
    }

    pub fn address_number(&self, expr: &Expr) -> Option<AddressNumber> {
        match &expr.kind {
            ExprKind::Paren(inner)
            | ExprKind::Unary {
                operator: UnaryOperator::Extension | UnaryOperator::Complement | UnaryOperator::Minus,
                operand: inner,
            } => self.address_number(inner),
            ExprKind::Cast { operand, .. } if self.bound().type_of(expr.id).is_integer() => {
                match self.bound().value_type(operand.id).is_pointer() {
                    true => self.constant(operand).is_none().then_some(AddressNumber::Address),
                    false => self.address_number(operand),
                }
            }
            ExprKind::Ident(_) => self.address_numbers.get(&self.bound().symbol_of(expr.id)?).copied(),
            ExprKind::Binary { operator, left, right } => self.combined_number(*operator, left, right),
            _ => None,
        }
    }

    pub fn combined_number(
        &self,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Option<AddressNumber> {
        use AddressNumber::{Address, Hash};
        let both = (self.address_number(left), self.address_number(right));
        match (operator, both) {
            (_, (None, None)) => None,
            // Another number may be an address that is not known as one.
            (BinaryOperator::Subtract, (Some(Address), _) | (_, Some(Address))) => None,
            (
                BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::BitAnd
                | BinaryOperator::BitOr,
                _,
            ) => Some(if both.0 == Some(Hash) || both.1 == Some(Hash) { Hash } else { Address }),
            (BinaryOperator::Remainder, (Some(Address), None)) => {
                let is_alignment = |value: i64| value.count_ones() == 1 && value <= LARGEST_ALIGNMENT;
                // A number that is not known may be an alignment.
                self.constant(right).filter(|value| !is_alignment(*value)).map(|_| Hash)
            }
            (
                BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Remainder
                | BinaryOperator::ShiftLeft
                | BinaryOperator::ShiftRight
                | BinaryOperator::BitXor,
                _,
            ) => Some(Hash),
            _ => None,
        }
    }
}
