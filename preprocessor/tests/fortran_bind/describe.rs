//! The model as readable text.

use std::fmt::Write as _;

use cppc_preprocessor::model::structured::{Construct, ConstructKind};
use cppc_preprocessor::model::{
    Callee, DirectiveKind, Expression, ExpressionKind, FortranShape, FortranType, Item, ItemKind, Pattern,
    Procedure, Statement, StatementKind, TypeCode, ValueType,
};
use cppc_source::{Files, Span};

pub fn procedures(list: &[Procedure], files: &Files) -> String {
    let mut text = String::new();
    for procedure in list {
        Writer { files, text: &mut text, depth: 0 }.procedure(procedure);
        text.push('\n');
    }
    text
}

struct Writer<'w> {
    files: &'w Files,
    text: &'w mut String,
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn lines(&self, span: Span) -> String {
        let file = self.files.get(span.file);
        let (first, last) = (file.line_column(span.start).0, file.line_column(span.end).0);
        if first == last {
            format!("{first}")
        } else {
            format!("{first}-{last}")
        }
    }

    fn line_of(&self, file: Span, at: u32) -> u32 {
        self.files.get(file.file).line_column(at).0
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let words = [
            (procedure.main, "main"),
            (procedure.local, "local"),
            (procedure.escapes, "escapes"),
            (procedure.jumps, "jumps"),
        ];
        let words: Vec<&str> = words.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect();
        let place = procedure.place.map_or("nowhere".to_owned(), |place| self.lines(place));
        let result = procedure.result.as_ref().map_or(String::new(), |ty| format!(" -> {}", value(ty)));
        let head =
            format!("{} \"{}\"{result} at {place} {}", procedure.name, procedure.entry_name, words.join(" "));
        self.line(head.trim_end());
        self.depth += 1;
        if let Some(layout) = &procedure.layout {
            let (declarations, execution) = (
                self.line_of(layout.end, layout.declarations_at),
                self.line_of(layout.end, layout.execution_at),
            );
            let end = self.lines(layout.end);
            let mut text = format!("declarations {declarations}, execution {execution}, end {end}");
            if !layout.labels.is_empty() {
                let _ = write!(text, ", labels {:?}", layout.labels);
            }
            if let Some(result) = &layout.result_variable {
                let _ = write!(text, ", result {result}");
            }
            for (holds, word) in [
                (layout.capitals, "capitals"),
                (layout.pure.is_some(), "pure"),
                (layout.alternate_returns, "alternate returns"),
                (!layout.entries.is_empty(), "entries"),
            ] {
                if holds {
                    let _ = write!(text, ", {word}");
                }
            }
            self.line(&text);
        }
        let cells: Vec<String> = procedure
            .variables
            .iter()
            .filter_map(|one| one.saved_type.as_ref().map(|ty| format!("{}: {}", one.name, value(ty))))
            .collect();
        if !cells.is_empty() {
            self.line(&format!("cells {}", cells.join(", ")));
        }
        for kept in procedure.layout.iter().flat_map(|layout| &layout.repassed) {
            let text = format!("re-passed {} within {}", item(&kept.item), self.lines(kept.scope));
            self.line(&text);
        }
        self.statements(&procedure.body.items);
        self.depth -= 1;
    }

    fn statements(&mut self, items: &[Statement]) {
        for item in items {
            self.statement(item);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let place = statement.place.map_or("?".to_owned(), |place| self.lines(place));
        let label = statement.label.map_or(String::new(), |label| format!("{}: ", label.value));
        let lead = format!("{place}: {label}");
        match &statement.kind {
            StatementKind::Expression(expression) => self.evaluated(&lead, "", expression),
            StatementKind::Return(value) => {
                self.line(&format!("{lead}return"));
                value.iter().for_each(|value| self.evaluated("", "  value ", value));
            }
            StatementKind::Construct(construct) => self.construct(&lead, construct),
            StatementKind::Guarded { condition, action } => {
                self.evaluated(&lead, "if ", condition);
                self.depth += 1;
                self.statement(action);
                self.depth -= 1;
            }
            StatementKind::CallWithReturns { call, returns } => {
                let labels: Vec<u32> = returns.iter().map(|label| label.value).collect();
                self.evaluated(&lead, &format!("returns {labels:?} "), call);
            }
            StatementKind::Jump => self.line(&format!("{lead}jump")),
            StatementKind::Opaque => self.line(&format!("{lead}opaque")),
            StatementKind::Directive(directive) => {
                let (word, items): (&str, &[Item]) = match &directive.kind {
                    DirectiveKind::Init => ("init", &[]),
                    DirectiveKind::Shutdown => ("shutdown", &[]),
                    DirectiveKind::Checkpoint(_) => ("checkpoint", &[]),
                    DirectiveKind::EndExecute => ("end execute", &[]),
                    DirectiveKind::Register(items) => ("register", items),
                    DirectiveKind::Unregister(items) => ("unregister", items),
                    DirectiveKind::Execute { captures, .. } => ("execute", captures),
                };
                self.line(&format!("{lead}{word}"));
                self.depth += 1;
                for one in items {
                    self.line(&item(one));
                    if let TypeCode::Record(record) = &one.code {
                        let fields: Vec<String> = record
                            .fields
                            .iter()
                            .map(|field| format!("{} {} x {}", field.path, code(&field.code), field.count))
                            .collect();
                        self.line(&format!("  {}: {}", record.spelling, fields.join(", ")));
                    }
                }
                self.depth -= 1;
            }
            _ => self.line(&format!("{lead}not of Fortran")),
        }
    }

    fn construct(&mut self, lead: &str, construct: &Construct) {
        let kind = match &construct.kind {
            ConstructKind::If => "if".to_owned(),
            ConstructKind::Select { .. } => "select".to_owned(),
            ConstructKind::Counted(counted) => {
                format!(
                    "do {} {}",
                    counted.variable,
                    counted.code.as_ref().map_or("of no integer".to_owned(), code)
                )
            }
            ConstructKind::While { .. } => "do while".to_owned(),
            ConstructKind::Forever => "do".to_owned(),
            ConstructKind::Scope => "scope".to_owned(),
            ConstructKind::Types { .. } => "types".to_owned(),
            ConstructKind::Closed { kind, .. } => format!("closed {kind}"),
        };
        let name = construct.name.as_ref().map_or(String::new(), |name| format!("{name}: "));
        let end = construct.end.map_or("none".to_owned(), |end| self.lines(end));
        let terminal = construct.terminal.map_or(String::new(), |label| format!(", up to {}", label.value));
        self.line(&format!("{lead}{name}{kind}, end {end}{terminal}"));
        let headers: Vec<&Expression> = match &construct.kind {
            ConstructKind::If => Vec::new(),
            _ => construct.expressions(),
        };
        headers.iter().for_each(|expression| self.calls(expression));
        for part in &construct.parts {
            let cases = part.cases.map_or(String::new(), |span| self.files.text_lossy(span).into_owned());
            let behind = part
                .execution_at
                .map_or(String::new(), |at| format!(", execution {}", self.line_of(part.header, at)));
            let header = self.files.text_lossy(part.header).into_owned();
            let first = header.lines().next().unwrap_or_default();
            self.line(format!("| {first} {cases}{behind}").trim_end());
            if let (Some(condition), ConstructKind::If) = (&part.condition, &construct.kind) {
                self.calls(condition);
            }
            self.depth += 1;
            self.statements(&part.items);
            self.depth -= 1;
        }
    }

    fn evaluated(&mut self, lead: &str, what: &str, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Call { .. } => {
                self.line(&format!("{lead}{what}call"));
                self.calls(expression);
            }
            _ => {
                let text = expression.place.map_or("?".into(), |place| self.files.text_lossy(place));
                let text = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
                self.line(&format!("{lead}{what}{text}"));
                self.calls(expression);
            }
        }
    }

    /// The calls inside an expression, with their arguments.
    fn calls(&mut self, expression: &Expression) {
        self.depth += 1;
        match &expression.kind {
            ExpressionKind::Call { callee, arguments, .. } => {
                let list: Vec<String> = arguments.iter().map(|argument| self.argument(argument)).collect();
                let acts = if expression.nature.acts { "" } else { " pure" };
                self.line(&format!(
                    "{}({}) {}{acts}",
                    callee_text(callee),
                    list.join(", "),
                    value(&expression.ty)
                ));
            }
            ExpressionKind::Statements(sites) => {
                let list: Vec<String> = sites.iter().map(|site| callee_text(&site.callee)).collect();
                self.line(&format!("inside: {}", list.join(", ")));
            }
            _ => self.depth -= 1,
        }
        expression.children().iter().for_each(|child| self.calls(child));
        if matches!(expression.kind, ExpressionKind::Call { .. } | ExpressionKind::Statements(_)) {
            self.depth -= 1;
        }
    }

    fn argument(&self, argument: &Expression) -> String {
        let text = argument.place.map_or("?".into(), |place| self.files.text_lossy(place));
        let nature = argument.nature;
        let words = [
            (nature.constant, "constant"),
            (nature.object, "object"),
            (nature.by_reference, "by reference"),
            (nature.handle, "handle"),
        ];
        let words: Vec<&str> = words.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect();
        format!(
            "{text} [{}{}{}]",
            value(&argument.ty),
            if words.is_empty() { "" } else { ", " },
            words.join(", ")
        )
    }
}

