//! Asking somebody else's node by call: one tool, one answer.

use std::time::Duration;

use agon_net::{AddressPolicy, CallError, Client, ClientConfig, EndpointUrl};
use agon_proto::frame::{BadAnswer, Limits, decode_tool_answer, encode_tool_request};
use agon_proto::tool::{Tool, ToolAnswer, ToolParams};
use agon_proto::{Answer, Fault};

use crate::config::Config;
use crate::tls_files::{TlsFilesError, trust};

/// Larger than any table that is asked for by hand.
const ANSWER_MAX: usize = 64 * 1024 * 1024;

/// What came of it.
pub enum ToolResponse {
    Answered(ToolAnswer),
    Refused(Fault),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error("the settings of [tls] do not work")]
    Trust(#[source] TlsFilesError),
    #[error("the call brought nothing")]
    Call(#[source] CallError),
    #[error("the answer makes no sense")]
    Strange(#[source] Option<BadAnswer>),
}

/// Calls one tool of a node.
///
/// # Errors
/// When nobody answers there, or something that no node would say.
pub async fn ask(
    config: &Config,
    endpoint: &EndpointUrl,
    tool: Tool,
    params: &ToolParams,
) -> Result<ToolResponse, AskError> {
    let anywhere = AddressPolicy { loopback: true, private: true, public: true };
    let trust = trust(&config.tls).map_err(AskError::Trust)?;
    let calls = ClientConfig { answer_max: ANSWER_MAX, ..config.calls(anywhere, trust) };
    let client = Client::new(calls);
    let mut body = Vec::new();
    encode_tool_request(1, tool, params, &mut body);
    let timeout = config.times.report_s.max(Duration::from_secs(1));
    let answer = client.post(endpoint, body.into(), timeout).await.map_err(AskError::Call)?;
    let limits = Limits { depth_max: config.server.depth_max };
    match decode_tool_answer(&answer.body, tool, limits) {
        Ok(Answer::Tool(found)) => Ok(ToolResponse::Answered(found)),
        Ok(Answer::Fault(fault)) => Ok(ToolResponse::Refused(fault)),
        Ok(Answer::Message(_) | Answer::Receipt(_)) => Err(AskError::Strange(None)),
        Err(bad) => Err(AskError::Strange(Some(bad))),
    }
}
