//! The generated code that replaces the line of a directive. The directive stays above it as a comment.

use cppc_source::{EditList, Span};

use super::fragment::{commentable, literal};
use super::layout::LEVEL;
use super::{layout, records, Style, Writer};
use crate::model::structured::MemberSelector;
use crate::model::{
    Amount, Extents, FieldLayout, Fields, HandleKind, Indexed, Item, ItemKind, OpenedFile, TypeCode,
};
use crate::plan::{Action, Captured, Registered, SavedValue};
use crate::spell;

impl Writer<'_> {
    pub(super) fn directive(&self, span: Span, action: &Action, edits: &mut EditList) {
        let indent = layout::directive_indent(self.style, span.start, span.end);
        let mut lines = Vec::new();
        if !span.is_empty() {
            lines.push(comment(self.style, span));
        }
        match action {
            Action::Init { .. } => lines.extend(self.init()),
            Action::Shutdown => lines.push("CPPC_Shutdown();".to_owned()),
            Action::Register { block, section, items } => {
                lines.extend(self.label(*block));
                lines.push(format!("CPPC_Block({block});"));
                items.iter().for_each(|item| lines.extend(self.register(*section, item)));
                lines.push(self.jump());
            }
            Action::Unregister { items } => {
                lines.extend(items.iter().map(|item| self.unregister(item)));
            }
            Action::Execute { block, captures, files } => {
                lines.extend(self.execute(*block, captures));
                lines.extend(files.iter().enumerate().map(|(index, file)| announce(index + 1, file)));
            }
            Action::EndExecute { captures, files } => {
                lines.extend(files.iter().enumerate().map(|(index, file)| opened(index + 1, file)));
                lines.push(self.end_execute(captures));
            }
            // Only procedures without blocks have it.
            Action::Defer { .. } => {}
            Action::Checkpoint { block, ranks, ended, saved } => {
                lines.extend(self.label(*block));
                lines.extend(
                    ranks.iter().map(|ranks| format!("CPPC_Ranks({});", literal(&ranks.to_string()))),
                );
                lines.extend(self.checkpoint(span, *block, ended, saved))
            }
        }
        let own = layout::indent(self.style, span.start);
        let missing = indent.strip_prefix(&own).unwrap_or("");
        let end = self.line_break(span.end, &indent);
        let text = self.join(&lines, &indent);
        // Code that the plan has added comes after a statement of the program.
        let start = if span.is_empty() {
            format!("{}{}", self.newline, self.first_indent(&lines, &indent))
        } else {
            missing.to_owned()
        };
        edits.replace(span, format!("{start}{text}{end}"));
    }

    fn init(&self) -> Vec<String> {
        let (argc, argv) = match &self.body.command_line {
            Some(pointers) => (pointers.count.as_str(), pointers.values.as_str()),
            None => ("NULL", "NULL"),
        };
        vec![
            format!("CPPC_Identify({});", literal(&self.style.fingerprint)),
            format!("CPPC_Init({argc}, {argv});"),
            self.jump(),
        ]
    }

    fn register(&self, section: u32, registered: &Registered) -> Vec<String> {
        let item = &registered.item;
        let declared = item.graph.as_ref();
        let declared = declared.map(|graph| format!("{}();", records::graph_name(self.style, graph)));
        let lines = match &item.indexed {
            Some(indexed) => self.element(section, registered, indexed),
            None => self.whole(section, registered),
        };
        declared.into_iter().chain(lines).collect()
    }

    fn whole(&self, section: u32, registered: &Registered) -> Vec<String> {
        let item = &registered.item;
        let code = records::code(self.style, &item.code);
        let (name, count) = (literal(&item.name), count(item));
        let storage = storage(item);
        let lvalue = &item.lvalue;
        let mut lines = Vec::new();
        let fields = item.fields.as_ref().and_then(Fields::layout);
        let announced = fields.map(|fields| announced_fields(&name, fields, None));
        match (item.kind, registered.slot) {
            (ItemKind::Target, Some(slot)) => {
                let slot = self.slot(slot);
                let parameter = if registered.parameter { " | CPPC_PARAMETER" } else { "" };
                lines.push(format!("{slot} = {lvalue};"));
                lines.push(format!(
                    "CPPC_Register_pointer({section}, &{slot}, {count}, {code}, {name}, {storage}{parameter});"
                ));
                // The register of fields does not set the pointer.
                lines.extend(item.fields.is_none().then(|| format!("{lvalue} = {slot};")));
            }
            (ItemKind::Target, None) => {
                let parameter = if registered.parameter { " | CPPC_PARAMETER" } else { "" };
                lines.push(format!(
                    "CPPC_Register_pointer({section}, {}, {count}, {code}, {name}, {storage}{parameter});",
                    plain(item, format!("&{lvalue}"))
                ));
            }
            (_, Some(slot)) => {
                let slot = self.slot(slot);
                lines.push(format!(
                    "if (CPPC_Register_value({section}, &{slot}, {code}, {name}, {storage})) {lvalue} = {slot};"
                ));
            }
            (_, None) => lines.push(in_place(self.style, section, item)),
        }
        if item.through_pointer {
            let guard = format!("if (CPPC_Wants({name})) ");
            if let Some(first) = lines.first_mut() {
                *first = guard + first;
            }
        }
        lines.extend(item.shape.as_ref().map(|shape| said_shape(&name, shape)));
        lines.extend(item.traits.selector.as_ref().map(|selector| {
            let MemberSelector { place, code, is_qualified } = selector;
            let cast = if *is_qualified { "(void *)" } else { "" };
            format!("CPPC_Select({name}, {cast}&{place}, {code});")
        }));
        lines.extend(self.way(registered));
        announced.into_iter().chain(lines).collect()
    }

    /// Declares the pointers of the access path of the register.
    fn way(&self, registered: &Registered) -> Vec<String> {
        let item = &registered.item;
        let name = literal(&item.name);
        // For an element, only a pointer that is a variable itself is declared.
        let points = item
            .access_path
            .iter()
            .zip(&registered.way)
            .filter(|(point, _)| point.is_name || item.indexed.is_none());
        let lines = points.map(|(point, slot)| {
            let storage = if point.automatic { "CPPC_AUTOMATIC" } else { "CPPC_STATIC" };
            let guard = if point.is_name { String::new() } else { format!("if (CPPC_Wants({name})) ") };
            match slot {
                Some(slot) => {
                    let slot = self.slot(*slot);
                    format!("{slot} = {}; CPPC_Way({name}, &{slot}, {storage});", point.text)
                }
                None => format!("{guard}CPPC_Way({name}, (void *)&{}, {storage});", point.text),
            }
        });
        lines.collect()
    }

    /// A register of an element, whose computed subscripts come from the state file in a restart.
    fn element(&self, section: u32, registered: &Registered, indexed: &Indexed) -> Vec<String> {
        let item = &registered.item;
        let at = format!("{}_at", self.prefix());
        let code = records::code(self.style, &item.code);
        let name = literal(&item.name);
        // The count is known only outside of a replay.
        let storage = match item.amount {
            Amount::Allocation | Amount::Deep => storage(item),
            Amount::Constant | Amount::Computed => place(item).to_owned(),
        };
        let lower = item.fields.as_ref().and_then(Fields::layout).and_then(|fields| fields.lower.as_ref());
        let lower_at = indexed.subscripts.len();
        let count_at = lower_at + usize::from(lower.is_some());
        let mut values = assigned(&at, indexed, lower);
        let place = placed(&at, indexed);
        let register = if item.kind == ItemKind::Target {
            values.push_str(&format!(" {at}[{count_at}] = {};", converted("long long", &item.count)));
            let slot = match registered.slot {
                Some(slot) => format!("&{}", self.slot(slot)),
                None => plain(item, format!("&{place}")),
            };
            format!("CPPC_Register_pointer({section}, {slot}, (size_t){at}[{count_at}], {code}, {name}, {storage});")
        } else {
            let count = if item.derived { "1".to_owned() } else { size(&item.count) };
            let address = plain(item, address(item.kind, &place));
            format!("CPPC_Register({section}, {address}, {count}, {code}, {name}, {storage});")
        };
        let mut lines = vec![
            "{".to_owned(),
            format!("    long long {at}[{}] = {{ 0 }};", count_at + 1),
            format!("    if (!CPPC_Replays()) {{ {values} }}"),
        ];
        match item.fields.as_ref().and_then(Fields::layout) {
            None => lines.push(format!("    if (CPPC_Element({name}, {at})) {register}")),
            Some(fields) => {
                let lower = lower.map(|_| format!("{at}[{lower_at}]"));
                let kept = registered.slot.map(|slot| format!("{} = {}; ", self.slot(slot), item.lvalue));
                let announced = announced_fields(&name, fields, lower);
                let kept = kept.unwrap_or_default();
                lines.push(format!("    if (CPPC_Element({name}, {at})) {{"));
                lines.push(format!("        {announced}"));
                lines.push(format!("        {kept}{register}"));
                lines.push("    }".to_owned());
            }
        }
        lines.extend(item.shape.as_ref().map(|shape| format!("{LEVEL}{}", said_shape(&name, shape))));
        lines.extend(self.way(registered).into_iter().map(|line| format!("{LEVEL}{line}")));
        lines.push("}".to_owned());
        lines
    }

    fn unregister(&self, registered: &Registered) -> String {
        match registered.slot {
            Some(slot) => {
                let slot = self.slot(slot);
                format!("CPPC_Unregister_name({}, &{slot});", literal(&registered.item.name))
            }
            None => unregister(self.style, &registered.item),
        }
    }

    fn execute(&self, block: u32, captures: &[Captured]) -> Vec<String> {
        let mut lines = self.label(block);
        for captured in captures {
            if let Some(slot) = captured.slot {
                lines.push(format!("{} = {};", self.slot(slot), captured.item.lvalue));
            }
        }
        lines.push(format!("CPPC_Execute({block});"));
        let capture = |captured: &Captured| {
            let item = &captured.item;
            let code = records::code(self.style, &item.code);
            let address = match captured.slot {
                Some(slot) => format!("&{}", self.slot(slot)),
                None => address(item.kind, &item.lvalue),
            };
            format!("CPPC_Capture({address}, {}, {code}, {});", size(&item.count), literal(&item.name))
        };
        // The address of `team[i]` is computed with the recorded `i`.
        lines.extend(captures.iter().filter(|captured| captured.slot.is_some()).map(&capture));
        lines.extend(self.take_back(captures));
        lines.extend(captures.iter().filter(|captured| captured.slot.is_none()).map(&capture));
        lines
    }

    /// Copies the captured values into their variables.
    fn take_back(&self, captures: &[Captured]) -> Vec<String> {
        let copies = captures.iter().filter_map(|captured| {
            let slot = captured.slot?;
            Some(format!("{} = {};", captured.item.lvalue, self.slot(slot)))
        });
        copies.collect()
    }

    fn end_execute(&self, captures: &[Captured]) -> String {
        let back = self.take_back(captures);
        if back.is_empty() {
            return self.jump();
        }
        let jump = self.jump();
        match jump.split_once(" goto ") {
            Some((condition, target)) => {
                format!("{condition} {{ {} goto {target} }}", back.join(" "))
            }
            None => jump,
        }
    }

    fn checkpoint(&self, span: Span, block: u32, names: &[String], saved: &[SavedValue]) -> Vec<String> {
        let mut lines: Vec<String> = ended(names).collect();
        let place = literal(&spell::place(self.style.files, span));
        lines.extend(self.save(saved));
        lines.extend(self.restore(&format!("CPPC_Do_checkpoint_at({block}, {place})"), saved));
        lines.push(self.jump());
        lines
    }

    /// `cppc.i = i; cppc.u = u;`
    pub(super) fn save(&self, saved: &[SavedValue]) -> Vec<String> {
        filled(saved.iter().map(|value| format!("{} = {};", self.slot(value.slot), value.name)))
    }

    /// `if (condition) { i = cppc.i; u = cppc.u; }`
    pub(super) fn restore(&self, condition: &str, saved: &[SavedValue]) -> Vec<String> {
        let taken = saved.iter().filter(|value| value.comes_back);
        let copies = filled(taken.map(|value| format!("{} = {};", value.name, self.slot(value.slot))));
        match &copies[..] {
            [] => vec![format!("{condition};")],
            [one] => vec![format!("if ({condition}) {{ {one} }}")],
            many => {
                let mut lines = vec![format!("if ({condition}) {{")];
                lines.extend(many.iter().map(|line| format!("{LEVEL}{line}")));
                lines.push("}".to_owned());
                lines
            }
        }
    }
}

