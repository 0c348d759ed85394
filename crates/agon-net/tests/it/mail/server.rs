//! The mail server of the tests: `practice/mail_server.py`, started once and shared.
//!
//! Every test takes mailboxes of its own from it. Those that need a server with habits of its own,
//! or want to stop it, start another.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use agon_net::Trust;
use agon_net::mail::{Account, OutgoingMail, Secret, ServerUrl};
use bytes::Bytes;
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(super) const SECRET: &str = "open-sesame";
/// The name under which the server vouches for authors.
pub(super) const VOUCHER: &str = "practice.league.test";
/// So many mailboxes are there for all tests together.
const MAILBOXES: usize = 64;

/// Nothing drops it: it ends, and takes its folder along, when the tests hang up.
static SHARED: LazyLock<Server> = LazyLock::new(|| Server::start(&["--forget"]));
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// The server that all share.
pub(super) fn shared() -> &'static Server {
    &SHARED
}

pub(super) struct Server {
    child: Child,
    /// The server ends when this is closed, also if the tests are killed.
    input: Option<ChildStdin>,
    ready: Value,
    folder: TempDir,
}

/// How a test talks to the servers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way {
    Plain,
    StartTls,
    Tls,
}

impl Server {
    /// Starts a server with these habits.
    pub(super) fn start(habits: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::start_in(folder, habits)
    }

    fn start_in(folder: TempDir, habits: &[&str]) -> Self {
        let users: String = (0..MAILBOXES).map(|n| format!("{}:{SECRET}\n", name(n))).collect();
        let list = folder.path().join("users");
        fs::write(&list, users).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../practice/mail_server.py");
        let mut child = Command::new(python())
            .arg(script)
            .arg("--dir")
            .arg(folder.path())
            .arg("--users")
            .arg(list)
            .args(habits)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready = serde_json::from_str(&line).expect("the mail server says when it is ready");
        Self { child, input, ready, folder }
    }

    /// Ends it, and starts it again with its mails and on its ports.
    pub(super) fn restart(mut self) -> Self {
        self.stop();
        let ports = ["imap", "imaps", "lmtp", "smtp", "smtps"];
        let habits = ports.map(|port| [format!("--{port}-port"), self.port(port).to_string()]);
        let habits = habits.concat();
        let habits: Vec<&str> = habits.iter().map(String::as_str).collect();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        Self::start_in(folder, &habits)
    }

    /// Ends it and waits until it is gone.
    fn stop(&mut self) {
        drop(self.input.take());
        self.child.wait().unwrap();
    }

    pub(super) fn port(&self, name: &str) -> u16 {
        self.ready[name].as_u64().unwrap().try_into().unwrap()
    }

    pub(super) fn trust(&self) -> Trust {
        Trust::only(&fs::read(self.ready["ca"].as_str().unwrap()).unwrap()).unwrap()
    }

    /// An account with a mailbox that no other test uses.
    pub(super) fn account(&self, way: Way) -> Account {
        let number = TAKEN.fetch_add(1, Ordering::Relaxed);
        assert!(number < MAILBOXES, "the tests need more mailboxes");
        let url = |scheme: &str, port: &str| {
            ServerUrl::parse(&format!("{scheme}://localhost:{}", self.port(port))).unwrap()
        };
        let (imap, smtp) = match way {
            Way::Plain => (url("imap", "imap"), url("smtp", "smtp")),
            Way::StartTls => (url("imap+starttls", "imap"), url("smtp+starttls", "smtp")),
            Way::Tls => (url("imaps", "imaps"), url("smtps", "smtps")),
        };
        Account {
            address: name(number),
            user: name(number),
            secret: Secret::Password(SECRET.into()),
            imap,
            smtp,
            trust: self.trust(),
            insecure: false,
            authserv_id: Some(VOUCHER.into()),
        }
    }

    /// Delivers bytes as they are, past the submission server.
    pub(super) async fn deliver(&self, to: &str, raw: &str) {
        let mut lmtp = TcpStream::connect(("127.0.0.1", self.port("lmtp"))).await.unwrap();
        let raw = raw.replace('\n', "\r\n");
        let words = format!(
            "LHLO test\r\nMAIL FROM:<stranger@league.test>\r\nRCPT TO:<{to}>\r\nDATA\r\n\
             {raw}\r\n.\r\nQUIT\r\n"
        );
        lmtp.write_all(words.as_bytes()).await.unwrap();
        let mut said = String::new();
        lmtp.read_to_string(&mut said).await.unwrap();
        assert!(said.contains("Saved"), "{said}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn name(number: usize) -> String {
    format!("team{number:02}@league.test")
}

/// A Python that knows aiosmtpd: `cargo xtask test` makes one beside the build.
fn python() -> PathBuf {
    if let Some(named) = std::env::var_os("AGON_MAIL_PYTHON") {
        return named.into();
    }
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let python = build.join("mail-venv/bin/python");
    assert!(python.exists(), "no Python for the mail server yet: `cargo xtask test` makes one");
    python
}

/// A small mail, named `id`.
pub(super) fn mail(to: &[&str], id: &str) -> OutgoingMail {
    OutgoingMail {
        to: to.iter().map(|&one| one.to_owned()).collect(),
        subject: format!("Q21G.v1::REFEREE::ref@league.test::{id}::Q21WARMUPCALL"),
        text: "See the attached document.".into(),
        attachment: ("payload.json".into(), Bytes::from(format!("{{\"id\":\"{id}\"}}"))),
        message_id: format!("{id}@league.test"),
    }
}
