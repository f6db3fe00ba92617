//! Items with a section: `a[lower:count]`, `a[lower:count].field`.
//!
//! Input: the parts of an item, at the place of its directive.
//! Output: the item resolved, or diagnostics.
//! Postcondition: the elements of a section are at one distance from each other. The field is in each element itself.

use cppc_abi::types::BYTE;
use cppc_grammar::c::token::Name;
use cppc_grammar::c::tree::Expr;
use cppc_grammar::directive::{spell_tightly, CBounds, CCount, CItem, CSection};
use cppc_source::Diagnostic;

use super::amount::{factor_text, Memory};
use super::binder::Binder;
use super::items::{
    Bounds, Capture, Count, Element, Indexed, Item, ItemForm, Lower, Section, Selections, SizeVariable,
};
use super::lvalue;
use super::types::{ArrayLength, Kind, Type};
use crate::bind::Amount;

/// The dimensions that a state file has room for.
const MOST: usize = 32;

/// A section of an array, before its field is known.
struct Elements {
    memory: Memory,
    bounds: Vec<Bounds>,
    /// The length of each dimension, as far as the type contains it.
    lengths: Vec<Option<ArrayLength>>,
    /// The type of an element.
    element: Type,
}

impl Binder<'_> {
    pub(super) fn section_item(&mut self, pragma: usize, item: &CItem, section: &CSection) -> Option<Item> {
        let Elements { memory, bounds, lengths, element } = self.elements(pragma, item, section)?;
        let path = self.path_of(item, section)?;
        let field = self.field_of(item, &element, path)?;
        if !self.check_saved(item, &memory) || !self.check_field(item, &element, &field) {
            return None;
        }
        let leaf = field.leaf_element().unqualified();
        let element_code = self.element_of(item, &leaf, &Selections::default())?;
        let path_text = self.path_text(path);
        let first = format!("{}{}", memory.first_text(), "[0]".repeat(bounds.len()));
        let whole_field = if path.is_empty() { first.clone() } else { format!("{first}.{path_text}") };
        let (elements_text, inner) = elements_text(&field, &whole_field, element_code);
        let lower = bounds[0].lower();
        let (count_text, mut extents) = counts_text(&memory, &bounds, &lengths);
        extents.extend(inner);
        let is_constant = bounds[0]
            .count
            .as_ref()
            .map_or(matches!(lengths[0], Some(ArrayLength::Known(_))), |count| count.value.is_some())
            && !lengths[1..].contains(&Some(ArrayLength::Variable));
        let amount = if is_constant { Amount::Constant } else { Amount::Computed };
        let (key, indexed) = self.section_key(pragma, &memory, &bounds, path);
        Some(Item {
            text: item.text.clone(),
            span: item.span,
            count_text,
            amount,
            extents: if (2..=MOST).contains(&extents.len()) { extents } else { Vec::new() },
            element: leaf,
            element_code: Some(element_code),
            is_name: lvalue::is_name(&memory.lvalue),
            size_variables: self.section_variables(pragma, &memory, section, &bounds),
            way: self.access_path(&memory.lvalue, self.tokens_of(pragma, &memory)),
            indexed,
            key,
            storage: self.symbol(memory.root).storage,
            root: memory.root,
            through_pointer: memory.through_pointer,
            graph: None,
            selections: Selections::default(),
            section: Some(Section {
                stride_text: format!("sizeof {first}"),
                row_text: format!("sizeof {}[0]", memory.first_text()),
                structure: element,
                path: path.to_vec(),
                path_text,
                elements_text,
                lower,
                bounds,
            }),
            slot: memory.slot,
            ty: memory.ty,
            counts: Vec::new(),
            lvalue: memory.lvalue,
            lvalue_text: memory.lvalue_text,
        })
    }

    /// The same as an item of `unregister`, which names a register.
    pub(super) fn section_name(
        &mut self,
        pragma: usize,
        item: &CItem,
        section: &CSection,
    ) -> Option<Capture> {
        let Elements { memory, bounds, element, .. } = self.elements(pragma, item, section)?;
        let path = self.path_of(item, section)?;
        let field = self.field_of(item, &element, path)?;
        let (key, indexed) = self.section_key(pragma, &memory, &bounds, path);
        let leaf = field.leaf_element().unqualified();
        Some(Capture {
            text: memory.lvalue_text.clone(),
            span: item.span,
            count_text: String::new(),
            element_code: self.element(&leaf),
            element: leaf,
            is_name: lvalue::is_name(&memory.lvalue),
            key,
            indexed,
            storage: self.symbol(memory.root).storage,
            root: memory.root,
            way: Vec::new(),
            through_pointer: memory.through_pointer,
            section: Some(Section {
                stride_text: String::new(),
                row_text: String::new(),
                structure: element,
                path: path.to_vec(),
                path_text: self.path_text(path),
                elements_text: String::new(),
                lower: bounds[0].lower(),
                bounds,
            }),
            slot: memory.slot,
            ty: memory.ty,
            lvalue: memory.lvalue,
        })
    }

    /// The item without colons that means the same, if there is one: `p[n]` for `p[0:n]`.
    pub(super) fn without_section(&self, item: &CItem) -> Option<CItem> {
        let section = item.section.as_ref()?;
        let (first, inner) = section.bounds.split_first()?;
        let is_zero = |lower: &Option<CCount>| lower.as_ref().is_none_or(|lower| lower.text == "0");
        let is_whole = |bounds: &CBounds| is_zero(&bounds.lower) && bounds.count.is_none();
        let is_plain = section.path.as_ref().is_some_and(Vec::is_empty)
            && is_zero(&first.lower)
            && inner.iter().all(is_whole);
        is_plain.then(|| CItem { counts: first.count.iter().cloned().collect(), ..item.clone() })
    }

    /// Refuses a section where there is none.
    pub(super) fn refuse_section(&mut self, item: &CItem, because: &'static str) -> bool {
        let diagnostic = Diagnostic::error("C0464", item.span, format!("`{}` is a section", item.text))
            .because(because)
            .help("name the variable, or one element");
        self.refuse(diagnostic)
    }

    fn elements(&mut self, pragma: usize, item: &CItem, section: &CSection) -> Option<Elements> {
        let base = self.typed_tokens(pragma, item, item.lvalue.clone())?;
        let root = self.check_lvalue(item, &base)?;
        let ty = self.type_of(base.id).clone();
        let (mut element, mut bounds, mut lengths) = (ty.clone(), Vec::new(), Vec::new());
        for (index, written) in section.bounds.iter().enumerate() {
            let (inner, length) = match (&element.kind, index) {
                (Kind::Unknown, _) => return None,
                (Kind::Pointer(target), 0) => (Type::clone(target), None),
                (Kind::Array { element, size }, _) => (Type::clone(element), Some(*size)),
                _ => return self.refuse_bounds(item, written),
            };
            let lower = self.bound_of(pragma, item, written.lower.as_ref())?;
            let count = self.bound_of(pragma, item, written.count.as_ref())?;
            let found = Bounds { lower, count };
            if !self.check_bounds(item, written, &found, index, length) {
                return None;
            }
            bounds.push(found);
            lengths.push(length);
            element = inner;
        }
        let slot = if ty.is_pointer() { ItemForm::Pointer } else { ItemForm::Aggregate };
        let memory = Memory {
            through_pointer: self.through_pointer(&base),
            lvalue: base,
            lvalue_text: item.lvalue_text.clone(),
            tokens: item.lvalue.clone(),
            ty,
            root,
            counts: Vec::new(),
            slot,
            counted: element.clone(),
            is_allocation: false,
            is_deep: false,
            brackets: bounds.len(),
        };
        Some(Elements { memory, bounds, lengths, element })
    }

    /// The outer option is none after a diagnostic.
    fn bound_of(&mut self, pragma: usize, item: &CItem, written: Option<&CCount>) -> Option<Option<Count>> {
        match written {
            None => Some(None),
            Some(written) => self.count(pragma, item, written).map(Some),
        }
    }

    fn refuse_bounds(&mut self, item: &CItem, written: &CBounds) -> Option<Elements> {
        let diagnostic =
            Diagnostic::error("C0426", written.span, format!("`{}` has no elements to count", item.text))
                .because(
                    "the part before these brackets is neither an array nor a pointer to be followed here",
                )
                .help("write one pair of brackets for each dimension of the array");
        self.refuse(diagnostic);
        None
    }

    fn check_bounds(
        &mut self,
        item: &CItem,
        written: &CBounds,
        bounds: &Bounds,
        index: usize,
        length: Option<ArrayLength>,
    ) -> bool {
        let text = &item.lvalue_text;
        let error = |code, message: String| Diagnostic::error(code, written.span, message);
        if bounds.count.is_none() && matches!(length, None | Some(ArrayLength::Unknown)) {
            let diagnostic = error("C0425", format!("the number of elements of `{text}` is not known"))
                .because("it is declared without its length")
                .help(format!("write the number after the colon: `{text}[0:n]`"));
            return self.refuse(diagnostic);
        }
        let (lower, count) = (bounds.lower.as_ref(), bounds.count.as_ref());
        let first = lower.map_or(Some(0), |lower| lower.value);
        let value = count.and_then(|count| count.value);
        if let (Some(ArrayLength::Known(length)), Some(first)) = (length, first) {
            let length = i128::from(length);
            if first + value.unwrap_or(0) > length {
                let diagnostic = error(
                    "C0427",
                    format!("`{text}` has {length} elements, and the section ends after them"),
                )
                .because("the number after the colon is a number of elements")
                .help("write `[lower:count]`");
                return self.refuse(diagnostic);
            }
            if index == 0 || (first == 0 && value.is_none_or(|value| value == length)) {
                return true;
            }
        } else if index == 0 || (first == Some(0) && count.is_none()) {
            return true;
        }
        let diagnostic = error("C0464", format!("`{}` is a part of each row of an array", item.text))
            .because("the elements of a section have one distance from each other")
            .help("write `[:]` for each dimension but the first, or register each row in a loop");
        self.refuse(diagnostic)
    }

    fn path_of<'s>(&mut self, item: &CItem, section: &'s CSection) -> Option<&'s [Name]> {
        if section.path.is_none() {
            let diagnostic = Diagnostic::error("C0464", item.span, format!("`{}` does not name a field", item.text))
                .because("only names of fields can follow a section: `a[0:n].field`")
                .help("name the whole field; register parts of it, and what pointers in it point to, in a loop over the elements");
            self.refuse(diagnostic);
        }
        section.path.as_deref()
    }

    /// The type of the field.
    fn field_of(&mut self, item: &CItem, element: &Type, path: &[Name]) -> Option<Type> {
        let mut ty = element.clone();
        for name in path {
            let found = match ty.kind {
                Kind::Record(id) => {
                    self.tables.field(id, *name).map(|field| (field.bits.is_some(), field.ty.clone()))
                }
                _ => None,
            };
            let text = self.text(*name);
            let diagnostic = match found {
                Some((false, inner)) => {
                    ty = inner.qualified(ty.qualifiers);
                    continue;
                }
                Some((true, _)) => Diagnostic::error("C0430", item.span, format!("`{text}` is a bit-field"))
                    .because("it has no address of its own")
                    .help("register the elements with all their fields"),
                None if ty.is_array() => {
                    Diagnostic::error("C0464", item.span, format!("`{text}` is a field of the elements of an array"))
                        .because("the part before it has more dimensions")
                        .help("write `[:]` for each dimension of the array; register arrays of structures inside of the elements as a whole")
                }
                None => Diagnostic::error("C0421", item.span, format!("unknown field `{text}`"))
                    .because("the structure has no field of this name")
                    .help("name a field of the elements"),
            };
            self.refuse(diagnostic);
            return None;
        }
        Some(ty)
    }

    fn check_field(&mut self, item: &CItem, element: &Type, field: &Type) -> bool {
        if element.leaf_element().qualifiers.constant || field.leaf_element().qualifiers.constant {
            let diagnostic = Diagnostic::error("C0428", item.span, format!("`{}` is constant", item.text))
                .because("it cannot be restored")
                .help("leave it out, or declare it without `const`");
            return self.refuse(diagnostic);
        }
        if matches!(field.kind, Kind::Array { size: ArrayLength::Unknown | ArrayLength::Variable, .. }) {
            let diagnostic =
                Diagnostic::error("C0424", item.span, format!("`{}` cannot be saved", item.text))
                    .because("the size of the field is not known")
                    .help("register the field of each element in a loop, with its size");
            return self.refuse(diagnostic);
        }
        if let Kind::Record(id) = element.kind {
            if !self.is_named(id) {
                let diagnostic = Diagnostic::error(
                    "C0434",
                    item.span,
                    format!("the structure of `{}` has no name", item.lvalue_text),
                )
                .because("the position of its fields cannot be written")
                .help("give the structure a tag: `struct name { … }`");
                return self.refuse(diagnostic);
            }
        }
        true
    }

    fn path_text(&self, path: &[Name]) -> String {
        path.iter().map(|name| self.text(*name)).collect::<Vec<_>>().join(".")
    }

    /// The name of the register: `a[:].link`, `a[2:].link`. A lower bound that is computed belongs to the name like a
    /// subscript.
    fn section_key(
        &self,
        pragma: usize,
        memory: &Memory,
        bounds: &[Bounds],
        path: &[Name],
    ) -> (String, Option<Indexed>) {
        let lower = bounds[0].lower();
        let mut rest = match &lower {
            Lower::Constant(0) => "[:]".to_owned(),
            Lower::Constant(value) => format!("[{value}:]"),
            Lower::Computed(_) => "[?:]".to_owned(),
        };
        rest.push_str(&"[:]".repeat(bounds.len() - 1));
        path.iter().for_each(|name| rest.push_str(&format!(".{}", self.text(*name))));
        let tokens = self.tokens_of(pragma, memory);
        let base = self.indexed(memory.root, &memory.lvalue, tokens);
        let text = spell_tightly(tokens, &self.preprocessed.names);
        let pieces = base.as_ref().map_or_else(|| vec![text], |found| found.pieces.clone());
        let key = self.key(memory.root, &format!("{}{rest}", pieces.concat()));
        let is_indexed = base.is_some() || matches!(lower, Lower::Computed(_));
        let subscripts = base.map_or_else(Vec::new, |found| found.subscripts);
        (key.clone(), is_indexed.then_some(Indexed { key, pieces, subscripts }))
    }

    fn section_variables(
        &self,
        pragma: usize,
        memory: &Memory,
        section: &CSection,
        bounds: &[Bounds],
    ) -> Vec<SizeVariable> {
        let all = &self.preprocessed.pragmas[pragma].expanded;
        let written = section.bounds.iter().flat_map(|one| [&one.lower, &one.count]).flatten();
        let typed = bounds.iter().flat_map(|one| [&one.lower, &one.count]).flatten();
        let sizes = written.zip(typed).map(|(written, typed)| {
            let tokens = all.get(written.tokens.clone()).unwrap_or_default();
            (&typed.expr, tokens)
        });
        let sizes: Vec<(&Expr, _)> = sizes.collect();
        self.variables_of(memory, all, &sizes)
    }
}

