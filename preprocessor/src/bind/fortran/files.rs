//! The files that execute blocks open.
//!
//! Input: the two items of `file(…)`.
//! Output: the unit and the name, as expressions.
//! Postcondition: the unit is an integer, the name a text.
//!
//! | code | what |
//! |---|---|
//! | C0435 | the unit is no integer |
//! | C0436 | the name is no text |
//! | C0442 | warning: the name may be another one in a restart |
//! | C0445 | warning: the unit is the result of its function, which a restart does not return |

use cppc_grammar::directive::fortran::FortranItem;
use cppc_grammar::directive::{Kind, Opened};
use cppc_grammar::fortran::logical::{LineId, LineKind};
use cppc_grammar::fortran::tree::{Expr, ExprKind};
use cppc_source::Diagnostic;

use super::bound::{Bound, DirectiveKind};
use super::directives::PositionedDirective;
use super::items::{Item, OpenedFile};
use super::resolve_items::DirectiveContext;
use super::symbols::SymbolKind;
use super::types::{Type, Typed};
use super::visit::parts;

impl Bound<'_> {
    /// None when one of them has a mistake.
    pub(super) fn opened_files(
        &mut self,
        context: DirectiveContext,
        written: &[Opened<FortranItem>],
    ) -> Option<Vec<OpenedFile>> {
        let mut files = Vec::new();
        for file in written {
            match self.opened_file(context, file) {
                Ok(found) => files.push(found),
                Err(diagnostic) => self.diagnostics.push(diagnostic),
            }
        }
        (files.len() == written.len()).then_some(files)
    }

    fn opened_file(
        &self,
        context: DirectiveContext,
        file: &Opened<FortranItem>,
    ) -> Result<OpenedFile, Diagnostic> {
        let error = |item: &FortranItem, code, message: String| {
            Diagnostic::error(code, self.anchor(context.source, item.at), message)
        };
        let unit = self.type_of_item(context, &file.handle)?;
        if !matches!(unit.ty, Type::Integer(_) | Type::Unknown) || unit.rank.is_some_and(|rank| rank > 0) {
            let message = format!("`{}` is not a unit", file.handle.text);
            return Err(error(&file.handle, "C0435", message)
                .because("not an integer")
                .help("write the unit that the block opens: `file(10, 'name')`"));
        }
        let name = self.type_of_item(context, &file.name)?;
        if !matches!(name.ty, Type::Character { .. } | Type::Unknown)
            || name.rank.is_some_and(|rank| rank > 0)
        {
            let message = format!("`{}` is not a file name", file.name.text);
            return Err(error(&file.name, "C0436", message)
                .because("not a text")
                .help("write the name that the block opens, as in its OPEN"));
        }
        Ok(OpenedFile { unit: file.handle.text.trim().to_owned(), name: file.name.text.trim().to_owned() })
    }

    /// A restart repeats the block, and nothing of what comes after it.
    pub(super) fn warn_of_results(&mut self, placed: &PositionedDirective) {
        let Kind::Execute { files, .. } = &placed.directive.kind else { return };
        let mut warnings = Vec::new();
        for file in files {
            let name = file.handle.text.trim().to_ascii_lowercase();
            let Some(id) = self.lookup(placed.scope, &name) else { continue };
            if self.symbol(id).is.result {
                let span = self.anchor(placed.source, file.handle.at);
                warnings.push(
                    Diagnostic::warning(
                        "C0445",
                        span,
                        format!("`{name}` is returned, and lost in a restart"),
                    )
                    .because("a restart repeats the block, but not the use of the value")
                    .help("put the block around the call, with the variable that keeps the unit"),
                );
            }
        }
        self.diagnostics.extend(warnings);
    }

    /// A restart jumps over what stands between `init` and the block: a name that is made there must be captured.
    pub(super) fn warn_of_names(&mut self, placed: &PositionedDirective, captures: &[Item]) {
        let Kind::Execute { files, .. } = &placed.directive.kind else { return };
        let earlier = self.directives.range((placed.source, LineId(0))..(placed.source, placed.line));
        let init = earlier.rev().find_map(|((_, line), found)| {
            (found.procedure == placed.procedure && matches!(found.kind, DirectiveKind::Init))
                .then_some(*line)
        });
        let mut warnings = Vec::new();
        for file in files {
            let line = self.line(placed.source, file.name.at.line);
            let Some(expr) = line.and_then(|line| super::item_expression(line, file.name.at)) else {
                continue;
            };
            let mut names = Vec::new();
            gather(&expr, &mut names);
            let lost = names.into_iter().find(|name| {
                let Some(id) = self.lookup(placed.scope, name) else { return false };
                let (symbol, is_captured) = (self.symbol(id), captures.iter().any(|item| item.root == id));
                let is_variable =
                    matches!(symbol.kind, SymbolKind::Variable) && !symbol.is.dummy && !symbol.is.construct;
                let is_automatic = symbol.scope == placed.scope && !symbol.is.save && !symbol.is.initialised;
                is_variable
                    && !is_captured
                    && !self.registered.contains(&id)
                    && match init {
                        None => is_automatic,
                        Some(from) => self.is_mentioned(placed.source, name, from, placed.line),
                    }
            });
            let span = self.anchor(placed.source, file.name.at);
            warnings.extend(lost.map(|name| {
                Diagnostic::warning("C0442", span, format!("`{name}` may have another value in a restart"))
                    .because("the name is evaluated before the block")
                    .help(format!("write `capture({name})` as well"))
            }));
        }
        self.diagnostics.extend(warnings);
    }

    /// Whether a statement between two lines names the variable.
    fn is_mentioned(&self, source: usize, name: &str, from: LineId, to: LineId) -> bool {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        (from.0..to.0).filter_map(|line| self.line(source, LineId(line))).any(|line| {
            line.kind == LineKind::Statement
                && line
                    .text
                    .split(|byte| !is_word(byte))
                    .any(|word| word.eq_ignore_ascii_case(name.as_bytes()))
        })
    }

    fn type_of_item(&self, context: DirectiveContext, item: &FortranItem) -> Result<Typed, Diagnostic> {
        let parsed =
            self.line(context.source, item.at.line).and_then(|line| super::item_expression(line, item.at));
        let Some(expr) = parsed else {
            let span = self.anchor(context.source, item.at);
            return Err(Diagnostic::error(
                "C0420",
                span,
                format!("`{}` is not a Fortran expression", item.text),
            )
            .help("write a unit and the name of its file: `file(10, 'name')`"));
        };
        self.check_names(context, &expr)?;
        Ok(self.type_of(context.scope, &expr))
    }
}

/// The names in an expression, in small letters.
fn gather(expr: &Expr, names: &mut Vec<String>) {
    if let ExprKind::Name(name) = &expr.kind {
        names.push(name.text.clone());
    }
    parts(expr).into_iter().for_each(|part| gather(part, names));
}
