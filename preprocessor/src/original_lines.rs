//! Generated text on the lines of the original, for compilers and debuggers.
//!
//! Input: a source and its edits.
//! Output: the text with line markers. Each line has the number of the line of the source that it comes from.
//! Method: the generated text of an edit becomes one line of C. Before text of the source on the same line, a marker
//! and blanks restore the line and the column. In Fortran, a line ends a statement: there, a marker precedes each
//! generated statement.

use cppc_source::{Edit, EditList, Files, SourceFile};

/// Rewrites a C source.
pub fn in_c(files: &Files, edits: &EditList) -> Vec<u8> {
    let file = files.get(edits.file());
    let bytes = &file.bytes;
    let begins_line = |at: usize| at < 2 || bytes[at - 2] != b'\\';
    Text::new(file, "#line", true, &begins_line).rewrite(edits)
}

/// Rewrites a Fortran source. `begins_line` says whether a marker may precede the line that begins at an offset. Fortran
/// has no `#line`, but its compilers accept the markers that a preprocessor writes: `# line "file"`. If the compiler
/// preprocesses the source, it reads `#line`, and with `-pedantic-errors` it rejects the other form.
pub fn in_fortran(
    files: &Files,
    edits: &EditList,
    is_preprocessed: bool,
    begins_line: impl Fn(usize) -> bool,
) -> Vec<u8> {
    let mark = if is_preprocessed { "#line" } else { "#" };
    Text::new(files.get(edits.file()), mark, false, &begins_line).rewrite(edits)
}

/// The text up to some place of the source.
struct Text<'a> {
    file: &'a SourceFile,
    mark: &'static str,
    joins: bool,
    begins_line: &'a dyn Fn(usize) -> bool,
    written: Vec<u8>,
    /// The lines do not have the numbers of the original until the next marker.
    astray: bool,
    /// The line begins with generated text that had lines of its own.
    displaced: bool,
}

