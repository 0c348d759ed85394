//! The JSON-RPC 2.0 frame: requests, answers, and why a request was not opened.
//!
//! Spec: docs/protocol/README.md

mod answer;
pub(crate) mod depth;
mod encode;
mod id;
mod method;
mod object;
mod reject;
mod request;
mod set_aside;

pub use answer::{BadAnswer, decode_answer, decode_tool_answer};
pub use encode::{
    SharedBody, encode_answer, encode_body_once, encode_letter_request, encode_request,
    encode_shared_request, encode_tool_request,
};
pub use id::RpcId;
pub use object::object_to;
pub use reject::{BadRequest, Reject};
pub use request::{Request, decode_request};

/// What a peer's JSON may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How deeply objects and lists may be nested, the frame itself counted.
    pub depth_max: usize,
}

#[cfg(test)]
mod tests;
