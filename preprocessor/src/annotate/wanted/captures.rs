//! What an execute block captures.
//!
//! Input: the statement that the block contains.
//! Output: the texts of its captures.
//! Postcondition: no handle and no constant is captured, and no memory of which a handle only keeps the address.

use cppc_analysis::effects::Extent;
use cppc_analysis::program::{
    Access, Argument, Call, Callee, Content, Index, OperationKind, Site, Step, Value, VariableId,
};
use cppc_analysis::sets::Range;

use super::{is_part, Search};

impl Search<'_> {
    /// What a statement reads besides handles, constants and the memory of the handle that it creates.
    pub(super) fn captures(&self, site: Site, call: Option<&Call>, receiver: Option<&Access>) -> Vec<String> {
        self.captured(site, call, receiver).into_iter().map(|captured| captured.1).collect()
    }

    /// The same, with the first access for each text.
    pub(super) fn captured(
        &self,
        site: Site,
        call: Option<&Call>,
        receiver: Option<&Access>,
    ) -> Vec<(Access, String)> {
        let span = self.operation(site).span;
        let created: Vec<Range> =
            receiver.map_or(Vec::new(), |receiver| self.handles.ranges(receiver).iter().collect());
        let is_same = |one: &String, other: &str| match (self.is_c)(span) {
            true => one == other,
            false => one.eq_ignore_ascii_case(other),
        };
        let mut texts: Vec<(Access, String)> = Vec::new();
        let mut add = |access: &Access, text: &str| {
            let variable = self.variable(access.root);
            let object = &self.program.objects[variable.object.0 as usize];
            let is_value = !matches!(access.content, Content::Handle(_) | Content::Pointer | Content::Record);
            // A macro may declare variables for its own statements.
            let is_outside = variable.declared.is_some_and(|declared| !span.contains(declared));
            if is_value
                && is_outside
                && !object.constant
                && !created.iter().any(|&created| is_part(variable, created))
                // The block that creates the other handle sets it again.
                && !self.handles.ranges(access).iter().any(|range| match (self.is_c)(span) {
                    true => self.handles.holds(range),
                    false => self.handles.are_made_again(range),
                })
                && !texts.iter().any(|(_, known)| is_same(known, text))
            {
                texts.push((access.clone(), text.to_owned()));
            }
        };
        // An expression with conditions is in several blocks. The condition of `IF (…) action` in Fortran has the span of
        // the whole statement.
        for (_, operation) in self.procedure(site.procedure).operations(site.procedure) {
            if let OperationKind::Read(access) = &operation.kind {
                if span.contains(operation.span) || operation.span.contains(span) {
                    match (self.is_c)(span) {
                        true => add(access, &access.text),
                        false => add(access, without_range(&access.text)),
                    }
                }
            }
        }
        for id in receiver.into_iter().flat_map(indices) {
            let variable = self.variable(id);
            let (size, content, text) = (variable.size, variable.content.clone(), variable.name.clone());
            add(&Access { root: id, path: Vec::new(), size, content, text }, &variable.name);
        }
        let Some(call) = call else { return texts };
        let effects = match &call.callee {
            Callee::Named(name) => self.analysis.summaries.effects.effects(name),
            Callee::Indirect(_) | Callee::OneOf(_) => None,
        };
        let Some(effects) = effects else {
            // A procedure of the program may read what it gets.
            for argument in &call.arguments {
                if let Argument::Reference(access) | Argument::Value(Value::Address(access)) = argument {
                    add(access, &self.variable(access.root).name);
                }
            }
            return texts;
        };
        for (number, argument) in call.arguments.iter().enumerate() {
            let effect = effects.parameters.get(number).unwrap_or(&effects.rest);
            // Memory that is kept for a handle is used later, in its place.
            let is_used_later = effect.kept_for.is_some();
            let is_handle = effect.uses.is_some() || effect.creates.is_some();
            let reads = effect.reads != Extent::Nothing && !is_handle && !is_used_later;
            if let (true, Argument::Reference(access) | Argument::Value(Value::Address(access))) =
                (reads, argument)
            {
                match access.path.iter().any(|step| matches!(step, Step::Field { .. })) {
                    false => add(access, &self.variable(access.root).name),
                    true => {
                        if let Some(text) = component(access) {
                            add(access, text);
                        }
                    }
                }
            }
        }
        texts
    }
}

/// The text without a substring or a section at its end: `name(1:n)`. A block can only capture all of `name`.
fn without_range(text: &str) -> &str {
    let (mut depth, mut has_range) = (0, false);
    for (at, letter) in text.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth -= 1,
            ':' if depth == 1 => has_range = true,
            _ => {}
        }
        if depth == 0 {
            return if has_range && letter == '(' { text[..at].trim_end() } else { text };
        }
    }
    text
}

/// The text of a component with all its elements: `t->dims`, `t%dims`. None if it is an element, or if pointers are in its path.
fn component(access: &Access) -> Option<&str> {
    let mut path = access.path.iter().skip_while(|step| !matches!(step, Step::Field { .. }));
    if path.any(|step| matches!(step, Step::Dereference)) {
        return None;
    }
    // The address of an array of C is that of its first element.
    let mut text = access.text.as_str();
    while let Some(array) = text.strip_suffix("[0]") {
        text = array;
    }
    text.chars().all(|letter| letter.is_alphanumeric() || "_.->%".contains(letter)).then_some(text)
}

/// The variables in the indices of an access.
pub(super) fn indices(access: &Access) -> impl Iterator<Item = VariableId> + '_ {
    let dimensions = access.path.iter().flat_map(|step| match step {
        Step::Elements(dimensions) => dimensions.as_slice(),
        Step::Field { .. } | Step::Dereference => &[],
    });
    dimensions
        .flat_map(|dimension| match &dimension.index {
            Index::At(index) => index.terms.as_slice(),
            Index::Range { .. } | Index::All | Index::Unknown => &[],
        })
        .map(|term| term.0)
}
