//! The output of a program at its end: the exact values of all its variables.
//!
//! Input: the variables.
//! Output: statements.

use super::draft::Draft;
use super::scope::Variable;
use super::types::{Domain, Structure, Type, SCALARS};
use crate::random::sample::Node;

/// The procedure that prints the variables of a file, with those of the program in the first.
pub fn procedure(draft: &Draft, file: usize) -> Node {
    let shared: &[Variable] = if file == 0 { &draft.globals } else { &[] };
    let hidden: &[Variable] = if file == 0 { &draft.hidden } else { &[] };
    let all = shared.iter().chain(hidden).chain(&draft.files[file].variables);
    let mut body: Vec<Node> = all.map(|variable| show(variable, &draft.structures)).collect();
    if let Some(key) = draft.has_pool(file) {
        let name = format!("pool_{file}");
        let line = format!(
            "for (int q_ = 0; q_ < 4; q_++) printf(\"%a %d %d\\n\", {name}[q_].value, {name}[q_].next ? (int)({name}[q_].next - {name}) : -1, {name}[q_].at ? (int)((char *){name}[q_].at - (char *){name}) : -1);"
        );
        body.push(Node::line(line).key(key));
    }
    Node::block(format!("void report_{file}(void) {{"), body, "}").fixed()
}

pub fn show(variable: &Variable, structures: &[Structure]) -> Node {
    let mut lines = Vec::new();
    put(&variable.name, &variable.name, &variable.ty, structures, 0, &mut lines);
    Node::lines(lines).key(variable.key)
}

fn put(label: &str, path: &str, ty: &Type, structures: &[Structure], depth: usize, lines: &mut Vec<String>) {
    match ty {
        Type::Scalar(scalar) => lines.push(match SCALARS[*scalar].domain {
            Domain::Whole => format!("show_w(\"{label}\", (u64){path});"),
            Domain::Real => format!("show_r(\"{label}\", {path});"),
        }),
        Type::Array(inner, length) | Type::Pointer(inner, length) => {
            let index = format!("q{depth}_");
            lines.push(format!("for (int {index} = 0; {index} < {length}; {index}++) {{"));
            put(&format!("{label}[]"), &format!("{path}[{index}]"), inner, structures, depth + 1, lines);
            lines.push("}".to_owned());
        }
        Type::Structure(number) => {
            for field in &structures[*number].fields {
                let (label, path) = (format!("{label}.{}", field.name), format!("{path}.{}", field.name));
                put(&label, &path, &field.ty, structures, depth, lines);
            }
        }
    }
}
