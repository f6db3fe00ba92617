//! Pointer values: where an expression points to.
//!
//! Input: an expression whose value is a pointer.
//! Output: the place of the pointer, or the place that it points to, if that is known.
//! Postcondition: the reads and writes of the expression are emitted, except the read of the pointer itself.

use cppc_analysis::program::{Affine, Dimension, Index, Step, Value};
use cppc_grammar::c::tree::{BinaryOperator, Expr, ExprKind, UnaryOperator};

use super::body::Body;
use super::lvalue::{Address, Lvalue};
use crate::bind::c::{Kind, SymbolKind, Type};

impl Body<'_, '_, '_> {
    pub fn address(&mut self, expr: &Expr) -> Address {
        match &expr.kind {
            ExprKind::Paren(inner) => self.address(inner),
            ExprKind::Unary { operator: UnaryOperator::Extension, operand } => self.address(operand),
            ExprKind::Unary { operator: UnaryOperator::Address, operand } => self.address_of(operand),
            ExprKind::Unary { operator: UnaryOperator::Dereference, operand }
                if self.bound().type_of(expr.id).is_function() =>
            {
                self.address(operand)
            }
            ExprKind::Unary {
                operator: UnaryOperator::PostIncrement | UnaryOperator::PostDecrement,
                operand,
            } => {
                let temporary = self.temporary(&self.bound().value_type(expr.id));
                self.step(expr, operand, Some(&temporary));
                Address::Loaded(temporary)
            }
            ExprKind::Unary {
                operator: UnaryOperator::PreIncrement | UnaryOperator::PreDecrement,
                operand,
            } => Address::Loaded(self.step(expr, operand, None)),
            ExprKind::Ident(_) => self.named_address(expr),
            ExprKind::String(_) | ExprKind::Compound { .. } if self.bound().type_of(expr.id).is_array() => {
                self.loaded(expr)
            }
            ExprKind::Compound { .. } | ExprKind::Member { .. } | ExprKind::Index { .. } => self.loaded(expr),
            ExprKind::Unary { operator: UnaryOperator::Dereference, .. } => self.loaded(expr),
            ExprKind::Cast { operand, .. } => self.cast_address(expr, operand),
            ExprKind::Binary {
                operator: operator @ (BinaryOperator::Add | BinaryOperator::Subtract),
                left,
                right,
            } => self.sum_address(*operator, left, right),
            ExprKind::Comma(first, last) => {
                self.discard(first);
                self.address(last)
            }
            ExprKind::Assign { .. } => match self.assigned(expr) {
                Some(place) => Address::Loaded(place),
                None => Address::Value(Value::Unknown),
            },
            ExprKind::Generic { associations, .. } => match self.bound().chosen_association(expr.id) {
                Some(chosen) => self.address(&associations[chosen].1),
                None => self.temporary_address(expr),
            },
            ExprKind::Null | ExprKind::Integer(_) | ExprKind::Character(_) | ExprKind::Bool(_) => {
                match self.constant(expr) {
                    Some(0) | None => Address::Value(Value::Null),
                    Some(_) => Address::Value(Value::Unknown),
                }
            }
            ExprKind::VaArg { list, .. } => {
                self.next_argument(list, expr.range);
                Address::Value(Value::Unknown)
            }
            ExprKind::Call { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Statement(_)
            | ExprKind::Choose(..) => self.temporary_address(expr),
            // The address of a label is not an address of memory.
            ExprKind::LabelAddress(_) => Address::Value(Value::Data),
            _ => {
                self.number(expr);
                Address::Value(Value::Unknown)
            }
        }
    }

    fn temporary_address(&mut self, expr: &Expr) -> Address {
        let ty = self.bound().value_type(expr.id);
        let place = self.temporary(&ty);
        self.store(&place, expr);
        Address::Loaded(place)
    }

    /// An lvalue: a pointer, an array or a function.
    fn loaded(&mut self, expr: &Expr) -> Address {
        let place = self.place(expr);
        match &place.ty.kind {
            Kind::Array { .. } => {
                Address::Of { place: self.element(place, Index::At(Affine::constant(0))), decayed: true }
            }
            Kind::Function(_) => Address::Of { place, decayed: false },
            _ => Address::Loaded(place),
        }
    }

    fn named_address(&mut self, expr: &Expr) -> Address {
        let found = self.bound().symbol_of(expr.id);
        match found.map(|id| (id, self.bound().symbol(id).kind)) {
            Some((id, SymbolKind::Function)) => {
                let name = self.unit.link(id);
                self.program().take_address(&name);
                Address::Value(Value::Procedure(name))
            }
            Some((_, SymbolKind::EnumConstant)) => Address::Value(Value::Unknown),
            _ => self.loaded(expr),
        }
    }

    fn address_of(&mut self, operand: &Expr) -> Address {
        match &operand.kind {
            ExprKind::Paren(inner) => self.address_of(inner),
            ExprKind::Unary { operator: UnaryOperator::Extension, operand } => self.address_of(operand),
            // `&*p` is `p`.
            ExprKind::Unary { operator: UnaryOperator::Dereference, operand } => self.address(operand),
            _ if self.bound().type_of(operand.id).is_function() => self.address(operand),
            _ => Address::Of { place: self.place(operand), decayed: false },
        }
    }

    fn cast_address(&mut self, expr: &Expr, operand: &Expr) -> Address {
        let ty = self.bound().value_type(expr.id);
        let from = self.bound().value_type(operand.id);
        if !from.is_pointer() {
            if self.constant(operand) == Some(0) {
                return Address::Value(Value::Null);
            }
            return match self.number(operand) {
                // A pointer that was converted to an integer and back.
                Value::Address(access) => {
                    let place = Lvalue { path: access.path, ..Lvalue::of(access.root, Type::UNKNOWN) };
                    let target = ty.target().cloned().unwrap_or(Type::UNKNOWN);
                    Address::Of { place: Lvalue { ty: target, ..place }, decayed: false }
                }
                Value::Procedure(name) => Address::Value(Value::Procedure(name)),
                Value::Copy(access) if access.content == cppc_analysis::program::Content::Pointer => {
                    Address::Loaded(Lvalue { path: access.path, ..Lvalue::of(access.root, ty) })
                }
                _ => Address::Value(Value::Unknown),
            };
        }
        let target = ty.target().cloned().unwrap_or(Type::UNKNOWN);
        let same = from.target().and_then(|from| self.bound().size_of(from)) == self.bound().size_of(&target);
        match self.address(operand) {
            Address::Loaded(place) => Address::Loaded(Lvalue { ty, shape: None, ..place }),
            Address::Of { place, decayed } => {
                let place = Lvalue { ty: target, in_array: place.in_array && same, shape: None, ..place };
                Address::Of { place, decayed: decayed && same }
            }
            value => value,
        }
    }

    fn sum_address(&mut self, operator: BinaryOperator, left: &Expr, right: &Expr) -> Address {
        let is_pointer = |expr: &Expr| self.bound().value_type(expr.id).is_pointer();
        let (pointer, number) = if is_pointer(left) { (left, right) } else { (right, left) };
        let address = self.address(pointer);
        let index = match (operator, self.index(number)) {
            (BinaryOperator::Subtract, Index::At(index)) => match index.scale(-1) {
                Some(index) => Index::At(index),
                None => Index::Unknown,
            },
            (_, index) => index,
        };
        self.moved(address, index, pointer)
    }

    /// The address of the element at a distance of `index` elements.
    pub fn moved(&mut self, address: Address, index: Index, pointer: &Expr) -> Address {
        let ty = self.bound().value_type(pointer.id);
        let element = ty.target().cloned().unwrap_or(Type::UNKNOWN);
        let stride = self.bound().size_of(&element);
        let place = match address {
            Address::Loaded(place) => place.dereferenced(),
            Address::Of { mut place, decayed } => {
                if decayed && self.advance(&mut place, &index, stride) {
                    return Address::Of { place, decayed };
                }
                Lvalue { in_array: false, ..place }
            }
            Address::Value(Value::Null) => return Address::Value(Value::Unknown),
            Address::Value(value) => return Address::Value(value),
        };
        let dimension = Dimension { index, lower: Some(Affine::constant(0)), extent: None, stride };
        let shape = place.shape;
        // The dimension of the pointer was counted already. Its element is the object that it points to.
        let place = self.extended(place, dimension, element);
        Address::Of { place: Lvalue { shape, ..place }, decayed: true }
    }

    /// Adds to the last index of a place.
    fn advance(&self, place: &mut Lvalue, index: &Index, stride: Option<u64>) -> bool {
        let Some(Step::Elements(dimensions)) = place.path.last_mut() else { return false };
        let Some(last) = dimensions.last_mut() else { return false };
        if last.stride != stride || stride.is_none() {
            return false;
        }
        let sum = match (&last.index, index) {
            (Index::At(first), Index::At(more)) => first.add(more),
            _ => None,
        };
        last.index = sum.map_or(Index::Unknown, Index::At);
        true
    }

    /// The address as a value that can be stored; reads of pointers are emitted.
    pub fn address_value(&mut self, address: Address, expr: &Expr) -> Value {
        match address {
            Address::Loaded(place) => {
                let access = self.access(&place, Some(expr.range));
                self.read(access.clone(), expr.range);
                Value::Copy(access)
            }
            Address::Of { place, .. } => {
                if let Some(pointer) = place.pointer() {
                    let access = self.access(&pointer, None);
                    self.read(access, expr.range);
                }
                Value::Address(self.first(&place, None))
            }
            Address::Value(value) => value,
        }
    }
}
