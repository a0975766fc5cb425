//! The folder of dashboard files that the server hands out: the app, its style, what is in `public/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::digest::{self, Mark};
use crate::place::Place;
use crate::wasm::Profile;
use crate::{compress, say, setup, style, wasm};

/// Brings the folder up to date. A file whose content stays is not touched, so that Cargo sees no change.
pub(crate) fn build(place: &Place, profile: Profile) -> Result<()> {
    let std = setup::for_build(place)?;
    let app = wasm::build(place, profile, std)?;
    let wanted = gather(place, &app)?;
    for (name, content) in &wanted {
        if is_plain(name, profile) {
            digest::write(&place.site.join(name), content)?;
        }
    }
    if profile == Profile::Release {
        compress(place, &wanted)?;
    }
    remove_others(place, &wanted, profile)?;
    describe(place, &wanted);
    Ok(())
}

/// Whether the folder has the file as it is. The largest is kept only compressed for a release, which would
/// otherwise hold it three times.
fn is_plain(name: &Path, profile: Profile) -> bool {
    profile == Profile::Dev || name.extension().is_none_or(|ending| ending != "wasm")
}

/// Every file of the site by its path in it.
fn gather(place: &Place, app: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut wanted = BTreeMap::new();
    for name in digest::files(app)? {
        wanted.insert(Path::new("pkg").join(&name), fs::read(app.join(&name))?);
    }
    wanted.insert("pkg/conveyor.css".into(), style::build(place)?.into_bytes());
    let public = place.root.join("public");
    for name in digest::files(&public)? {
        let content = fs::read(public.join(&name))?;
        wanted.insert(name, content);
    }
    Ok(wanted)
}

fn compress(place: &Place, wanted: &BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    for (name, content) in wanted
        .iter()
        .filter(|(name, _)| compress::is_worth_it(name))
    {
        let mark = Mark::of(place.kept().join("compressed").join(name), &[content])?;
        compress::write(&place.site.join(name), content, &mark)?;
    }
    Ok(())
}

/// A file that is no longer made must not stay in the binary; neither must a compressed form of old content.
fn remove_others(
    place: &Place,
    wanted: &BTreeMap<PathBuf, Vec<u8>>,
    profile: Profile,
) -> Result<()> {
    let is_form = |present: &Path| {
        profile == Profile::Release
            && wanted.keys().any(|name| {
                compress::is_worth_it(name) && compress::forms(name).iter().any(|f| f == present)
            })
    };
    for present in digest::files(&place.site)? {
        let is_kept = wanted.contains_key(&present) && is_plain(&present, profile);
        if !is_kept && !is_form(&present) {
            fs::remove_file(place.site.join(present))?;
        }
    }
    Ok(())
}

fn describe(place: &Place, wanted: &BTreeMap<PathBuf, Vec<u8>>) {
    for name in ["pkg/conveyor.wasm", "pkg/conveyor.js", "pkg/conveyor.css"].map(Path::new) {
        let raw = wanted.get(name).map_or(0, Vec::len);
        let forms = compress::forms(name)
            .map(|form| fs::metadata(place.site.join(form)).map(|data| data.len()));
        match forms {
            [Ok(br), Ok(gz)] => {
                say::note(&format!(
                    "{}: {raw} bytes, brotli {br}, gzip {gz}",
                    name.display()
                ));
            }
            _ => say::note(&format!("{}: {raw} bytes", name.display())),
        }
    }
}
