//! Leagues over TLS: every process with a certificate, and what is said when one is not believed.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use serde_json::Value;
use tempfile::TempDir;

use crate::league::{self, League, TERMS};
use crate::process::{Ended, PATIENCE, Process, agon};

const PAPERS: [&str; 4] = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
const CA: [&str; 2] = ["--ca", "ca.pem"];

/// Writes `ca.pem`, and `cert.pem` with `key.pem` for these names; `other-ca.pem` signed nothing.
fn issue(dir: &Path, names: &[&str]) {
    let (ca, ca_pem) = authority("Authority");
    let key = KeyPair::generate().unwrap();
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let params = CertificateParams::new(names).unwrap();
    let cert = params.signed_by(&key, &ca).unwrap().pem();
    fs::write(dir.join("ca.pem"), ca_pem).unwrap();
    fs::write(dir.join("other-ca.pem"), authority("Stranger").1).unwrap();
    fs::write(dir.join("cert.pem"), cert).unwrap();
    fs::write(dir.join("key.pem"), key.serialize_pem()).unwrap();
    fs::set_permissions(dir.join("key.pem"), fs::Permissions::from_mode(0o600)).unwrap();
}

fn authority(name: &str) -> (Issuer<'static, KeyPair>, String) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let pem = params.self_signed(&key).unwrap().pem();
    (Issuer::new(params, key), pem)
}

/// A manager with a certificate for these names.
fn open(names: &[&str], args: &[&str]) -> League {
    let dir = tempfile::tempdir().unwrap();
    issue(dir.path(), names);
    let (manager, endpoint) = league::manager(dir.path(), &[&PAPERS[..], &CA, args].concat());
    League { dir, manager, endpoint }
}

/// What a manager says of the next agent that is in.
fn joined(league: &mut League, role: &str) -> String {
    let line = league.manager.logs(&format!("{role} registered"));
    line["endpoint"].as_str().unwrap().to_owned()
}

#[test]
fn a_whole_season_is_encrypted() {
    let mut league = open(&["127.0.0.1", "localhost"], &[]);
    assert!(league.endpoint.starts_with("https://127.0.0.1:"), "{}", league.endpoint);
    let encrypted = [&PAPERS[..], &CA].concat();
    let mut agents = vec![league.agent("referee", &encrypted)];
    assert!(joined(&mut league, "referee").starts_with("https://127.0.0.1:"));
    agents.push(league.agent("player", &encrypted));
    assert!(joined(&mut league, "player").starts_with("https://127.0.0.1:"));
    agents.push(league.agent("player", &[&encrypted[..], &["--advertise", "localhost"]].concat()));
    assert!(joined(&mut league, "player").starts_with("https://localhost:"));
    // The files may also stand in agon.toml.
    let settings = "[tls]\ncert = \"cert.pem\"\nkey = \"key.pem\"\nca = \"ca.pem\"\n";
    fs::write(league.path().join("player.toml"), settings).unwrap();
    agents.push(league.agent("player", &["--config", "player.toml"]));
    assert!(joined(&mut league, "player").starts_with("https://127.0.0.1:"));
    // And whom the system trusts may be said to the whole system.
    let manager = league.endpoint.clone();
    let args = ["player", "--manager", &manager, "--listen", "127.0.0.1:0"];
    let args = [&args[..], &TERMS, &PAPERS].concat();
    agents.push(Process::agon_with(league.path(), &args, &[("SSL_CERT_FILE", "ca.pem")]));
    assert!(joined(&mut league, "player").starts_with("https://127.0.0.1:"));

    league.ask(&["start", "--data", "data", "--ca", "ca.pem"]).succeed();
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    let table = league.ask(&["standings", "--ca", "ca.pem"]).succeed().json();
    let table = table["standings"].as_array().unwrap().clone();
    assert_eq!(table.len(), 4);
    assert!(table.iter().all(|row| row["played"] == 3), "{table:?}");
    for id in ["R1M1", "R1M2", "R2M1", "R2M2", "R3M1", "R3M2"] {
        let shown = league.ask(&["match", id, "--ca", "ca.pem"]).succeed().json();
        assert_eq!(shown["result"]["reason"], "PLAYED", "{shown}");
    }
    league.close();
}

