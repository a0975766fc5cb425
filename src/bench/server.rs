//! The server that is measured from outside: the product's own routes and one more, which reads the
//! same request and writes the same answer without the queue between them.

use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::load::TOKEN;
use super::queue;
use crate::conveyor::Conveyor;
use crate::http::{self, HttpConfig};
use crate::shutdown::Shutdown;
use crate::worker::command;

/// More streams than the product allows unless it is told to.
const STREAMS: usize = 8000;
/// How long requests at hand get at the end.
const LAST_REQUESTS: Duration = Duration::from_secs(1);

/// Serves until standard input is closed or the process is told to stop. Logs its address.
pub(crate) async fn serve(database: &str, slots: usize) -> anyhow::Result<()> {
    let stop = Shutdown::new();
    stop.on_signals(command::kill_all)?;
    let builder = Conveyor::builder().database(database).slots(slots);
    let queue = queue::with_handlers(builder, Arc::default(), Arc::default())
        .build()
        .await?;
    let mut state = queue.http().clone();
    state.config = Arc::new(HttpConfig {
        max_streams: STREAMS,
        ..HttpConfig::new(TOKEN)
    });
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = format!("http://{}", listener.local_addr()?);
    queue.start()?;
    let closing = CancellationToken::new();
    let router = http::router_with_null(state);
    let web = tokio::spawn(http::serve(
        listener,
        router,
        closing.clone(),
        LAST_REQUESTS,
    ));
    tracing::info!(address, "serving");
    let parent = stop.clone();
    std::thread::spawn(move || {
        // Whatever ends the input, nobody is there any more who wants this server.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        parent.stop();
    });
    stop.token().cancelled().await;
    queue.drain().await;
    closing.cancel();
    web.await?;
    queue.close().await;
    Ok(())
}
