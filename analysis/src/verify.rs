//! Checks the rules that every program must follow.
//!
//! Input: a program. Output: the faults of its structure: numbers that are out of range, accesses that end
//! after their object, loops with blocks that are not in them.
//! Postcondition: if there is no fault, analyses may use the numbers as indices without checks.

use crate::program::{
    Access, Affine, Argument, BlockId, Callee, Content, Directive, Index, Lifetime, Loop, OperationKind,
    Procedure, Program, Step, Terminator, Value, VariableId,
};

impl Program {
    /// One sentence for each fault; none for a program that a front end has lowered correctly.
    pub fn verify(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for object in &self.objects {
            if let Lifetime::Local(procedure) = object.lifetime {
                if procedure.0 as usize >= self.procedures.len() {
                    faults.push(format!("object `{}` belongs to no procedure", object.name));
                }
            }
        }
        for variable in &self.variables {
            match self.objects.get(variable.object.0 as usize) {
                None => faults.push(format!("variable `{}` has no object", variable.name)),
                Some(object) => {
                    let end = variable.size.and_then(|size| variable.offset.checked_add(size));
                    if end.zip(object.size).is_some_and(|(end, size)| end > size) {
                        faults.push(format!("variable `{}` ends behind its object", variable.name));
                    }
                }
            }
        }
        for procedure in &self.procedures {
            let mut checker = Checker { program: self, procedure, place: String::new(), faults: &mut faults };
            checker.procedure();
        }
        faults
    }
}

struct Checker<'p> {
    program: &'p Program,
    procedure: &'p Procedure,
    /// Where the operation is: `b3`.
    place: String,
    faults: &'p mut Vec<String>,
}

