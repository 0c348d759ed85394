//! Answers, as a peer may give them to a call of ours.
//!
//! Spec: docs/protocol/README.md

use agon_proto::tool::Tool;
use agon_proto::{Answer, BadAnswer, RpcId, decode_answer, decode_tool_answer, encode_answer};

use crate::depth::depth;
use crate::{LIMITS, whole};

/// What was read comes back, and who asked makes no difference to a letter or a fault.
pub fn check(bytes: &[u8]) {
    let depth = depth(bytes);
    let read = decode_answer(bytes, LIMITS);
    assert!(read.is_err() || str::from_utf8(bytes).is_ok(), "JSON is UTF-8");
    let object = bytes.trim_ascii_start().starts_with(b"{");
    assert!(read.is_err() || object, "an answer is an object");
    check_one(&read, depth, |bytes| decode_answer(bytes, LIMITS));
    for tool in Tool::ALL {
        let found = decode_tool_answer(bytes, *tool, LIMITS);
        check_one(&found, depth, |bytes| decode_tool_answer(bytes, *tool, LIMITS));
        match &read {
            Ok(Answer::Message(_) | Answer::Fault(_)) => assert_eq!(found, read, "{tool:?}"),
            Ok(Answer::Receipt(_)) => assert!(
                matches!(found, Ok(Answer::Tool(_)) | Err(BadAnswer::BadResult(_))),
                "{tool:?}: {found:?}"
            ),
            Ok(Answer::Tool(_)) => panic!("a message was sent, and a tool has answered"),
            Err(_) => assert_eq!(found, read, "{tool:?}"),
        }
    }
}

fn check_one(
    read: &Result<Answer, BadAnswer>,
    depth: Option<usize>,
    decode: impl Fn(&[u8]) -> Result<Answer, BadAnswer>,
) {
    if let Some(depth) = depth {
        let refused = *read == Err(BadAnswer::TooDeep);
        assert_eq!(refused, depth > LIMITS.depth_max, "depth {depth}");
    }
    if let Ok(answer) = read {
        let mut out = Vec::new();
        encode_answer(&RpcId::Number(7), answer, &mut out);
        let again = decode(&out).expect("what we write can be read");
        assert_eq!(again, whole::answer(answer.clone()));
    }
}
