//! Requests, as anybody may send them to `/mcp`.
//!
//! Spec: docs/protocol/README.md

use agon_proto::{
    Answer, BadRequest, Call, Receipt, ReceiptStatus, Reject, Request, RpcId, Timestamp,
    decode_answer, decode_request, encode_answer, encode_letter_request, encode_request,
    encode_tool_request,
};
use serde_json::Value;

use crate::depth::depth;
use crate::{LIMITS, whole};

/// Below this length no list is set aside, and every request is read in full.
const ASIDE_MIN: usize = 1024;
/// More than any answer to a request that was not opened, whatever the request was.
const REFUSAL_MAX: usize = 4096;
/// When the answers are written.
const NOW: Timestamp = Timestamp::from_micros(1_768_473_000_000_000);

/// Opened, it comes back; not opened, it has an answer; and both ways of reading agree.
pub fn check(bytes: &[u8]) {
    let decoded = decode_request(bytes, LIMITS);
    if let Some(depth) = depth(bytes) {
        let refused = matches!(&decoded, Err(bad) if bad.reject == Reject::TooDeep);
        assert_eq!(refused, depth > LIMITS.depth_max, "depth {depth}");
    }
    match decoded {
        Ok(request) => {
            assert!(str::from_utf8(bytes).is_ok(), "JSON is UTF-8");
            assert!(bytes.trim_ascii_start().starts_with(b"{"), "a request is an object");
            comes_back(&request);
            is_the_same_in_full(bytes, &request);
        }
        Err(bad) => has_an_answer(&bad),
    }
}

fn comes_back(request: &Request) {
    let mut out = Vec::new();
    match &request.call {
        Call::Message(letter) => encode_request(7, letter, &mut out),
        Call::Tool(tool, params) => encode_tool_request(7, *tool, params, &mut out),
        Call::Letter(letter) => encode_letter_request(7, &letter.written(), &mut out),
    }
    let again = decode_request(&out, LIMITS).expect("what we write can be read");
    assert_eq!(again.id, Some(RpcId::Number(7)));
    assert_eq!(again.call, whole::call(request.call.clone()));
    if let Some(id) = &request.id {
        is_echoed(id);
    }
}

fn is_echoed(id: &RpcId) {
    let receipt = Receipt { status: ReceiptStatus::Acknowledged, match_id: None, played: None };
    let mut out = Vec::new();
    encode_answer(id, &Answer::Receipt(receipt), &mut out);
    let value: Value = serde_json::from_slice(&out).expect("an answer is JSON");
    let echoed: RpcId = serde_json::from_value(value["id"].clone()).expect("an id is an id");
    assert_eq!(echoed, *id);
}

/// The lists of two messages are set aside unread, unless a backslash stands before them. So a
/// field that means nothing, but holds one, shows what a full reading makes of the same request.
/// It may find a flaw where nobody looked before, but never another request.
fn is_the_same_in_full(bytes: &[u8], request: &Request) {
    let Some(brace) = bytes.iter().position(|byte| *byte == b'{') else { return };
    let (head, tail) = bytes.split_at(brace + 1);
    let longer = [head, br#""\u002d":0,"#, tail].concat();
    match decode_request(&longer, LIMITS) {
        Ok(full) => assert_eq!(full, *request, "two readings of one request"),
        Err(bad) => assert!(bytes.len() >= ASIDE_MIN, "a field too many: {bad:?}"),
    }
}

fn has_an_answer(bad: &BadRequest) {
    let id = bad.id.clone().unwrap_or(RpcId::Null);
    assert!(!bad.fault().message.chars().any(char::is_control), "{:?}", bad.fault());
    for answer in [Answer::Fault(bad.fault()), bad.league_answer(NOW)] {
        let mut out = Vec::new();
        encode_answer(&id, &answer, &mut out);
        assert!(out.len() <= REFUSAL_MAX, "an answer of {} bytes", out.len());
        assert_eq!(decode_answer(&out, LIMITS), Ok(answer));
    }
    is_echoed(&id);
}
