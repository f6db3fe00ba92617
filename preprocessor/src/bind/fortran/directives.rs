//! Directives at their places.
//!
//! Input: the directive lines of the trees, after names are bound.
//! Output: each directive with its procedure and its items.
//! Postcondition: what could not be placed has a diagnostic; every `execute` that is left has its `end
//! execute` in the same list of statements.
//!
//! | code | what |
//! |---|---|
//! | C0402, C0403 | it stands in an included file, outside any procedure |
//! | C0406 | in a parallel region |
//! | C0453 | among declarations, in the definition of a type, before the first `CASE` |

use cppc_grammar::directive::fortran::{parse_fortran, FortranDirective, FortranItem};
use cppc_grammar::directive::Kind;
use cppc_grammar::fortran::logical::{LineId, LogicalLine};
use cppc_grammar::fortran::tree::{ConstructKind, Part, Statement, StatementKind};
use cppc_source::{Diagnostic, Files, Span};

use super::bound::{Bound, BoundDirective, DirectiveKind, Region};
use super::ids::{ProcedureId, ScopeId};
use super::resolve_items::{DirectiveContext, Purpose};
use super::visit::inside;
use super::walk::statements_of;
use crate::remarks::{Remark, RemarkKind};
use crate::safety::Safety;

/// A directive that has a place, before its items are resolved.
pub(super) struct PositionedDirective<'a> {
    pub directive: FortranDirective,
    /// False when it could not be read; half of a block stands there all the same.
    pub is_whole: bool,
    pub source: usize,
    pub line: LineId,
    pub procedure: ProcedureId,
    pub scope: ScopeId,
    /// The list of statements that it stands in, and its position there.
    pub list: List<'a>,
    pub index: usize,
}

/// Statements between two headers.
#[derive(Clone)]
pub(super) struct List<'a> {
    pub number: usize,
    pub statements: std::rc::Rc<Vec<&'a Statement>>,
}

impl PositionedDirective<'_> {
    pub fn word(&self) -> &'static str {
        self.directive.kind.word()
    }

    pub fn span(&self) -> Span {
        self.directive.span
    }
}

/// What a search for directives has found.
struct Found<'a, 'f> {
    files: &'f Files,
    placed: Vec<PositionedDirective<'a>>,
    lists: usize,
}

/// Where statements stand.
#[derive(Clone, Copy)]
struct Within {
    source: usize,
    procedure: ProcedureId,
    scope: ScopeId,
}

impl<'a> Bound<'a> {
    /// Places, pairs and resolves the directives of the sources that are translated.
    pub(super) fn bind_directives(&mut self, files: &Files) {
        self.refuse_outside(files);
        self.refuse_in_types(files);
        for index in 0..self.procedures.len() as u32 {
            let procedure = ProcedureId(index);
            let found = self.procedure(procedure);
            let (source, scope, unit) = (found.source, found.scope, found.unit);
            if !found.has_body || !self.sources[source].translated {
                continue;
            }
            let within = Within { source, procedure, scope };
            let statements = statements_of(unit);
            let start = self.first_executable(scope, &statements);
            for statement in &statements[..start] {
                self.refuse_among_declarations(within, statement, files);
            }
            let mut found = Found { files, placed: Vec::new(), lists: 0 };
            self.search(within, statements[start..].to_vec(), &mut found);
            let placed = found.placed;
            let pairs = self.pair(&placed, &statements[start..]);
            for (index, one) in placed.iter().enumerate() {
                if pairs[index] && one.is_whole {
                    self.bind_directive(one);
                }
            }
        }
        self.keep_pairs();
    }

    fn search(&mut self, within: Within, statements: Vec<&'a Statement>, found: &mut Found<'a, '_>) {
        let list = List { number: found.lists, statements: std::rc::Rc::new(statements) };
        found.lists += 1;
        for (index, statement) in list.statements.clone().iter().enumerate() {
            match &statement.kind {
                StatementKind::Directive => {
                    let placed = self.read(within, statement.line, &list, index, found.files);
                    found.placed.extend(placed);
                }
                StatementKind::Construct(construct) => {
                    for (index, part) in construct.parts.iter().enumerate() {
                        let inner = self.inner_scope(within.source, part.header);
                        let within = Within { scope: inner.unwrap_or(within.scope), ..within };
                        self.search_part(within, &construct.kind, index, part, found);
                    }
                }
                _ => {}
            }
        }
    }

