//! Probes: whether somebody answers where an agent says that it is called.
//!
//! They pass by the link, because its breaker must not learn from them: an agent that listens
//! late is to have its first news at once. The client's policy says whom we may call at all.
//!
//! Spec: docs/protocol/registration.md

use std::time::Duration;

use agon_net::{CallError, Client, EndpointUrl, HttpAnswer};
use agon_proto::frame::{self, Limits, encode_tool_request};
use agon_proto::tool::{Tool, ToolParams};
use agon_proto::{AgentId, Endpoint, ShortText, Timestamp};
use bytes::Bytes;

use super::{Outbound, objection};
use crate::inbox::Arrival;

/// So long somebody has for an answer.
const TIMEOUT: Duration = Duration::from_secs(5);

impl Outbound {
    /// From now on that peer is called in public networks only, or wherever it is.
    pub(crate) fn bound(&mut self, to: &Endpoint, public_only: bool) {
        let peer = self.peer(to);
        let peer = &mut self.peers[peer];
        peer.address = peer.address.take().map(|address| address.bound(public_only));
    }

    /// Asks that agent for a sign of life.
    pub(crate) fn probe(&mut self, agent: AgentId, endpoint: Endpoint) {
        let body = self.framed(|number, out| {
            encode_tool_request(number, Tool::Ping, &ToolParams::default(), out);
        });
        let peer = self.peer(&endpoint);
        let Some(address) = self.peers[peer].address.clone() else { return };
        let (client, inbox_sender) = (self.client.clone(), self.inbox_sender.clone());
        let (limits, pause) = (self.limits, self.settings.shortage_pause);
        let under_way = self.edge.calls(&endpoint, &body, || (Tool::Ping.method(), None));
        tokio::spawn(async move {
            let result = call(&client, &address, &body, pause).await;
            if let Some(under_way) = under_way {
                under_way.finished(&result);
            }
            let found = look(&result, &address, limits).map_err(|it| ShortText::new(&it));
            inbox_sender.put(Arrival::Probed { agent, endpoint, found });
        });
    }

    /// Somebody answers there, so whatever waits for it may leave.
    pub(crate) fn reached(&mut self, endpoint: &Endpoint, now: Timestamp) {
        let peer = self.peer(endpoint);
        self.peers[peer].answered_at = Some(now);
        self.heard(endpoint, now);
    }
}

/// Calls once it can: a shortage of our own says nothing of anybody.
async fn call(
    client: &Client,
    address: &EndpointUrl,
    body: &Bytes,
    pause: Duration,
) -> Result<HttpAnswer, CallError> {
    loop {
        match client.post(address, body.clone(), TIMEOUT).await {
            Err(CallError::Exhausted(_)) => tokio::time::sleep(pause).await,
            result => return result,
        }
    }
}

fn look(
    result: &Result<HttpAnswer, CallError>,
    address: &EndpointUrl,
    limits: Limits,
) -> Result<(), String> {
    match result {
        Ok(answer) => frame::sign_of_life(&answer.body, answer.status, limits),
        // It says too much, but it is there.
        Err(CallError::TooLarge { .. }) => Ok(()),
        Err(CallError::Forbidden { address }) => {
            Err(format!("the address {address} may not be called from this machine"))
        }
        Err(error) => Err(objection::to_failure(error, Some(address)).map_or_else(
            || format!("no answer within {} s", TIMEOUT.as_secs()),
            |objection| objection.problem.as_str().to_owned(),
        )),
    }
}
