//! The items of directives: from tokens to memory with a type and a size.
//!
//! Input: an item's tokens, at the place of its directive.
//! Output: the item resolved, or diagnostics.
//! Postcondition: an item that is given out can be registered: its type has a code or a description, its size
//! is an expression, and it names a variable that is visible here.

use cppc_grammar::c::parse::ExpressionParser;
use cppc_grammar::c::token::Token;
use cppc_grammar::c::tree::{Expr, ExprId, ExprKind, UnaryOperator};
use cppc_grammar::directive::{spell_tightly, CCount, CItem};
use cppc_source::Diagnostic;

use super::amount::{amount, brackets, count_text, counted_type, extents, Memory};
use super::binder::Binder;
use super::ids::SymbolId;
use super::items::{Capture, Count, Element, Item, ItemForm, Selections};
use super::lvalue;
use super::symbols::{recurrence, StorageKind, SymbolKind};
use super::types::{Kind, Type};

impl Binder<'_> {
    pub(super) fn register_item(&mut self, pragma: usize, item: &CItem) -> Option<Item> {
        match (self.without_section(item), &item.section) {
            (Some(plain), _) => self.plain_item(pragma, &plain),
            (None, Some(_)) if !item.by.is_empty() => {
                self.refuse_by(item, &item.by[0], "an item with a section has no clause `by`");
                None
            }
            (None, Some(section)) => self.section_item(pragma, item, section),
            (None, None) => self.plain_item(pragma, item),
        }
    }

    fn plain_item(&mut self, pragma: usize, item: &CItem) -> Option<Item> {
        let memory = self.memory(pragma, item, item.deep.is_none())?;
        if !memory.is_deep && !self.check_size(item, &memory) {
            return None;
        }
        let key = self.key(memory.root, &self.tight(pragma, &memory));
        let memory = if memory.is_deep { memory } else { self.pointed_to(pragma, memory) };
        if !self.check_saved(item, &memory) {
            return None;
        }
        let element = memory.counted.leaf_element().unqualified();
        let (graph, selections) = match &item.deep {
            Some(deep) => {
                let (graph, selections) = self.graph(pragma, item, deep, &memory)?;
                (Some(graph), selections)
            }
            None => (None, self.selections(pragma, item, &memory, &[])?),
        };
        let element_code = match &graph {
            // The description of a structure that another source defines is a call.
            Some(_) if self.is_incomplete_here(&element) => match element.kind {
                Kind::Record(id) => Some(Element::Record(id)),
                _ => None,
            },
            Some(_) => super::spell_type::element_in(&element, &self.tables, &selections),
            None => None,
        };
        // Reports an element that cannot be saved.
        let element_code = Some(match element_code {
            Some(code) => code,
            None => self.element_of(item, &element, &selections)?,
        });
        Some(Item {
            text: item.text.clone(),
            span: item.span,
            count_text: count_text(&memory, element_code),
            amount: amount(&memory),
            extents: extents(&memory, element_code),
            element,
            element_code,
            is_name: lvalue::is_name(&memory.lvalue),
            size_variables: self.size_variables(pragma, &memory, item),
            way: self.access_path(&memory.lvalue, self.tokens_of(pragma, &memory)),
            indexed: self.indexed(memory.root, &memory.lvalue, self.tokens_of(pragma, &memory)),
            key,
            storage: self.symbol(memory.root).storage,
            root: memory.root,
            through_pointer: memory.through_pointer,
            graph,
            selections,
            section: None,
            slot: memory.slot,
            ty: memory.ty,
            counts: memory.counts,
            lvalue: memory.lvalue,
            lvalue_text: memory.lvalue_text,
        })
    }

    /// `*s->p` is one element that the pointer `s->p` points to, wherever that is at a checkpoint: the same as
    /// `s->p[1]`. (Where the pointer is a variable by its name, the model sees to that.)
    fn pointed_to(&self, pragma: usize, memory: Memory) -> Memory {
        let tokens = self.tokens_of(pragma, &memory);
        let Some(pointer) = self.dereferenced(&memory, tokens) else { return memory };
        let own = tokens.get(pointer.range.start as usize..pointer.range.end as usize).unwrap_or_default();
        let lvalue_text = spell_tightly(own, &self.preprocessed.names);
        let through_pointer = self.through_pointer(pointer);
        let (counted, ty) = (memory.ty.clone(), self.type_of(pointer.id).clone());
        let lvalue = operand(memory.lvalue);
        Memory {
            lvalue,
            lvalue_text,
            ty,
            through_pointer,
            counted,
            slot: ItemForm::Pointer,
            brackets: 1,
            ..memory
        }
    }

    /// The pointer of `*pointer`, as long as a restart could set it.
    fn dereferenced<'m>(&self, memory: &'m Memory, tokens: &[Token]) -> Option<&'m Expr> {
        let mut lvalue = &memory.lvalue;
        while let ExprKind::Paren(inner) = &lvalue.kind {
            lvalue = inner;
        }
        let ExprKind::Unary { operator: UnaryOperator::Dereference, operand } = &lvalue.kind else {
            return None;
        };
        let is_pointer = self.type_of(operand.id).is_pointer();
        let is_alone = memory.counts.is_empty()
            && !memory.is_allocation
            && self.indexed(memory.root, &memory.lvalue, tokens).is_none();
        (is_pointer && is_alone && lvalue::is_lvalue(operand) && !lvalue::is_name(operand))
            .then_some(&**operand)
    }

    /// An item of `capture`, or of `unregister`, which names registers and so may repeat their sizes.
    pub(super) fn capture_item(&mut self, pragma: usize, item: &CItem, unregister: bool) -> Option<Capture> {
        let plain = self.without_section(item);
        if let (None, Some(section)) = (&plain, &item.section) {
            if unregister {
                return self.section_name(pragma, item, section);
            }
            self.refuse_section(item, "a value cannot be captured for many elements at once");
            return None;
        }
        let item = plain.as_ref().unwrap_or(item);
        let memory = self.memory(pragma, item, unregister)?;
        let element = memory.counted.leaf_element().unqualified();
        let pointer = element.is_pointer() && !self.is_handle(&element);
        let element_code = match (unregister, pointer) {
            (true, _) => self.element(&element),
            (false, true) => Some(Element::Code(cppc_abi::types::POINTER)),
            (false, false) => self.element_of(item, &element, &Selections::default()),
        };
        if !unregister && (element_code.is_none() || !self.check_saved(item, &memory)) {
            return None;
        }
        Some(Capture {
            text: if unregister { memory.lvalue_text.clone() } else { item.text.clone() },
            span: item.span,
            count_text: count_text(&memory, element_code),
            element,
            element_code,
            is_name: lvalue::is_name(&memory.lvalue),
            key: self.key(memory.root, &self.tight(pragma, &memory)),
            indexed: self
                .indexed(memory.root, &memory.lvalue, self.tokens_of(pragma, &memory))
                .filter(|_| unregister),
            storage: self.symbol(memory.root).storage,
            root: memory.root,
            way: if unregister {
                Vec::new()
            } else {
                self.access_path(&memory.lvalue, self.tokens_of(pragma, &memory))
            },
            through_pointer: memory.through_pointer,
            section: None,
            slot: memory.slot,
            ty: memory.ty,
            lvalue: memory.lvalue,
        })
    }

    pub(super) fn tokens_of(&self, pragma: usize, memory: &Memory) -> &[Token] {
        self.preprocessed.pragmas[pragma].expanded.get(memory.tokens.clone()).unwrap_or_default()
    }

    /// The spelling that is the same for the same lvalue wherever it is written.
    fn tight(&self, pragma: usize, memory: &Memory) -> String {
        spell_tightly(
            bare(self.tokens_of(pragma, memory), |token| self.text(token.text)),
            &self.preprocessed.names,
        )
    }

    /// Parses and types an item. With `counted`, the brackets at its end say how much, as far as the
    /// types let them; otherwise they belong to the lvalue.
    fn memory(&mut self, pragma: usize, item: &CItem, counted: bool) -> Option<Memory> {
        let base = self.typed_tokens(pragma, item, item.lvalue.clone())?;
        let groups = item.counts.len();
        let own = match (groups, counted) {
            (0, _) => 0,
            (_, false) => groups,
            (_, true) => self.own_brackets(item, self.type_of(base.id).clone())?,
        };
        let (lvalue, tokens) = match own {
            0 => (base, item.lvalue.clone()),
            _ => {
                let tokens = item.lvalue.start..item.counts[own - 1].tokens.end + 1;
                (self.typed_tokens(pragma, item, tokens.clone())?, tokens)
            }
        };
        let root = self.check_lvalue(item, &lvalue)?;
        let mut lvalue_text = item.lvalue_text.clone();
        for count in &item.counts[..own] {
            lvalue_text.push_str(&format!("[{}]", count.text));
        }
        let ty = self.type_of(lvalue.id).clone();
        let is_allocation = counted && item.is_allocation();
        if is_allocation && !self.check_allocation(item, own, &ty) {
            return None;
        }
        let counts = if is_allocation { Vec::new() } else { self.counts(pragma, item, own)? };
        let is_deep = item.deep.is_some() && !counted;
        let is_target = is_allocation || (is_deep && ty.is_pointer());
        let brackets = if is_target { 1 } else { brackets(&ty, counts.len()) };
        let (slot, counted) = counted_type(&ty, brackets);
        let through_pointer = self.through_pointer(&lvalue);
        Some(Memory {
            lvalue,
            lvalue_text,
            tokens,
            ty,
            root,
            through_pointer,
            counts,
            is_allocation,
            is_deep,
            slot,
            counted,
            brackets,
        })
    }

    /// How many of the trailing brackets belong to the lvalue: those before the last one that goes
    /// through a pointer.
    fn own_brackets(&mut self, item: &CItem, ty: Type) -> Option<usize> {
        let (mut own, mut ty) = (0, ty);
        let mut is_pointed_to = false;
        for (index, count) in item.counts.iter().enumerate() {
            let is_pointer = ty.is_pointer();
            match &ty.kind {
                Kind::Unknown => return Some(own),
                Kind::Pointer(target) => {
                    own = index;
                    ty = Type::clone(target);
                }
                Kind::Array { element, .. } => ty = Type::clone(element),
                // `p[rows][columns]`: a pointer to the elements, and how they are arranged.
                _ if is_pointed_to => return Some(own),
                _ => {
                    let diagnostic = Diagnostic::error(
                        "C0426",
                        count.span,
                        format!("`{}` has no elements to count", item.text),
                    )
                    .because(match index {
                        0 => format!("`{}` is neither an array nor a pointer", item.lvalue_text),
                        _ => "the part before these brackets has no elements".to_owned(),
                    })
                    .help("leave the brackets out");
                    self.diagnostics.push(diagnostic);
                    return None;
                }
            }
            is_pointed_to = is_pointer;
        }
        Some(own)
    }

    /// Empty brackets belong to a pointer, and there are no others behind it.
    fn check_allocation(&mut self, item: &CItem, own: usize, ty: &Type) -> bool {
        let lvalue = &item.lvalue_text;
        if ty.is_pointer() && own + 1 == item.counts.len() {
            return true;
        }
        let what = match ty.is_pointer() {
            true => format!("`{}` has empty brackets behind a size", item.text),
            false => format!("`{}` has empty brackets, and `{lvalue}` is not a pointer", item.text),
        };
        let diagnostic = Diagnostic::error("C0427", item.span, what)
            .because("empty brackets mean all that a pointer's allocation has")
            .help(format!("write `{lvalue}[]` if it is a pointer from `malloc`, or each size"));
        self.diagnostics.push(diagnostic);
        false
    }

    fn counts(&mut self, pragma: usize, item: &CItem, own: usize) -> Option<Vec<Count>> {
        let mut counts = Vec::with_capacity(item.counts.len() - own);
        for count in &item.counts[own..] {
            counts.push(self.count(pragma, item, count)?);
        }
        Some(counts)
    }

    /// A number of elements.
    pub(super) fn count(&mut self, pragma: usize, item: &CItem, count: &CCount) -> Option<Count> {
        let expr = self.typed_tokens(pragma, item, count.tokens.clone())?;
        let ty = self.type_of(expr.id).decayed();
        let value = self.constant(&expr);
        let problem = match value {
            _ if !ty.is_integer() && !ty.is_unknown() => "not an integer",
            Some(..0) => "negative",
            Some(0..) | None => {
                let text = count.text.clone();
                return Some(Count { text, span: count.span, expr, value });
            }
        };
        let what = format!("the size of `{}` is {problem}", item.lvalue_text);
        let diagnostic =
            Diagnostic::error("C0427", count.span, what).help("write how many elements there are");
        self.diagnostics.push(diagnostic);
        None
    }

    /// Parses some of a pragma's tokens as an expression, and binds it at the directive's place.
    pub(super) fn typed_tokens(
        &mut self,
        pragma: usize,
        item: &CItem,
        range: std::ops::Range<usize>,
    ) -> Option<Expr> {
        let all: &[Token] = &self.preprocessed.pragmas[pragma].expanded;
        let tokens = all.get(range).unwrap_or_default();
        self.typed_list(item, tokens)
    }

    /// The same for tokens that need not be adjacent in the pragma.
    pub(super) fn typed_list(&mut self, item: &CItem, tokens: &[Token]) -> Option<Expr> {
        let first = ExprId(self.types.len() as u32);
        let typedef = |name| self.resolve(name).is_some_and(|id| self.symbol(id).kind == SymbolKind::Typedef);
        let names = &self.preprocessed.names;
        let parser = self.expressions.get_or_init(|| ExpressionParser::new(names));
        let parsed = parser.parse(tokens, &typedef, first);
        let expr = match parsed {
            Ok(expr) => expr,
            Err(_) if tokens.len() == 1 && typedef(tokens[0].text) => {
                let id = self.resolve(tokens[0].text)?;
                self.not_a_variable(item, id);
                return None;
            }
            Err(fault) => {
                let diagnostic =
                    Diagnostic::error("C0420", item.span, format!("`{}` is not a C expression", item.text))
                        .note(fault.message)
                        .help("name a variable, a field or an element, and its size in brackets: `p[n]`");
                self.diagnostics.push(diagnostic);
                return None;
            }
        };
        // Numbers are given out up to that of the whole expression, which comes last.
        self.types.resize(expr.id.0 as usize + 1, Type::UNKNOWN);
        self.bindings.resize(expr.id.0 as usize + 1, None);
        if !self.check_effects(item, &expr) {
            return None;
        }
        self.expression(&expr);
        self.check_names(item, tokens, &expr).then_some(expr)
    }

    /// The name of a register in state files.
    pub(super) fn key(&self, root: SymbolId, lvalue: &str) -> String {
        let symbol = self.symbol(root);
        let path = &self.files.get(self.main).path;
        let file = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let prefix = match (symbol.storage, symbol.procedure) {
            (StorageKind::StaticFile, _) => format!("{}:", file()),
            (StorageKind::StaticLocal, Some(procedure)) => {
                let procedure = &self.procedures[procedure.0 as usize];
                match procedure.is_static {
                    true => format!("{}:{}:", file(), procedure.name),
                    false => format!("{}:", procedure.name),
                }
            }
            _ => String::new(),
        };
        let suffix = recurrence(&self.by_name, &self.symbols, root);
        format!("{prefix}{lvalue}{suffix}")
    }
}

/// What is dereferenced.
fn operand(lvalue: Expr) -> Expr {
    match lvalue.kind {
        ExprKind::Paren(inner) => operand(*inner),
        ExprKind::Unary { operator: UnaryOperator::Dereference, operand } => *operand,
        _ => lvalue,
    }
}

/// Without the parentheses around the whole.
fn bare<'t>(tokens: &'t [Token], text: impl Fn(&Token) -> &'t str + Copy) -> &'t [Token] {
    let [first, inner @ .., last] = tokens else { return tokens };
    if text(first) != "(" || text(last) != ")" {
        return tokens;
    }
    let mut depth = 0usize;
    for token in inner {
        match text(token) {
            "(" => depth += 1,
            ")" if depth == 0 => return tokens,
            ")" => depth -= 1,
            _ => {}
        }
    }
    bare(inner, text)
}