    /// In a part of a construct, the one of this index.
    fn search_part(
        &mut self,
        within: Within,
        kind: &ConstructKind,
        index: usize,
        part: &'a Part,
        found: &mut Found<'a, '_>,
    ) {
        let statements: Vec<&'a Statement> = part.statements.iter().collect();
        match kind {
            ConstructKind::Block => {
                let start = self.first_executable(within.scope, &statements);
                for statement in &statements[..start] {
                    self.refuse_among_declarations(within, statement, found.files);
                }
                self.search(within, statements[start..].to_vec(), found);
            }
            ConstructKind::SelectCase { .. }
            | ConstructKind::SelectType { .. }
            | ConstructKind::SelectRank { .. }
                if index == 0 =>
            {
                let directives = statements.iter().filter(|one| matches!(one.kind, StatementKind::Directive));
                for statement in directives {
                    self.refuse(within.source, statement.line, found.files, |span, word| {
                        Diagnostic::error("C0453", span, format!("`{word}` is before the first case"))
                            .because("nothing is executed here")
                            .help("move it before the SELECT, or after the statement that begins the case")
                    });
                }
            }
            _ => self.search(within, statements, found),
        }
    }

    fn read(
        &mut self,
        within: Within,
        line: LineId,
        list: &List<'a>,
        index: usize,
        files: &Files,
    ) -> Option<PositionedDirective<'a>> {
        let text = self.line(within.source, line)?;
        let placed = |directive, is_whole| PositionedDirective {
            directive,
            is_whole,
            source: within.source,
            line,
            procedure: within.procedure,
            scope: within.scope,
            list: list.clone(),
            index,
        };
        if text.span.file != self.sources[within.source].file {
            let anchor = text.anchor(0..text.text.len() as u32);
            self.diagnostics.push(
                Diagnostic::error("C0402", anchor, "a directive is in an included file")
                    .because("only the source that is translated can contain directives")
                    .help("move it into the source, or translate the included file by itself"),
            );
            return None;
        }
        match parse_fortran(text, line, files) {
            Ok(directive) => {
                if self.remark(text, &directive) {
                    return None;
                }
                let around =
                    self.regions[within.source].iter().find(|region| region.extent.contains(text.span));
                if let Some(region) = around {
                    let diagnostic = in_region(directive.span, directive.kind.word(), region);
                    self.diagnostics.push(diagnostic);
                    return None;
                }
                Some(placed(directive, true))
            }
            Err(diagnostic) => {
                let span = diagnostic.labels.first().map_or(text.span, |label| label.span);
                self.diagnostics.push(diagnostic);
                half(&text.text).map(|kind| placed(FortranDirective { line, span, kind }, false))
            }
        }
    }

    /// Notes a directive about the translation. It may be in any line of the source.
    fn remark(&mut self, line: &LogicalLine, directive: &FortranDirective) -> bool {
        let kind = RemarkKind::of(&directive.kind, |item| item.text.clone());
        let remark = kind.map(|kind| Remark { span: line.span, kind });
        let found = remark.is_some();
        self.remarks.extend(remark);
        found
    }

    fn bind_directive(&mut self, placed: &PositionedDirective<'a>) {
        let context = |purpose| DirectiveContext { source: placed.source, scope: placed.scope, purpose };
        let kind = match &placed.directive.kind {
            Kind::Init => Some(DirectiveKind::Init),
            Kind::Shutdown => Some(DirectiveKind::Shutdown),
            Kind::Checkpoint(safety) => {
                let span = |item: &FortranItem| self.anchor(placed.source, item.at);
                let read = Safety::read(safety, span, |item| item.text.clone());
                read.map_err(|error| self.diagnostics.push(error)).ok().map(DirectiveKind::Checkpoint)
            }
            Kind::EndExecute => Some(DirectiveKind::EndExecute),
            Kind::Auto(_) | Kind::CheckpointLoop { .. } | Kind::Allow(_) => None,
            Kind::Register(items) => {
                self.list(context(Purpose::Register), items).map(DirectiveKind::Register)
            }
            Kind::Unregister(items) => {
                self.list(context(Purpose::Unregister), items).map(DirectiveKind::Unregister)
            }
            Kind::Execute { captures, files, .. } => {
                let captures = self.list(context(Purpose::Capture), captures);
                let files = self.opened_files(context(Purpose::Capture), files);
                captures.zip(files).map(|(captures, files)| DirectiveKind::Execute { captures, files })
            }
        };
        let Some(kind) = kind else { return };
        if let DirectiveKind::Execute { captures, .. } = &kind {
            self.warn_of_names(placed, captures);
            self.warn_of_results(placed);
        }
        let Some(line) = self.line(placed.source, placed.line) else { return };
        let bound = BoundDirective { procedure: placed.procedure, span: line.span, kind };
        self.directives.insert((placed.source, placed.line), bound);
    }

    /// An end whose beginning has a mistake in its list falls away with it.
    fn keep_pairs(&mut self) {
        let mut alone = Vec::new();
        let mut open: Option<ProcedureId> = None;
        for (key, directive) in &self.directives {
            match directive.kind {
                DirectiveKind::Execute { .. } => open = Some(directive.procedure),
                DirectiveKind::EndExecute => {
                    if open.take() != Some(directive.procedure) {
                        alone.push(*key);
                    }
                }
                DirectiveKind::Init
                | DirectiveKind::Shutdown
                | DirectiveKind::Register(_)
                | DirectiveKind::Unregister(_)
                | DirectiveKind::Checkpoint(_) => {}
            }
        }
        for key in alone {
            self.directives.remove(&key);
        }
    }

    fn refuse_outside(&mut self, files: &Files) {
        for source in 0..self.sources.len() {
            let found = self.sources[source];
            if !found.translated {
                continue;
            }
            let mut lines: Vec<LineId> = found.tree.outside.iter().map(|statement| statement.line).collect();
            for scope in self.scope_ids() {
                use super::symbols::ScopeKind::{BlockData, Interface, Module};
                let declaring = self.scope(scope);
                if declaring.source != source || !matches!(declaring.kind, BlockData | Interface(_) | Module)
                {
                    continue;
                }
                let statements = declaring.unit.map(statements_of).unwrap_or_default();
                let directives = statements.iter().filter(|one| matches!(one.kind, StatementKind::Directive));
                lines.extend(directives.map(|statement| statement.line));
            }
            lines.sort();
            lines.dedup();
            for line in lines {
                self.refuse(source, line, files, |span, word| {
                    Diagnostic::error("C0403", span, format!("`{word}` is outside of all procedures"))
                        .because("not among the statements of a procedure")
                        .help("move it into the procedure to which it belongs")
                });
            }
        }
    }

    /// Directives in the definitions of types, of units and of `BLOCK` constructs.
    fn refuse_in_types(&mut self, files: &Files) {
        let mut found = Vec::new();
        for unit in
            self.scope_ids().filter_map(|scope| Some((self.scope(scope).source, self.scope(scope).unit?)))
        {
            let (source, unit) = unit;
            if self.sources[source].translated {
                let mut left: Vec<&Statement> = statements_of(unit);
                while let Some(statement) = left.pop() {
                    left.extend(inside(statement));
                    if let StatementKind::DerivedType(derived) = &statement.kind {
                        let inner = derived.components.iter();
                        let directives = inner.filter(|one| matches!(one.kind, StatementKind::Directive));
                        found.extend(directives.map(|one| (source, one.line)));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        for (source, line) in found {
            self.refuse(source, line, files, |span, word| {
                Diagnostic::error("C0453", span, format!("`{word}` is in the definition of a type"))
                    .because("components have no memory of their own")
                    .help("move it after the declarations of the procedure that owns the variable")
            });
        }
    }

    fn refuse_among_declarations(&mut self, within: Within, statement: &Statement, files: &Files) {
        if !matches!(statement.kind, StatementKind::Directive) {
            return;
        }
        self.refuse(within.source, statement.line, files, |span, word| {
            Diagnostic::error("C0453", span, format!("`{word}` is among the declarations"))
                .because("declarations follow")
                .help("move it after the last declaration")
        });
    }

    fn refuse(
        &mut self,
        source: usize,
        line: LineId,
        files: &Files,
        diagnostic: impl Fn(Span, &str) -> Diagnostic,
    ) {
        let Some(text) = self.line(source, line) else { return };
        let found = match parse_fortran(text, line, files) {
            Ok(directive) if self.remark(text, &directive) => return,
            Ok(directive) => diagnostic(directive.span, directive.kind.word()),
            Err(fault) => fault,
        };
        self.diagnostics.push(found);
    }
}

fn in_region(span: Span, word: &str, region: &Region) -> Diagnostic {
    Diagnostic::error("C0406", span, format!("`{word}` is in a block of `!${}`", region.name))
        .because("several threads would execute it")
        .label(region.directive, "the block begins here")
        .help("move it before the block or after it")
}

/// What a directive with a mistake in it is a half of, so that the other half is not alone.
fn half<I>(text: &[u8]) -> Option<Kind<I>> {
    let text: Vec<u8> =
        text.iter().filter(|byte| !byte.is_ascii_whitespace()).map(u8::to_ascii_lowercase).collect();
    if text.starts_with(b"execute") {
        return Some(Kind::Execute { on_restart: false, captures: Vec::new(), files: Vec::new() });
    }
    text.starts_with(b"end").then_some(Kind::EndExecute)
}
