//! Contained procedures that register an array, re-pass several at once, or bring an opened unit to its position.
//!
//! Input: an allocatable or a pointer that is registered, those that are re-passed at one place, or a unit.
//! Output: the call, and a procedure for each kind or different list.
//! Postcondition: the text that re-passes variables appears once for each list, not at each place. The
//! time that compilers take for it grows faster than its length.

use std::cell::RefCell;
use std::sync::Arc;

use super::changes::{Generated, Indentation};
use super::expression::{Expr, Name, Type};
use super::files;
use super::followed::{
    follow_again, followed_rank, has_length_of_its_own, may_be_undefined, register_followed, Register,
};
use super::items::{component, object, At};
use super::names::hash_of_module;
use super::registers::repass;
use super::statement::{Action, Declaration, Shape, Statement, Statements, Variable};
use super::words::Letters;
use crate::model::structured::{Contained, VariableProperties};
use crate::model::{Item, ItemKind, TypeCode};
use crate::plan::fortran::{BodyPlan, Clause, Saving};
use crate::plan::Registered;

/// The largest number of variables that a procedure re-passes by separate statements.
const FEW: usize = 12;

/// The procedures of one file.
#[derive(Default)]
pub(super) struct Bundles {
    list: RefCell<Vec<Bundle>>,
}

struct Bundle {
    place: Contained,
    task: Task,
    name: Name,
    letters: Letters,
    statement: Statement,
}

/// The task of such a procedure. Equal tasks share one procedure.
#[derive(PartialEq)]
enum Task {
    /// Brings a unit that an execute block has opened to its old position.
    Open,
    Repass(Vec<Passed>),
    /// The name of the register is an argument.
    Register(Passed),
}

/// The properties of an item that determine the dummy argument for it.
#[derive(PartialEq)]
struct Passed {
    kind: PassedKind,
    code: &'static str,
}

#[derive(PartialEq)]
enum PassedKind {
    Scalar,
    Array,
    /// An allocatable or a pointer, with the name of its register.
    Followed {
        rank: u32,
        name: String,
        traits: VariableProperties,
    },
}

impl Task {
    fn word(&self) -> &'static str {
        match self {
            Task::Open => "OPENED",
            Task::Repass(_) => "NAMES",
            Task::Register(_) => "REGISTERS",
        }
    }
}

/// Whether a procedure re-passes so many variables that it uses lists.
pub(super) fn is_worth(frame: &BodyPlan) -> bool {
    let mut savings = Vec::new();
    frame.changes.iter().for_each(|change| gather_savings(&change.clauses, &mut savings));
    let count = |saving: &Saving| saving.repassed.iter().filter(|one| can_be_passed(&one.item)).count();
    frame.layout.contained.is_some() && savings.into_iter().map(count).sum::<usize>() > FEW
}

fn gather_savings<'f>(clauses: &'f [Clause], savings: &mut Vec<&'f Saving>) {
    for clause in clauses {
        if let Clause::Choose { then, otherwise, .. } = clause {
            gather_savings(then, savings);
            gather_savings(otherwise, savings);
        }
        savings.extend(clause.saving());
    }
}

/// Whether a dummy argument with any name can be declared for it.
pub(super) fn can_be_passed(item: &Item) -> bool {
    passed(item).is_some()
}

/// The properties of an item for a list. `None` if it is re-passed under a condition, or element by element.
fn passed(item: &Item) -> Option<Passed> {
    if item.indexed.is_some()
        || item.tree.is_some()
        || item.reached.is_some()
        || item.traits.optional
        || !item.traits.holders.is_empty()
    {
        return None;
    }
    match (item.kind, &item.code) {
        (ItemKind::Followed { rank }, TypeCode::Named(code)) => {
            let (name, traits) = (item.name.clone(), item.traits.clone());
            let is_plain = !traits.read_only && !has_length_of_its_own(item);
            is_plain.then_some(Passed { kind: PassedKind::Followed { rank, name, traits }, code })
        }
        (ItemKind::Array, TypeCode::Named(code)) => {
            (!item.traits.gaps).then_some(Passed { kind: PassedKind::Array, code })
        }
        (ItemKind::Memory | ItemKind::Target, TypeCode::Named(code)) => {
            Some(Passed { kind: PassedKind::Scalar, code })
        }
        // Only C has shared types.
        (_, TypeCode::Shared(_)) | (ItemKind::Followed { .. }, TypeCode::Record(_)) => None,
        (ItemKind::Memory | ItemKind::Array | ItemKind::Target, TypeCode::Record(record)) => {
            let TypeCode::Named(code) = record.fields.first()?.code else { return None };
            Some(Passed { kind: PassedKind::Scalar, code })
        }
    }
}

