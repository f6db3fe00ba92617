//! The grammar's actions for declarations.
//!
//! Input: names, arguments and bounds in brackets.
//! Output: types, attributes and entities of the tree.

use super::expression::{at_fault, Built, Context};
use super::logical::At;
use super::tree::{
    Argument, ArgumentKind, Attribute, BaseType, Bound, CharacterLength, CommonBlock, Entity, Expr, ExprKind,
    Literal, Name, Operator, TypeSpec,
};

/// The text after the name of a type.
#[derive(Debug)]
pub enum Selector {
    /// `*8`, `*(n)`, `*(*)`
    Length(CharacterLength),
    /// `(kind=8)`
    Arguments(Vec<Argument>),
}

/// A type declaration without the name of its type.
#[derive(Debug)]
pub struct Declared {
    pub selector: Option<Selector>,
    pub attributes: Vec<Attribute>,
    pub entities: Vec<Entity>,
}

/// The type that a name and its selector denote.
pub fn type_spec(base: BaseType, selector: Option<Selector>, at: At) -> TypeSpec {
    let mut spec = TypeSpec { at, base, length_bytes: None, kind: None, character_length: None };
    match selector {
        None => {}
        Some(Selector::Length(length)) if spec.base == BaseType::Character => {
            spec.character_length = Some(length);
        }
        Some(Selector::Length(CharacterLength::Expression(length))) => spec.length_bytes = Some(length),
        Some(Selector::Length(_)) => {}
        Some(Selector::Arguments(arguments)) => select(&mut spec, arguments),
    }
    spec
}

/// `(kind)`, `(len, kind)`, `(LEN=…, KIND=…)`. The parameters of a derived type are ignored.
fn select(spec: &mut TypeSpec, arguments: Vec<Argument>) {
    let character = spec.base == BaseType::Character;
    if matches!(spec.base, BaseType::Type(_) | BaseType::Class(_) | BaseType::Assumed) {
        return;
    }
    for (number, argument) in arguments.into_iter().enumerate() {
        let is_length = match &argument.keyword {
            Some(keyword) => keyword.text == "len",
            None => character && number == 0,
        };
        if is_length {
            spec.character_length = match argument.kind {
                ArgumentKind::Value(length) => Some(CharacterLength::Expression(length)),
                ArgumentKind::Range { .. } => Some(CharacterLength::Deferred),
                ArgumentKind::Star => Some(CharacterLength::Assumed),
                ArgumentKind::AlternateReturn(_) => None,
            };
        } else if let ArgumentKind::Value(kind) = argument.kind {
            spec.kind = Some(kind);
        }
    }
}

/// The intrinsic type with this name.
pub fn base_type(name: &str) -> Option<BaseType> {
    Some(match name {
        "integer" => BaseType::Integer,
        "real" => BaseType::Real,
        "doubleprecision" => BaseType::DoublePrecision,
        "complex" => BaseType::Complex,
        "doublecomplex" => BaseType::DoubleComplex,
        "logical" => BaseType::Logical,
        "character" => BaseType::Character,
        "byte" => BaseType::Byte,
        _ => return None,
    })
}

/// The type before `::` in an array constructor or `ALLOCATE`, which was parsed as an expression.
pub fn type_of_expression(expr: Expr) -> Built<TypeSpec> {
    let at = expr.at;
    let (name, selector) = match expr.kind {
        ExprKind::Name(name) => (name, None),
        ExprKind::Reference { base, arguments } => match base.kind {
            ExprKind::Name(name) => (name, Some(Selector::Arguments(arguments))),
            _ => return Err(at_fault(at.end)),
        },
        // `real*8`
        ExprKind::Binary { operator: Operator::Multiply, left, right } => match left.kind {
            ExprKind::Name(name) => (name, Some(Selector::Length(CharacterLength::Expression(*right)))),
            _ => return Err(at_fault(at.end)),
        },
        _ => return Err(at_fault(at.end)),
    };
    let base = base_type(&name.text).unwrap_or(BaseType::Type(name));
    Ok(type_spec(base, selector, at))
}

pub fn entity(context: Context, start: u32, name: Name, end: u32) -> Entity {
    let at = context.at(start, end);
    Entity { name, is_block: false, shape: None, is_coarray: false, length: None, initial: None, at }
}

impl Entity {
    pub fn shaped(mut self, shape: Vec<Bound>, end: u32) -> Box<Entity> {
        self.shape = Some(shape);
        self.ending(end)
    }

    pub fn long(mut self, length: CharacterLength, end: u32) -> Box<Entity> {
        self.length = Some(length);
        self.ending(end)
    }

    pub fn with(mut self, initial: Expr, end: u32) -> Box<Entity> {
        self.initial = Some(initial);
        self.ending(end)
    }

    pub fn shared(mut self, end: u32) -> Box<Entity> {
        self.is_coarray = true;
        self.ending(end)
    }

    pub fn ending(mut self, end: u32) -> Box<Entity> {
        self.at.end = end;
        Box::new(self)
    }

    pub fn block(mut self, start: u32, end: u32) -> Box<Entity> {
        self.is_block = true;
        self.at.start = start;
        self.ending(end)
    }
}

/// `intent(in)`, `bind(c)`, `save`, …
pub fn attribute(name: &str, arguments: &[Argument]) -> Attribute {
    match name {
        "parameter" => Attribute::Parameter,
        "allocatable" => Attribute::Allocatable,
        "pointer" => Attribute::Pointer,
        "target" => Attribute::Target,
        "intent" => intent(arguments),
        "optional" => Attribute::Optional,
        "save" | "static" => Attribute::Save,
        "external" => Attribute::External,
        "intrinsic" => Attribute::Intrinsic,
        "value" => Attribute::Value,
        "volatile" => Attribute::Volatile,
        "asynchronous" => Attribute::Asynchronous,
        "contiguous" => Attribute::Contiguous,
        "protected" => Attribute::Protected,
        "public" => Attribute::Public,
        "private" => Attribute::Private,
        "bind" => Attribute::Bind,
        _ => Attribute::Other,
    }
}

fn intent(arguments: &[Argument]) -> Attribute {
    let word = match arguments.first().map(|argument| &argument.kind) {
        Some(ArgumentKind::Value(Expr { kind: ExprKind::Name(name), .. })) => name.text.as_str(),
        _ => "",
    };
    Attribute::Intent { reads: word != "out", writes: word != "in" }
}

/// A member of a common block, and the block if its name precedes the member.
#[derive(Debug)]
pub struct Member {
    pub block: Option<Option<Name>>,
    pub entity: Box<Entity>,
}

pub fn common(members: Vec<Member>) -> Vec<CommonBlock> {
    let mut blocks: Vec<CommonBlock> = Vec::new();
    for Member { block, entity } in members {
        if let Some(name) = block {
            blocks.push(CommonBlock { name, members: Vec::new() });
        } else if blocks.is_empty() {
            blocks.push(CommonBlock { name: None, members: Vec::new() });
        }
        if let Some(last) = blocks.last_mut() {
            last.members.push(*entity);
        }
    }
    blocks
}

/// The values between slashes after a declared name.
pub fn slashed(context: Context, start: u32, values: Vec<Expr>, end: u32) -> Expr {
    context.expr(start, ExprKind::Other(values), end)
}

/// The number after `*`.
pub fn length(context: Context, start: u32, end: u32) -> CharacterLength {
    let kind = ExprKind::Literal(Literal::Integer { kind: None });
    CharacterLength::Expression(context.expr(start, kind, end))
}
