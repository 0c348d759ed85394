//! The wire: HTTP server and client, and mail by feature. Moves bytes with an address.
//!
//! This crate does not know what a message is. Everything that comes in from outside is bounded
//! here, in bytes and in time: bodies, heads, connections and answers, and how fast strangers who
//! bring nonsense are answered.

use std::error::Error;
use std::iter;

mod http_client;
mod http_server;
#[cfg(feature = "mail")]
pub mod mail;
mod shortage;
mod tls;
mod wire;

pub use http_client::{AddressPolicy, BadEndpoint, CallError, Client, ClientConfig, HttpAnswer};
pub use http_client::{EndpointUrl, Scheme, Source, is_of_this_machine, source_towards};
pub use http_server::{BadNetwork, BindError, BodyPace, BoundSocket, Buckets, Busy, CallerAddress};
pub use http_server::{Door, Hosts, Incoming, MCP_PATH, Network, Pacing, Page, PathCode, Preamble};
pub use http_server::{Proxies, Rate, Reply, ReplyTo, ServerConfig};
pub use http_server::{ServerCounters, bind, network, reserve, serve};
pub use shortage::Shortage;
pub use tls::{BadPem, Identity, TlsFault, Trust};

/// What an error comes from: itself, then its cause, the cause of that, and so on.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    iter::successors(Some(error), |&error| error.source())
}

/// An error with all its causes, in one line.
fn whole(error: &(dyn Error + 'static)) -> String {
    let texts: Vec<String> = causes(error).map(ToString::to_string).collect();
    texts.join(": ")
}
