//! Writing requests and answers, straight into the bytes that leave.
//!
//! A broadcast is encoded once: each recipient's head is written anew, the body is only copied.
//!
//! Spec: docs/protocol/README.md

use serde::Serialize;

use super::RpcId;
use super::request::{DELIVER, VERSION};
use crate::act::Act;
use crate::dialect::league_v2::codec::{Body, Written};
use crate::tool::{Tool, ToolAnswer, ToolParams};
use crate::{Answer, AuthToken, Dialogue, Envelope, ErrorCode, Fault, MessageType, WrittenLetter};

/// Appends a request that carries a message.
pub fn encode_request(id: u64, envelope: &Envelope, out: &mut Vec<u8>) {
    open_request(MessageType::method_of(MessageType::of(&envelope.act)), out);
    put(envelope, out);
    close(&id, out);
}

/// Appends a request that carries a letter of a Q21 league.
pub fn encode_letter_request(id: u64, letter: &WrittenLetter, out: &mut Vec<u8>) {
    open_request(DELIVER, out);
    out.extend_from_slice(letter.text.as_bytes());
    close(&id, out);
}

/// Appends a request to a tool.
pub fn encode_tool_request(id: u64, tool: Tool, params: &ToolParams, out: &mut Vec<u8>) {
    open_request(tool.method(), out);
    put(params, out);
    close(&id, out);
}

/// The body of a message that goes to many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedBody {
    kind: Option<MessageType>,
    /// The fields, without the braces around them.
    fields: Box<[u8]>,
}

/// Encodes a body that goes to many.
pub fn encode_body_once(act: &Act) -> SharedBody {
    let mut object = Vec::new();
    put(&Body(act), &mut object);
    let fields = object[1..object.len() - 1].into();
    SharedBody { kind: MessageType::of(act), fields }
}

/// Appends the request that [`encode_request`] would write for the same message.
pub fn encode_shared_request(
    id: u64,
    head: &Dialogue,
    auth_token: Option<&AuthToken>,
    body: &SharedBody,
    out: &mut Vec<u8>,
) {
    out.reserve(body.fields.len() + 512);
    open_request(MessageType::method_of(body.kind), out);
    put(&Written::head(body.kind, head, auth_token), out);
    out.pop(); // The head's closing brace: the object goes on.
    out.push(b',');
    out.extend_from_slice(&body.fields);
    out.push(b'}');
    close(&id, out);
}

/// Appends an answer.
pub fn encode_answer(id: &RpcId, answer: &Answer, out: &mut Vec<u8>) {
    let part = match answer {
        Answer::Message(_) | Answer::Receipt(_) | Answer::Tool(_) => "result",
        Answer::Fault(_) => "error",
    };
    open(out);
    out.extend_from_slice(b"\",\"");
    out.extend_from_slice(part.as_bytes());
    out.extend_from_slice(b"\":");
    match answer {
        Answer::Message(envelope) => put(envelope, out),
        Answer::Receipt(receipt) => put(receipt, out),
        Answer::Tool(ToolAnswer::Pong) => out.extend_from_slice(b"{\"status\":\"ok\"}"),
        Answer::Tool(ToolAnswer::Standings(standings)) => put(standings, out),
        Answer::Tool(ToolAnswer::League(state)) => put(state, out),
        Answer::Tool(ToolAnswer::Match(state)) => put(state, out),
        Answer::Tool(ToolAnswer::Player(state)) => put(state, out),
        Answer::Tool(ToolAnswer::Fresh(token)) => put(token, out),
        Answer::Tool(ToolAnswer::Agents(agents)) => put(agents, out),
        Answer::Tool(ToolAnswer::Invited(invited)) => put(invited, out),
        Answer::Tool(ToolAnswer::Schedule(schedule)) => put(schedule, out),
        Answer::Tool(ToolAnswer::Kept(kept)) => put(kept, out),
        Answer::Fault(Fault { code, message, league_code }) => {
            let named =
                |error_code: ErrorCode| ErrorData { error_code, error_name: error_code.name() };
            put(&ErrorObject { code: *code, message, data: league_code.map(named) }, out);
        }
    }
    close(id, out);
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    code: i64,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<ErrorData>,
}

#[derive(Serialize)]
struct ErrorData {
    error_code: ErrorCode,
    error_name: &'static str,
}

fn open(out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"jsonrpc\":\"");
    out.extend_from_slice(VERSION.as_bytes());
}

fn open_request(method: &str, out: &mut Vec<u8>) {
    open(out);
    out.extend_from_slice(b"\",\"method\":\"");
    out.extend_from_slice(method.as_bytes());
    out.extend_from_slice(b"\",\"params\":");
}

fn close(id: &impl Serialize, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"id\":");
    put(id, out);
    out.push(b'}');
}

fn put(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("our own types can be written, and memory takes all");
}
