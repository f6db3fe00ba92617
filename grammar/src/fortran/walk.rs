//! Traversal of the tree: children of expressions, expressions of statements, statements of units.
//!
//! Input: a tree.
//! Output: references to its nodes, in text order as far as the tree keeps it.
//! Postcondition: each node is visited once.

use super::tree::{
    Argument, ArgumentKind, Attribute, Bound, CharacterLength, CommonBlock, Construct, ConstructKind, DoKind,
    Entity, Expr, ExprKind, Statement, StatementKind, Tree, TypeSpec, Unit,
};

impl Expr {
    /// The expressions directly inside this one.
    pub fn children(&self) -> Vec<&Expr> {
        let mut list = Vec::new();
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Name(_) => {}
            ExprKind::Reference { base, arguments } => {
                list.push(&**base);
                of_arguments(arguments, &mut list);
            }
            ExprKind::Component { base, .. } => list.push(base),
            ExprKind::Unary { operand, .. } => list.push(operand),
            ExprKind::Binary { left, right, .. } => list.extend([&**left, &**right]),
            ExprKind::Parenthesized(inner) => list.push(inner),
            ExprKind::ArrayConstructor { spec, items } => {
                spec.iter().for_each(|spec| of_type(spec, &mut list));
                list.extend(items);
            }
            ExprKind::ImpliedDo { items, bounds, .. } => {
                list.extend(items);
                list.extend(bounds);
            }
            ExprKind::Other(inner) => list.extend(inner),
        }
        list
    }

    /// Visits this expression and all below it, parents before children.
    pub fn walk<'t>(&'t self, visit: &mut dyn FnMut(&'t Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}

impl Argument {
    /// The expressions of its value: one, or those of a range.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut list = Vec::new();
        of_argument(self, &mut list);
        list
    }
}

impl Statement {
    /// The outermost expressions of the statement itself, without those of statements inside it. Statements
    /// in a type or an interface are included.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut list = Vec::new();
        of_statement(&self.kind, &mut list);
        list
    }

    /// The statements directly inside this one: those of a construct, an `IF`, a type.
    pub fn children(&self) -> Vec<&Statement> {
        match &self.kind {
            StatementKind::LogicalIf { action, .. } => vec![&**action],
            StatementKind::Masked { action, .. } => action.iter().map(|action| &**action).collect(),
            StatementKind::Construct(construct) => construct.statements().collect(),
            StatementKind::DerivedType(derived) => derived.components.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Visits this statement and all below it.
    pub fn walk<'t>(&'t self, visit: &mut dyn FnMut(&'t Statement)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Visits all expressions of this statement and of those below it.
    pub fn walk_expressions<'t>(&'t self, visit: &mut dyn FnMut(&'t Expr)) {
        self.walk(&mut |statement| {
            for expression in statement.expressions() {
                expression.walk(visit);
            }
        });
    }
}

impl Construct {
    /// The statements of all its parts.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.parts.iter().flat_map(|part| &part.statements)
    }
}

impl Unit {
    /// Visits all statements of the unit, without those of contained units.
    pub fn walk_statements<'t>(&'t self, visit: &mut dyn FnMut(&'t Statement)) {
        for statement in self.specification.iter().chain(&self.execution) {
            statement.walk(visit);
        }
    }

    /// Visits this unit and all units that it contains.
    pub fn walk<'t>(&'t self, visit: &mut dyn FnMut(&'t Unit)) {
        visit(self);
        for unit in &self.contained {
            unit.walk(visit);
        }
    }
}

impl Tree {
    /// Visits all units, hosts before contained units, without the bodies in interfaces.
    pub fn walk<'t>(&'t self, visit: &mut dyn FnMut(&'t Unit)) {
        for unit in &self.units {
            unit.walk(visit);
        }
    }
}

fn of_argument<'t>(argument: &'t Argument, list: &mut Vec<&'t Expr>) {
    match &argument.kind {
        ArgumentKind::Value(value) => list.push(value),
        ArgumentKind::Range { lower, upper, stride } => {
            list.extend([lower, upper, stride].into_iter().flatten().map(|bound| &**bound));
        }
        ArgumentKind::AlternateReturn(_) | ArgumentKind::Star => {}
    }
}

fn of_arguments<'t>(arguments: &'t [Argument], list: &mut Vec<&'t Expr>) {
    for argument in arguments {
        of_argument(argument, list);
    }
}

fn of_length<'t>(length: &'t CharacterLength, list: &mut Vec<&'t Expr>) {
    if let CharacterLength::Expression(length) = length {
        list.push(length);
    }
}

fn of_type<'t>(spec: &'t TypeSpec, list: &mut Vec<&'t Expr>) {
    list.extend(&spec.length_bytes);
    list.extend(&spec.kind);
    spec.character_length.iter().for_each(|length| of_length(length, list));
}

