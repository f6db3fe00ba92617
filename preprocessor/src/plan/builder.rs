//! The state of planning one procedure. It does not depend on the language.
//!
//! Input: a procedure of the model.
//! Output: its blocks, slots and saved variables, and diagnostics.
//! Postcondition: blocks are numbered in the order in which they were requested.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use cppc_source::{Diagnostic, Span};

use super::reach::Reach;
use super::restored::RestoredVariables;
use super::scope::{add_record, add_records, Saved};
use super::temporaries::Temporaries;
use super::{
    BlockKind, CallBlock, Captured, Hole, Registered, Role, SavedMember, SavedMemberId, SavedMemberKind,
    SavedValue, TemporaryArgument,
};
use crate::model::{
    Callee, Class, DirectiveKind, Expression, Graph, Item, ItemKind, OpenedFile, Pattern, Procedure,
    ProcedureId, Program, RecordType, TypeCode, VariableId,
};

pub(super) struct PlanBuilder<'a> {
    pub program: &'a Program,
    pub reach: &'a Reach,
    pub procedure: &'a Procedure,
    pub rules: &'static dyn Rules,
    pub diagnostics: Vec<Diagnostic>,
    /// The directive that began the execute block around the current position.
    pub execute: Option<Span>,
    pub saved: Saved,
    pub restored: RestoredVariables,
    pub slots: Vec<SavedMember>,
    pub temporaries: Temporaries,
    numbers: u32,
    pub blocks: Vec<BlockKind>,
    pub targets: Vec<u32>,
    pub section: u32,
    pub captures: Vec<Captured>,
    /// The files that the execute block around the current position opens.
    pub files: Vec<OpenedFile>,
    /// Allocatables that may get temporary memory, each with its hidden variables. All calls share these.
    pub lent: Vec<TemporaryArgument>,
    /// The hidden variable for whether the current call is a replay of a returned call. All calls share it.
    pub is_repeated: Option<SavedMemberId>,
    /// Pointers that are not set in a restart. The restart nullifies them.
    pub unset: BTreeSet<String>,
    /// A call may end otherwise than by returning, so it cannot be written twice.
    pub branches: bool,
    /// The targets of jumps.
    pub landings: Vec<Span>,
    /// The byte at which lifted steps will be inserted. Their names have the meaning that they have there.
    pub stand: u32,
    /// The byte at which the names of these steps are looked up, if it differs. Names from the header of a
    /// loop are not visible at the end of its body.
    pub names_at: Option<u32>,
    /// Variables that would have to be saved at a position where their names mean other variables. They must
    /// be registered in place, and the procedure is planned again.
    pub hidden_variables: BTreeSet<VariableId>,
    /// The names that the user registers in this procedure.
    named: HashSet<&'a str>,
    inner: Vec<InnerRegister>,
}

/// The properties of a language that the shared parts of planning need.
pub(super) trait Rules {
    /// The arguments of a call are evaluated from the last to the first.
    fn evaluates_backwards(&self, program: &Program) -> bool;

    /// The part of an operand that is evaluated before a later call, because the call may change its value.
    fn secured(&self, operand: &Expression) -> Secured;

    /// Prepares an argument of a call that a restart repeats. `is_needed`: a replay needs its value even if
    /// the call has returned in the lost run.
    fn prepare(
        &self,
        builder: &mut PlanBuilder,
        argument: &Expression,
        holes: Vec<Hole>,
        is_needed: bool,
        block: &mut CallBlock,
    ) -> Vec<Hole>;

    /// Provides temporary memory for an argument that may not exist in a replay.
    fn provide_memory(&self, builder: &mut PlanBuilder, argument: &Expression, block: &mut CallBlock);

    /// Whether messages name a procedure as the runtime does, and not as the linker does.
    fn shows_entry_names(&self) -> bool;

    /// Why a call is refused in an expression whose order of evaluation is not known, and what to do.
    fn refusal_of_inner_call(&self) -> (&'static str, &'static str);

    /// Why no variable can have the value of an expression of this class, and what to do.
    fn refusal_of_value(&self, class: Class) -> (&'static str, &'static str);

    /// What to do about a register that ends before the first checkpoint.
    fn help_for_lost_register(&self) -> &'static str;
}

/// The part of an operand that is evaluated before a later call.
pub(super) enum Secured {
    Nothing,
    Parts,
    Value,
}

/// The error for a procedure that leads to a checkpoint, and whose text is not in the main file.
pub(super) fn not_editable(procedure: &Procedure) -> Diagnostic {
    let message =
        format!("`{}` leads to a checkpoint, but its text cannot be rewritten", procedure.entry_name);
    Diagnostic::error("C0501", procedure.name_span, message)
        .because("defined in an included file or by a macro")
        .help("move its definition into a source file that is given to the precompiler")
}

