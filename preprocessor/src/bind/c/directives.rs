//! Directives at their places.
//!
//! Input: the pragmas of a unit, after its names are bound.
//! Output: each directive with its procedure, its place and its items.
//! Postcondition: what could not be placed has a diagnostic; every `execute` that is left has its `end
//! execute`, in the same compound statement, and the two know each other.
//!
//! | code | what |
//! |---|---|
//! | C0401, C0402 | it comes out of a macro, it stands in an included file |
//! | C0403 | it is outside of all procedures |
//! | C0404 to C0406 | in a nested function, a statement expression, a parallel region |
//! | C0407, C0408 | it is within a statement, in a procedure whose braces are a macro's |

use cppc_grammar::c::token::Pragma;
use cppc_grammar::c::tree::Unit;
use cppc_grammar::directive::{misspelt, parse_c, CDirective, CItem, Kind};
use cppc_source::Diagnostic;

use super::binder::Binder;
use super::bound::{innermost, BoundDirective, DirectiveKind, DirectivePosition};
use super::ids::{DirectiveId, ProcedureId};
use super::items::{Capture, Item, OpenedFile};
use super::position::{self, strictly_inside};
use super::regions::Region;
use crate::remarks::{Remark, RemarkKind};
use crate::safety::Safety;

/// A directive that has a place, before its items are resolved.
pub(super) struct PositionedDirective {
    pub directive: CDirective,
    /// False when it could not be read; half of a block stands there all the same.
    pub is_whole: bool,
    pub pragma: usize,
    pub before: u32,
    pub procedure: ProcedureId,
    pub place: DirectivePosition,
    pub item: Option<(cppc_grammar::c::tree::Range, usize)>,
}

impl PositionedDirective {
    pub fn word(&self) -> &'static str {
        self.directive.kind.word()
    }
}

