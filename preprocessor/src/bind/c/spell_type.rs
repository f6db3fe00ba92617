//! Types as text: a declaration in C, a code of the runtime, the fields of a structure.
//!
//! Input: a type.
//! Output: text for generated code.
//! Postcondition: the text names only what is visible where it goes; what cannot be named gives None.

use cppc_abi::bits::MOST_BITS;
use cppc_abi::types as codes;
use cppc_grammar::c::token::Preprocessed;
use cppc_grammar::c::tree::{Basic, Qualifiers};

use super::bound::Bound;
use super::ids::{ProcedureId, RecordId, ScopeId, SymbolId};
use super::items::{Element, Selections};
use super::layout::layout;
use super::symbols::{Scope, ScopeKind, Symbol, SymbolKind};
use super::types::{integer_rank, ArrayLength, Field, Kind, Tables, Type};

/// The scope of a file is the first one.
const FILE_SCOPE: ScopeId = ScopeId(0);

/// A structure with more members than this, those of its structures counted, is saved as bytes.
const MEMBERS_LIMIT: u64 = 1 << 20;

impl Bound {
    /// Declares `declarator` with a type: `double *(*x)[3]` for the declarator `x`; an empty declarator
    /// gives a type name. None when the type has no name that is visible at the top of `procedure`'s
    /// body (at file level before its definition when None), or is variably modified or unknown.
    /// Qualifiers of the type itself are written; use `unqualified()` for a variable to assign to.
    pub fn spell(
        &self,
        ty: &Type,
        declarator: &str,
        procedure: Option<ProcedureId>,
        preprocessed: &Preprocessed,
    ) -> Option<String> {
        Speller { bound: self, preprocessed, procedure }.declare(ty, declarator)
    }

    /// What the runtime is told about a type; none for functions, `void`, incomplete and unknown
    /// types. Unions are bytes.
    pub fn element(&self, ty: &Type) -> Option<Element> {
        element(ty, &self.tables)
    }

    /// The same, if the members of these unions are selected.
    pub fn element_in(&self, ty: &Type, selections: &Selections) -> Option<Element> {
        element_in(ty, &self.tables, selections)
    }

    /// Whether no part of a structure can be described.
    pub fn is_saved_as_bytes(&self, record: RecordId) -> bool {
        opaque(record, &self.tables).is_some_and(|opaque| opaque.whole)
    }
}

pub(super) struct Speller<'a> {
    pub bound: &'a Bound,
    pub preprocessed: &'a Preprocessed,
    pub procedure: Option<ProcedureId>,
}

