//! The variables that a procedure must re-pass at its checkpoints and calls: variables whose memory may have
//! been registered here or elsewhere, and that a compiler could keep in processor registers in the meantime.

use rustc_hash::FxHashSet;

use super::{Builder, ProcedureContext};
use crate::bind::fortran::items::RootForm;
use crate::bind::fortran::{Item, ItemKind, ScopeKind, SymbolId};
use crate::model::structured::RepassedVariable;

impl Builder<'_, '_> {
    pub(super) fn repassed(&self, context: &ProcedureContext) -> Vec<RepassedVariable> {
        let mut list = Vec::new();
        for (id, text) in self.candidates(context) {
            if self.left.contains(&id) {
                continue;
            }
            let scope = self.bound.symbol(id).scope;
            let extent = match self.bound.procedure_of(scope) == Some(context.id) {
                true => self.extent_of(scope, context),
                false => Some(context.extent),
            };
            let Some(extent) = extent else { continue };
            let is_left = self.is_left(id);
            let is_unregistered = self.bound.symbol(id).is.dummy && !self.bound.registered.contains(&id);
            let whole = self.bound.whole_variable(context.procedure.scope, id, &text);
            let parts = self.moving_parts(id, &text);
            let parts = parts.iter().filter(|part| !whole.iter().any(|item| item.name == part.name));
            // A pointer or an allocatable that any other procedure could change as well.
            let is_shared = |item: &Item| {
                let moves = item.graph.as_ref().is_some_and(|graph| graph.form != RootForm::InPlace);
                moves && matches!(self.bound.scope(scope).kind, ScopeKind::Module)
            };
            for item in whole.iter().chain(parts).filter(|item| !is_shared(item)) {
                let moves = matches!(item.kind, ItemKind::Followed { .. }) || item.tree.is_some();
                let is_left = is_left && moves;
                let mut item = self.item(item, context);
                item.traits.unregistered = is_unregistered;
                list.push(RepassedVariable { item, scope: extent, is_left });
            }
        }
        list
    }

    /// A registered variable of a procedure that another procedure sees, or the next call of this one. Followers report
    /// those of modules.
    fn is_left(&self, id: SymbolId) -> bool {
        let is_dummy = self.bound.symbol(id).is.dummy;
        self.bound.registered.contains(&id)
            && self.bound.procedure_of(self.bound.symbol(id).scope).is_some()
            && (is_dummy || (self.bound.is_static(id) && !self.bound.is_of_main(id)))
    }

    /// Registered elements of a variable whose memory may move, in a procedure that knows the variable by the
    /// name `text`. The variable as a whole does not include them.
    fn moving_parts(&self, id: SymbolId, text: &str) -> Vec<Item> {
        let mut known = FxHashSet::default();
        let parts =
            self.bound.moving.get(&id).into_iter().flatten().filter(move |part| known.insert(&part.name));
        parts.map(|part| part.renamed(text)).collect()
    }

    /// Variables with their names in this procedure.
    fn candidates(&self, context: &ProcedureContext) -> Vec<(SymbolId, String)> {
        let mut list = Vec::new();
        for (index, &id) in context.symbols.iter().enumerate() {
            let symbol = self.bound.symbol(id);
            if !symbol.has_memory() {
                continue;
            }
            let is = &symbol.is;
            let dummy = is.dummy && !is.intent_in && !is.value;
            let registered = self.bound.registered.contains(&id);
            let cell = context.variables[index].saved_type.is_some();
            // If there are several names, the variable's own name comes first.
            let is_known = context.symbols[..index].contains(&id);
            if !is_known && (dummy || (registered && !cell) || self.is_in_registered_block(id)) {
                list.push((id, symbol.name.clone()));
            }
        }
        for (name, id) in self.foreign(context) {
            if !list.iter().any(|(known, _)| *known == id) {
                list.push((id, name));
            }
        }
        list.sort_by_key(|(id, _)| *id);
        list
    }

    /// Variables of hosts and modules that are visible here.
    fn foreign(&self, context: &ProcedureContext) -> Vec<(String, SymbolId)> {
        let mut list = Vec::new();
        let mut next = Some(context.procedure.scope);
        // If the whole program is known, it is known what is registered.
        let words = if self.whole { FxHashSet::default() } else { self.words(context) };
        let mut hidden = FxHashSet::default();
        while let Some(scope) = next {
            let found = self.bound.scope(scope);
            for (name, &id) in &found.names {
                let symbol = self.bound.symbol(id);
                let own = self.bound.procedure_of(symbol.scope) == Some(context.id);
                if !hidden.insert(name.as_str()) || own || !symbol.is_variable() {
                    continue;
                }
                let module = matches!(self.bound.scope(symbol.scope).kind, ScopeKind::Module);
                let maybe = module && words.contains(name.as_str());
                let is = &symbol.is;
                // Of the variables of a host, only those that a contained procedure uses matter.
                let captured = self.bound.captured.contains(&id);
                let registered = self.bound.registered.contains(&id) && (module || captured);
                let host_dummy = is.dummy && !is.intent_in && !is.value && captured;
                if registered || maybe || host_dummy || self.is_in_registered_block(id) {
                    list.push((name.clone(), id));
                }
            }
            next = found.parent;
        }
        list
    }

    /// True for a variable of a COMMON block of which anything is registered, under any name.
    fn is_in_registered_block(&self, id: SymbolId) -> bool {
        let Some(block) = &self.bound.symbol(id).common else { return false };
        self.bound.registered.iter().any(|&other| self.bound.symbol(other).common.as_ref() == Some(block))
    }

    /// The words of a procedure and of the procedures that it contains, in lower case.
    fn words(&self, context: &ProcedureContext) -> FxHashSet<String> {
        let unit = context.procedure.unit;
        let first = unit.header.or_else(|| context.statements.first().map(|statement| statement.line));
        let (Some(first), Some(last)) = (first, unit.contains.or(unit.end)) else {
            return FxHashSet::default();
        };
        let lines = &self.bound.sources[context.source].lines.lines;
        let range = first.0 as usize..(last.0 as usize + 1).min(lines.len());
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let words = lines[range].iter().flat_map(|line| line.text.split(move |byte| !is_word(byte)));
        words.map(|word| String::from_utf8_lossy(word).to_ascii_lowercase()).collect()
    }
}
