//! Asking a manager: one tool call over HTTP, and an error that says what to do.

use std::time::Duration;

use agon_net::{AddressPolicy, CallError, Client, ClientConfig, Endpoint};
use agon_node::config::Config;
use agon_proto::frame::{Limits, decode_tool_answer, encode_tool_request};
use agon_proto::tool::{Tool, ToolAnswer, ToolParams};
use agon_proto::{Answer, Fault};
use anyhow::{Context, anyhow, bail};

/// Larger than any table that is asked for by hand.
const ANSWER_MAX: usize = 64 * 1024 * 1024;

/// What came of it.
pub(crate) enum Asked {
    Answered(ToolAnswer),
    Refused(Fault),
}

/// Calls one tool of a manager.
pub(crate) async fn ask(
    config: &Config,
    manager: &str,
    tool: Tool,
    params: &ToolParams,
) -> anyhow::Result<Asked> {
    let endpoint = Endpoint::parse(manager)
        .with_context(|| format!("{manager} is not a URL such as http://127.0.0.1:8000/mcp"))?;
    let client = Client::new(ClientConfig {
        answer_max: ANSWER_MAX,
        head_max: 16 * 1024,
        connect_timeout: config.client.connect_timeout,
        idle_timeout: config.client.idle_timeout,
        idle_per_host_max: 1,
        policy: AddressPolicy { loopback: true, private: true, public: true },
    });
    let mut body = Vec::new();
    encode_tool_request(1, tool, params, &mut body);
    let timeout = config.times().report.max(Duration::from_secs(1));
    let answer = client.post(&endpoint, body.into(), timeout).await.map_err(|error| {
        if let CallError::Connect(_) = error {
            return anyhow!("no manager answers at {manager}; is it running?");
        }
        anyhow!(error).context(format!("could not ask {manager}"))
    })?;
    let limits = Limits { depth_max: config.server.depth_max };
    let answer = decode_tool_answer(&answer.body, tool, limits).with_context(|| {
        format!("{manager} gave an answer that makes no sense; is it a manager?")
    })?;
    match answer {
        Answer::Tool(found) => Ok(Asked::Answered(found)),
        Answer::Fault(fault) => Ok(Asked::Refused(fault)),
        Answer::Letter(_) | Answer::Receipt(_) => {
            bail!("{manager} gave an answer that makes no sense; is it a manager?")
        }
    }
}
