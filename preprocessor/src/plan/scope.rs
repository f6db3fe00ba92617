//! Which variables are saved, where they are visible, and where they may have been registered.
//!
//! Input: a procedure.
//! Output: one slot for each variable that a register directive names and that can have a member of the
//! structure. The list of variables to save at a byte of the text.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use cppc_source::Span;

use super::{SavedMember, SavedMemberId, SavedMemberKind, SavedValue};
use crate::model::{
    DirectiveKind, ItemKind, Procedure, RecordType, Statement, StatementKind, TypeCode, VariableId,
};

/// The saved variables of a procedure.
#[derive(Debug, Default)]
pub(super) struct Saved {
    slots: BTreeMap<VariableId, SavedMemberId>,
    /// The slots of pointers of access paths that have no slot in `saved`.
    ways: BTreeMap<VariableId, SavedMemberId>,
    /// The bytes at which each is registered.
    sites: BTreeMap<VariableId, Vec<u32>>,
    loops: Vec<Span>,
    /// The order of execution may differ from that of the text: every register may have run before every
    /// block.
    anywhere: bool,
}

impl Saved {
    /// Makes a slot for each variable that is registered by its name, except those that must be registered in
    /// place.
    pub fn of(procedure: &Procedure, in_place: &BTreeSet<VariableId>, slots: &mut Vec<SavedMember>) -> Saved {
        let mut saved = Saved { anywhere: procedure.jumps, ..Saved::default() };
        let mut uses: HashMap<&str, u32> = HashMap::new();
        for directive in procedure.directives() {
            let DirectiveKind::Register(items) = &directive.kind else { continue };
            for item in items.iter().filter(|item| item.kind != ItemKind::Array) {
                let Some(variable) = item.variable else { continue };
                saved.sites.entry(variable).or_default().push(directive.span.start);
                let Some(ty) = &procedure.variable(variable).saved_type else { continue };
                if in_place.contains(&variable) {
                    continue;
                }
                let Some(pattern) = &ty.pattern else { continue };
                if saved.slots.contains_key(&variable) {
                    continue;
                }
                let name = &procedure.variable(variable).name;
                let suffix = suffix(&mut uses, name);
                slots.push(SavedMember {
                    kind: SavedMemberKind::Saved { name: name.clone(), suffix },
                    pattern: pattern.clone(),
                    code: ty.code.clone(),
                    class: ty.class,
                });
                saved.slots.insert(variable, SavedMemberId(slots.len() - 1));
            }
        }
        saved.add_ways(procedure, in_place, slots);
        for statement in &procedure.body.items {
            saved.gather_loops(statement);
        }
        saved
    }

    /// Makes slots for the pointers of access paths. With them, a checkpoint checks that each pointer still
    /// has the same target.
    fn add_ways(
        &mut self,
        procedure: &Procedure,
        in_place: &BTreeSet<VariableId>,
        slots: &mut Vec<SavedMember>,
    ) {
        let mut uses: HashMap<&str, u32> = HashMap::new();
        for directive in procedure.directives() {
            let DirectiveKind::Register(items) = &directive.kind else { continue };
            for variable in items.iter().flat_map(|item| &item.access_path).filter_map(|point| point.variable)
            {
                let Some(ty) = &procedure.variable(variable).saved_type else { continue };
                let Some(pattern) = ty.pattern.clone().filter(|_| !in_place.contains(&variable)) else {
                    continue;
                };
                self.sites.entry(variable).or_default().push(directive.span.start);
                if self.slots.contains_key(&variable) || self.ways.contains_key(&variable) {
                    continue;
                }
                let name = &procedure.variable(variable).name;
                let suffix = suffix(&mut uses, name);
                slots.push(SavedMember {
                    kind: SavedMemberKind::PathPointer { name: name.clone(), suffix },
                    pattern,
                    code: None,
                    class: ty.class,
                });
                self.ways.insert(variable, SavedMemberId(slots.len() - 1));
            }
        }
    }

    fn gather_loops(&mut self, statement: &Statement) {
        let repeats = match &statement.kind {
            StatementKind::Loop(_) => true,
            StatementKind::Construct(construct) => construct.repeats(),
            _ => false,
        };
        if repeats {
            match extent(statement) {
                Some(place) => self.loops.push(place),
                None => self.anywhere = true,
            }
        }
        for child in statement.children() {
            self.gather_loops(child);
        }
    }

    pub fn slot(&self, variable: VariableId) -> Option<SavedMemberId> {
        self.slots.get(&variable).copied()
    }

    /// The slot of a pointer of an access path.
    pub fn way(&self, variable: VariableId) -> Option<SavedMemberId> {
        self.slot(variable).or_else(|| self.ways.get(&variable).copied())
    }

    /// The variables that a block at this byte saves. Names are looked up at the byte `names_at`.
    pub fn at(&self, procedure: &Procedure, at: u32, names_at: u32) -> Vec<SavedValue> {
        let all =
            self.slots.iter().map(|found| (found, true)).chain(self.ways.iter().map(|found| (found, false)));
        let visible = all.filter(|((&variable, _), _)| {
            let name = &procedure.variable(variable).name;
            procedure.visible(name, names_at) == Some(variable) && self.may_be_registered(variable, at)
        });
        visible
            .map(|((&variable, &slot), comes_back)| SavedValue {
                name: procedure.variable(variable).name.clone(),
                slot,
                comes_back,
            })
            .collect()
    }

    /// Variables that exist at this byte, but whose name means another variable there. They cannot be copied.
    pub fn hidden_at(&self, procedure: &Procedure, at: u32) -> Vec<VariableId> {
        let hidden = self.slots.keys().copied().filter(|&id| {
            let variable = procedure.variable(id);
            let exists = variable.scope.start <= at && at < variable.scope.end;
            exists && procedure.visible(&variable.name, at) != Some(id)
        });
        hidden.collect()
    }

    fn may_be_registered(&self, variable: VariableId, at: u32) -> bool {
        self.sites.get(&variable).into_iter().flatten().any(|&site| self.may_follow(site, at))
    }

    /// Whether the code at the earlier byte may have run before the code at the other one.
    pub fn may_follow(&self, earlier: u32, at: u32) -> bool {
        let inside = |span: &Span, byte: u32| span.start <= byte && byte < span.end;
        let again = |l: &Span| inside(l, earlier) && inside(l, at);
        self.anywhere || earlier <= at || self.loops.iter().any(again)
    }
}

/// The suffix that distinguishes variables with the same name: none for the first, 2 for the second.
fn suffix<'a>(uses: &mut HashMap<&'a str, u32>, name: &'a str) -> Option<u32> {
    let count = uses.entry(name).or_default();
    *count += 1;
    (*count > 1).then_some(*count)
}

/// The extent of a statement with all statements inside it.
fn extent(statement: &Statement) -> Option<Span> {
    let inner = statement.children().into_iter().filter_map(extent);
    statement.place.map(|place| inner.filter(|i| i.file == place.file).fold(place, Span::to))
}

/// The structures that the description of a type needs, inner ones first.
pub fn add_records(code: &TypeCode, records: &mut Vec<Arc<RecordType>>) {
    if let TypeCode::Record(record) = code {
        add_record(record, records);
    }
}

/// The same for a structure.
pub fn add_record(record: &Arc<RecordType>, records: &mut Vec<Arc<RecordType>>) {
    for field in &record.fields {
        add_records(&field.code, records);
    }
    if !records.iter().any(|known| Arc::ptr_eq(known, record)) {
        records.push(record.clone());
    }
}