/// Ends the registers of variables whose scope has ended.
pub(super) fn ended(names: &[String]) -> impl Iterator<Item = String> + '_ {
    names.iter().map(|name| format!("CPPC_Out_of_scope({});", literal(name)))
}

/// Joins statements into lines of at most 80 columns.
fn filled(statements: impl Iterator<Item = String>) -> Vec<String> {
    const COLUMNS: usize = 80;
    let mut lines: Vec<String> = Vec::new();
    for statement in statements {
        match lines.last_mut() {
            Some(line) if line.len() + statement.len() < COLUMNS => {
                line.push(' ');
                line.push_str(&statement);
            }
            _ => lines.push(statement),
        }
    }
    lines
}

/// A directive in a procedure without blocks.
pub(super) fn outside(style: &Style, newline: &str, span: Span, action: &Action, edits: &mut EditList) {
    let indent = layout::directive_indent(style, span.start, span.end);
    let mut lines = vec![comment(style, span)];
    match action {
        Action::Unregister { items } => {
            lines.extend(items.iter().map(|registered| unregister(style, &registered.item)));
        }
        Action::Defer { items, .. } => lines.extend(deferred(style, items)),
        _ => lines.push("CPPC_Shutdown();".to_owned()),
    }
    let own = layout::indent(style, span.start);
    let missing = indent.strip_prefix(&own).unwrap_or("");
    edits.replace(span, format!("{missing}{}", lines.join(&format!("{newline}{indent}"))));
}

