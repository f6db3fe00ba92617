//! Scopes and procedures of the program units, before anything in them is looked at.
//!
//! Input: trees.
//! Output: a scope for each unit, a procedure for each subprogram and main program, the tables of modules and
//! external procedures.

use cppc_grammar::fortran::tree::{DummyArgument, Prefix, StatementKind, Unit, UnitKind};
use rustc_hash::FxHashMap;

use super::bound::{Bound, Procedure, ProcedureKind};
use super::ids::{Origin, ProcedureId, ScopeId, SymbolId};
use super::symbols::{Implicit, ProcedureTarget, Scope, ScopeKind, Symbol, SymbolKind};
use super::types::Type;

/// Where a unit stands.
#[derive(Clone, Copy)]
pub(super) struct Around {
    pub source: usize,
    pub host: Option<ScopeId>,
}

impl<'a> Bound<'a> {
    /// Declares all units of all sources.
    pub(super) fn declare_units(&mut self) {
        for (source, found) in self.sources.iter().enumerate() {
            for unit in &found.tree.units {
                self.declare_unit(unit, Around { source, host: None });
            }
        }
    }

    fn declare_unit(&mut self, unit: &'a Unit, around: Around) {
        let name = unit.name.as_ref().map_or("", |name| name.text.as_str());
        let scope = self.new_scope(unit, around, name);
        match &unit.kind {
            UnitKind::Module => {
                self.modules.entry(name.to_owned()).or_insert(scope);
            }
            // Their ancestors are linked once all modules are known.
            UnitKind::Submodule { .. } | UnitKind::BlockData => {}
            _ => {
                self.declare_procedure(unit, around, scope);
            }
        }
        for contained in &unit.contained {
            self.declare_unit(contained, Around { source: around.source, host: Some(scope) });
        }
    }

    fn new_scope(&mut self, unit: &'a Unit, around: Around, name: &str) -> ScopeId {
        let kind = match unit.kind {
            UnitKind::Module | UnitKind::Submodule { .. } => ScopeKind::Module,
            UnitKind::BlockData => ScopeKind::BlockData,
            // Procedures get their own number when they are declared.
            _ => ScopeKind::Program,
        };
        let implicit = self.initial_implicit(around.source);
        let mut scope = Scope::new(kind, name, around.source, around.host, implicit);
        scope.unit = Some(unit);
        self.push_scope(scope)
    }

    pub(super) fn push_scope(&mut self, scope: Scope<'a>) -> ScopeId {
        let id = ScopeId(self.scopes.len() as u32);
        if let Some(parent) = scope.parent {
            self.scopes[parent.0 as usize].inside.push(id);
        }
        self.scopes.push(scope);
        id
    }

    /// The rules of a scope before it states its own; a host's are known once its declarations have been read.
    pub(super) fn initial_implicit(&self, source: usize) -> Implicit {
        let kinds = &self.sources[source].kinds;
        let mut types = [Type::Real(kinds.real_kind(None)); 26];
        types[8..14].fill(kinds.integer_type(None));
        Implicit { types, none: kinds.implicit_none }
    }

