//! Expressions: what each identifier names, and the type of each expression as it stands.
//!
//! Input: expressions of the tree, in the scope where they stand.
//! Output: the two tables by `ExprId`, and facts of the procedure.
//! Postcondition: arrays and functions have not decayed in the table; whoever wants the value's type asks for
//! it decayed.

use cppc_grammar::c::tree::{
    Basic, Compound, Expr, ExprId, ExprKind, Ident, StatementKind, TypeName, UnaryOperator,
};

use super::binder::Binder;
use super::facts::{CallFact, Callee};
use super::ids::SymbolId;
use super::literals;
use super::operators::{arithmetic, binary, compatible, conditional, promoted};
use super::symbols::{StorageKind, SymbolKind};
use super::types::{FunctionType, Kind, Type};

impl Binder<'_> {
    /// Binds and types an expression; gives its type undecayed.
    pub(super) fn expression(&mut self, expr: &Expr) -> Type {
        let ty = self.typed(expr);
        self.set_type(expr.id, ty.clone());
        ty
    }

    /// The same, with its value's type.
    pub(super) fn value(&mut self, expr: &Expr) -> Type {
        self.expression(expr).decayed()
    }

    fn set_type(&mut self, id: ExprId, ty: Type) {
        let index = id.0 as usize;
        if index >= self.types.len() {
            self.types.resize(index + 1, Type::UNKNOWN);
        }
        self.types[index] = ty;
    }

    pub(super) fn type_of(&self, id: ExprId) -> &Type {
        static UNKNOWN: Type = Type::UNKNOWN;
        self.types.get(id.0 as usize).unwrap_or(&UNKNOWN)
    }

    /// The symbol of an identifier that has been bound, parentheses or not.
    pub(super) fn binding(&self, expr: &Expr) -> Option<SymbolId> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.binding(inner),
            _ => self.bindings.get(expr.id.0 as usize).copied().flatten(),
        }
    }

    fn typed(&mut self, expr: &Expr) -> Type {
        match &expr.kind {
            ExprKind::Ident(name) => self.identifier(expr.id, *name, false),
            ExprKind::Integer(text) => literals::integer(self.text(*text)).0,
            ExprKind::Float(text) => literals::float(self.text(*text)),
            ExprKind::Character(text) => literals::character(self.text(*text)).0,
            ExprKind::String(texts) => {
                let texts: Vec<&str> = texts.iter().map(|&text| self.text(text)).collect();
                literals::string(&texts)
            }
            ExprKind::Bool(_) => Type::basic(Basic::Bool),
            ExprKind::Null => Kind::Null.into(),
            ExprKind::Paren(inner) => self.expression(inner),
            ExprKind::Statement(body) => self.statement_expression(body),
            ExprKind::Generic { control, associations } => self.generic(control, associations, expr),
            ExprKind::Call { callee, arguments } => self.call(expr, callee, arguments),
            ExprKind::Index { base, index } => self.index(base, index),
            ExprKind::Member { base, arrow, field } => self.member(base, *arrow, *field),
            ExprKind::Unary { operator, operand } => self.unary(*operator, operand),
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (self.operand(left), self.operand(right));
                binary(*operator, &left, &right, &self.tables)
            }
            ExprKind::Assign { left, right, .. } => {
                let ty = self.expression(left);
                self.expression(right);
                self.note_assigned(left);
                self.note_set(left);
                ty.unqualified()
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.choice(condition, then.as_deref(), otherwise)
            }
            ExprKind::Comma(left, right) => {
                self.expression(left);
                self.value(right)
            }
            ExprKind::TypeGeneric(parts) => self.type_generic(parts),
            ExprKind::Choose(condition, then, otherwise) => {
                self.expression(condition);
                let (then, otherwise) = (self.expression(then), self.expression(otherwise));
                match self.constant(condition) {
                    Some(value) if value != 0 => then,
                    Some(_) => otherwise,
                    None => Type::UNKNOWN,
                }
            }
            _ => self.typed_by_name(expr),
        }
    }

    /// Expressions that hold the name of a type, or a label.
    fn typed_by_name(&mut self, expr: &Expr) -> Type {
        let size = Type::basic(Basic::UnsignedLong);
        match &expr.kind {
            ExprKind::Cast { to, operand } => {
                let ty = self.type_name(to);
                self.expression(operand);
                ty.unqualified()
            }
            ExprKind::Compound { to, list } => {
                let ty = self.type_name(to);
                self.init_list(list);
                self.completed(ty, list)
            }
            ExprKind::SizeofExpr(operand) | ExprKind::AlignofExpr(operand) => {
                self.unevaluated += 1;
                self.expression(operand);
                self.unevaluated -= 1;
                size
            }
            ExprKind::SizeofType(name) | ExprKind::AlignofType(name) | ExprKind::Offsetof(name) => {
                let ty = self.type_name(name);
                self.operand_types.insert(expr.id, ty);
                size
            }
            ExprKind::TypesCompatible(left, right) => {
                let (result, parameters) = (self.type_name(left), vec![self.type_name(right)]);
                let pair = FunctionType { result, parameters, variadic: false, unspecified: false };
                self.operand_types.insert(expr.id, Kind::Function(pair.into()).into());
                Type::INT
            }
            ExprKind::VaArg { list, to } => {
                self.expression(list);
                self.type_name(to).unqualified()
            }
            ExprKind::Convert { operand, to } => {
                self.expression(operand);
                self.type_name(to)
            }
            ExprKind::LabelAddress(_) => {
                let range = expr.range;
                if let Some(facts) = self.facts() {
                    facts.computed_jumps.push(range);
                }
                Type::pointer_to(Type::VOID)
            }
            _ => Type::UNKNOWN,
        }
    }

    fn completed(&mut self, ty: Type, list: &cppc_grammar::c::tree::InitList) -> Type {
        use super::types::ArrayLength;
        // The list's own length is what an initialiser of the same shape would give.
        match &ty.kind {
            Kind::Array { element, size: ArrayLength::Unknown } => {
                let size = self.listed_length(element, list).map_or(ArrayLength::Unknown, ArrayLength::Known);
                Type { kind: Kind::Array { element: element.clone(), size }, ..ty }
            }
            _ => ty,
        }
    }

    fn identifier(&mut self, id: ExprId, name: Ident, called: bool) -> Type {
        let Some(symbol) = self.resolve(name.name) else {
            return self.undeclared(id, name, called);
        };
        self.bind(id, symbol);
        let found = &self.symbols[symbol.0 as usize];
        let (kind, owner, ty) = (found.kind, found.procedure, found.ty.clone());
        let framed = matches!(found.storage, StorageKind::Automatic | StorageKind::Register);
        if kind == SymbolKind::Function && !called && self.unevaluated == 0 {
            self.address_taken_functions.insert(symbol);
        }
        // A nested function reaches the variable through the frame of the procedure around it.
        if let (true, true, Some(owner)) = (framed, owner != self.procedure && self.at.is_none(), owner) {
            self.procedures[owner.0 as usize].facts.address_taken.insert(symbol);
        }
        ty
    }

    fn bind(&mut self, id: ExprId, symbol: SymbolId) {
        let index = id.0 as usize;
        if index >= self.bindings.len() {
            self.bindings.resize(index + 1, None);
        }
        self.bindings[index] = Some(symbol);
    }

    fn undeclared(&mut self, id: ExprId, name: Ident, called: bool) -> Type {
        let text = self.text(name.name);
        if let Some(ty) = super::builtins::identifier(text) {
            return ty;
        }
        if !called || self.at.is_some() || self.unevaluated > 0 || text.starts_with("__") {
            return Type::UNKNOWN;
        }
        let symbol = self.declare_implicitly(name.name, name.token);
        self.bind(id, symbol);
        self.symbol(symbol).ty.clone()
    }

    fn call(&mut self, expr: &Expr, callee: &Expr, arguments: &[Expr]) -> Type {
        let ty = self.called(callee);
        let fact = CallFact { expr: expr.id, range: expr.range, callee: self.callee(callee) };
        let builtin = match fact.callee {
            Callee::Builtin(name) => Some(self.text(name)),
            _ => None,
        };
        if let Some(facts) = self.facts() {
            facts.calls.push(fact);
        }
        let types: Vec<Type> = arguments.iter().map(|argument| self.value(argument)).collect();
        // What gets the address of an array may fill it.
        for argument in arguments.iter() {
            if self.type_of(argument.id).is_array() {
                self.note_set(argument);
            }
        }
        if let Some(ty) = builtin.and_then(|name| super::builtins::result(name, &types)) {
            return ty;
        }
        let function = match &ty.kind {
            Kind::Pointer(target) => &target.kind,
            other => other,
        };
        match function {
            Kind::Function(function) => function.result.unqualified(),
            _ => Type::UNKNOWN,
        }
    }

    /// Types the callee without counting a function's name as its address being taken.
    fn called(&mut self, callee: &Expr) -> Type {
        let ty = match &callee.kind {
            ExprKind::Ident(name) => self.identifier(callee.id, *name, true),
            ExprKind::Paren(inner) => self.called(inner),
            ExprKind::Unary { operator: UnaryOperator::Extension, operand } => self.called(operand),
            ExprKind::Unary { operator: UnaryOperator::Dereference, operand } => {
                let ty = self.called(operand);
                match &ty.kind {
                    Kind::Pointer(target) => Type::clone(target),
                    Kind::Function(_) => ty,
                    _ => Type::UNKNOWN,
                }
            }
            ExprKind::Unary { operator: UnaryOperator::Address, operand } => {
                let ty = self.called(operand);
                if ty.is_function() {
                    Type::pointer_to(ty)
                } else {
                    return self.expression(callee);
                }
            }
            _ => return self.expression(callee),
        };
        self.set_type(callee.id, ty.clone());
        ty
    }

    fn callee(&self, callee: &Expr) -> Callee {
        match &callee.kind {
            ExprKind::Paren(inner) => self.callee(inner),
            ExprKind::Unary {
                operator: UnaryOperator::Extension | UnaryOperator::Dereference | UnaryOperator::Address,
                operand,
            } => self.callee(operand),
            ExprKind::Ident(name) => match self.binding(callee) {
                Some(id) if self.symbol(id).kind == SymbolKind::Function => Callee::Function(id),
                None if self.text(name.name).starts_with("__") => Callee::Builtin(name.name),
                _ => Callee::Pointer,
            },
            _ => Callee::Pointer,
        }
    }

    fn index(&mut self, base: &Expr, index: &Expr) -> Type {
        let (base, index) = (self.expression(base), self.expression(index));
        let pointed = |ty: &Type| match &ty.kind {
            Kind::Pointer(target) | Kind::Array { element: target, .. } => Some(Type::clone(target)),
            Kind::Vector { element, .. } => Some(Type::clone(element)),
            _ => None,
        };
        // The qualifiers of an array are those of its elements.
        let element = pointed(&base).map(|element| match base.is_array() {
            true => element.qualified(base.qualifiers),
            false => element,
        });
        element.or_else(|| pointed(&index)).unwrap_or(Type::UNKNOWN)
    }

    fn member(&mut self, base: &Expr, arrow: bool, field: Ident) -> Type {
        let base = self.expression(base);
        let record = if arrow { base.decayed().target().cloned() } else { Some(base) };
        let Some(record) = record else { return Type::UNKNOWN };
        let Kind::Record(id) = record.kind else { return Type::UNKNOWN };
        match self.tables.field(id, field.name) {
            Some(found) => found.ty.clone().qualified(record.qualifiers),
            None => Type::UNKNOWN,
        }
    }

    /// The type of an operand's value; a narrow bit-field is an `int`.
    fn operand(&mut self, expr: &Expr) -> Type {
        let ty = self.value(expr);
        match self.bit_field(expr) {
            Some(Some(width)) if width < 32 && ty.is_integer() => Type::INT,
            _ => ty,
        }
    }

    /// The width of the bit-field that an expression names.
    pub(super) fn bit_field(&self, expr: &Expr) -> Option<Option<u64>> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.bit_field(inner),
            ExprKind::Member { base, arrow, field } => {
                let base = self.type_of(base.id);
                let record = if *arrow { base.target()? } else { base };
                let Kind::Record(id) = record.kind else { return None };
                self.tables.field(id, field.name)?.bits
            }
            _ => None,
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expr) -> Type {
        use UnaryOperator::*;
        match operator {
            Address => {
                let ty = self.expression(operand);
                self.take_address(operand);
                Type::pointer_to(ty)
            }
            Dereference => {
                let ty = self.expression(operand);
                match &ty.kind {
                    Kind::Function(_) => ty,
                    _ => ty.target().cloned().unwrap_or(Type::UNKNOWN),
                }
            }
            Plus | Minus | Complement => {
                let ty = self.operand(operand);
                match arithmetic(&ty, &self.tables) {
                    Some(basic) => Type::basic(promoted(basic)),
                    None if matches!(ty.kind, Kind::Vector { .. }) => ty,
                    None => Type::UNKNOWN,
                }
            }
            Not => {
                self.expression(operand);
                Type::INT
            }
            PreIncrement | PreDecrement | PostIncrement | PostDecrement => {
                let ty = self.expression(operand);
                self.note_assigned(operand);
                self.note_set(operand);
                ty.unqualified()
            }
            Real | Imaginary => {
                let ty = self.value(operand);
                let part = arithmetic(&ty, &self.tables).and_then(literals::component);
                part.map_or(Type::UNKNOWN, Type::basic)
            }
            Extension => self.expression(operand),
        }
    }

    /// Notes the variable that `&operand` points into.
    pub(super) fn take_address(&mut self, operand: &Expr) {
        self.note_set(operand);
        let Some(id) = self.object(operand) else { return };
        if let Some(facts) = self.facts() {
            facts.address_taken.insert(id);
        }
    }

    /// The variable that a place is, or is a part of.
    fn object(&self, place: &Expr) -> Option<SymbolId> {
        match &place.kind {
            ExprKind::Paren(inner) => self.object(inner),
            ExprKind::Unary {
                operator: UnaryOperator::Extension | UnaryOperator::Real | UnaryOperator::Imaginary,
                operand,
            } => self.object(operand),
            ExprKind::Member { base, arrow: false, .. } => self.object(base),
            ExprKind::Index { base, .. } if self.type_of(base.id).is_array() => self.object(base),
            ExprKind::Ident(_) => self.binding(place).filter(|&id| self.is_variable(id)),
            _ => None,
        }
    }

    /// A variable of the procedure gets a value here, or may get one.
    fn note_set(&mut self, place: &Expr) {
        if let Some(id) = self.object(place) {
            self.note_set_at(id, place.range.start);
        }
    }

    pub(super) fn note_set_at(&mut self, id: SymbolId, token: u32) {
        if matches!(self.symbol(id).storage, StorageKind::Automatic | StorageKind::Register) {
            if let Some(facts) = self.facts() {
                facts.set.push((id, token));
            }
        }
    }

    fn choice(&mut self, condition: &Expr, then: Option<&Expr>, otherwise: &Expr) -> Type {
        let condition_type = self.operand(condition);
        let then_type = then.map_or(condition_type, |then| self.operand(then));
        let otherwise_type = self.operand(otherwise);
        let null = (then.is_some_and(|then| self.is_null(then)), self.is_null(otherwise));
        conditional(&then_type, &otherwise_type, null, &self.tables)
    }

    /// A null pointer constant: `0`, or `0` cast to `void *`.
    fn is_null(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Paren(inner) => self.is_null(inner),
            ExprKind::Null => true,
            ExprKind::Cast { operand, .. } => {
                let ty = self.type_of(expr.id);
                ty.target().is_some_and(|target| *target == Type::VOID) && self.constant(operand) == Some(0)
            }
            _ => self.type_of(expr.id).is_integer() && self.constant(expr) == Some(0),
        }
    }

    fn statement_expression(&mut self, body: &Compound) -> Type {
        self.statement_expressions.push(body.range);
        self.compound(body);
        let last = body.items.last().and_then(|item| match item {
            cppc_grammar::c::tree::BlockItem::Statement(statement) => Some(statement),
            _ => None,
        });
        let mut last = last.map(|statement| &statement.kind);
        // A label before the last expression does not take its value away.
        while let Some(StatementKind::Label { body, .. }) = last {
            last = Some(&body.kind);
        }
        match last {
            Some(StatementKind::Expr(Some(value))) => self.type_of(value.id).decayed(),
            _ => Type::VOID,
        }
    }

    fn generic(&mut self, control: &Expr, associations: &[(Option<TypeName>, Expr)], whole: &Expr) -> Type {
        self.unevaluated += 1;
        let control = self.value(control);
        self.unevaluated -= 1;
        let mut types = Vec::with_capacity(associations.len());
        for (name, _) in associations {
            types.push(name.as_ref().map(|name| self.type_name(name)));
        }
        let chosen = match control.is_unknown() {
            true => None,
            false => self.matching(&control, &types),
        };
        let mut result = Type::UNKNOWN;
        for (index, (_, value)) in associations.iter().enumerate() {
            let taken = chosen.is_none() || chosen == Some(index);
            self.unevaluated += u32::from(!taken);
            let ty = self.expression(value);
            self.unevaluated -= u32::from(!taken);
            if chosen == Some(index) {
                result = ty;
            }
        }
        if let Some(chosen) = chosen {
            self.chosen_associations.insert(whole.id, chosen);
        }
        result
    }

    fn matching(&self, control: &Type, types: &[Option<Type>]) -> Option<usize> {
        let same = |ty: &Option<Type>| ty.as_ref().is_some_and(|ty| compatible(ty, control, &self.tables));
        types.iter().position(same).or_else(|| types.iter().position(Option::is_none))
    }

    /// The association that `_Generic` chose.
    pub(super) fn chosen(&self, expr: &Expr, associations: &[(Option<TypeName>, Expr)]) -> Option<usize> {
        let chosen = self.chosen_associations.get(&expr.id).copied()?;
        (chosen < associations.len()).then_some(chosen)
    }
}