/// The register of memory that has a name.
fn in_place(style: &Style, section: u32, item: &Item) -> String {
    let (name, code) = (literal(&item.name), records::code(style, &item.code));
    let address = plain(item, address(item.kind, &item.lvalue));
    let (count, storage) = (count(item), storage(item));
    format!("CPPC_Register({section}, {address}, {count}, {code}, {name}, {storage});")
}

/// Registers of static variables, each time that the procedure begins until they have an effect.
fn deferred(style: &Style, items: &[Registered]) -> Vec<String> {
    if items.is_empty() {
        return Vec::new();
    }
    let ready = format!("{}_ready", style.prefix);
    let mut lines = vec![format!("{{ static int {ready}; if (!{ready} && CPPC_Accepts_deferred() != 0) {{")];
    for Registered { item, .. } in items {
        lines.push(format!("{LEVEL}{}", in_place(style, 0, item)));
        let name = literal(&item.name);
        lines.extend(item.shape.as_ref().map(|shape| format!("{LEVEL}{}", said_shape(&name, shape))));
    }
    // Other threads must not use the variables before.
    lines.push(format!("{LEVEL}{ready} = 1;"));
    lines.push("} }".to_owned());
    lines
}

/// The storage class of an item, with the flag for its number of elements.
fn storage(item: &Item) -> String {
    let flag = match item.amount {
        Amount::Allocation => " | CPPC_ALLOCATION",
        Amount::Deep => " | CPPC_DEEP",
        Amount::Constant if item.kind == ItemKind::Target && !reads(&item.count) => " | CPPC_CONSTANT",
        Amount::Constant | Amount::Computed => "",
    };
    format!("{}{flag}", place(item))
}

