//! A worker's name: where it runs, and a random part, so that no two processes share one.

use conveyor_model::name::WorkerName;

/// `host-pid-random`; a host name that cannot be in a name is left out.
///
/// # Panics
/// Never: what it is made of is always a valid name.
pub fn worker_name() -> WorkerName {
    let host = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    let host: String = host
        .chars()
        .filter(|c| c.is_alphanumeric() || "._-".contains(*c))
        .take(60)
        .collect();
    let host = if host.is_empty() { "worker" } else { &host };
    let random = rand::random::<u32>() & 0x00ff_ffff;
    let name = format!("{host}-{}-{random:06x}", std::process::id());
    #[expect(
        clippy::expect_used,
        reason = "made of at most 90 letters, digits, dots and hyphens"
    )]
    WorkerName::new(name).expect("a made name is valid")
}
