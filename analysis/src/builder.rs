//! Construction of a program from one or more sources.
//!
//! Input: calls by the lowering of a front end. Output: a `Program`.
//! Postcondition: objects with one name are one object; a procedure is in the list once for each definition;
//! every block has a terminator.

use cppc_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{
    Access, Affine, Argument, Block, BlockId, BodyStatement, Callee, CommandArguments, Content, Evaluation,
    EvaluationPlace, Expression, InitialInteger, InitialText, Lifetime, Loop, LoopId, LoopStatement, Object,
    ObjectId, Operation, OperationKind, Procedure, ProcedureId, Program, Region, Terminator, Value, Variable,
    VariableId, TEXT,
};

/// The object of all string literals.
const TEXTS: &str = "\"…\"";

impl Variable {
    /// Whether the lowering has added it, for a value that it needs more than once or later.
    pub fn is_temporary(&self) -> bool {
        self.name.starts_with('%')
    }
}

#[derive(Debug)]
pub struct ProgramBuilder {
    program: Program,
    objects: FxHashMap<String, ObjectId>,
    procedures: FxHashMap<String, ProcedureId>,
    aliases: FxHashMap<String, String>,
    taken: FxHashSet<String>,
    temporaries: FxHashMap<ProcedureId, u32>,
}

impl ProgramBuilder {
    pub fn new(whole: bool) -> ProgramBuilder {
        ProgramBuilder {
            program: Program { whole, ..Program::default() },
            objects: FxHashMap::default(),
            procedures: FxHashMap::default(),
            aliases: FxHashMap::default(),
            taken: FxHashSet::default(),
            temporaries: FxHashMap::default(),
        }
    }

    /// The object with this name. If another declaration has created it already, it gets the larger size. It
    /// is initialized if one of the declarations is, and constant only if all are.
    pub fn object(&mut self, object: Object) -> ObjectId {
        if let Some(&id) = self.objects.get(&object.name) {
            let known = &mut self.program.objects[id.0 as usize];
            known.size = known.size.max(object.size);
            known.initialized |= object.initialized;
            known.constant &= object.constant;
            known.external |= object.external;
            return id;
        }
        let id = ObjectId(self.program.objects.len() as u32);
        self.objects.insert(object.name.clone(), id);
        self.program.objects.push(object);
        id
    }

    /// An integer that is in memory before the program starts.
    pub fn start_with(&mut self, initial: InitialInteger) {
        self.program.initial.push(initial);
    }

    /// A text that is in memory before the program starts.
    pub fn start_with_text(&mut self, initial: InitialText) {
        self.program.initial_texts.push(initial);
    }

    /// The integer is computed from the bits of an address.
    pub fn add_address_hash(&mut self, variable: VariableId) {
        if !self.is_address_hash(variable) {
            self.program.address_hashes.push(variable);
        }
    }

    pub fn is_address_hash(&self, variable: VariableId) -> bool {
        self.program.address_hashes.contains(&variable)
    }

    /// The object of the variable is a compound literal. At the level of the file, it is static.
    pub fn make_literal(&mut self, variable: VariableId, is_static: bool) {
        let id = self.get_variable(variable).object;
        if is_static {
            let object = &mut self.program.objects[id.0 as usize];
            (object.lifetime, object.initialized) = (Lifetime::Static, true);
        }
        self.program.literals.push(id);
    }

    /// The parameter of the main procedure that points to the arguments of the command.
    pub fn set_arguments(&mut self, parameter: VariableId) {
        let mut object = |name: &str, constant, content| {
            let object = self.object(Object {
                name: name.to_owned(),
                lifetime: Lifetime::Static,
                size: None,
                initialized: true,
                constant,
                external: false,
            });
            self.undeclared(name.to_owned(), object, None, content);
            object
        };
        // The program changes the pointers only by way of libraries, which do so before the checkpoints.
        let array = object("%arguments", true, Content::Pointer);
        let text = object("%text of the arguments", false, Content::Data);
        self.program.arguments = Some(CommandArguments { parameter, array, text });
    }

