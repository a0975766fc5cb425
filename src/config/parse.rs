//! What the texts of settings mean.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};
use std::ops::RangeInclusive;
use std::path::Path;

use conveyor_model::name::QueueName;
use conveyor_model::time::Span;
use tracing_subscriber::EnvFilter;
use url::Url;

use super::{ConfigError, LogFormat};

type Parsed<T> = Result<T, ConfigError>;

/// Variables of the form `CONVEYOR_…` that mean something.
const OWN_NAMES: [&str; 4] = [
    "CONVEYOR_URL",
    // A command that runs a job finds it in these, and may enqueue more.
    "CONVEYOR_JOB_ID",
    "CONVEYOR_ATTEMPT",
    "CONVEYOR_KIND",
];

pub(super) fn fault<T>(name: &str, fault: impl Into<String>, example: &str) -> Parsed<T> {
    Err(ConfigError {
        name: name.to_owned(),
        fault: fault.into(),
        example: example.to_owned(),
    })
}

/// Refuses names that look like ours and are not: a misspelt setting must not pass for none.
pub(super) fn unknown_names(names: impl Iterator<Item = OsString>) -> Parsed<()> {
    for name in names {
        let name = name.to_string_lossy();
        if name.starts_with("CONVEYOR_") && !OWN_NAMES.contains(&&*name) {
            // Names that other programs use for the same.
            let plain = match name.trim_start_matches("CONVEYOR_") {
                "TOKEN" => "API_TOKEN",
                "DATABASE" | "DB" | "DB_URL" => "DATABASE_URL",
                "ADDRESS" | "BIND" => "HOST",
                plain => plain,
            };
            return Err(ConfigError {
                fault: format!(
                    "is not a known setting; settings have no prefix: perhaps {plain} is meant, `conveyor config show` names all"
                ),
                name: name.into_owned(),
                example: "(unset it)".to_owned(),
            });
        }
    }
    Ok(())
}

/// A text that is not blank.
pub(super) fn filled(name: &str, text: &str, example: &str) -> Parsed<String> {
    let text = text.trim();
    if text.is_empty() {
        return fault(name, "is empty", example);
    }
    Ok(text.to_owned())
}

/// A setting that may be left out; a blank one is left out.
pub(super) fn given(text: Option<&str>) -> Option<String> {
    text.map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

pub(super) fn list(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

pub(super) fn switch(name: &str, text: &str) -> Parsed<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "" | "0" | "false" | "no" | "off" => Ok(false),
        other => fault(name, format!("{other:?} is neither 1 nor 0"), "1"),
    }
}

pub(super) fn number<T>(
    name: &str,
    text: &str,
    allowed: RangeInclusive<T>,
    example: &str,
) -> Parsed<T>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let (least, most) = allowed.into_inner();
    match text.trim().parse::<T>() {
        Ok(n) if n >= least && n <= most => Ok(n),
        _ => fault(
            name,
            format!("{text:?} is no whole number from {least} to {most}"),
            example,
        ),
    }
}

pub(super) fn seconds(
    name: &str,
    text: &str,
    least: u32,
    most: u32,
    example: &str,
) -> Parsed<Span> {
    text.trim()
        .parse::<f64>()
        .ok()
        .filter(|secs| (f64::from(least)..=f64::from(most)).contains(secs))
        .and_then(Span::from_secs_f64)
        .map_or_else(
            || {
                fault(
                    name,
                    format!("{text:?} is no number of seconds from {least} to {most}"),
                    example,
                )
            },
            Ok,
        )
}

/// `7d`, `12h`, `30m` or `90s`.
pub(super) fn duration(name: &str, text: &str) -> Parsed<Span> {
    let text = text.trim();
    let unit = match text.chars().last() {
        Some('s') => 1,
        Some('m') => 60,
        Some('h') => 3600,
        Some('d') => 86_400,
        _ => 0,
    };
    let count = text
        .get(..text.len().saturating_sub(1))
        .and_then(|count| count.parse::<u32>().ok());
    match count.map(i64::from) {
        Some(count) if unit > 0 && count > 0 && count * unit <= 3660 * 86_400 => {
            Ok(Span::from_secs(count * unit))
        }
        _ => fault(
            name,
            format!("{text:?} is no time of up to ten years in d, h, m or s"),
            "7d",
        ),
    }
}

pub(super) fn host(name: &str, text: &str) -> Parsed<IpAddr> {
    let bare = text.trim().trim_start_matches('[').trim_end_matches(']');
    if bare.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    bare.parse()
        .or_else(|_| fault(name, format!("{text:?} is no IP address"), "0.0.0.0"))
}

pub(super) fn workers(text: Option<&str>) -> Parsed<usize> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    match given(text) {
        None => Ok(cores * 2),
        Some(text) => number("WORKERS", &text, 0..=4096, "8"),
    }
}