    /// A procedure and its name in its host.
    pub(super) fn declare_procedure(
        &mut self,
        unit: &'a Unit,
        around: Around,
        scope: ScopeId,
    ) -> ProcedureId {
        let id = ProcedureId(self.procedures.len() as u32);
        let interface = matches!(self.scope(scope).kind, ScopeKind::Interface(_));
        let host = around.host.and_then(|host| self.procedure_of(host)).filter(|_| !interface);
        let name = unit.name.as_ref().map_or(String::new(), |name| name.text.clone());
        let kind = match (&unit.kind, host, around.host) {
            (UnitKind::Program, ..) => ProcedureKind::Main,
            (_, Some(_), _) => ProcedureKind::Internal,
            (_, None, Some(_)) if !interface || is_separate(unit) => ProcedureKind::Module,
            _ => ProcedureKind::External,
        };
        let separate = is_separate(unit) || matches!(unit.kind, UnitKind::ModuleProcedure);
        let entry = self.entry_name(&name, kind, host, around, separate);
        let key = match kind {
            ProcedureKind::Main => "MAIN__".to_owned(),
            ProcedureKind::External => external_key(unit, &name),
            ProcedureKind::Module if unit.bind.is_some() => external_key(unit, &name),
            ProcedureKind::Module | ProcedureKind::Internal => entry.clone(),
        };
        if !interface {
            let is_recursive = unit.prefixes.iter().any(|prefix| matches!(prefix, Prefix::Recursive));
            let own = &mut self.scopes[scope.0 as usize];
            own.kind = ScopeKind::Procedure(id);
            let kinds = &self.sources[around.source].kinds;
            own.saves_all = kinds.saves_all && !is_recursive;
            own.largest_on_stack = kinds.largest_on_stack.filter(|_| !is_recursive);
        }
        self.procedures.push(Procedure {
            name: name.clone(),
            key,
            entry,
            kind,
            unit,
            source: around.source,
            scope,
            host,
            dummies: Vec::new(),
            result: None,
            has_body: !interface,
            escapes: false,
            pure: unit.prefixes.iter().any(|prefix| matches!(prefix, Prefix::Pure))
                || (unit.prefixes.iter().any(|prefix| matches!(prefix, Prefix::Elemental))
                    && !unit.prefixes.iter().any(|prefix| matches!(prefix, Prefix::Impure))),
        });
        if kind == ProcedureKind::External && !interface {
            self.externals.entry(name.clone()).or_insert(id);
            self.declare_entries(unit, id);
        }
        if let (Some(host), false) = (around.host, kind == ProcedureKind::Main) {
            self.name_procedure(unit, around.source, host, &name, id);
        }
        id
    }

    /// The procedure's name, where it is declared.
    fn name_procedure(&mut self, unit: &'a Unit, source: usize, host: ScopeId, name: &str, id: ProcedureId) {
        let origin = Origin { source, at: unit.name.as_ref().map(|name| name.at) };
        let known = self.scope(host).names.get(name).copied();
        let symbol = match known {
            Some(symbol) if !matches!(self.symbol(symbol).kind, SymbolKind::Generic(_)) => symbol,
            // A generic name may be that of one of its procedures, which is then found in the generic.
            Some(_) => return,
            None => self.push_symbol(Symbol::new(name, host, origin)),
        };
        let body = self.procedures[id.0 as usize].has_body;
        let found = &mut self.symbols[symbol.0 as usize];
        if body || !matches!(found.kind, SymbolKind::Procedure(ProcedureTarget::Known(_))) {
            let indirect = found.is.dummy || found.is.pointer;
            found.kind = SymbolKind::Procedure(match indirect {
                true => ProcedureTarget::Indirect(Some(id)),
                false => ProcedureTarget::Known(id),
            });
        }
    }

    /// `MODULE PROCEDURE` in a submodule has the binding name of its interface.
    pub(super) fn inherit_binding_names(&mut self) {
        let interfaces = self.procedures.iter().filter(|procedure| !procedure.has_body);
        let keys: FxHashMap<String, String> =
            interfaces.map(|procedure| (procedure.entry.clone(), procedure.key.clone())).collect();
        let is_short = |procedure: &&mut Procedure| {
            procedure.has_body && matches!(procedure.unit.kind, UnitKind::ModuleProcedure)
        };
        for procedure in self.procedures.iter_mut().filter(is_short) {
            if let Some(key) = keys.get(&procedure.entry) {
                procedure.key.clone_from(key);
            }
        }
    }

    /// Adds a symbol to its scope.
    pub(super) fn push_symbol(&mut self, symbol: Symbol<'a>) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        self.scopes[symbol.scope.0 as usize].names.insert(symbol.name.clone(), id);
        self.symbols.push(symbol);
        id
    }

