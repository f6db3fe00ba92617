//! Generated statements, as far as generated code needs them.
//!
//! These are the types that the speller builds and the printer prints. Words and names are in capitals here.
//! The printer chooses the letters, the operators and the lines of the file.

use cppc_source::Span;

use super::expression::{Expr, Name, Source, Type};

#[derive(Debug, Clone)]
pub(super) enum Statement {
    /// Text of the program, as a comment.
    Comment(Span),
    /// A comment of generated code.
    Remark(&'static str),
    Declaration(Declaration),
    Action(Action),
    /// `IF (condition) action`
    When {
        condition: Expr,
        action: Action,
    },
    /// An IF construct: conditions with their statements, and the statements after `ELSE`.
    If {
        branches: Vec<(Expr, Statements)>,
        otherwise: Option<Statements>,
    },
    Select {
        selector: Expr,
        cases: Vec<(Case, Statements)>,
    },
    DoWhile {
        condition: Expr,
        body: Statements,
    },
    Block(Statements),
    Subroutine {
        name: Name,
        dummies: Vec<Name>,
        /// `BIND(C, NAME='binding')`
        binding: Option<String>,
        body: Statements,
    },
    Interface(Statements),
    Contains,
    /// The first statement of a construct that the program ends, or of a part of such a construct. The
    /// following statements are inside of it.
    Header(Header),
    /// Another statement of a construct of the program. The following statements have the same indentation.
    Part(Part),
}

#[derive(Debug, Clone)]
pub(super) enum Declaration {
    Include(&'static str),
    /// `USE, INTRINSIC :: module, ONLY: names`
    Use {
        module: &'static str,
        names: &'static [&'static str],
    },
    /// `USE module, ONLY: local => name`
    UseAs {
        module: Name,
        local: Name,
        name: Name,
    },
    /// `IMPORT :: name`, in an interface.
    Import(Name),
    External(Vec<Name>),
    /// `INTEGER :: name = 0`, which implies SAVE.
    SavedZero(Name),
    Variables {
        ty: Type,
        attributes: &'static [&'static str],
        variables: Vec<Variable>,
    },
}

#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub name: Name,
    pub shape: Shape,
}

#[derive(Debug, Clone)]
pub(super) enum Shape {
    Scalar,
    Extent(u32),
    /// `(*)`
    AssumedSize,
    /// `(:, :)`
    Deferred {
        rank: u32,
    },
}

/// A statement that can follow `IF (condition)`.
#[derive(Debug, Clone)]
pub(super) enum Action {
    /// A statement of the program, or its `BLOCK` and the like.
    Source(Source),
    Assign {
        target: Expr,
        value: Expr,
    },
    /// `pointer => target`
    PointTo {
        pointer: Expr,
        target: Expr,
    },
    Call {
        procedure: Name,
        arguments: Vec<Expr>,
    },
    Goto(u32),
    Continue,
    Exit,
    /// `RETURN value`
    Return(Expr),
    Allocate(Expr),
    Deallocate(Expr),
    Nullify(Expr),
    /// `WRITE (controls) items` and the like.
    Transfer {
        word: &'static str,
        controls: Vec<Expr>,
        items: Vec<Expr>,
    },
}

#[derive(Debug, Clone)]
pub(super) enum Header {
    If {
        name: Option<String>,
        condition: Expr,
    },
    /// `end`: the label of its last statement, if it has one.
    Do {
        name: Option<String>,
        end: Option<u32>,
        control: DoControl,
    },
    Case {
        number: u32,
        name: Option<String>,
    },
}

#[derive(Debug, Clone)]
pub(super) enum DoControl {
    Forever,
    While(Expr),
    Counted { variable: Expr, first: Expr, last: Expr, step: Option<Expr> },
}

#[derive(Debug, Clone)]
pub(super) enum Part {
    ElseIf(Expr),
    Else,
    EndIf,
    Select {
        name: Option<String>,
        selector: Expr,
    },
    /// Other names for variables.
    Associate(Vec<(Name, Expr)>),
    EndAssociate,
}

#[derive(Debug, Clone)]
pub(super) enum Case {
    /// `(1)`, `(1:3)`
    Values(Expr),
    /// The text of the cases, with the parentheses.
    Source(Span),
    Default,
}

/// Statements in order, with their labels.
#[derive(Debug, Clone, Default)]
pub(super) struct Statements {
    list: Vec<(Option<u32>, Statement)>,
    /// The label of the next statement.
    label: Option<u32>,
}

impl Statements {
    /// The statements that a function writes.
    pub fn of(write: impl FnOnce(&mut Statements)) -> Statements {
        let mut statements = Statements::default();
        write(&mut statements);
        statements
    }

    pub fn list(&self) -> &[(Option<u32>, Statement)] {
        &self.list
    }

    pub fn push(&mut self, statement: impl Into<Statement>) {
        let statement = statement.into();
        // Comments have no labels.
        let is_comment = matches!(statement, Statement::Comment(_) | Statement::Remark(_));
        let label = if is_comment { None } else { self.label.take() };
        self.list.push((label, statement));
    }

    /// Sets the label of the next statement. If the next statement has a label already, that label gets a
    /// separate statement.
    pub fn label(&mut self, label: u32) {
        if self.label.is_some() {
            self.push(Action::Continue);
        }
        self.label = Some(label);
    }

    /// A statement with a label of its own.
    pub fn labelled(&mut self, label: u32, statement: impl Into<Statement>) {
        self.label(label);
        self.push(statement);
    }

