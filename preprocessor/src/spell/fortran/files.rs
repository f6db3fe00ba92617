//! Files that execute blocks open.
//!
//! Input: units and file names, as the program writes them.
//! Output: statements before and after those of the block, and the subroutine that they call.
//! Postcondition: they are statements of the Fortran standard, with generated variables.

use super::expression::{Expr, Name, Operator, Type};
use super::statement::{Action, Case, Declaration, Statement, Statements};
use super::Writer;
use crate::model::structured::Contained;
use crate::model::OpenedFile;

/// Statements before the block opens the files.
pub(super) fn announce(files: &[OpenedFile], statements: &mut Statements) {
    for (number, file) in (1..).zip(files) {
        let unit = Expr::text(format!("unit {}", file.handle));
        statements.call("CPPC_FILE", [Expr::integer(number), Expr::bound(&file.name), unit]);
    }
}

impl Writer<'_> {
    /// Statements after the block has opened the files. A restart sets each to its old position.
    pub(super) fn opened(&self, files: &[OpenedFile], statements: &mut Statements) {
        for (number, file) in (1..).zip(files) {
            let unit = Expr::bound(&file.handle);
            let is_literal = file.handle.bytes().all(|byte| byte.is_ascii_digit());
            let unit = if is_literal { unit } else { Expr::function("INT", [unit]) };
            let place = self.frame.layout.contained.clone().unwrap_or_else(|| self.end_of_file());
            let subroutine = self.bundles.opened(self.letters, &place, self.frame.layout.declares_externals);
            statements.call(subroutine, [Expr::integer(number), unit]);
        }
    }

    /// The position for an external subroutine. Its name must be unique in the program, like that of a module
    /// procedure.
    fn end_of_file(&self) -> Contained {
        let at = self.text.file().bytes.len() as u32;
        Contained::Before { at, module: Some(self.plan.name.clone()) }
    }
}

/// The declarations and the statements of the subroutine. `number` and `unit` are its arguments.
pub(super) fn position_unit(number: &Name, unit: &Name) -> (Statements, Statements) {
    let mut declarations = Statements::default();
    declarations.push(Declaration::Include("cppcf.h"));
    declarations.push(Declaration::integers(vec![number.clone(), unit.clone()]));
    let word = Type::Character(Box::new(Expr::integer(16)));
    declarations.push(Declaration::of(word, &["ACCESS", "FORM"], None));
    declarations.push(Declaration::of(Type::Count, &["PLACE"], None));
    declarations.push(Declaration::of(Type::Integer, &["RECORD", "TASK"], None));
    let mut body = Statements::default();
    let unit = Expr::Name(unit.clone());
    inquire(&unit, &mut body);
    let arguments = [Expr::Name(number.clone()), unit.clone(), Expr::hidden("ACCESS"), Expr::hidden("FORM")];
    let call = Expr::function("CPPC_FILE_UNIT", arguments);
    body.assign(task(), call.clone());
    let moves = task().binary(Operator::AtLeast, Expr::integer(3));
    body.when(moves, Action::call("CPPC_FILE_PLACE", [Expr::hidden("PLACE")]));
    write_last_record(&unit, call, &mut body);
    perform(&unit, &mut body);
    (declarations, body)
}

/// The task that the runtime requests for the unit.
fn task() -> Expr {
    Expr::hidden("TASK")
}

fn inquire(unit: &Expr, statements: &mut Statements) {
    statements.assign(Expr::hidden("ACCESS"), Expr::text(" "));
    statements.assign(Expr::hidden("FORM"), Expr::text(" "));
    statements.assign(Expr::hidden("RECORD"), Expr::integer(1));
    // A negative number that NEWUNIT has not chosen is an error.
    let asked = [("ACCESS", "ACCESS"), ("FORM", "FORM"), ("RECL", "RECORD"), ("IOSTAT", "TASK")];
    let mut controls = vec![Expr::keyword("UNIT", unit.clone())];
    controls.extend(asked.map(|(word, variable)| Expr::keyword(word, Expr::hidden(variable))));
    statements.push(Action::Transfer { word: "INQUIRE", controls, items: Vec::new() });
    let is_wrong = task().not_zero();
    statements.when(is_wrong, Action::assign(Expr::hidden("ACCESS"), Expr::text(" ")));
}

/// For a unit of direct access, the last record is written, so that the Fortran library knows the number of
/// records. After that, the runtime is asked again.
fn write_last_record(unit: &Expr, call: Expr, statements: &mut Statements) {
    let (place, length) = (Expr::hidden("PLACE"), Expr::hidden("RECORD"));
    let last = place.binary(Operator::Add, length.clone()).binary(Operator::Subtract, Expr::integer(2));
    let record = Expr::keyword("REC", last.binary(Operator::Divide, length));
    let repeats = task().binary(Operator::AtLeast, Expr::integer(8));
    statements.if_then(repeats, |inner| {
        inner.push(Statement::Remark("direct access: the last record gives the file its length"));
        inner.when(task().equals(8), transfer("WRITE", [unit.clone(), record.clone()]));
        inner.when(task().equals(9), transfer("WRITE", [unit.clone(), Expr::text("()"), record]));
        inner.assign(task(), call);
    });
}

/// The tasks 1 to 7. A unit of stream access moves only if a statement has `POS=`.
fn perform(unit: &Expr, statements: &mut Statements) {
    let unit = || unit.clone();
    let place = || Expr::keyword("POS", Expr::hidden("PLACE"));
    let stays = || Expr::keyword("ADVANCE", Expr::text("NO"));
    let (nothing, line) = (|| Expr::text("()"), Expr::text("(A)"));
    let begins_record = Action::Transfer {
        word: "WRITE",
        controls: vec![unit(), line, stays()],
        items: vec![Expr::text("")],
    };
    let tasks = [
        ("starts the interrupted record again", begins_record),
        ("was closed at the checkpoint", transfer("CLOSE", [unit()])),
        ("unformatted stream, for reading", transfer("READ", [unit(), place()])),
        ("unformatted stream, for writing", transfer("WRITE", [unit(), place()])),
        ("formatted stream, for reading", transfer("READ", [unit(), nothing(), stays(), place()])),
        ("formatted stream, for writing", transfer("WRITE", [unit(), nothing(), stays(), place()])),
        ("formatted stream, after a complete line", transfer("WRITE", [unit(), nothing(), place()])),
    ];
    let cases = (1..).zip(tasks).map(|(number, (remark, action))| {
        let body = Statements::of(|body| {
            body.push(Statement::Remark(remark));
            body.push(action);
        });
        (Case::Values(Expr::integer(number)), body)
    });
    statements.push(Statement::Select { selector: task(), cases: cases.collect() });
}

fn transfer(word: &'static str, controls: impl Into<Vec<Expr>>) -> Action {
    Action::Transfer { word, controls: controls.into(), items: Vec::new() }
}
