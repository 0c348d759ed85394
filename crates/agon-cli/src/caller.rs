//! Asking a manager: one tool call over HTTP, and an error that says what to do.

use std::time::Duration;

use agon_net::{AddressPolicy, CallError, Client, ClientConfig, Endpoint, Scheme, TlsFault};
use agon_node::config::Config;
use agon_node::trust;
use agon_proto::frame::{Limits, decode_tool_answer, encode_tool_request};
use agon_proto::tool::{Tool, ToolAnswer, ToolParams};
use agon_proto::{Answer, Fault, without_code};
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
    let (url, manager) = (manager, &*without_code(manager));
    let endpoint = Endpoint::parse(url)
        .with_context(|| format!("{manager} is not a URL such as http://127.0.0.1:8000/mcp"))?;
    let client = Client::new(ClientConfig {
        answer_max: ANSWER_MAX,
        head_max: 16 * 1024,
        connect_timeout: config.client.connect_timeout,
        idle_timeout: config.client.idle_timeout,
        idle_per_host_max: 1,
        policy: AddressPolicy { loopback: true, private: true, public: true },
        trust: trust(&config.tls).context("the settings of [tls] do not work")?,
    });
    let mut body = Vec::new();
    encode_tool_request(1, tool, params, &mut body);
    let timeout = config.times().report.max(Duration::from_secs(1));
    let answer = client.post(&endpoint, body.into(), timeout).await;
    let answer = answer.map_err(|error| explain(error, manager, endpoint.scheme()))?;
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

/// What somebody can do about a call that brought nothing.
fn explain(error: CallError, manager: &str, scheme: Scheme) -> anyhow::Error {
    if let Some(fault) = error.tls_fault() {
        let hint = match fault {
            TlsFault::UnknownIssuer | TlsFault::BadSignature | TlsFault::NoRoots => " (see --ca)",
            TlsFault::Expired
            | TlsFault::NotYetValid
            | TlsFault::WrongName { .. }
            | TlsFault::BadCertificate(_)
            | TlsFault::NotTls
            | TlsFault::Handshake(_)
            | TlsFault::HungUp
            | TlsFault::Slow => "",
        };
        let context = format!("could not speak with {manager} over TLS{hint}");
        return anyhow!(fault.clone()).context(context);
    }
    let context = match (&error, scheme) {
        (CallError::Connect(_), _) => {
            return anyhow!("no manager answers at {manager}; is it running?");
        }
        (CallError::Broken(_), Scheme::Http) => {
            format!("could not ask {manager}; if it has a certificate, say https://")
        }
        (CallError::Broken(_), Scheme::Https)
        | (
            CallError::Timeout
            | CallError::TooLarge { .. }
            | CallError::Forbidden { .. }
            | CallError::Exhausted(_),
            _,
        ) => {
            format!("could not ask {manager}")
        }
    };
    anyhow!(error).context(context)
}
