//! Asking a manager: one tool call over HTTP, and an error that says what to do.

use agon_net::{CallError, EndpointUrl, Scheme, TlsFault};
use agon_node::{AskError, ToolResponse};
use agon_proto::tool::{Tool, ToolParams};
use agon_proto::without_code;
use anyhow::anyhow;
use toml::Table;

use crate::args::Common;
use crate::data;

/// Calls one tool of a manager.
pub(crate) async fn ask(
    common: &Common,
    manager: &str,
    tool: Tool,
    params: &ToolParams,
) -> anyhow::Result<ToolResponse> {
    let answer = ask_if_there(common, manager, tool, params).await?;
    answer.ok_or_else(|| anyhow!("no manager answers at {}; is it running?", without_code(manager)))
}

/// The same; `None` if nobody is there.
pub(crate) async fn ask_if_there(
    common: &Common,
    manager: &str,
    tool: Tool,
    params: &ToolParams,
) -> anyhow::Result<Option<ToolResponse>> {
    let config = common.load(Table::new())?;
    let endpoint = EndpointUrl::parse(data::manager_endpoint(manager)?.as_str())?;
    let manager = &*without_code(manager);
    let error = match agon_node::ask(&config, &endpoint, tool, params).await {
        Ok(answer) => return Ok(Some(answer)),
        Err(error) => error,
    };
    Err(match error {
        AskError::Call(error @ CallError::Connect(_)) if error.tls_fault().is_none() => {
            return Ok(None);
        }
        AskError::Call(error) => explain(error, manager, endpoint.scheme()),
        AskError::Trust(error) => anyhow!(error).context("the settings of [tls] do not work"),
        AskError::Strange(error) => {
            let what = format!("{manager} gave an answer that makes no sense; is it a manager?");
            error.map_or_else(|| anyhow!("{what}"), |error| anyhow!(error).context(what.clone()))
        }
    })
}

/// What somebody can do about a call that brought nothing.
fn explain(error: CallError, manager: &str, scheme: Scheme) -> anyhow::Error {
    if let Some(fault) = error.tls_fault() {
        let unknown =
            matches!(fault, TlsFault::UnknownIssuer | TlsFault::BadSignature | TlsFault::NoRoots);
        let hint = if unknown { " (see --ca)" } else { "" };
        let context = format!("could not speak with {manager} over TLS{hint}");
        return anyhow!(fault.clone()).context(context);
    }
    let plain = matches!((&error, scheme), (CallError::Broken(_), Scheme::Http));
    let hint = if plain { "; if it has a certificate, say https://" } else { "" };
    anyhow!(error).context(format!("could not ask {manager}{hint}"))
}
