//! Types of the variables of a generated program.
//!
//! Input: random numbers.
//! Output: types, their spelling, and initial values.
//! Postcondition: every type can be registered according to docs/directives.md, at least as bytes.

use crate::random::numbers::Random;

/// How a value of a type is used in expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// As `u64`, modulo a power of two.
    Whole,
    /// As `double`, kept small.
    Real,
}

#[derive(Debug)]
pub struct Scalar {
    pub name: &'static str,
    pub domain: Domain,
    /// The number of valid values, from 0 on. 0 if all values of the type are valid.
    pub values: u32,
    /// Whether `++` cannot overflow: the type is unsigned, narrower than `int`, or real.
    pub counts: bool,
}

const fn whole(name: &'static str, counts: bool) -> Scalar {
    Scalar { name, domain: Domain::Whole, values: 0, counts }
}

const fn real(name: &'static str) -> Scalar {
    Scalar { name, domain: Domain::Real, values: 0, counts: true }
}

pub const SCALARS: [Scalar; 19] = [
    whole("int", false),
    whole("unsigned", true),
    real("double"),
    whole("signed char", true),
    whole("unsigned char", true),
    whole("short", true),
    whole("unsigned short", true),
    whole("long", false),
    whole("unsigned long", true),
    whole("long long", false),
    whole("u64", true),
    whole("int32_t", false),
    whole("size_t", true),
    real("float"),
    real("long double"),
    real("real_t"),
    whole("count_t", true),
    Scalar { name: "_Bool", domain: Domain::Whole, values: 2, counts: false },
    Scalar { name: "enum colour", domain: Domain::Whole, values: 3, counts: false },
];

pub const INT: usize = 0;
pub const UNSIGNED: usize = 1;
pub const DOUBLE: usize = 2;
pub const U64: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    Scalar(usize),
    /// By its index in the program.
    Structure(usize),
    Array(Box<Type>, usize),
    /// A pointer that is never null, and always points to at least this number of elements.
    Pointer(Box<Type>, usize),
}

impl Type {
    pub fn scalar(&self) -> Option<usize> {
        match self {
            Type::Scalar(index) => Some(*index),
            Type::Structure(_) | Type::Array(..) | Type::Pointer(..) => None,
        }
    }
}

/// A structure, or a union of whole numbers.
#[derive(Debug, Clone)]
pub struct Structure {
    /// `struct part`, or the name of a typedef.
    pub name: String,
    pub fields: Vec<Field>,
}

#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    /// The width of a bit-field, otherwise 0.
    pub bits: u32,
}

/// A declarator: `name`, `name[2][3]`, `*name`.
pub fn declare(ty: &Type, name: &str, structures: &[Structure]) -> String {
    match ty {
        Type::Scalar(index) => format!("{} {name}", SCALARS[*index].name),
        Type::Structure(index) => format!("{} {name}", structures[*index].name),
        Type::Array(element, length) => declare(element, &format!("{name}[{length}]"), structures),
        Type::Pointer(target, _) => match **target {
            Type::Array(..) => declare(target, &format!("(*{name})"), structures),
            _ => declare(target, &format!("*{name}"), structures),
        },
    }
}

/// The definition, as lines.
pub fn define(structure: &Structure, structures: &[Structure], has_typedef: bool) -> Vec<String> {
    let mut lines =
        vec![if has_typedef { "typedef struct {".to_owned() } else { format!("{} {{", structure.name) }];
    for field in &structure.fields {
        let declarator = declare(&field.ty, &field.name, structures);
        match field.bits {
            0 => lines.push(format!("    {declarator};")),
            bits => lines.push(format!("    {declarator} : {bits};")),
        }
    }
    lines.push(if has_typedef { format!("}} {};", structure.name) } else { "};".to_owned() });
    lines
}

/// Any scalar. The first ones of the table are selected more often.
pub fn random_scalar(random: &mut Random) -> usize {
    match random.chance(45) {
        true => random.below(3),
        false => random.below(SCALARS.len()),
    }
}

