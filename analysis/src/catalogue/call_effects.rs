//! The effects of an entry, in the form that the analyses use.
//!
//! Input: an entry. Output: its effects on memory.
//! Postcondition: the effects include at least all effects of the entry. The effects of an entry with
//! `opaque` cannot be listed.

use crate::effects::{
    CallEffects, Extent as Reach, FileAction, FileEffect, KnownAddress, LibraryState, Opens, ParameterEffect,
    ResultEffect, StateEffect, VariableEffect,
};

use super::entry::{
    Address, Certainty, Effect, Entry, Extent, Factor, HandleUse, Parameter, Sum, Until, Written,
};

impl Entry {
    /// The effects, or `None` if they are not known.
    pub fn call_effects(&self) -> Option<CallEffects> {
        if self.effects.contains(&Effect::Opaque) {
            return None;
        }
        let each = || self.parameters.iter().chain(&self.rest);
        Some(CallEffects {
            parameters: self.parameters.iter().map(|one| self.effect_on(one)).collect(),
            rest: self.rest.as_ref().map(|one| self.effect_on(one)).unwrap_or_default(),
            result: self.result(),
            never_returns: self.never_returns(),
            communicates: self.effects.iter().any(communicates),
            calls_back: each().any(|parameter| parameter.calls),
            starts_thread: self.effects.contains(&Effect::Threads),
            starts: self.effects.iter().find_map(started),
            states: self.effects.iter().filter_map(state).collect(),
            variables: self.effects.iter().filter_map(variable).collect(),
            opens: self.effects.iter().find_map(opened),
            files: self.effects.iter().flat_map(named_files).collect(),
        })
    }

    fn effect_on(&self, one: &Parameter) -> ParameterEffect {
        let handle = match one.keeps {
            Some(Until::Started(position)) => self.parameter(position).and_then(|one| one.handle.as_ref()),
            Some(Until::End | Until::Handle(_)) | None => None,
        };
        let kept_for = handle.map(|handle| match handle {
            HandleUse::Uses(kind) | HandleUse::Makes(kind) | HandleUse::Ends(kind) => kind.clone(),
        });
        ParameterEffect { kept_for, ..parameter(one) }
    }

    fn result(&self) -> ResultEffect {
        if let Some(HandleUse::Makes(kind) | HandleUse::Uses(kind)) = &self.result_handle {
            return ResultEffect::Handle(kind.clone());
        }
        match &self.result[..] {
            [] => ResultEffect::Data,
            [Address::New { copies: Some(position), .. }] => ResultEffect::Reallocates(*position),
            [Address::New { bytes, zeroed, copies: None }] => {
                let bytes = bytes.as_ref().map_or(Reach::Any, bytes_of);
                ResultEffect::Allocates { bytes, zeroed: *zeroed }
            }
            addresses => match addresses.iter().map(known).collect() {
                Some(addresses) => ResultEffect::Addresses(addresses),
                None => ResultEffect::Unknown,
            },
        }
    }
}

/// The address, unless it is that of new memory.
fn known(address: &Address) -> Option<KnownAddress> {
    match address {
        Address::Into(position) => Some(KnownAddress::Argument(*position)),
        Address::At(position) => Some(KnownAddress::Content(*position)),
        Address::Static => Some(KnownAddress::Static),
        Address::Unknown => Some(KnownAddress::Unknown),
        Address::New { .. } => None,
    }
}

fn started(effect: &Effect) -> Option<usize> {
    match effect {
        Effect::Starts(position) => Some(*position),
        Effect::Stops
        | Effect::Jumps
        | Effect::ReturnsTwice
        | Effect::Threads
        | Effect::Opaque
        | Effect::Sends(_)
        | Effect::Receives(_)
        | Effect::Probes(_)
        | Effect::Collective(_)
        | Effect::Waits(_)
        | Effect::Tests(_)
        | Effect::State { .. }
        | Effect::Sets { .. }
        | Effect::Opens(_)
        | Effect::Removes(_)
        | Effect::Renames(..)
        | Effect::Asks(_)
        | Effect::Creates(_)
        | Effect::Truncates(_)
        | Effect::Shortens(_) => None,
    }
}

fn opened(effect: &Effect) -> Option<Opens> {
    let Effect::Opens(opens) = effect else { return None };
    Some(*opens)
}

fn named_files(effect: &Effect) -> Vec<FileEffect> {
    let file = |name: &usize, action| FileEffect { name: *name, action };
    match effect {
        Effect::Removes(name) => vec![file(name, FileAction::Removes)],
        Effect::Renames(old, new) => vec![file(old, FileAction::Renames), file(new, FileAction::Replaces)],
        Effect::Asks(name) => vec![file(name, FileAction::Asks)],
        Effect::Creates(name) => vec![file(name, FileAction::Creates)],
        Effect::Truncates(name) => vec![file(name, FileAction::Truncates)],
        Effect::Shortens(descriptor) => vec![file(descriptor, FileAction::Shortens)],
        Effect::Stops
        | Effect::Jumps
        | Effect::ReturnsTwice
        | Effect::Threads
        | Effect::Opaque
        | Effect::Sends(_)
        | Effect::Receives(_)
        | Effect::Probes(_)
        | Effect::Collective(_)
        | Effect::Waits(_)
        | Effect::Tests(_)
        | Effect::Starts(_)
        | Effect::State { .. }
        | Effect::Sets { .. }
        | Effect::Opens(_) => Vec::new(),
    }
}

