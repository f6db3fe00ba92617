//! Procedures, and the tables that contain pointers to them.
//!
//! Input: a draft.
//! Output: the draft with one more procedure, which may call the earlier ones.
//! Postcondition: parameters that the procedure changes, or follows as pointers, after a checkpoint are
//! registered.

use super::body::Body;
use super::draft::{declare_parameter, prototype, Draft, Parameter, Procedure, Table};
use super::scope::{Access, Scopes, Variable};
use super::types::{random_scalar, random_target, Type, INT};
use crate::random::numbers::Random;
use crate::random::sample::{Node, Size};

/// The names that are visible in a file.
pub fn file_scope(draft: &Draft, file: usize) -> Scopes {
    let mut scopes = Scopes::default();
    scopes.enter();
    for variable in draft.globals.iter().chain(&draft.files[file].variables) {
        scopes.declare_in_file(variable.clone());
    }
    scopes
}

pub fn new_body(draft: &mut Draft, random: Random, file: usize, leads: bool) -> Body<'_> {
    let scopes = file_scope(draft, file);
    let limit = draft.cost_limit();
    Body {
        draft,
        random,
        scopes,
        file,
        leads,
        returns: None,
        cost: 1,
        limit,
        multiplier: 1,
        nesting: 0,
        has_blocks: false,
        is_in_loop: false,
        labels: Vec::new(),
        is_main: false,
    }
}

/// Adds a procedure to a file.
pub fn add(draft: &mut Draft, random: &mut Random, file: usize) {
    let leads = random.chance(85);
    let is_static = random.chance(50);
    // Every file has its own procedure with this name.
    let own = draft.procedures.iter().filter(|other| other.file == file && other.is_static).count();
    let name = if is_static { format!("step_{own}") } else { format!("f{}", draft.number()) };
    let reused = draft
        .procedures
        .iter()
        .rev()
        .find(|other| other.file == file && !other.recurs && !other.name.starts_with("exchange"));
    let (parameters, returns) = match reused.filter(|_| random.chance(35)) {
        Some(other) => (other.parameters.clone(), other.returns.clone()),
        None => signature(draft, random),
    };
    let recurs = random.chance(12) && parameters.first() == Some(&Parameter::Value(Type::Scalar(INT)));
    let mut procedure = Procedure { name, file, is_static, parameters, returns, leads, recurs, cost: 0 };
    let count = match draft.size {
        Size::Small => 3 + random.below(5),
        Size::Large => 4 + random.below(9),
    };
    let key = draft.key();
    let mut body = new_body(draft, random.fork(), file, leads);
    body.returns = procedure.returns.clone();
    if recurs {
        body.limit /= 4;
    }
    body.scopes.enter();
    let (names, mut nodes) = parameters_of(&mut body, &procedure);
    if body.random.chance(50) {
        body.spend(1);
        nodes.push(Node::line("tick();"));
    }
    nodes.extend(body.statements(count, 3));
    if recurs {
        nodes.push(again(&mut body, &procedure, &names));
    }
    let last = body.return_statement();
    nodes.push(Node::line(last).fixed());
    procedure.cost = if recurs { body.cost * 3 } else { body.cost };
    let structures = &draft.structures;
    let head = prototype(&procedure, &names, structures);
    let declared = Node::line(format!("{head};")).key(key);
    let definition = Node::block(format!("{head} {{"), nodes, "}").key(key);
    match procedure.is_static {
        true => draft.files[file].prototypes.push(declared),
        false => draft.shared.push(declared),
    }
    draft.files[file].procedures.push(definition);
    draft.procedures.push(procedure);
    add_table(draft, random, file);
}

fn signature(draft: &Draft, random: &mut Random) -> (Vec<Parameter>, Option<Type>) {
    let mut parameters = Vec::new();
    if random.chance(30) {
        parameters.push(Parameter::Value(Type::Scalar(INT)));
    }
    for _ in 0..random.below(4) {
        let has_structures = usize::from(!draft.structures.is_empty());
        parameters.push(match random.weighted(&[50, 15 * has_structures, 30]) {
            0 => Parameter::Value(Type::Scalar(random_scalar(random))),
            1 => Parameter::Value(Type::Structure(random.below(draft.structures.len()))),
            _ => Parameter::Pointer(random_target(random, &draft.structures), 1 + random.below(3)),
        });
    }
    let targets: Vec<&Variable> =
        draft.globals.iter().filter(|variable| variable.is_target && !variable.is_constant).collect();
    let returns = match random.weighted(&[
        15,
        60,
        if draft.structures.is_empty() { 0 } else { 12 },
        if targets.is_empty() { 0 } else { 8 },
    ]) {
        0 => None,
        1 => Some(Type::Scalar(random_scalar(random))),
        2 => Some(Type::Structure(random.below(draft.structures.len()))),
        _ => Some(match &random.pick(&targets).ty {
            Type::Array(element, _) => Type::Pointer(element.clone(), 1),
            ty => Type::Pointer(Box::new(ty.clone()), 1),
        }),
    };
    (parameters, returns)
}

