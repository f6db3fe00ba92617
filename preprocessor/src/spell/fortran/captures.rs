//! Hidden variables that are captured with a call.
//!
//! In: a hidden variable. Out: statements. Holds afterwards: in a replay an allocatable one has the size that
//! was recorded before its content goes in.

use super::names::Names;
use super::sentence::Sentences;
use crate::model::{Class, TypeCode};

/// A hidden variable with what it holds, for people.
pub(super) struct Captured<'a> {
    pub name: &'a str,
    pub class: Class,
    pub code: &'a TypeCode,
    pub title: &'a str,
}

/// How many numbers say the size of a value, when it is only known at run time.
pub(super) fn extents(class: Class) -> Option<u32> {
    match class {
        Class::Dynamic { rank, text } => Some(rank + u32::from(text)),
        _ => None,
    }
}

pub(super) fn capture(names: &Names, value: &Captured, sentences: &mut Sentences) {
    let kind = names.kind(value.code);
    let Class::Dynamic { rank, text } = value.class else {
        let parts = [&*kind, value.name, value.title];
        return sentences.say(names.say("CALL CPPC_CAPTURE_{}({}, {})", &parts));
    };
    let count = rank + u32::from(text);
    let mut now: Vec<String> = Vec::new();
    if text {
        now.push(names.say("LEN({}, KIND=8)", &[value.name]));
    }
    now.extend((1..=rank).map(|i| names.say("SIZE({}, {}, KIND=8)", &[value.name, &i.to_string()])));
    sentences.open(names.say("IF (ALLOCATED({})) THEN", &[value.name]));
    for (index, extent) in now.iter().enumerate() {
        sentences.say(names.say("#EXTENTS({}) = {}", &[&(index + 1).to_string(), extent]));
    }
    sentences.close(names.say("END IF", &[]));
    let parts = [&*format!("{count}_8"), value.title];
    sentences.say(names.say("CALL CPPC_CAPTURE_ARRAY_INTEGER_8(#EXTENTS, {}, {})", &parts));
    sentences.open(names.say("IF (#NEXT .NE. 0) THEN", &[]));
    sentences.say(names.say("IF (ALLOCATED({})) DEALLOCATE ({})", &[value.name, value.name]));
    let of = if text { names.say("CHARACTER(LEN=#EXTENTS(1)) :: ", &[]) } else { String::new() };
    let first = 1 + u32::from(text);
    let shape: Vec<String> =
        (first..first + rank).map(|i| names.say("#EXTENTS({})", &[&i.to_string()])).collect();
    let shape = if rank == 0 { String::new() } else { format!("({})", shape.join(", ")) };
    sentences.say(names.say("ALLOCATE ({}{}{})", &[&of, value.name, &shape]));
    sentences.close(names.say("END IF", &[]));
    if rank == 0 {
        let parts = [&*kind, value.name, value.title];
        sentences.say(names.say("CALL CPPC_CAPTURE_{}({}, {})", &parts));
    } else {
        let parts = [&*kind, value.name, value.name, value.title];
        sentences.say(names.say("CALL CPPC_CAPTURE_ARRAY_{}({}, SIZE({}, KIND=8), {})", &parts));
    }
}
