//! Descriptions of structures: one function for each, which gives its type code.

use std::sync::Arc;

use cppc_source::EditList;

use super::fragment::literal;
use super::{layout, Style};
use crate::model::{FieldForm, Graph, RecordType, TypeCode, TARGET};
use crate::plan::c::BodyPlan;

/// Inserts the description of each structure before the first procedure that needs it.
pub(super) fn describe<'p>(style: &Style, plans: impl Iterator<Item = &'p BodyPlan>, edits: &mut EditList) {
    let mut done: Vec<Arc<RecordType>> = Vec::new();
    let mut graphs: Vec<Arc<Graph>> = Vec::new();
    let newline = layout::newline(style);
    for plan in plans {
        for record in &plan.records {
            if record.inner || done.iter().any(|known| Arc::ptr_eq(known, record)) {
                continue;
            }
            done.push(record.clone());
            let lines = function(style, record);
            edits.insert_apart(plan.start, lines.join(newline) + newline + newline);
        }
        for graph in &plan.graphs {
            if graphs.iter().any(|known| Arc::ptr_eq(known, graph)) {
                continue;
            }
            graphs.push(graph.clone());
            edits.insert_apart(plan.start, pointers(style, graph).join(newline) + newline + newline);
        }
    }
}

/// The name of the function that declares the pointers of a graph.
pub(super) fn graph_name(style: &Style, graph: &Graph) -> String {
    format!("{}_{}", style.prefix, graph.word)
}

fn pointers(style: &Style, graph: &Graph) -> Vec<String> {
    let mut lines = vec![
        "/* What the pointers that are saved point to. */".to_owned(),
        format!("static void {}(void)", graph_name(style, graph)),
        "{".to_owned(),
    ];
    for pointer in &graph.pointers {
        let (owner, field) = (code(style, &pointer.owner), literal(&pointer.field));
        let target = pointer.target.as_ref().map_or("CPPC_FUNCTION".to_owned(), |target| code(style, target));
        lines.push(format!("    CPPC_Points({owner}, {field}, {target});"));
        if pointer.is_stated {
            lines.push(format!("    CPPC_Stated({owner}, {field});"));
        }
    }
    lines.push("}".to_owned());
    lines
}

/// The name of the function that gives a structure's code.
fn name(style: &Style, record: &RecordType) -> String {
    format!("{}_type_{}", style.prefix, record.word)
}

/// The code of a type as an expression.
pub(super) fn code(style: &Style, code: &TypeCode) -> String {
    match code {
        TypeCode::Named(name) => (*name).to_owned(),
        TypeCode::Record(record) if record.inner => inner(style, record),
        TypeCode::Record(record) => format!("{}()", name(style, record)),
    }
}

fn field_lines(style: &Style, record: &RecordType) -> Vec<String> {
    let fields = record.fields.iter().map(|field| {
        let path = &field.path;
        let offset = match (path.as_str(), field.form) {
            // The runtime finds it.
            (_, FieldForm::Bits { .. }) | (TARGET, FieldForm::Whole) => "0".to_owned(),
            (path, FieldForm::Whole) => format!("offsetof({}, {path})", record.spelling),
        };
        let name = format!("{path}{}", field.condition.as_deref().unwrap_or_default());
        format!("{{ {}, {offset}, {}, {} }}", literal(&name), code(style, &field.code), field.count)
    });
    fields.collect()
}

fn function(style: &Style, record: &RecordType) -> Vec<String> {
    let mut lines = vec![
        format!("/* Describes `{}` to the checkpointing runtime. */", record.name()),
        format!("static int {}(void)", name(style, record)),
        "{".to_owned(),
    ];
    let sample = format!("{}_sample", style.prefix);
    let samples = sample_lines(&sample, record);
    match samples.is_empty() {
        true => lines.push("    const CPPC_Field fields[] = {".to_owned()),
        false => {
            lines.push(format!("    static {} {sample};", record.spelling));
            lines.push("    CPPC_Field fields[] = {".to_owned());
        }
    }
    lines.extend(field_lines(style, record).into_iter().map(|field| format!("        {field},")));
    lines.push("    };".to_owned());
    lines.extend(samples);
    lines.push(format!(
        "    return CPPC_Define_type({}, sizeof({}), {}, fields);",
        literal(&record.name()),
        record.spelling,
        record.fields.len()
    ));
    lines.push("}".to_owned());
    lines
}

/// C has no `offsetof` for a bit-field. Its bits are those that are set in the sample when its value has all of them. From
/// 0, `--` gives this value for signed and unsigned types, without a warning about a constant.
fn sample_lines(sample: &str, record: &RecordType) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, field) in record.fields.iter().enumerate() {
        let FieldForm::Bits { is_bool } = field.form else { continue };
        let place = format!("{sample}.{}", field.path);
        let set = if is_bool { format!("{place} = 1;") } else { format!("{place}--;") };
        lines.push(format!("    {set}"));
        lines.push(format!(
            "    CPPC_Bit_field(&fields[{index}], &{sample}, sizeof({}), {place} < 1);",
            record.spelling
        ));
        lines.push(format!("    {place} = 0;"));
    }
    lines
}

/// The description of a structure that is declared in a procedure: a compound literal.
fn inner(style: &Style, record: &RecordType) -> String {
    format!(
        "CPPC_Define_type({}, sizeof({}), {}, (const CPPC_Field[]) {{ {} }})",
        literal(&record.name()),
        record.spelling,
        record.fields.len(),
        field_lines(style, record).join(", ")
    )
}
