//! What the system tells of a process: its memory, its time on the processors, its writes. Where it
//! does not tell (other systems than Linux), the figures are left out.

use std::fs;

/// The resident memory now and at its highest, in MB.
pub(super) fn memory_mb(process: u32) -> Option<(f64, f64)> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let of = |name| Some(number(&text, name)? / 1024.0);
    Some((of("VmRSS:")?, of("VmHWM:")?))
}

/// Seconds that all its threads have run.
pub(super) fn cpu_seconds(process: u32) -> Option<f64> {
    let mut nanoseconds = 0.0;
    for thread in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        // A thread may end meanwhile.
        let text = fs::read_to_string(thread.ok()?.path().join("schedstat")).unwrap_or_default();
        let first = text.split(' ').next().and_then(|text| text.parse().ok());
        nanoseconds += first.unwrap_or(0.0);
    }
    Some(nanoseconds / 1e9)
}

/// What it has had written to disks, in kB.
pub(super) fn written_kb(process: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    // What was written and deleted before it came to the disk counts too.
    Some(number(&text, "write_bytes:")? / 1024.0)
}

fn number(text: &str, name: &str) -> Option<f64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_memory_and_runs() {
        let own = std::process::id();
        let (now, most) = memory_mb(own).unwrap();
        assert!(now > 0.0 && most >= now);
        assert!(cpu_seconds(own).unwrap() > 0.0);
    }
}
