//! What the last action did, carried to the next page when no script could show it.

use serde::{Deserialize, Serialize};

use crate::rpc::{Outcome, RpcError};

/// What the last action did or why it was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash(pub Result<Outcome, RpcError>);
