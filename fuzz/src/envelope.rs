//! Envelopes: every message, in every form in which it is written and read.
//!
//! Spec: docs/protocol/README.md

use agon_proto::{
    Answer, Call, Envelope, MessageType, RpcId, decode_answer, decode_request, encode_answer,
    encode_body_once, encode_request, encode_shared_request,
};

use crate::depth::depth;
use crate::{LIMITS, whole};

/// An envelope that was read comes back from a request, an answer and a broadcast.
pub fn check(bytes: &[u8]) {
    let Ok(envelope) = serde_json::from_slice::<Envelope>(bytes) else { return };
    let fits = depth(bytes).is_some_and(|depth| depth < LIMITS.depth_max);
    if fits {
        is_read_in_any_order(bytes, &envelope);
        comes_back(&envelope);
    }
}

/// With `params` before `method` the frame is taken apart before the envelope is read.
fn is_read_in_any_order(bytes: &[u8], envelope: &Envelope) {
    let name = MessageType::name_of(&envelope.act);
    let tail = format!(r#","method":"{name}","id":7,"jsonrpc":"2.0"}}"#);
    let frame = [br#"{"params":"#, bytes, tail.as_bytes()].concat();
    let request = decode_request(&frame, LIMITS).expect("the order does not matter");
    assert_eq!(request.call, Call::Message(Box::new(envelope.clone())));
}

fn comes_back(envelope: &Envelope) {
    let whole = whole::envelope(envelope.clone());
    let mut alone = Vec::new();
    encode_request(7, envelope, &mut alone);
    let request = decode_request(&alone, LIMITS).expect("a request of ours can be read");
    assert_eq!(request.call, Call::Message(Box::new(whole.clone())));

    let Envelope { head, auth_token, act } = envelope;
    let (body, mut shared) = (encode_body_once(act), Vec::new());
    encode_shared_request(7, head, auth_token.as_ref(), &body, &mut shared);
    assert_eq!(shared, alone, "a broadcast is the same bytes");

    let answer = Answer::Message(Box::new(whole));
    let mut out = Vec::new();
    encode_answer(&RpcId::Number(7), &answer, &mut out);
    assert_eq!(decode_answer(&out, LIMITS), Ok(answer));
}