/// Their names, and the directives that register them.
fn parameters_of(body: &mut Body, procedure: &Procedure) -> (Vec<String>, Vec<Node>) {
    let (mut names, mut items) = (Vec::new(), Vec::new());
    for (number, parameter) in procedure.parameters.iter().enumerate() {
        let (name, _) = body.new_name_shadowing();
        let mut variable = match parameter {
            Parameter::Value(ty) => Variable::new(&name, ty.clone()),
            Parameter::Pointer(ty, length) => {
                Variable::new(&name, Type::Pointer(Box::new(ty.clone()), *length))
            }
        };
        let is_depth = procedure.recurs && number == 0;
        let percent = match parameter {
            Parameter::Value(Type::Scalar(_)) => 60,
            Parameter::Value(_) => 75,
            Parameter::Pointer(..) => 100,
        };
        variable.is_constant = is_depth || (body.leads && !body.random.chance(percent));
        variable.is_target = !variable.is_constant && body.random.chance(40);
        variable.is_private = !variable.is_target || matches!(parameter, Parameter::Pointer(..));
        if body.leads && !variable.is_constant {
            let mut lines = Vec::new();
            body.register(&variable, &mut lines);
            items.push(Node::lines(lines).fixed());
        }
        body.scopes.declare(variable);
        names.push(name);
    }
    (names, items)
}

/// The recursive call, with a smaller depth.
fn again(body: &mut Body, procedure: &Procedure, names: &[String]) -> Node {
    let depth = &names[0];
    let mut arguments = vec![format!("{depth} - 1")];
    for (parameter, name) in procedure.parameters.iter().zip(names).skip(1) {
        arguments.push(match parameter {
            Parameter::Value(Type::Scalar(scalar)) => body.value(*scalar, Access::Read),
            Parameter::Value(_) | Parameter::Pointer(..) => name.clone(),
        });
    }
    body.has_blocks |= procedure.leads;
    let call = format!("{}({})", procedure.name, arguments.join(", "));
    let text = match &procedure.returns {
        Some(Type::Scalar(scalar)) if body.random.chance(60) => {
            let fitted = body.fit(call.clone(), *scalar);
            let value = if super::types::SCALARS[*scalar].values == 0 { fitted } else { call.clone() };
            match body.random.chance(50) {
                true => format!("if ({depth} > 0) return {value};"),
                false => format!("if ({depth} > 0 && {call} != 5) tick();"),
            }
        }
        _ => format!("if ({depth} > 0) {call};"),
    };
    Node::line(text)
}

/// Adds a table if the newest procedure has the signature of an earlier one of its file.
fn add_table(draft: &mut Draft, random: &mut Random, file: usize) {
    let newest = draft.procedures.len() - 1;
    let is_like = |other: &Procedure| {
        let new = &draft.procedures[newest];
        other.file == file
            && !other.recurs
            && !new.recurs
            && other.parameters == new.parameters
            && other.returns == new.returns
    };
    let alike: Vec<usize> = (0..=newest).filter(|&index| is_like(&draft.procedures[index])).collect();
    if alike.len() < 2 || !random.chance(80) {
        return;
    }
    let members: Vec<&Procedure> = alike.iter().map(|&index| &draft.procedures[index]).collect();
    let cost = members.iter().map(|member| member.cost).max().unwrap_or(0);
    let leads = members.iter().any(|member| member.leads);
    let names: Vec<String> = members.iter().map(|member| member.name.clone()).collect();
    let list: Vec<String> = members[0]
        .parameters
        .iter()
        .map(|parameter| declare_parameter(parameter, "", &draft.structures))
        .collect();
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    let returns = members[0].returns.clone();
    let name = format!("table_{}", draft.number());
    let word = random.pick(&["*const ", "*"]);
    let inner = format!("({word}{name}[{}])({list})", names.len());
    let declared = match &returns {
        None => format!("void {inner}"),
        Some(ty) => super::types::declare(ty, &inner, &draft.structures),
    };
    let text = format!("static {declared} = {{{}}};", names.join(", "));
    draft.files[file].tables.push(Node::line(text));
    draft.tables.push(Table { name, file, procedure: alike[0], length: names.len(), cost, leads });
}
