//! How much memory an item speaks of, and how its elements are arranged.
//!
//! Input: an lvalue with its type, and the counts behind it.
//! Output: the number of elements, and the extents of an array, as expressions of C.
//! Postcondition: extents that are given out are those that the elements have in memory, as far as they make
//! the count; the runtime compares the two.

use cppc_abi::types::BYTE;
use cppc_grammar::c::tree::{Expr, ExprKind};

use super::ids::SymbolId;
use super::items::{Count, Element, ItemForm};
use super::spell_type::vector_code;
use super::types::{ArrayLength, Kind, Type};
use crate::bind::Amount;

/// An lvalue and how much lies there, before anybody asks whether it can be saved.
pub(super) struct Memory {
    pub lvalue: Expr,
    pub lvalue_text: String,
    pub tokens: std::ops::Range<usize>,
    pub ty: Type,
    pub root: SymbolId,
    pub through_pointer: bool,
    pub counts: Vec<Count>,
    pub slot: ItemForm,
    /// What is left after the counts: an array when they did not name all of its lengths.
    pub counted: Type,
    /// Empty brackets: the whole allocation, of which a pointer is the first address. There are no counts.
    pub is_allocation: bool,
    /// `deep(…)`
    pub is_deep: bool,
    /// How many of the counts the type has brackets for; those behind them divide what a pointer leads to.
    pub brackets: usize,
}

impl Memory {
    /// The lvalue, to be followed by brackets.
    pub(super) fn first_text(&self) -> String {
        match self.lvalue.kind {
            ExprKind::Unary { .. } => format!("({})", self.lvalue_text),
            _ => self.lvalue_text.clone(),
        }
    }
}

/// How many of so many counts a type has elements for.
pub(super) fn brackets(ty: &Type, counts: usize) -> usize {
    let mut ty = Some(ty);
    (0..counts)
        .take_while(|_| {
            ty = ty.and_then(Type::target);
            ty.is_some()
        })
        .count()
}

/// Which memory so many counts speak of, and the type of one counted element.
pub(super) fn counted_type(ty: &Type, counts: usize) -> (ItemForm, Type) {
    let slot = match (counts, &ty.kind) {
        (1.., Kind::Pointer(_)) => ItemForm::Pointer,
        (_, Kind::Array { .. } | Kind::Record(_) | Kind::Vector { .. }) => ItemForm::Aggregate,
        _ => ItemForm::Scalar,
    };
    let counted = (0..counts).try_fold(ty.clone(), |ty, _| ty.target().cloned());
    (slot, counted.unwrap_or(Type::UNKNOWN))
}

/// How many elements, as an expression of C.
pub(super) fn count_text(memory: &Memory, element: Option<Element>) -> String {
    if memory.is_allocation || (memory.is_deep && memory.slot == ItemForm::Pointer) {
        // The runtime counts them at each checkpoint.
        return "0".to_owned();
    }
    let mut factors: Vec<String> = memory.counts.iter().map(|count| count.text.clone()).collect();
    let comma = memory.counts.iter().any(is_comma);
    let counted = format!("{}{}", memory.first_text(), "[0]".repeat(memory.brackets));
    let lengths = lengths(&memory.counted);
    let leaf = format!("{counted}{}", "[0]".repeat(lengths));
    let bytes = element == Some(Element::Code(BYTE)) && !memory.counted.leaf_element().is_void();
    // The elements of a GNU vector are registered, as those of an array are.
    if let (Some(code), false) = (vector_code(memory.counted.leaf_element()), bytes) {
        let spelling = cppc_abi::types::by_code(code).map_or("char", |found| found.spelling);
        factors.push(format!("sizeof {counted} / sizeof ({spelling})"));
    }
    let is_vector = matches!(memory.counted.leaf_element().kind, Kind::Vector { .. });
    match (lengths > 0 && !is_vector, bytes) {
        (_, true) => factors.push(format!("sizeof {counted}")),
        (true, false) => factors.push(format!("sizeof {counted} / sizeof {leaf}")),
        (false, false) => {}
    }
    match factors.as_slice() {
        [] => "1".to_owned(),
        [one] if !comma => one.clone(),
        many => many.iter().map(|factor| factor_text(factor)).collect::<Vec<_>>().join(" * "),
    }
}

