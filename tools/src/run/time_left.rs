//! The time that is left to a job.
//!
//! Input: a command that prints the time, and the margin before the end of the job.
//! Output: one notice when less than the margin is left, and one if the time cannot be found.
//! Postcondition: the command is called rarely: at the start, when the end is near, and each 10 minutes.

use cppc_runtime::settings::duration;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// A command, with its arguments.
#[derive(Debug, Clone)]
pub struct Question(Vec<String>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    Time(Duration),
    Unlimited,
}

#[derive(Debug)]
pub enum Notice {
    /// The job ends at this time.
    Soon(Instant),
    /// The command does not answer.
    Unknown(String),
}

/// The longest margin that is chosen if the user has not given one.
pub const LONGEST_MARGIN: Duration = Duration::from_secs(300);
/// The part of the time at the start that such a margin has.
const PART: u32 = 10;
/// Somebody may change the time limit of a job.
const LONGEST_NAP: Duration = Duration::from_secs(600);
const SHORTEST_NAP: Duration = Duration::from_secs(1);
const NAP_AFTER_FAILURE: Duration = Duration::from_secs(20);
/// One failure may be the end of all processes after a failure of the program.
const FAILURES: u32 = 2;

impl Question {
    pub fn shell(line: &str) -> Question {
        Question(["/bin/sh", "-c", line].map(str::to_owned).to_vec())
    }

    pub fn command(words: &[&str]) -> Question {
        Question(words.iter().map(|&word| word.to_owned()).collect())
    }

    /// Asks once.
    ///
    /// # Errors
    /// The command could not be started, or its first line is no time.
    pub fn ask(&self) -> Result<Left, String> {
        let shown = self.0.join(" ");
        let failed = |error: std::io::Error| format!("`{shown}` cannot be started: {error}");
        let mut command = Command::new(&self.0[0]);
        command.args(&self.0[1..]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let mut answer = String::new();
        let mut complaint = String::new();
        // A stream that is not text is no time.
        let _ = child.stdout.take().map(|mut stream| stream.read_to_string(&mut answer));
        let _ = child.stderr.take().map(|mut stream| stream.read_to_string(&mut complaint));
        // The main thread may have waited for this process already. The text alone decides.
        let _ = child.wait();
        parse(&answer).ok_or_else(|| {
            let text = answer.lines().chain(complaint.lines()).find(|line| !line.trim().is_empty());
            format!("`{shown}` printed `{}`, which is not a time", text.unwrap_or_default().trim())
        })
    }

    /// Asks until less than the margin is left.
    pub fn watch<T>(&self, margin: Option<Duration>, sender: &Sender<T>, form: fn(Notice) -> T) {
        let mut margin = margin;
        let mut end = None;
        let mut failures = 0;
        loop {
            let asked = Instant::now();
            let answer = self.ask();
            match &answer {
                Ok(Left::Time(left)) => {
                    margin.get_or_insert_with(|| (*left / PART).min(LONGEST_MARGIN));
                    end = Some(asked + *left);
                }
                Ok(Left::Unlimited) => end = None,
                Err(message) => {
                    failures += 1;
                    if failures == FAILURES && sender.send(form(Notice::Unknown(message.clone()))).is_err() {
                        return;
                    }
                }
            }
            let longest = if answer.is_ok() { LONGEST_NAP } else { NAP_AFTER_FAILURE };
            let Some(end) = end else {
                std::thread::sleep(longest);
                continue;
            };
            let until = end.saturating_duration_since(Instant::now());
            let Some(spare) = until.checked_sub(margin.unwrap_or_default()).filter(|spare| !spare.is_zero())
            else {
                let _ = sender.send(form(Notice::Soon(end)));
                return;
            };
            std::thread::sleep(spare.clamp(SHORTEST_NAP, longest));
        }
    }
}

/// The first line: a time such as 90s or 2h, a number of seconds, or what Slurm prints: minutes and seconds with
/// a colon, with hours and days before them.
pub fn parse(text: &str) -> Option<Left> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    if line.eq_ignore_ascii_case("unlimited") {
        return Some(Left::Unlimited);
    }
    if !line.contains(':') {
        return duration::parse(line).ok().map(Left::Time);
    }
    let (days, clock) = match line.split_once('-') {
        Some((days, clock)) => (days.parse::<u32>().ok()?, clock),
        None => (0, line),
    };
    let parts: Vec<u32> = clock.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let (hours, minutes, seconds) = match parts[..] {
        [hours, minutes, seconds] => (hours, minutes, seconds),
        [minutes, seconds] => (0, minutes, seconds),
        _ => return None,
    };
    let hours = u64::from(days) * 24 + u64::from(hours);
    Some(Left::Time(Duration::from_secs(hours * 3600 + u64::from(minutes) * 60 + u64::from(seconds))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn times_are_those_of_slurm_or_have_units() {
        let time = |seconds| Some(Left::Time(Duration::from_secs(seconds)));
        for (text, expected) in [
            ("1-02:03:04\n", time(93_784)),
            ("02:03:04", time(7384)),
            ("5:00", time(300)),
            ("\n  0:07  \nmore", time(7)),
            ("90", time(90)),
            ("2h", time(7200)),
            ("UNLIMITED", Some(Left::Unlimited)),
            ("INVALID", None),
            ("NOT_SET", None),
            ("", None),
            ("1:2:3:4", None),
            ("-5:00", None),
            ("1-5", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn a_command_that_prints_no_time_is_named_with_its_message() {
        let error = Question::shell("echo no controller >&2; exit 3").ask().unwrap_err();
        assert!(error.contains("exit 3") && error.contains("`no controller`"), "{error}");
        assert!(Question::command(&["/missing"]).ask().unwrap_err().contains("cannot be started"));
    }

    #[test]
    fn a_time_below_the_margin_is_noticed_at_once() {
        let (sender, receiver) = channel();
        Question::shell("echo 50s").watch(Some(Duration::from_secs(60)), &sender, |notice| notice);
        assert!(matches!(receiver.recv(), Ok(Notice::Soon(_))));
    }
}