pub(super) fn queues(text: &str) -> Parsed<Vec<QueueName>> {
    list(text)
        .into_iter()
        .map(|name| {
            QueueName::new(name).or_else(|error| fault("QUEUES", error.to_string(), "default,mail"))
        })
        .collect()
}

pub(super) fn database_url(text: Option<&str>, data_dir: &Path) -> Parsed<String> {
    let Some(url) = given(text) else {
        return Ok(format!("sqlite:{}", data_dir.join("conveyor.db").display()));
    };
    if url.starts_with("sqlite:") {
        return Ok(url);
    }
    let scheme = url.split(':').next().unwrap_or("");
    let why = match scheme {
        "postgres" | "postgresql" => "this version keeps its queue in SQLite only".to_owned(),
        _ => "must begin with sqlite:".to_owned(),
    };
    fault("DATABASE_URL", why, "sqlite:/var/lib/conveyor/conveyor.db")
}

/// A value that knows how to read itself. The text is not repeated: it may be a secret.
pub(super) fn of<T>(name: &str, text: &str, example: &str) -> Parsed<T>
where
    T: std::str::FromStr,
    T::Err: std::fmt::Display,
{
    text.trim()
        .parse()
        .or_else(|error: T::Err| fault(name, error.to_string(), example))
}

/// The same for one that may be left out.
pub(super) fn optional<T>(name: &str, text: Option<&str>, example: &str) -> Parsed<Option<T>>
where
    T: std::str::FromStr,
    T::Err: std::fmt::Display,
{
    given(text).map(|text| of(name, &text, example)).transpose()
}

pub(super) fn hosts(text: &str) -> Parsed<Vec<String>> {
    let names = list(text);
    let odd = |name: &&String| name.contains(['/', '*', ' ', '@']);
    match names.iter().find(odd) {
        Some(name) => fault(
            "ALLOWED_HOSTS",
            format!("{name:?} is no host name"),
            "queue.example.com,conveyor",
        ),
        None => Ok(names),
    }
}

pub(super) fn public_url(text: Option<&str>) -> Parsed<Option<Url>> {
    let Some(text) = given(text) else {
        return Ok(None);
    };
    let url = Url::parse(&text).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.path() == "/"
            && url.query().is_none()
    });
    match url {
        Some(url) => Ok(Some(url)),
        None => fault(
            "PUBLIC_URL",
            format!("{text:?} is no address of a server, without a path"),
            "https://queue.example.com",
        ),
    }
}

pub(super) fn log_format(text: &str) -> Parsed<LogFormat> {
    match text.trim() {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        other => fault(
            "LOG_FORMAT",
            format!("{other:?} is neither text nor json"),
            "json",
        ),
    }
}

pub(super) fn log_filter(text: &str) -> Parsed<String> {
    let text = filled("RUST_LOG", text, "info")?;
    match EnvFilter::try_new(&text) {
        Ok(_) => Ok(text),
        Err(error) => fault(
            "RUST_LOG",
            format!("{text:?} is no log filter: {error}"),
            "info,conveyor=debug",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit() {
        assert_eq!(duration("X", "7d").unwrap(), Span::from_secs(7 * 86_400));
        assert_eq!(duration("X", " 90s ").unwrap(), Span::from_secs(90));
        for bad in [
            "",
            "7",
            "d",
            "-1d",
            "0d",
            "1.5h",
            "9999999999d",
            "5000d",
            "7 d",
            "é",
        ] {
            assert!(duration("X", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_switch_is_on_or_off() {
        for on in ["1", "true", "YES", " on "] {
            assert!(switch("X", on).unwrap(), "{on}");
        }
        for off in ["", "0", "false", "No"] {
            assert!(!switch("X", off).unwrap(), "{off}");
        }
        assert!(switch("X", "maybe").is_err());
    }

    #[test]
    fn an_error_names_variable_fault_and_example() {
        let error = number::<u16>("PORT", "http", 0..=65_535, "8085").unwrap_err();
        assert_eq!(
            error.to_string(),
            "PORT: \"http\" is no whole number from 0 to 65535; for example PORT=8085"
        );
        assert!(database_url(Some("postgres://x"), Path::new("data")).is_err());
        assert!(public_url(Some("https://a.example/path")).is_err());
        assert!(hosts("*.example.com").is_err());
        assert!(log_filter("conveyor=loud").is_err());
    }

    #[test]
    fn a_misspelt_name_is_refused() {
        let names = |name: &str| [OsString::from("PATH"), OsString::from(name)].into_iter();
        assert!(unknown_names(names("CONVEYOR_URL")).is_ok());
        let error = unknown_names(names("CONVEYOR_PORT")).unwrap_err();
        assert!(error.to_string().contains("perhaps PORT"), "{error}");
        let error = unknown_names(names("CONVEYOR_TOKEN")).unwrap_err();
        assert!(error.to_string().contains("perhaps API_TOKEN"), "{error}");
    }
}