    /// Appends the statements of another list.
    pub fn append(&mut self, other: Statements) {
        for (label, statement) in other.list {
            label.into_iter().for_each(|label| self.label(label));
            self.push(statement);
        }
    }

    pub fn assign(&mut self, target: Expr, value: Expr) {
        self.push(Action::Assign { target, value });
    }

    pub fn call(&mut self, procedure: impl Into<Name>, arguments: impl Into<Vec<Expr>>) {
        self.push(Action::call(procedure, arguments));
    }

    /// `IF (condition) action`
    pub fn when(&mut self, condition: Expr, action: Action) {
        self.push(Statement::When { condition, action });
    }

    /// `IF (condition) THEN`, statements, `END IF`.
    pub fn if_then(&mut self, condition: Expr, write: impl FnOnce(&mut Statements)) {
        self.push(Statement::If { branches: vec![(condition, Statements::of(write))], otherwise: None });
    }

    pub fn if_else(
        &mut self,
        condition: Expr,
        write: impl FnOnce(&mut Statements),
        otherwise: impl FnOnce(&mut Statements),
    ) {
        let branches = vec![(condition, Statements::of(write))];
        self.push(Statement::If { branches, otherwise: Some(Statements::of(otherwise)) });
    }

    /// Statements under a condition, if there is one.
    pub fn under(&mut self, condition: Option<Expr>, write: impl FnOnce(&mut Statements)) {
        match condition {
            Some(condition) => self.if_then(condition, write),
            None => write(self),
        }
    }

    /// Whether text of the program is among them as a comment.
    pub fn has_comment(&self) -> bool {
        self.list.iter().any(|(_, statement)| matches!(statement, Statement::Comment(_)))
    }

    /// The subroutines of the runtime that are called.
    pub fn called(&self) -> Vec<Name> {
        self.list.iter().flat_map(|(_, statement)| statement.called()).collect()
    }
}

impl Statement {
    fn called(&self) -> Vec<Name> {
        match self {
            Statement::Action(action) | Statement::When { action, .. } => {
                action.called().into_iter().collect()
            }
            Statement::If { branches, otherwise } => {
                branches.iter().map(|(_, body)| body).chain(otherwise).flat_map(Statements::called).collect()
            }
            Statement::Select { cases, .. } => cases.iter().flat_map(|(_, body)| body.called()).collect(),
            Statement::DoWhile { body, .. } | Statement::Block(body) => body.called(),
            // It declares them itself.
            Statement::Subroutine { .. } => Vec::new(),
            Statement::Comment(_)
            | Statement::Remark(_)
            | Statement::Declaration(_)
            | Statement::Interface(_)
            | Statement::Contains
            | Statement::Header(_)
            | Statement::Part(_) => Vec::new(),
        }
    }
}

impl Action {
    pub fn call(procedure: impl Into<Name>, arguments: impl Into<Vec<Expr>>) -> Action {
        Action::Call { procedure: procedure.into(), arguments: arguments.into() }
    }

    pub fn assign(target: Expr, value: Expr) -> Action {
        Action::Assign { target, value }
    }

    fn called(&self) -> Option<Name> {
        match self {
            // They have interfaces.
            Action::Call { procedure: Name::Known(word), .. } if word.starts_with("CPPC_ROOT_") => None,
            Action::Call { procedure: Name::Known(word), .. } if word.starts_with("CPPC_") => {
                Some(Name::Known(word.clone()))
            }
            Action::Call { .. }
            | Action::Source(_)
            | Action::Assign { .. }
            | Action::PointTo { .. }
            | Action::Goto(_)
            | Action::Continue
            | Action::Exit
            | Action::Return(_)
            | Action::Allocate(_)
            | Action::Deallocate(_)
            | Action::Nullify(_)
            | Action::Transfer { .. } => None,
        }
    }
}

impl From<Action> for Statement {
    fn from(action: Action) -> Statement {
        Statement::Action(action)
    }
}

impl From<Declaration> for Statement {
    fn from(declaration: Declaration) -> Statement {
        Statement::Declaration(declaration)
    }
}

impl From<Header> for Statement {
    fn from(header: Header) -> Statement {
        Statement::Header(header)
    }
}

impl From<Part> for Statement {
    fn from(part: Part) -> Statement {
        Statement::Part(part)
    }
}

impl Declaration {
    /// Scalars, or arrays of one dimension.
    pub fn of(ty: Type, names: &[&'static str], extent: Option<u32>) -> Declaration {
        let shape = extent.map_or(Shape::Scalar, Shape::Extent);
        let variables = names.iter().map(|name| Variable { name: Name::hidden(*name), shape: shape.clone() });
        Declaration::Variables { ty, attributes: &[], variables: variables.collect() }
    }

    /// Default integers.
    pub fn integers(names: Vec<Name>) -> Declaration {
        let variables = names.into_iter().map(|name| Variable { name, shape: Shape::Scalar });
        Declaration::Variables { ty: Type::Integer, attributes: &[], variables: variables.collect() }
    }

    /// A function of the runtime that `cppcf.h` does not declare, or which is called where it is not
    /// included.
    pub fn function(ty: Type, name: &'static str) -> Declaration {
        let variables = vec![Variable { name: name.into(), shape: Shape::Scalar }];
        Declaration::Variables { ty, attributes: &["EXTERNAL"], variables }
    }
}
