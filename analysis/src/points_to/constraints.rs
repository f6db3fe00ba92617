//! The constraints that operations put on pointers.
//!
//! Input: the operations of all procedures. Output: nodes and constraints of the solver.

use rustc_hash::FxHashSet;

use super::solve::{Found, Solver};
use super::{MemoryKind, PointsTo};
use crate::catalogue::datatype;
use crate::effects::{CallEffects, Effects, Extent, KnownAddress, ResultEffect};
use crate::program::{
    Access, Argument, Call, Callee, Content, OperationKind, ProcedureId, Program, Site, Step, Value,
    VariableId, POINTER_BYTES,
};
use crate::sets::{Memory, END};

pub(super) fn solve(program: &Program, effects: &dyn Effects) -> PointsTo {
    let mut solver = Solver::new(program, effects);
    generate(&mut solver);
    loop {
        let found = solver.run();
        if found.is_empty() {
            solver.result.shorten();
            return solver.result;
        }
        for found in found {
            match found {
                Found::Callee(call, target) => connect_target(&mut solver, call, target),
                Found::Escaped(id) => called_by_unknown(&mut solver, id),
            }
        }
    }
}

fn generate(solver: &mut Solver) {
    let program = solver.program;
    find_data(solver);
    let by_name = program.procedures_by_name().into_iter();
    solver.result.procedures = by_name.map(|(name, id)| (name.to_owned(), id)).collect();
    for (number, procedure) in program.procedures.iter().enumerate() {
        let id = ProcedureId(number as u32);
        if procedure.main {
            for &parameter in &procedure.parameters {
                let at = spot_of_variable(solver, parameter);
                match program.arguments.filter(|arguments| arguments.parameter == parameter) {
                    Some(arguments) => {
                        let array = solver.location(arguments.array.into(), 0);
                        let text = solver.location(arguments.text.into(), 0);
                        solver.point(at, array);
                        solver.point(array, text);
                    }
                    None => solver.point(at, solver.library),
                }
            }
        }
        if !program.whole && !procedure.local && !procedure.main {
            called_by_unknown(solver, id);
        }
        for (site, operation) in procedure.operations(id) {
            constrain(solver, site, &operation.kind);
        }
    }
}

/// Finds the objects that only contain data, by all their names.
fn find_data(solver: &mut Solver) {
    let (mut data, mut other) = (FxHashSet::default(), FxHashSet::default());
    for variable in &solver.program.variables {
        let found = if is_only_data(&variable.content) { &mut data } else { &mut other };
        found.insert(Memory::from(variable.object));
    }
    solver.only_data = data.difference(&other).copied().collect();
}

fn constrain<'p>(solver: &mut Solver<'p>, site: Site, kind: &'p OperationKind) {
    match kind {
        OperationKind::Write { to, value } => assign(solver, to, value),
        OperationKind::Allocate { to, bytes, content, .. } => {
            let size =
                bytes.as_ref().and_then(|bytes| bytes.as_constant()).and_then(|size| size.try_into().ok());
            let heap = heap(solver, site, size);
            if is_only_data(content) {
                solver.only_data.extend(solver.result.heap(site));
            }
            let value = solver.node();
            solver.point(value, heap);
            store(solver, to, value);
        }
        OperationKind::Call(call) => match &call.callee {
            Callee::Named(name) => connect_named(solver, site, call, name),
            Callee::OneOf(names) => {
                for name in names {
                    connect_named(solver, site, call, name);
                }
            }
            Callee::Indirect(access) => {
                let pointer = value_of(solver, access);
                solver.result.callees.insert(site, pointer);
                solver.call_through(pointer, call);
            }
        },
        OperationKind::Opaque { touched, .. } => {
            for &variable in touched {
                let at = spot_of_variable(solver, variable);
                solver.point(solver.unknown, at);
            }
        }
        OperationKind::Read(_)
        | OperationKind::Begin(_)
        | OperationKind::Free(_)
        | OperationKind::Directive(_) => {}
    }
}

fn heap(solver: &mut Solver, site: Site, size: Option<u64>) -> u32 {
    let memory = match solver.result.heaps.get(&site) {
        Some(&memory) => memory,
        None => {
            let memory = solver.memory(MemoryKind::Heap(site), size);
            solver.result.heaps.insert(site, memory);
            memory
        }
    };
    solver.location(memory, 0)
}

fn spot_of_variable(solver: &mut Solver, variable: VariableId) -> u32 {
    let variable = &solver.program.variables[variable.0 as usize];
    solver.location(Memory::from(variable.object), variable.offset)
}