impl Speller<'_> {
    pub fn declare(&self, ty: &Type, declarator: &str) -> Option<String> {
        if let Some(base) = self.alias(ty) {
            return Some(joined(&base, declarator));
        }
        match &ty.kind {
            Kind::Pointer(target) => {
                let own = qualifiers(ty.qualifiers);
                let blank = if own.is_empty() || declarator.is_empty() { "" } else { " " };
                let starred = format!("*{own}{blank}{declarator}");
                let grouped = matches!(target.kind, Kind::Array { .. } | Kind::Function(_))
                    && self.alias(target).is_none();
                self.declare(target, &if grouped { format!("({starred})") } else { starred })
            }
            Kind::Array { element, size } => {
                let length = match size {
                    ArrayLength::Known(length) => length.to_string(),
                    ArrayLength::Unknown => String::new(),
                    ArrayLength::Variable => return None,
                };
                let element = Type::clone(element).qualified(ty.qualifiers);
                self.declare(&element, &format!("{declarator}[{length}]"))
            }
            Kind::Function(function) => {
                let mut parameters = Vec::with_capacity(function.parameters.len());
                for parameter in &function.parameters {
                    parameters.push(self.declare(parameter, "")?);
                }
                if function.variadic {
                    parameters.push("...".to_owned());
                }
                let list = match (parameters.is_empty(), function.unspecified) {
                    (true, false) => "void".to_owned(),
                    _ => parameters.join(", "),
                };
                self.declare(&function.result, &format!("{declarator}({list})"))
            }
            _ => {
                let base = self.base(ty)?;
                let own = qualifiers(ty.qualifiers);
                let base = if own.is_empty() { base } else { format!("{own} {base}") };
                Some(joined(&base, declarator))
            }
        }
    }

    /// The typedef name that a type was written with, if it is visible and says no more than the type.
    fn alias(&self, ty: &Type) -> Option<String> {
        let id = ty.alias?;
        let symbol = self.bound.symbol(id);
        let (own, all) = (symbol.ty.qualifiers, ty.qualifiers);
        let subset = (!own.constant || all.constant)
            && (!own.volatile || all.volatile)
            && (!own.restrict || all.restrict)
            && (!own.atomic || all.atomic);
        if !subset
            || symbol.ty.kind != ty.kind
            || !self.visible(symbol.scope, symbol.visible)
            || self.hidden(id)
        {
            return None;
        }
        let more = Qualifiers {
            constant: all.constant && !own.constant,
            volatile: all.volatile && !own.volatile,
            restrict: all.restrict && !own.restrict,
            atomic: all.atomic && !own.atomic,
        };
        let more = qualifiers(more);
        let name = self.preprocessed.names.text(symbol.name);
        Some(if more.is_empty() { name.to_owned() } else { format!("{more} {name}") })
    }

    fn base(&self, ty: &Type) -> Option<String> {
        match &ty.kind {
            Kind::Void => Some("void".to_owned()),
            Kind::Basic(basic) => self.basic(*basic),
            Kind::VaList => Some("__builtin_va_list".to_owned()),
            Kind::Enum(id) => {
                let found = self.bound.tables.enumeration(*id);
                let tag = found.tag.filter(|_| self.visible(found.scope, 0));
                match (tag, self.typedef(found.typedef)) {
                    (Some(tag), _) => Some(format!("enum {}", self.preprocessed.names.text(tag))),
                    (None, Some(name)) => Some(name),
                    // Its values are those of the type it is compatible with.
                    (None, None) => self.basic(found.compatible),
                }
            }
            Kind::Record(id) => {
                let found = self.bound.tables.record(*id);
                let tag = found.tag.filter(|_| self.visible(found.scope, found.declared.start));
                let word = if found.union { "union" } else { "struct" };
                match (tag, self.typedef(found.typedef)) {
                    (Some(tag), _) => Some(format!("{word} {}", self.preprocessed.names.text(tag))),
                    (None, Some(name)) => Some(name),
                    (None, None) if found.tag.is_some() => None,
                    (None, None) => self.like_a_variable(*id),
                }
            }
            _ => None,
        }
    }

    fn basic(&self, basic: Basic) -> Option<String> {
        match (basic, code(basic)) {
            (Basic::Other(name), _) => Some(self.preprocessed.names.text(name).to_owned()),
            (Basic::Float128, _) if !self.has_word("_Float128") => Some("__float128".to_owned()),
            (_, Some(code)) => codes::by_code(code).map(|found| found.spelling.to_owned()),
            _ => None,
        }
    }

    /// Whether the unit uses a word. Clang has no `_Float128`.
    fn has_word(&self, word: &str) -> bool {
        self.preprocessed.tokens.iter().any(|token| self.preprocessed.names.text(token.text) == word)
    }

    fn typedef(&self, id: Option<SymbolId>) -> Option<String> {
        let symbol = self.bound.symbol(id?);
        let plain = symbol.ty.qualifiers == Qualifiers::default();
        (plain && self.visible(symbol.scope, symbol.visible) && !self.hidden(id?))
            .then(|| self.preprocessed.names.text(symbol.name).to_owned())
    }

    /// The type of an unnamed structure, by a variable of the file that is declared with it.
    fn like_a_variable(&self, id: RecordId) -> Option<String> {
        let (symbol, lengths) = variable_of(id, &self.bound.symbols, &self.bound.scopes)?;
        let found = self.bound.symbol(symbol);
        if !self.visible(found.scope, found.visible) || self.hidden(symbol) {
            return None;
        }
        Some(format!("__typeof__({}{})", self.preprocessed.names.text(found.name), "[0]".repeat(lengths)))
    }

    /// Whether a name of this scope is visible at the top of the procedure's body.
    fn visible(&self, scope: ScopeId, from: u32) -> bool {
        let file = self.bound.scope(scope).kind == ScopeKind::File;
        file && self.procedure.is_none_or(|id| from < self.bound.procedure(id).body.start)
    }

    /// Whether a parameter of the procedure takes the name for itself.
    fn hidden(&self, id: SymbolId) -> bool {
        let name = self.bound.symbol(id).name;
        let parameters = self.procedure.map(|id| &self.bound.procedure(id).parameters);
        parameters.into_iter().flatten().any(|&parameter| self.bound.symbol(parameter).name == name)
    }
}

