//! Interleaved pairs of measurements.
//!
//! Input: the measured function and its reference. Both return a cost.
//! Output: the median of the ratios.
//! Postcondition: the two measurements of each pair were made directly after each other, in alternating
//! order.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{ensure, Context, Result};

/// Fewer pairs have no statistical meaning.
pub const LEAST_PAIRS: usize = 7;

/// The median ratio of `measured` to `reference`. A first pair is discarded.
pub fn ratio<M, R>(pairs: usize, mut measured: M, mut reference: R) -> Result<f64>
where
    M: FnMut() -> Result<f64>,
    R: FnMut() -> Result<f64>,
{
    measured()?;
    reference()?;
    let mut ratios = Vec::new();
    for index in 0..pairs.max(LEAST_PAIRS) {
        let (one, other) = if index % 2 == 0 {
            let one = measured()?;
            (one, reference()?)
        } else {
            let other = reference()?;
            (measured()?, other)
        };
        ratios.push(one / other);
    }
    Ok(median(ratios))
}

/// The middle one of the values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Prints a row in the form that `make bench` expects.
pub fn row(name: &str, ratio: f64, goal: f64) {
    println!("bench {name} ratio {ratio:.3} goal {goal}");
}

/// The processor time of a command in seconds, including that of the processes it waited for. Unlike elapsed
/// time it does not increase with other load on the machine.
pub fn processor_seconds(command: &mut Command) -> Result<f64> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
    let mut status = 0;
    // SAFETY: an all-zero `rusage` is valid, and both pointers are to live locals. The child
    // belongs to this process, and no other code waits for it.
    let (waited, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage), usage)
    };
    ensure!(waited == child.id() as libc::pid_t, "{command:?} was lost");
    let status = ExitStatus::from_raw(status);
    ensure!(status.success(), "{command:?}: {status}");
    Ok(seconds(&usage))
}

/// The processor time of this process for a function, on all its threads, in seconds.
pub fn processor_seconds_of<T>(work: impl FnOnce() -> Result<T>) -> Result<f64> {
    let so_far = || {
        // SAFETY: an all-zero `rusage` is valid, and the pointer is to a live local.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_SELF, &mut usage);
            usage
        };
        seconds(&usage)
    };
    let before = so_far();
    work()?;
    Ok(so_far() - before)
}

fn seconds(usage: &libc::rusage) -> f64 {
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_the_median_of_pairs() {
        let mut costs = [9.0, 2.0, 2.0, 50.0, 2.0, 2.0, 2.0, 2.0].into_iter();
        let measured = || Ok(costs.next().unwrap());
        assert_eq!(ratio(7, measured, || Ok(1.0)).unwrap(), 2.0);
    }
}