    /// A compiler may make the local variable static, because it is large.
    pub fn may_be_kept(&mut self, variable: VariableId) {
        self.program.kept.push(variable);
    }

    pub fn find_object(&self, name: &str) -> Option<ObjectId> {
        self.objects.get(name).copied()
    }

    /// Whether a source declares the variable in a procedure, where it is not static.
    pub fn is_declared_local(&self, id: VariableId) -> bool {
        let variable = &self.program.variables[id.0 as usize];
        let object = &self.program.objects[variable.object.0 as usize];
        variable.declared.is_some() && matches!(object.lifetime, Lifetime::Local(_))
    }

    pub fn variable(&mut self, variable: Variable) -> VariableId {
        let id = VariableId(self.program.variables.len() as u32);
        self.program.variables.push(variable);
        id
    }

    /// A string literal. All of them are one constant object. The name of the variable contains the text, if it is known.
    pub fn text(&mut self, text: &str, content: Content) -> VariableId {
        let object = self.object(Object {
            name: TEXTS.to_owned(),
            lifetime: Lifetime::Static,
            size: None,
            initialized: true,
            constant: true,
            external: false,
        });
        self.undeclared(format!("{TEXT}{text}"), object, None, content)
    }

    /// A name of a whole object that is in no source.
    fn undeclared(
        &mut self,
        name: String,
        object: ObjectId,
        size: Option<u64>,
        content: Content,
    ) -> VariableId {
        self.variable(Variable { name, object, offset: 0, size, declared: None, content, is_array: false })
    }

    /// A variable that no source declares, with its own object.
    pub fn temporary(&mut self, procedure: ProcedureId, size: Option<u64>, content: Content) -> VariableId {
        let count = self.temporaries.entry(procedure).or_default();
        *count += 1;
        let name = format!("%{count}");
        let object = self.object(Object {
            name: format!("{}#{}.{name}", self.program.procedures[procedure.0 as usize].name, procedure.0),
            lifetime: Lifetime::Local(procedure),
            size,
            initialized: false,
            constant: false,
            external: false,
        });
        self.undeclared(name, object, size, content)
    }

    pub fn get_object(&self, id: ObjectId) -> &Object {
        &self.program.objects[id.0 as usize]
    }

    pub fn get_variable(&self, id: VariableId) -> &Variable {
        &self.program.variables[id.0 as usize]
    }

    /// The value of a variable never changes: a restart has it again.
    pub fn keep_value(&mut self, id: VariableId) {
        let object = self.get_variable(id).object;
        self.program.objects[object.0 as usize].constant = true;
    }

    /// All of a variable, under its own name.
    pub fn whole(&self, id: VariableId) -> Access {
        let variable = self.get_variable(id);
        Access {
            root: id,
            path: Vec::new(),
            size: variable.size,
            content: variable.content.clone(),
            text: variable.name.clone(),
        }
    }

    /// A procedure whose definition is read. Its body may be built later. If another source defines the same
    /// name, calls mean the first definition that is not weak, as with most linkers; the others are analysed too.
    pub fn define(&mut self, name: &str, label: &str, span: Span) -> ProcedureId {
        let id = ProcedureId(self.program.procedures.len() as u32);
        let known = self.procedures.entry(name.to_string()).or_insert(id);
        if self.program.procedures.get(known.0 as usize).is_some_and(|procedure| procedure.weak) {
            // If this one is weak too, it makes no difference.
            *known = id;
        }
        self.program.procedures.push(Procedure {
            name: name.to_string(),
            label: label.to_string(),
            local: false,
            address_taken: false,
            weak: false,
            main: false,
            parameters: Vec::new(),
            result: None,
            blocks: vec![Block {
                operations: Vec::new(),
                terminator: Terminator::Return,
                condition: None,
                within: None,
            }],
            entry: BlockId(0),
            entries: Vec::new(),
            loops: Vec::new(),
            loop_statements: Vec::new(),
            evaluations: Vec::new(),
            recorded: Vec::new(),
            keeps_loops: false,
            span,
        });
        id
    }