impl Binder<'_> {
    /// Places, pairs and resolves the directives of the unit.
    pub(super) fn directives(&mut self, unit: &Unit, regions: &[Region]) -> Vec<BoundDirective> {
        let mut placed = Vec::new();
        for index in 0..self.preprocessed.pragmas.len() {
            let pragma = &self.preprocessed.pragmas[index];
            let parsed = parse_c(pragma, &self.preprocessed.names, self.files);
            let remark = parsed.as_ref().and_then(|parsed| self.remark(index, parsed.as_ref().ok()?));
            match remark {
                Some(Ok(remark)) => {
                    self.remarks.push(remark);
                    continue;
                }
                Some(Err(diagnostic)) => {
                    self.diagnostics.push(diagnostic);
                    continue;
                }
                None => {}
            }
            let result =
                parsed.map(|parsed| parsed.and_then(|found| self.place(unit, regions, index, found)));
            match result {
                Some(Ok(found)) => placed.extend(found),
                Some(Err(diagnostic)) => {
                    self.diagnostics.push(diagnostic);
                    let half =
                        self.half(index).and_then(|half| self.place(unit, regions, index, half).ok()?);
                    placed.extend(half.map(|half| PositionedDirective { is_whole: false, ..half }));
                }
                None => self.diagnostics.extend(misspelt(pragma, &self.preprocessed.names)),
            }
        }
        let pairs = self.pair(unit, &placed);
        let mut bound = Vec::new();
        // Where each placed directive ends up among the bound ones.
        let mut ids: Vec<Option<usize>> = vec![None; placed.len()];
        for (index, found) in placed.iter().enumerate() {
            let Some(pair) = pairs[index].filter(|_| found.is_whole) else { continue };
            self.at = Some(found.before);
            self.unevaluated += 1;
            let kind = self.kind(found);
            self.unevaluated -= 1;
            self.at = None;
            if let Some(kind) = kind {
                ids[index] = Some(bound.len());
                bound.push((pair, self.bound(found, kind)));
            }
        }
        let bound = connect(bound, &ids);
        self.warn_of_names(&bound);
        self.warn_of_handles(&bound);
        self.warn_of_lost(&bound);
        self.warn_of_block_order(&bound);
        bound
    }

    /// A directive about the translation. It may be in any line of the source.
    fn remark(&self, pragma: usize, directive: &CDirective) -> Option<Result<Remark, Diagnostic>> {
        let kind = RemarkKind::of(&directive.kind, |item| item.text.clone())?;
        let written = &self.preprocessed.pragmas[pragma];
        Some(self.written_here(written, directive).map(|()| Remark { span: written.span, kind }))
    }

    /// Refuses a directive that comes out of a macro or is in an included file.
    fn written_here(&self, written: &Pragma, directive: &CDirective) -> Result<(), Diagnostic> {
        let (word, span) = (directive.kind.word(), directive.span);
        let error = |code, message: String| Diagnostic::error(code, span, message);
        if let Some(expansion) = written.origin.expansion {
            let expansion = self.preprocessed.expansions.get(expansion);
            let mut diagnostic =
                error("C0401", format!("`{word}` comes from the macro `{}`", expansion.name))
                    .help("write the directive where the macro is used");
            if expansion.invocation != span {
                diagnostic = diagnostic.label(expansion.invocation, "expanded here");
            }
            return Err(diagnostic);
        }
        if written.span.file != self.main {
            return Err(error("C0402", format!("`{word}` is in an included file"))
                .because("only the source that is translated can contain directives")
                .help("move it into the source, or translate the included file by itself"));
        }
        Ok(())
    }

    /// What a directive with a mistake in it is a half of, so that the other half is not alone.
    fn half(&self, pragma: usize) -> Option<CDirective> {
        let word = self.preprocessed.pragmas[pragma].tokens.get(1)?;
        let kind = match self.text(word.text) {
            "execute" => Kind::Execute { on_restart: false, captures: Vec::new(), files: Vec::new() },
            "end" => Kind::EndExecute,
            _ => return None,
        };
        Some(CDirective { span: word.origin.span, kind })
    }

    fn bound(&self, placed: &PositionedDirective, kind: DirectiveKind) -> BoundDirective {
        BoundDirective {
            kind,
            pragma: placed.pragma,
            span: self.preprocessed.pragmas[placed.pragma].span,
            before: placed.before,
            procedure: placed.procedure,
            place: placed.place,
        }
    }

    /// The place of a directive; nothing when the text around it was not understood, which has been said.
    fn place(
        &self,
        unit: &Unit,
        regions: &[Region],
        pragma: usize,
        directive: CDirective,
    ) -> Result<Option<PositionedDirective>, Diagnostic> {
        let written = &self.preprocessed.pragmas[pragma];
        let (at, span) = (written.before, directive.span);
        let word = directive.kind.word();
        let error = |code, message: String| Diagnostic::error(code, span, message);
        self.written_here(written, &directive)?;
        if unit.unparsed.iter().any(|range| range.start <= at && at < range.end) {
            return Ok(None);
        }
        let Some(function) = position::function_at(unit, at) else {
            return Err(error("C0403", format!("`{word}` is outside of all procedures"))
                .because("not in a function's body")
                .help("move it into the body of the function to which it belongs"));
        };
        let Some(procedure) = self.procedure_at(at) else { return Ok(None) };
        self.surroundings(regions, at, span, word, procedure)?;
        let Some(found) = position::find(&function.body, at) else {
            return Err(error("C0407", format!("`{word}` is within a statement"))
                .because("not between two statements")
                .help("move it to before the statement or after it"));
        };
        if !self.procedures[procedure.0 as usize].editable {
            return Err(error("C0408", format!("`{word}` is in a procedure whose braces come from a macro"))
                .help("write the braces of the procedure without the macro"));
        }
        Ok(Some(PositionedDirective {
            directive,
            is_whole: true,
            pragma,
            before: at,
            procedure,
            place: found.place,
            item: found.item,
        }))
    }

    /// Refuses places from which no jump leads out or in.
    fn surroundings(
        &self,
        regions: &[Region],
        at: u32,
        span: cppc_source::Span,
        word: &str,
        procedure: ProcedureId,
    ) -> Result<(), Diagnostic> {
        if self.procedures[procedure.0 as usize].inside.is_some() {
            return Err(Diagnostic::error("C0404", span, format!("`{word}` is in a nested function"))
                .help("move the function to the file's level"));
        }
        if self.statement_expressions.iter().any(|&range| strictly_inside(range, at)) {
            return Err(Diagnostic::error("C0405", span, format!("`{word}` is in a statement expression"))
                .because("no jump can lead into `({ … })`")
                .help("write it as a statement"));
        }
        let parallel = |region: &&Region| {
            // Between the other pragma and its statement is inside too.
            let first = region.range.start == at && region.pragma.start < span.start;
            first || strictly_inside(region.range, at)
        };
        if let Some(region) = regions.iter().find(parallel) {
            return Err(Diagnostic::error(
                "C0406",
                span,
                format!("`{word}` is in a block of `#pragma {}`", region.name),
            )
            .because("several threads would execute it")
            .label(region.pragma, "the block begins here")
            .help("move it before the block or after it"));
        }
        Ok(())
    }

    pub(super) fn procedure_at(&self, token: u32) -> Option<ProcedureId> {
        innermost(&self.procedures, token)
    }

    /// A directive with its items resolved; none when one of them has an error.
    fn kind(&mut self, placed: &PositionedDirective) -> Option<DirectiveKind> {
        let pragma = placed.pragma;
        // Until the pairs are connected.
        let other = DirectiveId(u32::MAX);
        Some(match &placed.directive.kind {
            Kind::Init => DirectiveKind::Init,
            Kind::Shutdown => DirectiveKind::Shutdown,
            Kind::Checkpoint(safety) => {
                let read = Safety::read(safety, |item| item.span, |item| item.text.clone());
                DirectiveKind::Checkpoint(read.map_err(|error| self.diagnostics.push(error)).ok()?)
            }
            Kind::EndExecute => DirectiveKind::EndExecute { begin: other },
            Kind::Auto(_) | Kind::CheckpointLoop { .. } | Kind::Allow(_) => return None,
            Kind::Register(items) => {
                let items: Vec<Option<Item>> =
                    items.iter().map(|item| self.register_item(pragma, item)).collect();
                DirectiveKind::Register(items.into_iter().collect::<Option<_>>()?)
            }
            Kind::Unregister(items) => DirectiveKind::Unregister(self.captures(pragma, items, true)?),
            Kind::Execute { on_restart, captures, files } => {
                let captures = self.captures(pragma, captures, false);
                let files: Vec<Option<OpenedFile>> =
                    files.iter().map(|file| self.opened_file(pragma, file)).collect();
                let (captures, files) = (captures?, files.into_iter().collect::<Option<_>>()?);
                DirectiveKind::Execute { on_restart: *on_restart, captures, files, end: other }
            }
        })
    }

    fn captures(&mut self, pragma: usize, items: &[CItem], unregister: bool) -> Option<Vec<Capture>> {
        let found: Vec<Option<Capture>> =
            items.iter().map(|item| self.capture_item(pragma, item, unregister)).collect();
        found.into_iter().collect()
    }
}

/// Tells the two halves of each pair about each other; a half without the other falls away.
fn connect(bound: Vec<(Option<usize>, BoundDirective)>, ids: &[Option<usize>]) -> Vec<BoundDirective> {
    let whole = |pair: &Option<usize>| pair.is_none_or(|other| ids[other].is_some());
    // Positions among those that stay.
    let mut positions = Vec::with_capacity(bound.len());
    let mut next = 0;
    for (pair, _) in &bound {
        positions.push(DirectiveId(next));
        next += u32::from(whole(pair));
    }
    let mut kept = Vec::new();
    for (pair, mut directive) in bound {
        if !whole(&pair) {
            continue;
        }
        let other = pair.and_then(|other| ids[other]).map(|index| positions[index]);
        if let (
            DirectiveKind::Execute { end: half, .. } | DirectiveKind::EndExecute { begin: half },
            Some(id),
        ) = (&mut directive.kind, other)
        {
            *half = id;
        }
        kept.push(directive);
    }
    kept
}
