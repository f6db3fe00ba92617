//! `USE`: the names of modules, and in which order modules have to be read.
//!
//! Input: the modules of all sources, and those that every compiler brings along.
//! Output: their public names in the scopes that use them.
//! Postcondition: a module that was not found leaves its name in the scope.

use std::rc::Rc;

use cppc_grammar::fortran::tree::{Name, Statement, StatementKind, Tree, Unit, UnitKind, Use};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bound::Bound;
use super::built_in;
use super::ids::{Origin, ScopeId, SymbolId};
use super::symbols::{OpaqueModule, ScopeKind, Symbol, SymbolKind};

/// The modules that a source uses, in the order of the text; each may come several times.
pub fn used_modules(tree: &Tree) -> Vec<&Name> {
    let mut list = Vec::new();
    for unit in &tree.units {
        uses_of_unit(unit, &mut list);
    }
    list
}

/// The modules and submodules that a source defines.
pub fn defined_modules(tree: &Tree) -> Vec<&Name> {
    let modules = tree.units.iter().filter(|unit| matches!(unit.kind, UnitKind::Module));
    modules.filter_map(|unit| unit.name.as_ref()).collect()
}

fn uses_of_unit<'t>(unit: &'t Unit, list: &mut Vec<&'t Name>) {
    if let UnitKind::Submodule { ancestor, .. } = &unit.kind {
        list.push(ancestor);
    }
    uses_of_statements(&unit.specification, list);
    uses_of_statements(&unit.execution, list);
    for contained in &unit.contained {
        uses_of_unit(contained, list);
    }
}

fn uses_of_statements<'t>(statements: &'t [Statement], list: &mut Vec<&'t Name>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Use(found) => list.push(&found.module),
            StatementKind::Interface(found) => {
                for body in &found.bodies {
                    uses_of_unit(body, list);
                }
            }
            StatementKind::Construct(construct) => {
                for part in &construct.parts {
                    uses_of_statements(&part.statements, list);
                }
            }
            _ => {}
        }
    }
}

impl<'a> Bound<'a> {
    /// The scopes of program units, each behind those of the modules that it uses.
    pub(super) fn units_in_order(&self) -> Vec<ScopeId> {
        let top: Vec<ScopeId> = self.scope_ids().filter(|&id| self.is_top(id)).collect();
        let mut submodules: FxHashMap<&str, ScopeId> = FxHashMap::default();
        for &id in &top {
            if self.is_submodule(id) {
                submodules.insert(&self.scope(id).name, id);
            }
        }
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        // Depth first, without recursion: a chain of modules may be long.
        let mut stack: Vec<(ScopeId, bool)> = top.iter().rev().map(|&id| (id, false)).collect();
        while let Some((id, done)) = stack.pop() {
            if done {
                order.push(id);
                continue;
            }
            if !seen.insert(id) {
                continue;
            }
            stack.push((id, true));
            let mut used = Vec::new();
            if let Some(unit) = self.scope(id).unit {
                uses_of_unit(unit, &mut used);
                if let UnitKind::Submodule { parent: Some(parent), .. } = &unit.kind {
                    stack.extend(submodules.get(parent.text.as_str()).map(|&parent| (parent, false)));
                }
            }
            stack.extend(used.iter().filter_map(|name| self.modules.get(&name.text)).map(|&id| (id, false)));
        }
        order
    }

    /// Whether the program unit around a scope uses a module, also through other modules. Then the compiler has compiled the
    /// module before.
    pub(super) fn is_used(&self, scope: ScopeId, module: ScopeId) -> bool {
        // A submodule is inside of its module.
        let units: Vec<ScopeId> = self.around(scope).filter(|&id| self.scope(id).unit.is_some()).collect();
        let Some(&innermost) = units.first() else { return false };
        let known = self.used.borrow().get(&innermost).cloned();
        let used = known.unwrap_or_else(|| {
            let found = Rc::new(self.used_by(units));
            self.used.borrow_mut().insert(innermost, Rc::clone(&found));
            found
        });
        used.contains(&module)
    }

