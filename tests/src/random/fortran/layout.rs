//! Writes statements as lines of free or fixed form, with continuations, comments and semicolons at allowed
//! positions.

use super::world::Line;
use super::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Free,
    Fixed,
}

impl Form {
    pub fn name(self, stem: &str) -> String {
        match self {
            Form::Free => format!("{stem}.f90"),
            Form::Fixed => format!("{stem}.f"),
        }
    }
}

/// The rows of each line. A line that has none is in the last row of the one before.
pub fn laid_out(lines: &[Line], form: Form, random: &mut Random) -> Vec<Vec<String>> {
    match form {
        Form::Free => free(lines, random),
        Form::Fixed => lines.iter().map(|line| fixed(line, random)).collect(),
    }
}

fn free(lines: &[Line], random: &mut Random) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    // The line to whose last row more statements can be added.
    let mut open: Option<usize> = None;
    for (n, line) in lines.iter().enumerate() {
        let indent = "  ".repeat(line.depth);
        if line.is_directive() {
            open = None;
            all.push(rows(&format!("{indent}{}", directive_in_free(&line.text, random))));
            continue;
        }
        let label = line.label.map(|label| format!("{label} ")).unwrap_or_default();
        let text = continued(&line.text, &indent, random);
        match open.and_then(|at| all[at].last_mut()) {
            Some(row) if row.len() + text.len() < 120 && !text.contains('\n') => {
                row.push_str("; ");
                row.push_str(&text);
                all.push(Vec::new());
            }
            _ => {
                all.push(rows(&format!("{indent}{label}{text}")));
                open = Some(n);
            }
        }
        let joins =
            plain(line) && lines.get(n + 1).is_some_and(|next| plain(next) && next.depth == line.depth);
        if !(joins && random.chance(6)) {
            if let Some(row) = open.and_then(|at| all[at].last_mut()).filter(|_| random.chance(3)) {
                row.push_str(" ! a comment; with (signs' &");
            }
            open = None;
        }
    }
    all
}

fn rows(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Whether this is an assignment or a call, so that other statements may follow on the line.
fn plain(line: &Line) -> bool {
    let text = &line.text;
    let assignment =
        text.contains(" = ") && !text.starts_with("do ") && !text.contains("::") && !text.contains(": do ");
    !line.is_directive() && line.label.is_none() && (assignment || text.starts_with("call "))
}

const WIDTH: usize = 100;

fn directive_in_free(text: &str, random: &mut Random) -> String {
    let breaks = random.chance(12) || text.len() > WIDTH;
    match text.find(", ") {
        Some(at) if breaks => {
            let (first, rest) = text.split_at(at + 1);
            match random.below(2) {
                0 => format!("{first} &\n!$cppc& {}", rest.trim_start()),
                _ => format!("{first} &\n  !$cppc {}", rest.trim_start()),
            }
        }
        _ => text.to_owned(),
    }
}

/// Continuation lines. Most begin after blanks, and some within words.
fn continued(text: &str, indent: &str, random: &mut Random) -> String {
    let mut out = String::new();
    let (mut rest, mut literal) = (text, None);
    // `INCLUDE` is not a statement, so its line is not continued.
    let wanted = random.chance(14) && !text.starts_with("include ");
    let mut breaks = if wanted { 1 + random.below(3) } else { 0 };
    while rest.len() > WIDTH || breaks > 0 {
        let mut within = wanted && random.chance(15);
        let limit = if breaks > 0 { rest.len().min(WIDTH) } else { WIDTH };
        breaks = breaks.saturating_sub(1);
        let mut places = break_places(rest, limit, within, literal);
        if places.is_empty() && rest.len() > WIDTH {
            // Within a constant.
            within = true;
            places = break_places(rest, limit, within, literal);
        }
        if places.is_empty() {
            break;
        }
        let at = if wanted { random.pick(&places) } else { *places.last().expect("there is one") };
        let (first, next) = rest.split_at(at);
        literal = literal_after(first, literal);
        out.push_str(first);
        // Within a word or a constant both signs are needed.
        let leading = within || random.chance(30);
        out.push_str(if within { "&\n" } else { " &\n" });
        if random.chance(10) {
            out.push_str("  ! between lines\n");
        }
        out.push_str(indent);
        out.push_str("    ");
        out.push_str(if leading { "&" } else { "" });
        rest = if within { next } else { next.trim_start() };
        if leading && !within {
            out.push(' ');
        }
    }
    out.push_str(rest);
    out
}

/// The quote of the constant in which the text ends, if it begins in a constant with `quote`. A doubled quote
/// ends one constant and begins the next.
fn literal_after(text: &str, quote: Option<char>) -> Option<char> {
    text.chars().fold(quote, |quote, c| match quote {
        Some(q) if c == q => None,
        None if c == '\'' || c == '"' => Some(c),
        same => same,
    })
}

/// The positions before blanks outside of constants, or with `within`, any positions. The text begins in a
/// constant of `quote`.
fn break_places(text: &str, limit: usize, within: bool, mut quote: Option<char>) -> Vec<usize> {
    let mut places = Vec::new();
    for (at, c) in text.char_indices() {
        if at >= limit {
            break;
        }
        let outside = quote.is_none();
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            _ => {}
        }
        // Not within the blanks at the beginning of a line.
        if at < 2 + text.len() - text.trim_start().len() || at + 2 > text.len() {
            continue;
        }
        if (within && text.is_char_boundary(at)) || (outside && c == ' ') {
            places.push(at);
        }
    }
    places
}

fn fixed(line: &Line, random: &mut Random) -> Vec<String> {
    if line.is_directive() {
        return rows(&directive_in_fixed(&line.text, random));
    }
    let mut out = Vec::new();
    if random.chance(3) {
        out.push(random.pick(&["c     a comment's line", "* another", "!"]).to_owned());
    }
    let label = line.label.map(|label| label.to_string()).unwrap_or_default();
    let text = format!("{}{}", "  ".repeat(line.depth.min(6)), line.text);
    let (mut first, mut literal) = (true, None);
    let mut rest: &str = &text;
    while !rest.is_empty() {
        let full = 66.min(rest.len());
        // Shorter lines end outside of constants, which would get blanks.
        let outside = break_places(rest, full, false, literal);
        // INCLUDE and the END of a program unit are one line.
        let is_one = ["end", "include "].iter().any(|word| line.text.starts_with(word));
        let at = match rest.len() > 66 || (random.chance(6) && !is_one) {
            true if rest.len() > 66 && (outside.is_empty() || random.chance(50)) => 66,
            true if !outside.is_empty() => random.pick(&outside),
            _ => full,
        };
        let (part, next) = rest.split_at(at);
        literal = literal_after(part, literal);
        let mark = if first { ' ' } else { random.pick(&['&', '+', '1', '$']) };
        out.push(format!("{:<5}{mark}{part}", if first { label.as_str() } else { "" }));
        first = false;
        rest = next;
    }
    out
}

fn directive_in_fixed(text: &str, random: &mut Random) -> String {
    let sentinel = random.pick(&["c$cppc", "C$CPPC", "*$cppc", "!$cppc"]);
    let body = text.trim_start_matches("!$cppc");
    match body.find(", ") {
        Some(at) if random.chance(12) || body.len() > 64 => {
            let (first, rest) = body.split_at(at + 1);
            format!("{sentinel}{first}\n{sentinel}&{rest}\n")
        }
        _ => format!("{sentinel}{body}\n"),
    }
}
