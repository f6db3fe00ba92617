//! Items that are several variables: COMMON blocks and modules.
//!
//! Input: the name of a block or a module, and the scope of the directive.
//! Output: the items of its variables. For a module, also a warning for each variable that has none.
//! Postcondition: each variable that the module declares has items or a warning.
//!
//! | code | what |
//! |---|---|
//! | C0421, C0451 | an unknown block or module; a module whose source was not found |
//! | C0462 | warning: a variable of the module is not registered |

use cppc_grammar::directive::fortran::FortranItem;
use cppc_source::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::bound::Bound;
use super::ids::{ScopeId, SymbolId};
use super::items::Item;
use super::resolve_items::{DirectiveContext, Purpose};
use super::symbols::{ScopeKind, SymbolKind};

/// A variable of a module, and what is wrong with it.
type Refused = (SymbolId, Diagnostic);

impl<'a> Bound<'a> {
    /// `/block/`: its members.
    pub(super) fn block(
        &self,
        context: DirectiveContext,
        span: Span,
        name: &str,
        items: &mut Vec<Item>,
    ) -> Result<(), Diagnostic> {
        let name: String = name.chars().filter(|letter| !letter.is_whitespace()).collect();
        let name = name.to_ascii_lowercase();
        let mut next = Some(context.scope);
        while let Some(id) = next {
            let scope = self.scope(id);
            if let Some((_, members)) = scope.blocks.iter().find(|(block, _)| *block == name) {
                for &member in members {
                    let text = self.cased(context.scope, &self.symbol(member).name);
                    self.expand(&self.place_of(context, span, member, &text), items)?;
                }
                return Ok(());
            }
            next = scope.parent;
        }
        Err(Diagnostic::error("C0421", span, format!("unknown COMMON block `{name}`"))
            .because("no block of this name is declared here")
            .help("declare it in this procedure, or write the names of the variables"))
    }

    /// The items of the variables of a module, with a warning for each of the others.
    pub(super) fn module_items(
        &self,
        context: DirectiveContext,
        item: &FortranItem,
        name: &str,
    ) -> Result<(Vec<Item>, Vec<Diagnostic>), Diagnostic> {
        let span = self.anchor(context.source, item.at);
        if context.purpose == Purpose::Capture {
            return Err(Diagnostic::error("C0423", span, format!("module `{name}` is not a variable"))
                .because("a captured value is a copy of one variable")
                .help("register the module, or capture the variables that the block needs"));
        }
        let Some(module) = self.module_named(context.scope, name) else {
            return Err(self.no_module(context.scope, span, name));
        };
        let (items, refused) = self.variables_of_module(context, module, span);
        let is_registered = context.purpose == Purpose::Register;
        let refused = refused.into_iter().filter(|_| is_registered);
        let warnings = refused.map(|(id, found)| self.not_registered(id, module, span, found));
        Ok((items, warnings.collect()))
    }

    /// The variables of a module that `register(module m)` or `unregister(module m)` in this scope has items for.
    pub fn variables_with_items(&self, scope: ScopeId, name: &str, is_register: bool) -> Vec<SymbolId> {
        let Some(module) = self.module_named(scope, name) else { return Vec::new() };
        let source = self.scope(scope).source;
        let purpose = if is_register { Purpose::Register } else { Purpose::Unregister };
        let context = DirectiveContext { source, scope, purpose };
        let span = Span::new(self.sources[source].file, 0, 0);
        let (items, refused) = self.variables_of_module(context, module, span);
        let refused: FxHashSet<SymbolId> = refused.into_iter().map(|(id, _)| id).collect();
        let mut seen = FxHashSet::default();
        let mut saved: Vec<SymbolId> = items.iter().map(|item| item.root).collect();
        saved.retain(|id| !refused.contains(id) && seen.insert(*id));
        saved
    }

    fn module_named(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        let around = std::iter::successors(Some(scope), |&id| self.scope(id).parent);
        let mut around = around.filter(|&id| matches!(self.scope(id).kind, ScopeKind::Module));
        around.find(|&id| self.scope(id).name == name).or_else(|| self.modules.get(name).copied())
    }