/// A place in memory: fixed, or at a distance from the target of a node.
enum Spot {
    Fixed(Memory, u64),
    Behind(u32, u64),
}

fn spot(solver: &mut Solver, access: &Access) -> Spot {
    let root = &solver.program.variables[access.root.0 as usize];
    let mut spot = Spot::Fixed(root.object.into(), root.offset);
    for step in &access.path {
        spot = match (step, spot) {
            (Step::Elements(_), spot) => spot,
            (Step::Field { offset, .. }, Spot::Fixed(memory, at)) => Spot::Fixed(memory, at + offset),
            (Step::Field { offset, .. }, Spot::Behind(node, at)) => Spot::Behind(node, at + offset),
            (Step::Dereference, spot) => Spot::Behind(value_at(solver, spot), 0),
        };
    }
    spot
}

/// The node of the pointer that is stored at the spot.
fn value_at(solver: &mut Solver, spot: Spot) -> u32 {
    match spot {
        Spot::Fixed(memory, at) => solver.location(memory, at),
        Spot::Behind(node, at) => solver.load(node, at),
    }
}

fn value_of(solver: &mut Solver, access: &Access) -> u32 {
    let spot = spot(solver, access);
    value_at(solver, spot)
}

/// A node that points to the memory of the access.
fn address_of(solver: &mut Solver, access: &Access) -> u32 {
    match spot(solver, access) {
        Spot::Behind(node, 0) => node,
        Spot::Behind(pointer, at) => {
            let node = solver.node();
            solver.copy(pointer, node, at);
            node
        }
        Spot::Fixed(memory, at) => {
            let node = solver.node();
            let target = solver.location(memory, at);
            solver.point(node, target);
            node
        }
    }
}

fn store(solver: &mut Solver, to: &Access, value: u32) {
    match spot(solver, to) {
        Spot::Fixed(memory, at) => {
            let node = solver.location(memory, at);
            solver.copy(value, node, 0);
        }
        Spot::Behind(pointer, at) => solver.store(pointer, at, value),
    }
}

fn holds_one_pointer(content: &Content) -> bool {
    matches!(content, Content::Pointer | Content::Descriptor | Content::Reference { .. })
}

/// Whether such values are not addresses, even if a procedure without source sets them. Integers of 8 bytes may be addresses,
/// and integers of 1 byte, such as `char`, may be parts of one.
fn is_only_data(content: &Content) -> bool {
    match content {
        Content::Data => true,
        Content::Integer { bytes } => *bytes > 1 && u64::from(*bytes) < POINTER_BYTES,
        Content::Pointer
        | Content::Descriptor
        | Content::Reference { .. }
        | Content::Record
        | Content::Handle(_)
        | Content::Unknown => false,
    }
}

fn holds_none(content: &Content) -> bool {
    matches!(content, Content::Data | Content::Integer { .. })
}

fn assign(solver: &mut Solver, to: &Access, value: &Value) {
    match value {
        Value::Copy(from) if !holds_one_pointer(&to.content) && !holds_one_pointer(&from.content) => {
            if !holds_none(&to.content) && !holds_none(&from.content) {
                let (from_node, to_node) = (address_of(solver, from), address_of(solver, to));
                let size = from.size.or(to.size).unwrap_or(END);
                solver.copy_record(from_node, to_node, section_size(to, section_size(from, size)));
            }
        }
        Value::Data
        | Value::Affine(_)
        | Value::Null
        | Value::Copy(_)
        | Value::Address(_)
        | Value::Procedure(_)
        | Value::Unknown => {
            if let Some(value) = node_of(solver, value) {
                store(solver, to, value);
            }
        }
    }
}

/// This analysis treats all elements of an array as one. So a section has the size of an element, unless this
/// size is not known.
fn section_size(access: &Access, size: u64) -> u64 {
    match access.content {
        Content::Unknown => END,
        _ => size,
    }
}

/// The node of a value that may be an address.
fn node_of(solver: &mut Solver, value: &Value) -> Option<u32> {
    match value {
        Value::Data | Value::Affine(_) | Value::Null => None,
        Value::Copy(from) if holds_none(&from.content) => None,
        Value::Copy(from) => Some(value_of(solver, from)),
        Value::Address(access) => Some(address_of(solver, access)),
        Value::Procedure(name) => {
            let target = code(solver, name);
            let node = solver.node();
            solver.point(node, target);
            Some(node)
        }
        Value::Unknown => Some(solver.unknown),
    }
}

