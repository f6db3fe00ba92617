//! C expressions in the model: calls, order of evaluation, and the values that a call may change.

use cppc_grammar::c::tree::{BinaryOperator, Compound, Expr, ExprKind, InitList, Initializer, UnaryOperator};

use super::{Builder, ProcedureContext};
use crate::bind::c::{Kind, StorageKind, SymbolId, SymbolKind, Type};
use crate::model::{CallSite, Callee, Expression, ExpressionKind, ExpressionProperties, Origin};

impl Builder<'_> {
    pub(super) fn expression(&self, expr: &Expr, context: &ProcedureContext) -> Expression {
        self.expression_as(expr, context, Use::Value)
    }

    fn expression_as(&self, expr: &Expr, context: &ProcedureContext, usage: Use) -> Expression {
        let ty = self.bound.type_of(expr.id);
        // Arrays and functions are designated, not read: their address never changes.
        let object = usage == Use::Object || ty.is_array() || ty.is_function();
        self.note_usages(expr, context);
        let kind = self.expression_kind(expr, context, object);
        let children = kind.children();
        let mut nature = ExpressionProperties {
            constant: self.bound.is_constant(expr),
            acts: has_effects(expr),
            effects: has_effects(expr) || children.iter().any(|child| child.nature.effects),
            stable: self.is_stable(expr, context) && children.iter().all(|child| child.nature.stable),
            truth: is_truth(expr),
            object,
            handle: self.bound.is_mpi_handle(ty, self.preprocessed),
            stale_handle: false,
            from_caller: false,
            composed: false,
            by_reference: false,
            address: self.types.hides_address(&ty.decayed(), false),
            through_local: self.follows_local(expr)
                || children.iter().any(|child| child.nature.through_local),
            follows_pointer: self.followed(expr).is_some()
                || children.iter().any(|child| child.nature.follows_pointer),
        };
        nature.stable |= nature.constant;
        Expression {
            place: self.spans.of(expr.range),
            anchor: self.spans.anchor(expr.range),
            macro_name: self.spans.macro_name(expr.range),
            local: None,
            through: None,
            emptied: None,
            origin: Origin::Places,
            ty: self.types.value(&self.bound.value_type(expr.id), Some(context.id)),
            nature,
            kind,
        }
    }

    fn expression_kind(&self, expr: &Expr, context: &ProcedureContext, object: bool) -> ExpressionKind {
        let value = |e: &Expr| self.expression_as(e, context, Use::Value);
        let designated = |e: &Expr| self.expression_as(e, context, Use::Object);
        let inner = |e: &Expr| if object { designated(e) } else { value(e) };
        let boxed = |e: &Expr| Box::new(value(e));
        let operands = ExpressionKind::Operands;
        match &expr.kind {
            ExprKind::Call { callee, arguments } => {
                let argument = |e: &Expr| {
                    let mut value = value(e);
                    value.nature.from_caller = self.is_from_caller(e, context);
                    Expression { origin: self.origin(e, context), ..value }
                };
                let arguments = arguments.iter().map(argument).collect();
                let (callee, through) = match self.named_callee(callee) {
                    Some(name) => (Callee::Named(name), None),
                    None => {
                        let through = Expression { origin: self.origin(callee, context), ..value(callee) };
                        (self.pointer_callee(callee), Some(Box::new(through)))
                    }
                };
                ExpressionKind::Call { callee, through, arguments }
            }
            ExprKind::Conditional { condition, then, otherwise } => ExpressionKind::Choice {
                condition: boxed(condition),
                then: then.as_deref().map(boxed),
                otherwise: boxed(otherwise),
            },
            ExprKind::Binary { operator, left, right } => match operator {
                BinaryOperator::And => {
                    ExpressionKind::ShortCircuit { and: true, left: boxed(left), right: boxed(right) }
                }
                BinaryOperator::Or => {
                    ExpressionKind::ShortCircuit { and: false, left: boxed(left), right: boxed(right) }
                }
                _ => operands(vec![value(left), value(right)]),
            },
            ExprKind::Comma(first, second) => ExpressionKind::Sequence(boxed(first), boxed(second)),
            // A compound assignment reads its left operand after the right operand is evaluated.
            ExprKind::Assign { operator: Some(_), left, right } => {
                operands(vec![value(right), designated(left)])
            }
            ExprKind::Assign { operator: None, left, right } => {
                operands(vec![designated(left), value(right)])
            }
            ExprKind::Paren(operand) => operands(vec![inner(operand)]),
            ExprKind::Unary { operator, operand } => match operator {
                UnaryOperator::Address
                | UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement => operands(vec![designated(operand)]),
                UnaryOperator::Extension | UnaryOperator::Real | UnaryOperator::Imaginary => {
                    operands(vec![inner(operand)])
                }
                _ => operands(vec![value(operand)]),
            },
            ExprKind::Index { base, index } => operands(vec![value(base), value(index)]),
            ExprKind::Member { base, arrow, .. } => {
                operands(vec![if *arrow { value(base) } else { designated(base) }])
            }
            ExprKind::Cast { operand, .. } | ExprKind::Convert { operand, .. } => {
                operands(vec![value(operand)])
            }
            ExprKind::Compound { list, .. } => operands(self.init_list(list, context)),
            ExprKind::Statement(body) => ExpressionKind::Statements(self.sites_of_compound(body)),
            ExprKind::Generic { associations, .. } => {
                let sites = associations.iter().flat_map(|(_, e)| self.sites(e));
                ExpressionKind::Statements(sites.collect())
            }
            ExprKind::Choose(condition, then, otherwise) => {
                let sites = [condition, then, otherwise].into_iter().flat_map(|e| self.sites(e));
                ExpressionKind::Statements(sites.collect())
            }
            ExprKind::TypeGeneric(parts) => operands(parts.iter().map(value).collect()),
            _ => ExpressionKind::Leaf,
        }
    }

    /// The values of an initialiser list, in text order.
    pub(super) fn init_list(&self, list: &InitList, context: &ProcedureContext) -> Vec<Expression> {
        list.items.iter().flat_map(|item| self.initializer(&item.value, context)).collect()
    }

    pub(super) fn initializer(
        &self,
        initializer: &Initializer,
        context: &ProcedureContext,
    ) -> Vec<Expression> {
        match initializer {
            Initializer::Expr(expr) => {
                self.note_alias(expr, context);
                vec![self.expression(expr, context)]
            }
            Initializer::List(list) => self.init_list(list, context),
        }
    }

    /// The function that a callee names directly: `f`, `(f)`, `(*f)`, `(&f)`.
    fn named_callee(&self, callee: &Expr) -> Option<String> {
        match &callee.kind {
            ExprKind::Paren(inner) => self.named_callee(inner),
            ExprKind::Unary { operator: UnaryOperator::Address | UnaryOperator::Dereference, operand } => {
                self.named_callee(operand)
            }
            ExprKind::Ident(ident) => {
                let name = self.preprocessed.names.text(ident.name);
                match self.bound.symbol_of(callee.id) {
                    Some(id) if self.bound.symbol(id).kind == SymbolKind::Function => Some(name.to_owned()),
                    Some(_) => None,
                    None => Some(name.to_owned()),
                }
            }
            _ => None,
        }
    }

    fn pointer_callee(&self, callee: &Expr) -> Callee {
        let ty = self.bound.type_of(callee.id);
        let function = match &ty.kind {
            Kind::Pointer(target) => (**target).clone(),
            Kind::Function(_) => ty.clone(),
            _ => Type::UNKNOWN,
        };
        Callee::Pointer(self.types.shape(&function))
    }

    pub(super) fn symbol_kind(&self, expr: &Expr) -> Option<SymbolKind> {
        self.bound.symbol_of(expr.id).map(|id| self.bound.symbol(id).kind)
    }

    /// True if this node itself reads nothing that a call could change. Its operands are checked separately.
    fn is_stable(&self, expr: &Expr, context: &ProcedureContext) -> bool {
        let ty = self.bound.type_of(expr.id);
        if ty.qualifiers.volatile || ty.qualifiers.atomic {
            return false;
        }
        match &expr.kind {
            ExprKind::Ident(_) => {
                ty.is_array()
                    || ty.is_function()
                    || self.bound.symbol_of(expr.id).is_some_and(|id| self.is_private(id, context))
            }
            ExprKind::Index { .. } => ty.is_array(),
            ExprKind::Member { base, arrow, .. } => {
                ty.is_array() || (!arrow && self.is_stable(base, context))
            }
            ExprKind::Unary { operator, .. } => *operator != UnaryOperator::Dereference || ty.is_array(),
            ExprKind::Call { .. } | ExprKind::Statement(_) | ExprKind::VaArg { .. } => false,
            ExprKind::Generic { .. } | ExprKind::Choose(..) => false,
            _ => true,
        }
    }

    /// True if this node follows a pointer that is computed from variables of the procedure.
    fn follows_local(&self, expr: &Expr) -> bool {
        self.followed(expr).is_some_and(|pointer| self.names_local(pointer))
    }

    /// The pointer that this node follows.
    fn followed<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let pointer = match &expr.kind {
            ExprKind::Unary { operator: UnaryOperator::Dereference, operand } => operand,
            ExprKind::Member { base, arrow: true, .. } => base,
            ExprKind::Index { base, .. } => base,
            _ => return None,
        };
        (!self.bound.type_of(pointer.id).is_array()).then_some(pointer)
    }

    fn names_local(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Ident(_) => self.bound.symbol_of(expr.id).is_some_and(|id| {
                let symbol = self.bound.symbol(id);
                symbol.kind == SymbolKind::Variable
                    && matches!(symbol.storage, StorageKind::Automatic | StorageKind::Register)
            }),
            ExprKind::Paren(inner)
            | ExprKind::Cast { operand: inner, .. }
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Member { base: inner, .. } => self.names_local(inner),
            ExprKind::Index { base, index } => self.names_local(base) || self.names_local(index),
            ExprKind::Binary { left, right, .. } => self.names_local(left) || self.names_local(right),
            _ => false,
        }
    }

    /// An automatic variable of this procedure whose address is never taken.
    fn is_private(&self, id: SymbolId, context: &ProcedureContext) -> bool {
        let symbol = self.bound.symbol(id);
        match symbol.kind {
            SymbolKind::EnumConstant => true,
            SymbolKind::Variable | SymbolKind::Parameter => {
                matches!(symbol.storage, StorageKind::Automatic | StorageKind::Register)
                    && !context.procedure.facts.address_taken.contains(&id)
            }
            _ => false,
        }
    }

    /// Whether an argument is a parameter that has the value of the call. A restart calls the procedure with this value.
    fn is_from_caller(&self, argument: &Expr, context: &ProcedureContext) -> bool {
        let id = match &argument.kind {
            ExprKind::Paren(inner) => return self.is_from_caller(inner, context),
            ExprKind::Ident(_) => self.bound.symbol_of(argument.id),
            _ => None,
        };
        let facts = &context.procedure.facts;
        id.is_some_and(|id| {
            let symbol = self.bound.symbol(id);
            // The arguments of `main` come from the new command line.
            let is_main = context.procedure.name == "main";
            symbol.kind == SymbolKind::Parameter
                && !is_main
                && !symbol.ty.qualifiers.volatile
                && !facts.address_taken.contains(&id)
                && facts.set.iter().all(|(set, _)| *set != id)
        })
    }

    /// The calls inside an expression that cannot be split.
    fn sites(&self, expr: &Expr) -> Vec<CallSite> {
        self.sites_in(expr.range)
    }

    fn sites_of_compound(&self, body: &Compound) -> Vec<CallSite> {
        self.sites_in(body.range)
    }

    fn sites_in(&self, range: cppc_grammar::c::tree::Range) -> Vec<CallSite> {
        let procedure = self.bound.procedure_at(range.start);
        let Some(procedure) = procedure else { return Vec::new() };
        let calls = self.bound.procedure(procedure).facts.calls.iter();
        let within = calls.filter(|c| range.start <= c.range.start && c.range.end <= range.end);
        within
            .filter_map(|call| {
                let callee = match call.callee {
                    crate::bind::c::Callee::Function(id) => {
                        let name = self.bound.symbol(id).name;
                        Callee::Named(self.preprocessed.names.text(name).to_owned())
                    }
                    crate::bind::c::Callee::Pointer => Callee::Pointer(crate::model::Shape::ANY),
                    crate::bind::c::Callee::Builtin(_) => return None,
                };
                Some(CallSite { callee, anchor: self.spans.anchor(call.range) })
            })
            .collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Its value is read.
    Value,
    /// It only designates an object.
    Object,
}

/// True if the value is 0 or 1.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_truth(inner),
        ExprKind::Unary { operator, .. } => *operator == UnaryOperator::Not,
        ExprKind::Binary { operator, .. } => matches!(
            operator,
            BinaryOperator::Less
                | BinaryOperator::Greater
                | BinaryOperator::LessEqual
                | BinaryOperator::GreaterEqual
                | BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::And
                | BinaryOperator::Or
        ),
        _ => false,
    }
}

/// True if this node itself has a side effect.
fn has_effects(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Assign { .. } | ExprKind::Call { .. } | ExprKind::VaArg { .. } => true,
        ExprKind::Statement(_) => true,
        ExprKind::Unary { operator, .. } => matches!(
            operator,
            UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
        ),
        _ => false,
    }
}
