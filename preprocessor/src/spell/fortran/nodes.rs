//! Nodes: elements of recursive types, which are visited one after the other.
//!
//! Input: a tree with its kinds of nodes, and the statements for one of them.
//! Output: declarations, and a loop over the nodes that the runtime has in its queue.
//! Postcondition: the depth of the data does not matter: nothing calls itself.

use super::expression::{Expr, Name, Operator, Type};
use super::statement::{Action, Declaration, Shape, Statement, Statements, Variable};
use crate::model::structured::{NodeKind, Tree};
use crate::model::Item;

/// Of one array.
pub(super) const MOST_DIMENSIONS: u32 = 15;

/// The pointers to nodes, and the answers of the queue. Modules are used before anything is declared.
pub(super) fn declare(tree: &Tree, statements: &mut Statements) {
    if tree.nodes.is_empty() {
        return;
    }
    let names = &["C_F_POINTER", "C_NULL_PTR"];
    statements.push(Declaration::Use { module: "ISO_C_BINDING", names });
    for (number, kind) in (1..).zip(&tree.nodes) {
        if let Some(module) = &kind.module {
            let (module, name) = (known(module), known(&kind.type_name));
            statements.push(Declaration::UseAs { module, local: local_type(number), name });
        }
    }
    for (number, kind) in (1..).zip(&tree.nodes) {
        let ty = match kind.module {
            Some(_) => local_type(number),
            None => known(&kind.type_name),
        };
        let variable = Variable { name: pointer(number), shape: Shape::Deferred { rank: rank(kind) } };
        let (ty, attributes) = (Type::Derived(ty), &["POINTER"][..]);
        statements.push(Declaration::Variables { ty, attributes, variables: vec![variable] });
    }
    statements.push(Declaration::of(Type::Integer, &["KIND"], None));
    statements.push(Declaration::of(Type::Count, &["NODE_AT"], None));
    statements.push(Declaration::of(Type::Count, &["NODE_LOWER", "NODE_UPPER"], Some(MOST_DIMENSIONS)));
    statements.push(Declaration::function(Type::Integer, "CPPC_NODE"));
}

/// The loop. The first hidden subscript is the number of the node.
pub(super) fn visit(tree: &Tree, write: impl Fn(&Item, &mut Statements), statements: &mut Statements) {
    let next = || {
        let answers = ["NODE_AT", "NODE_LOWER", "NODE_UPPER"].map(Expr::hidden);
        let number = Expr::hidden("AT").at([Expr::integer(1)]);
        let call = Expr::function("CPPC_NODE", [vec![number], answers.to_vec()].concat());
        Action::assign(Expr::hidden("KIND"), call)
    };
    let branches = (1..).zip(&tree.nodes).map(|(number, kind)| {
        let body = Statements::of(|inner| {
            point_to(number, rank(kind), inner);
            write(&kind.item, inner);
        });
        (Expr::hidden("KIND").equals(number), body)
    });
    let body = Statements::of(|inner| {
        inner.push(Statement::If { branches: branches.collect(), otherwise: None });
        inner.push(next());
    });
    statements.push(next());
    statements.push(Statement::DoWhile { condition: Expr::hidden("KIND").not_zero(), body });
}

/// Points the pointer of a kind to the present node.
fn point_to(number: u32, rank: u32, statements: &mut Statements) {
    let address = Expr::function("TRANSFER", [Expr::hidden("NODE_AT"), Expr::known("C_NULL_PTR")]);
    let node = || Expr::Name(pointer(number));
    if rank == 0 {
        return statements.call("C_F_POINTER", [address, node()]);
    }
    let all = |word| Expr::hidden(word).at([Expr::integer(1).to(Expr::integer(rank))]);
    let extents = all("NODE_UPPER").binary(Operator::Subtract, all("NODE_LOWER"));
    let extents = extents.binary(Operator::Add, Expr::integer(1));
    statements.call("C_F_POINTER", [address, node(), extents]);
    let lower = |dimension| Expr::hidden("NODE_LOWER").at([Expr::integer(dimension)]).upwards();
    let bounded = node().shaped((1..=rank).map(lower).collect());
    statements.push(Action::PointTo { pointer: bounded, target: node() });
}

fn rank(kind: &NodeKind) -> u32 {
    kind.item.tree.as_ref().map_or(0, |tree| tree.rank)
}

fn pointer(number: u32) -> Name {
    Name::hidden(format!("NODE_{number}"))
}

fn local_type(number: u32) -> Name {
    Name::hidden(format!("TYPE_{number}"))
}

/// A name of the program.
fn known(name: &str) -> Name {
    Name::Known(name.to_ascii_uppercase().into())
}
