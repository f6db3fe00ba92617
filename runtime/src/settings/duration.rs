//! Durations in settings and on command lines.
//!
//! Input: `90s`, `10m`, `2h`, `500ms`, or a number of seconds.
//! Output: a duration, or what was expected.
//! Postcondition: a duration is shown in a form that can be read back.

use std::time::Duration;

const UNITS: [(&str, f64); 7] =
    [("ms", 0.001), ("min", 60.0), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86_400.0), ("", 1.0)];

/// The duration, or what was expected.
pub fn parse(text: &str) -> Result<Duration, String> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = UNITS.iter().find(|(name, _)| *name == unit.trim()).map(|(_, scale)| scale);
    let seconds = number.parse::<f64>().ok().zip(scale).map(|(number, scale)| number * scale);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("`{text}` is not a time: write for example 90s, 10m or 2h"))
}

/// A duration for people.
pub fn shown(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 if duration.is_zero() => "0 s".to_owned(),
        0 => format!("{} ms", duration.as_millis().max(1)),
        1..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| parse(text).map(|time| time.as_secs_f64());
        assert_eq!(seconds("90s"), Ok(90.0));
        assert_eq!(seconds("10m"), Ok(600.0));
        assert_eq!(seconds("10min"), Ok(600.0));
        assert_eq!(seconds("1.5h"), Ok(5400.0));
        assert_eq!(seconds("250ms"), Ok(0.25));
        assert_eq!(seconds("7"), Ok(7.0));
        for wrong in ["", "m", "10x", "-1s", "1e400", "1..2s", "inf"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