impl<'a> Text<'a> {
    fn new(
        file: &'a SourceFile,
        mark: &'static str,
        joins: bool,
        begins_line: &'a dyn Fn(usize) -> bool,
    ) -> Text<'a> {
        Text { file, mark, joins, begins_line, written: Vec::new(), astray: false, displaced: false }
    }

    fn rewrite(mut self, edits: &EditList) -> Vec<u8> {
        let mut sorted: Vec<&Edit> = edits.edits().iter().collect();
        sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
        self.marker(1);
        let mut at = 0;
        for edit in sorted {
            self.copy(at..edit.span.start as usize);
            self.edit(edit);
            at = edit.span.end as usize;
        }
        self.copy(at..self.file.bytes.len());
        self.written
    }

    fn marker(&mut self, line: u32) {
        let name = self.file.shown_path(line).to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        let marker = format!("{} {} \"{name}\"\n", self.mark, self.file.shown_number(line));
        self.written.extend(marker.into_bytes());
    }

    fn copy(&mut self, range: std::ops::Range<usize>) {
        for at in range {
            let byte = self.file.bytes[at];
            if self.displaced && !byte.is_ascii_whitespace() {
                self.restore_column(at);
            }
            self.written.push(byte);
            if byte != b'\n' {
                continue;
            }
            self.displaced = false;
            if !self.astray && self.file.shown().is_none() {
                continue;
            }
            let (line, _) = self.file.line_column(at as u32);
            self.astray |= self.file.shown_line(line + 1) != self.file.shown_line(line).next();
            if self.astray && (self.begins_line)(at + 1) {
                self.marker(line + 1);
                self.astray = false;
            }
        }
    }

    /// Begins a line that has the number and the column of an offset.
    fn restore_column(&mut self, at: usize) {
        let (line, column) = self.file.line_column(at as u32);
        let before = &self.file.bytes[at + 1 - column as usize..at];
        self.written.push(b'\n');
        self.marker(line);
        self.written.extend(before.iter().map(|&byte| if byte == b'\t' { b'\t' } else { b' ' }));
        self.displaced = false;
        self.astray = false;
    }

    /// A function without a line in the original has the first line, where nobody sets a breakpoint.
    fn function(&mut self, edit: &Edit) {
        if !self.begins_line() {
            self.written.push(b'\n');
        }
        self.marker(1);
        self.written.extend(joined(&edit.text).into_bytes());
        self.written.push(b'\n');
        let (line, _) = self.file.line_column(edit.span.end);
        self.marker(line);
    }

    /// Generated lines of Fortran.
    fn statements(&mut self, edit: &Edit) {
        let line_at = |at: u32| self.file.line_column(at).0;
        let (first, last) = (line_at(edit.span.start), line_at(edit.span.end));
        let mut segments = edit.text.split_inclusive('\n').peekable();
        while let Some(segment) = segments.next() {
            self.written.extend_from_slice(segment.as_bytes());
            let next = segments.peek().copied();
            if !segment.ends_with('\n') {
                break;
            }
            let is_continued = segment.trim_end().ends_with('&') || next.is_some_and(continues);
            let is_last = next.is_none_or(|next| !next.ends_with('\n'));
            if is_continued {
                self.astray = true;
                continue;
            }
            self.marker(if is_last { last } else { first });
            self.astray = false;
        }
        let replaced = &self.file.bytes[edit.span.start as usize..edit.span.end as usize];
        self.astray |= line_ends(replaced) > 0 && line_ends(edit.text.as_bytes()) == 0;
    }

    fn edit(&mut self, edit: &Edit) {
        if !self.joins {
            return self.statements(edit);
        }
        if edit.is_apart && self.may_join(&edit.text) {
            return self.function(edit);
        }
        let replaced = &self.file.bytes[edit.span.start as usize..edit.span.end as usize];
        let (before, after) = (line_ends(replaced), line_ends(edit.text.as_bytes()));
        let begins_directive = edit.text.trim_start().starts_with('#');
        if after == 0 || begins_directive || !self.may_join(&edit.text) {
            if begins_directive && !self.begins_line() {
                self.written.push(b'\n');
                self.astray = true;
            }
            self.written.extend_from_slice(edit.text.as_bytes());
            self.astray |= before != after;
            // What follows a comment may belong to it.
            self.displaced = after > 0 && !self.has_comment();
            if self.astray && edit.text.ends_with('\n') {
                let (line, _) = self.file.line_column(edit.span.end);
                self.marker(line);
                self.astray = false;
                self.displaced = false;
            }
            return;
        }
        let first = edit.text.as_bytes().first();
        if first.is_some_and(u8::is_ascii_whitespace) {
            self.written.push(b' ');
        }
        self.written.extend(joined(&edit.text).into_bytes());
        if edit.text.as_bytes().last().is_some_and(u8::is_ascii_whitespace) {
            self.written.push(b' ');
        }
        self.written.extend(std::iter::repeat_n(b'\n', before));
        self.astray |= before > 0 && self.file.shown().is_some();
        self.displaced = true;
    }

    /// True if the lines of a generated text may be one line here. Comments and directives end at the end of a line.
    fn may_join(&self, text: &str) -> bool {
        let own = text.lines().any(|line| {
            line.contains("//") || line.trim_start().starts_with('#') || line.trim_end().ends_with('\\')
        });
        !own && !self.has_comment() && !self.line().trim_ascii_start().starts_with(b"#")
    }

    /// True if the line that is written last has a comment up to its end, or seems to.
    fn has_comment(&self) -> bool {
        self.line().windows(2).any(|pair| pair == b"//")
    }

    fn begins_line(&self) -> bool {
        self.line().trim_ascii().is_empty()
    }

    /// The last line of what is written.
    fn line(&self) -> &[u8] {
        let start = self.written.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        &self.written[start..]
    }
}