    fn variables_of_module(
        &self,
        context: DirectiveContext,
        module: ScopeId,
        span: Span,
    ) -> (Vec<Item>, Vec<Refused>) {
        let mut declared: Vec<SymbolId> = self.scope(module).names.values().copied().collect();
        declared.retain(|&id| self.symbol(id).scope == module);
        declared.sort_unstable();
        declared.dedup();
        // A register ends by its name, so the variable need not be visible.
        let scope = if context.purpose == Purpose::Unregister { module } else { context.scope };
        let context = DirectiveContext { scope, ..context };
        let (mut items, mut refused) = (Vec::new(), Vec::new());
        for id in declared {
            let symbol = self.symbol(id);
            let found = match &symbol.kind {
                SymbolKind::Variable if !symbol.is.external && !symbol.is.intrinsic => {
                    self.items_of_member(context, module, id, span)
                }
                SymbolKind::Procedure(_) if symbol.is_procedure_pointer() => {
                    self.items_of_member(context, module, id, span)
                }
                SymbolKind::Variable
                | SymbolKind::Constant(_)
                | SymbolKind::Procedure(_)
                | SymbolKind::Generic(_)
                | SymbolKind::Type(_)
                | SymbolKind::StatementFunction { .. }
                | SymbolKind::Namelist
                | SymbolKind::Unit
                | SymbolKind::Unknown => continue,
            };
            match found {
                Ok(found) => items.extend(found),
                Err(found) => refused.push((id, found)),
            }
        }
        (items, refused)
    }

    fn items_of_member(
        &self,
        context: DirectiveContext,
        module: ScopeId,
        id: SymbolId,
        span: Span,
    ) -> Result<Vec<Item>, Diagnostic> {
        let Some(name) = self.visible_name(context.scope, id) else {
            return Err(self.not_visible(module, id, span));
        };
        let symbol = self.symbol(id);
        let is_inside =
            std::iter::successors(Some(context.scope), |&id| self.scope(id).parent).any(|id| id == module);
        let moves = symbol.is.allocatable || symbol.is.pointer;
        if symbol.is.protected && moves && !is_inside {
            let module = &self.scope(module).name;
            return Err(Diagnostic::error("C0424", span, format!("`{name}` cannot be allocated here"))
                .because(format!("it is PROTECTED, so only `{module}` may allocate it"))
                .help(format!("write `register(module {module})` in a procedure of `{module}`")));
        }
        let mut items = Vec::new();
        let text = self.cased(context.scope, &name);
        self.expand(&self.place_of(context, span, id, &text), &mut items)?;
        Ok(items)
    }

    /// The name by which a scope sees a variable.
    fn visible_name(&self, scope: ScopeId, id: SymbolId) -> Option<String> {
        let mut scopes = std::iter::successors(Some(scope), |&id| self.scope(id).parent);
        scopes.find_map(|within| {
            let names = self.scope(within).names.iter();
            let mut names: Vec<&String> =
                names.filter(|(_, &found)| found == id).map(|(name, _)| name).collect();
            names.sort_unstable();
            names.into_iter().find(|name| self.lookup(scope, name) == Some(id)).cloned()
        })
    }

    fn not_visible(&self, module: ScopeId, id: SymbolId, span: Span) -> Diagnostic {
        let (name, module) = (&self.symbol(id).name, &self.scope(module).name);
        Diagnostic::error("C0424", span, format!("`{name}` is not visible here"))
            .because("it is private, hidden by another name, or not in the list of the USE statement")
            .help(format!("write `register(module {module})` in a procedure of `{module}`"))
    }

    fn not_registered(&self, id: SymbolId, module: ScopeId, span: Span, found: Diagnostic) -> Diagnostic {
        let (name, module) = (&self.symbol(id).name, &self.scope(module).name);
        let message = format!("`{name}` of the module `{module}` is not registered");
        let reason = found.labels.into_iter().map(|label| label.text).find(|text| !text.is_empty());
        let because = if found.code == "C0424" { reason.unwrap_or(found.message) } else { found.message };
        let warning = Diagnostic::warning("C0462", span, message).because(because);
        match found.help {
            Some(help) => warning.help(help),
            None => warning,
        }
    }

    fn no_module(&self, scope: ScopeId, span: Span, name: &str) -> Diagnostic {
        let mut around = std::iter::successors(Some(scope), |&id| self.scope(id).parent);
        if around.any(|id| self.scope(id).opaque.iter().any(|module| module.name == name)) {
            return Diagnostic::error(
                "C0451",
                span,
                format!("the variables of module `{name}` are not known"),
            )
            .because("its source was not found")
            .help("translate the module's source together with the others");
        }
        Diagnostic::error("C0421", span, format!("unknown module `{name}`"))
            .because("no source that was read defines it")
            .help("write the name of a module, or add its source")
    }
}
