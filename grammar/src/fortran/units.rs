//! Program units and subprograms: their beginning, their contained procedures, and their end.

use super::open_item::{Header, OpenItem, OpenUnit, Stage};
use super::statement::role::{Ending, EndingKind};
use super::tree::{ConstructEnd, Tree, Unit, UnitKind};
use super::tree_builder::TreeBuilder;
use cppc_source::Diagnostic;

impl TreeBuilder<'_> {
    pub(super) fn begin_unit(&mut self, header: Header, unit: Unit) {
        // Text before a unit does not belong to it.
        let waiting = std::mem::take(&mut self.waiting);
        self.tree.outside.extend(waiting);
        loop {
            match self.open.last_mut() {
                None | Some(OpenItem::Interface { .. }) => break,
                Some(OpenItem::Unit(open)) if open.stage == Stage::Contains => break,
                Some(OpenItem::Unit(open))
                    if holds_procedures(&open.unit.kind) && is_procedure(&unit.kind) =>
                {
                    open.stage = Stage::Contains;
                    let message = "a procedure begins here, but there is no `contains` before it";
                    self.complain(
                        "C0222",
                        header.at,
                        message,
                        Some("write `contains` before the first procedure"),
                    );
                    break;
                }
                Some(_) => self.close_missing(header.at),
            }
        }
        let stage = Stage::Specification;
        self.push(OpenItem::Unit(Box::new(OpenUnit { unit, stage, at: header.at })));
    }

    pub(super) fn contains(&mut self, header: Header) {
        if let Some(OpenItem::Type { bindings, .. }) = self.open.last_mut() {
            *bindings = true;
            return;
        }
        // A main program may consist only of procedures.
        if self.open.is_empty() {
            self.begin_main(header.at);
        }
        if !self.close_down_to(header.at, OpenItem::is_unit) {
            let message = "`contains` is outside of a program unit";
            self.complain("C0218", header.at, message, None);
            self.tree.unparsed.push(header.line);
            return;
        }
        if let Some(OpenItem::Unit(open)) = self.open.last_mut() {
            if !holds_procedures(&open.unit.kind) {
                open.begin_execution();
            }
            open.stage = Stage::Contains;
            open.unit.contains = Some(header.line);
        }
    }

    /// Closes the unit that an `END` ends, and everything that is open inside it.
    pub(super) fn end_unit(&mut self, header: Header, ending: Ending) {
        let Ending { kind, name } = ending;
        if self.open.is_empty() {
            // `END` alone is an empty main program.
            if !matches!(kind, EndingKind::Plain | EndingKind::Program) {
                self.complain("C0218", header.at, "this does not end an open construct or unit", None);
                self.tree.unparsed.push(header.line);
                return;
            }
            self.begin_main(header.at);
        }
        let fits = |item: &OpenItem| item.is_unit() && item.ends_with(kind);
        let named = |item: &OpenItem| match (&name, item.name()) {
            (Some(name), Some(own)) => name.text == own.text,
            _ => true,
        };
        let found = self.open.iter().rposition(|item| fits(item) && named(item));
        let found = found.or_else(|| self.open.iter().rposition(fits));
        let innermost = self.open.iter().rposition(OpenItem::is_unit).unwrap_or(0);
        let target = found.unwrap_or(innermost);
        while self.open.len() > target + 1 {
            self.close_missing(header.at);
        }
        if found.is_none() {
            let what = self.open.last().map_or(String::new(), OpenItem::described);
            let message = format!("this does not end {what}, which is open");
            self.complain("C0223", header.at, message, Some("write `end`, or the kind of unit that it ends"));
        } else if let (Some(name), Some(own)) = (&name, self.open.last().and_then(OpenItem::name)) {
            if name.text != own.text {
                let message = format!("found the name `{}`, expected `{}`", name.text, own.text);
                self.complain(
                    "C0221",
                    name.at,
                    message,
                    Some("use the name of the construct or unit, or no name"),
                );
            }
        }
        self.close(ConstructEnd::Statement { line: header.line, label: header.label });
    }

    pub(super) fn close_unit(&mut self, mut open: OpenUnit, end: &ConstructEnd) {
        let executes =
            !matches!(open.unit.kind, UnitKind::Module | UnitKind::Submodule { .. } | UnitKind::BlockData);
        if executes {
            open.begin_execution();
        }
        let mut unit = open.unit;
        if let ConstructEnd::Statement { line, label } = end {
            unit.end = Some(*line);
            unit.end_label = *label;
        }
        match self.open.last_mut() {
            Some(OpenItem::Unit(host)) => host.unit.contained.push(unit),
            Some(OpenItem::Interface { interface, .. }) => interface.bodies.push(unit),
            _ => self.tree.units.push(unit),
        }
    }

    /// Closes everything that is open at the end of the file.
    pub fn finish(mut self) -> (Tree, Vec<Diagnostic>) {
        while let Some(item) = self.open.last() {
            let at = item.at();
            self.close_missing(at);
        }
        let waiting = std::mem::take(&mut self.waiting);
        self.tree.outside.extend(waiting);
        (self.tree, self.diagnostics)
    }
}

fn holds_procedures(kind: &UnitKind) -> bool {
    matches!(kind, UnitKind::Module | UnitKind::Submodule { .. })
}

fn is_procedure(kind: &UnitKind) -> bool {
    matches!(kind, UnitKind::Subroutine | UnitKind::Function { .. } | UnitKind::ModuleProcedure)
}
