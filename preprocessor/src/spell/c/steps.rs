//! Generated statements.

use super::directives::ended;
use super::fragment::literal;
use super::layout::LEVEL;
use super::{records, Writer};
use crate::model::TypeCode;
use crate::plan::{CallBlock, Pointers, Step};

impl Writer<'_> {
    /// The lines of some steps, indented only relative to each other.
    pub(super) fn steps(&self, steps: &[Step]) -> Vec<String> {
        steps.iter().flat_map(|step| self.step(step)).collect()
    }

    fn step(&self, step: &Step) -> Vec<String> {
        match step {
            Step::Call(call) => self.call(call),
            Step::Assign { slot, value, truth: false } => {
                vec![format!("{} = {};", self.slot(*slot), self.assigned(value))]
            }
            Step::Assign { slot, value, truth: true } => {
                vec![format!("{} = {} != 0;", self.slot(*slot), self.operand(value))]
            }
            Step::Evaluate(fragment) => vec![format!("{};", self.text(fragment))],
            Step::Choose { on, negate, then, otherwise } => {
                let condition = match *negate {
                    true => format!("!{}", self.operand(on)),
                    false => self.value(on),
                };
                let mut lines = vec![format!("if ({condition}) {{")];
                lines.extend(self.steps(then).into_iter().map(deeper));
                if !otherwise.is_empty() {
                    lines.push("} else {".to_owned());
                    lines.extend(self.steps(otherwise).into_iter().map(deeper));
                }
                lines.push("}".to_owned());
                lines
            }
        }
    }

    fn call(&self, call: &CallBlock) -> Vec<String> {
        let block = call.block;
        let callee = call.callee.as_deref().map_or("NULL".to_owned(), literal);
        let mut lines = self.label(block);
        lines.extend(ended(&call.ended));
        let arguments = call.arguments.iter();
        let arguments =
            arguments.map(|(slot, value)| format!("{} = {};", self.slot(*slot), self.assigned(value)));
        let arguments: Vec<String> = arguments.collect();
        match &arguments[..] {
            [] => lines.push(format!("CPPC_Call({block}, {callee});")),
            [one] => lines.push(format!("if (CPPC_Call({block}, {callee})) {one}")),
            all => lines.push(format!("if (CPPC_Call({block}, {callee})) {{ {} }}", all.join(" "))),
        }
        for capture in &call.captures {
            let slot = self.slot(capture.slot);
            let code = self.plan.slots[capture.slot.0].code.as_ref();
            let (count, code) = match code {
                Some(code) if !matches!(code, TypeCode::Named("CPPC_BYTE")) => {
                    ("1".to_owned(), records::code(self.style, code))
                }
                _ => (format!("sizeof {slot}"), "CPPC_BYTE".to_owned()),
            };
            let name = literal(&self.style.files.text_lossy(capture.source));
            let otherwise = match &capture.pointers {
                Pointers::Known => {
                    lines.push(format!("CPPC_Capture(&{slot}, {count}, {code}, {name});"));
                    continue;
                }
                Pointers::Again { value, follows_pointer } => {
                    let condition = if *follows_pointer {
                        format!("if (CPPC_Evaluates({name})) ")
                    } else {
                        String::new()
                    };
                    lines.push(format!("{condition}{slot} = {};", self.assigned(value)));
                    "CPPC_AGAIN"
                }
                Pointers::Lost { needed: true } => "CPPC_NEEDED",
                Pointers::Lost { needed: false } => "CPPC_NOT_NEEDED",
            };
            lines.push(format!("CPPC_Capture_pointers(&{slot}, {count}, {code}, {name}, {otherwise});"));
        }
        // After the arguments, because their evaluation may change the saved variables.
        if !call.saved.is_empty() {
            lines.extend(self.save(&call.saved));
        }
        let text = self.text(&call.call);
        match call.result {
            Some(slot) => lines.push(format!("{} = {text};", self.slot(slot))),
            None => lines.push(format!("{text};")),
        }
        if call.saved.is_empty() {
            lines.push(format!("CPPC_Return({block});"));
        } else {
            lines.extend(self.restore(&format!("CPPC_Return({block})"), &call.saved));
        }
        lines.push(self.jump());
        lines
    }
}

fn deeper(line: String) -> String {
    format!("{LEVEL}{line}")
}