/// A variable of the file whose type, or whose elements' type, is this structure; with the number
/// of the array's lengths.
pub(super) fn variable_of(id: RecordId, symbols: &[Symbol], scopes: &[Scope]) -> Option<(SymbolId, usize)> {
    let at = symbols.iter().position(|symbol| {
        symbol.kind == SymbolKind::Variable
            && scopes[symbol.scope.0 as usize].kind == ScopeKind::File
            && symbol.ty.leaf_element().kind == Kind::Record(id)
    })?;
    let (mut ty, mut lengths) = (&symbols[at].ty, 0);
    while let Kind::Array { element, .. } = &ty.kind {
        ty = element;
        lengths += 1;
    }
    Some((SymbolId(at as u32), lengths))
}

fn joined(base: &str, declarator: &str) -> String {
    match declarator {
        "" => base.to_owned(),
        _ => format!("{base} {declarator}"),
    }
}

fn qualifiers(found: Qualifiers) -> String {
    let words = [
        (found.constant, "const"),
        (found.volatile, "volatile"),
        (found.restrict, "restrict"),
        (found.atomic, "_Atomic"),
    ];
    words.iter().filter(|(on, _)| *on).map(|&(_, word)| word).collect::<Vec<_>>().join(" ")
}

/// The code of an arithmetic type.
pub(super) fn code(basic: Basic) -> Option<i32> {
    Some(match basic {
        Basic::Bool => codes::BOOL,
        Basic::Char => codes::CHAR,
        Basic::SignedChar => codes::SIGNED_CHAR,
        Basic::UnsignedChar => codes::UNSIGNED_CHAR,
        Basic::Short => codes::SHORT,
        Basic::UnsignedShort => codes::UNSIGNED_SHORT,
        Basic::Int => codes::INT,
        Basic::UnsignedInt => codes::UNSIGNED_INT,
        Basic::Long => codes::LONG,
        Basic::UnsignedLong => codes::UNSIGNED_LONG,
        Basic::LongLong => codes::LONG_LONG,
        Basic::UnsignedLongLong => codes::UNSIGNED_LONG_LONG,
        Basic::Int128 => codes::INT128,
        Basic::UnsignedInt128 => codes::UNSIGNED_INT128,
        Basic::Float => codes::FLOAT,
        Basic::Double => codes::DOUBLE,
        Basic::LongDouble => codes::LONG_DOUBLE,
        Basic::Float128 => codes::FLOAT128,
        Basic::ComplexFloat => codes::FLOAT_COMPLEX,
        Basic::ComplexDouble => codes::DOUBLE_COMPLEX,
        Basic::ComplexLongDouble => codes::LONG_DOUBLE_COMPLEX,
        Basic::ComplexFloat128 => codes::FLOAT128_COMPLEX,
        Basic::Void | Basic::Other(_) | Basic::ComplexOther => return None,
    })
}

/// What the runtime is told of an element of this type.
pub(super) fn element(ty: &Type, tables: &Tables) -> Option<Element> {
    element_in(ty, tables, &Selections::default())
}

/// The same, if the members of these unions are selected.
pub(super) fn element_in(ty: &Type, tables: &Tables, selections: &Selections) -> Option<Element> {
    match &ty.kind {
        Kind::Basic(basic) => code(*basic).map(Element::Code),
        Kind::Enum(id) => code(tables.enumeration(*id).compatible).map(Element::Code),
        Kind::Pointer(target) => (!target.is_function()).then_some(Element::Code(codes::POINTER)),
        Kind::Array { element: inner, .. } => element_in(inner, tables, selections),
        Kind::Record(id) => {
            tables.record(*id).fields.as_ref()?;
            let whole = opaque_in(*id, tables, selections).is_some_and(|opaque| opaque.whole);
            Some(if whole { Element::Code(codes::BYTE) } else { Element::Record(*id) })
        }
        Kind::Vector { .. } => Some(Element::Code(codes::BYTE)),
        Kind::Unknown | Kind::Void | Kind::Function(_) | Kind::VaList | Kind::Null => None,
    }
}

/// Whether a structure, or a structure in it, has bit-fields.
fn contains_bits(id: RecordId, tables: &Tables) -> bool {
    tables.record(id).fields.iter().flatten().any(|field| {
        let inner = match field.ty.leaf_element().kind {
            Kind::Record(inner) => contains_bits(inner, tables),
            _ => false,
        };
        field.bits.is_some() || inner
    })
}

