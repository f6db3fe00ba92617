//! `by(kind)`: the integer that selects the valid member of a union.
//!
//! Input: the clauses of an item, and its type.
//! Output: the unions, and which value selects which of their members.
//! Postcondition: each value selects one member, or none of a union that is empty then. The integer is a field next to the
//! union, or a variable that exists as long as the union.

use std::collections::BTreeSet;
use std::ops::Range;

use cppc_grammar::c::token::{Name, Token};
use cppc_grammar::c::tree::ExprKind;
use cppc_grammar::directive::{spell_tightly, CBy, CItem};
use cppc_source::Diagnostic;

use super::amount::Memory;
use super::binder::Binder;
use super::ids::{RecordId, ScopeId, SymbolId};
use super::items::{Element, ItemForm, SelectedUnion, Selections, SelectorVariable};
use super::lvalue::is_lvalue;
use super::symbols::StorageKind;
use super::types::{Kind, Type};

/// The values and members of one clause, as far as they do not depend on the union. None for `by(kind)`.
type Cases = Option<Vec<(i128, Option<Name>)>>;

impl Binder<'_> {
    /// The unions of an item whose members are selected. `stated` are the types of pointers to `void`.
    pub(super) fn selections(
        &mut self,
        pragma: usize,
        item: &CItem,
        memory: &Memory,
        stated: &[(String, Type)],
    ) -> Option<Selections> {
        let mut found = Selections::default();
        let element = memory.counted.leaf_element().unqualified();
        let mut reached = Vec::new();
        self.reach_records(&element, memory.is_deep.then_some(stated), &mut reached);
        for by in &item.by {
            let cases = self.cases(pragma, item, by)?;
            let owners = self.owners(pragma, by, &reached);
            let is_union = matches!(element.kind, Kind::Record(id) if self.tables.record(id).union);
            match (owners.is_empty(), is_union && !memory.is_deep) {
                (false, _) => {
                    for (owner, field) in owners {
                        self.add_selected(item, by, &mut found, (owner, Some(field)), &cases)?;
                    }
                }
                (true, true) => {
                    let Kind::Record(union) = element.kind else { return None };
                    found.variable = Some(self.selector_variable(pragma, item, by, memory)?);
                    self.add_selected(item, by, &mut found, (union, None), &cases)?;
                }
                (true, false) => {
                    let what =
                        "no structure that is saved has a union and an integer field of this name next to it";
                    self.refuse_by(item, by, what);
                    return None;
                }
            }
        }
        found.text = item.by.iter().map(|by| by.text.clone()).collect::<Vec<_>>().join(", ");
        found.affected = reached.iter().copied().filter(|&id| self.contains_selected(id, &found)).collect();
        Some(found)
    }

    /// All structures in a type, and with `stated` those that its pointers reach.
    fn reach_records(&self, ty: &Type, stated: Option<&[(String, Type)]>, found: &mut Vec<RecordId>) {
        match &ty.leaf_element().kind {
            Kind::Pointer(target) if stated.is_some() && !target.is_function() => {
                self.reach_records(target, stated, found);
            }
            Kind::Record(id) if !found.contains(id) => {
                found.push(*id);
                for field in self.tables.record(*id).fields.iter().flatten() {
                    let name = field.name.map_or("", |name| self.text(name));
                    let known = stated.and_then(|stated| stated.iter().find(|(known, _)| known == name));
                    let is_void = field.ty.leaf_element().target().is_some_and(Type::is_void);
                    match known.filter(|_| is_void) {
                        Some((_, ty)) => self.reach_records(ty, stated, found),
                        None => self.reach_records(&field.ty, stated, found),
                    }
                }
            }
            _ => {}
        }
    }

    fn tokens_in(&self, pragma: usize, range: &Range<usize>) -> &[Token] {
        self.preprocessed.pragmas[pragma].expanded.get(range.clone()).unwrap_or_default()
    }

    /// The structures with a union and the integer of the clause, and the number of the union.
    fn owners(&self, pragma: usize, by: &CBy, reached: &[RecordId]) -> Vec<(RecordId, usize)> {
        let [integer] = self.tokens_in(pragma, &by.integer) else { return Vec::new() };
        let union_name = by.union.as_ref().map(|range| self.tokens_in(pragma, range));
        let mut owners = Vec::new();
        for &id in reached.iter().filter(|id| !self.tables.record(**id).union) {
            let is_integer = |id| {
                let field = self.tables.field(id, integer.text);
                field.is_some_and(|field| field.ty.is_integer())
            };
            for (index, field) in self.tables.record(id).fields.iter().flatten().enumerate() {
                let Kind::Record(inner) = field.ty.kind else { continue };
                let is_meant = match (&union_name, field.name) {
                    (None, _) => true,
                    (Some([token]), Some(name)) => token.text == name,
                    (Some(_), _) => false,
                };
                let is_inside = field.name.is_none() && self.tables.field(inner, integer.text).is_some();
                if self.tables.record(inner).union && is_meant && is_integer(id) && !is_inside {
                    owners.push((id, index));
                }
            }
        }
        owners
    }

    /// The values of a clause, and the names of their members.
    fn cases(&mut self, pragma: usize, item: &CItem, by: &CBy) -> Option<Cases> {
        let Some(cases) = &by.cases else { return Some(None) };
        let mut found: Vec<(i128, Option<Name>)> = Vec::new();
        for case in cases {
            let expression = self.typed_tokens(pragma, item, case.value.clone())?;
            let Some(value) = self.constant(&expression) else {
                self.refuse_by(item, by, "a value before `=` is not a constant");
                return None;
            };
            if found.iter().any(|(known, _)| *known == value) {
                self.refuse_by(item, by, &format!("the value {value} is given twice"));
                return None;
            }
            let member = match self.tokens_in(pragma, &case.member) {
                [] => None,
                [token] => Some(token.text),
                _ => {
                    self.refuse_by(item, by, "a member after `=` is not the name of a field");
                    return None;
                }
            };
            found.push((value, member));
        }
        Some(Some(found))
    }

    fn add_selected(
        &mut self,
        item: &CItem,
        by: &CBy,
        found: &mut Selections,
        (owner, field): (RecordId, Option<usize>),
        cases: &Cases,
    ) -> Option<()> {
        let selected = found.owners.entry(owner).or_default();
        if selected.iter().any(|other| other.field == field || other.integer == by.integer_text) {
            self.refuse_by(item, by, "the structure has several unions, or several clauses for one union");
            return None;
        }
        let union = match field.and_then(|field| self.tables.record(owner).fields.as_ref()?.get(field)) {
            Some(field) => field.ty.clone(),
            None => Type::from(Kind::Record(owner)),
        };
        let Kind::Record(union) = union.kind else { return None };
        let members = self.tables.record(union).fields.clone().unwrap_or_default();
        let is_member = |index: &usize| members[*index].bits.is_none() || members[*index].name.is_some();
        let numbers: Vec<usize> = (0..members.len()).filter(is_member).collect();
        let cases = match cases {
            None => numbers.iter().enumerate().map(|(value, index)| (value as i128, Some(*index))).collect(),
            Some(cases) => {
                let mut list = Vec::new();
                for (value, member) in cases {
                    let index = member.map(|name| members.iter().position(|field| field.name == Some(name)));
                    if index == Some(None) || (index.is_none() && field.is_none()) {
                        let name = member.map_or("", |name| self.text(name));
                        self.refuse_by(item, by, &format!("the union has no member `{name}`"));
                        return None;
                    }
                    list.push((*value, index.flatten()));
                }
                list
            }
        };
        let integer = by.integer_text.clone();
        found.owners.entry(owner).or_default().push(SelectedUnion { field, integer, cases });
        Some(())
    }

    /// The variable that selects the member of a plain union.
    fn selector_variable(
        &mut self,
        pragma: usize,
        item: &CItem,
        by: &CBy,
        memory: &Memory,
    ) -> Option<SelectorVariable> {
        if memory.slot != ItemForm::Aggregate
            || memory.ty.is_array()
            || memory.through_pointer
            || by.union.is_some()
        {
            self.refuse_by(
                item,
                by,
                "the item is not one union: put each union and its integer into a structure",
            );
            return None;
        }
        let expression = self.typed_tokens(pragma, item, by.integer.clone())?;
        let ty = self.type_of(expression.id).clone();
        let root = self.root(&expression).and_then(|root| self.binding(root));
        let root = root.filter(|&root| self.is_variable(root) && is_lvalue(&expression));
        let is_plain = !self.through_pointer(&expression)
            && super::visit::find(&expression, &|part| matches!(part.kind, ExprKind::Index { .. })).is_none();
        let code = match self.element(&ty.unqualified()) {
            Some(Element::Code(code)) if ty.is_integer() && self.bit_field(&expression).is_none() => {
                Some(code)
            }
            _ => None,
        };
        let (Some(root), Some(code), true) = (root, code, is_plain) else {
            self.refuse_by(item, by, "an integer variable, or an integer field of a variable, was expected");
            return None;
        };
        if !self.outlives(root, memory.root) {
            self.refuse_by(item, by, "the variable may not exist as long as the union, or it has no address");
            return None;
        }
        let text = spell_tightly(self.tokens_in(pragma, &by.integer), &self.preprocessed.names);
        let is_qualified = ty.qualifiers != Default::default();
        Some(SelectorVariable { text, code, is_qualified })
    }

    /// Whether a variable has an address, and exists as long as another one.
    fn outlives(&self, variable: SymbolId, other: SymbolId) -> bool {
        let (variable, other) = (self.symbol(variable), self.symbol(other));
        let parent = |scope: &ScopeId| self.scopes[scope.0 as usize].parent;
        let mut around = std::iter::successors(Some(other.scope), parent);
        match variable.storage {
            StorageKind::Register | StorageKind::None => false,
            StorageKind::Automatic => {
                other.storage == StorageKind::Automatic && around.any(|scope| scope == variable.scope)
            }
            StorageKind::StaticLocal | StorageKind::StaticFile | StorageKind::Global => {
                !variable.thread_local
            }
        }
    }

    /// Whether a structure contains a selected union, also in its structures.
    fn contains_selected(&self, id: RecordId, selections: &Selections) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if selections.owners.contains_key(&id) {
                return true;
            }
            if seen.insert(id) {
                let fields = self.tables.record(id).fields.iter().flatten();
                open.extend(fields.filter_map(|field| match field.ty.leaf_element().kind {
                    Kind::Record(inner) => Some(inner),
                    _ => None,
                }));
            }
        }
        false
    }

    pub(super) fn refuse_by(&mut self, item: &CItem, by: &CBy, because: &str) {
        let message = format!("`{}` does not select the members of a union of `{}`", by.text, item.text);
        let diagnostic = Diagnostic::error("C0466", by.span, message).because(because).help(
            "name an integer field next to the union, `by(kind)`, or the members for its values, `by(kind: 0 = n, 1 = x)`",
        );
        self.diagnostics.push(diagnostic);
    }
}