/// The lines of a text as one line.
fn joined(text: &str) -> String {
    let lines = text.split('\n').map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// True if a line of Fortran may continue a statement: `&` leads in free form, and column 6 is not blank in fixed form.
fn continues(line: &str) -> bool {
    let blanks = line.bytes().take_while(|&byte| byte == b' ').count();
    let mark = line.as_bytes().get(blanks).copied();
    mark == Some(b'&') || (blanks == 5 && !matches!(mark, None | Some(b'0' | b'!' | b'\r' | b'\n')))
}

fn line_ends(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use cppc_source::Span;

    use super::*;

    fn rewrite(text: &str, edits: &[(&str, &str)]) -> String {
        let mut files = Files::new();
        let file = files.add("a.c", text.as_bytes());
        let mut list = EditList::new(file);
        for (old, new) in edits {
            let start = text.find(old).unwrap() as u32;
            list.replace(Span::new(file, start, start + old.len() as u32), *new);
        }
        String::from_utf8(in_c(&files, &list)).unwrap()
    }

    #[test]
    fn generated_lines_have_the_line_of_what_they_replace() {
        let text = rewrite("{\n#pragma x\n  f();\n}\n", &[("#pragma x", "  a();\n  b();")]);
        assert_eq!(text, "#line 1 \"a.c\"\n{\n a(); b();\n  f();\n}\n");
    }

    #[test]
    fn each_generated_statement_of_fortran_has_a_marker() {
        let mut files = Files::new();
        let file = files.add("a.f90", &b"a\n!$x\nb\n"[..]);
        let mut list = EditList::new(file);
        list.replace(Span::new(file, 2, 5), "call f( &\n  & 1)\ncall g()");
        let text = String::from_utf8(in_fortran(&files, &list, false, |_| true)).unwrap();
        let expected = "# 1 \"a.f90\"\na\ncall f( &\n  & 1)\n# 2 \"a.f90\"\ncall g()\nb\n";
        assert_eq!(text, expected);
        let mut list = EditList::new(file);
        list.insert(6, "call f()\ncall g()\n");
        let text = String::from_utf8(in_fortran(&files, &list, false, |_| true)).unwrap();
        assert_eq!(text, "# 1 \"a.f90\"\na\n!$x\ncall f()\n# 3 \"a.f90\"\ncall g()\n# 3 \"a.f90\"\nb\n");
        let text = String::from_utf8(in_fortran(&files, &list, true, |_| true)).unwrap();
        assert!(text.starts_with("#line 1 \"a.f90\"\na\n"), "{text}");
    }

    #[test]
    fn what_follows_on_the_line_keeps_its_column() {
        let text = rewrite("{\n\tf(); g();\n}\n", &[("f();", "a();\n\tf();")]);
        assert_eq!(text, "#line 1 \"a.c\"\n{\n\ta(); f(); \n#line 2 \"a.c\"\n\t     g();\n}\n");
    }

    #[test]
    fn lines_that_are_replaced_count() {
        let text = rewrite("f(1,\n  2);\ng();\n", &[("f(1,\n  2);", "a();\nf(1, 2);")]);
        assert_eq!(text, "#line 1 \"a.c\"\na(); f(1, 2);\n\ng();\n");
    }

    #[test]
    fn comments_and_directives_keep_their_lines() {
        let text = rewrite("f(); // x\ng();\n", &[(" x", " x\na();\nb();")]);
        assert_eq!(text, "#line 1 \"a.c\"\nf(); // x\na();\nb();\n#line 2 \"a.c\"\ng();\n");
        let text = rewrite("f();\ng();\n", &[("g", "a();\n#pragma y\n  g")]);
        assert_eq!(text, "#line 1 \"a.c\"\nf();\na();\n#pragma y\n  g\n#line 2 \"a.c\"\n ();\n");
        let text = rewrite("#pragma y\nh();\n", &[("h", "a();\n  h")]);
        assert_eq!(text, "#line 1 \"a.c\"\n#pragma y\na(); h\n#line 2 \"a.c\"\n ();\n");
    }

    #[test]
    fn a_directive_after_generated_text_begins_a_line() {
        let text = rewrite("x\n#if 1\n", &[("x\n", "a();\nb();\n")]);
        assert_eq!(text, "#line 1 \"a.c\"\na(); b(); \n\n#line 2 \"a.c\"\n#if 1\n");
    }
}
