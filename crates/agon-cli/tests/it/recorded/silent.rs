//! A player that takes all news and never answers a question.

use std::io::{BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::Value;

use crate::http;
use crate::refusals::clerk::{Clerk, request};

pub(super) struct Silent(Clerk);

impl Silent {
    pub(super) fn join(manager: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}/mcp", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                thread::spawn(move || serve(&stream.unwrap()));
            }
        });
        Self(Clerk::sign_up(manager, "player", &endpoint))
    }

    /// Where it is called.
    pub(super) fn address(&self) -> &str {
        http::authority(&self.0.endpoint)
    }
}

/// Answers what comes on a connection, until a question comes or the caller hangs up.
fn serve(stream: &TcpStream) {
    let mut reader = BufReader::new(stream);
    while let Some(body) = request(&mut reader) {
        let asked: Value = serde_json::from_slice(&body).unwrap();
        if asked["params"]["message_type"] == "GAME_INVITATION" {
            continue; // And nothing more on this connection: whoever asked gives up one day.
        }
        // The id stands last, as ours do, so that it can be told from what is said.
        let said = r#"{"jsonrpc":"2.0","result":{"status":"acknowledged"},"id""#;
        let answer = format!("{said}:{}}}", asked["id"]);
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
        let answer = format!("{head}Content-Length: {}\r\n\r\n{answer}", answer.len());
        let mut writer = stream;
        if writer.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}
