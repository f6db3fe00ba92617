//! Lowering of C.
//!
//! Input: the bound units of C.
//! Output: their objects and procedures, in the builder of the program.
//! Postcondition: operations are in the order of evaluation. Code that may be skipped at run time is in
//! separate blocks.

mod linker_names;
mod unit;
mod lvalue;
mod body;
mod address_numbers;
mod text;
mod affine;
mod lvalue_expressions;
mod address;
mod number;
mod value;
mod assign;
mod choice;
mod call;
mod computed;
mod compiler_names;
mod initial;
mod declare;
mod counted;
mod loops;
mod cleanup;
mod jumps;
mod statement;
mod directive;
mod definition;
mod statics;

use std::collections::HashMap;
use std::rc::Rc;

use cppc_analysis::builder::ProgramBuilder;
use cppc_source::Files;
use rustc_hash::FxHashSet;

use super::Names;
use crate::front::{c::Unit, Source};
use unit::UnitContext;

/// Lowers the units of C of one program.
pub fn lower(
    units: &[(&Unit, &Source)],
    whole: bool,
    files: &Files,
    program: &mut ProgramBuilder,
    names: Option<&mut Names>,
) {
    let base = |source: &Source| {
        source.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    };
    let mut uses: HashMap<String, usize> = HashMap::new();
    for (_, source) in units {
        *uses.entry(base(source)).or_default() += 1;
    }
    let mut contexts: Vec<UnitContext> = units
        .iter()
        .map(|(unit, source)| {
            let name = base(source);
            let name = if uses[&name] == 1 { name } else { source.path.display().to_string() };
            UnitContext::new(unit, name, files)
        })
        .collect();
    let aliases = definition::variable_aliases(&contexts);
    for context in &mut contexts {
        context.variable_aliases = Rc::clone(&aliases);
        definition::define(context, program);
    }
    let mut addressed = FxHashSet::default();
    for context in &contexts {
        statics::addressed(context, &mut addressed);
    }
    let addressed = Rc::new(addressed);
    // Text that could not be parsed may change every external variable.
    let whole = whole && !contexts.iter().any(|context| context.has_unparsed);
    for context in &mut contexts {
        context.addressed = Rc::clone(&addressed);
        context.is_whole = whole;
    }
    let mut initial = Vec::new();
    for context in &mut contexts {
        initial.extend(statics::initial_values(context, program));
    }
    for context in &mut contexts {
        definition::bodies(context, &initial, program);
    }
    for context in &mut contexts {
        statics::initial_integers(context, program);
        statics::initial_texts(context, program);
    }
    if let Some(names) = names {
        for context in &mut contexts {
            context.list_names(files, program, names);
        }
    }
}
