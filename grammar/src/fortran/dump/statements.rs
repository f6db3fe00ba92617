//! Executable statements and constructs.

use super::expressions::labels;
use super::Writer;
use crate::fortran::tree::{
    Construct, ConstructEnd, ConstructKind, DoControl, DoKind, Expr, Name, Part, Statement, StatementKind,
};

impl Writer<'_> {
    pub(super) fn statement(&mut self, statement: &Statement) {
        if let StatementKind::Construct(construct) = &statement.kind {
            return self.construct(construct);
        }
        match self.action(&statement.kind) {
            Some(what) => self.line(Some(statement.line), statement.label, &what),
            None => self.specification(statement),
        }
    }

    /// `None` for a statement that is not executable.
    fn action(&self, kind: &StatementKind) -> Option<String> {
        Some(match kind {
            StatementKind::Assignment { target, value } => {
                format!("{} = {}", self.expression(target), self.expression(value))
            }
            StatementKind::PointerAssignment { target, value } => {
                format!("{} => {}", self.expression(target), self.expression(value))
            }
            StatementKind::Call { procedure, arguments } => {
                format!("call {}({})", self.expression(procedure), self.arguments(arguments))
            }
            StatementKind::Goto(label) => format!("goto {}", label.value),
            StatementKind::ComputedGoto { labels: list, selector } => {
                format!("goto ({}), {}", labels(list), self.expression(selector))
            }
            StatementKind::AssignedGoto { variable, labels: list } => {
                format!("goto {}, ({})", variable.text, labels(list))
            }
            StatementKind::AssignLabel { label, variable } => {
                format!("assign {} to {}", label.value, variable.text)
            }
            StatementKind::ArithmeticIf { value, labels: list } => {
                format!("if ({}) {}", self.expression(value), labels(list))
            }
            StatementKind::LogicalIf { condition, action } => {
                format!("if ({}) {}", self.expression(condition), self.inner(action))
            }
            StatementKind::Return(value) => self.with("return", value.as_ref()),
            StatementKind::Stop(value) => self.with("stop", value.as_ref()),
            StatementKind::Pause => "pause".to_owned(),
            StatementKind::Continue => "continue".to_owned(),
            StatementKind::Cycle(name) => named("cycle", name.as_ref()),
            StatementKind::Exit(name) => named("exit", name.as_ref()),
            StatementKind::Io { keyword, controls, items } => {
                format!("{keyword} ({}) {}", self.arguments(controls), self.list(items))
            }
            StatementKind::Allocate { objects, options } => {
                format!("allocate {} ({})", self.list(objects), self.arguments(options))
            }
            StatementKind::Deallocate { objects, options } => {
                format!("deallocate {} ({})", self.list(objects), self.arguments(options))
            }
            StatementKind::Nullify(objects) => format!("nullify {}", self.list(objects)),
            StatementKind::Masked { keyword, expressions, action } => {
                let action = action.as_ref().map_or(String::new(), |action| self.inner(action));
                format!("{keyword} ({}) {action}", self.list(expressions))
            }
            StatementKind::OtherExecutable { expressions } => {
                format!("other executable {}", self.list(expressions))
            }
            _ => return None,
        })
    }

    fn inner(&self, action: &Statement) -> String {
        self.action(&action.kind).unwrap_or_else(|| "not understood".to_owned())
    }

    fn with(&self, word: &str, value: Option<&Expr>) -> String {
        value.map_or(word.to_owned(), |value| format!("{word} {}", self.expression(value)))
    }

    fn construct(&mut self, construct: &Construct) {
        let name = construct.name.as_ref().map_or(String::new(), |name| format!("{}: ", name.text));
        for (number, part) in construct.parts.iter().enumerate() {
            let what = match number {
                0 => name.clone() + &self.opening(&construct.kind, part),
                _ => self.divider(part),
            };
            self.line(Some(part.header), part.header_label, what.trim_end());
            self.within(&part.statements);
        }
        match &construct.end {
            ConstructEnd::Statement { line, label } => self.line(Some(*line), *label, "end"),
            ConstructEnd::Shared { label } => self.line(None, None, &format!("end at {label}")),
            ConstructEnd::Missing => self.line(None, None, "no end"),
        }
    }

    fn opening(&self, kind: &ConstructKind, part: &Part) -> String {
        match kind {
            ConstructKind::If => self.with("if", part.condition.as_ref()),
            ConstructKind::SelectCase { selector } => self.with("select case", Some(selector)),
            ConstructKind::Do(control) => self.repetition(control),
            ConstructKind::Block => "block".to_owned(),
            ConstructKind::Associate { associations } => {
                let list = associations
                    .iter()
                    .map(|(name, value)| format!("{} => {}", name.text, self.expression(value)));
                format!("associate {}", list.collect::<Vec<_>>().join(", "))
            }
            ConstructKind::SelectType { selector, associate } => {
                self.selecting("select type", selector, associate.as_ref())
            }
            ConstructKind::SelectRank { selector, associate } => {
                self.selecting("select rank", selector, associate.as_ref())
            }
            ConstructKind::Masked { keyword, expressions } => {
                format!("{keyword} ({})", self.list(expressions))
            }
            ConstructKind::Critical => "critical".to_owned(),
            ConstructKind::ChangeTeam { expressions } => {
                format!("change team ({})", self.list(expressions))
            }
        }
    }

    fn selecting(&self, word: &str, selector: &Expr, associate: Option<&Name>) -> String {
        let associate = associate.map_or(String::new(), |name| format!("{} => ", name.text));
        format!("{word} {associate}{}", self.expression(selector))
    }

    fn repetition(&self, control: &DoControl) -> String {
        let label = control.label.as_ref().map_or(String::new(), |label| format!("{} ", label.value));
        let what = match &control.kind {
            DoKind::Counted { variable, start, end, step } => {
                let step = step.as_ref().map_or(String::new(), |step| format!(", {}", self.expression(step)));
                format!("{} = {}, {}{step}", variable.text, self.expression(start), self.expression(end))
            }
            DoKind::While(condition) => self.with("while", Some(condition)),
            DoKind::Forever => "forever".to_owned(),
            DoKind::Concurrent { expressions } => format!("concurrent ({})", self.list(expressions)),
        };
        format!("do {label}{what}")
    }

    /// `ELSE`, `CASE (…)` and similar: keywords as written, expressions as parsed.
    fn divider(&self, part: &Part) -> String {
        let word: String = self.text(part.header_at).split('(').next().unwrap_or_default().trim().to_owned();
        match (&part.condition, &part.cases) {
            (Some(condition), _) => self.with(&word, Some(condition)),
            (None, Some(cases)) => format!("{word} ({})", self.arguments(cases)),
            (None, None) => self.text(part.header_at),
        }
    }
}

fn named(word: &str, name: Option<&Name>) -> String {
    name.map_or(word.to_owned(), |name| format!("{word} {}", name.text))
}
