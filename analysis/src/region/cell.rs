//! Cells: scalar memory whose values determine bounds of sections and bases of accesses.
//!
//! Input: a procedure. Output: its cells, and which of them each operation changes.
//! Postcondition: the result contains each operation that may change a cell. The value is unknown unless the
//! operation is a single assignment of a known value.

use rustc_hash::FxHashMap;

use crate::program::{
    Access, Affine, Argument, Content, Dimension, Index, ObjectId, Operation, OperationKind, Procedure,
    Program, Site, Step, Terminator, Value, VariableId,
};

use super::effects::Effects;

/// A place of memory, the same for all names of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    pub object: ObjectId,
    /// Of the variable, or of the pointer where the path starts.
    pub offset: u64,
    /// None: a dereference. Some: a field at this byte.
    pub path: Vec<Option<u64>>,
}

/// The values that an operation gives to a cell.
#[derive(Debug)]
pub enum Change<'o> {
    Affine(&'o Affine),
    /// The content of this memory.
    Copy(&'o Access),
    Address(&'o Access),
    Unknown,
}

/// The cells of one procedure.
#[derive(Debug, Default)]
pub struct Cells {
    pub keys: Vec<Key>,
    /// For each cell, an access to it.
    pub accesses: Vec<Access>,
    /// In bytes, if it is known.
    sizes: Vec<Option<u64>>,
    numbers: FxHashMap<Key, usize>,
    direct: FxHashMap<ObjectId, Vec<usize>>,
    /// Those with a dereference, and those of objects.
    through: Vec<usize>,
}

/// `None` if the memory is not at a fixed place, for example because an index is not a constant.
pub fn key(program: &Program, access: &Access) -> Option<Key> {
    key_of(program, access.root, &access.path)
}

pub fn key_of(program: &Program, root: VariableId, steps: &[Step]) -> Option<Key> {
    let variable = &program.variables[root.0 as usize];
    let mut key = Key { object: variable.object, offset: variable.offset, path: Vec::new() };
    for step in steps {
        match step {
            Step::Dereference => key.path.push(None),
            Step::Field { offset, .. } => key.advance(*offset)?,
            Step::Elements(dimensions) => {
                for dimension in dimensions {
                    key.advance(constant_offset(dimension)?)?;
                }
            }
        }
    }
    Some(key)
}

fn constant_offset(dimension: &Dimension) -> Option<u64> {
    let Index::At(index) = &dimension.index else { return None };
    let distance = index.sub(dimension.lower.as_ref()?)?.as_constant()?;
    u64::try_from(distance).ok()?.checked_mul(dimension.stride?)
}

impl Key {
    fn advance(&mut self, bytes: u64) -> Option<()> {
        match self.path.last_mut() {
            None => self.offset = self.offset.checked_add(bytes)?,
            Some(Some(field)) => *field = field.checked_add(bytes)?,
            Some(None) if bytes > 0 => self.path.push(Some(bytes)),
            Some(None) => {}
        }
        Some(())
    }

    pub fn is_direct(&self) -> bool {
        self.path.is_empty()
    }
}

/// Whether two ranges of bytes may have a byte in common.
fn overlap(a: (u64, Option<u64>), b: (u64, Option<u64>)) -> bool {
    let ends_before =
        |from: u64, size: Option<u64>, to: u64| size.is_some_and(|size| from.saturating_add(size) <= to);
    !ends_before(a.0, a.1, b.0) && !ends_before(b.0, b.1, a.0)
}

/// In bytes: that of the access, or of its variable.
fn size_of(program: &Program, access: &Access) -> Option<u64> {
    let variable = &program.variables[access.root.0 as usize];
    access.size.or(if access.path.is_empty() { variable.size } else { None })
}

impl Cells {
    /// The cells that bounds and pointers of the procedure use.
    pub fn of(program: &Program, procedure: &Procedure) -> Cells {
        let mut cells = Cells::default();
        for block in &procedure.blocks {
            for operation in &block.operations {
                each_access(operation, &mut |access| cells.add_for_access(program, access));
                each_affine(operation, &mut |affine| cells.add_for_affine(program, affine));
                cells.add_for_copies(program, operation);
            }
            if let Terminator::Branch { condition: Some(condition), .. } = &block.terminator {
                cells.add_for_affine(program, &condition.left);
                cells.add_for_affine(program, &condition.right);
            }
        }
        for counted in &procedure.loops {
            cells.add_variable(program, counted.variable);
            cells.add_for_affine(program, &counted.first);
            cells.add_for_affine(program, &counted.last);
        }
        cells
    }

    pub fn number(&self, key: &Key) -> Option<usize> {
        self.numbers.get(key).copied()
    }

    pub fn add(&mut self, program: &Program, key: Key, access: Access) {
        let size = size_of(program, &access);
        if let Some(&number) = self.numbers.get(&key) {
            self.sizes[number] = self.sizes[number].max(size);
            return;
        }
        let number = self.keys.len();
        self.numbers.insert(key.clone(), number);
        match key.is_direct() {
            true => self.direct.entry(key.object).or_default().push(number),
            false => self.through.push(number),
        }
        self.keys.push(key);
        self.sizes.push(size);
        self.accesses.push(access);
    }

    /// The cell that is exactly the memory of the access.
    pub fn exact(&self, program: &Program, access: &Access) -> Option<usize> {
        let number = self.number(&key(program, access)?)?;
        match (self.sizes[number], size_of(program, access)) {
            (Some(a), Some(b)) => (a == b).then_some(number),
            (None, _) | (_, None) => Some(number),
        }
    }

    /// The cell whose value a term of an affine value means.
    pub fn variable(program: &Program, variable: VariableId) -> Access {
        let known = &program.variables[variable.0 as usize];
        let reference = matches!(known.content, Content::Reference { .. });
        Access {
            root: variable,
            path: if reference { vec![Step::Dereference] } else { Vec::new() },
            size: if reference { None } else { known.size },
            content: Content::Unknown,
            text: known.name.clone(),
        }
    }

    pub fn add_variable(&mut self, program: &Program, variable: VariableId) {
        let access = Cells::variable(program, variable);
        if let Some(key) = key(program, &access) {
            self.add(program, key, access);
        }
    }

    fn add_for_affine(&mut self, program: &Program, affine: &Affine) {
        for term in &affine.terms {
            self.add_variable(program, term.0);
        }
    }

    /// Adds the pointers of the access path.
    fn add_for_access(&mut self, program: &Program, access: &Access) {
        for (at, step) in access.path.iter().enumerate() {
            if !matches!(step, Step::Dereference) {
                continue;
            }
            if let Some(key) = key_of(program, access.root, &access.path[..at]) {
                let content = if at == 0 {
                    program.variables[access.root.0 as usize].content.clone()
                } else {
                    Content::Unknown
                };
                let path = access.path[..at].to_vec();
                self.add(
                    program,
                    key,
                    Access { root: access.root, path, size: None, content, text: access.text.clone() },
                );
            }
        }
    }

    /// Adds integers and pointers that are copied, and those that are passed to calls.
    fn add_for_copies(&mut self, program: &Program, operation: &Operation) {
        let mut add = |access: &Access| {
            if matches!(access.content, Content::Integer { .. } | Content::Pointer | Content::Unknown) {
                if let Some(key) = key(program, access) {
                    self.add(program, key, access.clone());
                }
            }
        };
        match &operation.kind {
            OperationKind::Write { value: Value::Copy(from), .. } => add(from),
            OperationKind::Call(call) => {
                for argument in &call.arguments {
                    match argument {
                        Argument::Value(Value::Copy(access) | Value::Address(access))
                        | Argument::Reference(access) => add(access),
                        Argument::Value(_) | Argument::Absent => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// The cells that the operation changes. If a cell is in the result twice, the last entry is valid.
    pub fn changes<'o>(
        &self,
        program: &Program,
        effects: &dyn Effects,
        site: Site,
        operation: &'o Operation,
    ) -> Vec<(usize, Change<'o>)> {
        let mut found = self.own_changes(program, effects, site, operation);
        // A pointer has changed, so cells that are reached through it are other memory now.
        for at in 0..found.len() {
            let pointer = &self.keys[found[at].0];
            for &number in &self.through {
                let key = &self.keys[number];
                let same = key.object == pointer.object && key.offset == pointer.offset;
                if same && key.path.len() > pointer.path.len() && key.path.starts_with(&pointer.path) {
                    found.push((number, Change::Unknown));
                }
            }
        }
        found
    }

    fn own_changes<'o>(
        &self,
        program: &Program,
        effects: &dyn Effects,
        site: Site,
        operation: &'o Operation,
    ) -> Vec<(usize, Change<'o>)> {
        let mut found = Vec::new();
        match &operation.kind {
            OperationKind::Read(_) | OperationKind::Directive(_) => {}
            OperationKind::Write { to, value } => {
                let change = match value {
                    Value::Affine(affine) => Change::Affine(affine),
                    Value::Copy(from) => Change::Copy(from),
                    Value::Address(of) => Change::Address(of),
                    Value::Data | Value::Procedure(_) | Value::Null | Value::Unknown => Change::Unknown,
                };
                self.write(program, effects, site, to, change, &mut found);
            }
            OperationKind::Begin(variable) => {
                let known = &program.variables[variable.0 as usize];
                let whole = Access {
                    root: *variable,
                    path: Vec::new(),
                    size: known.size,
                    content: known.content.clone(),
                    text: String::new(),
                };
                self.write(program, effects, site, &whole, Change::Unknown, &mut found);
            }
            OperationKind::Allocate { to, .. } | OperationKind::Free(to) => {
                self.write(program, effects, site, to, Change::Unknown, &mut found);
            }
            OperationKind::Call(call) => {
                if let Some(result) = &call.result {
                    self.write(program, effects, site, result, Change::Unknown, &mut found);
                }
                self.asked(effects, site, &mut found);
            }
            OperationKind::Opaque { touched, .. } => {
                for (number, key) in self.keys.iter().enumerate() {
                    let named =
                        touched.iter().any(|one| program.variables[one.0 as usize].object == key.object);
                    if named || effects.may_change(site, &self.accesses[number]) {
                        found.push((number, Change::Unknown));
                    }
                }
            }
        }
        found
    }

    fn asked(&self, effects: &dyn Effects, site: Site, found: &mut Vec<(usize, Change)>) {
        for (number, access) in self.accesses.iter().enumerate() {
            if effects.may_change(site, access) {
                found.push((number, Change::Unknown));
            }
        }
    }

    fn write<'o>(
        &self,
        program: &Program,
        effects: &dyn Effects,
        site: Site,
        to: &Access,
        change: Change<'o>,
        found: &mut Vec<(usize, Change<'o>)>,
    ) {
        let exact = self.exact(program, to);
        let root = &program.variables[to.root.0 as usize];
        let direct = !to.path.iter().any(|step| matches!(step, Step::Dereference));
        if direct {
            let (offset, size) = match key(program, to) {
                Some(key) => (key.offset, size_of(program, to)),
                None => (root.offset, root.size),
            };
            for &number in self.direct.get(&root.object).into_iter().flatten() {
                let cell = (self.keys[number].offset, self.sizes[number]);
                if Some(number) != exact && overlap(cell, (offset, size)) {
                    found.push((number, Change::Unknown));
                }
            }
            for &number in &self.through {
                let key = &self.keys[number];
                let pointer_changes = key.object == root.object;
                if pointer_changes || effects.may_change(site, &self.accesses[number]) {
                    found.push((number, Change::Unknown));
                }
            }
        } else {
            let only_itself = matches!(root.content, Content::Reference { no_alias: true });
            for (number, access) in self.accesses.iter().enumerate() {
                let other_argument = only_itself && root.object != self.keys[number].object;
                let behind = !self.keys[number].is_direct() && root.object == self.keys[number].object;
                let apart =
                    other_argument && to.path.iter().skip(1).all(|step| !matches!(step, Step::Dereference));
                if Some(number) != exact && (behind || !apart && effects.may_change(site, access)) {
                    found.push((number, Change::Unknown));
                }
            }
        }
        if let Some(number) = exact {
            found.push((number, change));
        }
    }
}

/// Every access of an operation.
pub fn each_access<'o>(operation: &'o Operation, visit: &mut dyn FnMut(&'o Access)) {
    fn value<'o>(value: &'o Value, visit: &mut dyn FnMut(&'o Access)) {
        match value {
            Value::Copy(access) | Value::Address(access) => visit(access),
            Value::Data | Value::Affine(_) | Value::Procedure(_) | Value::Null | Value::Unknown => {}
        }
    }
    match &operation.kind {
        OperationKind::Read(access) | OperationKind::Free(access) => visit(access),
        OperationKind::Write { to, value: from } => {
            visit(to);
            value(from, visit);
        }
        OperationKind::Allocate { to, .. } => visit(to),
        OperationKind::Call(call) => {
            for argument in &call.arguments {
                match argument {
                    Argument::Value(from) => value(from, visit),
                    Argument::Reference(access) => visit(access),
                    Argument::Absent => {}
                }
            }
            if let crate::program::Callee::Indirect(access) = &call.callee {
                visit(access);
            }
            call.result.iter().for_each(visit);
        }
        OperationKind::Begin(_) | OperationKind::Directive(_) | OperationKind::Opaque { .. } => {}
    }
}

/// Every affine value of an operation.
fn each_affine(operation: &Operation, visit: &mut dyn FnMut(&Affine)) {
    each_access(operation, &mut |access| {
        for step in &access.path {
            let Step::Elements(dimensions) = step else { continue };
            for dimension in dimensions {
                match &dimension.index {
                    Index::At(index) => visit(index),
                    Index::Range { first, last, .. } => {
                        visit(first);
                        visit(last);
                    }
                    Index::All | Index::Unknown => {}
                }
                dimension.lower.iter().chain(&dimension.extent).for_each(&mut *visit);
            }
        }
    });
    match &operation.kind {
        OperationKind::Write { value: Value::Affine(affine), .. } => visit(affine),
        OperationKind::Allocate { bytes, .. } => bytes.iter().for_each(visit),
        OperationKind::Call(call) => {
            for argument in &call.arguments {
                if let Argument::Value(Value::Affine(affine)) = argument {
                    visit(affine);
                }
            }
        }
        _ => {}
    }
}
