//! Which handler runs which kind.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as MapEntry;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use conveyor_model::name::{Kind, NameError};
use serde::de::DeserializeOwned;

use super::JobContext;
use super::handler::{Handler, IntoOutcome, Typed};

/// The handlers of a process.
#[derive(Clone, Default)]
pub struct Registry {
    kinds: BTreeMap<Kind, Entry>,
    any: Option<Arc<dyn Handler>>,
}

#[derive(Clone)]
struct Entry {
    handler: Arc<dyn Handler>,
    description: String,
}

/// Why a handler was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// The kind has a handler already.
    #[error("the kind {0} has a handler already")]
    Twice(Kind),
    /// The text is no kind.
    #[error(transparent)]
    Kind(#[from] NameError),
}

impl Registry {
    /// No handlers.
    pub fn new() -> Self {
        Registry::default()
    }

    /// Adds a handler; `description` says in a sentence what the kind does.
    pub fn add(
        &mut self,
        kind: Kind,
        description: impl Into<String>,
        handler: impl Handler,
    ) -> Result<(), RegistryError> {
        match self.kinds.entry(kind) {
            MapEntry::Occupied(taken) => Err(RegistryError::Twice(taken.key().clone())),
            MapEntry::Vacant(free) => {
                free.insert(Entry {
                    handler: Arc::new(handler),
                    description: description.into(),
                });
                Ok(())
            }
        }
    }

    /// Adds an async function as the handler of a kind. A payload that does not fit `T` is a failed
    /// attempt.
    pub fn handle<T, R>(
        &mut self,
        kind: &str,
        run: impl Fn(JobContext, T) -> R + Send + Sync + 'static,
    ) -> Result<(), RegistryError>
    where
        T: DeserializeOwned + Send + 'static,
        R: Future<Output: IntoOutcome> + Send + 'static,
    {
        self.add(kind.parse()?, "", Typed::new(run))
    }

    /// Sets the handler of every kind that has none of its own.
    pub fn any(&mut self, handler: impl Handler) {
        self.any = Some(Arc::new(handler));
    }

    /// Whether there is no handler at all.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.any.is_none()
    }

    /// The kinds it can run; none means all.
    pub fn kinds(&self) -> Option<Vec<Kind>> {
        match self.any {
            Some(_) => None,
            None => Some(self.kinds.keys().cloned().collect()),
        }
    }

    /// The kinds it knows by name, with what each does.
    pub fn descriptions(&self) -> BTreeMap<Kind, String> {
        let described = |(kind, entry): (&Kind, &Entry)| (kind.clone(), entry.description.clone());
        self.kinds.iter().map(described).collect()
    }

    /// The handler of a kind.
    pub fn find(&self, kind: &Kind) -> Option<Arc<dyn Handler>> {
        let own = self.kinds.get(kind).map(|entry| &entry.handler);
        own.or(self.any.as_ref()).map(Arc::clone)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("kinds", &self.kinds.keys())
            .field("any", &self.any.is_some())
            .finish()
    }
}
