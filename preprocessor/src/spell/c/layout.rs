//! Lines and their indentation.

use cppc_source::{EditList, Span};

use super::{Style, Writer};

/// The line end that the file uses.
pub(super) fn newline(style: &Style) -> &'static str {
    let bytes = &style.files.get(style.file).bytes;
    match bytes.iter().position(|&byte| byte == b'\n') {
        Some(at) if at > 0 && bytes[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

/// The white space at the start of the line that holds a byte.
pub(super) fn indent(style: &Style, at: u32) -> String {
    let file = style.files.get(style.file);
    let (line, _) = file.line_column(at);
    let text = &file.bytes[file.line_range(line)];
    let white = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    white.map(|&byte| byte as char).collect()
}

/// The number of lines after a directive that are searched for a statement.
const LINES_AHEAD: u32 = 100;

/// The indentation of the code around a directive. The directive itself may begin in column 1.
pub(super) fn directive_indent(style: &Style, start: u32, end: u32) -> String {
    let own = indent(style, start);
    if !own.is_empty() {
        return own;
    }
    let file = style.files.get(style.file);
    let (line, _) = file.line_column(end);
    for next in line + 1..=file.lines().min(line.saturating_add(LINES_AHEAD)) {
        let text = &file.bytes[file.line_range(next)];
        let Some(first) = text.iter().position(|byte| !byte.is_ascii_whitespace()) else { continue };
        if text[first] == b'#' {
            continue;
        }
        let start = file.line_range(next).start as u32;
        let mut found = indent(style, start);
        if text[first] == b'}' {
            found.push_str(&one_level(&found));
        }
        return found;
    }
    own
}

/// The indentation of one level of generated lines.
pub(super) const LEVEL: &str = "    ";

/// One more level of indentation, with tabs or blanks like the line itself.
pub(super) fn one_level(like: &str) -> String {
    if like.contains('\t') {
        "\t".to_owned()
    } else {
        LEVEL.to_owned()
    }
}

impl Writer<'_> {
    pub(super) fn indent(&self, at: u32) -> String {
        indent(self.style, at)
    }

    pub(super) fn inner_indent(&self, at: u32) -> String {
        let outer = self.indent(at);
        let more = one_level(&outer);
        outer + &more
    }

    /// The position of an opening brace before a statement that begins its line: at the end of the preceding
    /// text.
    pub(super) fn brace_place(&self, at: u32) -> Option<u32> {
        if !self.starts_line(at) {
            return None;
        }
        let file = self.style.files.get(self.style.file);
        let before = &file.bytes[..at as usize];
        let place = before.iter().rposition(|byte| !byte.is_ascii_whitespace())? + 1;
        let (line, _) = file.line_column(place as u32 - 1);
        let text = &file.bytes[file.line_range(line)];
        // The brace must not be in a comment or in a directive.
        let comment = text.windows(2).any(|pair| pair == b"//");
        let directive = text.trim_ascii_start().starts_with(b"#");
        (!comment && !directive).then_some(place as u32)
    }

    /// Whether there is only white space before a byte on its line.
    pub(super) fn starts_line(&self, at: u32) -> bool {
        let file = self.style.files.get(self.style.file);
        let (line, _) = file.line_column(at);
        let start = file.line_range(line).start;
        file.bytes[start..at as usize].iter().all(|byte| matches!(byte, b' ' | b'\t'))
    }

    pub(super) fn is_brace(&self, at: u32) -> bool {
        self.style.files.get(self.style.file).bytes.get(at as usize) == Some(&b'{')
    }

    /// Whether the line ends at this byte.
    pub(super) fn ends_line(&self, at: u32) -> bool {
        let bytes = &self.style.files.get(self.style.file).bytes;
        matches!(bytes.get(at as usize), None | Some(b'\n' | b'\r'))
    }

    /// The line break after inserted lines if code follows on the same line. Without it, the code would look
    /// as if it belonged to the conditional jump. Blanks in the text count as indentation.
    pub(super) fn line_break(&self, at: u32, indent: &str) -> String {
        let file = self.style.files.get(self.style.file);
        let rest = &file.bytes[at as usize..];
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let code = &rest[blanks..];
        let ends = code.first().is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b'}' | b'\\'));
        if ends || code.starts_with(b"//") || code.starts_with(b"/*") {
            return String::new();
        }
        format!("{}{}", self.newline, &indent[..indent.len().saturating_sub(blanks)])
    }

    /// Joins lines. Labels are one level to the left. The first line begins at the position of the insertion.
    pub(super) fn join(&self, lines: &[String], indent: &str) -> String {
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                text.push_str(self.newline);
                text.push_str(self.first_indent(&lines[index..], indent));
            }
            let nested = line.strip_prefix(LEVEL).filter(|_| self.is_label(line));
            text.push_str(nested.unwrap_or(line));
        }
        text
    }

    /// The indentation of the first line.
    pub(super) fn first_indent<'a>(&self, lines: &[String], indent: &'a str) -> &'a str {
        if lines.first().is_some_and(|line| self.is_label(line) && !line.starts_with(LEVEL)) {
            indent.strip_suffix(&one_level(indent)).unwrap_or(indent)
        } else {
            indent
        }
    }

    /// Removes one level of indentation at the position where these lines are inserted, if they begin with a
    /// label.
    pub(super) fn outdent(&self, at: u32, lines: &[String], edits: &mut EditList) {
        let indent = self.indent(at);
        let removed = (indent.len() - self.first_indent(lines, &indent).len()) as u32;
        if removed > 0 && self.starts_line(at) && !edits.has_end(at) {
            edits.replace(Span::new(self.style.file, at - removed, at), "");
        }
    }

    fn is_label(&self, line: &str) -> bool {
        let name = line.strip_suffix(":;").or_else(|| line.strip_suffix(':'));
        name.is_some_and(|name| name.trim_start().starts_with(self.prefix()))
    }
}