fn code(solver: &mut Solver, name: &str) -> u32 {
    if let Some(&memory) = solver.code_of.get(name) {
        return solver.location(memory, 0);
    }
    let procedure = solver.result.procedures.get(name).copied();
    let memory = solver.memory(MemoryKind::Code(procedure, name.to_string()), None);
    solver.code_of.insert(name.to_string(), memory);
    solver.location(memory, 0)
}

/// A pointer to a procedure may have this target.
fn connect_target<'p>(solver: &mut Solver<'p>, call: &'p Call, target: u32) {
    let Some((memory, _)) = solver.result.places[target as usize] else { return };
    match solver.result.kind(memory).clone() {
        MemoryKind::Code(Some(id), _) => connect(solver, call, id),
        MemoryKind::Code(None, _) | MemoryKind::Unknown => connect_unknown(solver, call),
        MemoryKind::Object | MemoryKind::Heap(_) | MemoryKind::Target { .. } | MemoryKind::Library => {}
    }
}

fn connect_named<'p>(solver: &mut Solver<'p>, site: Site, call: &'p Call, name: &str) {
    if let Some(&id) = solver.result.procedures.get(name) {
        let entry = solver.program.procedures[id.0 as usize].entries.iter().any(|entry| entry.0 == name);
        if entry {
            // The arguments of another entry may be any of the parameters.
            connect_unknown(solver, call);
            called_by_unknown(solver, id);
        } else {
            connect(solver, call, id);
        }
        return;
    }
    match solver.effects.effects(name) {
        Some(effects) => connect_effects(solver, site, call, name, effects),
        None => connect_unknown(solver, call),
    }
}

fn connect<'p>(solver: &mut Solver<'p>, call: &'p Call, id: ProcedureId) {
    let program = solver.program;
    let procedure = &program.procedures[id.0 as usize];
    for (number, argument) in call.arguments.iter().enumerate() {
        match procedure.parameters.get(number) {
            Some(&parameter) => pass(solver, parameter, argument),
            None => {
                if let Some(value) = argument_node(solver, argument) {
                    solver.copy(value, solver.unknown, 0);
                }
            }
        }
    }
    if let (Some(to), Some(result)) = (&call.result, procedure.result) {
        let from = whole(solver, result);
        assign(solver, to, &Value::Copy(from));
    }
}

fn whole(solver: &Solver, id: VariableId) -> Access {
    let variable = &solver.program.variables[id.0 as usize];
    Access {
        root: id,
        path: Vec::new(),
        size: variable.size,
        content: variable.content.clone(),
        text: variable.name.clone(),
    }
}

fn pass(solver: &mut Solver, parameter: VariableId, argument: &Argument) {
    let to = whole(solver, parameter);
    match argument {
        Argument::Value(value) => assign(solver, &to, value),
        Argument::Reference(access) => {
            let value = address_of(solver, access);
            store(solver, &to, value);
        }
        Argument::Absent => {}
    }
}

fn argument_node(solver: &mut Solver, argument: &Argument) -> Option<u32> {
    match argument {
        Argument::Value(value) => node_of(solver, value),
        Argument::Reference(access) => Some(address_of(solver, access)),
        Argument::Absent => None,
    }
}

/// Passes the arguments to unknown code.
fn connect_unknown(solver: &mut Solver, call: &Call) {
    for argument in &call.arguments {
        if let Some(value) = argument_node(solver, argument) {
            solver.copy(value, solver.unknown, 0);
        }
    }
    if let Some(result) = &call.result {
        if !holds_none(&result.content) {
            let value = solver.unknown;
            store(solver, result, value);
        }
    }
}

/// Adds the constraints of a call of this procedure by unknown code.
fn called_by_unknown(solver: &mut Solver, id: ProcedureId) {
    let program = solver.program;
    let procedure = &program.procedures[id.0 as usize];
    for &parameter in &procedure.parameters {
        let at = spot_of_variable(solver, parameter);
        solver.copy(solver.unknown, at, 0);
    }
    if let Some(result) = procedure.result {
        let at = spot_of_variable(solver, result);
        solver.copy(at, solver.unknown, 0);
    }
}

