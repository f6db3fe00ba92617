//! Lvalues: from expressions to variables with a path.
//!
//! Input: an lvalue.
//! Output: the memory that it denotes. The reads and writes of its subscripts are emitted.
//! Postcondition: the path contains the parts of the position that are certain.

use cppc_analysis::program::{Access, Affine, Content, Dimension, Index, Step};
use cppc_grammar::c::tree::{Expr, ExprKind, Ident, Range, UnaryOperator};

use super::body::Body;
use super::lvalue::{Address, Lvalue};
use crate::bind::c::{ArrayLength, Kind, SymbolId, SymbolKind, Type};

impl Body<'_, '_, '_> {
    /// The memory that an lvalue denotes.
    pub fn place(&mut self, expr: &Expr) -> Lvalue {
        match &expr.kind {
            ExprKind::Paren(inner) => self.place(inner),
            ExprKind::Unary { operator: UnaryOperator::Extension, operand } => self.place(operand),
            ExprKind::Unary { operator: UnaryOperator::Real | UnaryOperator::Imaginary, operand } => {
                self.part_of_complex(expr, operand)
            }
            ExprKind::Ident(_) => match self.named(expr) {
                Some(place) => place,
                None if self.bound().type_of(expr.id).is_array() => self.text_place(expr),
                None => self.in_temporary(expr),
            },
            ExprKind::String(_) => self.text_place(expr),
            ExprKind::Member { base, arrow, field } => self.member(base, *arrow, *field, expr),
            ExprKind::Index { base, index } => self.indexed(base, index, expr),
            ExprKind::Unary { operator: UnaryOperator::Dereference, operand } => {
                let address = self.address(operand);
                let place = self.pointed(address, operand);
                Lvalue { ty: self.bound().type_of(expr.id).clone(), ..place }
            }
            ExprKind::Compound { list, .. } => self.compound_literal(expr, list),
            ExprKind::Assign { .. } => self.assigned(expr).unwrap_or_else(|| self.in_temporary(expr)),
            ExprKind::Comma(first, last) => {
                self.discard(first);
                self.place(last)
            }
            ExprKind::Generic { associations, .. } => match self.bound().chosen_association(expr.id) {
                Some(chosen) => self.place(&associations[chosen].1),
                None => self.in_temporary(expr),
            },
            _ => self.in_temporary(expr),
        }
    }

    /// The variable that an identifier names.
    fn named(&mut self, expr: &Expr) -> Option<Lvalue> {
        let id = self.bound().symbol_of(expr.id)?;
        let symbol = self.bound().symbol(id);
        matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Parameter).then(|| {
            let root = self.variable(id);
            Lvalue { shape: Some((id, 0)), ..Lvalue::of(root, symbol.ty.clone()) }
        })
    }

    /// Stores a value that is not in memory in a temporary.
    fn in_temporary(&mut self, expr: &Expr) -> Lvalue {
        let ty = self.bound().value_type(expr.id);
        let place = self.temporary(&ty);
        self.store(&place, expr);
        place
    }

    fn part_of_complex(&mut self, expr: &Expr, operand: &Expr) -> Lvalue {
        let mut place = self.place(operand);
        let ty = self.bound().type_of(expr.id).clone();
        let imaginary = matches!(expr.kind, ExprKind::Unary { operator: UnaryOperator::Imaginary, .. });
        let is_complex = self.bound().size_of(&place.ty) != self.bound().size_of(&ty);
        if is_complex {
            let (name, offset) = match imaginary {
                true => ("imag", self.bound().size_of(&ty).unwrap_or(0)),
                false => ("real", 0),
            };
            place.path.push(Step::Field { name: name.to_owned(), offset });
        }
        Lvalue { in_array: false, ty, ..place }
    }

    fn member(&mut self, base: &Expr, arrow: bool, field: Ident, expr: &Expr) -> Lvalue {
        let outer = match arrow {
            true => {
                let address = self.address(base);
                let place = self.pointed(address, base);
                let ty = self.bound().value_type(base.id).target().cloned();
                Lvalue { ty: ty.unwrap_or(Type::UNKNOWN), ..place }
            }
            false => self.place(base),
        };
        let place = self.field(outer, field.name);
        Lvalue { ty: self.bound().type_of(expr.id).clone(), ..place }
    }

    pub fn field(&mut self, outer: Lvalue, name: cppc_grammar::c::token::Name) -> Lvalue {
        let Kind::Record(record) = outer.ty.kind else { return outer.blurred(Type::UNKNOWN) };
        let Some(found) = self.unit.field(record, name) else { return outer.blurred(Type::UNKNOWN) };
        let Some(offset) = found.offset else { return outer.blurred(found.ty) };
        let mut path = outer.path;
        path.push(Step::Field { name: self.unit.text(name).to_owned(), offset });
        Lvalue { path, is_bit_field: found.is_bit_field, ..Lvalue::of(outer.root, found.ty) }
    }

    fn indexed(&mut self, base: &Expr, index: &Expr, expr: &Expr) -> Lvalue {
        // `i[a]` is `a[i]`.
        let is_base = |expr: &Expr| {
            let ty = self.bound().type_of(expr.id);
            ty.is_array() || ty.is_pointer() || matches!(ty.kind, Kind::Vector { .. })
        };
        let (base, index) = if !is_base(base) && is_base(index) { (index, base) } else { (base, index) };
        let ty = self.bound().type_of(base.id).clone();
        let place = match &ty.kind {
            Kind::Array { .. } => {
                let outer = self.place(base);
                let at = self.index(index);
                self.element(outer, at)
            }
            Kind::Vector { element, .. } => {
                let outer = self.place(base);
                self.discard(index);
                outer.blurred(Type::clone(element))
            }
            _ => {
                let address = self.address(base);
                let at = self.index(index);
                let address = self.moved(address, at, base);
                self.pointed(address, base)
            }
        };
        Lvalue { ty: self.bound().type_of(expr.id).clone(), ..place }
    }

    /// One element of the array in a place.
    pub fn element(&mut self, place: Lvalue, index: Index) -> Lvalue {
        let Kind::Array { element, size } = &place.ty.kind else { return place.blurred(Type::UNKNOWN) };
        let extent = match size {
            ArrayLength::Known(length) => i64::try_from(*length).ok().map(Affine::constant),
            ArrayLength::Variable => self.declared_extent(place.shape),
            ArrayLength::Unknown => None,
        };
        let stride = self.bound().size_of(element);
        let dimension = Dimension { index, lower: Some(Affine::constant(0)), extent, stride };
        let element = Type::clone(element);
        self.extended(place, dimension, element)
    }

    fn declared_extent(&self, shape: Option<(SymbolId, usize)>) -> Option<Affine> {
        let (symbol, depth) = shape?;
        self.unit.extents.get(&symbol)?.get(depth)?.clone()
    }

    /// The place with one more dimension.
    pub fn extended(&self, mut place: Lvalue, dimension: Dimension, element: Type) -> Lvalue {
        match place.path.last_mut() {
            Some(Step::Elements(dimensions)) if place.in_array => dimensions.push(dimension),
            _ => place.path.push(Step::Elements(vec![dimension])),
        }
        place.ty = element;
        place.in_array = true;
        place.is_bit_field = false;
        place.shape = place.shape.map(|(symbol, depth)| (symbol, depth + 1));
        place
    }

    /// The memory at an address.
    pub fn pointed(&mut self, address: Address, expr: &Expr) -> Lvalue {
        match address {
            Address::Loaded(place) => place.dereferenced(),
            Address::Of { place, .. } => place,
            Address::Value(value) => {
                let place = self.temporary(&self.bound().value_type(expr.id));
                let to = self.access(&place, Some(expr.range));
                self.write(to, value, expr.range);
                place.dereferenced()
            }
        }
    }

    /// The memory as an operand of an operation: all of it, for an array all of its elements.
    pub fn access(&mut self, place: &Lvalue, range: Option<Range>) -> Access {
        self.access_with(place, &Index::All, range)
    }

    /// The first byte of the memory, for its address.
    pub fn first(&mut self, place: &Lvalue, range: Option<Range>) -> Access {
        self.access_with(place, &Index::At(Affine::constant(0)), range)
    }

    fn access_with(&mut self, place: &Lvalue, inner: &Index, range: Option<Range>) -> Access {
        let mut whole = place.clone();
        while whole.ty.is_array() {
            whole = self.element(whole, inner.clone());
        }
        let text = self.written(&whole, range);
        let mut size = self.bound().size_of(&whole.ty);
        let content = match whole.ty.is_void() {
            true => Content::Unknown,
            false => self.unit.content(&whole.ty),
        };
        if whole.ty.is_void() || whole.ty.is_function() {
            size = None;
        }
        if place.is_bit_field {
            // Other bit-fields in the same bytes keep their values.
            whole = whole.blurred(place.ty.clone());
        }
        Access { root: whole.root, path: whole.path, size, content, text }
    }
}
