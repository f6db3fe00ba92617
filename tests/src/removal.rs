//! Sources without one part of a directive.
//!
//! Input: the text of a source. Output: the same text without one registered name, one captured name, or the
//! directives around one execute block; one text for each of these parts.

/// A source without one part of a directive.
#[derive(Debug, Clone)]
pub struct Removal {
    pub kind: &'static str,
    /// The removed name, and the line of its directive.
    pub name: String,
    pub line: usize,
    pub text: String,
}

/// All removals from a text.
pub fn removals(text: &str) -> Vec<Removal> {
    let directives = directives(text);
    let mut found = Vec::new();
    for (at, directive) in directives.iter().enumerate() {
        let own = &text[directive.start..directive.end];
        let line = text[..directive.start].matches('\n').count() + 1;
        let mut push = |kind, name: &str, text| {
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            found.push(Removal { kind, name, line, text });
        };
        let without = |range: std::ops::Range<usize>, new: &str| {
            format!("{}{new}{}", &text[..range.start], &text[range.end..])
        };
        let lower = own.to_ascii_lowercase();
        for (kind, word) in [("register", " register("), ("capture", "capture(")] {
            let Some(open) = lower.find(word).map(|start| start + word.len()) else { continue };
            let Some(items) = items(&own[open..]) else { continue };
            let end = open + items.join(",").len();
            for (number, name) in items.iter().enumerate() {
                let mut rest = items.clone();
                rest.remove(number);
                let new = match (rest.is_empty(), kind) {
                    (true, "register") => String::new(),
                    (true, _) => format!("{}{}", &own[..open - word.len()], &own[end + 1..]),
                    (false, _) => format!("{}{}{}", &own[..open], rest.join(","), &own[end..]),
                };
                push(kind, name, without(directive.clone(), &new));
            }
        }
        if is_execute(own) && !is_end(own) {
            if let Some(last) = directives[at..].iter().find(|other| is_end(&text[(*other).clone()])) {
                let inside = &text[directive.end..last.start];
                push("execute", "", without(directive.start..last.end, inside));
            }
        }
    }
    found
}

/// The bytes of each directive with its continuation lines.
fn directives(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let mut start = 0;
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        match found.last_mut() {
            Some(last) if open => last.end = end,
            _ if is_directive(line) => found.push(start..end),
            _ => {
                start += line.len();
                continue;
            }
        }
        open = line.trim_end().ends_with(['\\', '&']);
        start += line.len();
    }
    found
}

fn is_directive(line: &str) -> bool {
    let start = line.trim_start().to_ascii_lowercase();
    start.starts_with("#pragma cppc")
        || ["!$cppc", "c$cppc", "*$cppc"].iter().any(|one| start.starts_with(one))
}

fn is_execute(directive: &str) -> bool {
    directive.to_ascii_lowercase().contains(" execute")
}

fn is_end(directive: &str) -> bool {
    directive.to_ascii_lowercase().replace(' ', "").contains("endexecute")
}

/// The items up to the parenthesis that closes the list.
fn items(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' if depth == 0 => {
                found.push(&text[start..at]);
                return Some(found);
            }
            b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_and_each_block_is_removed_by_itself() {
        let text = "#pragma cppc register(a, b[n], \\\n  c)\nx;\n#pragma cppc execute capture(f(1, 2))\n\
                    y;\n#pragma cppc end execute\n#pragma cppc unregister(a)\n";
        let texts: Vec<_> = removals(text).into_iter().map(|one| (one.kind, one.name, one.text)).collect();
        let names: Vec<_> = texts.iter().map(|one| (one.0, one.1.as_str())).collect();
        assert_eq!(
            names,
            [
                ("register", "a"),
                ("register", "b[n]"),
                ("register", "\\ c"),
                ("capture", "f(1, 2)"),
                ("execute", "")
            ]
        );
        assert!(texts[2].2.starts_with("#pragma cppc register(a, b[n])\nx;"), "{}", texts[2].2);
        assert!(texts[3].2.contains("execute \ny;"), "{}", texts[3].2);
        assert!(!texts[4].2.contains("execute"), "{}", texts[4].2);
        assert!(texts[4].2.contains("\ny;\n"), "{}", texts[4].2);
    }
}
