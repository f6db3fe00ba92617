//! The option `--restart-on`.
//!
//! Input: `all`, or a list of exit statuses, signals and words.
//! Output: whether a program that ended in some way is started again.
//! Postcondition: an end with exit status 0 is never a failure.

use super::ending::{of_signal, Ending};
use signal_hook::low_level::signal_name;
use std::ops::RangeInclusive;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestartOn {
    All,
    These(Vec<Cause>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    Statuses(RangeInclusive<u8>),
    Signal(i32),
    AnySignal,
    Stall,
}

const LAST_SIGNAL: i32 = 64;

impl RestartOn {
    pub fn parse(text: &str) -> Result<RestartOn, String> {
        if text == "all" {
            return Ok(RestartOn::All);
        }
        text.split(',').map(cause).collect::<Result<_, _>>().map(RestartOn::These)
    }

    pub fn includes(&self, ending: Ending) -> bool {
        match self {
            RestartOn::All => !ending.is_success() && !ending.is_suspended(),
            RestartOn::These(causes) => {
                !ending.is_success() && causes.iter().any(|cause| cause.includes(ending))
            }
        }
    }
}

impl Cause {
    /// A launcher reports the signal of a process as an exit status, so these count too.
    fn includes(&self, ending: Ending) -> bool {
        match (self, ending) {
            (Cause::Statuses(statuses), Ending::Exited(status)) => statuses.contains(&status),
            (Cause::Signal(signal), Ending::Exited(status)) => status == of_signal(*signal),
            (Cause::AnySignal, Ending::Exited(status)) => {
                (of_signal(1)..=of_signal(LAST_SIGNAL)).contains(&status)
            }
            (Cause::Signal(signal), Ending::Signalled(found)) => *signal == found,
            (Cause::AnySignal, Ending::Signalled(_)) | (Cause::Stall, Ending::Stalled) => true,
            (Cause::Statuses(_) | Cause::Stall, Ending::Signalled(_))
            | (Cause::Stall, Ending::Exited(_))
            | (Cause::Statuses(_) | Cause::Signal(_) | Cause::AnySignal, Ending::Stalled)
            | (_, Ending::OutOfTime | Ending::Unfinished) => false,
        }
    }
}

fn cause(text: &str) -> Result<Cause, String> {
    let wrong = || {
        format!("`{text}` is neither an exit status from 1 to 255, nor a range such as 1-125, nor a signal such as SIGKILL, nor `signals` or `stall`")
    };
    match text {
        "signals" => return Ok(Cause::AnySignal),
        "stall" => return Ok(Cause::Stall),
        _ => {}
    }
    let is_named = |signal: &i32| {
        signal_name(*signal).is_some_and(|name| name == text || name.strip_prefix("SIG") == Some(text))
    };
    if let Some(signal) = (1..=LAST_SIGNAL).find(is_named) {
        return Ok(Cause::Signal(signal));
    }
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let statuses =
        first.parse().ok().zip(last.parse().ok()).filter(|(first, last)| *first >= 1 && first <= last);
    statuses.map(|(first, last)| Cause::Statuses(first..=last)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_statuses_signals_and_stalls() {
        let some = RestartOn::parse("75,100-125,SIGKILL,stall").unwrap();
        for (ending, expected) in [
            (Ending::Exited(75), true),
            (Ending::Exited(110), true),
            (Ending::Exited(76), false),
            (Ending::Exited(137), true),
            (Ending::Signalled(9), true),
            (Ending::Signalled(11), false),
            (Ending::Stalled, true),
            (Ending::Exited(0), false),
        ] {
            assert_eq!(some.includes(ending), expected, "{ending:?}");
        }
        let signals = RestartOn::parse("signals").unwrap();
        assert!(signals.includes(Ending::Signalled(11)) && signals.includes(Ending::Exited(139)));
        assert!(!signals.includes(Ending::Exited(1)) && !signals.includes(Ending::Stalled));
        let all = RestartOn::parse("all").unwrap();
        assert!(
            all.includes(Ending::Exited(1))
                && all.includes(Ending::Stalled)
                && !all.includes(Ending::Exited(0))
        );
        for wrong in ["", "0", "256", "9-3", "SIGNONE", "all,1", "1,,2"] {
            assert!(RestartOn::parse(wrong).is_err(), "{wrong}");
        }
    }
}
