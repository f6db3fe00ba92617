//! Puts lines together to constructs and program units.
//!
//! In: the role of each line, in order. Out: the tree. Holds afterwards: every statement stands in the innermost
//! of what was open when it came; what was not closed is closed where the unit ends, with a diagnostic.

use cppc_source::{Diagnostic, Severity};

use super::frame::{Frame, Header, OpenConstruct, OpenUnit, Stage};
use super::function::is_statement_function;
use super::logical::{At, LineId, Lines, LogicalLine};
use super::statement::role::{Divider, EndingKind, Opening, Role, Scene};
use super::statement::Read;
use super::tree::{
    Construct, ConstructEnd, ConstructKind, DerivedType, Interface, Name, Part, Statement,
    StatementKind, Tree, Unit, UnitKind,
};

/// As deep as constructs may nest.
pub const NESTING_LIMIT: usize = 256;

/// Faults after this one are passed over without a word of their own.
pub const DIAGNOSTICS_LIMIT: usize = 200;

pub struct Blocks<'l> {
    pub(super) lines: &'l Lines,
    pub(super) open: Vec<Frame>,
    pub(super) tree: Tree,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Directives before anything that says what they belong to.
    pub(super) waiting: Vec<Statement>,
    /// A `STRUCTURE` of old has come.
    pub structures: bool,
    /// Constructs that were nested too deeply to be kept, and are still open.
    ignored: usize,
}

impl<'l> Blocks<'l> {
    pub fn new(lines: &'l Lines) -> Blocks<'l> {
        Blocks {
            lines,
            open: Vec::new(),
            tree: Tree::default(),
            diagnostics: Vec::new(),
            waiting: Vec::new(),
            structures: false,
            ignored: 0,
        }
    }

    /// Among what the next line stands.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::default();
        match self.open.last() {
            None => scene.unit_may_begin = true,
            Some(Frame::Unit(unit)) => {
                scene.unit_may_begin = unit.stage == Stage::Contains;
                scene.specification = unit.stage == Stage::Specification;
            }
            Some(Frame::Construct(open)) => {
                scene.select_type = matches!(open.construct.kind, ConstructKind::SelectType { .. });
                scene.select_rank = matches!(open.construct.kind, ConstructKind::SelectRank { .. });
            }
            Some(Frame::Type { bindings, .. }) => {
                scene.derived_type = true;
                scene.bindings = *bindings;
            }
            Some(Frame::Interface { .. }) => {
                scene.interface = true;
                scene.unit_may_begin = true;
            }
            Some(Frame::Enumeration { .. }) => scene.enumeration = true,
        }
        scene
    }