fn state(effect: &Effect) -> Option<StateEffect> {
    let Effect::State { reads, writes, adds, begins, name, only_if } = effect else { return None };
    let state = LibraryState::named(name)?;
    Some(StateEffect {
        state,
        reads: *reads,
        writes: *writes,
        adds: *adds,
        begins: *begins,
        only_if: only_if.clone(),
    })
}

fn variable(effect: &Effect) -> Option<VariableEffect> {
    let Effect::Sets { variable, reads } = effect else { return None };
    Some(VariableEffect { name: variable.clone(), reads: *reads })
}

fn communicates(effect: &Effect) -> bool {
    match effect {
        Effect::Sends(_)
        | Effect::Receives(_)
        | Effect::Probes(_)
        | Effect::Collective(_)
        | Effect::Waits(_)
        | Effect::Tests(_)
        | Effect::Starts(_) => true,
        Effect::Stops
        | Effect::Jumps
        | Effect::ReturnsTwice
        | Effect::Threads
        | Effect::Opaque
        | Effect::State { .. }
        | Effect::Sets { .. }
        | Effect::Opens(_)
        | Effect::Removes(_)
        | Effect::Renames(..)
        | Effect::Asks(_)
        | Effect::Creates(_)
        | Effect::Truncates(_)
        | Effect::Shortens(_) => false,
    }
}

fn parameter(parameter: &Parameter) -> ParameterEffect {
    let writes = match &parameter.writes {
        None => Reach::Nothing,
        Some(written) => match written.certainty {
            Certainty::Certain => reach(&written.extent),
            Certainty::Possible | Certainty::Message => Reach::Any,
        },
    };
    let fills = match &parameter.writes {
        Some(Written { extent, certainty: Certainty::Possible | Certainty::Certain })
            if parameter.reads.is_none() =>
        {
            reach(extent)
        }
        Some(_) | None => Reach::Nothing,
    };
    let receives = match &parameter.writes {
        Some(Written { extent, certainty: Certainty::Message }) if parameter.reads.is_none() => reach(extent),
        Some(_) | None => Reach::Nothing,
    };
    let (creates, uses) = match &parameter.handle {
        None => (None, None),
        Some(HandleUse::Makes(kind)) => (Some(kind.clone()), None),
        Some(HandleUse::Uses(kind) | HandleUse::Ends(kind)) => (None, Some(kind.clone())),
    };
    ParameterEffect {
        reads: parameter.reads.as_ref().map_or(Reach::Nothing, reach),
        writes,
        fills,
        receives,
        writes_pointers: !parameter.stores.is_empty() || (parameter.deep && parameter.writes.is_some()),
        stores: parameter.stores.iter().filter_map(known).collect(),
        follows_pointers: parameter.deep,
        in_place: parameter.in_place,
        keeps: parameter.keeps.is_some() || parameter.copied_to.is_some(),
        kept_for: None,
        frees: parameter.frees,
        allocates: parameter.stores.iter().any(|address| matches!(address, Address::New { .. })),
        creates,
        uses,
        ends: matches!(parameter.handle, Some(HandleUse::Ends(_))),
        calls: parameter.calls && parameter.keeps.is_none(),
    }
}

fn reach(extent: &Extent) -> Reach {
    match extent {
        Extent::Unknown | Extent::Text => Reach::Any,
        Extent::All => Reach::All,
        Extent::Bytes(sum) => bytes_of(sum),
    }
}

/// A sum of several products cannot be expressed in this form.
fn bytes_of(sum: &Sum) -> Reach {
    let [product] = &sum.0[..] else { return Reach::Any };
    let Ok(factor) = u64::try_from(product.constant) else { return Reach::Any };
    let mut arguments = Vec::new();
    let mut datatypes = Vec::new();
    let mut elements = 0;
    for one in &product.factors {
        match one {
            Factor::Argument(position) => arguments.push(*position),
            Factor::Datatype(position) => datatypes.push(*position),
            Factor::Members(_) => return Reach::Any,
            Factor::Element => elements += 1,
        }
    }
    match (&datatypes[..], elements, factor) {
        ([], 0, factor) if arguments.is_empty() => Reach::Bytes(factor),
        ([], 0, factor) => Reach::Product { arguments, factor },
        ([], 1, 1) if arguments.is_empty() => Reach::All,
        ([datatype], 0, 1) => Reach::Datatypes { arguments, datatype: *datatype },
        _ => Reach::Any,
    }
}