    /// A scope and those around it.
    pub(super) fn around(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> + '_ {
        std::iter::successors(Some(scope), |&id| self.scope(id).parent)
    }

    /// Whether a scope is in a main program, and the compiler has compiled the module before. No module uses a main program.
    pub(super) fn is_compiled_before(&self, scope: ScopeId, module: ScopeId) -> bool {
        let outermost = self.scope(self.around(scope).last().unwrap_or(scope));
        let is_program = outermost.unit.is_some_and(|unit| matches!(unit.kind, UnitKind::Program));
        let file = format!("{}.mod", self.scope(module).name);
        is_program
            && self.sources[outermost.source].module_directories.iter().any(|path| path.join(&file).is_file())
    }

    fn used_by(&self, units: Vec<ScopeId>) -> FxHashSet<ScopeId> {
        let mut found = FxHashSet::default();
        let mut waiting = units;
        while let Some(next) = waiting.pop() {
            let Some(unit) = self.scope(next).unit else { continue };
            let mut names = Vec::new();
            uses_of_unit(unit, &mut names);
            let modules = names.iter().filter_map(|name| self.modules.get(&name.text));
            waiting.extend(modules.filter(|&&module| found.insert(module)));
        }
        found
    }

    fn is_top(&self, id: ScopeId) -> bool {
        let scope = self.scope(id);
        scope.unit.is_some() && scope.parent.is_none() && !matches!(scope.kind, ScopeKind::Interface(_))
    }

    fn is_submodule(&self, id: ScopeId) -> bool {
        self.scope(id).unit.is_some_and(|unit| matches!(unit.kind, UnitKind::Submodule { .. }))
    }

    /// Lets submodules see what their ancestors declare. Only when the units are in order: until then they are
    /// at the top themselves.
    pub(super) fn link_submodules(&mut self, order: &[ScopeId]) {
        let mut found: FxHashMap<(String, String), ScopeId> = FxHashMap::default();
        for &id in order {
            let Some(UnitKind::Submodule { ancestor, parent }) = self.scope(id).unit.map(|unit| &unit.kind)
            else {
                continue;
            };
            let key = |name: &str| (ancestor.text.clone(), name.to_owned());
            let above = match parent {
                Some(parent) => found.get(&key(&parent.text)).copied(),
                None => self.modules.get(&ancestor.text).copied(),
            };
            found.insert(key(&self.scope(id).name), id);
            match above.filter(|&above| !self.is_within(above, id)) {
                Some(above) => self.scopes[id.0 as usize].parent = Some(above),
                None => {
                    let module = OpaqueModule { name: ancestor.text.clone(), prefixes: &[] };
                    self.scopes[id.0 as usize].opaque.push(module);
                }
            }
        }
    }

    /// Whether a scope is another one, or is inside of it. The ancestor that a wrong source names may be inside of its own
    /// submodule.
    fn is_within(&self, scope: ScopeId, outer: ScopeId) -> bool {
        let mut chain = std::iter::successors(Some(scope), |&id| self.scope(id).parent);
        chain.any(|id| id == outer)
    }

    /// `USE module`: its public names.
    pub(super) fn use_module(&mut self, scope: ScopeId, found: &'a Use) {
        let name = found.module.text.as_str();
        let known = if found.intrinsic { None } else { self.modules.get(name).copied() };
        match known.or_else(|| self.built_in_module(name)) {
            Some(module) if module != scope => self.use_known(scope, found, module),
            _ => self.use_opaque(scope, found),
        }
    }

