//! How a process that listens is reached: by what name, encrypted or not.

use clap::Args;
use toml::Table;

use super::put;

/// What manager, referees and players take alike.
#[derive(Debug, Args)]
#[command(next_help_heading = "Being reached from other machines")]
pub(crate) struct Reach {
    /// How others call this process, if not by its address: a host, HOST:PORT, or a whole URL
    #[arg(long, value_name = "URL")]
    pub advertise: Option<String>,
    /// Certificate of this process and its chain, PEM: speak TLS, and nothing else
    #[arg(long, value_name = "FILE")]
    pub tls_cert: Option<String>,
    /// Private key of that certificate, PEM
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<String>,
    /// Allow listening beyond loopback without encryption
    #[arg(long)]
    pub insecure: bool,
}

impl Reach {
    /// What was said, as a layer of the configuration.
    pub(crate) fn flags(&self, role: &str) -> Table {
        let mut flags = Table::new();
        put(&mut flags, "tls", "cert", self.tls_cert.clone());
        put(&mut flags, "tls", "key", self.tls_key.clone());
        put(&mut flags, role, "advertise", self.advertise.clone());
        flags
    }
}