impl Bounds {
    pub(super) fn lower(&self) -> Lower {
        match &self.lower {
            None => Lower::Constant(0),
            Some(lower) => lower.value.map_or_else(|| Lower::Computed(lower.text.clone()), Lower::Constant),
        }
    }
}

/// The number of elements of the field in one structure, and its extents.
fn elements_text(field: &Type, text: &str, code: Element) -> (String, Vec<String>) {
    if code == Element::Code(BYTE) {
        return (format!("sizeof {text}"), Vec::new());
    }
    let (mut extents, mut ty, mut product) = (Vec::new(), field, 1u64);
    while let Kind::Array { element, size: ArrayLength::Known(length) } = &ty.kind {
        extents.push(length.to_string());
        product = product.saturating_mul(*length);
        ty = element;
    }
    (product.to_string(), extents)
}

/// The number of structures, and the extents of the array that they form.
fn counts_text(memory: &Memory, bounds: &[Bounds], lengths: &[Option<ArrayLength>]) -> (String, Vec<String>) {
    let length_text = |dimension: usize| match lengths[dimension] {
        Some(ArrayLength::Known(length)) => length.to_string(),
        _ => {
            let array = format!("{}{}", memory.first_text(), "[0]".repeat(dimension));
            format!("sizeof {array} / sizeof {array}[0]")
        }
    };
    let first = match (&bounds[0].count, bounds[0].lower()) {
        (Some(count), _) => count.text.clone(),
        (None, Lower::Constant(0)) => length_text(0),
        (None, Lower::Constant(value)) => match lengths[0] {
            Some(ArrayLength::Known(length)) => (i128::from(length) - value).to_string(),
            _ => format!("{} - {value}", length_text(0)),
        },
        (None, Lower::Computed(text)) => match lengths[0] {
            Some(ArrayLength::Known(length)) => format!("{length} - ({text})"),
            _ => format!("{} - (size_t)({text})", length_text(0)),
        },
    };
    let extents: Vec<String> = std::iter::once(first).chain((1..bounds.len()).map(length_text)).collect();
    let count = match &extents[..] {
        [one] => one.clone(),
        many => many.iter().map(|extent| factor_text(extent)).collect::<Vec<_>>().join(" * "),
    };
    (count, extents)
}
