//! Hidden variables that are captured with a call.
//!
//! In: a hidden variable. Out: statements. Holds afterwards: in a replay an allocatable one has the size that
//! was recorded before its content goes in.

use super::names::{literal, Names};
use super::sentence::Sentences;
use crate::model::{Class, TypeCode};
use crate::plan::Lent;

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

/// An array that is not there when a call is repeated gets memory of the size that it had: what a repeated call does with it counts
/// for nothing, but compilers look at where it is.
pub(super) fn lend(names: &Names, lent: &Lent, sentences: &mut Sentences) {
    let (name, bounds, flag) = (names.cased(&lent.array.name), names.slot(lent.bounds), names.slot(lent.is_lent));
    let rank = lent.array.rank;
    let nothing: Vec<&str> = (0..2 * rank).map(|index| if index < rank { "0_8" } else { "-5_8" }).collect();
    sentences.say(format!("{bounds} = (/ {} /)", nothing.join(", ")));
    let template = "IF (ALLOCATED({})) {} = (/ LBOUND({}, KIND=8), UBOUND({}, KIND=8) /)";
    sentences.say(names.say(template, &[&name, &bounds, &name, &name]));
    let title = literal(&format!("bounds of {}", lent.array.name));
    let parts = [&*bounds, &format!("{}_8", 2 * rank), &title];
    sentences.say(names.say("CALL CPPC_CAPTURE_ARRAY_INTEGER_8({}, {}, {})", &parts));
    sentences.say(names.say("{} = #NEXT .NE. 0 .AND. .NOT. ALLOCATED({})", &[&flag, &name]));
    let parts = [&*flag, &flag, &literal(&lent.array.name), &bounds, &bounds, &(rank + 1).to_string()];
    sentences.say(names.say("IF ({}) {} = CPPC_LENDS({}, {}(1), {}({})) .NE. 0", &parts));
    let ranges: Vec<String> = (1..=rank).map(|i| format!("{bounds}({i}):{bounds}({})", i + rank)).collect();
    sentences.say(names.say("IF ({}) ALLOCATE ({}({}))", &[&flag, &name, &ranges.join(", ")]));
}

/// The call has returned: when a restart is still under way, it was repeated.
pub(super) fn take_back(names: &Names, lent: &Lent, sentences: &mut Sentences) {
    let (name, flag) = (names.cased(&lent.array.name), names.slot(lent.is_lent));
    let template = "IF ({} .AND. CPPC_RESTARTING() .NE. 0) DEALLOCATE ({})";
    sentences.say(names.say(template, &[&flag, &name]));
}