fn place(item: &Item) -> &'static str {
    if item.traits.deferred.is_some() {
        "CPPC_STATIC | CPPC_DEFERRED"
    } else if item.automatic {
        "CPPC_AUTOMATIC"
    } else {
        "CPPC_STATIC"
    }
}

/// The number of elements. In a restart it comes from the state file, because the values from which it is
/// computed may not be restored yet.
fn count(item: &Item) -> String {
    let text = &item.count;
    if item.kind == ItemKind::Target && reads(text) {
        format!("CPPC_Restarting() ? 0 : {}", size(text))
    } else {
        size(text)
    }
}

/// A number of elements. Programs that are compiled with `-Wsign-conversion` expect the conversion to be written.
fn size(text: &str) -> String {
    let is_size = text.starts_with("sizeof ") || text.starts_with("(size_t)(");
    if is_size {
        text.to_owned()
    } else {
        converted("size_t", text)
    }
}

/// An expression of another type. A constant needs no conversion. A name may be a macro.
fn converted(ty: &str, text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.to_owned()
    } else {
        format!("({ty})({text})")
    }
}

/// Declares the shape. In a restart, the shape comes from the state file.
fn said_shape(name: &str, shape: &Extents) -> String {
    let guard = if shape.parts.iter().any(|part| reads(part)) { "if (!CPPC_Restarting()) " } else { "" };
    let parts: Vec<String> = shape.parts.iter().map(|part| size(part)).collect();
    format!("{guard}CPPC_Shape({name}, {}, (const size_t[]) {{ {} }});", shape.rank, parts.join(", "))
}

