//! The role of a line among the others.

use crate::fortran::tree::{
    Argument, ConstructKind, DerivedType, Expr, Interface, Name, StatementKind, Unit,
};

/// The context of a line. Some words have a meaning only in certain contexts.
#[derive(Debug, Clone, Copy, Default)]
pub struct LineContext {
    /// A unit may begin here: none is open, or the line is after `CONTAINS` or in an interface.
    pub unit_may_begin: bool,
    pub interface: bool,
    pub derived_type: bool,
    /// After `CONTAINS` in a type.
    pub bindings: bool,
    pub enumeration: bool,
    pub select_type: bool,
    pub select_rank: bool,
    /// The unit has no executable statement yet.
    pub specification: bool,
}

#[derive(Debug)]
pub enum Role {
    /// A single statement.
    Plain(StatementKind),
    /// The header of a program unit or subprogram.
    Unit(Box<Unit>),
    Contains,
    Opens(Opening),
    Divides(Divider),
    Ends(Ending),
    /// `TYPE name`, or `STRUCTURE /name/` of old Fortran.
    DerivedType {
        derived: DerivedType,
        structure: bool,
    },
    Interface(Interface),
    Enumeration,
    Enumerators(Vec<(Name, Option<Expr>)>),
    /// `SEQUENCE` of a type.
    Sequence,
    /// `MODULE PROCEDURE a, b` in an interface.
    Procedures(Vec<Name>),
}

/// The header of a construct.
#[derive(Debug)]
pub struct Opening {
    pub kind: ConstructKind,
    pub condition: Option<Expr>,
}

/// A statement that begins the next part of a construct.
#[derive(Debug)]
pub struct Divider {
    pub kind: DividerKind,
    /// The name of the construct, which follows it.
    pub name: Option<Name>,
    pub condition: Option<Expr>,
    pub cases: Option<Vec<Argument>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DividerKind {
    Else,
    Case,
    /// `TYPE IS`, `CLASS IS`, `CLASS DEFAULT`
    Type,
    Rank,
    ElseWhere,
}

#[derive(Debug)]
pub struct Ending {
    pub kind: EndingKind,
    pub name: Option<Name>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndingKind {
    /// `END` alone, of a unit.
    Plain,
    Program,
    Subroutine,
    Function,
    Module,
    Submodule,
    BlockData,
    Procedure,
    If,
    Do,
    /// The end of all forms of `SELECT`.
    Select,
    Where,
    Forall,
    Block,
    Associate,
    Critical,
    Team,
    Type,
    Interface,
    Enum,
    /// `STRUCTURE` of old Fortran.
    Structure,
    Union,
    Map,
}