    pub fn add(&mut self, id: LineId, line: &LogicalLine, read: Read) {
        let Read { name, at, role, troubles } = read;
        if !troubles.is_empty() {
            self.tree.unparsed.push(id);
        }
        for trouble in troubles {
            self.report(line, trouble.diagnostic(line));
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
                self.push(Frame::Enumeration { header, enumerators: Vec::new() });
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

    /// A statement that executes, or may stand anywhere.
    fn statement(&mut self, statement: Statement) {
        let anywhere = super::frame::is_neutral(&statement.kind);
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
            Some(Frame::Unit(open)) if open.stage == Stage::Contains => self.outside(statement),
            Some(Frame::Unit(open)) => {
                if !anywhere {
                    open.begin_execution();
                }
                match open.stage {
                    Stage::Specification => open.unit.specification.push(statement),
                    _ => open.unit.execution.push(statement),
                }
            }
            Some(Frame::Construct(open)) => push(&mut open.construct, statement),
            Some(Frame::Type { derived, .. }) => derived.components.push(statement),
            Some(Frame::Interface { .. } | Frame::Enumeration { .. }) => self.outside(statement),
        }
    }

    fn declaration(&mut self, statement: Statement) {
        // What is left of an `INCLUDE` between units begins none.
        if self.open.is_empty() && matches!(statement.kind, StatementKind::OtherSpecification) {
            return self.tree.outside.push(statement);
        }
        self.declare_at(statement.at);
        match self.open.last_mut() {
            Some(Frame::Unit(open)) if open.stage == Stage::Contains => self.outside(statement),
            Some(Frame::Unit(open)) => open.unit.specification.push(statement),
            Some(Frame::Construct(open)) => push(&mut open.construct, statement),
            Some(Frame::Type { derived, .. }) => derived.components.push(statement),
            Some(Frame::Interface { .. } | Frame::Enumeration { .. }) | None => self.outside(statement),
        }
    }

    /// Something that must be declared begins: a main program, if nothing else has.
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

    /// A statement where there is no room for any but directives.
    fn outside(&mut self, statement: Statement) {
        if !matches!(statement.kind, StatementKind::Directive | StatementKind::Unknown) {
            let line = self.line(statement.line);
            let span = line.anchor(statement.at.start..statement.at.end.max(statement.at.start + 1));
            let diagnostic = Diagnostic::error("C0219", span, "no statement may stand here")
                .help("move it in front of `contains`, or into a procedure");
            self.report(line, diagnostic);
            self.tree.unparsed.push(statement.line);
        }
        self.tree.outside.push(statement);
    }

    pub(super) fn begin_main(&mut self, at: At) {
        let mut unit = Unit::new(UnitKind::Program, None, None);
        unit.specification = std::mem::take(&mut self.waiting);
        let at = unit.specification.first().map_or(at, |first| first.at);
        self.open.push(Frame::Unit(Box::new(OpenUnit { unit, stage: Stage::Specification, at })));
    }

    fn begin_construct(&mut self, header: Header, name: Option<Name>, opening: Opening) {
        let Opening { kind, condition } = opening;
        self.leave_types(header);
        if self.open.is_empty() {
            self.begin_main(header.at);
        }
        if let Some(Frame::Unit(open)) = self.open.last_mut() {
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
        self.open.push(Frame::Construct(Box::new(OpenConstruct { header, construct })));
    }

    fn too_deep(&mut self, header: Header) {
        let message = format!("this is nested deeper than {NESTING_LIMIT} levels");
        self.complain("C0220", header.at, message, None);
        self.tree.unparsed.push(header.line);
    }

    /// Opens something that can only stand so deep when ends are missing: then these are closed.
    pub(super) fn push(&mut self, frame: Frame) {
        let at = frame.at();
        if self.open.len() >= NESTING_LIMIT {
            self.too_deep(Header { line: at.line, label: None, at });
        }
        while self.open.len() >= NESTING_LIMIT {
            self.close_missing(at);
        }
        self.open.push(frame);
    }

    fn divide(&mut self, header: Header, divider: Divider) {
        let Divider { kind, name, condition, cases } = divider;
        if !self.close_down_to(header.at, |frame| frame.divides_with(kind)) {
            if self.ignored > 0 {
                return self.statement(header.statement(StatementKind::Unknown));
            }
            let message = "this belongs to no construct that is open";
            self.complain("C0218", header.at, message, None);
            self.tree.unparsed.push(header.line);
            return self.statement(header.statement(StatementKind::Unknown));
        }
        self.check_name(name.as_ref());
        if let Some(Frame::Construct(open)) = self.open.last_mut() {
            open.construct.parts.push(part(header, condition, cases));
        }
    }

    /// Closes what `ending` ends.
    fn end(&mut self, header: Header, ending: super::statement::role::Ending) {
        use EndingKind as Kind;
        match ending.kind {
            Kind::Union | Kind::Map => self.plain(header, StatementKind::OtherSpecification),
            Kind::Plain | Kind::Program | Kind::Subroutine | Kind::Function | Kind::Module
            | Kind::Submodule | Kind::BlockData | Kind::Procedure => self.end_unit(header, ending),
            _ if self.ignored > 0 => {
                self.ignored -= 1;
                self.statement(header.statement(StatementKind::Unknown));
            }
            kind => {
                if !self.close_down_to(header.at, |frame| frame.ends_with(kind)) {
                    let message = "this ends nothing that is open";
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
        let inside = self.open.iter().rev().take_while(|frame| !frame.is_unit());
        let found = inside.filter(|frame| frame.loop_label() == Some(label)).count();
        for _ in 0..found {
            self.close_down_to(at, |frame| frame.loop_label() == Some(label));
            self.close(ConstructEnd::Shared { label });
        }
    }

    /// Closes what is open within the innermost frame of this kind in the unit; false when there is none.
    pub(super) fn close_down_to(&mut self, at: At, wanted: impl Fn(&Frame) -> bool) -> bool {
        for (depth, frame) in self.open.iter().rev().enumerate() {
            if wanted(frame) {
                for _ in 0..depth {
                    self.close_missing(at);
                }
                return true;
            }
            // Only an interface has units within that are not their own world.
            let inside_interface = self
                .open
                .len()
                .checked_sub(depth + 2)
                .is_some_and(|host| matches!(self.open[host], Frame::Interface { .. }));
            if frame.is_unit() && !inside_interface {
                return false;
            }
        }
        false
    }

    /// Closes the innermost frame, whose end is missing.
    pub(super) fn close_missing(&mut self, at: At) {
        let Some(frame) = self.open.last() else { return };
        let only_unknown = matches!(frame, Frame::Unit(open)
            if open.unit.header.is_none() && open.unit.contains.is_none()
                && open.unit.execution.iter().chain(&open.unit.specification)
                .all(|statement| matches!(statement.kind, StatementKind::Unknown | StatementKind::Directive)));
        if !only_unknown {
            let (begins, what) = (frame.at(), frame.described());
            let wanted = frame.wanted_end();
            let line = self.line(begins.line);
            let span = line.anchor(begins.start..begins.end.max(begins.start + 1));
            let mut diagnostic = Diagnostic::error("C0217", span, format!("{what} has no end"))
                .help(format!("write `{wanted}` where it ends"));
            if at.line != begins.line {
                let end = self.line(at.line).anchor(at.start..at.end.max(at.start + 1));
                diagnostic = diagnostic.label(end, "before this, at the latest");
            }
            self.report(line, diagnostic);
        }
        self.close(ConstructEnd::Missing);
    }

    /// Closes the innermost frame.
    pub(super) fn close(&mut self, end: ConstructEnd) {
        let line = match &end {
            ConstructEnd::Statement { line, .. } => Some(*line),
            _ => None,
        };
        let Some(frame) = self.open.pop() else { return };
        match frame {
            Frame::Unit(open) => self.close_unit(*open, &end),
            Frame::Construct(open) => {
                let statement = open.close(end);
                self.statement(statement);
            }
            Frame::Type { header, mut derived, .. } => {
                derived.end = line;
                self.declaration(header.statement(StatementKind::DerivedType(derived)));
            }
            Frame::Interface { header, interface } => {
                self.declaration(header.statement(StatementKind::Interface(interface)));
            }
            Frame::Enumeration { header, enumerators } => {
                self.declaration(header.statement(StatementKind::Enumeration { enumerators }));
            }
        }
    }

    fn check_name(&mut self, name: Option<&Name>) {
        let (Some(name), Some(frame)) = (name, self.open.last()) else { return };
        let own = frame.name();
        if own.is_some_and(|own| own.text == name.text) {
            return;
        }
        let message = match own {
            Some(own) => format!("found the name `{}`, expected `{}`", name.text, own.text),
            None => format!("found the name `{}` at the end of what has none", name.text),
        };
        self.complain("C0221", name.at, message, Some("use the name of what it belongs to, or none"));
    }

    /// A type, an interface or an enumeration that an executable statement shows to be unfinished.
    fn leave_types(&mut self, header: Header) {
        while matches!(
            self.open.last(),
            Some(Frame::Type { .. } | Frame::Interface { .. } | Frame::Enumeration { .. })
        ) {
            self.close_missing(header.at);
        }
    }

    fn begin_type(&mut self, header: Header, derived: DerivedType) {
        self.declare_at(header.at);
        self.push(Frame::Type { header, derived, bindings: false });
    }

    fn begin_interface(&mut self, header: Header, interface: Interface) {
        self.declare_at(header.at);
        self.push(Frame::Interface { header, interface });
    }

    fn enumerators(&mut self, header: Header, list: Vec<(Name, Option<super::tree::Expr>)>) {
        match self.open.last_mut() {
            Some(Frame::Enumeration { enumerators, .. }) => enumerators.extend(list),
            _ => self.statement(header.statement(StatementKind::Unknown)),
        }
    }

    fn sequence(&mut self, header: Header) {
        if let Some(Frame::Type { derived, .. }) = self.open.last_mut() {
            derived.is_sequence = true;
        }
        self.plain(header, StatementKind::OtherSpecification);
    }

    fn procedures(&mut self, header: Header, names: Vec<Name>) {
        match self.open.last_mut() {
            Some(Frame::Interface { interface, .. }) => interface.procedures.extend(names),
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
        let mut diagnostic = Diagnostic::error(code, line.anchor(at.start..at.end.max(at.start + 1)), message);
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.report(line, diagnostic);
    }

    /// A fault in an included file costs only what uses it, and its author is somebody else.
    pub(super) fn report(&mut self, line: &LogicalLine, mut diagnostic: Diagnostic) {
        if line.span.file != self.lines.file {
            diagnostic.severity = Severity::Warning;
            diagnostic = diagnostic.note("this statement of an included file is left out of account");
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