/// A scalar, an array, or one of the structures.
pub fn random_type(random: &mut Random, structures: &[Structure]) -> Type {
    match random.weighted(&[60, 20, 8, if structures.is_empty() { 0 } else { 20 }]) {
        0 => Type::Scalar(random_scalar(random)),
        1 => Type::Array(Box::new(random_element(random, structures)), 2 + random.below(5)),
        2 => {
            let inner = Type::Array(Box::new(Type::Scalar(random_scalar(random))), 2 + random.below(3));
            Type::Array(Box::new(inner), 2 + random.below(3))
        }
        _ => Type::Structure(random.below(structures.len())),
    }
}

/// An element type of arrays and pointers.
pub fn random_element(random: &mut Random, structures: &[Structure]) -> Type {
    match !structures.is_empty() && random.chance(25) {
        true => Type::Structure(random.below(structures.len())),
        false => Type::Scalar(random_scalar(random)),
    }
}

/// A target type of pointers, which may also be a row.
pub fn random_target(random: &mut Random, structures: &[Structure]) -> Type {
    match random.chance(15) {
        true => Type::Array(Box::new(Type::Scalar(random_scalar(random))), 2 + random.below(3)),
        false => random_element(random, structures),
    }
}

/// The next structure of a program. Its fields may be earlier structures.
pub fn random_structure(random: &mut Random, earlier: &[Structure], name: String) -> Structure {
    let has_bits = random.chance(12);
    let mut fields = Vec::new();
    for (number, field_name) in ["a", "b", "c", "d", "e", "x", "y"].iter().enumerate() {
        if number > 0 && number > random.below(7) {
            break;
        }
        let ty = match random.weighted(&[60, 25, if earlier.is_empty() { 0 } else { 15 }]) {
            0 => Type::Scalar(random_scalar(random)),
            1 => Type::Array(Box::new(Type::Scalar(random_scalar(random))), 2 + random.below(3)),
            _ => Type::Structure(random.below(earlier.len())),
        };
        let bits = if has_bits && random.chance(50) { 1 + random.below(7) as u32 } else { 0 };
        let ty = if bits > 0 { Type::Scalar(UNSIGNED) } else { ty };
        fields.push(Field { name: (*field_name).to_owned(), ty, bits });
    }
    Structure { name, fields }
}

/// A constant of a scalar type.
pub fn constant(scalar: usize, random: &mut Random) -> String {
    let scalar = &SCALARS[scalar];
    match (scalar.domain, scalar.values) {
        (Domain::Real, _) => format!("{}.{}", random.below(30), random.pick(&["0", "5", "25", "125"])),
        (Domain::Whole, 0) => random.below(120).to_string(),
        (Domain::Whole, 3) => random.pick(&["RED", "GREEN", "BLUE"]).to_owned(),
        (Domain::Whole, values) => random.below(values as usize).to_string(),
    }
}

/// An initialiser of constants.
pub fn initialiser(ty: &Type, structures: &[Structure], random: &mut Random) -> String {
    match ty {
        Type::Scalar(index) => constant(*index, random),
        Type::Array(element, length) => {
            let given = 1 + random.below(*length);
            let values: Vec<String> = (0..given).map(|_| initialiser(element, structures, random)).collect();
            format!("{{{}}}", values.join(", "))
        }
        Type::Structure(index) => {
            let fields = structures[*index].fields.iter();
            let designates = random.chance(40);
            let values: Vec<String> = fields
                .map(|field| {
                    let value = match field.bits {
                        0 => initialiser(&field.ty, structures, random),
                        _ => random.below(2).to_string(),
                    };
                    if designates {
                        format!(".{} = {value}", field.name)
                    } else {
                        value
                    }
                })
                .collect();
            format!("{{{}}}", values.join(", "))
        }
        Type::Pointer(..) => "NULL".to_owned(),
    }
}
