//! `main`, and the streams and communicators that a program creates.
//!
//! Input: a draft with all procedures.
//! Output: the nodes of `main`.
//! Postcondition: after `shutdown`, the program only prints.

use super::draft::{Draft, Parameter, Procedure};
use super::procedures::new_body;
use super::report::show;
use super::scope::Variable;
use super::types::{declare, initialiser, random_type, Type, U64};
use crate::random::numbers::Random;
use crate::random::sample::{Node, Size};

/// Files that the program writes, each through a stream that is visible in all its source files.
pub fn add_streams(draft: &mut Draft, random: &mut Random) {
    for number in 0..1 + random.below(2) {
        let (file, stream) = (format!("log{number}.txt"), format!("log_{number}"));
        draft.shared.push(Node::line(format!("extern FILE *{stream};")).fixed());
        draft.files[0].head.push(Node::line(format!("FILE *{stream};")).fixed());
        draft.streams.push((file, stream));
    }
}

/// A procedure that all ranks call together. It communicates with a communicator and a type that execute
/// blocks create.
pub fn add_exchange(draft: &mut Draft) {
    let shared = [
        "extern int rank_, ranks_; extern MPI_Comm comm_; extern MPI_Datatype triple_;",
        "u64 exchange(u64 x);",
    ];
    draft.shared.push(Node::lines(shared).fixed());
    let text = "int rank_, ranks_; MPI_Comm comm_; MPI_Datatype triple_;
static u64 own_[3];
static double ring_[3] = {1, 2, 3};
u64 exchange(u64 x)
{
    u64 all = 0, mine = x * (u64)(rank_ + 3);
    double got[3];
    own_[x % 3] += mine;
    ring_[x % 3] = nrm(ring_[x % 3] * 0.5 + rank_ + (double)(x % 64));
    MPI_Sendrecv(ring_, 1, triple_, (rank_ + 1) % ranks_, 0, got, 1, triple_, (rank_ + ranks_ - 1) % ranks_, 0, comm_, MPI_STATUS_IGNORE);
    memcpy(ring_, got, sizeof got);
    MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm_);
    return all;
}";
    draft.files[0].head.push(Node::lines(text.lines()).fixed());
    draft.files[0].registers.push(Node::line("#pragma cppc register(own_, ring_)").fixed());
    draft.procedures.push(Procedure {
        name: "exchange".to_owned(),
        file: 0,
        is_static: false,
        parameters: vec![Parameter::Value(Type::Scalar(U64))],
        returns: Some(Type::Scalar(U64)),
        leads: false,
        recurs: false,
        cost: 1,
    });
    let key = draft.key();
    for (name, ty, length) in [("own_", U64, 3), ("ring_", super::types::DOUBLE, 3)] {
        let mut variable = Variable::new(name, Type::Array(Box::new(Type::Scalar(ty)), length));
        // The values differ between ranks. They may be printed, but must not affect control flow.
        (variable.is_private, variable.is_constant, variable.key) = (false, true, key);
        draft.hidden.push(variable);
    }
}

