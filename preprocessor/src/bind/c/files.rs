//! The files that execute blocks open.
//!
//! Input: the two items of `file(…)`.
//! Output: the handle and whether it is a stream or a descriptor, and the name.
//! Postcondition: the handle is one of the two, the name a text, and both can be evaluated.
//!
//! | code | what |
//! |---|---|
//! | C0435 | the handle is no `FILE *` and no integer |
//! | C0436 | the name is no text |
//! | C0442 | warning: the name may be another one in a restart |
//! | C0445 | warning: the handle is returned, which a restart does not do |
//! | C0446 | warning: the number of a descriptor is registered |

use cppc_grammar::c::token::TokenKind;
use cppc_grammar::c::tree::{Basic, Expr, ExprKind};
use cppc_grammar::directive::{CItem, Opened};
use cppc_source::Diagnostic;

use super::binder::Binder;
use super::bound::{BoundDirective, DirectiveKind};
use super::ids::SymbolId;
use super::items::OpenedFile;
use super::symbols::{lookup, StorageKind, SymbolKind};
use super::types::{Kind, Type};
use super::visit::parts;

impl Binder<'_> {
    pub(super) fn opened_file(&mut self, pragma: usize, file: &Opened<CItem>) -> Option<OpenedFile> {
        let Opened { handle, name } = file;
        for item in [handle, name] {
            if item.section.is_some() {
                self.refuse_section(item, "a file has one handle and one name");
                return None;
            }
        }
        let of_handle = self.typed_tokens(pragma, handle, handle.tokens());
        let of_name = self.typed_tokens(pragma, name, name.tokens());
        let (of_handle, of_name) = (of_handle?, of_name?);
        let mut made_of = Vec::new();
        self.gather(&of_name, &mut made_of);
        let variable = self.binding(&of_handle).filter(|_| matches!(of_handle.kind, ExprKind::Ident(_)));
        let decayed = |expr: &Expr| self.type_of(expr.id).decayed();
        let lvalue = of_handle;
        let (of_handle, of_name) = (decayed(&lvalue), decayed(&of_name));
        let is_stream = self.is_stream(&of_handle);
        if !is_stream && !of_handle.is_integer() && !of_handle.is_unknown() {
            let diagnostic =
                Diagnostic::error("C0435", handle.span, format!("`{}` is not a file handle", handle.text))
                    .because("neither a `FILE *` nor the number of a descriptor")
                    .help("write the variable that gets the result of `fopen` or `open`");
            self.diagnostics.push(diagnostic);
            return None;
        }
        let is_text = of_name.target().is_some_and(|target| matches!(target.kind, Kind::Basic(Basic::Char)));
        if !is_text && !of_name.is_unknown() {
            let diagnostic =
                Diagnostic::error("C0436", name.span, format!("`{}` is not a file name", name.text))
                    .because("not a text")
                    .help("write the name that the block opens, a `char *`");
            self.diagnostics.push(diagnostic);
            return None;
        }
        Some(OpenedFile {
            span: handle.span,
            handle: handle.text.clone(),
            lvalue,
            variable,
            is_stream,
            name: name.text.clone(),
            name_span: name.span,
            made_of,
        })
    }

    fn gather(&self, expr: &Expr, variables: &mut Vec<SymbolId>) {
        if let (ExprKind::Ident(_), Some(id)) = (&expr.kind, self.binding(expr)) {
            variables.extend((self.symbol(id).kind == SymbolKind::Variable).then_some(id));
        }
        parts(expr).into_iter().for_each(|part| self.gather(part, variables));
    }

    /// A restart jumps over what stands between `init` and the block: a name that is made there must be captured.
    pub(super) fn warn_of_names(&mut self, directives: &[BoundDirective]) {
        let mut warnings = Vec::new();
        for directive in directives {
            let DirectiveKind::Execute { captures, files, .. } = &directive.kind else { continue };
            let here = |other: &&BoundDirective| {
                other.procedure == directive.procedure && other.before <= directive.before
            };
            let mut known: Vec<SymbolId> = captures.iter().map(|capture| capture.root).collect();
            let mut from = self.procedures[directive.procedure.0 as usize].range.start;
            let mut runs_again = false;
            for earlier in directives.iter().filter(here) {
                match &earlier.kind {
                    DirectiveKind::Register(items) => known.extend(items.iter().map(|item| item.root)),
                    DirectiveKind::Init => (from, runs_again) = (earlier.before, true),
                    _ => {}
                }
            }
            for file in files {
                let lost = file.made_of.iter().find(|&&id| {
                    let symbol = self.symbol(id);
                    let is_new = symbol.procedure == Some(directive.procedure) && symbol.declared >= from;
                    let is_lost_with_frame = is_new && symbol.storage == StorageKind::Automatic;
                    !known.contains(&id)
                        && (is_lost_with_frame
                            || (runs_again && self.is_mentioned(id, from, directive.before)))
                });
                warnings.extend(lost.map(|&id| {
                    let name = self.text(self.symbol(id).name);
                    Diagnostic::warning("C0442", file.name_span, format!("`{name}` may have another value in a restart"))
                        .because("the name is evaluated before the block")
                        .help(match self.symbol(id).ty.is_pointer() {
                            false => format!("write `capture({name})` as well"),
                            true => format!("put the name into an array of its own, `char {name}_text[…]`, and write `capture({name}_text) file({}, {name}_text)`", file.handle),
                        })
                }));
            }
        }
        self.diagnostics.extend(warnings);
    }

    /// What a block gets stays where the block puts it: a restart repeats the block, and nothing of what comes after it.
    pub(super) fn warn_of_handles(&mut self, directives: &[BoundDirective]) {
        let registered = || {
            directives.iter().flat_map(|directive| match &directive.kind {
                DirectiveKind::Register(items) => &items[..],
                _ => &[],
            })
        };
        let mut warnings = Vec::new();
        for directive in directives {
            let DirectiveKind::Execute { files, .. } = &directive.kind else { continue };
            let until = self.procedures[directive.procedure.0 as usize].range.end;
            for (file, id) in files.iter().filter_map(|file| Some((file, file.variable?))) {
                let handle = &file.handle;
                if self.is_returned(id, directive.before, until) {
                    warnings.push(
                        Diagnostic::warning(
                            "C0445",
                            file.span,
                            format!("`{handle}` is returned, and lost in a restart"),
                        )
                        .because("a restart repeats the block, but not the use of the value")
                        .help("put the block around the call, with the handle that keeps the value"),
                    );
                }
                if !file.is_stream && registered().any(|item| item.root == id && item.is_name) {
                    warnings.push(
                        Diagnostic::warning("C0446", file.span, format!("`{handle}` is registered"))
                            .because("a restart returns the old number, which may refer to another file")
                            .help(format!("remove `{handle}` from `register`")),
                    );
                }
            }
        }
        self.diagnostics.extend(warnings);
    }

    /// Whether there is a `return` of nothing but the variable.
    fn is_returned(&self, id: SymbolId, from: u32, to: u32) -> bool {
        let text = |at: u32| (at < to).then(|| self.preprocessed.tokens[at as usize].text);
        let name = self.text(self.symbol(id).name);
        (from..to).filter(|&at| text(at).is_some_and(|found| self.text(found) == "return")).any(|at| {
            let opening = (at + 1..to)
                .take_while(|&next| text(next).is_some_and(|found| self.text(found) == "("))
                .count() as u32;
            let named = at + 1 + opening;
            let closing = named + 1 + opening;
            text(named).is_some_and(|found| {
                self.text(found) == name
                    && lookup(&self.by_name, &self.symbols, &self.scopes, found, named) == Some(id)
            }) && (named + 1..closing).all(|next| text(next).is_some_and(|found| self.text(found) == ")"))
                && text(closing).is_some_and(|found| self.text(found) == ";")
        })
    }

    /// Whether a variable is named between two tokens, but for its own declaration.
    fn is_mentioned(&self, id: SymbolId, from: u32, to: u32) -> bool {
        let symbol = self.symbol(id);
        (from..to).any(|at| {
            let token = &self.preprocessed.tokens[at as usize];
            at != symbol.declared
                && token.text == symbol.name
                && token.kind == TokenKind::Identifier
                && lookup(&self.by_name, &self.symbols, &self.scopes, token.text, at) == Some(id)
        })
    }

    /// Whether it is a pointer to what `stdio.h` calls `FILE`.
    fn is_stream(&self, ty: &Type) -> bool {
        let Some(Kind::Record(pointed)) = ty.target().map(|target| &target.kind) else { return false };
        self.symbols.iter().any(|symbol| {
            symbol.kind == SymbolKind::Typedef
                && self.text(symbol.name) == "FILE"
                && matches!(&symbol.ty.kind, Kind::Record(found) if found == pointed)
        })
    }
}
