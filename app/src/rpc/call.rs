//! How a page reaches a server function: one way for all of them, so that the browser's code holds it
//! once and not once for each function.
//!
//! A [`Call`] is a function's path with its fields as a form would send them. What it answers stays
//! JSON until it is shown: [`Text`] travels in the page and over the network alike, and is read where
//! its type is known. While a page is drawn on the server the function is run there and then.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use leptos::server_fn::ServerFn;
use leptos::server_fn::client::Client;
use leptos::server_fn::client::browser::BrowserClient;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use leptos::server_fn::request::ClientReq;
use leptos::server_fn::request::browser::BrowserRequest;
use leptos::server_fn::response::ClientRes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::RpcError;

/// What a function answered: its value as JSON, or why there is none.
pub(crate) type Answer = Result<Text, RpcError>;

/// An answer on its way.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// A value of some type as JSON, byte for byte as it was written; copies share it.
#[derive(Clone)]
pub(crate) struct Text(Arc<RawValue>);

impl Text {
    /// The value, where its type is known.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, RpcError> {
        serde_json::from_str(self.0.get()).map_err(unreadable)
    }

    fn parse(text: String) -> Answer {
        match RawValue::from_string(text) {
            Ok(text) => Ok(Text(text.into())),
            Err(error) => Err(unreadable(error)),
        }
    }
}

fn unreadable(error: impl std::fmt::Display) -> RpcError {
    RpcError::from_server_fn_error(ServerFnErrorErr::Deserialization(error.to_string()))
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|text| Text(text.into()))
    }
}

/// A server function with everything it is to be given.
#[derive(Clone)]
pub(crate) struct Call {
    path: &'static str,
    fields: String,
    #[cfg(feature = "ssr")]
    run: Arc<dyn Fn() -> Answering + Send + Sync>,
}

impl Call {
    /// The call of a function; fields that no form could hold are left out.
    pub(crate) fn of<F>(function: F) -> Self
    where
        F: ServerFn<Error = RpcError> + Serialize + Clone + Send + Sync + 'static,
        F::Output: Serialize,
    {
        Call {
            path: F::PATH,
            fields: serde_qs::to_string(&function).unwrap_or_default(),
            #[cfg(feature = "ssr")]
            run: Arc::new(move || {
                let answer = function.clone().run_body();
                Box::pin(async move {
                    let text = serde_json::to_string(&answer.await?);
                    Text::parse(text.map_err(unreadable)?)
                })
            }),
        }
    }

    /// Asks, wherever this runs.
    pub(crate) fn ask(self) -> Answering {
        #[cfg(feature = "ssr")]
        let answer = (self.run)();
        #[cfg(not(feature = "ssr"))]
        let answer = post(self.path, self.fields);
        answer
    }
}

impl PartialEq for Call {
    fn eq(&self, other: &Self) -> bool {
        (self.path, &self.fields) == (other.path, &other.fields)
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path, self.fields)
    }
}

/// Sends fields to a function as a form would, and asks for an answer that a script understands.
pub(crate) fn post(path: &'static str, fields: String) -> Answering {
    const FORM: &str = "application/x-www-form-urlencoded";
    const JSON: &str = "application/json";
    Box::pin(async move {
        let request: BrowserRequest =
            ClientReq::<RpcError>::try_new_post(path, FORM, JSON, fields)?;
        let response = <BrowserClient as Client<RpcError>>::send(request).await?;
        let refused = ClientRes::<RpcError>::status(&response) >= 400;
        let text = ClientRes::<RpcError>::try_into_string(response).await?;
        if refused {
            Err(RpcError::de(text.into()))
        } else {
            Text::parse(text)
        }
    })
}