fn connect_effects(solver: &mut Solver, site: Site, call: &Call, name: &str, effects: &CallEffects) {
    let keeps_for_result = matches!(&effects.result, ResultEffect::Addresses(addresses)
        if addresses.contains(&KnownAddress::Static) && !addresses.contains(&KnownAddress::Unknown));
    let is_open =
        effects.calls_back && !effects.callbacks(call).is_some_and(|names| call_back(solver, call, &names));
    for (number, argument) in call.arguments.iter().enumerate() {
        let Some(value) = argument_node(solver, argument) else { continue };
        let effect = effects.parameter(number);
        if effect.keeps && keeps_for_result {
            let kept = solver.kept(name);
            solver.copy(value, kept, 0);
        }
        if (effect.keeps && !keeps_for_result) || is_open {
            solver.copy(value, solver.unknown, 0);
        }
        if effect.allocates {
            let heap = heap(solver, site, None);
            let new = solver.node();
            solver.point(new, heap);
            solver.store(value, 0, new);
        }
        for &address in &effect.stores {
            if let Some(stored) = address_node(solver, call, name, address) {
                solver.store(value, 0, stored);
            }
        }
        if effect.writes_pointers {
            for other in (0..call.arguments.len()).filter(|&other| other != number) {
                if effects.parameter(other).reads != Extent::Nothing {
                    if let Some(from) = argument_node(solver, &call.arguments[other]) {
                        solver.copy_record(from, value, END);
                    }
                }
            }
        }
    }
    let Some(result) = &call.result else { return };
    let value = match &effects.result {
        ResultEffect::Data | ResultEffect::Handle(_) => return,
        ResultEffect::Unknown => solver.unknown,
        ResultEffect::Addresses(addresses) => {
            let all: Vec<_> =
                addresses.iter().filter_map(|address| address_node(solver, call, name, *address)).collect();
            let value = solver.node();
            all.into_iter().for_each(|from| solver.copy(from, value, 0));
            value
        }
        ResultEffect::Allocates { bytes, .. } => {
            let heap = heap(solver, site, constant_extent(call, bytes));
            let value = solver.node();
            solver.point(value, heap);
            value
        }
        ResultEffect::Reallocates(number) => {
            let heap = heap(solver, site, None);
            let value = solver.node();
            solver.point(value, heap);
            if let Some(old) = numbered(solver, call, *number) {
                solver.copy_record(old, value, END);
                solver.copy(old, value, 0);
            }
            value
        }
    };
    store(solver, result, value);
}

/// The node of an address that a procedure without source stores or returns.
fn address_node(solver: &mut Solver, call: &Call, name: &str, address: KnownAddress) -> Option<u32> {
    match address {
        KnownAddress::Argument(number) => numbered(solver, call, number),
        KnownAddress::Content(number) => {
            let pointer = numbered(solver, call, number)?;
            Some(solver.load(pointer, 0))
        }
        KnownAddress::Static => Some(solver.kept(name)),
        KnownAddress::Unknown => Some(solver.unknown),
    }
}

/// The node of the argument with this number.
fn numbered(solver: &mut Solver, call: &Call, number: usize) -> Option<u32> {
    argument_node(solver, call.arguments.get(number)?)
}

/// A procedure that a library calls back gets addresses in the memory of the arguments, and of the library. Returns whether
/// all of these procedures are in the program.
fn call_back(solver: &mut Solver, call: &Call, names: &[&str]) -> bool {
    let known = |name: &&str| solver.result.procedures.get(*name).copied();
    let Some(procedures) = names.iter().map(known).collect::<Option<Vec<_>>>() else { return false };
    for id in procedures {
        let procedure = &solver.program.procedures[id.0 as usize];
        for &parameter in &procedure.parameters {
            let at = spot_of_variable(solver, parameter);
            solver.copy(solver.library, at, 0);
            for argument in &call.arguments {
                if let Some(value) = argument_node(solver, argument) {
                    solver.copy(value, at, 0);
                }
            }
        }
    }
    true
}

/// The bytes of an extent, if all arguments in it are constants.
pub fn constant_extent(call: &Call, extent: &Extent) -> Option<u64> {
    let product = |arguments: &[usize], factor: u64| {
        let mut product = factor;
        for &number in arguments {
            let Some(Argument::Value(Value::Affine(value))) = call.arguments.get(number) else {
                return None;
            };
            product = product.checked_mul(value.as_constant()?.try_into().ok()?)?;
        }
        Some(product)
    };
    match extent {
        Extent::Bytes(bytes) => Some(*bytes),
        Extent::Product { arguments, factor } => product(arguments, *factor),
        Extent::Datatypes { arguments, datatype: number } => {
            product(arguments, datatype::bytes(call.arguments.get(*number)?)?)
        }
        Extent::Nothing | Extent::Any | Extent::All => None,
    }
}