/// The block of a register directive.
pub(super) fn registers(items: &[Item]) -> BlockKind {
    BlockKind::Register(items.iter().map(|item| item.name.clone()).collect())
}

/// The names that the user registers in a procedure.
fn named(procedure: &Procedure) -> HashSet<&str> {
    let items = procedure.directives().into_iter().flat_map(|directive| match &directive.kind {
        DirectiveKind::Register(items) => items.as_slice(),
        _ => &[],
    });
    items.filter(|item| !item.derived).map(|item| item.name.as_str()).collect()
}

/// A register of an automatic variable or of a part of it, or of what an automatic pointer points to.
struct InnerRegister {
    /// The byte of its directive.
    site: u32,
    variable: VariableId,
    name: String,
    is_target: bool,
}

fn inner(procedure: &Procedure) -> Vec<InnerRegister> {
    let mut found = Vec::new();
    for directive in procedure.directives() {
        let DirectiveKind::Register(items) = &directive.kind else { continue };
        found.extend(items.iter().filter(|item| item.automatic).filter_map(|item| {
            Some(InnerRegister {
                site: directive.span.start,
                variable: item.variable.or(item.root)?,
                name: item.name.clone(),
                is_target: item.kind == ItemKind::Target,
            })
        }));
    }
    found
}

impl<'a> PlanBuilder<'a> {
    pub fn new(
        program: &'a Program,
        reach: &'a Reach,
        procedure: &'a Procedure,
        rules: &'static dyn Rules,
        stand: u32,
        in_place: &BTreeSet<VariableId>,
    ) -> PlanBuilder<'a> {
        let mut slots = Vec::new();
        let saved = Saved::of(procedure, in_place, &mut slots);
        PlanBuilder {
            program,
            reach,
            procedure,
            rules,
            diagnostics: Vec::new(),
            execute: None,
            saved,
            restored: RestoredVariables::of(reach, procedure),
            slots,
            temporaries: Temporaries::default(),
            numbers: 0,
            blocks: Vec::new(),
            targets: Vec::new(),
            section: 0,
            captures: Vec::new(),
            files: Vec::new(),
            lent: Vec::new(),
            is_repeated: None,
            unset: BTreeSet::new(),
            branches: false,
            landings: Vec::new(),
            stand,
            names_at: None,
            hidden_variables: BTreeSet::new(),
            named: named(procedure),
            inner: inner(procedure),
        }
    }
}

