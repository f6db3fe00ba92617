//! Followers: procedures of modules that report the memory of allocatables and pointers, and re-pass other variables.
//!
//! A procedure that sees a registered variable of a module re-passes it before each checkpoint and call. There are two
//! reasons for the module to do it instead. If a checkpoint is in another procedure, the memory of an allocatable may
//! have moved since. And if many variables are registered, the generated text of all procedures together is too long.
//!
//! Input: the register directives and the checkpoints.
//! Output: a follower for each module with such variables.
//! Postcondition: a warning names each registered variable that a checkpoint may not see and that has no follower.

use cppc_grammar::fortran::tree::UnitKind;
use cppc_source::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

use super::Builder;
use crate::bind::fortran::{
    Bound, DirectiveKind, Item as BoundItem, ItemKind, ProcedureId, ScopeId, ScopeKind, SymbolId,
};
use crate::model::{Follower, FollowerName, UnitId};

/// The checkpoints of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checkpoints {
    /// Those of the Fortran sources of the request.
    Here,
    /// Others may exist, in C or in sources that are not part of the request.
    Elsewhere,
}

/// The largest number of registered variables of a module that the procedures of the program re-pass themselves.
const FEW: usize = 12;

/// The variables that have a follower, and those that need one. `None` if there can be none.
pub(super) type Followers = FxHashMap<SymbolId, Option<FollowerName>>;

pub(super) fn find(bound: &Bound, units: &[Option<UnitId>], checkpoints: Checkpoints) -> Followers {
    let at = bound.directives.values().filter(|one| matches!(one.kind, DirectiveKind::Checkpoint(_)));
    let at: FxHashSet<ProcedureId> = at.map(|directive| directive.procedure).collect();
    let mut followers = Followers::default();
    for item in registered(bound).map(|(_, item)| item) {
        if followers.contains_key(&item.root) || !is_followed(bound, item) {
            continue;
        }
        if checkpoints == Checkpoints::Elsewhere || at.iter().any(|&id| !reports(bound, id, item)) {
            followers.insert(item.root, name(bound, units, item.root));
        }
    }
    for variable in of_large_modules(bound) {
        if let (Entry::Vacant(place), Some(name)) = (followers.entry(variable), name(bound, units, variable))
        {
            place.insert(Some(name));
        }
    }
    followers
}

/// The registered variables of modules that have many of them.
fn of_large_modules(bound: &Bound) -> impl Iterator<Item = SymbolId> {
    let mut modules: FxHashMap<ScopeId, FxHashSet<SymbolId>> = FxHashMap::default();
    for (_, item) in registered(bound).filter(|(_, item)| is_of_module(bound, item)) {
        modules.entry(bound.symbol(item.root).scope).or_default().insert(item.root);
    }
    modules.into_values().filter(|variables| variables.len() > FEW).flatten()
}

/// The registered items with the sources of their directives.
fn registered<'b>(bound: &'b Bound) -> impl Iterator<Item = (usize, &'b BoundItem)> {
    bound.directives.iter().flat_map(|((source, _), directive)| {
        let items = match &directive.kind {
            DirectiveKind::Register(items) => &items[..],
            _ => &[],
        };
        items.iter().map(move |item| (*source, item))
    })
}

/// An allocatable or a pointer of a module, or a part of one of its variables.
fn is_followed(bound: &Bound, item: &BoundItem) -> bool {
    let moves = matches!(item.kind, ItemKind::Followed { .. }) || item.tree.is_some();
    moves && is_of_module(bound, item)
}

fn is_of_module(bound: &Bound, item: &BoundItem) -> bool {
    let symbol = bound.symbol(item.root);
    matches!(bound.scope(symbol.scope).kind, ScopeKind::Module) && symbol.common.is_none()
}

/// Whether a procedure can report the memory of an item itself.
fn reports(bound: &Bound, procedure: ProcedureId, item: &BoundItem) -> bool {
    sees(bound, procedure, item.root)
        && bound.with_type_names(bound.procedure(procedure).scope, item).is_some()
}

/// Whether a procedure has a name for the variable.
fn sees(bound: &Bound, procedure: ProcedureId, variable: SymbolId) -> bool {
    let mut hidden = FxHashSet::default();
    let first = bound.procedure(procedure).scope;
    std::iter::successors(Some(first), |&scope| bound.scope(scope).parent).any(|scope| {
        let names = &bound.scope(scope).names;
        let is_seen = names.iter().any(|(name, &id)| id == variable && !hidden.contains(name.as_str()));
        hidden.extend(names.keys().map(String::as_str));
        is_seen
    })
}

