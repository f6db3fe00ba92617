//! Combines lines into constructs and program units.
//!
//! Input: the role of each line, in order.
//! Output: the tree.
//! Postcondition: every statement is in the innermost item that was open when it was read. An item without an
//! end is closed where the unit ends, with a diagnostic.

use cppc_source::{Diagnostic, Severity};

use super::function::is_statement_function;
use super::logical::{At, LineId, Lines, LogicalLine};
use super::open_item::{Header, OpenConstruct, OpenItem, OpenUnit, Stage};
use super::statement::role::{Divider, EndingKind, LineContext, Opening, Role};
use super::statement::Read;
use super::tree::{
    Construct, ConstructEnd, ConstructKind, DerivedType, Interface, Name, Part, Statement, StatementKind,
    Tree, Unit, UnitKind,
};

/// The maximum nesting depth of constructs.
pub const NESTING_LIMIT: usize = 256;

/// Errors after this number are skipped without a diagnostic.
pub const DIAGNOSTICS_LIMIT: usize = 200;

pub struct TreeBuilder<'l> {
    pub(super) lines: &'l Lines,
    pub(super) open: Vec<OpenItem>,
    pub(super) tree: Tree,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Directives that were read before the item that they belong to.
    pub(super) waiting: Vec<Statement>,
    /// A `STRUCTURE` of old Fortran has been read.
    pub structures: bool,
    /// The number of open constructs that are nested too deeply to be kept.
    ignored: usize,
}

