//! Descriptions of structures: one function for each, which gives its type code.

use std::sync::Arc;

use cppc_source::EditList;

use super::fragment::literal;
use super::{layout, Style};
use crate::model::{FieldForm, Graph, RecordType, SharedDescription, TypeCode, TARGET};
use crate::plan::c::BodyPlan;
use crate::plan::{add_record, add_records};

/// Inserts the description of each structure before the first procedure that needs it, and those for other sources at the end.
pub(super) fn describe<'p>(
    style: &Style,
    plans: impl Iterator<Item = &'p BodyPlan>,
    shared: &[&SharedDescription],
    edits: &mut EditList,
) {
    let (mut done, newline) = (Done::default(), layout::newline(style));
    for plan in plans {
        for lines in done.added(style, &plan.records, &plan.graphs) {
            edits.insert_apart(plan.start, lines.join(newline) + newline + newline);
        }
    }
    if shared.is_empty() {
        return;
    }
    let bytes = &style.files.get(style.file).bytes;
    let mut text = if bytes.ends_with(b"\n") { String::new() } else { newline.to_owned() };
    for one in shared {
        let mut records = Vec::new();
        add_records(&one.code, &mut records);
        one.graph.records.iter().for_each(|record| add_record(record, &mut records));
        let mut all = done.added(style, &records, &[]);
        all.push(shared_functions(style, one));
        all.iter().for_each(|lines| text.push_str(&(newline.to_owned() + &lines.join(newline) + newline)));
    }
    edits.insert_apart(bytes.len() as u32, text);
}

/// The descriptions that are in the text already.
#[derive(Default)]
struct Done {
    records: Vec<Arc<RecordType>>,
    graphs: Vec<Arc<Graph>>,
}

impl Done {
    /// The functions that are not in the text yet.
    fn added(
        &mut self,
        style: &Style,
        records: &[Arc<RecordType>],
        graphs: &[Arc<Graph>],
    ) -> Vec<Vec<String>> {
        let mut functions = Vec::new();
        for record in records {
            if !record.inner && !self.records.iter().any(|known| Arc::ptr_eq(known, record)) {
                self.records.push(record.clone());
                functions.push(function(style, record));
            }
        }
        for graph in graphs {
            if !self.graphs.iter().any(|known| Arc::ptr_eq(known, graph)) {
                self.graphs.push(graph.clone());
                functions.push(pointers(style, graph));
            }
        }
        functions
    }
}

/// The functions that describe a structure of this source to other sources. The pointers are described separately: two
/// structures may point to each other.
fn shared_functions(style: &Style, shared: &SharedDescription) -> Vec<String> {
    let (code_name, pointers_name) = (shared_code(&shared.word), shared_pointers(&shared.word));
    let mut lines = declarations(&shared.graph);
    lines.extend([
        format!("/* Describes `{}` to other sources. */", shared.word),
        format!("extern int {code_name}(void);"),
        format!("int {code_name}(void)"),
        "{".to_owned(),
        format!("    return {};", code(style, &shared.code)),
        "}".to_owned(),
        format!("extern void {pointers_name}(void);"),
        format!("void {pointers_name}(void)"),
        "{".to_owned(),
    ]);
    lines.extend(own_pointers(style, &shared.graph));
    lines.push("}".to_owned());
    lines
}

fn shared_code(word: &str) -> String {
    format!("cppc_shared_type_{word}")
}

fn shared_pointers(word: &str) -> String {
    format!("cppc_shared_pointers_{word}")
}

/// The name of the function that declares the pointers of a graph.
pub(super) fn graph_name(style: &Style, graph: &Graph) -> String {
    format!("{}_{}", style.prefix, graph.word)
}

fn pointers(style: &Style, graph: &Graph) -> Vec<String> {
    let mut lines = declarations(graph);
    lines.extend([
        "/* What the pointers that are saved point to. */".to_owned(),
        format!("static void {}(void)", graph_name(style, graph)),
        "{".to_owned(),
    ]);
    lines.extend(graph.shared.iter().map(|word| format!("    {}();", shared_pointers(word))));
    lines.extend(own_pointers(style, graph));
    lines.push("}".to_owned());
    lines
}

/// The declarations of the functions of other sources.
fn declarations(graph: &Graph) -> Vec<String> {
    let functions = graph.shared.iter().flat_map(|word| {
        [
            format!("extern int {}(void);", shared_code(word)),
            format!("extern void {}(void);", shared_pointers(word)),
        ]
    });
    functions.collect()
}

/// The pointers in structures that this source describes.
fn own_pointers(style: &Style, graph: &Graph) -> Vec<String> {
    let mut lines = Vec::new();
    for pointer in &graph.pointers {
        let (owner, field) = (code(style, &pointer.owner), literal(&pointer.field));
        let target = pointer.target.as_ref().map_or("CPPC_FUNCTION".to_owned(), |target| code(style, target));
        lines.push(format!("    CPPC_Points({owner}, {field}, {target});"));
        if pointer.is_stated {
            lines.push(format!("    CPPC_Stated({owner}, {field});"));
        }
    }
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
        TypeCode::Shared(word) => format!("{}()", shared_code(word)),
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