/// Whether generated code can set a bit-field of a sample, and the runtime has a type for it. Unnamed ones are padding.
fn is_described(field: &Field, tables: &Tables) -> bool {
    let basic = match &field.ty.kind {
        Kind::Basic(basic) => Some(*basic),
        Kind::Enum(id) => Some(tables.enumeration(*id).compatible),
        _ => None,
    };
    let fits = field.bits.flatten().is_some_and(|width| width <= u64::from(MOST_BITS));
    let is_integer = basic.and_then(integer_rank).is_some();
    field.name.is_none() || (fits && is_integer && !field.ty.qualifiers.constant)
}

/// Why a structure, or a part of it, is only bytes.
pub(super) struct Opaque {
    pub reason: &'static str,
    /// All of it, not only a union within.
    pub whole: bool,
}

pub(super) fn opaque(id: RecordId, tables: &Tables) -> Option<Opaque> {
    opaque_in(id, tables, &Selections::default())
}

/// The same, if the members of these unions are selected.
pub(super) fn opaque_in(id: RecordId, tables: &Tables, selections: &Selections) -> Option<Opaque> {
    let record = tables.record(id);
    let fields = record.fields.as_ref()?;
    if record.extent.members > MEMBERS_LIMIT {
        return Some(Opaque { reason: "it has too many members to be described", whole: true });
    }
    if record.union && selections.of(id, None).is_none() {
        return Some(Opaque { reason: "it is a union, and its valid member is not known", whole: true });
    }
    // Its description is an expression, which cannot use a sample.
    if record.scope != FILE_SCOPE && contains_bits(id, tables) {
        return Some(Opaque { reason: "it has bit-fields, and is defined inside a procedure", whole: true });
    }
    if fields.iter().any(|field| field.bits.is_some() && !is_described(field, tables)) {
        return Some(Opaque { reason: "it has a bit-field that is constant or too wide", whole: true });
    }
    let inner = fields.iter().enumerate().find_map(|(index, field)| match field.ty.leaf_element().kind {
        Kind::Record(inner) if selections.of(id, Some(index)).is_some() => {
            opaque_member(inner, tables, selections).map(|found| (found, field))
        }
        Kind::Record(inner) => opaque_in(inner, tables, selections).map(|found| (found, field)),
        _ => None,
    });
    if let Some((found, field)) = inner {
        // What has no size that we know, or no name, cannot be told apart from the rest.
        let part = found.whole && (layout(&field.ty, tables).is_none() || field.name.is_none());
        return Some(Opaque { reason: found.reason, whole: part });
    }
    if fields.iter().any(|field| is_strange(field, tables)) {
        return Some(Opaque { reason: STRANGE, whole: true });
    }
    None
}

const STRANGE: &str = "a field is of a type that has no form of its own in a state file";

/// Why a selected member of a union is only bytes.
fn opaque_member(union: RecordId, tables: &Tables, selections: &Selections) -> Option<Opaque> {
    let members = tables.record(union).fields.as_ref()?;
    let is_lost = |field: &Field| {
        let bits = field.bits.is_some() && !is_described(field, tables);
        bits || is_strange(field, tables) || layout(&field.ty, tables).is_none()
    };
    if members.iter().any(is_lost) {
        return Some(Opaque { reason: STRANGE, whole: true });
    }
    let inner = members.iter().find_map(|field| match field.ty.leaf_element().kind {
        Kind::Record(inner) => opaque_in(inner, tables, selections),
        _ => None,
    });
    inner.map(|found| Opaque { whole: false, ..found })
}

/// Whether no description of a field is possible.
fn is_strange(field: &Field, tables: &Tables) -> bool {
    let leaf = field.ty.leaf_element();
    match leaf.kind {
        Kind::Unknown | Kind::VaList | Kind::Basic(Basic::Other(_) | Basic::ComplexOther) => true,
        Kind::Vector { .. } => vector_elements(leaf, tables).is_none(),
        _ => false,
    }
}

/// The elements of a GNU vector: their code and number. None if a machine of a different architecture may have another
/// number of them.
pub(super) fn vector_elements(ty: &Type, tables: &Tables) -> Option<(i32, u64)> {
    let Kind::Vector { element, bytes } = &ty.kind else { return None };
    let code = vector_code(ty)?;
    let size = layout(element, tables)?.size;
    let is_fixed = !matches!(code, codes::LONG | codes::UNSIGNED_LONG | codes::LONG_DOUBLE);
    (is_fixed && size > 0).then_some((code, (*bytes)?.checked_div(size)?))
}

/// The code of the elements of a GNU vector.
pub(super) fn vector_code(ty: &Type) -> Option<i32> {
    let Kind::Vector { element, .. } = &ty.kind else { return None };
    match &element.kind {
        Kind::Basic(basic) => code(*basic),
        _ => None,
    }
}
