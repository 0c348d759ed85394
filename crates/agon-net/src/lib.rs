//! The wire: HTTP server and client, and mail by feature. Moves bytes with an address.
//!
//! This crate does not know what a message is. Everything that comes in from outside is bounded
//! here, in bytes and in time: bodies, heads, connections and answers, and how fast strangers who
//! bring nonsense are answered.

mod authority;
mod body;
mod buckets;
mod causes;
mod http_client;
mod http_server;
#[cfg(feature = "mail")]
pub mod mail;
mod shortage;
mod stream;
mod tls;

pub use buckets::{Buckets, Rate};
pub use http_client::{AddressPolicy, BadEndpoint, CallError, Client, ClientConfig, HttpAnswer};
pub use http_client::{EndpointUrl, Scheme, Source};
pub use http_server::{
    BindError, BoundSocket, Busy, Door, Hosts, Incoming, Pacing, Page, Reply, ReplyPace,
};
pub use http_server::{MCP_PATH, PathCode, ReplyTo, ServerConfig, ServerCounters, bind, serve};
pub use shortage::Shortage;
pub use tls::{BadPem, Identity, TlsFault, Trust};
