//! `conveyor health`: what a container asks of itself.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use super::ask::http_client;
use super::{Client, Output, output};
use crate::config::Config;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks the server of `--url`, or the one that these settings would start.
pub(super) async fn ask(client: &Client, config: &Config) -> anyhow::Result<ExitCode> {
    let url = client.url.clone().unwrap_or_else(|| {
        let ip = match config.listen.ip() {
            ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            ip => ip,
        };
        format!("http://{}", SocketAddr::new(ip, config.listen.port()))
    });
    let url = format!("{}/readyz", url.trim_end_matches('/'));
    let answer = http_client()?.get(&url).timeout(PATIENCE).send().await;
    match answer {
        Ok(answer) if answer.status().is_success() => {
            output::line(match client.output {
                Output::Table => "ready",
                Output::Json => r#"{"ready":true}"#,
            })?;
            Ok(ExitCode::SUCCESS)
        }
        Ok(answer) => {
            output::complain(&format!("{url} answers {}", answer.status()));
            Ok(ExitCode::FAILURE)
        }
        Err(error) => {
            output::complain(&format!("{url} does not answer: {error}"));
            Ok(ExitCode::FAILURE)
        }
    }
}