/// Whether an expression reads memory through a pointer or a subscript, or contains a call.
fn reads(text: &str) -> bool {
    (text.contains("->") || text.contains('[') || calls(text)) && !text.contains("sizeof")
}

/// Whether a text contains a name that is followed by an opening parenthesis.
fn calls(text: &str) -> bool {
    text.char_indices()
        .filter(|&(_, c)| c == '(')
        .any(|(at, _)| text[..at].trim_end().ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// The text of a directive as a comment, which replaces it.
pub(super) fn comment(style: &Style, span: Span) -> String {
    format!("/* {} */", commentable(style.files.text_lossy(span).trim_end()))
}

fn unregister(style: &Style, item: &Item) -> String {
    let pointer = matches!(item.code, TypeCode::Named("CPPC_POINTER")) || item.kind == ItemKind::Target;
    let name = literal(&item.name);
    let address = |place: &str| if pointer { place.to_owned() } else { address(item.kind, place) };
    let Some(indexed) = &item.indexed else {
        return format!("CPPC_Unregister_name({name}, {});", address(&item.lvalue));
    };
    let at = format!("{}_at", style.prefix);
    let lower = item.fields.as_ref().and_then(Fields::layout).and_then(|fields| fields.lower.as_ref());
    let (values, place) = (assigned(&at, indexed, lower), placed(&at, indexed));
    let length = indexed.subscripts.len() + usize::from(lower.is_some());
    let unregister = format!("CPPC_Unregister_name({name}, {});", address(&place));
    format!("{{ long long {at}[{length}]; {values} CPPC_Element({name}, {at}); {unregister} }}")
}

/// Announces the position of the fields that are registered next.
fn announced_fields(name: &str, fields: &FieldLayout, lower: Option<String>) -> String {
    let FieldLayout { offset, row, stride, elements, .. } = fields;
    let offset = match (lower, offset.as_str()) {
        (None, _) => offset.clone(),
        (Some(lower), "0") => format!("(size_t){lower} * {row}"),
        (Some(lower), _) => format!("(size_t){lower} * {row} + {offset}"),
    };
    format!("CPPC_Fields({name}, {offset}, {stride}, {elements});")
}

/// `cppc_at[0] = k;`, for each computed subscript, and for the lower bound of a section.
fn assigned(at: &str, indexed: &Indexed, lower: Option<&String>) -> String {
    let values = indexed
        .subscripts
        .iter()
        .chain(lower)
        .enumerate()
        .map(|(index, text)| format!("{at}[{index}] = {};", converted("long long", text)));
    values.collect::<Vec<_>>().join(" ")
}

/// `rows[cppc_at[0]]`
fn placed(at: &str, indexed: &Indexed) -> String {
    let mut text = String::new();
    for (index, piece) in indexed.pieces.iter().enumerate() {
        text.push_str(piece);
        if index < indexed.subscripts.len() {
            text.push_str(&format!("{at}[{index}]"));
        }
    }
    text
}

/// Declares a file before the block opens it.
fn announce(number: usize, file: &OpenedFile) -> String {
    format!("CPPC_File({number}, {}, {});", file.name, literal(&file.handle))
}

/// Reports the handle after the block has opened the file.
fn opened(number: usize, file: &OpenedFile) -> String {
    let verb = match file.kind {
        HandleKind::Stream => "CPPC_File_stream",
        HandleKind::Descriptor | HandleKind::Unit => "CPPC_File_descriptor",
    };
    format!("{verb}({number}, {});", file.handle)
}

/// An address as an argument of type `void *`, without a warning about qualifiers.
fn plain(item: &Item, address: String) -> String {
    if item.traits.qualified {
        format!("(void *){address}")
    } else {
        address
    }
}

/// The address of an item's memory.
fn address(kind: ItemKind, lvalue: &str) -> String {
    match (kind, lvalue.strip_prefix('*')) {
        (ItemKind::Array, _) => lvalue.to_owned(),
        (_, Some(pointer)) if pointer.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => {
            pointer.to_owned()
        }
        _ => format!("&{lvalue}"),
    }
}
