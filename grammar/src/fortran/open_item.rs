//! The items that are open while lines are combined into a tree.
//!
//! Input: headers.
//! Output: statements and units after they are closed.
//! Postcondition: an item can describe the missing end if it is closed too early.

use super::logical::{At, Label, LineId};
use super::statement::role::{DividerKind, EndingKind};
use super::tree::{
    Construct, ConstructEnd, ConstructKind, DerivedType, DoKind, Expr, Interface, Name, Statement,
    StatementKind, Unit, UnitKind,
};

/// An item that has begun and not ended yet.
#[derive(Debug)]
pub enum OpenItem {
    Unit(Box<OpenUnit>),
    Construct(Box<OpenConstruct>),
    Type { header: Header, derived: DerivedType, bindings: bool },
    Interface { header: Header, interface: Interface },
    Enumeration { header: Header, enumerators: Vec<(Name, Option<Expr>)> },
}

/// The line that opened an item.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    pub line: LineId,
    pub label: Option<Label>,
    pub at: At,
}

#[derive(Debug)]
pub struct OpenUnit {
    pub unit: Unit,
    pub stage: Stage,
    /// The position of its first line.
    pub at: At,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Specification,
    Execution,
    Contains,
}

#[derive(Debug)]
pub struct OpenConstruct {
    pub header: Header,
    pub construct: Construct,
}

impl OpenItem {
    pub fn at(&self) -> At {
        match self {
            OpenItem::Unit(open) => open.at,
            OpenItem::Construct(open) => open.header.at,
            OpenItem::Type { header, .. }
            | OpenItem::Interface { header, .. }
            | OpenItem::Enumeration { header, .. } => header.at,
        }
    }

    pub fn is_unit(&self) -> bool {
        matches!(self, OpenItem::Unit(_))
    }