fn callee_text(callee: &Callee) -> String {
    match callee {
        Callee::Named(name) => name.clone(),
        Callee::Pointer(_) => "(pointer)".to_owned(),
    }
}

fn value(ty: &ValueType) -> String {
    match &ty.pattern {
        Some(Pattern::Fortran { ty, shape }) => {
            let ty = match ty {
                FortranType::Character(Some(length)) => format!("character(len={length})"),
                FortranType::Character(None) => "character(len=:)".to_owned(),
                ty => format!("{ty:?}").to_lowercase(),
            };
            let is_allocatable = matches!(shape, FortranShape::Allocatable { .. });
            ty + if is_allocatable { ", allocatable" } else { "" }
        }
        Some(Pattern::C { before, after }) => format!("{before} {after}"),
        None => format!("{:?}", ty.class).to_lowercase(),
    }
}

fn code(code: &TypeCode) -> String {
    match code {
        TypeCode::Named(name) => (*name).to_owned(),
        TypeCode::Record(record) => record.spelling.clone(),
        TypeCode::Shared(word) => word.to_string(),
    }
}

fn item(item: &Item) -> String {
    let kind = match item.kind {
        ItemKind::Memory => String::new(),
        ItemKind::Array => " array".to_owned(),
        ItemKind::Target => " target".to_owned(),
        ItemKind::Followed { rank } => format!(" followed({rank})"),
    };
    let mut text = format!("{} \"{}\"{kind} {} x {}", item.lvalue, item.name, item.count, code(&item.code));
    if let Some(shape) = &item.shape {
        let _ = write!(text, ", shape({}) {}", shape.rank, shape.parts.join(", "));
    }
    let traits = &item.traits;
    let words = [
        (item.variable.is_some(), "variable"),
        (item.automatic, "automatic"),
        (item.through_pointer, "through pointer"),
        (item.derived, "derived"),
        (traits.optional, "optional"),
        (traits.gaps, "gaps"),
        (traits.pointer, "pointer"),
        (traits.read_only, "read only"),
    ];
    for (_, word) in words.iter().filter(|(holds, _)| *holds) {
        let _ = write!(text, ", {word}");
    }
    if let Some(first) = &traits.first_element {
        let _ = write!(text, ", first {first}");
    }
    if let Some(length) = &traits.length {
        let _ = write!(text, ", length {length}");
    }
    text
}
