//! Readers that do not read, and silence.
//!
//! Time is moved by hand here, never while anything is under way: what waits for a moment long past is
//! then woken, and the sockets do not notice.

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};

use super::server::{Served, start};
use crate::support::app::TOKEN;
use crate::support::eventually::eventually;
use crate::support::wire;

/// Lets time pass for every timer at once.
async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// A reader that asks for the stream and takes nothing of it.
async fn deaf(served: &Served) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(served.at).await.unwrap();
    let token = format!("Bearer {TOKEN}");
    let headers = [("Authorization", token.as_str())];
    let request = wire::request("GET", "/api/v1/events?topics=jobs", &headers, "");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn a_stream_without_news_says_that_it_lives() {
    let served = start().await;
    let mut stream = served.hear("schedules").await;
    for _ in 0..3 {
        pass(Duration::from_secs(15)).await;
        let ping = stream.expect("ping").await;
        assert_eq!((ping.id, ping.data.as_str()), (None, "{}"));
    }
}

#[tokio::test]
async fn a_reader_that_reads_nothing_holds_up_nobody_and_is_cut_off() {
    let served = start().await;
    let mut reading = served.hear("jobs").await;
    let _deaf = deaf(&served).await;
    eventually("both are open", async || {
        (served.streams().await == 2).then_some(())
    })
    .await;
    // Some 2.5 MB, of which the deaf reader can have a few dozen KiB.
    let heard = served.publish_all(1..5000, &mut reading).await;
    assert_eq!(heard.len(), 4999);
    assert!(heard.iter().all(|event| event.name == "job"));
    let answer = wire::call(served.at, "GET", "/jobs", "").await;
    assert_eq!(answer.status, 200);
    pass(Duration::from_secs(31)).await;
    eventually("it is cut off", async || {
        (served.streams().await == 1).then_some(())
    })
    .await;
    reading.expect("ping").await;
    served.publish_all(6000..6001, &mut reading).await;
}
