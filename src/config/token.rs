//! The token: strong enough for where the server listens, or made at the first start.

use std::fs;
use std::io::{self, Write};
use std::net::IpAddr;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::{ConfigError, Secret, parse};

/// The shortest token on an address that others can reach.
const STRONG: usize = 16;
/// Where a made token is kept, in the data directory.
const FILE: &str = "token";
/// What a strong token looks like.
const EXAMPLE: &str = "$(openssl rand -base64 32)";
/// Texts that everybody tries first.
const KNOWN: [&str; 12] = [
    "changemechangeme",
    "change-me-please",
    "default_token",
    "default-api-token",
    "0123456789abcdef",
    "1234567890123456",
    "12345678901234567890",
    "passwordpassword",
    "supersecrettoken",
    "secretsecretsecret",
    "your-api-token-here",
    "conveyor-api-token",
];

type Found = Result<Secret, ConfigError>;

/// The token that was given, if it is strong enough for the address.
pub(super) fn given(text: Option<&str>, listen: IpAddr) -> Result<Option<Secret>, ConfigError> {
    let public = !listen.is_loopback();
    let Some(text) = text else {
        if public {
            return parse::fault(
                "API_TOKEN",
                format!("must be set to listen on {listen}, which others can reach"),
                EXAMPLE,
            );
        }
        return Ok(None);
    };
    if text.trim().is_empty() {
        return parse::fault(
            "API_TOKEN",
            "is empty; unset it to have a token made",
            EXAMPLE,
        );
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return parse::fault("API_TOKEN", "must be visible ASCII without blanks", EXAMPLE);
    }
    if public && text.len() < STRONG {
        let why = format!(
            "has {} characters; on {listen}, which others can reach, it needs {STRONG}",
            text.len()
        );
        return parse::fault("API_TOKEN", why, EXAMPLE);
    }
    if public && is_known(text) {
        let why = format!("is a text that everybody tries first; it cannot be used on {listen}");
        return parse::fault("API_TOKEN", why, EXAMPLE);
    }
    Ok(Some(Secret::new(text)))
}

fn is_known(text: &str) -> bool {
    let small = text.to_ascii_lowercase();
    let one_letter = small.chars().all(|c| small.starts_with(c));
    one_letter || KNOWN.contains(&small.as_str())
}

/// The token that opens the metrics only.
pub(super) fn for_metrics(text: Option<&str>) -> Result<Option<Secret>, ConfigError> {
    match parse::given(text) {
        None => Ok(None),
        Some(text) if text.len() < STRONG => {
            let why = format!(
                "has {} characters, at least {STRONG} are needed",
                text.len()
            );
            parse::fault("METRICS_TOKEN", why, EXAMPLE)
        }
        Some(text) => Ok(Some(Secret::new(text))),
    }
}

/// Where the token of a data directory is kept.
pub(super) fn file(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

/// The token of the data directory, if one was made.
pub(super) fn kept_in(data_dir: &Path) -> Result<Option<Secret>, ConfigError> {
    let path = file(data_dir);
    kept(&path).map_err(|error| unusable(&path, &error))
}

/// The token of the data directory, made at the first start.
pub(super) fn made(data_dir: &Path) -> Found {
    if let Some(token) = kept_in(data_dir)? {
        return Ok(token);
    }
    let path = file(data_dir);
    let token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
    match keep(data_dir, &path, &token) {
        Ok(()) => Ok(Secret::new(token)),
        // Another process was first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let theirs = kept_in(data_dir)?;
            theirs.ok_or_else(|| unusable(&path, &io::ErrorKind::InvalidData.into()))
        }
        Err(error) => Err(unusable(&path, &error)),
    }
}

fn unusable(path: &Path, error: &io::Error) -> ConfigError {
    ConfigError {
        name: "DATA_DIR".to_owned(),
        fault: format!("{} cannot be used: {error}", path.display()),
        example: "/var/lib/conveyor".to_owned(),
    }
}

fn kept(path: &Path) -> io::Result<Option<Secret>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text?,
    };
    let token = text.trim();
    if token.len() < STRONG {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it holds no token; delete it to have one made",
        ));
    }
    Ok(Some(Secret::new(token)))
}

/// Writes the token under another name first, so that nobody reads half of it.
fn keep(data_dir: &Path, path: &Path, token: &str) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(data_dir)?;
    let draft = data_dir.join(format!("{FILE}.{:016x}", rand::random::<u64>()));
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)?;
    file.write_all(token.as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    // Unlike a rename, a link fails where there is one already.
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    linked
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const LOOPBACK: &str = "127.0.0.1";
    const PUBLIC: &str = "0.0.0.0";

    fn taken(text: Option<&str>, listen: &str) -> bool {
        given(text, listen.parse().unwrap()).is_ok()
    }

    #[test]
    fn a_short_token_is_for_this_machine_only() {
        assert!(taken(Some("demo"), LOOPBACK) && taken(Some("demo"), "::1"));
        assert!(taken(None, LOOPBACK));
        for weak in [
            None,
            Some("demo"),
            Some("ChangeMeChangeMe"),
            Some("aaaaaaaaaaaaaaaaaaaa"),
        ] {
            assert!(!taken(weak, PUBLIC), "{weak:?}");
        }
        assert!(taken(Some("Zm9vYmFyYmF6cXV4IQ"), PUBLIC));
        for unusable in ["", "  ", "with blank in it", "schlüssel"] {
            assert!(!taken(Some(unusable), LOOPBACK), "{unusable:?}");
        }
    }

    #[test]
    fn a_made_token_is_kept_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let token = made(&data).unwrap();
        assert!(token.reveal().len() >= 43);
        assert_eq!(made(&data).unwrap(), token);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&data), mode(&data.join(FILE))), (0o700, 0o600));
        fs::write(data.join(FILE), "short\n").unwrap();
        assert!(made(&data).is_err());
    }
}