impl Checker<'_> {
    fn fault(&mut self, what: &str) {
        self.faults.push(format!("procedure `{}`, {}: {what}", self.procedure.name, self.place));
    }

    fn procedure(&mut self) {
        self.place = "the definition".to_owned();
        self.block(self.procedure.entry);
        for (_, entry) in &self.procedure.entries {
            self.block(*entry);
        }
        for &variable in self.procedure.parameters.iter().chain(&self.procedure.result) {
            self.variable(variable);
        }
        for (number, entry) in self.procedure.loops.iter().enumerate() {
            self.place = format!("loop{number}");
            self.counted(entry, number);
        }
        for (number, block) in self.procedure.blocks.iter().enumerate() {
            self.place = format!("b{number}");
            if block.within.is_some_and(|within| within.0 as usize >= self.procedure.loops.len()) {
                self.fault("it is in a loop that does not exist");
            }
            for operation in &block.operations {
                self.operation(&operation.kind);
            }
            self.terminator(&block.terminator);
        }
    }

    fn block(&mut self, id: BlockId) {
        if id.0 as usize >= self.procedure.blocks.len() {
            self.fault(&format!("block b{} does not exist", id.0));
        }
    }

    fn variable(&mut self, id: VariableId) -> bool {
        let exists = (id.0 as usize) < self.program.variables.len();
        if !exists {
            self.fault(&format!("variable {} does not exist", id.0));
        }
        exists
    }

    fn counted(&mut self, entry: &Loop, number: usize) {
        for block in [entry.header, entry.body, entry.exit] {
            self.block(block);
        }
        self.integer(entry.variable);
        self.affine(&entry.first);
        self.affine(&entry.last);
        if entry.step == 0 {
            self.fault("the step is 0");
        }
        if entry.last.uses(entry.variable) || entry.first.uses(entry.variable) {
            self.fault("a bound depends on the loop variable");
        }
        if entry.within.is_some_and(|within| within.0 as usize >= number) {
            self.fault("the loop around it is not before it in the list");
        }
        let within = |block: BlockId| self.procedure.blocks.get(block.0 as usize).map(|block| block.within);
        let own = Some(Some(crate::program::LoopId(number as u32)));
        if within(entry.header) != own {
            self.fault("its header is not part of it");
        }
        if within(entry.exit) == own {
            self.fault("its exit is part of it");
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Jump(block) => self.block(*block),
            Terminator::Branch { condition, then, otherwise } => {
                if let Some(condition) = condition {
                    self.affine(&condition.left);
                    self.affine(&condition.right);
                }
                self.block(*then);
                self.block(*otherwise);
            }
            Terminator::Succeeds { then, otherwise } => {
                self.block(*then);
                self.block(*otherwise);
            }
            Terminator::Switch(blocks) => {
                if blocks.is_empty() {
                    self.fault("a switch without targets");
                }
                blocks.iter().for_each(|&block| self.block(block));
            }
            Terminator::Return | Terminator::Stop | Terminator::Anywhere => {}
        }
    }

    fn operation(&mut self, kind: &OperationKind) {
        match kind {
            OperationKind::Read(access) | OperationKind::Free(access) => self.access(access),
            OperationKind::Write { to, value } => {
                self.access(to);
                self.value(value);
            }
            OperationKind::Begin(variable) => {
                self.variable(*variable);
            }
            OperationKind::Allocate { to, bytes, .. } => {
                self.access(to);
                bytes.iter().for_each(|bytes| self.affine(bytes));
            }
            OperationKind::Call(call) => {
                match &call.callee {
                    Callee::Indirect(access) => self.access(access),
                    Callee::Named(_) | Callee::OneOf(_) => {}
                }
                for argument in &call.arguments {
                    match argument {
                        Argument::Value(value) => self.value(value),
                        Argument::Reference(access) => self.access(access),
                        Argument::Absent => {}
                    }
                }
                call.result.iter().for_each(|result| self.access(result));
            }
            OperationKind::Directive(directive) => self.directive(directive),
            OperationKind::Opaque { touched, .. } => {
                for &variable in touched {
                    self.variable(variable);
                }
            }
        }
    }

    fn directive(&mut self, directive: &Directive) {
        match directive {
            Directive::Init | Directive::Shutdown | Directive::Checkpoint | Directive::EndExecute => {}
            Directive::Register(items) | Directive::Unregister(items) => {
                items.iter().for_each(|item| self.access(&item.memory));
            }
            Directive::BeginExecute { captures, files, .. } => {
                captures.iter().chain(files).for_each(|item| self.access(&item.memory));
            }
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Affine(value) => self.affine(value),
            Value::Copy(access) | Value::Address(access) => self.access(access),
            Value::Data | Value::Procedure(_) | Value::Null | Value::Unknown => {}
        }
    }

    fn affine(&mut self, value: &Affine) {
        for &(variable, factor) in &value.terms {
            self.integer(variable);
            if factor == 0 {
                self.fault("a term with factor 0");
            }
        }
        if !value.terms.is_sorted_by(|left, right| left.0 < right.0) {
            self.fault("the terms of a sum are not in order");
        }
    }

    fn integer(&mut self, variable: VariableId) {
        if !self.variable(variable) {
            return;
        }
        let found = &self.program.variables[variable.0 as usize];
        if !matches!(found.content, Content::Integer { .. } | Content::Reference { .. } | Content::Descriptor)
        {
            self.fault(&format!("`{}` is in a sum, but is no integer", found.name));
        }
    }

    fn access(&mut self, access: &Access) {
        if !self.variable(access.root) {
            return;
        }
        for step in &access.path {
            let Step::Elements(dimensions) = step else { continue };
            if dimensions.is_empty() {
                self.fault(&format!("`{}` has elements without dimensions", access.text));
            }
            for dimension in dimensions {
                match &dimension.index {
                    Index::At(index) => self.affine(index),
                    Index::Range { first, last, step } => {
                        self.affine(first);
                        self.affine(last);
                        if *step == 0 {
                            self.fault(&format!("`{}` is a section with step 0", access.text));
                        }
                    }
                    Index::All | Index::Unknown => {}
                }
                for bound in dimension.lower.iter().chain(&dimension.extent) {
                    self.affine(bound);
                }
            }
        }
        let root = &self.program.variables[access.root.0 as usize];
        let end = constant_end(access).and_then(|end| end.checked_add(root.offset));
        let size = self.program.objects[root.object.0 as usize].size;
        if end.zip(size).is_some_and(|(end, size)| end > size) {
            self.fault(&format!("`{}` ends behind `{}`", access.text, root.name));
        }
    }
}

/// The end of an access that is completely in the object of its variable, if no index varies. Elements that
/// the source itself places outside of the array are not counted.
fn constant_end(access: &Access) -> Option<u64> {
    let mut offset = 0u64;
    for step in &access.path {
        match step {
            Step::Field { offset: field, .. } => offset = offset.checked_add(*field)?,
            Step::Dereference => return None,
            Step::Elements(dimensions) => {
                for dimension in dimensions {
                    let Index::At(index) = &dimension.index else { return None };
                    let lower = dimension.lower.as_ref()?.as_constant()?;
                    let extent = dimension.extent.as_ref()?.as_constant()?;
                    let index = index.as_constant()?.checked_sub(lower)?;
                    if index < 0 || index >= extent {
                        return None;
                    }
                    offset =
                        offset.checked_add(u64::try_from(index).ok()?.checked_mul(dimension.stride?)?)?;
                }
            }
        }
    }
    offset.checked_add(access.size?)
}