impl PlanBuilder<'_> {
    pub fn is_instrumented(&self, callee: &Callee) -> bool {
        self.reach.may_be_instrumented(self.procedure.unit, callee)
    }

    /// Why text from outside of the main file cannot be changed, and what to do.
    pub fn out_of_reach(&self, anchor: Span, macro_name: Option<&str>) -> (String, &'static str) {
        let included = self.procedure.place.is_some_and(|place| place.file != anchor.file);
        match macro_name {
            None if included => (
                "in an included file".to_owned(),
                "write the text of the file into the source, in place of the line that includes it",
            ),
            None => ("part of what a macro makes".to_owned(), "write it out, without the macro"),
            Some(name) => (format!("part of the expansion of `{name}`"), "write it out, without the macro"),
        }
    }

    pub fn next_number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    pub fn add_slot(
        &mut self,
        kind: SavedMemberKind,
        pattern: Pattern,
        code: Option<TypeCode>,
    ) -> SavedMemberId {
        self.slots.push(SavedMember { kind, pattern, code, class: Class::Arithmetic });
        SavedMemberId(self.slots.len() - 1)
    }

    /// The number of a new block. A restart can jump to it, unless it is `init`.
    pub fn new_block(&mut self, at: Span, kind: BlockKind) -> u32 {
        let is_target = kind != BlockKind::Init;
        self.blocks.push(kind);
        let number = self.blocks.len() as u32;
        if is_target {
            self.targets.push(number);
            self.landings.push(at);
        }
        number
    }

    /// A hidden variable.
    pub fn hidden(&mut self, role: Role, pattern: Pattern) -> SavedMemberId {
        let number = self.next_number();
        self.add_slot(SavedMemberKind::Hidden { role, number }, pattern, None)
    }

    pub fn saved_at(&mut self, at: u32) -> Vec<SavedValue> {
        let names_at = self.names_at.unwrap_or(at);
        self.hidden_variables.extend(self.saved.hidden_at(self.procedure, names_at));
        self.saved.at(self.procedure, at, names_at)
    }

    /// The registers of variables that are out of scope at this byte, and may have been registered before.
    /// Their memory may contain other data now. The structure of saved values still contains the values of the others.
    /// A pointer among them may point to a variable that is out of scope too.
    pub fn ended_at(&self, at: u32) -> Vec<String> {
        let at = self.names_at.unwrap_or(at);
        let mut ended: Vec<String> = Vec::new();
        for InnerRegister { site, variable, name, is_target } in &self.inner {
            let scope = self.procedure.variable(*variable).scope;
            let is_here = scope.start <= at && at < scope.end;
            if !is_here
                && (*is_target || self.saved.slot(*variable).is_none())
                && self.saved.may_follow(*site, at)
                && !ended.contains(name)
            {
                ended.push(name.clone());
            }
        }
        ended
    }

    /// The items without the sizes that the user also registers in this procedure.
    pub fn wanted(&self, items: &[Item]) -> Vec<Item> {
        let kept = items.iter().filter(|item| !item.derived || !self.named.contains(item.name.as_str()));
        kept.cloned().collect()
    }

    pub fn registered(&self, items: &[Item]) -> Vec<Registered> {
        let registered = items.iter().map(|item| {
            let variable = item.variable;
            let slot = variable.and_then(|variable| self.saved.slot(variable));
            let is_part_of_dummy = item.traits.dummy && matches!(item.kind, ItemKind::Followed { .. });
            let parameter =
                is_part_of_dummy || variable.is_some_and(|v| self.procedure.variable(v).parameter);
            let way = item
                .access_path
                .iter()
                .map(|point| point.variable.and_then(|variable| self.saved.way(variable)))
                .collect();
            let item = Item { automatic: self.ends_with_frame(item), ..item.clone() };
            Registered { item: Arc::new(item), slot, parameter, way }
        });
        registered.collect()
    }

    /// Whether a register ends with the frame. It does if its memory ends with the frame, or a pointer that a
    /// restart needs to find it.
    fn ends_with_frame(&self, item: &Item) -> bool {
        item.automatic || item.root.is_some_and(|root| !self.restored.restores(root))
    }

    /// A captured variable. It is captured by a copy if taking its address would prevent optimisations.
    pub fn captured(&mut self, item: &Item) -> Captured {
        let variable = item.variable.map(|id| self.procedure.variable(id).clone());
        let saved = variable.and_then(|variable| variable.saved_type);
        let slot = saved.and_then(|ty| {
            let number = self.next_number();
            let kind = SavedMemberKind::Capture { name: item.lvalue.clone(), number };
            ty.pattern.map(|pattern| self.add_slot(kind, pattern, Some(item.code.clone())))
        });
        Captured { item: Arc::new(item.clone()), slot }
    }

    /// An execute block begins.
    pub fn executes(&mut self, captures: &[Item], files: &[OpenedFile]) -> BlockKind {
        self.files = files.to_vec();
        BlockKind::Execute {
            captures: captures.iter().map(|item| item.name.clone()).collect(),
            handles: files.iter().map(|file| file.handle.clone()).collect(),
        }
    }

    /// The structures that registers, captures and slots are described with.
    pub fn records(&self) -> Vec<Arc<RecordType>> {
        let mut records = Vec::new();
        for directive in self.procedure.directives() {
            if let DirectiveKind::Register(items) | DirectiveKind::Execute { captures: items, .. } =
                &directive.kind
            {
                items.iter().for_each(|item| add_records(&item.code, &mut records));
                let reached = items.iter().filter_map(|item| item.graph.as_ref());
                let reached = reached.flat_map(|graph| &graph.records);
                reached.for_each(|record| add_record(record, &mut records));
            }
        }
        for code in self.slots.iter().filter_map(|slot| slot.code.as_ref()) {
            add_records(code, &mut records);
        }
        records
    }

    /// The graphs that the items reach.
    pub fn graphs(&self) -> Vec<Arc<Graph>> {
        let items = self.procedure.directives().into_iter().filter_map(|directive| match &directive.kind {
            DirectiveKind::Register(items) => Some(items),
            _ => None,
        });
        items.flatten().filter_map(|item| item.graph.clone()).collect()
    }

    /// Registers of automatic variables end with their procedure: without a checkpoint before that,
    /// they do nothing.
    pub fn warn_of_lost_registers(&mut self, id: ProcedureId) {
        if !self.program.whole || self.reach.leads_to_checkpoint(id) {
            return;
        }
        let help = self.rules.help_for_lost_register();
        for directive in self.procedure.directives() {
            let DirectiveKind::Register(items) = &directive.kind else { continue };
            let ending =
                items.iter().filter(|item| self.ends_with_frame(item) && !item.derived).collect::<Vec<_>>();
            for item in ending {
                let message = format!(
                    "`{}` is registered, but no checkpoint is reached before its register ends",
                    item.lvalue
                );
                self.diagnostics.push(
                    Diagnostic::warning("C0506", item.span, message)
                        .because(format!("its register ends when `{}` returns", self.procedure.entry_name))
                        .help(help),
                );
            }
        }
    }
}
