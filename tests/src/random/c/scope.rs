//! The names that generated code can use: variables and procedures, and where they are visible.
//!
//! Input: declarations, in the order in which they are generated.
//! Output: access paths to scalars.
//! Postcondition: every path has a defined value at the position for which it was requested, and stays within
//! its array.

use super::types::{Domain, Structure, Type, SCALARS};
use crate::random::numbers::Random;

#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    /// Whether no call can change it: it is automatic, and no pointer points to it.
    pub is_private: bool,
    /// `const`, the counter of a loop, or a parameter that is not registered.
    pub is_constant: bool,
    /// Declared with `const`.
    pub is_qualified: bool,
    /// Its address may be taken. Those of the whole program for any pointer, others for pointers in inner scopes.
    pub is_target: bool,
    pub is_global: bool,
    /// Its value is below this number. 0 if this is not known.
    pub below: usize,
    /// The number of scopes that were open where it was declared.
    pub level: usize,
    /// The key of the lines that declare and register it. They can be removed only together.
    pub key: u32,
}

impl Variable {
    pub fn new(name: impl Into<String>, ty: Type) -> Variable {
        Variable {
            name: name.into(),
            ty,
            is_private: true,
            is_constant: false,
            is_qualified: false,
            is_target: false,
            is_global: false,
            below: 0,
            level: 0,
            key: 0,
        }
    }
}

/// An access path to a scalar.
#[derive(Debug, Clone)]
pub struct Path {
    pub text: String,
    pub scalar: usize,
    pub bits: u32,
}

/// The scopes of a position, from that of the file to the innermost.
#[derive(Debug, Clone, Default)]
pub struct Scopes {
    scopes: Vec<Vec<Variable>>,
}

/// Which variables an access may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Any.
    Read,
    /// Those that no call changes.
    ReadPrivate,
    Write,
    WritePrivate,
    /// Those that no operand next to a call reads.
    WriteShared,
    /// Those whose address no call changes.
    WriteInPlace,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub fn declare(&mut self, mut variable: Variable) {
        variable.level = self.scopes.len();
        self.scopes.last_mut().expect("a scope is open").push(variable);
    }

    /// In the outermost scope, that of the file.
    pub fn declare_in_file(&mut self, mut variable: Variable) {
        variable.level = 1;
        self.scopes[0].push(variable);
    }

    pub fn is_declared_here(&self, name: &str) -> bool {
        self.scopes.last().is_some_and(|scope| scope.iter().any(|variable| variable.name == name))
    }

    /// Those that are not hidden by an inner variable with the same name.
    pub fn visible(&self) -> Vec<&Variable> {
        let mut visible: Vec<&Variable> = Vec::new();
        for variable in self.scopes.iter().rev().flat_map(|scope| scope.iter().rev()) {
            if !visible.iter().any(|inner| inner.name == variable.name) {
                visible.push(variable);
            }
        }
        visible
    }

    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.visible().into_iter().find(|variable| variable.name == name)
    }

    /// A path to a scalar of the domain.
    pub fn path(
        &self,
        domain: Domain,
        access: Access,
        structures: &[Structure],
        random: &mut Random,
    ) -> Option<Path> {
        let fits = |variable: &&Variable| {
            let is_pointer = matches!(variable.ty, Type::Pointer(..));
            let is_allowed = match access {
                Access::Read => true,
                Access::ReadPrivate => variable.is_private && !is_pointer,
                Access::Write => !variable.is_constant,
                Access::WritePrivate => !variable.is_constant && variable.is_private && !is_pointer,
                Access::WriteShared => !variable.is_constant && !variable.is_private && !is_pointer,
                Access::WriteInPlace => !variable.is_constant && (variable.is_private || !is_pointer),
            };
            is_allowed && has(&variable.ty, domain, structures)
        };
        let candidates: Vec<&Variable> = self.visible().into_iter().filter(fits).collect();
        if candidates.is_empty() {
            return None;
        }
        // Later variables are selected more often, so those of the procedure more often than those of the
        // file.
        let index = random.below(candidates.len()).min(random.below(candidates.len()));
        let variable = candidates[index];
        Some(self.down_to_scalar(variable.name.clone(), &variable.ty, domain, structures, random))
    }

    /// Adds subscripts and fields to a variable until it is a scalar.
    pub fn down_to_scalar(
        &self,
        text: String,
        ty: &Type,
        domain: Domain,
        structures: &[Structure],
        random: &mut Random,
    ) -> Path {
        match ty {
            Type::Scalar(scalar) => Path { text, scalar: *scalar, bits: 0 },
            Type::Array(element, length) => {
                let text = format!("{text}[{}]", self.subscript(*length, random));
                self.down_to_scalar(text, element, domain, structures, random)
            }
            Type::Pointer(target, length) => {
                let text = match random.weighted(&[4, 2, 1]) {
                    _ if matches!(**target, Type::Structure(_)) && *length == 1 => {
                        return self.down_to_fields(text, "->", target, domain, structures, random)
                    }
                    1 if *length == 1 => format!("(*{text})"),
                    2 => format!("(*({text} + {}))", self.subscript(*length, random)),
                    _ => format!("{text}[{}]", self.subscript(*length, random)),
                };
                self.down_to_scalar(text, target, domain, structures, random)
            }
            Type::Structure(_) => self.down_to_fields(text, ".", ty, domain, structures, random),
        }
    }

    fn down_to_fields(
        &self,
        text: String,
        link: &str,
        ty: &Type,
        domain: Domain,
        structures: &[Structure],
        random: &mut Random,
    ) -> Path {
        let Type::Structure(index) = ty else { unreachable!("only structures have fields") };
        let fields: Vec<_> =
            structures[*index].fields.iter().filter(|field| has(&field.ty, domain, structures)).collect();
        let field = fields[random.below(fields.len())];
        let text = format!("{text}{link}{}", field.name);
        let path = self.down_to_scalar(text, &field.ty, domain, structures, random);
        Path { bits: field.bits.max(path.bits), ..path }
    }

    /// A subscript below a length. It reads only private variables.
    pub fn subscript(&self, length: usize, random: &mut Random) -> String {
        let counters: Vec<&Variable> = self
            .visible()
            .into_iter()
            .filter(|variable| variable.below > 0 && variable.below <= length)
            .collect();
        if !counters.is_empty() && random.chance(50) {
            return counters[random.below(counters.len())].name.clone();
        }
        let whole: Vec<&Variable> = self
            .visible()
            .into_iter()
            .filter(|variable| variable.is_private && is_whole(&variable.ty))
            .collect();
        if !whole.is_empty() && random.chance(40) {
            return format!("(u64){} % {length}", whole[random.below(whole.len())].name);
        }
        random.below(length).to_string()
    }
}

fn is_whole(ty: &Type) -> bool {
    ty.scalar().is_some_and(|scalar| SCALARS[scalar].domain == Domain::Whole)
}

/// Whether there is a scalar of this domain inside.
pub fn has(ty: &Type, domain: Domain, structures: &[Structure]) -> bool {
    match ty {
        Type::Scalar(index) => SCALARS[*index].domain == domain,
        Type::Array(inner, _) | Type::Pointer(inner, _) => has(inner, domain, structures),
        Type::Structure(index) => {
            structures[*index].fields.iter().any(|field| has(&field.ty, domain, structures))
        }
    }
}
