//! Allocating and freeing memory: ALLOCATE, DEALLOCATE, MOVE_ALLOC, and the end of a scope.
//!
//! Input: statements, and the variables of a scope. Output: `Allocate` and `Free`.
//! Postcondition: components are freed before the structure that contains them. A new structure has no
//! allocated components.

use cppc_analysis::program::{Access, Affine, OperationKind, Value};
use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Expr, ExprKind};

use super::body::Body;
use super::designated_memory::{Declared, DesignatedMemory};
use super::layout::content;
use crate::bind::fortran::types::derived_of;
use crate::bind::fortran::{ScopeId, SymbolId, Type, TypeId};

const DEPTH_LIMIT: u32 = 8;

/// When memory is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Freed {
    Now,
    /// At the end of its scope, or because it gets other memory. What a restart has not allocated again is not given back,
    /// so that is no read.
    WithoutRead,
}

impl<'a> Body<'_, 'a> {
    pub fn allocate(&mut self, scope: ScopeId, objects: &[Expr], options: &[Argument]) {
        let option = |word: &str| {
            let found =
                options.iter().find(|option| option.keyword.as_ref().is_some_and(|name| name.text == word));
            found.and_then(|option| option.expressions().first().copied())
        };
        let source = option("source").map(|source| self.value(scope, source));
        if let Some(mold) = option("mold") {
            self.inquire(scope, mold, false);
        }
        for object in objects {
            self.allocate_object(scope, object, source.clone());
        }
        self.outputs(scope, options, &["stat", "errmsg"]);
    }

    fn allocate_object(&mut self, scope: ScopeId, object: &Expr, source: Option<Value>) {
        let (base, bounds): (&Expr, &[Argument]) = match &object.kind {
            ExprKind::Reference { base, arguments } => (base, arguments),
            ExprKind::Other(inner) if !inner.is_empty() => {
                // This is a coarray, which other images allocate too.
                return drop(self.not_understood(scope, object));
            }
            _ => (object, &[]),
        };
        let mut declared = Vec::new();
        for bound in bounds {
            declared.push(self.bounds(scope, bound));
        }
        let Some(place) = self.place(scope, base) else { return drop(self.not_understood(scope, object)) };
        let Some(holder) = place.holder.clone() else { return drop(self.not_understood(scope, object)) };
        let extents = declared.iter().map(|declared| declared.extent.clone());
        let bytes = place.access.size.and_then(|size| i64::try_from(size).ok()).map(Affine::constant);
        let bytes = extents.fold(bytes, |bytes, extent| bytes?.multiply(&extent?));
        let bytes = bytes.filter(|_| bounds.len() == place.dimensions.len());
        let content = content(self.bound, place.ty);
        let slices =
            declared.last().and_then(|slowest| slowest.extent.as_ref()?.as_constant()?.try_into().ok());
        self.emit(OperationKind::Allocate { to: holder, bytes, slices, content, zeroed: false });
        match source {
            Some(value) => {
                let value = match value {
                    Value::Affine(_) if !place.dimensions.is_empty() => Value::Data,
                    value => value,
                };
                self.store(place, value, false);
            }
            None => self.initial_components(&place, 0),
        }
    }

    /// `n`, `lower:upper`
    fn bounds(&mut self, scope: ScopeId, bound: &Argument) -> Declared {
        let one = Affine::constant(1);
        bound.expressions().into_iter().for_each(|expr| self.reads(scope, expr));
        match &bound.kind {
            ArgumentKind::Value(upper) => Declared { lower: Some(one), extent: self.affine(scope, upper) },
            ArgumentKind::Range { lower, upper: Some(upper), .. } => {
                let lower = lower.as_ref().map_or(Some(one.clone()), |lower| self.affine(scope, lower));
                let upper = self.affine(scope, upper);
                let extent = lower.as_ref().zip(upper).and_then(|(lower, upper)| upper.sub(lower)?.add(&one));
                Declared { lower, extent }
            }
            _ => Declared::default(),
        }
    }

    /// A new structure has its default values: its allocatable components are not allocated, and
    /// pointers have their first targets.
    pub fn initial_components(&mut self, place: &DesignatedMemory<'a>, depth: u32) {
        let Type::Derived(id) = place.ty else { return };
        let layouts = &mut self.storage.layouts;
        let has_values =
            layouts.holds_allocatables(self.bound, id) || layouts.holds_first_targets(self.bound, id);
        if depth > DEPTH_LIMIT || !has_values {
            return;
        }
        let whole = place.whole();
        for field in &self.fields(id) {
            let part = self.field(whole.clone(), field);
            if let Some(target) = field.first_target {
                let home = self.bound.derived(field.home).scope;
                let pointer = part.holder.clone().unwrap_or(part.access);
                self.set_first_target(home, pointer, target);
                continue;
            }
            if field.pointer || field.procedure {
                continue;
            }
            match part.holder.clone() {
                Some(holder) => self.write(holder, Value::Null),
                None => self.initial_components(&part, depth + 1),
            }
        }
    }

    pub fn deallocate(&mut self, scope: ScopeId, objects: &[Expr], options: &[Argument]) {
        for object in objects {
            match self.place(scope, object) {
                Some(place) if place.holder.is_some() => self.free(&place),
                _ => drop(self.not_understood(scope, object)),
            }
        }
        self.outputs(scope, options, &["stat", "errmsg"]);
    }

    fn free(&mut self, place: &DesignatedMemory<'a>) {
        self.free_components(place, &mut Vec::new(), Freed::Now);
        if let Some(holder) = place.holder.clone() {
            self.emit(OperationKind::Free(holder.clone()));
            self.write(holder, Value::Null);
        }
    }

    /// `outer`: the types that contain the place. What a recursive type contains below its first level is not followed: the
    /// number of its components grows with each level. Memory that is not freed here may be read later, as far as is known.
    fn free_components(&mut self, place: &DesignatedMemory<'a>, outer: &mut Vec<TypeId>, freed: Freed) {
        let Some(id) = derived_of(place.ty) else { return };
        self.finalize(place, id);
        let is_left_out = outer.len() > DEPTH_LIMIT as usize || outer.contains(&id);
        if is_left_out || !self.storage.layouts.holds_allocatables(self.bound, id) {
            return;
        }
        outer.push(id);
        let whole = place.whole();
        for field in self.fields(id).iter().filter(|field| !field.pointer && !field.procedure) {
            let part = self.field(whole.clone(), field);
            if part.holder.is_some() {
                self.perhaps(|body| {
                    body.free_components(&part, outer, freed);
                    if let (Some(holder), Freed::Now) = (part.holder.clone(), freed) {
                        body.emit(OperationKind::Free(holder));
                    }
                });
            } else {
                self.free_components(&part, outer, freed);
            }
        }
        outer.pop();
    }

    /// Calls the `FINAL` procedures of a type with the object.
    fn finalize(&mut self, place: &DesignatedMemory<'a>, id: TypeId) {
        let names = self.finals(id);
        if names.is_empty() {
            return;
        }
        let argument = cppc_analysis::program::Argument::Reference(place.whole());
        let callee = match names.len() {
            1 => cppc_analysis::program::Callee::Named(names[0].clone()),
            _ => cppc_analysis::program::Callee::OneOf(names),
        };
        self.perhaps(|body| {
            let call = cppc_analysis::program::Call {
                callee,
                arguments: vec![argument],
                result: None,
                never_returns: false,
            };
            body.emit(OperationKind::Call(Box::new(call)));
        });
    }

    /// The link names of the `FINAL` procedures of a type, from the text of its definition.
    fn finals(&self, id: TypeId) -> Vec<String> {
        let derived = self.bound.derived(id);
        let (source, Some(at)) = (derived.origin.source, derived.origin.at) else { return Vec::new() };
        let mut names = Vec::new();
        for line in at.line.0 + 1.. {
            let line = cppc_grammar::fortran::logical::LineId(line);
            if self.bound.line(source, line).is_none() {
                break;
            }
            let text = self.bound.text(source, self.bound.statement_at(source, line)).to_ascii_lowercase();
            let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
            if text.starts_with("endtype") {
                break;
            }
            let Some(list) = text.strip_prefix("final") else { continue };
            let list = list.trim_start_matches(':');
            let found = list.split(',').filter_map(|name| self.bound.procedure_named(derived.scope, name));
            names.extend(found.map(|found| self.link_name(found)));
        }
        names
    }

    /// `CALL MOVE_ALLOC(from, to)`
    pub fn move_alloc(&mut self, scope: ScopeId, arguments: &[Argument]) {
        let value = |word: &str, position: usize| {
            let named = arguments
                .iter()
                .find(|argument| argument.keyword.as_ref().is_some_and(|name| name.text == word));
            let found =
                named.or_else(|| arguments.get(position).filter(|argument| argument.keyword.is_none()));
            found.and_then(|argument| argument.expressions().first().copied())
        };
        let from = value("from", 0).and_then(|from| self.place(scope, from));
        let to = value("to", 1).and_then(|to| self.place(scope, to));
        let (Some(from), Some(to)) = (from.and_then(|from| from.holder), to) else {
            return self.opaque("a MOVE_ALLOC that is not understood", Vec::new());
        };
        self.free_components(&to, &mut Vec::new(), Freed::WithoutRead);
        self.read(from.clone());
        if let Some(holder) = to.holder {
            self.write(holder, Value::Copy(from.clone()));
        }
        self.write(from, Value::Null);
        self.outputs(scope, arguments, &["stat", "errmsg"]);
    }

    /// Sets the content of a local variable at the beginning of its scope.
    pub fn begin_local(&mut self, id: SymbolId) {
        let symbol = self.bound.symbol(id);
        let may = matches!(symbol.ty, Type::Derived(_)) || symbol.is.allocatable;
        if !may || !symbol.is_variable() || symbol.is.dummy || symbol.is.pointer || self.bound.is_static(id) {
            return;
        }
        let Some(place) = self.place_of_symbol(id) else { return };
        match place.holder.clone() {
            // A restart enters the procedure again, so it sets this too.
            Some(holder) if holder.path.is_empty() => self.emit(OperationKind::Begin(holder.root)),
            Some(holder) => self.write(holder, Value::Null),
            None => self.initial_components(&place, 0),
        }
    }

    /// Allocatables that end with their scope are given back, after their final procedures have run.
    pub fn end_local(&mut self, id: SymbolId) {
        let symbol = self.bound.symbol(id);
        let stays = symbol.is.dummy || symbol.is.result || symbol.is.pointer || self.bound.is_static(id);
        let may = matches!(symbol.ty, Type::Derived(_)) || symbol.is.allocatable;
        if stays || !may || !symbol.is_variable() || symbol.is.construct {
            return;
        }
        let Some(place) = self.place_of_symbol(id) else { return };
        match place.holder.is_some() {
            true => self.perhaps(|body| body.free_components(&place, &mut Vec::new(), Freed::WithoutRead)),
            false => self.free_components(&place, &mut Vec::new(), Freed::WithoutRead),
        }
    }

    /// `INTENT(OUT)`: at the entry, an allocatable is freed, and a structure gets its default values.
    pub fn begin_argument(&mut self, id: SymbolId) {
        let symbol = self.bound.symbol(id);
        if !symbol.is.intent_out || !symbol.is.dummy || symbol.is.pointer || !symbol.is_variable() {
            return;
        }
        let Some(place) = self.place_of_symbol(id) else { return };
        if symbol.is.allocatable {
            self.perhaps(|body| body.free(&place));
            if let Some(holder) = place.holder {
                self.write(holder, Value::Null);
            }
        } else if symbol.is.optional {
            self.perhaps(|body| {
                body.free_components(&place, &mut Vec::new(), Freed::Now);
                body.initial_components(&place, 0);
            });
        } else {
            self.free_components(&place, &mut Vec::new(), Freed::Now);
            self.initial_components(&place, 0);
        }
    }

    /// Clauses that a statement sets: `STAT=`, `IOSTAT=`. The other ones are read.
    pub fn outputs(&mut self, scope: ScopeId, options: &[Argument], words: &[&str]) {
        for option in options {
            let Some(word) = option.keyword.as_ref().filter(|word| words.contains(&word.text.as_str()))
            else {
                continue;
            };
            let Some(value) = option.expressions().first().copied() else { continue };
            // A message is stored only if there is an error.
            let always = !matches!(word.text.as_str(), "errmsg" | "iomsg");
            self.set(scope, value, always);
        }
    }

    /// Sets a variable.
    pub fn set(&mut self, scope: ScopeId, target: &Expr, always: bool) {
        let Some(place) = self.place(scope, target) else { return drop(self.not_understood(scope, target)) };
        let to: Access = place.whole();
        match always {
            true => self.write(to, Value::Data),
            false => self.perhaps(|body| body.write(to, Value::Data)),
        }
    }
}
