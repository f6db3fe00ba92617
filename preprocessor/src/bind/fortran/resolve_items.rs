//! The items of directives: from an item's text to memory with a type and a size.
//!
//! Input: an item and the scope of its directive.
//! Output: registers or captures, or diagnostics.
//! Postcondition: an item that is given out can be registered: it names memory of a variable that is visible
//! here, its type has a code or a description, its count is an expression.
//!
//! | code | what |
//! |---|---|
//! | C0420, C0423 | no expression of Fortran; one that names no memory |
//! | C0421, C0422 | an unknown name, component or block; a name that is no variable |
//! | C0424, C0433 | a type that cannot be saved; a handle of MPI |
//! | C0425 to C0427 | no size; subscripts where there are no elements, or too few; a part that is none |
//! | C0450, C0454 | derived types whose components lie elsewhere, in a part of an array; types without a name here |
//! | C0451 | a type that nothing tells |
//! | C0452 | a section |
//! | C0455 | a variable of a host, which ends with it |

use cppc_grammar::directive::fortran::FortranItem;
use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Bound as Extent, Expr, ExprKind, Name};
use cppc_source::{Diagnostic, Span};

use super::bound::Bound;
use super::components::Designator;
use super::ids::{ScopeId, SymbolId};
use super::items::{Item, ItemKind};
use super::symbols::SymbolKind;
use super::trees::tree_of_element;
use super::types::{derived_of, Type};
use super::visit::parts;

/// What a list is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Register,
    Unregister,
    Capture,
}

/// Where a directive stands.
#[derive(Clone, Copy)]
pub(super) struct DirectiveContext {
    pub source: usize,
    pub scope: ScopeId,
    pub purpose: Purpose,
}

