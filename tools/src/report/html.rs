//! The page of `cppc report`.
//!
//! Input: what is known about each application.
//! Output: HTML with its styles and pictures in it.
//! Postcondition: text from a file is shown as text, also if it contains HTML.

use super::variables::Variable;
use super::Section;
use crate::display::{age, epoch, plain, ranges, size};
use crate::list::ListedLine;
use crate::picture::Picture;
use base64::prelude::{Engine as _, BASE64_STANDARD};
use std::fmt::Write as _;
use std::time::SystemTime;

/// The first bytes of each page.
pub const SIGNATURE: &[u8] = b"<!DOCTYPE html>\n<!-- cppc report -->";

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:0 auto;padding:1rem;color:#202020;background:#fff}\
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}\
caption{text-align:left;font-weight:bold;padding:.3rem 0}\
th,td{border-bottom:1px solid #ddd;padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top}\
td.number,th.number{text-align:right;white-space:nowrap}\
td.code,code,pre{font-family:ui-monospace,monospace;font-size:.9em}\
.bar{display:block;height:.7rem;background:#3b6ea8;min-width:1px}td.bars{width:12rem;vertical-align:middle}\
.good{color:#1b6e2d}.bad{color:#a8201a}.note{color:#666}\
figure{margin:1.5rem 0}img{max-width:100%;height:auto}figcaption{color:#666}";

/// The browser loads no other file, and runs no script.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

pub fn page(sections: &[Section], now: SystemTime) -> String {
    let names: Vec<String> = sections.iter().map(|section| plain(&section.application.name)).collect();
    let title = escaped(&format!("State of {}", names.join(", ")));
    let mut text = String::from_utf8_lossy(SIGNATURE).into_owned();
    let _ = write!(
        text,
        "\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <p class=\"note\">Made by cppc {} at {}. Ages are those at this time.</p>\n",
        env!("CARGO_PKG_VERSION"),
        time(epoch(Some(now)))
    );
    for section in sections {
        application(&mut text, section);
    }
    text.push_str("</body>\n</html>\n");
    text
}

fn application(text: &mut String, section: &Section) {
    let application = &section.application;
    let _ = write!(text, "<section>\n<h2>{}</h2>\n<p>", escaped(&plain(&application.name)));
    if let Some(processes) = application.processes {
        let _ = write!(text, "{processes} {}, ", if processes == 1 { "process" } else { "processes" });
    }
    let _ = writeln!(text, "<code>{}</code></p>", escaped(&plain(&application.path.display().to_string())));
    for problem in &section.problems {
        let _ = writeln!(text, "<p class=\"bad\">{}</p>", escaped(problem));
    }
    lines(text, &application.lines);
    processes(text, section);
    variables(text, &section.variables);
    pictures(text, section);
    if let Some(first) = section.files.first().filter(|file| !file.plan.is_empty()) {
        let _ = writeln!(
            text,
            "<details>\n<summary>Restart plan of rank {}</summary>\n<pre>{}</pre>\n</details>",
            first.rank,
            escaped(&first.plan.join("\n"))
        );
    }
    text.push_str("</section>\n");
}

/// The recovery lines, the newest first.
fn lines(text: &mut String, lines: &[ListedLine]) {
    if lines.is_empty() {
        text.push_str("<p>There are no recovery lines.</p>\n");
        return;
    }
    let heads = [
        "line!",
        "state",
        "run",
        "needs",
        "files!",
        "size!",
        "",
        "written",
        "age!",
        "after the previous line!",
    ];
    table(text, "Recovery lines", &heads);
    let largest = lines.iter().map(|line| line.size_bytes).max().unwrap_or(0).max(1);
    for (index, line) in lines.iter().enumerate() {
        let state = if line.complete { "good" } else { "bad" };
        let previous = lines.get(index + 1).and_then(|previous| previous.written);
        let since = line.written.zip(previous).and_then(|(one, other)| one.checked_sub(other));
        let _ = writeln!(
            text,
            "<tr><td class=\"number\">{}</td><td class=\"{state}\">{}</td><td class=\"code\">{}</td><td>{}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"bars\"><span class=\"bar\" style=\"width:{}%\"></span></td>\
             <td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            line.number,
            escaped(&line.state()),
            line.run.as_deref().unwrap_or("-"),
            ranges(&line.bases),
            line.files,
            size(line.size_bytes),
            line.size_bytes.saturating_mul(100) / largest,
            time(line.written),
            age(line.modified),
            since.map_or(String::new(), |seconds| format!("{seconds} s"))
        );
    }
    text.push_str("</tbody>\n</table>\n");
}

/// The files of the chosen line.
fn processes(text: &mut String, section: &Section) {
    let Some(first) = section.files.first() else { return };
    let title = format!("Line {}: files", first.line);
    table(text, &title, &["rank!", "size!", "checkpoint calls!", "registers!", "writer", "machine", "file"]);
    for file in &section.files {
        let machine = &file.machine;
        let _ = writeln!(
            text,
            "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td>{}</td><td>{}, long {}, pointer {} bytes</td><td class=\"code\">{}</td></tr>",
            file.rank,
            size(file.size_bytes),
            file.checkpoint_calls,
            file.registers.len(),
            escaped(&plain(&file.writer)),
            machine.byte_order,
            machine.long_bytes,
            machine.pointer_bytes,
            escaped(&plain(&file.path.display().to_string()))
        );
    }
    text.push_str("</tbody>\n</table>\n");
}

fn variables(text: &mut String, variables: &[Variable]) {
    if variables.is_empty() {
        return;
    }
    let heads = [
        "name",
        "scope",
        "type",
        "shape",
        "ranks!",
        "size!",
        "share!",
        "min!",
        "mean!",
        "max!",
        "first values",
    ];
    table(text, "Variables of all processes", &heads);
    let total = variables.iter().fold(0u64, |sum, variable| sum.saturating_add(variable.size_bytes)).max(1);
    for variable in variables {
        let numbers = variable
            .range
            .as_ref()
            .map_or(["", "", ""], |range| [range.min.as_str(), range.mean.as_str(), range.max.as_str()]);
        let mut values = escaped(&variable.values);
        let others =
            variable.range.iter().flat_map(|range| [(range.nans, "NaN"), (range.infinities, "infinite")]);
        for (count, what) in others.filter(|(count, _)| *count > 0) {
            let _ = write!(values, " <span class=\"bad\">{count} {what}</span>");
        }
        let _ = writeln!(
            text,
            "<tr><td class=\"code\">{}</td><td>{}</td><td class=\"code\">{}</td><td class=\"code\">{}{}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{:.1}%</td>{}\
             <td class=\"code\">{values}</td></tr>",
            escaped(&variable.name),
            escaped(&variable.scope),
            escaped(&variable.type_name),
            escaped(&variable.shape),
            if variable.has_other_shapes { " and others" } else { "" },
            variable.places.len(),
            size(variable.size_bytes),
            variable.size_bytes as f64 * 100.0 / total as f64,
            numbers.map(|number| format!("<td class=\"number\">{}</td>", escaped(number))).concat(),
        );
    }
    text.push_str("</tbody>\n</table>\n");
}

fn pictures(text: &mut String, section: &Section) {
    for Picture { title, details, png, reduction } in &section.pictures {
        let (title, details) = (escaped(title), escaped(&format!("{details}{reduction}")));
        let _ = writeln!(
            text,
            "<figure>\n<img alt=\"{title}: {details}\" src=\"data:image/png;base64,{}\">\n\
             <figcaption><code>{title}</code>: {details}</figcaption>\n</figure>",
            BASE64_STANDARD.encode(png)
        );
    }
    for note in &section.notes {
        let _ = writeln!(text, "<p class=\"note\">{}</p>", escaped(note));
    }
}

/// Opens a table. A heading with `!` is that of a column of numbers.
fn table(text: &mut String, title: &str, heads: &[&str]) {
    let _ = write!(text, "<table>\n<caption>{title}</caption>\n<thead><tr>");
    for head in heads {
        let _ = match head.strip_suffix('!') {
            Some(head) => write!(text, "<th class=\"number\" scope=\"col\">{head}</th>"),
            None => write!(text, "<th scope=\"col\">{head}</th>"),
        };
    }
    text.push_str("</tr></thead>\n<tbody>\n");
}

/// Text without characters that have a meaning in HTML.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            other => result.push(other),
        }
    }
    result
}

/// A time for people, in UTC.
fn time(seconds: Option<u64>) -> String {
    let Some(seconds) = seconds else { return "-".to_owned() };
    let (year, month, day) = date(seconds / 86_400);
    let second = seconds % 86_400;
    format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", second / 3600, second / 60 % 60, second % 60)
}

/// The date in the Gregorian calendar of a number of days since 1970. Years begin in March, so that a leap day is the last
/// day of a year.
fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    // From the first of March of the year 0.
    let days = days + 719_468;
    let (era, day) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year = (day - day / 1460 + day / 36_524 - day / (DAYS_OF_400_YEARS - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (400 * era + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(time(Some(0)), "1970-01-01 00:00:00 UTC");
        assert_eq!(time(Some(951_782_399)), "2000-02-28 23:59:59 UTC");
        assert_eq!(time(Some(951_782_400)), "2000-02-29 00:00:00 UTC");
        assert_eq!(time(Some(4_107_542_400)), "2100-03-01 00:00:00 UTC");
        assert_eq!(time(Some(1_795_651_199)), "2026-11-25 23:59:59 UTC");
    }

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escaped("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
    }
}
