//! The first minutes with a league: who finds its port finds its operator's token, and what README
//! says about joining works as it stands there.

use std::net::TcpStream;
use std::path::Path;

use super::u01_finished::Over;
use crate::namespace::Namespace;
use crate::process::{Process, quiet_port, wait_until};

#[test]
fn u04_the_operators_token_is_there_before_the_port_answers() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..5 {
        let (port, data) = (quiet_port(), tempfile::tempdir_in(dir.path()).unwrap());
        let listen = format!("127.0.0.1:{port}");
        let place = data.path().join("agon-data");
        let args = ["manager", "--listen", &listen, "--data", place.to_str().unwrap()];
        let mut manager = Process::agon(dir.path(), &args);
        wait_until(|| TcpStream::connect(&listen).is_ok());
        let token = std::fs::read_to_string(place.join("operator.token"));
        assert!(token.is_ok_and(|token| token.starts_with("tok-")), "nobody is the operator yet");
        manager.line();
    }
}

#[test]
fn u04_the_operators_token_is_there_too_when_a_new_season_takes_the_place_of_an_old_one() {
    let over = Over::played();
    let token = over.path().join("data/operator.token");
    let before = std::fs::read_to_string(&token).unwrap();
    for seasons in 1..=5 {
        let listen = format!("127.0.0.1:{}", quiet_port());
        let args = ["manager", "--listen", &listen, "--data", "data", "--new"];
        let mut manager = Process::agon(over.path(), &args);
        wait_until(|| TcpStream::connect(&listen).is_ok());
        assert_eq!(std::fs::read_to_string(&token).ok(), Some(before.clone()), "{seasons}");
        manager.line();
        drop(manager);
        let kept = over.kept();
        assert_eq!(kept.len(), 1, "{kept:?}");
        // The season that is over takes its place again.
        std::fs::remove_dir_all(over.path().join("data")).unwrap();
        std::fs::rename(&kept[0], over.path().join("data")).unwrap();
    }
}

/// The blocks of a section of README, as they can be pasted.
fn blocks(section: &str) -> Vec<String> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let from = readme.split(&format!("\n## {section}\n")).nth(1).unwrap();
    let whole = from.split("\n## ").next().unwrap();
    whole.split("```sh\n").skip(1).map(|it| it.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn u04_what_readme_says_about_joining_works_as_pasted() {
    let blocks = blocks("Join with your own agent");
    let [begin, join @ .., end] = &blocks[..] else { panic!("{blocks:?}") };
    assert_eq!(join.len(), 2, "{join:?}");
    let bin = Path::new(env!("CARGO_BIN_EXE_agon")).parent().unwrap().to_str().unwrap();
    for join in join {
        let home = tempfile::tempdir().unwrap();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        std::os::unix::fs::symlink(examples, home.path().join("examples")).unwrap();
        let script = format!("export PATH=\"{bin}:$PATH\"\n{begin}{join}{end}");
        let ended = Namespace::new()
            .enter(|| Process::start("bash", home.path(), &["-e", "-c", &script], &[]).succeed());
        assert!(ended.out.contains("My agent"), "{}{}", ended.out, ended.err);
        assert!(ended.out.contains("after 1 round"), "{}{}", ended.out, ended.err);
    }
}