    /// Another definition of the name takes the place of this one.
    pub fn set_weak(&mut self, id: ProcedureId) {
        self.program.procedures[id.0 as usize].weak = true;
    }

    pub fn find_procedure(&self, name: &str) -> Option<ProcedureId> {
        self.procedures.get(name).copied()
    }

    /// Another name of a procedure. If a procedure has the name itself, the alias has no effect.
    pub fn alias(&mut self, name: String, target: String) {
        self.aliases.entry(name).or_insert(target);
    }

    /// The address of this procedure is a value somewhere. The definition may come later, or never.
    pub fn take_address(&mut self, procedure: &str) {
        self.taken.insert(procedure.to_string());
    }

    /// Starts the body of a procedure. The first block is its entry and the current block.
    pub fn body(&mut self, id: ProcedureId) -> ProcedureBuilder<'_> {
        ProcedureBuilder {
            program: self,
            id,
            blocks: vec![Draft::default()],
            loops: Vec::new(),
            loop_statements: Vec::new(),
            current: BlockId(0),
            within: None,
            computed: Vec::new(),
        }
    }

    pub fn finish(mut self) -> Program {
        self.resolve_aliases();
        for procedure in &mut self.program.procedures {
            procedure.address_taken |= self.taken.contains(&procedure.name);
        }
        self.program
    }

    /// Replaces aliases by the names of the procedures that they mean.
    fn resolve_aliases(&mut self) {
        let mut aliases = std::mem::take(&mut self.aliases);
        for procedure in &self.program.procedures {
            let entries = procedure.entries.iter().map(|entry| &entry.0);
            entries.chain([&procedure.name]).for_each(|name| drop(aliases.remove(name)));
        }
        if aliases.is_empty() {
            return;
        }
        // An alias may mean another one.
        let meant = |name: &String| {
            let mut found = aliases.get(name)?;
            for _ in 0..aliases.len() {
                found = aliases.get(found).unwrap_or(found);
            }
            Some(found.clone())
        };
        let replace = |name: &mut String| {
            if let Some(found) = meant(name) {
                *name = found;
            }
        };
        let taken: Vec<String> = self.taken.iter().filter_map(meant).collect();
        self.taken.extend(taken);
        let blocks = self.program.procedures.iter_mut().flat_map(|procedure| &mut procedure.blocks);
        for operation in blocks.flat_map(|block| &mut block.operations) {
            match &mut operation.kind {
                OperationKind::Write { value: Value::Procedure(name), .. } => replace(name),
                OperationKind::Call(call) => {
                    match &mut call.callee {
                        Callee::Named(name) => replace(name),
                        Callee::OneOf(names) => names.iter_mut().for_each(replace),
                        Callee::Indirect(_) => {}
                    }
                    for argument in &mut call.arguments {
                        if let Argument::Value(Value::Procedure(name)) = argument {
                            replace(name);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// The body of one procedure while it is lowered.
#[derive(Debug)]
pub struct ProcedureBuilder<'p> {
    pub program: &'p mut ProgramBuilder,
    id: ProcedureId,
    blocks: Vec<Draft>,
    loops: Vec<Loop>,
    loop_statements: Vec<LoopStatement>,
    current: BlockId,
    within: Option<LoopId>,
    /// For the next write or call.
    computed: Vec<Expression>,
}

#[derive(Debug, Default)]
struct Draft {
    operations: Vec<Operation>,
    terminator: Option<Terminator>,
    condition: Option<Expression>,
    within: Option<LoopId>,
}

impl ProcedureBuilder<'_> {
    pub fn id(&self) -> ProcedureId {
        self.id
    }

    /// The procedure itself, for its flags, parameters and result. `finish` sets its blocks and loops.
    pub fn procedure(&mut self) -> &mut Procedure {
        &mut self.program.program.procedures[self.id.0 as usize]
    }

    pub fn temporary(&mut self, size: Option<u64>, content: Content) -> VariableId {
        self.program.temporary(self.id, size, content)
    }

    /// A new block, which is part of the innermost open loop. The current block stays the same.
    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(Draft { within: self.within, ..Draft::default() });
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub fn current(&self) -> BlockId {
        self.current
    }

    /// Operations are now appended to this block. The block that was current must be terminated.
    pub fn switch_to(&mut self, block: BlockId) {
        debug_assert!(self.terminated(), "block {} has no terminator", self.current.0);
        self.current = block;
    }

    /// Ends the current block with a jump to the given block, unless it has ended, and continues there.
    pub fn fall_into(&mut self, block: BlockId) {
        if !self.terminated() {
            self.terminate(Terminator::Jump(block));
        }
        self.current = block;
    }

    pub fn terminated(&self) -> bool {
        self.has_terminator(self.current)
    }

    pub fn has_terminator(&self, block: BlockId) -> bool {
        self.blocks[block.0 as usize].terminator.is_some()
    }

    /// A block that was made before its position was known, for a label, is part of the innermost open loop.
    pub fn adopt(&mut self, block: BlockId) {
        self.blocks[block.0 as usize].within = self.within;
    }

    /// Appends an operation. After a terminator, it begins a block that is not reached (yet).
    pub fn emit(&mut self, kind: OperationKind, span: Span) {
        if self.terminated() {
            self.current = self.new_block();
        }
        let computed = match kind {
            OperationKind::Write { .. } | OperationKind::Call(_) => std::mem::take(&mut self.computed),
            _ => Vec::new(),
        };
        self.blocks[self.current.0 as usize].operations.push(Operation { kind, span, computed });
    }

    /// How the value of the next write, or the values of the next call, are computed.
    pub fn set_computed(&mut self, computed: Vec<Expression>) {
        self.computed = computed;
    }

    /// The value that the terminator of the current block depends on.
    pub fn set_condition(&mut self, condition: Expression) {
        self.blocks[self.current.0 as usize].condition = Some(condition);
    }

    /// Removes the operations of the current block after the first ones, except those that set temporaries: subscripts of a
    /// computed value may use them.
    pub fn keep_operations(&mut self, count: usize) {
        let operations = &mut self.blocks[self.current.0 as usize].operations;
        let program = &self.program;
        let sets_temporary = |operation: &Operation| match &operation.kind {
            OperationKind::Write { to, .. } => {
                to.path.is_empty() && program.get_variable(to.root).is_temporary()
            }
            OperationKind::Read(_)
            | OperationKind::Begin(_)
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Call(_)
            | OperationKind::Opaque { .. }
            | OperationKind::Directive(_) => false,
        };
        let added = operations.split_off(count.min(operations.len()));
        operations.extend(added.into_iter().filter(sets_temporary));
    }

    /// The number of operations of the current block.
    pub fn operation_count(&self) -> usize {
        self.blocks[self.current.0 as usize].operations.len()
    }

    /// Ends the current block. A second terminator for one block belongs to code that is not reached.
    pub fn terminate(&mut self, terminator: Terminator) {
        if self.terminated() {
            self.current = self.new_block();
        }
        self.blocks[self.current.0 as usize].terminator = Some(terminator);
    }

    /// Replaces the end of a block. This is needed because the targets of a `switch` are known only after its
    /// body.
    pub fn replace_terminator(&mut self, block: BlockId, terminator: Terminator) {
        self.blocks[block.0 as usize].terminator = Some(terminator);
    }

    /// Opens a counted loop. `header` and `body` become part of it, and so do blocks that are made until
    /// `close_loop`. `exit` must have been made before. The loop is not regular until `close_loop` states it.
    #[allow(clippy::too_many_arguments, reason = "these are the fields of a loop")]
    pub fn open_loop(
        &mut self,
        header: BlockId,
        body: BlockId,
        exit: BlockId,
        variable: VariableId,
        first: Affine,
        last: Affine,
        step: i64,
    ) -> LoopId {
        let id = LoopId(self.loops.len() as u32);
        let within = self.within;
        self.loops.push(Loop { header, body, exit, variable, first, last, step, within, regular: false });
        self.blocks[header.0 as usize].within = Some(id);
        self.blocks[body.0 as usize].within = Some(id);
        self.within = Some(id);
        id
    }

    pub fn close_loop(&mut self, id: LoopId, regular: bool) {
        let closed = &mut self.loops[id.0 as usize];
        closed.regular = regular;
        self.within = closed.within;
    }

    /// The body of a loop statement begins. Returns its number.
    pub fn open_body(&mut self, span: Span, before: BlockId, next: BlockId) -> usize {
        self.loop_statements.push(LoopStatement { span, before, next, body: Vec::new() });
        self.loop_statements.len() - 1
    }

    /// The next statement of the body begins. Control does not come to a statement after a terminator, unless it has a label.
    pub fn body_statement(&mut self, number: usize, span: Span) {
        if !self.terminated() {
            let (block, operation) = (self.current, self.operation_count() as u32);
            self.loop_statements[number].body.push(BodyStatement { span, block, operation });
        }
    }

    /// Operations are emitted that belong together. `close_region` ends them.
    pub fn open_region(&mut self) -> Region {
        if self.terminated() {
            self.current = self.new_block();
        }
        let first = (self.current, self.operation_count() as u32);
        let count = self.blocks.len() as u32;
        Region { first, last: first, blocks: count..count }
    }

    pub fn close_region(&self, region: Region) -> Region {
        let (last, end) = ((self.current, self.operation_count() as u32), self.blocks.len() as u32);
        Region { last, blocks: region.blocks.start..end, ..region }
    }

    /// A restart evaluates the operations again.
    pub fn add_evaluation(&mut self, operations: Region, shapes: Vec<VariableId>) {
        if operations.first != operations.last || !shapes.is_empty() {
            let place = EvaluationPlace::Entry;
            self.procedure().evaluations.push(Evaluation { operations, shapes, place });
        }
    }

    /// The present statement needs the shape of a parameter.
    pub fn add_shape(&mut self, parameter: VariableId) {
        let (operations, shapes) = (self.open_region(), vec![parameter]);
        let place = EvaluationPlace::Statement;
        self.procedure().evaluations.push(Evaluation { operations, shapes, place });
    }

    /// The evaluations after the first ones are declarations of a construct, unless they belong to one in it.
    pub fn set_construct(&mut self, count: usize, construct: &Region) {
        for evaluation in &mut self.procedure().evaluations[count..] {
            if let EvaluationPlace::Entry = evaluation.place {
                evaluation.place = EvaluationPlace::Construct(construct.clone());
            }
        }
    }

    /// Another entry of the procedure, which begins with this block.
    pub fn add_entry(&mut self, name: &str, block: BlockId) {
        let id = self.id;
        self.program.procedures.entry(name.to_string()).or_insert(id);
        self.procedure().entries.push((name.to_string(), block));
    }

    /// Ends the body. A block without a terminator returns: it is the end of the procedure.
    pub fn finish(self) {
        let procedure = &mut self.program.program.procedures[self.id.0 as usize];
        procedure.entry = BlockId(0);
        procedure.loops = self.loops;
        procedure.loop_statements = self.loop_statements;
        procedure.blocks = self
            .blocks
            .into_iter()
            .map(|draft| Block {
                operations: draft.operations,
                terminator: draft.terminator.unwrap_or(Terminator::Return),
                condition: draft.condition,
                within: draft.within,
            })
            .collect();
    }
}