/// The actual argument. For a derived type, it is the first component of the first element.
fn actual(item: &Item) -> Expr {
    match &item.code {
        TypeCode::Record(record) => {
            record.fields.first().map_or_else(|| object(item), |field| component(item, field))
        }
        TypeCode::Named(_) | TypeCode::Shared(_) => object(item),
    }
}

/// The dummy argument of this name, as an item.
fn dummy_item(item: &Item, name: String) -> Item {
    let item = Item { lvalue: name, ..Item::clone(item) };
    match &item.code {
        TypeCode::Record(record) => match record.fields.first() {
            Some(field) => Item { code: field.code.clone(), kind: ItemKind::Memory, ..item },
            None => item,
        },
        TypeCode::Named(_) | TypeCode::Shared(_) => item,
    }
}

/// Whether a call of a procedure for these items is shorter than a statement for each.
pub(super) fn is_list(items: &[Arc<Item>]) -> bool {
    items.len() > 2 || items.iter().any(|item| matches!(item.kind, ItemKind::Followed { .. }))
}

impl Bundles {
    /// The call that re-passes these.
    pub fn call(
        &self,
        letters: Letters,
        place: &Contained,
        declares_externals: bool,
        items: &[Arc<Item>],
    ) -> Action {
        let task = items.iter().filter_map(|item| passed(item));
        let name = self.procedure(letters, place, Task::Repass(task.collect()), |name| {
            repasses_several(name, declares_externals, items)
        });
        let arguments: Vec<Expr> = items.iter().map(|item| actual(item)).collect();
        Action::call(name, arguments)
    }

    /// The call that registers one, if it can be passed.
    pub fn register(
        &self,
        letters: Letters,
        place: &Contained,
        declares_externals: bool,
        section: u32,
        registered: &Registered,
    ) -> Option<Action> {
        let item = &registered.item;
        let Passed { kind: PassedKind::Followed { rank, traits, .. }, code } = passed(item)? else {
            return None;
        };
        let kind = PassedKind::Followed { rank, traits, name: String::new() };
        let name = self.procedure(letters, place, Task::Register(Passed { kind, code }), |name| {
            registers_one(name, declares_externals, item, rank)
        });
        let Register { section, name: title, storage } = Register::of(section, registered);
        Some(Action::call(name, [object(item), section, title, storage]))
    }

    /// The subroutine that is called for each unit that a block has opened.
    pub fn opened(&self, letters: Letters, place: &Contained, declares_externals: bool) -> Name {
        self.procedure(letters, place, Task::Open, |name| {
            let [number, unit] = ["NUMBER", "UNIT"].map(Name::hidden);
            let (declarations, body) = files::position_unit(&number, &unit);
            subroutine(name, vec![number, unit], declares_externals, declarations, body)
        })
    }

    /// The name of the procedure for a task. The procedure is created if there is none yet.
    fn procedure(
        &self,
        letters: Letters,
        place: &Contained,
        task: Task,
        make: impl FnOnce(&Name) -> Statement,
    ) -> Name {
        let mut bundles = self.list.borrow_mut();
        let here = bundles.iter().filter(|bundle| bundle.place == *place);
        if let Some(known) = here.clone().find(|bundle| bundle.task == task) {
            return known.name.clone();
        }
        let name = match task {
            // There is only one.
            Task::Open => procedure_name(place, task.word(), None),
            Task::Repass(_) | Task::Register(_) => {
                let number = here.filter(|bundle| bundle.task.word() == task.word()).count() + 1;
                procedure_name(place, task.word(), Some(number))
            }
        };
        let statement = make(&name);
        bundles.push(Bundle { place: place.clone(), task, name: name.clone(), letters, statement });
        name
    }

    /// The procedures that are placed after the exit of the current one.
    pub fn contained(&self, statements: &mut Statements) {
        let mut bundles = self.list.borrow_mut();
        let is_own = |bundle: &Bundle| bundle.place == Contained::Own;
        let (own, others): (Vec<Bundle>, Vec<Bundle>) = bundles.drain(..).partition(is_own);
        *bundles = others;
        if !own.is_empty() {
            statements.push(Statement::Contains);
        }
        own.into_iter().for_each(|bundle| statements.push(bundle.statement));
    }