    /// The label of the statement that ends this loop.
    pub fn loop_label(&self) -> Option<u32> {
        match self {
            OpenItem::Construct(open) => match &open.construct.kind {
                ConstructKind::Do(control) => control.label.as_ref().map(|label| label.value),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn name(&self) -> Option<&Name> {
        match self {
            OpenItem::Unit(open) => open.unit.name.as_ref(),
            OpenItem::Construct(open) => open.construct.name.as_ref(),
            OpenItem::Type { derived, .. } => Some(&derived.name),
            OpenItem::Interface { interface, .. } => interface.generic.as_ref(),
            OpenItem::Enumeration { .. } => None,
        }
    }

    /// True if this `END …` ends it.
    pub fn ends_with(&self, ending: EndingKind) -> bool {
        if let OpenItem::Unit(_) = self {
            return ending == EndingKind::Plain || ending == self.ending();
        }
        if let (OpenItem::Type { .. }, EndingKind::Structure) = (self, ending) {
            return true;
        }
        ending == self.ending()
    }

    pub fn divides_with(&self, divider: DividerKind) -> bool {
        let OpenItem::Construct(open) = self else { return false };
        match divider {
            DividerKind::Else => matches!(open.construct.kind, ConstructKind::If),
            DividerKind::Case => matches!(open.construct.kind, ConstructKind::SelectCase { .. }),
            DividerKind::Type => matches!(open.construct.kind, ConstructKind::SelectType { .. }),
            DividerKind::Rank => matches!(open.construct.kind, ConstructKind::SelectRank { .. }),
            DividerKind::ElseWhere => {
                matches!(&open.construct.kind, ConstructKind::Masked { keyword, .. } if keyword == "where")
            }
        }
    }

    /// The `END …` that it needs.
    pub fn ending(&self) -> EndingKind {
        match self {
            OpenItem::Unit(open) => match open.unit.kind {
                UnitKind::Program => EndingKind::Program,
                UnitKind::Subroutine => EndingKind::Subroutine,
                UnitKind::Function { .. } => EndingKind::Function,
                UnitKind::Module => EndingKind::Module,
                UnitKind::Submodule { .. } => EndingKind::Submodule,
                UnitKind::BlockData => EndingKind::BlockData,
                UnitKind::ModuleProcedure => EndingKind::Procedure,
            },
            OpenItem::Construct(open) => match &open.construct.kind {
                ConstructKind::If => EndingKind::If,
                ConstructKind::Do(_) => EndingKind::Do,
                ConstructKind::SelectCase { .. }
                | ConstructKind::SelectType { .. }
                | ConstructKind::SelectRank { .. } => EndingKind::Select,
                ConstructKind::Block => EndingKind::Block,
                ConstructKind::Associate { .. } => EndingKind::Associate,
                ConstructKind::Masked { keyword, .. } if keyword == "where" => EndingKind::Where,
                ConstructKind::Masked { .. } => EndingKind::Forall,
                ConstructKind::Critical => EndingKind::Critical,
                ConstructKind::ChangeTeam { .. } => EndingKind::Team,
            },
            OpenItem::Type { .. } => EndingKind::Type,
            OpenItem::Interface { .. } => EndingKind::Interface,
            OpenItem::Enumeration { .. } => EndingKind::Enum,
        }
    }

    /// The statement that would end it.
    pub fn wanted_end(&self) -> String {
        if let Some(label) = self.loop_label() {
            return format!("{label} continue");
        }
        let word = match self.ending() {
            EndingKind::Plain => "",
            EndingKind::Program => " program",
            EndingKind::Subroutine => " subroutine",
            EndingKind::Function => " function",
            EndingKind::Module => " module",
            EndingKind::Submodule => " submodule",
            EndingKind::BlockData => " block data",
            EndingKind::Procedure => " procedure",
            EndingKind::If => " if",
            EndingKind::Do => " do",
            EndingKind::Select => " select",
            EndingKind::Where => " where",
            EndingKind::Forall => " forall",
            EndingKind::Block => " block",
            EndingKind::Associate => " associate",
            EndingKind::Critical => " critical",
            EndingKind::Team => " team",
            EndingKind::Type => " type",
            EndingKind::Interface => " interface",
            EndingKind::Enum => " enum",
            EndingKind::Structure => " structure",
            EndingKind::Union => " union",
            EndingKind::Map => " map",
        };
        format!("end{word}")
    }

    /// Its description for a message.
    pub fn described(&self) -> String {
        let what = match self {
            OpenItem::Unit(open) => open.unit.kind.keywords(),
            OpenItem::Construct(open) => match &open.construct.kind {
                ConstructKind::Do(control) => match (&control.label, &control.kind) {
                    (Some(label), _) => return format!("this `do {}`", label.value),
                    (None, DoKind::While(_)) => "`do while`",
                    _ => "`do`",
                },
                ConstructKind::If => "`if`",
                ConstructKind::SelectCase { .. } => "`select case`",
                ConstructKind::SelectType { .. } => "`select type`",
                ConstructKind::SelectRank { .. } => "`select rank`",
                ConstructKind::Block => "`block`",
                ConstructKind::Associate { .. } => "`associate`",
                ConstructKind::Masked { keyword, .. } if keyword == "where" => "`where`",
                ConstructKind::Masked { .. } => "`forall`",
                ConstructKind::Critical => "`critical`",
                ConstructKind::ChangeTeam { .. } => "`change team`",
            },
            OpenItem::Type { .. } => "type",
            OpenItem::Interface { .. } => "interface",
            OpenItem::Enumeration { .. } => "`enum`",
        };
        match self.name() {
            Some(name) if !matches!(self, OpenItem::Construct(_)) => format!("{what} `{}`", name.text),
            _ => format!("this {what}"),
        }
    }
}

impl Header {
    pub fn statement(self, kind: StatementKind) -> Statement {
        Statement { line: self.line, label: self.label, at: self.at, kind }
    }
}

impl OpenConstruct {
    pub fn close(mut self, end: ConstructEnd) -> Statement {
        self.construct.end = end;
        self.header.statement(StatementKind::Construct(self.construct))
    }
}

impl OpenUnit {
    /// Changes from declarations to executable statements. Directives after the last declaration are moved to
    /// the executable part.
    pub fn begin_execution(&mut self) {
        if self.stage != Stage::Specification {
            return;
        }
        self.stage = Stage::Execution;
        let list = &mut self.unit.specification;
        let declared = list.iter().rposition(|statement| !is_neutral(&statement.kind));
        let behind = declared.map_or(0, |last| last + 1);
        let first =
            list[behind..].iter().position(|statement| matches!(statement.kind, StatementKind::Directive));
        if let Some(first) = first {
            self.unit.execution = list.split_off(behind + first);
        }
    }
}

/// True for statements that are allowed in both parts.
pub fn is_neutral(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Directive
            | StatementKind::Format
            | StatementKind::Data(_)
            | StatementKind::Entry { .. }
            | StatementKind::Unknown
    )
}