fn name(bound: &Bound, units: &[Option<UnitId>], variable: SymbolId) -> Option<FollowerName> {
    let scope = bound.scope(bound.symbol(variable).scope);
    let is_translated = bound.sources[scope.source].translated && units.get(scope.source)?.is_some();
    let unit = scope.unit?;
    bound.place(scope.source, bound.statement_at(scope.source, unit.end?))?;
    let is_submodule = matches!(unit.kind, UnitKind::Submodule { .. });
    is_translated.then(|| FollowerName { module: scope.name.clone(), is_submodule })
}

/// Whether an item can be written in the module: it contains no name but that of its variable and of components.
fn is_plain(item: &BoundItem) -> bool {
    let mut before = '%';
    let mut rest = item.lvalue.as_str();
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_alphanumeric() || letter == '_') {
        before = rest[..start].trim_end().chars().next_back().unwrap_or(before);
        let word = &rest[start..];
        let end = word.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let word = &word[..end.unwrap_or(word.len())];
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && !matches!(before, '%' | '#') {
            return false;
        }
        rest = &rest[start + word.len()..];
        before = ' ';
    }
    true
}

impl Builder<'_, '_> {
    /// The registered variables of which followers report or re-pass all registered parts. Other procedures leave them out.
    pub(super) fn left_to_followers(&self) -> FxHashSet<SymbolId> {
        let mut left: FxHashSet<SymbolId> = self.followers.keys().copied().collect();
        for (source, item) in registered(self.bound) {
            if self.follower_of(item, source).is_none() {
                left.remove(&item.root);
            }
        }
        left
    }

    /// The follower that reports or re-passes an item of a directive in this source.
    pub(super) fn follower_of(&self, item: &BoundItem, source: usize) -> Option<FollowerName> {
        if !is_of_module(self.bound, item) || !is_plain(item) {
            return None;
        }
        self.bound.with_type_names(self.bound.symbol(item.root).scope, item)?;
        let found = self.followers.get(&item.root)?.clone()?;
        let home = self.bound.scope(self.bound.symbol(item.root).scope).source;
        (!found.is_submodule || home == source).then_some(found)
    }

    pub(super) fn made_followers(&self, units: &[Option<UnitId>]) -> (Vec<Follower>, Vec<Diagnostic>) {
        let (mut list, mut diagnostics) = (Vec::new(), Vec::new());
        for (source, item) in registered(self.bound) {
            match self.follower_of(item, source) {
                Some(name) => self.add_item(&mut list, units, item, name),
                None if self.whole
                    && self.followers.contains_key(&item.root)
                    && is_followed(self.bound, item) =>
                {
                    diagnostics.push(self.cannot_follow(item));
                }
                None => {}
            }
        }
        (list, diagnostics)
    }

    fn add_item(
        &self,
        list: &mut Vec<Follower>,
        units: &[Option<UnitId>],
        item: &BoundItem,
        name: FollowerName,
    ) {
        let symbol = self.bound.symbol(item.root);
        let scope = self.bound.scope(symbol.scope);
        let place = |line| Some(self.place_of_line(scope.source, line)?.start);
        let (Some(Some(unit)), Some(module)) = (units.get(scope.source), scope.unit) else { return };
        let Some(end) = module.end.and_then(place) else { return };
        let index = list.iter().position(|known: &Follower| known.name == name).unwrap_or_else(|| {
            list.push(Follower {
                unit: *unit,
                name,
                has_contains: module.contains.is_some(),
                end,
                capitals: self.bound.writes_capitals(scope.source),
                names: self.names[scope.source].clone(),
                items: Vec::new(),
            });
            list.len() - 1
        });
        let items = &mut list[index].items;
        if !items.iter().any(|known| known.name == item.name) {
            let item = self.bound.with_type_names(symbol.scope, &item.renamed(&symbol.name));
            items.extend(item.map(|item| self.item_of(&item, None, false)));
        }
    }

    fn cannot_follow(&self, item: &BoundItem) -> Diagnostic {
        let symbol = self.bound.symbol(item.root);
        let module = &self.bound.scope(symbol.scope).name;
        let message =
            format!("the memory of `{}` may move before a checkpoint that does not see it", item.lvalue);
        Diagnostic::warning("C0461", item.span, message)
            .because(format!("the module `{module}` cannot report its address"))
            .note("such a checkpoint would save memory that is no longer the memory of this variable")
            .help(format!("translate the source of `{module}`, write subscripts as numbers, or use `{module}` in each procedure with a checkpoint"))
    }
}