impl<'l> TreeBuilder<'l> {
    pub fn new(lines: &'l Lines) -> TreeBuilder<'l> {
        TreeBuilder {
            lines,
            open: Vec::new(),
            tree: Tree::default(),
            diagnostics: Vec::new(),
            waiting: Vec::new(),
            structures: false,
            ignored: 0,
        }
    }

    /// The context of the next line.
    pub fn line_context(&self) -> LineContext {
        let mut line_context = LineContext::default();
        match self.open.last() {
            None => line_context.unit_may_begin = true,
            Some(OpenItem::Unit(unit)) => {
                line_context.unit_may_begin = unit.stage == Stage::Contains;
                line_context.specification = unit.stage == Stage::Specification;
            }
            Some(OpenItem::Construct(open)) => {
                line_context.select_type = matches!(open.construct.kind, ConstructKind::SelectType { .. });
                line_context.select_rank = matches!(open.construct.kind, ConstructKind::SelectRank { .. });
            }
            Some(OpenItem::Type { bindings, .. }) => {
                line_context.derived_type = true;
                line_context.bindings = *bindings;
            }
            Some(OpenItem::Interface { .. }) => {
                line_context.interface = true;
                line_context.unit_may_begin = true;
            }
            Some(OpenItem::Enumeration { .. }) => line_context.enumeration = true,
        }
        line_context
    }

    pub fn add(&mut self, id: LineId, line: &LogicalLine, read: Read) {
        let Read { name, at, role, errors } = read;
        if !errors.is_empty() {
            self.tree.unparsed.push(id);
        }
        for error in errors {
            self.report(line, error.diagnostic(line));
        }
        let header = Header { line: id, label: line.label, at };
        match role {
            Role::Plain(kind) => self.plain(header, kind),
            Role::Unit(unit) => return self.begin_unit(header, *unit),
            Role::Contains => return self.contains(header),
            Role::Opens(opening) => return self.begin_construct(header, name, opening),
            Role::Divides(divider) => return self.divide(header, divider),
            Role::Ends(ending) => self.end(header, ending),
            Role::DerivedType { derived, structure } => {
                self.structures |= structure;
                return self.begin_type(header, derived);
            }
            Role::Interface(interface) => return self.begin_interface(header, interface),
            Role::Enumeration => {
                self.leave_types(header);
                self.declare();
                self.push(OpenItem::Enumeration { header, enumerators: Vec::new() });
                return;
            }
            Role::Enumerators(list) => return self.enumerators(header, list),
            Role::Sequence => self.sequence(header),
            Role::Procedures(names) => self.procedures(header, names),
        }
        if let Some(label) = line.label {
            self.end_loops(label.value, at);
        }
    }

    fn plain(&mut self, header: Header, kind: StatementKind) {
        let declares = kind.declares()
            || matches!(&kind, StatementKind::Assignment { target, .. } if is_statement_function(&self.open, target));
        let statement = header.statement(kind);
        if declares {
            self.declaration(statement);
        } else {
            self.statement(statement);
        }
    }

    /// Adds a statement that is executable or allowed anywhere.
    fn statement(&mut self, statement: Statement) {
        let anywhere = super::open_item::is_neutral(&statement.kind);
        let directive = matches!(statement.kind, StatementKind::Directive);
        if !anywhere {
            let header = Header { line: statement.line, label: None, at: statement.at };
            self.leave_types(header);
        }
        match self.open.last_mut() {
            None if directive => self.waiting.push(statement),
            None => {
                self.begin_main(statement.at);
                self.statement(statement);
            }
            Some(OpenItem::Unit(open)) if open.stage == Stage::Contains => self.outside(statement),
            Some(OpenItem::Unit(open)) => {
                if !anywhere {
                    open.begin_execution();
                }
                match open.stage {
                    Stage::Specification => open.unit.specification.push(statement),
                    _ => open.unit.execution.push(statement),
                }
            }
            Some(OpenItem::Construct(open)) => push(&mut open.construct, statement),
            Some(OpenItem::Type { derived, .. }) => derived.components.push(statement),
            Some(OpenItem::Interface { .. } | OpenItem::Enumeration { .. }) => self.outside(statement),
        }
    }

    fn declaration(&mut self, statement: Statement) {
        // The remainder of an `INCLUDE` line between units does not begin a unit.
        if self.open.is_empty() && matches!(statement.kind, StatementKind::OtherSpecification) {
            return self.tree.outside.push(statement);
        }
        self.declare_at(statement.at);
        match self.open.last_mut() {
            Some(OpenItem::Unit(open)) if open.stage == Stage::Contains => self.outside(statement),
            Some(OpenItem::Unit(open)) => open.unit.specification.push(statement),
            Some(OpenItem::Construct(open)) => push(&mut open.construct, statement),
            Some(OpenItem::Type { derived, .. }) => derived.components.push(statement),
            Some(OpenItem::Interface { .. } | OpenItem::Enumeration { .. }) | None => self.outside(statement),
        }
    }

    /// Begins a declaration. If no unit is open, a main program begins.
    fn declare_at(&mut self, at: At) {
        if self.open.is_empty() {
            self.begin_main(at);
        }
    }

    fn declare(&mut self) {
        let at = self.waiting.first().map(|statement| statement.at);
        if let Some(at) = at {
            self.declare_at(at);
        }
    }

    /// Adds a statement where only directives are allowed.
    fn outside(&mut self, statement: Statement) {
        if !matches!(statement.kind, StatementKind::Directive | StatementKind::Unknown) {
            let line = self.line(statement.line);
            let span = line.anchor(statement.at.start..statement.at.end.max(statement.at.start + 1));
            let diagnostic = Diagnostic::error("C0219", span, "no statement is allowed here")
                .help("move it before `contains`, or into a procedure");
            self.report(line, diagnostic);
            self.tree.unparsed.push(statement.line);
        }
        self.tree.outside.push(statement);
    }

    pub(super) fn begin_main(&mut self, at: At) {
        let mut unit = Unit::new(UnitKind::Program, None, None);
        unit.specification = std::mem::take(&mut self.waiting);
        let at = unit.specification.first().map_or(at, |first| first.at);
        self.open.push(OpenItem::Unit(Box::new(OpenUnit { unit, stage: Stage::Specification, at })));
    }

    fn begin_construct(&mut self, header: Header, name: Option<Name>, opening: Opening) {
        let Opening { kind, condition } = opening;
        self.leave_types(header);
        if self.open.is_empty() {
            self.begin_main(header.at);
        }
        if let Some(OpenItem::Unit(open)) = self.open.last_mut() {
            open.begin_execution();
        }
        if self.open.len() >= NESTING_LIMIT {
            self.too_deep(header);
            let labelled = matches!(&kind, ConstructKind::Do(control) if control.label.is_some());
            self.ignored += usize::from(!labelled);
            return self.statement(header.statement(StatementKind::Unknown));
        }
        let mut construct = Construct { name, kind, parts: Vec::new(), end: ConstructEnd::Missing };
        construct.parts.push(part(header, condition, None));
        self.open.push(OpenItem::Construct(Box::new(OpenConstruct { header, construct })));
    }

    fn too_deep(&mut self, header: Header) {
        let message = format!("this is nested deeper than {NESTING_LIMIT} levels");
        self.complain("C0220", header.at, message, None);
        self.tree.unparsed.push(header.line);
    }

    /// Opens an item. If the nesting limit is reached, the ends of some items must be missing, so inner
    /// items are closed first.
    pub(super) fn push(&mut self, item: OpenItem) {
        let at = item.at();
        if self.open.len() >= NESTING_LIMIT {
            self.too_deep(Header { line: at.line, label: None, at });
        }
        while self.open.len() >= NESTING_LIMIT {
            self.close_missing(at);
        }
        self.open.push(item);
    }

    fn divide(&mut self, header: Header, divider: Divider) {
        let Divider { kind, name, condition, cases } = divider;
        if !self.close_down_to(header.at, |item| item.divides_with(kind)) {
            if self.ignored > 0 {
                return self.statement(header.statement(StatementKind::Unknown));
            }
            let message = "this does not belong to an open construct";
            self.complain("C0218", header.at, message, None);
            self.tree.unparsed.push(header.line);
            return self.statement(header.statement(StatementKind::Unknown));
        }
        self.check_name(name.as_ref());
        if let Some(OpenItem::Construct(open)) = self.open.last_mut() {
            open.construct.parts.push(part(header, condition, cases));
        }
    }

    /// Closes the item that `ending` ends.
    fn end(&mut self, header: Header, ending: super::statement::role::Ending) {
        use EndingKind as Kind;
        match ending.kind {
            Kind::Union | Kind::Map => self.plain(header, StatementKind::OtherSpecification),
            Kind::Plain
            | Kind::Program
            | Kind::Subroutine
            | Kind::Function
            | Kind::Module
            | Kind::Submodule
            | Kind::BlockData
            | Kind::Procedure => self.end_unit(header, ending),
            _ if self.ignored > 0 => {
                self.ignored -= 1;
                self.statement(header.statement(StatementKind::Unknown));
            }
            kind => {
                if !self.close_down_to(header.at, |item| item.ends_with(kind)) {
                    let message = "this does not end an open construct or unit";
                    self.complain("C0218", header.at, message, None);
                    self.tree.unparsed.push(header.line);
                    return self.statement(header.statement(StatementKind::Unknown));
                }
                if !matches!(kind, Kind::Interface) {
                    self.check_name(ending.name.as_ref());
                }
                let end = ConstructEnd::Statement { line: header.line, label: header.label };
                self.close(end);
            }
        }
    }

    /// Closes the loops that a labelled statement ends.
    fn end_loops(&mut self, label: u32, at: At) {
        let inside = self.open.iter().rev().take_while(|item| !item.is_unit());
        let found = inside.filter(|item| item.loop_label() == Some(label)).count();
        for _ in 0..found {
            self.close_down_to(at, |item| item.loop_label() == Some(label));
            self.close(ConstructEnd::Shared { label });
        }
    }

    /// Closes everything inside the innermost item of this kind in the unit. False if there is none.
    pub(super) fn close_down_to(&mut self, at: At, wanted: impl Fn(&OpenItem) -> bool) -> bool {
        for (depth, item) in self.open.iter().rev().enumerate() {
            if wanted(item) {
                for _ in 0..depth {
                    self.close_missing(at);
                }
                return true;
            }
            // Units inside an interface do not end the search. All other units do.
            let inside_interface = self
                .open
                .len()
                .checked_sub(depth + 2)
                .is_some_and(|host| matches!(self.open[host], OpenItem::Interface { .. }));
            if item.is_unit() && !inside_interface {
                return false;
            }
        }
        false
    }

    /// Closes the innermost item, whose end is missing.
    pub(super) fn close_missing(&mut self, at: At) {
        let Some(item) = self.open.last() else { return };
        let only_unknown = matches!(item, OpenItem::Unit(open)
            if open.unit.header.is_none() && open.unit.contains.is_none()
                && open.unit.execution.iter().chain(&open.unit.specification)
                .all(|statement| matches!(statement.kind, StatementKind::Unknown | StatementKind::Directive)));
        if !only_unknown {
            let (begins, what) = (item.at(), item.described());
            let wanted = item.wanted_end();
            let line = self.line(begins.line);
            let span = line.anchor(begins.start..begins.end.max(begins.start + 1));
            let mut diagnostic = Diagnostic::error("C0217", span, format!("{what} has no end"))
                .help(format!("write `{wanted}` where it ends"));
            if at.line != begins.line {
                let end = self.line(at.line).anchor(at.start..at.end.max(at.start + 1));
                diagnostic = diagnostic.label(end, "it must be before this");
            }
            self.report(line, diagnostic);
        }
        self.close(ConstructEnd::Missing);
    }

    /// Closes the innermost item.
    pub(super) fn close(&mut self, end: ConstructEnd) {
        let line = match &end {
            ConstructEnd::Statement { line, .. } => Some(*line),
            _ => None,
        };
        let Some(item) = self.open.pop() else { return };
        match item {
            OpenItem::Unit(open) => self.close_unit(*open, &end),
            OpenItem::Construct(open) => {
                let statement = open.close(end);
                self.statement(statement);
            }
            OpenItem::Type { header, mut derived, .. } => {
                derived.end = line;
                self.declaration(header.statement(StatementKind::DerivedType(derived)));
            }
            OpenItem::Interface { header, interface } => {
                self.declaration(header.statement(StatementKind::Interface(interface)));
            }
            OpenItem::Enumeration { header, enumerators } => {
                self.declaration(header.statement(StatementKind::Enumeration { enumerators }));
            }
        }
    }

    fn check_name(&mut self, name: Option<&Name>) {
        let (Some(name), Some(item)) = (name, self.open.last()) else { return };
        let own = item.name();
        if own.is_some_and(|own| own.text == name.text) {
            return;
        }
        let message = match own {
            Some(own) => format!("found the name `{}`, expected `{}`", name.text, own.text),
            None => {
                format!("found the name `{}` at the end of a construct or unit without a name", name.text)
            }
        };
        self.complain("C0221", name.at, message, Some("use the name of the construct or unit, or no name"));
    }

    /// Closes a type, an interface or an enumeration that has no end before an executable statement.
    fn leave_types(&mut self, header: Header) {
        while matches!(
            self.open.last(),
            Some(OpenItem::Type { .. } | OpenItem::Interface { .. } | OpenItem::Enumeration { .. })
        ) {
            self.close_missing(header.at);
        }
    }

    fn begin_type(&mut self, header: Header, derived: DerivedType) {
        self.declare_at(header.at);
        self.push(OpenItem::Type { header, derived, bindings: false });
    }

    fn begin_interface(&mut self, header: Header, interface: Interface) {
        self.declare_at(header.at);
        self.push(OpenItem::Interface { header, interface });
    }

    fn enumerators(&mut self, header: Header, list: Vec<(Name, Option<super::tree::Expr>)>) {
        match self.open.last_mut() {
            Some(OpenItem::Enumeration { enumerators, .. }) => enumerators.extend(list),
            _ => self.statement(header.statement(StatementKind::Unknown)),
        }
    }

    fn sequence(&mut self, header: Header) {
        if let Some(OpenItem::Type { derived, .. }) = self.open.last_mut() {
            derived.is_sequence = true;
        }
        self.plain(header, StatementKind::OtherSpecification);
    }

    fn procedures(&mut self, header: Header, names: Vec<Name>) {
        match self.open.last_mut() {
            Some(OpenItem::Interface { interface, .. }) => interface.procedures.extend(names),
            _ => self.statement(header.statement(StatementKind::Unknown)),
        }
    }

    pub(super) fn line(&self, id: LineId) -> &'l LogicalLine {
        &self.lines.lines[id.0 as usize]
    }

