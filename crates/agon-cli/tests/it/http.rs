//! HTTP as an agent without a library would speak it: one request, one connection, one answer.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};

use rustix::net::{self, AddressFamily, SocketType};
use serde_json::{Value, json};

use crate::process::PATIENCE;

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Answer {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Host and port of an endpoint such as `http://127.0.0.1:8000/mcp`.
pub(crate) fn authority(endpoint: &str) -> &str {
    endpoint.strip_prefix("http://").unwrap().split('/').next().unwrap()
}

/// What follows them, such as `/mcp`.
fn path(endpoint: &str) -> &str {
    endpoint.strip_prefix("http://").unwrap().strip_prefix(authority(endpoint)).unwrap()
}

/// Sends a request with exactly these header lines, and reads the answer to its end.
#[track_caller]
pub(crate) fn raw(endpoint: &str, head: &str, body: &[u8]) -> Answer {
    exchange(TcpStream::connect(authority(endpoint)).unwrap(), head, body)
}

/// A connection from that address of this machine.
fn connect_from(address: Ipv4Addr, endpoint: &str) -> TcpStream {
    let to: SocketAddr = authority(endpoint).parse().unwrap();
    let socket = net::socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    net::bind(&socket, &SocketAddr::from((address, 0))).unwrap();
    net::connect(&socket, &to).unwrap();
    TcpStream::from(socket)
}

#[track_caller]
fn exchange(mut stream: TcpStream, head: &str, body: &[u8]) -> Answer {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let head = format!("{head}Connection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).unwrap();
    // A server that refuses the head may close before it has read the body; its answer counts.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, body: body.to_owned() }
}

/// The head of a `POST`, with more header lines.
fn head(endpoint: &str, headers: &str) -> String {
    let (host, path) = (authority(endpoint), path(endpoint));
    let json = "Content-Type: application/json";
    format!("POST {path} HTTP/1.1\r\nHost: {host}\r\n{json}\r\n{headers}")
}

/// `POST` of a body as it is.
#[track_caller]
pub(crate) fn post(endpoint: &str, body: &str) -> Answer {
    post_with(endpoint, "", body)
}

/// The same, with more header lines.
#[track_caller]
pub(crate) fn post_with(endpoint: &str, headers: &str, body: &str) -> Answer {
    raw(endpoint, &head(endpoint, headers), body.as_bytes())
}

/// The same, from that address of this machine.
#[track_caller]
pub(crate) fn post_from(address: Ipv4Addr, endpoint: &str, body: &str) -> Answer {
    exchange(connect_from(address, endpoint), &head(endpoint, ""), body.as_bytes())
}

/// The same, behind what a proxy says of the connection.
#[track_caller]
pub(crate) fn post_behind(preamble: &[u8], endpoint: &str, headers: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(authority(endpoint)).unwrap();
    stream.write_all(preamble).unwrap();
    exchange(stream, &head(endpoint, headers), body.as_bytes())
}

/// `GET` of a page.
#[track_caller]
pub(crate) fn get(endpoint: &str, path: &str) -> Answer {
    let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", authority(endpoint));
    raw(endpoint, &head, b"")
}

/// A JSON-RPC call, and the object that answers it.
#[track_caller]
pub(crate) fn call(endpoint: &str, method: &str, params: &Value) -> Value {
    let body = json!({ "jsonrpc": "2.0", "method": method, "params": params, "id": 7 });
    let answer = post(endpoint, &body.to_string());
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = answer.json();
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)), "{answer}");
    answer
}

/// What a tool of the manager found.
#[track_caller]
pub(crate) fn tool(endpoint: &str, method: &str, params: &Value) -> Value {
    let mut answer = call(endpoint, method, params);
    assert!(answer.get("error").is_none(), "{answer}");
    answer["result"].take()
}
