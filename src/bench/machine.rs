//! The machine that figures hold for.

use std::fs;

use serde::{Deserialize, Serialize};

/// What a reader of figures should know of the machine.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Machine {
    cores: usize,
    /// Nothing where the system does not tell.
    cpu: String,
    memory_mb: u64,
    system: String,
}

impl Machine {
    /// This one.
    pub(super) fn here() -> Self {
        let cpu = field("/proc/cpuinfo", "model name");
        let memory = field("/proc/meminfo", "MemTotal");
        let kilobytes: u64 = memory
            .split_whitespace()
            .next()
            .and_then(|number| number.parse().ok())
            .unwrap_or(0);
        let uname = rustix::system::uname();
        Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            cpu,
            memory_mb: kilobytes / 1024,
            system: format!(
                "{} {} {}",
                uname.sysname().to_string_lossy(),
                uname.release().to_string_lossy(),
                uname.machine().to_string_lossy()
            ),
        }
    }

    /// In a line.
    pub(super) fn in_words(&self) -> String {
        let cpu = if self.cpu.is_empty() {
            String::new()
        } else {
            format!(" of {}", self.cpu)
        };
        let gigabytes = self.memory_mb.div_ceil(1024);
        format!(
            "{} cores{cpu}, {gigabytes} GiB, {}",
            self.cores, self.system
        )
    }
}

/// The value of the first line of that name.
fn field(file: &str, name: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_once(':'))
        .map(|(_, value)| value.trim().to_owned())
        .unwrap_or_default()
}
