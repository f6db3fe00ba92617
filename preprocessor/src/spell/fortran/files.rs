//! Files that execute blocks open.
//!
//! Input: units and file names, as the program writes them.
//! Output: statements before and after those of the block.
//! Postcondition: they are statements of the standard, with variables of our own.

use super::expression::{next, Expr, Operator, Type};
use super::statement::{Action, Declaration, Statements};
use crate::model::OpenedFile;

/// The hidden variables that say how a unit is connected, and where it is to go on.
pub(super) fn declare(statements: &mut Statements) {
    statements.push(Declaration::of(Type::Character(Box::new(Expr::integer(16))), &["ACCESS", "FORM"], None));
    statements.push(Declaration::of(Type::Count, &["PLACE"], None));
    statements.push(Declaration::of(Type::Integer, &["RECORD"], None));
}

/// The block is going to open them.
pub(super) fn announce(files: &[OpenedFile], statements: &mut Statements) {
    for (number, file) in (1..).zip(files) {
        let unit = Expr::text(format!("unit {}", file.handle));
        statements.call("CPPC_FILE", [Expr::integer(number), Expr::bound(&file.name), unit]);
    }
}

/// The block has opened them: the runtime is asked what a restart has to do to each.
pub(super) fn opened(files: &[OpenedFile], statements: &mut Statements) {
    for (number, file) in (1..).zip(files) {
        let unit = Expr::bound(&file.handle);
        inquire(&unit, statements);
        let as_integer = Expr::function("INT", [unit.clone()]);
        let arguments = [Expr::integer(number), as_integer, Expr::hidden("ACCESS"), Expr::hidden("FORM")];
        let call = Expr::function("CPPC_FILE_UNIT", arguments);
        statements.assign(next(), call.clone());
        let moves = next().binary(Operator::AtLeast, Expr::integer(3));
        statements.when(moves, Action::call("CPPC_FILE_PLACE", [Expr::hidden("PLACE")]));
        write_last_record(&unit, call, statements);
        for (answer, action) in (1..).zip(actions(&unit)) {
            statements.when(next().equals(answer), action);
        }
    }
}

fn inquire(unit: &Expr, statements: &mut Statements) {
    statements.assign(Expr::hidden("ACCESS"), Expr::text(" "));
    statements.assign(Expr::hidden("FORM"), Expr::text(" "));
    statements.assign(Expr::hidden("RECORD"), Expr::integer(1));
    let asked = [("ACCESS", "ACCESS"), ("FORM", "FORM"), ("RECL", "RECORD")];
    let mut controls = vec![Expr::keyword("UNIT", unit.clone())];
    controls.extend(asked.map(|(word, variable)| Expr::keyword(word, Expr::hidden(variable))));
    statements.push(Action::Transfer { word: "INQUIRE", controls, items: Vec::new() });
}

/// A unit of direct access finds the number of records by writing the last one. The runtime is asked again
/// after that.
fn write_last_record(unit: &Expr, call: Expr, statements: &mut Statements) {
    let (place, length) = (Expr::hidden("PLACE"), Expr::hidden("RECORD"));
    let last = place.binary(Operator::Add, length.clone()).binary(Operator::Subtract, Expr::integer(2));
    let record = Expr::keyword("REC", last.binary(Operator::Divide, length));
    statements.when(next().equals(8), transfer("WRITE", [unit.clone(), record.clone()]));
    statements.when(next().equals(9), transfer("WRITE", [unit.clone(), Expr::text("()"), record]));
    let repeats = next().binary(Operator::AtLeast, Expr::integer(8));
    statements.when(repeats, Action::assign(next(), call));
}

/// What the runtime's answers 1 to 7 ask the program to do. A unit of stream access moves only if a statement has
/// `POS=`.
fn actions(unit: &Expr) -> [Action; 7] {
    let unit = || unit.clone();
    let place = || Expr::keyword("POS", Expr::hidden("PLACE"));
    let stays = || Expr::keyword("ADVANCE", Expr::text("NO"));
    let (nothing, line) = (|| Expr::text("()"), Expr::text("(A)"));
    [
        Action::Transfer {
            word: "WRITE",
            controls: vec![unit(), line, stays()],
            items: vec![Expr::text("")],
        },
        transfer("CLOSE", [unit()]),
        transfer("READ", [unit(), place()]),
        transfer("WRITE", [unit(), place()]),
        transfer("READ", [unit(), nothing(), stays(), place()]),
        transfer("WRITE", [unit(), nothing(), stays(), place()]),
        transfer("WRITE", [unit(), nothing(), place()]),
    ]
}

fn transfer(word: &'static str, controls: impl Into<Vec<Expr>>) -> Action {
    Action::Transfer { word, controls: controls.into(), items: Vec::new() }
}