    pub(super) fn complain(
        &mut self,
        code: &'static str,
        at: At,
        message: impl Into<String>,
        help: Option<&str>,
    ) {
        let line = self.line(at.line);
        let mut diagnostic =
            Diagnostic::error(code, line.anchor(at.start..at.end.max(at.start + 1)), message);
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.report(line, diagnostic);
    }

    /// An error in an included file affects only code that uses it, and often the user is not its author.
    pub(super) fn report(&mut self, line: &LogicalLine, mut diagnostic: Diagnostic) {
        if line.span.file != self.lines.file {
            diagnostic.severity = Severity::Warning;
            diagnostic = diagnostic.note("this statement of an included file is ignored");
        }
        if self.diagnostics.len() < DIAGNOSTICS_LIMIT {
            self.diagnostics.push(diagnostic);
        }
    }
}

fn push(construct: &mut Construct, statement: Statement) {
    if let Some(part) = construct.parts.last_mut() {
        part.statements.push(statement);
    }
}

fn part(
    header: Header,
    condition: Option<super::tree::Expr>,
    cases: Option<Vec<super::tree::Argument>>,
) -> Part {
    Part {
        header: header.line,
        header_label: header.label,
        header_at: header.at,
        condition,
        cases,
        statements: Vec::new(),
    }
}
