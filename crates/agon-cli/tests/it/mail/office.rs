//! A real mail server for a test, and the mailboxes of a league on it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What every mailbox of a test is opened with.
const PASSWORD: &str = "practice";
/// The variable that holds it.
pub(crate) const PASSWORD_ENV: &str = "AGON_TEST_PASSWORD";

/// A mail server with the mailboxes of a manager and so many teams.
pub(crate) struct Office {
    pub(crate) dir: TempDir,
    server: Child,
    ready: Value,
    pub(crate) teams: u32,
}

/// The Python that knows how to run a mail server; `cargo xtask test` prepares it.
fn python() -> PathBuf {
    if let Some(named) = std::env::var_os("AGON_MAIL_PYTHON") {
        return named.into();
    }
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let python = build.join("mail-venv/bin/python");
    assert!(python.exists(), "no {}: `cargo xtask test` prepares it", python.display());
    python
}

/// The file of the repository.
fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

impl Office {
    pub(crate) fn open(teams: u32) -> Self {
        Self::open_with(teams, &[])
    }

    /// The same, with more arguments for the mail server.
    pub(crate) fn open_with(teams: u32, more: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut users = vec!["manager@league.test".to_owned()];
        for team in 1..=teams {
            users.push(format!("p{team}@league.test"));
            users.push(format!("r{team}@league.test"));
        }
        let mut command = Command::new(python());
        command
            .arg(repository("practice/mail_server.py"))
            .arg("--dir")
            .arg(dir.path().join("mail"))
            .args(more);
        for user in users {
            command.arg("--user").arg(format!("{user}:{PASSWORD}"));
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("the practice mail server starts");
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready = serde_json::from_str(&line).unwrap_or_else(|error| {
            panic!("the practice mail server is not ready: {error}: {line}")
        });
        let office = Self { dir, server, ready, teams };
        office.write_files();
        office
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn port(&self, name: &str) -> u64 {
        self.ready[name].as_u64().unwrap_or_else(|| panic!("no port {name} in {}", self.ready))
    }

    fn write_files(&self) {
        let mut manager = self.mailbox("manager", "");
        for team in 1..=self.teams {
            manager += &format!(
                "[[team]]\ngroup = \"team{team:04}\"\nname = \"Team {team}\"\n\
                 player = \"p{team}@league.test\"\nreferee = \"R{team}@League.test\"\n"
            );
            let own = format!("manager = \"manager@league.test\"\ngroup = \"team{team:04}\"\n");
            self.write(&format!("p{team}"), &self.mailbox(&format!("p{team}"), &own));
            self.write(&format!("r{team}"), &self.mailbox(&format!("r{team}"), &own));
        }
        self.write("manager", &manager);
        // One that lists nobody, and takes whoever comes.
        self.write("open", &self.mailbox("manager", ""));
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(format!("{name}.toml")), text).unwrap();
    }

    /// Players use TLS from the start, referees STARTTLS, the manager nothing: all of it works.
    pub(crate) fn mailbox(&self, name: &str, more: &str) -> String {
        let (imap, smtp) = match name.as_bytes()[0] {
            b'p' => (format!("imaps://localhost:{}", self.port("imaps")), self.starttls()),
            b'r' => (format!("imap+starttls://localhost:{}", self.port("imap")), self.starttls()),
            _ => {
                let smtp = format!("smtp://127.0.0.1:{}", self.port("smtp"));
                (format!("imap://127.0.0.1:{}", self.port("imap")), smtp)
            }
        };
        let ca = self.ready["ca"].as_str().unwrap();
        format!(
            "address = \"{name}@league.test\"\npassword_env = \"{PASSWORD_ENV}\"\n\
             imap = \"{imap}\"\nsmtp = \"{smtp}\"\nca = \"{ca}\"\n{more}"
        )
    }

    fn starttls(&self) -> String {
        format!("smtp+starttls://localhost:{}", self.port("smtp"))
    }

    /// What every process of this league has in its environment.
    pub(crate) fn env() -> Vec<(&'static str, &'static str)> {
        vec![
            (PASSWORD_ENV, PASSWORD),
            ("AGON_MAIL__SPACING_S", "0.0001"),
            ("AGON_MAIL__POLL_S", "2"),
            ("AGON_MAIL__PER_DAY_MAX", "100000"),
            ("AGON_Q21__ROUND_MAX_S", "600"),
        ]
    }
}

impl Drop for Office {
    fn drop(&mut self) {
        // It ends with its standard input, and takes its children along.
        drop(self.server.stdin.take());
        let _ = self.server.wait();
    }
}