    /// The procedures that are placed before the end of a unit, with the position.
    pub fn before_ends(self) -> Vec<(u32, Generated)> {
        let bundles = self.list.into_inner().into_iter();
        let placed = bundles.filter_map(|bundle| match bundle.place {
            Contained::Own => None,
            Contained::Before { at, .. } => {
                let statements = Statements::of(|statements| statements.push(bundle.statement));
                Some((
                    at,
                    Generated { statements, letters: bundle.letters, indentation: Indentation::AsLine },
                ))
            }
        });
        placed.collect()
    }
}

fn procedure_name(place: &Contained, word: &str, number: Option<usize>) -> Name {
    let number = number.map(|number| format!("_{number}")).unwrap_or_default();
    match place {
        Contained::Before { module: Some(module), .. } => {
            // If several modules are used, their names must differ.
            Name::hidden(format!("{word}_{}{number}", hash_of_module(module)))
        }
        Contained::Own | Contained::Before { module: None, .. } => Name::hidden(format!("{word}{number}")),
    }
}

fn repasses_several(name: &Name, declares_externals: bool, items: &[Arc<Item>]) -> Statement {
    let dummies: Vec<Name> = (1..=items.len()).map(|number| Name::hidden(format!("ITEM_{number}"))).collect();
    let (mut declarations, mut body) = (Statements::default(), Statements::default());
    if items.iter().any(|item| may_be_undefined(item)) {
        declarations.push(Declaration::function(Type::Integer, "CPPC_FOLLOWS"));
    }
    for (number, (item, dummy)) in (1..).zip(items.iter().zip(&dummies)) {
        let here = dummy_item(item, format!("#item_{number}"));
        match followed_rank(item) {
            Some(rank) => {
                declarations.push(declaration(item, rank, dummy));
                match item.traits.unregistered {
                    true => repass(&here, At::Elsewhere, &mut body),
                    false => follow_again(&here, rank, &mut body),
                }
            }
            None => {
                declarations.push(plain_declaration(&here, dummy));
                repass(&here, At::Elsewhere, &mut body);
            }
        }
    }
    subroutine(name, dummies, declares_externals, declarations, body)
}

fn registers_one(name: &Name, declares_externals: bool, item: &Item, rank: u32) -> Statement {
    let [array, section, title, storage] = ["ARRAY", "SECTION", "NAME", "STORAGE"].map(Name::hidden);
    let dummies = vec![array.clone(), section.clone(), title.clone(), storage.clone()];
    let mut declarations = Statements::default();
    declarations.push(Declaration::Include("cppcf.h"));
    declarations.push(declaration(item, rank, &array));
    declarations.push(Declaration::of(Type::Integer, &["SECTION", "STORAGE", "FOUND"], None));
    declarations.push(Declaration::of(Type::AnyLength, &["NAME"], None));
    declarations.push(Declaration::of(Type::Count, &["LOWER", "UPPER"], Some(rank.max(1))));
    let register =
        Register { section: Expr::Name(section), name: Expr::Name(title), storage: Expr::Name(storage) };
    let here = Item { lvalue: "#array".to_owned(), ..item.clone() };
    let body = Statements::of(|body| register_followed(&register, &here, rank, body));
    subroutine(name, dummies, declares_externals, declarations, body)
}

fn subroutine(
    name: &Name,
    dummies: Vec<Name>,
    declares_externals: bool,
    mut declarations: Statements,
    body: Statements,
) -> Statement {
    if declares_externals {
        let mut called = body.called();
        called.sort();
        called.dedup();
        declarations.push(Declaration::External(called));
    }
    declarations.append(body);
    Statement::Subroutine { name: name.clone(), dummies, binding: None, body: declarations }
}

/// A variable, or an array without gaps, of any length.
fn plain_declaration(item: &Item, dummy: &Name) -> Declaration {
    let ty = match &item.code {
        TypeCode::Named("CPPC_CHARACTER") => Type::AnyLength,
        code => Type::of(code, None),
    };
    let shape = if item.kind == ItemKind::Array { Shape::AssumedSize } else { Shape::Scalar };
    Declaration::Variables { ty, attributes: &[], variables: vec![Variable { name: dummy.clone(), shape }] }
}

fn declaration(item: &Item, rank: u32, dummy: &Name) -> Declaration {
    let attributes: &[&str] = if item.traits.pointer { &["POINTER"] } else { &["ALLOCATABLE"] };
    let ty = Type::of(&item.code, item.traits.length.as_ref());
    let variables = vec![Variable { name: dummy.clone(), shape: Shape::Deferred { rank } }];
    Declaration::Variables { ty, attributes, variables }
}
