//! What the user must mend in an item.
//!
//! | code | what |
//! |---|---|
//! | C0420 | no expression of C |
//! | C0421, C0422 | an unknown name; a name that is no variable |
//! | C0423, C0424 | no lvalue; a type that cannot be saved |
//! | C0425 to C0427 | a pointer without a size; brackets on what has no elements; a size that is no integer |
//! | C0428 to C0430 | const, `register` in place, a bit-field by itself |
//! | C0432 | side effects |
//! | C0433, C0434 | a handle of MPI; a structure without a name |
//! | C0435 | a pointer in what is saved as bytes |
//! | C0440 | warning: state that does not travel |
//! | C0441 | warning: only some elements of a declared array |

use std::collections::BTreeSet;

use cppc_grammar::c::token::Token;
use cppc_grammar::c::tree::{Expr, ExprKind, UnaryOperator};
use cppc_grammar::directive::CItem;
use cppc_source::{Diagnostic, Span};

use super::amount::{partial, Memory};
use super::binder::Binder;
use super::ids::SymbolId;
use super::items::{Element, ItemForm, Selections};
use super::lvalue::{is_lvalue, is_name};
use super::reached_types::UnitTypes;
use super::symbols::{StorageKind, SymbolKind};
use super::types::{Kind, Type};
use super::visit::find;

/// A name closer than this to a visible one was probably meant to be it.
const SIMILAR: f64 = 0.8;