pub fn make(draft: &mut Draft, random: &mut Random) -> Vec<Node> {
    let file = draft.files.len() - 1;
    let (is_parallel, streams, size) = (draft.is_parallel, draft.streams.clone(), draft.size);
    let files = draft.files.len();
    let total = draft.total_limit();
    let mut body = new_body(draft, random.fork(), file, true);
    (body.limit, body.is_main) = (total, true);
    body.scopes.enter();
    let mut nodes = Vec::new();
    let early = early_variables(&mut body.draft.structures.clone(), &mut body);
    nodes.extend(early.iter().map(|(variable, line, _)| Node::line(line.clone()).key(variable.key)));
    if is_parallel {
        nodes.push(
            Node::lines([
                "MPI_Init(&argc, &argv);",
                "MPI_Comm_rank(MPI_COMM_WORLD, &rank_);",
                "MPI_Comm_size(MPI_COMM_WORLD, &ranks_);",
            ])
            .fixed(),
        );
    }
    let starts_below = !is_parallel && body.random.chance(20);
    nodes.push(Node::line(if starts_below { "start_up();" } else { "#pragma cppc init" }).fixed());
    let mut setup: Vec<Node> = Vec::new();
    if is_parallel {
        setup.push(
            Node::lines([
                "#pragma cppc execute",
                "MPI_Comm_dup(MPI_COMM_WORLD, &comm_);",
                "MPI_Type_contiguous(3, MPI_DOUBLE, &triple_);",
                "MPI_Type_commit(&triple_);",
                "#pragma cppc end execute",
            ])
            .fixed(),
        );
    }
    for (variable, _, directive) in early {
        setup.push(Node::line(directive).key(variable.key));
        body.scopes.declare(variable);
    }
    for number in 0..files {
        setup.push(Node::line(format!("keep_{number}();")).fixed());
    }
    for (name, stream) in &streams {
        let mode = body.random.pick(&["w", "w", "w+"]);
        setup.push(
            Node::lines([
                format!("#pragma cppc execute file({stream}, \"{name}\")"),
                format!("{stream} = fopen(\"{name}\", \"{mode}\");"),
                "#pragma cppc end execute".to_owned(),
            ])
            .fixed(),
        );
    }
    nodes.extend(setup);
    let (before, inside) = match size {
        Size::Small => (body.random.below(3), 3 + body.random.below(4)),
        Size::Large => (2 + body.random.below(4), 5 + body.random.below(8)),
    };
    nodes.extend(body.statements(before, 2));
    nodes.push(main_loop(&mut body, inside));
    nodes.extend(body.statements(before, 2));
    for (_, stream) in &streams {
        if body.random.chance(60) {
            nodes.push(Node::line(format!("if ({stream} != NULL) fclose({stream});")).fixed());
        }
    }
    nodes.push(Node::line("#pragma cppc shutdown").fixed());
    nodes.extend((0..files).map(|number| Node::line(format!("report_{number}();")).fixed()));
    let level = body.scopes.depth();
    let own: Vec<Variable> =
        body.scopes.visible().into_iter().filter(|variable| variable.level == level).cloned().collect();
    nodes.extend(own.iter().map(|variable| show(variable, &body.draft.structures)));
    let last = if is_parallel { vec!["MPI_Finalize();", "return 0;"] } else { vec!["return 0;"] };
    nodes.push(Node::lines(last).fixed());
    let head = match is_parallel || body.random.chance(50) {
        true => "int main(int argc, char **argv) {",
        false => "int main(void) {",
    };
    let mut all = vec![Node::block(head, nodes, "}").fixed()];
    if starts_below {
        all.insert(
            0,
            Node::block("static void start_up(void) {", vec![Node::line("#pragma cppc init").fixed()], "}")
                .fixed(),
        );
    }
    all
}

/// Variables that are set before `init`. This code runs again in a restart.
fn early_variables(
    structures: &mut [super::types::Structure],
    body: &mut super::body::Body,
) -> Vec<(Variable, String, String)> {
    let mut early = Vec::new();
    for number in 0..body.random.below(4) {
        let ty = random_type(&mut body.random, structures);
        let name = format!("early_{number}");
        let value = initialiser(&ty, structures, &mut body.random);
        let line = format!("{} = {value};", declare(&ty, &name, structures));
        let mut variable = Variable::new(&name, ty);
        variable.is_target = body.random.chance(50);
        variable.is_private = !variable.is_target;
        variable.key = body.draft.key();
        early.push((variable, line, format!("#pragma cppc register({name})")));
    }
    early
}

/// The loop of the program. It always has a checkpoint.
fn main_loop(body: &mut super::body::Body, count: usize) -> Node {
    let turns = 2 + body.random.below(3);
    let outer = body.multiplier;
    body.multiplier *= turns;
    body.is_in_loop = true;
    body.scopes.enter();
    let mut counter = Variable::new("turn", Type::Scalar(super::types::INT));
    (counter.is_constant, counter.below) = (true, turns);
    body.scopes.declare(counter);
    body.spend(1);
    let mut inner =
        vec![Node::lines(["#pragma cppc register(turn)", "#pragma cppc checkpoint", "tick();"]).fixed()];
    inner.extend(body.scope(count, 3));
    body.scopes.leave();
    body.multiplier = outer;
    body.is_in_loop = false;
    Node::block(format!("for (int turn = 0; turn < {turns}; turn++) {{"), inner, "}").unwrap()
}
