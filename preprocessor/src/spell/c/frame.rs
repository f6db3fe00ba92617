//! The code at the entry and the exit of a procedure: the structure of saved copies, the dispatch, the exit
//! label.

use cppc_source::{EditList, Span};

use super::fragment::literal;
use super::{Dispatch, Writer};
use crate::model::{Class, Pattern};
use crate::plan::Fragment;

impl Writer<'_> {
    /// Inserts the structure of saved copies, the result, the frame and the dispatch.
    pub(super) fn open(&self, edits: &mut EditList) {
        let indent = self.inner_indent(self.body.opening.saturating_sub(1));
        let mut lines = Vec::new();
        lines.extend(self.record().into_iter().flatten());
        lines.extend(self.result_declaration());
        let (prefix, name, blocks) = (self.prefix(), &self.plan.name, self.plan.block_count());
        if self.style.dispatch == Dispatch::Computed {
            lines.push(self.label_table());
        }
        lines.push(format!("int {prefix}_next = CPPC_Enter({}, {blocks});", literal(name)));
        if self.body.calls_setjmp {
            lines.push(format!("const int {prefix}_frame = CPPC_Frame();"));
        }
        if let (true, Some(pointers)) = (self.plan.main, &self.body.command_line) {
            lines.push(format!("CPPC_Arguments({}, {});", pointers.count, pointers.values));
        }
        lines.extend(self.plan.size_variables.iter().map(|variable| {
            let name = &variable.name;
            format!("CPPC_Size_variable((void *)&{name}, sizeof({name}), {});", literal(name))
        }));
        match self.style.dispatch {
            Dispatch::Switch => lines.extend(self.switch()),
            Dispatch::Computed => {
                lines.push(format!("if ({prefix}_next != 0) goto *{prefix}_labels[{prefix}_next];"));
                if !self.body.exit_label {
                    lines.push(format!("if (0) {{ {prefix}_exit: {} }}", self.leave()));
                }
            }
        }
        let text = self.join(&lines, &indent);
        let end = self.line_break(self.body.opening, &indent);
        edits.insert(self.body.opening, format!("{}{indent}{text}{end}", self.newline));
    }

    /// `struct { int i; double *u; } cppc;`
    fn record(&self) -> Option<Vec<String>> {
        let members = self.plan.slots.iter().enumerate().map(|(index, slot)| {
            let name = self.member(crate::plan::SavedMemberId(index));
            format!("{};", declared(&slot.pattern, &name))
        });
        let members: Vec<String> = members.collect();
        let prefix = self.prefix();
        if members.is_empty() {
            return None;
        }
        let one_line = format!("struct {{ {} }} {prefix};", members.join(" "));
        if one_line.len() <= 80 {
            return Some(vec![one_line]);
        }
        let mut lines = vec!["struct {".to_owned()];
        lines.extend(members.into_iter().map(|member| format!("{}{member}", super::layout::LEVEL)));
        lines.push(format!("}} {prefix};"));
        Some(lines)
    }

    fn result_declaration(&self) -> Option<String> {
        let result = self.body.result.as_ref()?;
        let pattern = result.pattern.as_ref()?;
        let start = match result.class {
            Class::Arithmetic | Class::Pointer => " = 0",
            _ => "",
        };
        let prefix = self.prefix();
        Some(format!("{}{start};", declared(pattern, &format!("{prefix}_result"))))
    }

    /// The labels, by block number. For a block that nothing jumps to, the label is that of the exit.
    fn label_table(&self) -> String {
        let prefix = self.prefix();
        let labels = (0..=self.plan.block_count() + 1).map(|block| {
            if self.body.targets.contains(&block) {
                format!("&&{prefix}_{block}")
            } else {
                format!("&&{prefix}_exit")
            }
        });
        let labels: Vec<String> = labels.collect();
        format!("static void *const {prefix}_labels[] = {{ {} }};", labels.join(", "))
    }

    fn switch(&self) -> Vec<String> {
        let prefix = self.prefix();
        let mut lines = Vec::new();
        if self.joins_jumps() {
            lines.push(format!("goto {prefix}_jump;"));
            lines.push(format!("{prefix}_again:"));
            lines.push("__asm__ volatile (\"\");".to_owned());
        }
        lines.push(format!("{prefix}_jump:"));
        lines.push(format!("switch ({prefix}_next) {{"));
        for block in &self.body.targets {
            lines.push(format!("case {block}: goto {prefix}_{block};"));
        }
        let exit = self.plan.block_count() + 1;
        if self.body.exit_label {
            lines.push(format!("case {exit}: goto {prefix}_exit;"));
        } else {
            lines.push(format!("case {exit}: {}", self.leave()));
        }
        lines.push("default: break;".to_owned());
        lines.push("}".to_owned());
        lines
    }

    fn leave(&self) -> String {
        let close = self.close_frame();
        match self.body.result {
            Some(_) => format!("{close} return {}_result;", self.prefix()),
            None => format!("{close} return;"),
        }
    }

    fn close_frame(&self) -> String {
        let land = if self.body.calls_setjmp {
            format!("CPPC_Land({}_frame); ", self.prefix())
        } else {
            String::new()
        };
        format!("{land}CPPC_Leave();")
    }

    /// Inserts the exit label, and the code for a procedure that reaches its end.
    pub(super) fn close(&self, edits: &mut EditList) {
        let brace = self.body.closing;
        let outer = self.indent(brace);
        let indent = self.inner_indent(brace);
        let mut lines = Vec::new();
        if self.body.exit_label {
            lines.push(format!("{}_exit:", self.prefix()));
        }
        lines.push(self.close_frame());
        if self.body.result.is_some() {
            lines.push(format!("return {}_result;", self.prefix()));
        }
        let text = self.join(&lines, &indent);
        let first = self.first_indent(&lines, &indent);
        let own_line = self.starts_line(brace);
        let lead = if own_line { String::new() } else { self.newline.to_owned() };
        let head =
            if own_line { first.strip_prefix(&outer).unwrap_or("").to_owned() } else { first.to_owned() };
        edits.insert(brace, format!("{lead}{head}{text}{}{outer}", self.newline));
    }

    /// `return value;`
    pub(super) fn return_text(
        &self,
        span: Span,
        value: Option<&Fragment>,
        braces: bool,
        last: bool,
    ) -> String {
        let prefix = self.prefix();
        let mut lines = Vec::new();
        if let Some(value) = value {
            match self.body.result {
                Some(_) => lines.push(format!("{prefix}_result = {};", self.assigned(value))),
                None => lines.push(format!("{};", self.text(value))),
            }
        }
        match (self.body.exit_label, last) {
            (true, true) => {}
            (true, false) => lines.push(format!("goto {prefix}_exit;")),
            (false, _) => lines.push(self.leave()),
        }
        if braces {
            return format!("{{ {} }}", lines.join(" "));
        }
        self.join(&lines, &self.indent(span.start))
    }
}

/// The declaration of a variable, without the semicolon.
fn declared(pattern: &Pattern, name: &str) -> String {
    match pattern {
        Pattern::C { before, after } => format!("{before}{name}{after}"),
        // C has no such pattern.
        Pattern::Fortran { .. } => name.to_owned(),
    }
}
