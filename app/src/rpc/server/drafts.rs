//! What was typed into a form that was refused, kept for the page that shows it again.
//!
//! A payload does not fit a cookie, so the fields stay here under a name nobody can guess, which
//! travels in the URL. Bounded in number and size; the oldest goes first. Another process does not
//! know them: the form is then empty, which is no worse than losing the page.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use conveyor_model::error::{FieldError, OperatorError};
use leptos::nonce::Nonce;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::rpc::RpcError;

const MOST_DRAFTS: usize = 64;
const MOST_BYTES: usize = 16 << 20;

static DRAFTS: Mutex<VecDeque<Draft>> = Mutex::new(VecDeque::new());

struct Draft {
    key: String,
    values: String,
    faults: Vec<FieldError>,
}

/// A name for a form that is about to be drawn; nobody can guess it.
pub(crate) fn new_key() -> String {
    Nonce::new().to_string()
}

/// Keeps the fields of a form and what was wrong with them.
pub(crate) fn keep<T: Serialize>(key: &str, values: &T, refused: &RpcError) {
    let faults = match refused {
        RpcError::Operator(OperatorError::Invalid(invalid)) => invalid.errors.clone(),
        _ => Vec::new(),
    };
    keep_with(key, values, faults);
}

/// Keeps the fields of a form that is to be shown once more.
pub(crate) fn keep_with<T: Serialize>(key: &str, values: &T, faults: Vec<FieldError>) {
    let Ok(values) = serde_json::to_string(values) else {
        return;
    };
    let draft = Draft {
        key: key.to_owned(),
        values,
        faults,
    };
    store(
        &mut DRAFTS.lock().unwrap_or_else(PoisonError::into_inner),
        draft,
    );
}

fn store(drafts: &mut VecDeque<Draft>, draft: Draft) {
    drafts.retain(|other| other.key != draft.key);
    drafts.push_back(draft);
    let mut bytes: usize = drafts.iter().map(|draft| draft.values.len()).sum();
    while drafts.len() > MOST_DRAFTS || bytes > MOST_BYTES {
        let Some(oldest) = drafts.pop_front() else {
            return;
        };
        bytes -= oldest.values.len();
    }
}

/// The fields kept under a name; they stay, so that the page can be loaded again.
pub(crate) fn take<T: DeserializeOwned>(key: &str) -> Option<(T, Vec<FieldError>)> {
    let drafts = DRAFTS.lock().unwrap_or_else(PoisonError::into_inner);
    let draft = drafts.iter().find(|draft| draft.key == key)?;
    let values = serde_json::from_str(&draft.values).ok()?;
    Some((values, draft.faults.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(key: &str, bytes: usize) -> Draft {
        Draft {
            key: key.to_owned(),
            values: "x".repeat(bytes),
            faults: Vec::new(),
        }
    }

    #[test]
    fn the_oldest_drafts_make_room() {
        let mut drafts = VecDeque::new();
        for n in 0..=MOST_DRAFTS {
            store(&mut drafts, draft(&n.to_string(), 1));
        }
        assert_eq!(drafts.len(), MOST_DRAFTS);
        assert_eq!(drafts[0].key, "1");
        store(&mut drafts, draft("big", MOST_BYTES));
        assert_eq!(drafts.len(), 1);
        store(&mut drafts, draft("big", 5));
        assert_eq!((drafts.len(), drafts[0].values.len()), (1, 5));
    }

    #[test]
    fn keys_differ() {
        assert_ne!(new_key(), new_key());
        assert!(new_key().len() >= 20);
    }
}