/// Asks a manager for its table, in vain, and returns what is said about it.
#[track_caller]
fn in_vain(dir: &Path, manager: &str, ca: &str) -> String {
    let ended = agon(dir, &["standings", "--manager", manager, "--ca", ca]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    ended.err
}

#[test]
fn whoever_is_not_believed_is_named_with_the_reason() {
    let league = open(&["127.0.0.1"], &[]);
    let (dir, endpoint) = (league.path(), league.endpoint.as_str());
    let said = in_vain(dir, endpoint, "other-ca.pem");
    assert!(said.contains("an issuer that is not trusted here"), "{said}");
    assert!(said.contains(endpoint) && said.contains("--ca"), "{said}");
    let said = in_vain(dir, &endpoint.replace("127.0.0.1", "localhost"), "ca.pem");
    assert!(said.contains("its certificate is not for localhost"), "{said}");
    let said = in_vain(dir, &endpoint.replace("https", "http"), "ca.pem");
    assert!(said.contains("say https://"), "{said}");
    let said = in_vain(dir, endpoint, "nowhere.pem");
    assert!(said.contains("could not read nowhere.pem"), "{said}");
    let plain = League::open(&[]);
    let said = in_vain(dir, &plain.endpoint.replace("http", "https"), "ca.pem");
    assert!(said.contains("it does not speak TLS there"), "{said}");
    plain.close();
    league.close();
}

#[test]
fn an_agent_that_does_not_believe_the_manager_says_so() {
    let league = open(&["127.0.0.1"], &[]);
    for role in ["referee", "player"] {
        let mut agent = league.agent(role, &["--ca", "other-ca.pem", "--wait", "5"]);
        let line = agent.logs("no TLS connection");
        let reason = line["reason"].as_str().unwrap();
        assert!(reason.contains("an issuer that is not trusted here"), "{line}");
        assert_eq!(line["host"], "127.0.0.1");
        agent.exit(2);
    }
    league.close();
}

#[test]
fn plain_words_to_an_encrypted_manager_are_counted_and_not_answered() {
    let mut league = open(&["127.0.0.1"], &[]);
    let address = league.endpoint.strip_prefix("https://").unwrap().split('/').next().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").unwrap();
    let mut heard = Vec::new();
    let _reset = stream.read_to_end(&mut heard);
    assert!(!heard.starts_with(b"HTTP"), "{heard:?}");
    let line = league.manager.logs("refused at the door");
    assert_eq!(line["reason"], "not_tls", "{line}");
    league.close();
}

/// Starts a manager that cannot, with these papers.
#[track_caller]
fn refused(dir: &Path, papers: &[&str]) -> Ended {
    let args = [&["manager", "--data", "data", "--listen", "127.0.0.1:0"], papers].concat();
    Process::agon(dir, &args).exit(2)
}

#[test]
fn papers_that_cannot_be_used_are_named_and_not_quoted() {
    let dir = tempfile::tempdir().unwrap();
    issue(dir.path(), &["127.0.0.1"]);
    let own = fs::read_to_string(dir.path().join("key.pem")).unwrap();
    fs::write(dir.path().join("torn.pem"), own.replace("-----END", "!")).unwrap();
    fs::write(dir.path().join("foreign.pem"), KeyPair::generate().unwrap().serialize_pem())
        .unwrap();
    let check = |cert: &str, key: &str, says: &[&str]| {
        let ended = refused(dir.path(), &["--tls-cert", cert, "--tls-key", key]);
        for part in says {
            assert!(ended.err.contains(part), "{part:?} is not in {}", ended.err);
        }
        let secret = own.lines().nth(1).unwrap();
        assert!(!ended.err.contains(secret), "{}", ended.err);
    };
    check("nowhere.pem", "key.pem", &["could not read nowhere.pem", "tls.cert"]);
    check("cert.pem", "nowhere.pem", &["could not read nowhere.pem", "tls.key"]);
    check("key.pem", "key.pem", &["could not use key.pem", "no certificate"]);
    check("cert.pem", "cert.pem", &["could not use cert.pem", "no private key"]);
    check("cert.pem", "torn.pem", &["could not use torn.pem", "damaged"]);
    check("cert.pem", "foreign.pem", &["foreign.pem", "does not belong to the certificate"]);
    let ended = refused(dir.path(), &["--tls-cert", "cert.pem"]);
    assert!(ended.err.contains("`tls.key` and `tls.cert` belong together"), "{}", ended.err);
    let ended = refused(dir.path(), &["--ca", "key.pem"]);
    assert!(ended.err.contains("could not use key.pem, named by `tls.ca`"), "{}", ended.err);
}

#[test]
fn a_key_that_others_can_read_is_worth_a_word() {
    let dir = tempfile::tempdir().unwrap();
    issue(dir.path(), &["127.0.0.1"]);
    for (mode, warns) in [(0o600, false), (0o640, true), (0o604, true)] {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(dir.path().join("key.pem"), permissions).unwrap();
        let (manager, _) = league::manager(dir.path(), &PAPERS);
        manager.terminate();
        let warned = manager.succeed().err.contains("can be read by others");
        assert_eq!(warned, warns, "{mode:o}");
    }
}

#[test]
fn with_a_certificate_anybody_may_listen_to_the_world() {
    let dir: TempDir = tempfile::tempdir().unwrap();
    issue(dir.path(), &["localhost"]);
    let ended = Process::agon(dir.path(), &["manager", "--listen", "0.0.0.0:0"]).exit(2);
    assert!(ended.err.contains("--tls-cert"), "{}", ended.err);
    let args = [&["--listen", "0.0.0.0:0", "--advertise", "localhost"], &PAPERS[..]].concat();
    let (manager, endpoint) = league::manager(dir.path(), &args);
    assert!(endpoint.starts_with("https://localhost:"), "{endpoint}");
    let asked = ["standings", "--json", "--manager", &endpoint, "--ca", "ca.pem"];
    let table: Value = Process::agon(dir.path(), &asked).succeed().json();
    assert_eq!(table["standings"].as_array().unwrap().len(), 0);
    manager.terminate();
    manager.succeed();
}

#[test]
fn what_cannot_be_advertised_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["player", "--listen", "127.0.0.1:0", "--advertise", "me:word@host"];
    let ended = Process::agon(dir.path(), &args).exit(2);
    assert!(ended.err.contains("cannot be advertised"), "{}", ended.err);
    let args =
        ["player", "--listen", "127.0.0.1:0", "--count", "2", "--advertise", "localhost:9000"];
    let ended = Process::agon(dir.path(), &args).exit(2);
    assert!(ended.err.contains("advertise a host without a port"), "{}", ended.err);
}