impl<'a> Bound<'a> {
    /// The registers or captures of a directive's list; none when one of them has a mistake.
    pub(super) fn list(&mut self, context: DirectiveContext, written: &[FortranItem]) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        let mut whole = true;
        for item in written {
            let resolved = match item.module() {
                Some(module) => self.module_items(context, item, &module),
                None => {
                    let mut found = Vec::new();
                    self.resolve(context, item, &mut found).map(|()| (found, Vec::new()))
                }
            };
            match resolved {
                Ok((mut found, warnings)) => {
                    items.append(&mut found);
                    self.diagnostics.extend(warnings);
                }
                Err(diagnostic) => {
                    self.diagnostics.push(diagnostic);
                    whole = false;
                }
            }
        }
        if context.purpose == Purpose::Register {
            // A size that its own procedure registers is there before anything here.
            items.retain(|item| {
                !item.implied
                    || !self.ends_with_host(context.scope, item)
                    || !self.registered.contains(&item.root)
            });
            if let Some(item) = items.iter().find(|item| self.ends_with_host(context.scope, item)) {
                let diagnostic = self.belongs_to_host(item);
                self.diagnostics.push(diagnostic);
                return None;
            }
        }
        for item in &items {
            self.note_use(context.scope, item.root);
            if context.purpose == Purpose::Register {
                self.registered.insert(item.root);
                let key = (item.root, item.component());
                let first = self.first_registers.entry(key).or_insert(item.span);
                *first = item.span.min(*first);
                if matches!(item.kind, ItemKind::Followed { .. }) && !item.is_name {
                    self.moving.entry(item.root).or_default().push(item.clone());
                }
            }
        }
        let named: Vec<String> =
            items.iter().filter(|item| !item.implied).map(|item| item.name.clone()).collect();
        let mut seen = std::collections::HashSet::new();
        items.retain(|item| !item.implied || (!named.contains(&item.name) && seen.insert(item.name.clone())));
        whole.then_some(items)
    }

    fn resolve(
        &self,
        context: DirectiveContext,
        item: &FortranItem,
        items: &mut Vec<Item>,
    ) -> Result<(), Diagnostic> {
        let span = self.anchor(context.source, item.at);
        let text = self.text(context.source, item.at).trim();
        if let Some(block) = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
            return self.block(context, span, block, items);
        }
        let parsed =
            self.line(context.source, item.at.line).and_then(|line| super::item_expression(line, item.at));
        let Some(expr) = parsed else {
            return Err(Diagnostic::error("C0420", span, format!("`{text}` is not a Fortran expression"))
                .help("name a variable, a component, or a part of an array: `a(n, m)`"));
        };
        self.check_names(context, &expr)?;
        if self.section_items(context, span, &expr, items)? {
            return Ok(());
        }
        let (base, subscripts) = match &expr.kind {
            // In a capture an element is meant by itself.
            ExprKind::Reference { base, arguments } if context.purpose != Purpose::Capture => {
                (&**base, Some(arguments))
            }
            _ => (&expr, None),
        };
        // Only a variable has elements; a function is named with its arguments.
        let plain =
            matches!(&base.kind, ExprKind::Name(name) if self.lookup(context.scope, &name.text).is_none());
        let base = if plain { &expr } else { base };
        let place = self.designator(context, span, base)?;
        if context.purpose != Purpose::Unregister {
            self.check_place(&place, subscripts.is_some())?;
        }
        let indexed = (context.purpose != Purpose::Capture).then(|| self.indexed(context, base)).flatten();
        let from = items.len();
        if let (Some(subscripts), true) = (subscripts, context.purpose == Purpose::Register) {
            self.register_part(context, &place, subscripts, items)?;
        } else {
            if context.purpose == Purpose::Register && indexed.is_none() {
                self.implied(context, base, items);
            }
            self.expand(&place, items)?;
        }
        let is_unknown = indexed.is_some() || context.purpose == Purpose::Capture;
        if let Some(item) =
            items[from..].iter().find(|item| is_unknown && (item.tree.is_some() || item.graph.is_some()))
        {
            return Err(tree_of_element(item, context.purpose == Purpose::Capture));
        }
        if let Some(indexed) = &indexed {
            items[from..].iter_mut().filter(|item| !item.implied).for_each(|item| indexed.mark(item));
        }
        if context.purpose == Purpose::Capture {
            for item in &mut items[from..] {
                item.kind = match item.kind {
                    ItemKind::Followed { rank: 0 } => ItemKind::Scalar,
                    ItemKind::Followed { .. } => ItemKind::Array,
                    kind => kind,
                };
            }
        }
        Ok(())
    }

    /// Every name means something.
    pub(super) fn check_names(&self, context: DirectiveContext, expr: &Expr) -> Result<(), Diagnostic> {
        match &expr.kind {
            ExprKind::Name(name) => self.check_name(context, name),
            ExprKind::Component { base, .. } => self.check_names(context, base),
            _ => parts(expr).into_iter().try_for_each(|part| self.check_names(context, part)),
        }
    }

    fn check_name(&self, context: DirectiveContext, name: &Name) -> Result<(), Diagnostic> {
        let known =
            self.lookup(context.scope, &name.text).is_some() || super::intrinsics::is_function(&name.text);
        if known {
            return Ok(());
        }
        let span = self.anchor(context.source, name.at);
        let near = self.nearest(context.scope, &name.text);
        if let (Some(module), None) = (self.opaque_module(context.scope, &name.text), &near) {
            return Err(Diagnostic::error(
                "C0451",
                span,
                format!("the type of `{}` is not known", name.text),
            )
            .because(format!("it may come from the module `{module}`, whose source was not found"))
            .help("translate the module's source together with the others, or declare the variable here"));
        }
        let mut diagnostic = Diagnostic::error("C0421", span, format!("unknown name `{}`", name.text))
            .because("no variable of this name is visible here");
        diagnostic = match near {
            Some((best, id)) => {
                let declared = self.declared(self.symbol(id).origin);
                let diagnostic = diagnostic.help(format!("did you mean `{best}`"));
                match declared.filter(|declared| declared.file == span.file) {
                    Some(declared) => diagnostic.label(declared, "declared here"),
                    None => diagnostic,
                }
            }
            None => diagnostic.help("declare it in this procedure"),
        };
        Err(diagnostic)
    }

    /// The place that an expression designates.
    pub(super) fn designator(
        &self,
        context: DirectiveContext,
        span: Span,
        expr: &Expr,
    ) -> Result<Designator<'a>, Diagnostic> {
        let text = self.written(context.source, expr);
        let no_memory = || {
            Diagnostic::error("C0423", span, format!("`{text}` names no memory"))
                .because("a value, not a variable")
                .help("name a variable, a component of one, or a part of an array from its first element")
        };
        match &expr.kind {
            ExprKind::Name(name) => {
                let Some(id) = self.lookup(context.scope, &name.text) else { return Err(no_memory()) };
                if !self.symbol(id).has_memory() {
                    return Err(self.not_a_variable(id, span));
                }
                Ok(self.place_of(context, span, id, text))
            }
            ExprKind::Component { base, name } => {
                let outer = self.designator(context, span, base)?;
                let Some(id) = derived_of(outer.ty) else {
                    return Err(Diagnostic::error(
                        "C0426",
                        span,
                        format!("`{}` has no components", outer.text),
                    )
                    .because("its type is not a derived type")
                    .help(format!("write `{}`", outer.text)));
                };
                if !outer.shape.is_empty() {
                    return Err(self.scattered(&outer, span, text));
                }
                if self.is_opaque(id) {
                    self.refuse_type(&outer)?;
                }
                let place = self.component_place(&outer, id, &name.text)?;
                Ok(Designator { text: text.to_owned(), ..place })
            }
            ExprKind::Reference { base, arguments } => {
                if matches!(&base.kind, ExprKind::Name(name) if self.lookup(context.scope, &name.text).is_none())
                {
                    return Err(no_memory());
                }
                let outer = self.designator(context, span, base)?;
                self.element_place(context, &outer, arguments, text)
            }
            _ => Err(no_memory()),
        }
    }

    /// One element of an array: `cells(i)`.
    fn element_place(
        &self,
        context: DirectiveContext,
        outer: &Designator<'a>,
        arguments: &[Argument],
        text: &str,
    ) -> Result<Designator<'a>, Diagnostic> {
        if self.subscripts(context, outer, arguments)?.is_none() {
            return Err(self.scattered(outer, outer.span, text));
        }
        let key: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let suffix = key.rfind('(').map_or("", |_| subscripts_of(&key));
        Ok(Designator {
            text: text.to_owned(),
            name: format!("{}{}", outer.name, suffix.to_ascii_lowercase()),
            is_name: false,
            shape: &[],
            through_pointer: outer.through_pointer || outer.pointer || outer.allocatable,
            holders: outer.holders_of_part(),
            allocatable: false,
            pointer: false,
            ..outer.clone()
        })
    }

    fn scattered(&self, outer: &Designator, span: Span, text: &str) -> Diagnostic {
        Diagnostic::error("C0452", span, format!("the elements of `{text}` are not contiguous"))
            .because("a section of an array")
            .help(format!(
                "write `{}` for all of it, or a section without a stride, such as `{}(2:5)`",
                outer.text, outer.text
            ))
    }

    /// The subscripts of an element; none for a section.
    fn subscripts<'e>(
        &self,
        context: DirectiveContext,
        place: &Designator,
        arguments: &'e [Argument],
    ) -> Result<Option<Vec<&'e Expr>>, Diagnostic> {
        let (text, span) = (&place.text, place.span);
        if place.shape.is_empty() {
            let (because, help) = match place.ty {
                Type::Character { .. } => {
                    ("a part of a character variable", format!("write `{text}` for all of it"))
                }
                _ => ("it is not an array", "leave the parentheses out".to_owned()),
            };
            return Err(Diagnostic::error("C0426", span, format!("`{text}` has no elements to count"))
                .because(because)
                .help(help));
        }
        let mut list = Vec::new();
        for argument in arguments {
            let ArgumentKind::Value(value) = &argument.kind else { return Ok(None) };
            let typed = self.type_of(context.scope, value);
            if typed.rank.is_some_and(|rank| rank > 0) {
                return Ok(None);
            }
            if !matches!(typed.ty, Type::Integer(_) | Type::Unknown) {
                return Err(Diagnostic::error(
                    "C0427",
                    span,
                    format!("a subscript of `{text}` is not an integer"),
                )
                .help("write up to which element"));
            }
            list.push(value);
        }
        let rank = place.shape.len();
        if list.len() != rank && !place.shape.iter().any(|bound| matches!(bound, Extent::AssumedRank)) {
            let message = format!("`{text}` has {rank} dimensions, not {}", list.len());
            return Err(Diagnostic::error("C0426", span, message)
                .help(format!("write `{text}` for all of it, or a subscript for each dimension")));
        }
        Ok(Some(list))
    }

    /// `a(n, m)`: from the first element through this one.
    fn register_part(
        &self,
        context: DirectiveContext,
        place: &Designator<'a>,
        arguments: &[Argument],
        items: &mut Vec<Item>,
    ) -> Result<(), Diagnostic> {
        let (text, span) = (place.text.clone(), place.span);
        let Some(subscripts) = self.subscripts(context, place, arguments)? else {
            return Err(self.scattered(place, span, &format!("{text}(…)")));
        };
        if place.allocatable || place.pointer {
            let word = if place.pointer { "a pointer" } else { "allocatable" };
            return Err(Diagnostic::error(
                "C0426",
                span,
                format!("`{text}` is {word}, so only all of it can be registered"),
            )
            .because("it is allocated with its bounds when the program is resumed")
            .help(format!("write `{text}`")));
        }
        self.refuse_type(place)?;
        for subscript in &subscripts {
            self.implied(context, subscript, items);
        }
        let counted = self.counted(place);
        let elements = self.count_through(&counted, &subscripts);
        let declared = self.declared_count(&counted);
        if let Ok(number) = elements {
            let most = declared.unwrap_or(i128::MAX);
            if number < 1 || number > most {
                let message = match declared {
                    Some(most) if number > most => {
                        format!("`{text}` has {most} elements, but this is number {number}")
                    }
                    _ => format!("the part of `{text}` ends before its first element"),
                };
                return Err(Diagnostic::error("C0427", span, message)
                    .because("a part consists of the first element to this one, in storage order")
                    .help(format!("write `{text}` for all of it")));
            }
        }
        let count = self.part_text(&counted, elements);
        let item = match place.ty {
            Type::Derived(id) if self.needs_graph(place.pointer, true, id) => {
                self.root_with_count(place, count)?
            }
            _ => self.item(place, self.element(place)?, count),
        };
        items.push(Item { shape: self.shape_through(&counted, &subscripts), ..item });
        Ok(())
    }

    /// Registers for the variables that subscripts are computed from.
    pub(super) fn implied(&self, context: DirectiveContext, expr: &Expr, items: &mut Vec<Item>) {
        match &expr.kind {
            ExprKind::Name(name) => {
                let Some(id) = self.lookup(context.scope, &name.text) else { return };
                let symbol = self.symbol(id);
                let plain = symbol.is_variable() && symbol.shape.is_empty() && !symbol.is.construct;
                let moves = symbol.is.allocatable || symbol.is.pointer;
                if !plain || moves || symbol.is.intent_in || !matches!(symbol.ty, Type::Integer(_)) {
                    return;
                }
                let text = self.written(context.source, expr);
                let place = self.place_of(context, self.anchor(context.source, expr.at), id, text);
                if let Ok(element) = self.element(&place) {
                    let item = self.item(&place, element, "1".to_owned());
                    items.push(Item { implied: true, ..item });
                }
            }
            ExprKind::Component { base, .. } => self.implied_inside(context, base, items),
            ExprKind::Reference { arguments, .. } => {
                for argument in super::visit::of_arguments(arguments) {
                    self.implied(context, argument, items);
                }
            }
            _ => parts(expr).into_iter().for_each(|part| self.implied(context, part, items)),
        }
    }

    /// Subscripts within a designator: `cells(i)%value`.
    fn implied_inside(&self, context: DirectiveContext, expr: &Expr, items: &mut Vec<Item>) {
        match &expr.kind {
            ExprKind::Component { base, .. } => self.implied_inside(context, base, items),
            ExprKind::Reference { base, arguments } => {
                self.implied_inside(context, base, items);
                for argument in super::visit::of_arguments(arguments) {
                    self.implied(context, argument, items);
                }
            }
            _ => {}
        }
    }

    /// What is known of a whole variable.
    pub(super) fn place_of(
        &self,
        context: DirectiveContext,
        span: Span,
        id: SymbolId,
        text: &str,
    ) -> Designator<'a> {
        let symbol = self.symbol(id);
        Designator {
            span,
            text: text.to_owned(),
            name: self.register_name(id),
            root: id,
            is_name: true,
            ty: symbol.ty,
            shape: symbol.shape,
            home: symbol.scope,
            scope: context.scope,
            allocatable: symbol.is.allocatable,
            pointer: symbol.is.pointer,
            procedure: symbol.is_procedure_pointer(),
            through_pointer: false,
            holders: Vec::new(),
        }
    }

    /// The items that a variable stands for as a whole; none when it cannot be saved.
    pub fn whole_variable(&self, scope: ScopeId, id: SymbolId, name: &str) -> Vec<Item> {
        let symbol = self.symbol(id);
        let source = self.scope(scope).source;
        let span = self.declared(symbol.origin).unwrap_or(Span::new(self.sources[source].file, 0, 0));
        let context = DirectiveContext { source, scope, purpose: Purpose::Register };
        let place = self.place_of(context, span, id, &self.cased(scope, name));
        if symbol.shape.iter().any(|bound| matches!(bound, Extent::AssumedRank)) || symbol.is.construct {
            return Vec::new();
        }
        let mut items = Vec::new();
        // Of a polymorphic one, what its declared type has, if it has no pointers.
        let ty = match symbol.ty {
            Type::Class(Some(id))
                if symbol.shape.is_empty()
                    && !symbol.is.allocatable
                    && !symbol.is.pointer
                    && !self.needs_graph(false, false, id) =>
            {
                Type::Derived(id)
            }
            ty => ty,
        };
        match self.expand(&Designator { ty, ..place }, &mut items) {
            Ok(()) => items,
            Err(_) => Vec::new(),
        }
    }

    fn check_place(&self, place: &Designator, has_subscripts: bool) -> Result<(), Diagnostic> {
        let symbol = self.symbol(place.root);
        let (text, span) = (&place.text, place.span);
        if symbol.is.construct {
            return Err(Diagnostic::error("C0422", span, format!("`{text}` has another meaning here"))
                .because("a name of the enclosing construct")
                .help("write the name of the variable that it is associated with"));
        }
        self.check_label(symbol, text, span)?;
        self.check_cray_pointer(symbol, place)?;
        let assumed = place.shape.iter().any(|bound| matches!(bound, Extent::AssumedSize { .. }));
        if assumed && !has_subscripts {
            let dimensions = vec!["n"; place.shape.len()].join(", ");
            return Err(Diagnostic::error("C0425", span, format!("the size of `{text}` is not known here"))
                .because("a dummy argument of assumed size")
                .help(format!("write `{text}({dimensions})`, with its last element in the parentheses")));
        }
        if place.shape.iter().any(|bound| matches!(bound, Extent::AssumedRank)) {
            return Err(Diagnostic::error("C0425", span, format!("the shape of `{text}` is not known here"))
                .because("a dummy argument of assumed rank")
                .help("register it where it is declared"));
        }
        Ok(())
    }

    fn not_a_variable(&self, id: SymbolId, span: Span) -> Diagnostic {
        let symbol = self.symbol(id);
        if matches!(symbol.kind, SymbolKind::Unknown) {
            return Diagnostic::error("C0451", span, format!("the type of `{}` is not known", symbol.name))
                .because("it comes from a module whose source was not found")
                .help("translate the module's source together with the others");
        }
        let what = match symbol.kind {
            SymbolKind::Constant(_) => "a constant",
            SymbolKind::Procedure(_) | SymbolKind::Generic(_) => "a procedure",
            SymbolKind::StatementFunction { .. } => "a statement function",
            SymbolKind::Namelist => "a namelist",
            SymbolKind::Type(_) => "a type",
            _ => "the name of a program unit",
        };
        let diagnostic = Diagnostic::error("C0422", span, format!("`{}` is {what}", symbol.name))
            .because("not a variable")
            .help("leave it out: only variables have state");
        match self.declared(symbol.origin).filter(|declared| declared.file == span.file && *declared != span)
        {
            Some(declared) => diagnostic.label(declared, "declared here"),
            None => diagnostic,
        }
    }

    /// The name of a variable's register.
    pub fn register_name(&self, id: SymbolId) -> String {
        use super::symbols::ScopeKind;
        let symbol = self.symbol(id);
        let name = &symbol.name;
        if let Some(block) = &symbol.common {
            return format!("/{block}/{name}");
        }
        let home = self.outer_scope(symbol.scope);
        if matches!(self.scope(home).kind, ScopeKind::Module) {
            return format!("{}%{name}", self.scope(home).name);
        }
        let procedure = self.procedure_of(home);
        let alike = |other: SymbolId| {
            other < id
                && self.procedure_of(self.symbol(other).scope) == procedure
                && self.symbol(other).is_variable()
        };
        let earlier = match self.symbol(id).scope == home {
            true => 0,
            // Of one name in several `BLOCK` constructs, each has its own.
            false => (0..id.0)
                .map(SymbolId)
                .filter(|&other| self.symbol(other).name == *name && alike(other))
                .count(),
        };
        let suffix = if earlier > 0 { format!(".{}", earlier + 1) } else { String::new() };
        match procedure {
            Some(procedure) if self.is_static(id) && !self.is_of_main(id) => {
                format!("{}%{name}{suffix}", self.procedure(procedure).entry)
            }
            _ => format!("{name}{suffix}"),
        }
    }
}

/// The last pair of parentheses of `a(b(i), j)`, which closes at its end.
fn subscripts_of(text: &str) -> &str {
    let mut depth = 0usize;
    for (index, byte) in text.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return &text[index..];
                }
            }
            _ => {}
        }
    }
    ""
}
