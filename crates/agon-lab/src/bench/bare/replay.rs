//! One process of the bare stack: some listeners, one list of calls, hyper on both sides.
//!
//! It prints its ports, reads its orders, prints `ready`, reads `go`, makes its calls, prints
//! `done` and serves until its input is closed. A request begins with the size of the answer that
//! it wants.

use std::convert::Infallible;
use std::io::{BufRead, Read, Write};
use std::net::{Ipv4Addr, TcpListener as Socket};

use anyhow::Context;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

use super::{Call, Orders};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Digits at the beginning of a request: the size of the answer.
const SIZE_DIGITS: usize = 8;

/// Lives as one process of the bare stack, and speaks with `agon bench` by its standard streams.
///
/// # Errors
/// When it cannot listen, or is told something that makes no sense.
pub async fn serve(listeners: u32) -> anyhow::Result<()> {
    let sockets = (0..listeners)
        .map(|_| Socket::bind((Ipv4Addr::LOCALHOST, 0)))
        .collect::<Result<Vec<_>, _>>()
        .context("could not listen")?;
    let ports = sockets.iter().map(|socket| Ok(socket.local_addr()?.port()));
    say(&serde_json::to_string(&ports.collect::<anyhow::Result<Vec<u16>>>()?)?)?;
    let orders: Orders = serde_json::from_str(&line()?).context("these are no orders")?;
    say("ready")?;
    line()?;
    let (closing, closed) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = closing.send(());
    });
    for socket in sockets {
        socket.set_nonblocking(true)?;
        tokio::spawn(accept(TcpListener::from_std(socket)?));
    }
    replay(orders).await?;
    say("done")?;
    let _ = closed.await;
    Ok(())
}

fn line() -> anyhow::Result<String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line)
}

fn say(line: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    Ok(writeln!(out, "{line}").and_then(|()| out.flush())?)
}

async fn accept(socket: TcpListener) {
    while let Ok((stream, _)) = socket.accept().await {
        tokio::spawn(converse(stream));
    }
}

async fn converse(stream: TcpStream) {
    if stream.set_nodelay(true).is_ok() {
        let connection = http1::Builder::new();
        // A peer that hangs up ends its connection, and nothing else.
        let _ = connection.serve_connection(TokioIo::new(stream), service_fn(answer)).await;
    }
}

async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let body = request.into_body().collect().await;
    let body = body.map(|body| body.to_bytes()).unwrap_or_default();
    let digits = body.get(..SIZE_DIGITS).and_then(|it| str::from_utf8(it).ok());
    let size = digits.and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let mut response = Response::new(Full::new(vec![b'x'; size].into()));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    Ok(response)
}

/// Makes all calls in order, each as soon as no more are under way than there were in the season.
async fn replay(orders: Orders) -> anyhow::Result<()> {
    let Orders { ports, calls } = orders;
    let target = |port: &u16| format!("http://127.0.0.1:{port}/mcp").parse();
    let targets: Result<Vec<Uri>, _> = ports.iter().map(target).collect();
    let targets = targets.context("a port makes no address")?;
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client = Client::builder(TokioExecutor::new()).build(connector);
    let (ended, mut ends) = mpsc::unbounded_channel();
    let mut under_way = 0;
    for Call { to, request, answer, abreast } in calls {
        while under_way >= abreast.max(1) {
            ends.recv().await.context("nobody is left who could end")?;
            under_way -= 1;
        }
        under_way += 1;
        let target = targets.get(to).context("a call to nobody")?.clone();
        let (client, ended) = (client.clone(), ended.clone());
        tokio::spawn(async move {
            let called = client.request(post(target, request, answer)).await;
            match called {
                Ok(response) => drop(response.into_body().collect().await),
                Err(error) => eprintln!("agon: a bare call failed: {error}"),
            }
            let _ = ended.send(());
        });
    }
    drop(ended);
    while ends.recv().await.is_some() {}
    Ok(())
}

fn post(to: Uri, size: usize, answer: usize) -> Request<Full<Bytes>> {
    let mut body = format!("{answer:0SIZE_DIGITS$}").into_bytes();
    body.resize(size.max(SIZE_DIGITS), b'x');
    let request = Request::post(to).header(CONTENT_TYPE, JSON);
    request.body(Full::new(Bytes::from(body))).expect("its parts are sound already")
}