impl Binder<'_> {
    pub(super) fn refuse(&mut self, diagnostic: Diagnostic) -> bool {
        self.diagnostics.push(diagnostic);
        false
    }

    /// An item is evaluated more than once, and at other times than it seems.
    pub(super) fn check_effects(&mut self, item: &CItem, expr: &Expr) -> bool {
        let effect = find(expr, &|part| match &part.kind {
            ExprKind::Assign { .. }
            | ExprKind::Statement(_)
            | ExprKind::Compound { .. }
            | ExprKind::LabelAddress(_) => true,
            ExprKind::Unary { operator, .. } => matches!(
                operator,
                UnaryOperator::PreIncrement
                    | UnaryOperator::PreDecrement
                    | UnaryOperator::PostIncrement
                    | UnaryOperator::PostDecrement
            ),
            _ => false,
        });
        if effect.is_none() {
            return true;
        }
        let diagnostic = Diagnostic::error(
            "C0432",
            item.span,
            format!("`{}` changes something when it is evaluated", item.text),
        )
        .because("CPPC may evaluate an item any number of times")
        .help("compute it before, and write the name of a variable here");
        self.refuse(diagnostic)
    }

    /// Every identifier names something.
    pub(super) fn check_names(&mut self, item: &CItem, tokens: &[Token], expr: &Expr) -> bool {
        let unknown = find(expr, &|part| match &part.kind {
            ExprKind::Ident(name) => {
                self.binding(part).is_none() && super::builtins::identifier(self.text(name.name)).is_none()
            }
            _ => false,
        });
        let Some(Expr { kind: ExprKind::Ident(name), .. }) = unknown else {
            return self.check_fields(item, tokens, expr);
        };
        let text = self.text(name.name);
        let token = tokens.get(name.token as usize).filter(|token| token.origin.expansion.is_none());
        let span = token.map_or(item.span, |token| token.origin.span);
        let mut diagnostic = Diagnostic::error("C0421", span, format!("unknown name `{text}`"))
            .because("no variable of this name is visible here");
        if let Some(best) = self.nearest(text) {
            let declared = self.token_span(self.symbol(best).declared);
            diagnostic = diagnostic.help(format!("did you mean `{}`", self.text(self.symbol(best).name)));
            if let Some(declared) = declared.filter(|declared| declared.file == self.main) {
                diagnostic = diagnostic.label(declared, "declared here");
            }
        } else {
            diagnostic = diagnostic.help("declare it before the directive");
        }
        self.refuse(diagnostic)
    }

    /// Every field stands in its structure, as far as that is known.
    fn check_fields(&mut self, item: &CItem, tokens: &[Token], expr: &Expr) -> bool {
        let record_of = |part: &Expr| {
            let ExprKind::Member { base, arrow, field } = &part.kind else { return None };
            let base = self.type_of(base.id);
            match if *arrow { &base.target()?.kind } else { &base.kind } {
                Kind::Record(id) => self.tables.record(*id).fields.as_ref().map(|_| (*id, *field)),
                _ => None,
            }
        };
        let missing =
            |part: &Expr| record_of(part).filter(|(id, field)| self.tables.field(*id, field.name).is_none());
        let Some((id, field)) = find(expr, &|part| missing(part).is_some()).and_then(missing) else {
            return true;
        };
        let text = self.text(field.name);
        let token = tokens.get(field.token as usize).filter(|token| token.origin.expansion.is_none());
        let span = token.map_or(item.span, |token| token.origin.span);
        let names = self.tables.record(id).fields.iter().flatten().filter_map(|field| field.name);
        let scored = names.map(|name| (strsim::jaro_winkler(text, self.text(name)), name));
        let best = scored.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(score, _)| *score >= SIMILAR);
        let mut diagnostic = Diagnostic::error("C0421", span, format!("unknown field `{text}`"))
            .because("the structure has no field of this name");
        if let Some((_, name)) = best {
            diagnostic = diagnostic.help(format!("did you mean `{}`", self.text(name)));
        }
        self.refuse(diagnostic)
    }

    /// The visible variable whose name is most like this one.
    fn nearest(&self, text: &str) -> Option<SymbolId> {
        let here = self.procedure_at(self.at?);
        let candidates = self.by_name.keys().filter_map(|name| {
            let score = strsim::jaro_winkler(text, self.text(*name));
            let id = (score >= SIMILAR).then(|| self.resolve(*name)).flatten()?;
            // Thousands of names come from headers: those of the program go first.
            let own = self.symbol(id).procedure == here || self.in_main(id);
            (self.is_variable(id) && own).then_some((score, id))
        });
        candidates.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, id)| id)
    }

    fn in_main(&self, id: SymbolId) -> bool {
        self.token_span(self.symbol(id).declared).is_some_and(|span| span.file == self.main)
    }

    pub(super) fn token_span(&self, token: u32) -> Option<Span> {
        self.preprocessed.tokens.get(token as usize).map(|token| self.place_of(token))
    }

    /// An item names memory of a variable.
    pub(super) fn check_lvalue(&mut self, item: &CItem, lvalue: &Expr) -> Option<SymbolId> {
        let root = self.root(lvalue).and_then(|root| self.binding(root)).filter(|_| is_lvalue(lvalue));
        let Some(root) = root else {
            let diagnostic =
                Diagnostic::error("C0423", item.span, format!("`{}` names no memory", item.lvalue_text))
                    .because("a value, not a variable")
                    .help("name a variable, a field of one, or what a pointer points to");
            self.refuse(diagnostic);
            return None;
        };
        if self.is_variable(root) {
            return Some(root);
        }
        self.not_a_variable(item, root);
        None
    }

    /// Says that an item's name is one of something else.
    pub(super) fn not_a_variable(&mut self, item: &CItem, id: SymbolId) {
        let symbol = self.symbol(id);
        let what = match symbol.kind {
            SymbolKind::Function => "a function",
            SymbolKind::Typedef => "a type",
            _ => "an enumeration constant",
        };
        let declared = self.token_span(symbol.declared).filter(|span| span.file == self.main);
        let mut diagnostic =
            Diagnostic::error("C0422", item.span, format!("`{}` is {what}", self.text(symbol.name)))
                .because("not a variable")
                .help("leave it out: only variables have state");
        if let Some(declared) = declared {
            diagnostic = diagnostic.label(declared, "declared here");
        }
        self.refuse(diagnostic);
    }

    /// What is registered has a size.
    pub(super) fn check_size(&mut self, item: &CItem, memory: &Memory) -> bool {
        let has_no_size = memory.counts.is_empty() && !memory.is_allocation;
        if let (true, Kind::Pointer(target)) = (has_no_size, &memory.ty.kind) {
            let text = &item.lvalue_text;
            let diagnostic = match &target.kind {
                _ if self.is_handle(&memory.ty) => return self.refuse_handle(item),
                // The runtime finds the function again by its symbol.
                Kind::Function(_) => return true,
                _ => Diagnostic::error(
                    "C0425",
                    item.span,
                    format!("`{text}` is a pointer, and its size is not known"),
                )
                .because("the number of elements is missing")
                .help(format!(
                    "write `{text}[n]`, with the number of elements for `n`, or `{text}[]` for all that `malloc` returned"
                )),
            };
            return self.refuse(diagnostic);
        }
        let unsized_array = memory.counts.is_empty()
            && matches!(memory.ty.kind, Kind::Array { size: super::types::ArrayLength::Unknown, .. })
            && !self.symbol(memory.root).defined;
        if unsized_array {
            let text = &item.lvalue_text;
            let diagnostic = Diagnostic::error(
                "C0425",
                item.span,
                format!("the size of the array `{text}` is not known here"),
            )
            .because("it is declared without its length")
            .help(format!("write `{text}[n]`, with the number of elements for `n`"));
            return self.refuse(diagnostic);
        }
        if let Some((length, value)) = partial(memory).filter(|_| item.section.is_none()) {
            let text = &item.lvalue_text;
            if value > i128::from(length) {
                let diagnostic = Diagnostic::error(
                    "C0427",
                    item.span,
                    format!("`{text}` has {length} elements, not {value}"),
                )
                .help(format!("write `{text}` for all of it"));
                return self.refuse(diagnostic);
            }
            let diagnostic = Diagnostic::warning(
                "C0441",
                item.span,
                format!("only {value} of the {length} elements of `{text}` are registered"),
            )
            .because("the number in the last brackets is a number of elements, not a subscript")
            .help(format!("write `{text}` for all of it"));
            self.diagnostics.push(diagnostic);
        }
        true
    }

    /// What is registered can be put back in its place.
    pub(super) fn check_saved(&mut self, item: &CItem, memory: &Memory) -> bool {
        let text = &item.lvalue_text;
        let root = self.symbol(memory.root);
        let storage = root.storage;
        let in_place = memory.slot != ItemForm::Pointer;
        let error = |code, message: String| Diagnostic::error(code, item.span, message);
        if in_place && memory.ty.leaf_element().qualifiers.constant {
            let diagnostic = error("C0428", format!("`{text}` is constant"))
                .because("it cannot be restored")
                .help("leave it out, or declare it without `const`");
            return self.refuse(diagnostic);
        }
        let direct = is_name(&memory.lvalue) && memory.slot == ItemForm::Scalar;
        let needs_address = !memory.through_pointer && !direct && in_place;
        if storage == StorageKind::Register && needs_address {
            let diagnostic = error("C0429", format!("`{text}` is in a variable declared `register`"))
                .because("its address cannot be taken")
                .help("declare it without `register`");
            return self.refuse(diagnostic);
        }
        if in_place && self.bit_field(&memory.lvalue).is_some() {
            let diagnostic = error("C0430", format!("`{text}` is a bit-field"))
                .because("it has no address of its own")
                .help("register the structure to which it belongs");
            return self.refuse(diagnostic);
        }
        true
    }

    /// What the runtime is told of an element; a diagnostic when there is nothing to tell.
    pub(super) fn element_of(
        &mut self,
        item: &CItem,
        element: &Type,
        selections: &Selections,
    ) -> Option<Element> {
        if self.is_handle(element) {
            self.refuse_handle(item);
            return None;
        }
        if element.is_void() {
            let diagnostic = Diagnostic::warning(
                "C0440",
                item.span,
                format!("`{}` is saved as bytes, so a machine of a different architecture cannot restore it", item.text),
            )
            .because("a pointer to `void` does not determine the type of its target")
            .help("use a pointer to the type of the elements, so that machines of a different architecture can read them");
            self.diagnostics.push(diagnostic);
            return Some(Element::Code(cppc_abi::types::BYTE));
        }
        if let Some(code) = super::spell_type::vector_code(element) {
            return Some(Element::Code(code));
        }
        if element.leaf_element().target().is_some_and(Type::is_function) {
            return Some(Element::Code(cppc_abi::types::POINTER));
        }
        let found = super::spell_type::element_in(element, &self.tables, selections)
            .filter(|_| !self.is_incomplete_here(element));
        if let (Kind::Record(id), false) = (element.kind.clone(), self.is_incomplete_here(element)) {
            let whole = found == Some(Element::Code(cppc_abi::types::BYTE));
            if !self.check_record(item, id, false, &mut BTreeSet::new()) {
                return None;
            }
            if let Some(reason) =
                super::spell_type::opaque_in(id, &self.tables, selections).map(|found| found.reason)
            {
                let diagnostic = Diagnostic::warning(
                    "C0440",
                    item.span,
                    format!(
                        "`{}` is saved as bytes, so a machine of a different architecture cannot restore it",
                        item.text
                    ),
                )
                .because(reason)
                .note("a machine of the same architecture can restore it");
                self.diagnostics.push(diagnostic);
            }
            if found.is_some() && !whole && !self.is_named(id) {
                let diagnostic = Diagnostic::error(
                    "C0434",
                    item.span,
                    format!("the structure of `{}` has no name", item.lvalue_text),
                )
                .because("its fields cannot be described")
                .help("give the structure a tag: `struct name { … }`");
                self.refuse(diagnostic);
                return None;
            }
        }
        if found.is_none() {
            let (reason, help) = match &element.kind {
                Kind::Unknown => ("its type was not understood", "register its parts by name"),
                Kind::Record(_) => {
                    ("its type is incomplete here", "define the structure before the directive")
                }
                Kind::Function(_) => ("it is a function", "leave it out"),
                _ => (
                    "a state file cannot contain values of this type",
                    "leave it out, or create it in an `execute` block",
                ),
            };
            let diagnostic =
                Diagnostic::error("C0424", item.span, format!("`{}` cannot be saved", item.text))
                    .because(reason)
                    .help(help);
            self.refuse(diagnostic);
        }
        found
    }

    /// Whether the directive is before the definition of a structure. The description of a structure is before the procedure
    /// with the directive.
    pub(super) fn is_incomplete_here(&self, ty: &Type) -> bool {
        matches!(ty.leaf_element().kind, Kind::Record(id) if self.unit_types().is_incomplete(id))
    }

    pub(super) fn element(&self, ty: &Type) -> Option<Element> {
        super::spell_type::element(ty, &self.tables)
    }

    pub(super) fn is_handle(&self, ty: &Type) -> bool {
        super::bound::mpi_handle(ty, &self.symbols, &self.preprocessed.names)
    }

    fn refuse_handle(&mut self, item: &CItem) -> bool {
        let diagnostic = Diagnostic::error(
            "C0433",
            item.span,
            format!("`{}` is an MPI handle, which is not valid after a restart", item.text),
        )
        .because("its value is not valid in the next run")
        .help("create it in an `execute` block");
        self.refuse(diagnostic)
    }

    /// A structure's fields can be put back: no handles of MPI; no pointers where all that is saved are bytes;
    /// pointers to functions only while null. `in_bytes` says that it is a part of what is saved as bytes.
    /// Each structure is looked at once among bytes and once outside of them.
    fn check_record(
        &mut self,
        item: &CItem,
        id: super::ids::RecordId,
        in_bytes: bool,
        seen: &mut BTreeSet<(super::ids::RecordId, bool)>,
    ) -> bool {
        let found = super::spell_type::opaque(id, &self.tables).filter(|found| found.whole);
        let in_bytes = in_bytes || found.is_some();
        if !seen.insert((id, in_bytes)) {
            return true;
        }
        let fields = self.tables.record(id).fields.clone().unwrap_or_default();
        for field in &fields {
            let leaf = field.ty.leaf_element();
            let name = field.name.map_or("", |name| self.text(name));
            if self.is_handle(leaf) {
                let diagnostic = Diagnostic::error(
                    "C0433",
                    item.span,
                    format!("the field `{name}` of `{}` is a handle of MPI", item.text),
                )
                .because("its value is not valid in the next run")
                .help(
                    "register the other fields by their names, and create the handle in an `execute` block",
                );
                return self.refuse(diagnostic);
            }
            if in_bytes && leaf.is_pointer() {
                let diagnostic = Diagnostic::error("C0435", item.span, format!("the field `{name}` of `{}` is a pointer in data that is saved as bytes", item.text))
                    .because(found.map_or("a part of what is saved as bytes", |found| found.reason))
                    .note("its target has another address in the next run, and a restart cannot correct a pointer in bytes")
                    .help("register the other fields by their names, or keep the pointer outside of unions");
                return self.refuse(diagnostic);
            }
            if let Kind::Record(inner) = leaf.kind {
                if !self.check_record(item, inner, in_bytes, seen) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether generated code can name a structure.
    pub(super) fn is_named(&self, id: super::ids::RecordId) -> bool {
        self.unit_types().is_named(id)
    }

    /// The types of the unit, as they are known where the binder is.
    pub(super) fn unit_types(&self) -> UnitTypes<'_> {
        UnitTypes {
            tables: &self.tables,
            symbols: &self.symbols,
            scopes: &self.scopes,
            names: &self.preprocessed.names,
            at: self.at,
        }
    }
}
