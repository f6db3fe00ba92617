//! The owner of a lock, as it is in the lock file.
//!
//! Input: what a process knows about itself.
//! Output: lines of text, of constant length for one process, or the owner again.
//! Postcondition: text that does not have exactly this form is not an owner.

use std::fmt::Write as _;

/// A process that works in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub host: String,
    /// `/etc/machine-id`; empty if there is none.
    pub machine: String,
    /// Identifies this boot of the system; empty if unknown.
    pub boot: String,
    /// The namespace of process numbers; empty if unknown.
    pub numbers: String,
    pub process: u32,
    /// When the process was started, in clock ticks since the boot.
    pub started: u64,
    /// Seconds since 1970 on the owner's clock, for people.
    pub since: u64,
    /// 0 until the run is known.
    pub run: u64,
    pub attempt: u64,
    /// The lease in seconds.
    pub lease: u64,
    /// Counts the heartbeats.
    pub heartbeats: u64,
}

const HEADING: &str = "cppc lock 1";

impl Owner {
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADING}\n");
        let words = [
            ("host", &self.host),
            ("machine", &self.machine),
            ("boot", &self.boot),
            ("numbers", &self.numbers),
        ];
        for (name, word) in words {
            let _ = writeln!(text, "{name} {}", plain(word));
        }
        let _ = writeln!(text, "process {}\nstarted {}\nsince {}", self.process, self.started, self.since);
        let _ = writeln!(
            text,
            "run {:016x}\nattempt {:016x}\nlease {}\nbeat {:020}",
            self.run, self.attempt, self.lease, self.heartbeats
        );
        text
    }

    pub fn parse(text: &str) -> Option<Owner> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        if lines.next()? != HEADING {
            return None;
        }
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned);
        let hexadecimal = |digits: String| u64::from_str_radix(&digits, 16).ok();
        let owner = Owner {
            host: value("host")?,
            machine: value("machine")?,
            boot: value("boot")?,
            numbers: value("numbers")?,
            process: value("process")?.parse().ok()?,
            started: value("started")?.parse().ok()?,
            since: value("since")?.parse().ok()?,
            run: value("run").and_then(hexadecimal)?,
            attempt: value("attempt").and_then(hexadecimal)?,
            lease: value("lease")?.parse().ok()?,
            heartbeats: value("beat")?.parse().ok()?,
        };
        lines.next().is_none().then_some(owner)
    }

    /// Whether this is the same attempt of the same process.
    pub fn is_same(&self, other: &Owner) -> bool {
        self.is_same_process(other) && self.attempt == other.attempt
    }

    /// Whether it is the same process, whatever program it runs: `exec` keeps number and start time.
    pub fn is_same_process(&self, other: &Owner) -> bool {
        self.is_on_same_system(other) && (self.process, self.started) == (other.process, other.started)
    }

    /// Whether both are on the same system, with the same namespace of process numbers.
    pub fn is_on_same_system(&self, other: &Owner) -> bool {
        let known = !self.boot.is_empty() && !self.numbers.is_empty();
        known && (&self.host, &self.boot, &self.numbers) == (&other.host, &other.boot, &other.numbers)
    }

    /// Whether the system of this process has been rebooted since.
    pub fn is_of_earlier_boot(&self, now: &Owner) -> bool {
        let same = (&self.host, &self.machine) == (&now.host, &now.machine);
        same && !self.machine.is_empty()
            && !self.boot.is_empty()
            && !now.boot.is_empty()
            && self.boot != now.boot
    }
}

/// The text on one line and without control characters, at most 200 characters.
fn plain(word: &str) -> String {
    word.chars().map(|letter| if letter.is_control() { '?' } else { letter }).take(200).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn owner(host: &str, process: u32, attempt: u64) -> Owner {
        Owner {
            host: host.to_owned(),
            machine: format!("machine of {host}"),
            boot: "b007".to_owned(),
            numbers: "pid:[1]".to_owned(),
            process,
            started: 1000 + u64::from(process),
            since: 1_700_000_000,
            run: 0,
            attempt,
            lease: 60,
            heartbeats: 3,
        }
    }

    #[test]
    fn an_owner_is_read_as_it_was_written_and_nothing_else_is() {
        let owner = owner("node 1", 17, 0xabc);
        let text = owner.to_text();
        assert_eq!(Owner::parse(&text), Some(owner.clone()));
        let later = Owner { run: u64::MAX, heartbeats: u64::MAX, ..owner };
        assert_eq!(later.to_text().len(), text.len(), "it is written in place");
        for end in 0..text.len() {
            assert_eq!(Owner::parse(&text[..end]), None, "{end}");
        }
        assert_eq!(Owner::parse(&format!("{text}x\n")), None);
        assert_eq!(Owner::parse(&text.replace("process 17", "process -17")), None);
    }

    #[test]
    fn a_name_with_control_characters_stays_on_its_line() {
        let text = owner("a\nb", 1, 1).to_text();
        assert_eq!(Owner::parse(&text).map(|owner| owner.host), Some("a?b".to_owned()));
    }
}