/// A factor of a number of elements, so that the product is computed with the type of sizes.
pub(super) fn factor_text(factor: &str) -> String {
    let is_size = factor.starts_with("sizeof ") || factor.bytes().all(|byte| byte.is_ascii_digit());
    if is_size {
        format!("({factor})")
    } else {
        format!("(size_t)({factor})")
    }
}

/// What is known of the number of elements.
pub(super) fn amount(memory: &Memory) -> Amount {
    if memory.is_deep {
        return Amount::Deep;
    }
    match (memory.is_allocation, is_constant(memory)) {
        (true, _) => Amount::Allocation,
        (false, true) => Amount::Constant,
        (false, false) => Amount::Computed,
    }
}

/// Whether there are as many elements in every run.
fn is_constant(memory: &Memory) -> bool {
    let mut ty = &memory.counted;
    while let Kind::Array { element, size: ArrayLength::Known(_) } = &ty.kind {
        ty = element;
    }
    !ty.is_array() && memory.counts.iter().all(|count| count.value.is_some())
}

/// Whether a count would be two in a list.
fn is_comma(count: &Count) -> bool {
    matches!(count.expr.kind, ExprKind::Comma(..))
}

fn lengths(ty: &Type) -> usize {
    match &ty.kind {
        Kind::Array { element, .. } => 1 + lengths(element),
        _ => 0,
    }
}

/// The length of a declared array that a constant count does not reach.
pub(super) fn partial(memory: &Memory) -> Option<(u64, i128)> {
    let [count] = memory.counts.as_slice() else { return None };
    match (&memory.ty.kind, count.value) {
        (Kind::Array { size: ArrayLength::Known(length), .. }, Some(value)) => {
            (value != i128::from(*length)).then_some((*length, value))
        }
        _ => None,
    }
}

/// The dimensions that a state file has room for.
const MOST: usize = 32;

/// One expression for each dimension; none for a single one.
pub(super) fn extents(memory: &Memory, element: Option<Element>) -> Vec<String> {
    // What is saved as bytes has no elements, but for what a pointer to `void` leads to.
    let is_bytes = element == Some(Element::Code(BYTE)) && !memory.counted.leaf_element().is_void();
    if is_bytes || memory.is_allocation || memory.is_deep {
        return Vec::new();
    }
    let first = memory.first_text();
    let mut list = Vec::new();
    let mut ty = memory.ty.clone();
    for (index, count) in memory.counts.iter().enumerate() {
        let written = if is_comma(count) { format!("({})", count.text) } else { count.text.clone() };
        let inner = match (&ty.kind, index) {
            (Kind::Array { size, .. }, 1..) => Some(*size),
            _ => None,
        };
        match (inner, count.value) {
            // Part of a row: what is saved goes on in the same row, not in the next one.
            (Some(ArrayLength::Known(length)), Some(value)) if i128::from(length) != value => {
                return Vec::new()
            }
            (Some(length), _) => list.push(spelled(length, &first, index)),
            (None, _) => list.push(written),
        }
        ty = ty.target().cloned().unwrap_or(Type::UNKNOWN);
    }
    let mut ty = &memory.counted;
    let mut brackets = memory.brackets;
    while let Kind::Array { element, size } = &ty.kind {
        list.push(spelled(*size, &first, brackets));
        (ty, brackets) = (element, brackets + 1);
    }
    if let (Some(code), false) = (vector_code(ty), list.is_empty()) {
        let spelling = cppc_abi::types::by_code(code).map_or("char", |found| found.spelling);
        list.push(format!("sizeof {first}{} / sizeof ({spelling})", "[0]".repeat(brackets)));
    }
    if (2..=MOST).contains(&list.len()) {
        list
    } else {
        Vec::new()
    }
}

/// The length of the array that so many brackets lead to.
fn spelled(length: ArrayLength, first: &str, brackets: usize) -> String {
    match length {
        ArrayLength::Known(length) => length.to_string(),
        ArrayLength::Variable | ArrayLength::Unknown => {
            let array = format!("{first}{}", "[0]".repeat(brackets));
            format!("sizeof {array} / sizeof {array}[0]")
        }
    }
}