fn of_shape<'t>(shape: &'t [Bound], list: &mut Vec<&'t Expr>) {
    for bound in shape {
        match bound {
            Bound::Explicit { lower, upper } => {
                list.extend(lower);
                list.push(upper);
            }
            Bound::AssumedSize { lower } | Bound::AssumedShape { lower } => list.extend(lower),
            Bound::AssumedRank => {}
        }
    }
}

fn of_attribute<'t>(attribute: &'t Attribute, list: &mut Vec<&'t Expr>) {
    if let Attribute::Dimension(shape) = attribute {
        of_shape(shape, list);
    }
}

fn of_entity<'t>(entity: &'t Entity, list: &mut Vec<&'t Expr>) {
    entity.shape.iter().for_each(|shape| of_shape(shape, list));
    entity.length.iter().for_each(|length| of_length(length, list));
    list.extend(&entity.initial);
}

fn of_block<'t>(block: &'t CommonBlock, list: &mut Vec<&'t Expr>) {
    block.members.iter().for_each(|member| of_entity(member, list));
}

fn of_statement<'t>(kind: &'t StatementKind, list: &mut Vec<&'t Expr>) {
    match kind {
        StatementKind::Assignment { target, value } | StatementKind::PointerAssignment { target, value } => {
            list.extend([target, value])
        }
        StatementKind::Call { procedure, arguments } => {
            list.push(procedure);
            of_arguments(arguments, list);
        }
        StatementKind::ComputedGoto { selector, .. } => list.push(selector),
        StatementKind::ArithmeticIf { value, .. } => list.push(value),
        StatementKind::LogicalIf { condition, .. } => list.push(condition),
        StatementKind::Return(value) | StatementKind::Stop(value) => list.extend(value),
        StatementKind::Io { controls, items, .. } => {
            of_arguments(controls, list);
            list.extend(items);
        }
        StatementKind::Allocate { objects, options } | StatementKind::Deallocate { objects, options } => {
            list.extend(objects);
            of_arguments(options, list);
        }
        StatementKind::Nullify(objects) => list.extend(objects),
        StatementKind::Masked { expressions, .. } | StatementKind::OtherExecutable { expressions } => {
            list.extend(expressions)
        }
        StatementKind::Construct(construct) => of_construct(construct, list),
        _ => of_specification(kind, list),
    }
}

fn of_specification<'t>(kind: &'t StatementKind, list: &mut Vec<&'t Expr>) {
    match kind {
        StatementKind::TypeDeclaration { spec, attributes, entities } => {
            of_type(spec, list);
            attributes.iter().for_each(|attribute| of_attribute(attribute, list));
            entities.iter().for_each(|entity| of_entity(entity, list));
        }
        StatementKind::Attributes { attribute, entities } => {
            of_attribute(attribute, list);
            entities.iter().for_each(|entity| of_entity(entity, list));
        }
        StatementKind::Implicit(Some(rules)) => {
            rules.iter().for_each(|rule| of_type(&rule.spec, list));
        }
        StatementKind::Parameter(constants) => {
            list.extend(constants.iter().map(|(_, value)| value));
        }
        StatementKind::Common(blocks) => blocks.iter().for_each(|block| of_block(block, list)),
        StatementKind::Equivalence(lists) => list.extend(lists.iter().flatten()),
        StatementKind::Enumeration { enumerators } => {
            list.extend(enumerators.iter().filter_map(|(_, value)| value.as_ref()));
        }
        StatementKind::ProcedureDeclaration { attributes, .. } => {
            attributes.iter().for_each(|attribute| of_attribute(attribute, list));
        }
        _ => {}
    }
}

fn of_construct<'t>(construct: &'t Construct, list: &mut Vec<&'t Expr>) {
    match &construct.kind {
        ConstructKind::SelectCase { selector }
        | ConstructKind::SelectType { selector, .. }
        | ConstructKind::SelectRank { selector, .. } => list.push(selector),
        ConstructKind::Do(control) => match &control.kind {
            DoKind::Counted { start, end, step, .. } => {
                list.extend([start, end]);
                list.extend(step);
            }
            DoKind::While(condition) => list.push(condition),
            DoKind::Forever => {}
            DoKind::Concurrent { expressions } => list.extend(expressions),
        },
        ConstructKind::Associate { associations } => {
            list.extend(associations.iter().map(|(_, value)| value));
        }
        ConstructKind::Masked { expressions, .. } | ConstructKind::ChangeTeam { expressions } => {
            list.extend(expressions);
        }
        ConstructKind::If | ConstructKind::Block | ConstructKind::Critical => {}
    }
    for part in &construct.parts {
        list.extend(&part.condition);
        part.cases.iter().for_each(|cases| of_arguments(cases, list));
    }
}
