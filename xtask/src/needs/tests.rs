//! How a missing program is installed on different hosts.

use super::{Host, Tool, as_root, provide};

#[track_caller]
fn check(host: &Host, expected: Option<&str>) {
    assert_eq!(as_root(host).and_then(|words| words.first().copied()), expected);
}

#[test]
fn root_installs_directly() {
    check(&Host { apt: true, root: true, sudo: true }, Some("env"));
}

#[test]
fn others_ask_sudo() {
    check(&Host { apt: true, root: false, sudo: true }, Some("sudo"));
}

#[test]
fn without_apt_or_rights_a_person_has_to_do_it() {
    check(&Host { apt: false, root: true, sudo: true }, None);
    check(&Host { apt: true, root: false, sudo: false }, None);
}

#[test]
fn what_is_there_is_left_alone() {
    let cargo = Tool { program: "cargo", package: "no-such-package", why: "it runs this test" };
    assert!(provide(&[cargo]).is_ok());
}