    fn use_known(&mut self, scope: ScopeId, found: &'a Use, module: ScopeId) {
        let mut names: Vec<(String, SymbolId)> = Vec::new();
        let exported = |bound: &Self, name: &str| {
            let id = bound.scope(module).names.get(name).copied();
            id.filter(|_| bound.is_public(module, name))
        };
        // A name may be that of a type and of a generic procedure.
        let both = |bound: &Self, theirs: &str, local: &str| {
            let of_type = (format!("type {theirs}"), format!("type {local}"));
            let pairs = [(theirs.to_owned(), local.to_owned()), of_type];
            let found =
                pairs.into_iter().filter_map(|(theirs, local)| Some((local, exported(bound, &theirs)?)));
            found.collect::<Vec<_>>()
        };
        match &found.only {
            Some(only) => {
                for one in only {
                    let pairs = both(self, &one.theirs.text, &one.local.text);
                    // What it lacks may come from a module that was not found, through it.
                    if pairs.is_empty() && self.opaque_module(module, &one.theirs.text).is_some() {
                        self.unknown_name(scope, &one.local);
                    }
                    names.extend(pairs);
                }
                // The tree leaves operators and assignments out of the list: they come along.
                let all = self.scope(module).names.iter();
                let operators =
                    all.filter(|(name, _)| name.starts_with("operator(") || name.starts_with("assignment("));
                names.extend(operators.map(|(name, &id)| (name.clone(), id)));
            }
            None => {
                let renamed: Vec<&str> = found.renames.iter().map(|one| one.theirs.text.as_str()).collect();
                let all = self.scope(module).names.iter();
                let all = all.filter(|(name, _)| {
                    let plain = name.strip_prefix("type ").unwrap_or(name);
                    !renamed.contains(&plain) && self.is_public(module, name)
                });
                names.extend(all.map(|(name, &id)| (name.clone(), id)));
                for one in &found.renames {
                    names.extend(both(self, &one.theirs.text, &one.local.text));
                }
                let more = self.scope(module).opaque.clone();
                self.scopes[scope.0 as usize].opaque.extend(more);
            }
        }
        for (name, id) in names {
            self.import(scope, name, id);
        }
    }

    fn import(&mut self, scope: ScopeId, name: String, id: SymbolId) {
        let known = self.scope(scope).names.get(&name).copied();
        let merged = known.filter(|&known| known != id).and_then(|known| {
            match (&self.symbol(known).kind, &self.symbol(id).kind) {
                (SymbolKind::Generic(one), SymbolKind::Generic(other)) => {
                    let mut all = one.clone();
                    all.extend(other.iter().filter(|new| !one.contains(new)).cloned());
                    Some(all)
                }
                _ => None,
            }
        });
        match merged {
            Some(all) => {
                let mut symbol = Symbol::new(&name, scope, Origin::built_in());
                (symbol.kind, symbol.typed) = (SymbolKind::Generic(all), true);
                self.push_symbol(symbol);
            }
            // A procedure that is declared here is known before the modules that are used.
            None => {
                self.scopes[scope.0 as usize].names.entry(name).or_insert(id);
            }
        }
    }

    pub(super) fn is_public(&self, module: ScopeId, name: &str) -> bool {
        let scope = self.scope(module);
        let plain = name.strip_prefix("type ").unwrap_or(name);
        !scope.access.get(plain).copied().unwrap_or(scope.private)
    }

    fn use_opaque(&mut self, scope: ScopeId, found: &'a Use) {
        let module = found.module.text.clone();
        let prefixes = built_in::prefixes(&module);
        match &found.only {
            Some(only) => {
                for one in only.iter().filter(|one| !one.theirs.text.is_empty()) {
                    self.unknown_name(scope, &one.local);
                }
                let names = OpaqueModule { name: module, prefixes };
                if !prefixes.is_empty() {
                    self.scopes[scope.0 as usize].opaque.push(names);
                }
            }
            None => self.scopes[scope.0 as usize].opaque.push(OpaqueModule { name: module, prefixes }),
        }
    }

    fn unknown_name(&mut self, scope: ScopeId, name: &Name) {
        if self.scope(scope).names.contains_key(&name.text) {
            return;
        }
        let mut symbol = Symbol::new(&name.text, scope, Origin::of(self.scope(scope).source, name));
        (symbol.kind, symbol.typed) = (SymbolKind::Unknown, true);
        symbol.ty = built_in::type_of_foreign(&name.text);
        self.push_symbol(symbol);
    }
}
