//! Notes in a state file, for users who inspect it.
//!
//! Input: the settings, the fingerprint, the present process.
//! Output: names and texts. They are not needed to read the file.

use std::time::{SystemTime, UNIX_EPOCH};

/// Names and texts, in the order in which they are shown.
pub fn notes(settings: &str, fingerprint: &str) -> Vec<(&'static str, String)> {
    let program = std::env::current_exe().unwrap_or_default();
    vec![
        ("host", host()),
        ("written", utc(SystemTime::now())),
        ("architecture", format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)),
        ("executable", program.display().to_string()),
        ("fingerprint", fingerprint.to_owned()),
        ("library", concat!("cppc ", env!("CARGO_PKG_VERSION")).to_owned()),
        ("settings", settings.to_owned()),
    ]
}

fn host() -> String {
    // The file of Linux, or else the variable of the shell, which may be missing.
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    name.trim().to_owned()
}

/// The time as in ISO 8601, such as `2026-11-20T08:12:00Z`.
fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The date this number of days after 1 January 1970.
fn date(mut days: u64) -> (u64, usize, u64) {
    let is_leap = |year: u64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    (year, month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_those_of_the_calendar() {
        let text = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(text(0), "1970-01-01T00:00:00Z");
        assert_eq!(text(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(text(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(text(1_795_161_600), "2026-11-20T08:00:00Z");
    }
}