    fn entry_name(
        &self,
        name: &str,
        kind: ProcedureKind,
        host: Option<ProcedureId>,
        around: Around,
        separate: bool,
    ) -> String {
        let home = around.host.map(|host| self.scope(host));
        let module = match home.and_then(|home| home.unit).map(|unit| &unit.kind) {
            // What is declared in the module has its name, wherever its body stands.
            Some(UnitKind::Submodule { ancestor, .. }) if separate => ancestor.text.clone(),
            _ => home.map(|home| home.name.clone()).unwrap_or_default(),
        };
        match (kind, host) {
            (ProcedureKind::Main, _) if name.is_empty() => "main".to_owned(),
            (ProcedureKind::Internal, Some(host)) => format!("{}%{name}", self.procedure(host).entry),
            (ProcedureKind::Module, _) => format!("{module}%{name}"),
            _ => name.to_owned(),
        }
    }

    /// Entries are further names of the procedure that they stand in.
    fn declare_entries(&mut self, unit: &'a Unit, id: ProcedureId) {
        for statement in unit.specification.iter().chain(&unit.execution) {
            if let StatementKind::Entry { name, .. } = &statement.kind {
                self.externals.entry(name.text.clone()).or_insert(id);
            }
        }
    }

    /// Makes the names of a procedure's dummy arguments and of its result.
    pub(super) fn declare_dummies(&mut self, id: ProcedureId) {
        let Procedure { unit, source, scope, .. } = self.procedures[id.0 as usize];
        let mut dummies = Vec::new();
        for dummy in &unit.arguments {
            dummies.push(match dummy {
                DummyArgument::Name(name) => {
                    let symbol = self.own(scope, &name.text, Origin::of(source, name));
                    self.symbols[symbol.0 as usize].is.dummy = true;
                    Some(symbol)
                }
                DummyArgument::Star(_) => None,
            });
        }
        self.procedures[id.0 as usize].dummies = dummies;
        if let UnitKind::Function { result } = &unit.kind {
            let name = result.as_ref().or(unit.name.as_ref());
            let Some(name) = name else { return };
            let symbol = self.own(scope, &name.text, Origin::of(source, name));
            self.symbols[symbol.0 as usize].is.result = true;
            self.procedures[id.0 as usize].result = Some(symbol);
        }
        self.declare_inner_entries(unit, source, scope, id);
    }

    /// The dummy arguments and results of `ENTRY` statements are variables of the procedure.
    fn declare_inner_entries(&mut self, unit: &'a Unit, source: usize, scope: ScopeId, id: ProcedureId) {
        for statement in unit.specification.iter().chain(&unit.execution) {
            let StatementKind::Entry { name, arguments, result } = &statement.kind else { continue };
            for dummy in arguments {
                if let DummyArgument::Name(name) = dummy {
                    let symbol = self.own(scope, &name.text, Origin::of(source, name));
                    self.symbols[symbol.0 as usize].is.dummy = true;
                }
            }
            if matches!(unit.kind, UnitKind::Function { .. }) {
                let name = result.as_ref().unwrap_or(name);
                let symbol = self.own(scope, &name.text, Origin::of(source, name));
                self.symbols[symbol.0 as usize].is.result = true;
            }
            let host = self.scope(scope).parent;
            if let Some(host) = host.filter(|_| self.procedure(id).kind == ProcedureKind::Module) {
                let symbol = self.own(host, &name.text, Origin::of(source, name));
                self.symbols[symbol.0 as usize].kind = SymbolKind::Procedure(ProcedureTarget::Known(id));
            }
        }
    }

    /// The symbol of a name in this very scope, made when there is none.
    pub(super) fn own(&mut self, scope: ScopeId, name: &str, origin: Origin) -> SymbolId {
        match self.scope(scope).names.get(name) {
            // One that `USE` brought is another's.
            Some(&id) if self.symbol(id).scope == scope => id,
            _ => self.push_symbol(Symbol::new(name, scope, origin)),
        }
    }
}

/// `MODULE SUBROUTINE`, `MODULE FUNCTION`: its body may stand in a submodule.
pub(super) fn is_separate(unit: &Unit) -> bool {
    unit.prefixes.iter().any(|prefix| matches!(prefix, Prefix::Module))
}

/// The symbol of an external procedure, as compilers name it.
pub(super) fn external_key(unit: &Unit, name: &str) -> String {
    match &unit.bind {
        Some(binding) if !binding.is_empty() => binding.clone(),
        Some(_) => name.to_owned(),
        None => format!("{name}_"),
    }
}
