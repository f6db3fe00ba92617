//! Each clause as statements.

use cppc_source::Span;

use super::captures::{self, Captured};
use super::files;
use super::names::literal;
use super::registers;
use super::sentence::Sentences;
use super::Writer;
use crate::plan::structured::{
    Bounds, By, Call, Choice, Clause, Condition, Control, Entry, HopId, Mark, TerminalId,
};
use crate::plan::{Action, Captured as CapturedItem, Fragment};
use crate::spell;

/// Labels of one hop that stand in one statement.
const LABELS: usize = 100;

impl Writer<'_> {
    pub(super) fn clause(&self, clause: &Clause, sentences: &mut Sentences) {
        let say = |template: &str, parts: &[&str]| self.names.say(template, parts);
        match clause {
            Clause::Note(span) => sentences.note(*span),
            Clause::Label(label) => {
                sentences.label(*label, &say("CONTINUE", &[]));
                sentences.say(say("CONTINUE", &[]));
            }
            Clause::At(label) => sentences.label(*label, &say("CONTINUE", &[])),
            Clause::Mark(mark) => sentences.label(self.label(*mark), &say("CONTINUE", &[])),
            Clause::Nothing => sentences.say(say("CONTINUE", &[])),
            Clause::Own(fragment) => sentences.say(self.own(fragment)),
            Clause::Assign { slot, value } => {
                sentences.say(format!("{} = {}", self.names.slot(*slot), self.own(value)));
            }
            Clause::Hop(hop) => self.hop(*hop, false, sentences),
            Clause::HopIfWithin(hop) => self.hop(*hop, true, sentences),
            Clause::Onward(mark) => {
                sentences.say(say("IF (#NEXT .NE. 0) GOTO {}", &[&self.label(*mark).to_string()]));
            }
            Clause::Jump(mark) => {
                sentences.say(say("#NEXT = CPPC_JUMP_NEXT()", &[]));
                sentences.say(say("IF (#NEXT .NE. 0) GOTO {}", &[&self.label(*mark).to_string()]));
            }
            Clause::Directive(action) => self.directive(action, sentences),
            Clause::Checkpoint { block, place, keeping } => {
                self.keep(keeping, sentences);
                let place = literal(&spell::place(self.style.files, *place));
                let condition = say("CPPC_DO_CHECKPOINT_AT({}, {})", &[&block.to_string(), &place]);
                self.take(&condition, keeping, sentences);
            }
            Clause::EndExecute { captures, files, onward } => {
                files::opened(&self.names, files, sentences);
                self.end_execute(captures, *onward, sentences);
            }
            Clause::Call(call) => self.call(call, sentences),
            Clause::Branch { slot, labels } => {
                let labels: Vec<String> = labels.iter().map(u32::to_string).collect();
                sentences.say(say("GOTO ({}), {}", &[&labels.join(", "), &self.names.slot(*slot)]));
            }
            Clause::Leave => {
                sentences.say(say("CALL CPPC_LEAVE", &[]));
                if let Some(slot) = self.frame.alternate {
                    sentences.say(say("RETURN {}", &[&self.names.slot(slot)]));
                }
                self.bundles.contained(&self.names, sentences);
            }
            _ => self.header_clause(clause, sentences),
        }
    }

    /// What headers of constructs become, and what belongs to them.
    fn header_clause(&self, clause: &Clause, sentences: &mut Sentences) {
        let say = |template: &str, parts: &[&str]| self.names.say(template, parts);
        match clause {
            Clause::Truth { slot, entry, condition, negate } => {
                self.truth(&self.names.slot(*slot), *entry, condition, *negate, sentences);
            }
            Clause::If { name, condition } => {
                let condition = match condition {
                    Condition::Slot(slot) => self.names.slot(*slot),
                    Condition::Own(fragment) => self.own(fragment),
                };
                sentences.open(say("{}IF ({}) THEN", &[&named(name.as_ref()), &condition]));
            }
            Clause::ElseIf(fragment) => sentences.turn(say("ELSE IF ({}) THEN", &[&self.own(fragment)])),
            Clause::Else if sentences.is_inside() => sentences.turn(say("ELSE", &[])),
            // Of an IF of the program's: what follows takes the place of `ELSE IF`.
            Clause::Else => sentences.say(say("ELSE", &[])),
            Clause::EndIf => sentences.close(say("END IF", &[])),
            Clause::Return { alternate } => self.give_back(alternate.as_ref(), sentences),
            Clause::ReturnIf { condition, alternate } => {
                let condition = self.own(condition);
                if alternate.is_none() {
                    let exit = self.label(self.frame.exit).to_string();
                    return sentences.say(say("IF ({}) GOTO {}", &[&condition, &exit]));
                }
                sentences.open(say("IF ({}) THEN", &[&condition]));
                self.give_back(alternate.as_ref(), sentences);
                sentences.close(say("END IF", &[]));
            }
            Clause::Bounds(bounds) => self.bounds(bounds, sentences),
            Clause::Do { name, terminal, control } => {
                sentences.open(self.header(name.as_ref(), *terminal, control));
            }
            Clause::Header { span, label, mark } => {
                let label = (*label, self.label(*mark).to_string());
                sentences.say(self.filled(*span, vec![label]));
            }
            Clause::Unless(fragment) => {
                sentences.say(say("IF (.NOT. ({})) EXIT", &[&self.own(fragment)]));
            }
            Clause::Associate(names) => {
                let names = names.iter().map(|(number, name)| {
                    say("#OUTER_{} => {}", &[&number.to_string(), &self.names.cased(name)])
                });
                sentences.say(say("ASSOCIATE ({})", &[&names.collect::<Vec<_>>().join(", ")]));
            }
            Clause::EndAssociate => sentences.close(say("END ASSOCIATE", &[])),
            Clause::Choice(choice) => self.choice(choice, sentences),
            Clause::Select { name, slot } => {
                let slot = self.names.slot(*slot);
                sentences.say(say("{}SELECT CASE ({})", &[&named(name.as_ref()), &slot]));
            }
            Clause::Case { number, name } => {
                let name = name.as_ref().map_or(String::new(), |name| format!(" {name}"));
                sentences.open(say("CASE ({}){}", &[&number.to_string(), &name]));
            }
            _ => {}
        }
    }

    pub(super) fn label(&self, mark: Mark) -> u32 {
        self.frame.labels.get(mark.0).copied().unwrap_or_default()
    }

    /// A piece of the program's text with slots in its holes.
    fn own(&self, fragment: &Fragment) -> String {
        let holes = fragment.holes.iter().map(|hole| (hole.span, self.names.slot(hole.slot)));
        self.filled(fragment.span, holes.collect())
    }

    fn filled(&self, span: Span, mut holes: Vec<(Span, String)>) -> String {
        if holes.is_empty() {
            return self.text.written(span);
        }
        holes.sort_by_key(|(hole, _)| hole.start);
        let mut text = String::new();
        let mut at = span.start;
        for (hole, filling) in holes {
            text.push_str(&self.text.piece(Span::new(span.file, at, hole.start.max(at))));
            text.push_str(&filling);
            at = hole.end;
        }
        text.push_str(&self.text.piece(Span::new(span.file, at, span.end.max(at))));
        text.trim().to_owned()
    }

    /// In a restart, on to a block; `beyond`: it may be none of them.
    pub(super) fn hop(&self, id: HopId, beyond: bool, sentences: &mut Sentences) {
        let Some(hop) = self.frame.hops.get(id.0).filter(|hop| !hop.targets.is_empty()) else { return };
        let labels: Vec<String> = hop.targets.iter().map(|mark| self.label(*mark).to_string()).collect();
        if !beyond && labels.iter().all(|label| *label == labels[0]) {
            return sentences.say(self.names.say("IF (#NEXT .NE. 0) GOTO {}", &[&labels[0]]));
        }
        for (index, some) in labels.chunks(LABELS).enumerate() {
            let before = hop.first as usize - 1 + index * LABELS;
            let from = if before == 0 { String::new() } else { format!(" - {before}") };
            let parts = [&*some.join(", "), &*from];
            sentences.say(self.names.say("IF (#NEXT .NE. 0) GOTO ({}), #NEXT{}", &parts));
        }
    }

    fn truth(
        &self,
        slot: &str,
        entry: Entry,
        condition: &Fragment,
        negate: bool,
        sentences: &mut Sentences,
    ) {
        let in_restart = match entry {
            Entry::Always => self.names.say(".TRUE.", &[]),
            Entry::Never => self.names.say(".FALSE.", &[]),
            Entry::Within(hop) => {
                let last = self.frame.hops.get(hop.0).map_or(0, |hop| hop.last());
                self.names.say("#NEXT .LE. {}", &[&last.to_string()])
            }
        };
        sentences.say(format!("{slot} = {in_restart}"));
        let condition = self.own(condition);
        let template =
            if negate { "IF (#NEXT .EQ. 0) {} = .NOT. ({})" } else { "IF (#NEXT .EQ. 0) {} = {}" };
        sentences.say(self.names.say(template, &[slot, &condition]));
    }

    fn give_back(&self, alternate: Option<&Fragment>, sentences: &mut Sentences) {
        if let (Some(value), Some(slot)) = (alternate, self.frame.alternate) {
            sentences.say(format!("{} = {}", self.names.slot(slot), self.own(value)));
        }
        let exit = self.label(self.frame.exit).to_string();
        sentences.say(self.names.say("GOTO {}", &[&exit]));
    }

    fn bounds(&self, bounds: &Bounds, sentences: &mut Sentences) {
        let (first, last) = (self.names.slot(bounds.first.0), self.names.slot(bounds.last.0));
        sentences.open(self.names.say("IF (#NEXT .EQ. 0) THEN", &[]));
        sentences.say(format!("{first} = {}", self.own(&bounds.first.1)));
        sentences.say(format!("{last} = {}", self.own(&bounds.last.1)));
        let kind = self.names.kind(&bounds.code);
        let step = match &bounds.step {
            By::One => self.constant("1", &kind),
            By::Constant(fragment) => self.constant(&self.own(fragment), &kind),
            By::Slot(slot, fragment) => {
                let slot = self.names.slot(*slot);
                sentences.say(format!("{slot} = {}", self.own(fragment)));
                slot
            }
        };
        sentences.close(self.names.say("END IF", &[]));
        let parts = [&*kind, &bounds.cell.to_string(), &first, &last, &step];
        sentences.say(self.names.say("CALL CPPC_LOOP_{}({}, {}, {}, {})", &parts));
    }

    /// A constant of some kind of integer: `INTEGER_8` is that of `1_8`.
    fn constant(&self, text: &str, integer: &str) -> String {
        let kind = integer.rsplit('_').next().unwrap_or_default();
        let digits = text.strip_prefix('-').unwrap_or(text);
        match (digits.bytes().all(|byte| byte.is_ascii_digit()), kind) {
            (true, "4") => text.to_owned(),
            (true, _) => format!("{text}_{kind}"),
            (false, _) => self.names.say("INT({}, {})", &[text, kind]),
        }
    }

    fn header(&self, name: Option<&String>, terminal: Option<TerminalId>, control: &Control) -> String {
        let terminal = terminal.and_then(|id| self.frame.terminals.get(id.0));
        let end = terminal.map(|terminal| terminal.moved.map_or(terminal.label, |mark| self.label(mark)));
        let end = end.map_or(String::new(), |label| format!(" {label}"));
        let name = named(name);
        match control {
            Control::Forever => self.names.say("{}DO{}", &[&name, &end]),
            Control::While => self.names.say("{}DO{} WHILE (.TRUE.)", &[&name, &end]),
            Control::Counted { variable, first, last, step } => {
                let variable = self.text.written(*variable);
                let by = match step {
                    By::One => String::new(),
                    By::Constant(fragment) => format!(", {}", self.own(fragment)),
                    By::Slot(slot, _) => format!(", {}", self.names.slot(*slot)),
                };
                let (first, last) = (self.names.slot(*first), self.names.slot(*last));
                self.names.say("{}DO{} {} = {}, {}{}", &[&name, &end, &variable, &first, &last, &by])
            }
        }
    }

    /// The number of the case: by the selector, or by the block that a restart is sent to.
    fn choice(&self, choice: &Choice, sentences: &mut Sentences) {
        let say = |template: &str, parts: &[&str]| self.names.say(template, parts);
        let slot = self.names.slot(choice.slot);
        let set = |number: u32| format!("{slot} = {number}");
        sentences.say(set(0));
        sentences.say(say("SELECT CASE (#NEXT)", &[]));
        sentences.open(say("CASE (0)", &[]));
        sentences.say(say("SELECT CASE ({})", &[&self.own(&choice.selector)]));
        for chosen in &choice.cases {
            let cases = chosen.cases.map_or_else(|| say("DEFAULT", &[]), |span| self.text.written(span));
            sentences.open(say("CASE {}", &[&cases]));
            sentences.say(set(chosen.number));
            sentences.leave();
        }
        sentences.say(say("END SELECT", &[]));
        sentences.leave();
        for chosen in &choice.cases {
            let hop = chosen.hop.and_then(|id| self.frame.hops.get(id.0));
            let Some(hop) = hop.filter(|hop| !hop.targets.is_empty()) else { continue };
            let (first, last) = (hop.first.to_string(), hop.last().to_string());
            let range = if first == last { first } else { format!("{first}:{last}") };
            sentences.open(say("CASE ({})", &[&range]));
            sentences.say(set(chosen.number));
            sentences.leave();
        }
        sentences.say(say("END SELECT", &[]));
    }

    fn directive(&self, action: &Action, sentences: &mut Sentences) {
        let names = &self.names;
        match action {
            Action::Init { .. } => {
                let fingerprint = literal(&self.style.fingerprint);
                sentences.say(names.say("CALL CPPC_IDENTIFY({})", &[&fingerprint]));
                sentences.say(names.say("CALL CPPC_INIT", &[]));
            }
            Action::Shutdown => sentences.say(names.say("CALL CPPC_SHUTDOWN", &[])),
            Action::Register { block, section, items } => {
                sentences.say(names.say("CALL CPPC_BLOCK({})", &[&block.to_string()]));
                items.iter().for_each(|item| self.register(*section, item, sentences));
            }
            Action::Unregister { items } => {
                items.iter().for_each(|item| registers::unregister(names, &item.item, sentences));
            }
            Action::Execute { block, captures, files } => {
                for captured in captures {
                    if let Some(slot) = captured.slot {
                        let place = names.cased(&captured.item.lvalue);
                        sentences.say(format!("{} = {place}", names.slot(slot)));
                    }
                }
                sentences.say(names.say("IF (CPPC_EXECUTE({}) .NE. 0) CONTINUE", &[&block.to_string()]));
                captures.iter().for_each(|one| registers::capture(names, &one.item, sentences));
                files::announce(names, files, sentences);
            }
            // Clauses of their own.
            Action::EndExecute { .. } | Action::Checkpoint { .. } => {}
        }
    }

    fn end_execute(&self, captures: &[CapturedItem], onward: Mark, sentences: &mut Sentences) {
        let onward = self.label(onward).to_string();
        sentences.say(self.names.say("#NEXT = CPPC_JUMP_NEXT()", &[]));
        let back: Vec<&CapturedItem> = captures.iter().filter(|captured| captured.slot.is_some()).collect();
        if back.is_empty() {
            return sentences.say(self.names.say("IF (#NEXT .NE. 0) GOTO {}", &[&onward]));
        }
        sentences.open(self.names.say("IF (#NEXT .NE. 0) THEN", &[]));
        for captured in back {
            let Some(slot) = captured.slot else { continue };
            let place = self.names.cased(&captured.item.lvalue);
            // What is given for a dummy argument may be a constant, which must not be written.
            let parts = [&*self.names.kind(&captured.item.code), &place, &self.names.slot(slot)];
            sentences.say(self.names.say("CALL CPPC_PUT_BACK_{}({}, {})", &parts));
        }
        sentences.say(self.names.say("GOTO {}", &[&onward]));
        sentences.close(self.names.say("END IF", &[]));
    }

    fn call(&self, call: &Call, sentences: &mut Sentences) {
        let say = |template: &str, parts: &[&str]| self.names.say(template, parts);
        let block = &call.block;
        let number = block.block.to_string();
        let callee = block.callee.as_deref().map_or_else(|| literal(" "), literal);
        let began = say("CPPC_CALL({}, {})", &[&number, &callee]);
        let arguments = block.arguments.iter();
        let arguments = arguments.map(|(slot, value)| format!("{} = {}", self.names.slot(*slot), self.own(value)));
        let arguments: Vec<String> = arguments.collect();
        match &arguments[..] {
            [] => sentences.say(say("IF ({} .NE. 0) CONTINUE", &[&began])),
            [one] => sentences.say(say("IF ({} .NE. 0) {}", &[&began, one])),
            all => {
                sentences.open(say("IF ({} .NE. 0) THEN", &[&began]));
                all.iter().for_each(|one| sentences.say(one.clone()));
                sentences.close(say("END IF", &[]));
            }
        }
        for capture in &block.captures {
            let slot = &self.plan.slots[capture.slot.0];
            let Some(code) = &slot.code else { continue };
            let value = Captured {
                name: &self.names.slot(capture.slot),
                class: slot.class,
                code,
                title: &self.title(capture.source),
            };
            captures::capture(&self.names, &value, sentences);
        }
        block.lent.iter().for_each(|lent| captures::lend(&self.names, lent, sentences));
        for capture in &block.in_place {
            let parts = [&*self.names.kind(&capture.code), &self.own(&capture.place), &self.title(capture.place.span)];
            sentences.say(say("CALL CPPC_CAPTURE_{}({}, {})", &parts));
        }
        self.keep(&call.keeping, sentences);
        self.call_itself(call, sentences);
        block.lent.iter().for_each(|lent| captures::take_back(&self.names, lent, sentences));
        for (slot, _) in &block.arguments {
            if captures::extents(self.plan.slots[slot.0].class).is_some() {
                let name = self.names.slot(*slot);
                sentences.say(say("IF (ALLOCATED({})) DEALLOCATE ({})", &[&name, &name]));
            }
        }
        self.take(&say("CPPC_RETURN({})", &[&number]), &call.keeping, sentences);
    }

    fn call_itself(&self, call: &Call, sentences: &mut Sentences) {
        let block = &call.block;
        let Some(returns) = &call.returns else {
            let text = self.own(&block.call);
            return sentences.say(match block.result {
                Some(slot) => format!("{} = {text}", self.names.slot(slot)),
                None => text,
            });
        };
        let mut holes: Vec<(Span, String)> =
            block.call.holes.iter().map(|hole| (hole.span, self.names.slot(hole.slot))).collect();
        for (label, mark) in &returns.labels {
            holes.push((label.span, format!("*{}", self.label(*mark))));
        }
        let slot = self.names.slot(returns.slot);
        let end = self.label(returns.end);
        let nothing = self.names.say("CONTINUE", &[]);
        sentences.say(self.filled(block.call.span, holes));
        sentences.say(format!("{slot} = 0"));
        for (index, (_, mark)) in returns.labels.iter().enumerate() {
            sentences.say(self.names.say("GOTO {}", &[&end.to_string()]));
            sentences.label(self.label(*mark), &nothing);
            sentences.say(format!("{slot} = {}", index + 1));
        }
        sentences.label(end, &nothing);
    }

    /// What people are shown of a captured value.
    fn title(&self, span: Span) -> String {
        let text = self.text.written(span).to_ascii_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        literal(&words.join(" ").chars().take(60).collect::<String>())
    }
}

fn named(name: Option<&String>) -> String {
    name.map_or(String::new(), |name| format!("{name}: "))
}
