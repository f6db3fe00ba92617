//! The report of a rehearsal.
//!
//! Input: what was found at each restart.
//! Output: text, JSON or JUnit.
//! Postcondition: a rehearsal is passed only if nothing was found.

use crate::display::{plain, styled, BAD, GOOD};
use cppc_runtime::settings::duration::shown;
use serde::Serialize;
use std::fmt::{self, Write as _};
use std::time::Duration;

#[derive(Debug, Serialize)]
pub struct Report {
    /// The number of the newest recovery line of the unbroken run.
    pub lines: u64,
    pub cases: Vec<Case>,
}

/// One part of a rehearsal.
#[derive(Debug, Serialize)]
pub struct Case {
    pub name: String,
    /// The recovery line after which the program was killed; none for runs that were not killed.
    pub line: Option<u64>,
    pub seconds: f64,
    pub findings: Vec<String>,
}

impl Report {
    pub fn is_good(&self) -> bool {
        self.cases.iter().all(|case| case.findings.is_empty())
    }

    /// The format that CI systems read.
    pub fn junit(&self) -> String {
        let failures = self.cases.iter().filter(|case| !case.findings.is_empty()).count();
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"cppc rehearse\" tests=\"{}\" failures=\"{failures}\">\n",
            self.cases.len()
        );
        for case in &self.cases {
            let _ = write!(
                text,
                "  <testcase classname=\"rehearsal\" name=\"{}\" time=\"{:.3}\"",
                escaped(&case.name),
                case.seconds
            );
            match case.findings.first() {
                None => text.push_str("/>\n"),
                Some(first) => {
                    let all = escaped(&case.findings.join("\n"));
                    let _ = writeln!(
                        text,
                        ">\n    <failure message=\"{}\">{all}</failure>\n  </testcase>",
                        escaped(first)
                    );
                }
            }
        }
        text + "</testsuite>\n"
    }
}

/// Text in XML, which has no control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(letter),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                escaped.push('\u{fffd}')
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

impl fmt::Display for Report {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        for case in &self.cases {
            let time = shown(Duration::from_secs_f64(case.seconds));
            let state = if case.findings.is_empty() { styled("passed", GOOD) } else { styled("failed", BAD) };
            writeln!(text, "{}: {state} ({time})", case.name)?;
            for finding in &case.findings {
                for line in finding.lines() {
                    writeln!(text, "  {}", plain(line))?;
                }
            }
        }
        let failed = self.cases.iter().filter(|case| !case.findings.is_empty()).count();
        match failed {
            0 => {
                writeln!(text, "{}", styled("all restarts have given the results of the unbroken run", GOOD))
            }
            _ => writeln!(text, "{}", styled(&format!("{failed} of {} cases failed", self.cases.len()), BAD)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_for_ci_is_valid_xml() {
        let case = |name: &str, findings: &[&str]| Case {
            name: name.to_owned(),
            line: None,
            seconds: 0.5,
            findings: findings.iter().map(|&finding| finding.to_owned()).collect(),
        };
        let report = Report { lines: 3, cases: vec![case("a", &[]), case("<b>", &["x & \"y\"\u{1b}", "z"])] };
        assert!(!report.is_good());
        assert_eq!(
            report.junit(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuite name=\"cppc rehearse\" tests=\"2\" failures=\"1\">\n  \
             <testcase classname=\"rehearsal\" name=\"a\" time=\"0.500\"/>\n  \
             <testcase classname=\"rehearsal\" name=\"&lt;b&gt;\" time=\"0.500\">\n    \
             <failure message=\"x &amp; &quot;y&quot;\u{fffd}\">x &amp; &quot;y&quot;\u{fffd}\nz</failure>\n  \
             </testcase>\n</testsuite>\n"
        );
    }
}
