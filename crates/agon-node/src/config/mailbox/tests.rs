//! Mailbox files: what works, and what is said about what does not.

use super::*;

const GOOD: &str = r#"
address = "Ada@League.Test"
password_env = "ADA_PASSWORD"
imap = "imaps://localhost:993"
smtp = "smtp+starttls://localhost:587"
ca = "ca.pem"
manager = "manager@league.test"
"#;

fn load(text: &str) -> Result<(MailboxFile, MailboxSecret), BadMailbox> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mailbox.toml");
    std::fs::write(&path, text).unwrap();
    let env = |name: &str| (name == "ADA_PASSWORD").then(|| "secret".to_owned());
    MailboxFile::load(&path, env)
}

#[track_caller]
fn check_refused(text: &str, says: &[&str]) {
    let error = load(text).unwrap_err();
    let mut said = error.to_string();
    if let Some(source) = std::error::Error::source(&error) {
        said += &source.to_string();
    }
    for wanted in says {
        assert!(said.contains(wanted), "{said:?} does not say {wanted:?}");
    }
}

#[test]
fn the_user_is_the_address_unless_it_is_said() {
    let (mailbox, secret) = load(GOOD).unwrap();
    assert_eq!(mailbox.address.as_str(), "Ada@League.Test");
    assert_eq!(mailbox.user(), "Ada@League.Test");
    assert_eq!(mailbox.manager, Some(Address::new("manager@league.test")));
    assert!(matches!(secret, MailboxSecret::Password(password) if password == "secret"));
    assert!(mailbox.ca.as_ref().unwrap().ends_with("ca.pem"));
    assert!(mailbox.is_open(), "a manager without a list lets everybody in");
    assert_eq!(load(&format!("user = \"ada\"\n{GOOD}")).unwrap().0.user(), "ada");
}

#[test]
fn a_manager_lists_its_teams() {
    let team = r#"
        [[team]]
        group = "alphateam"
        player = "p1@league.test"
        referee = "r1@league.test"
    "#;
    let (mailbox, _) = load(&format!("{GOOD}{team}")).unwrap();
    assert_eq!(mailbox.teams.len(), 1);
    assert_eq!(mailbox.teams[0].player, Some(Address::new("P1@league.test")));
    assert!(!mailbox.is_open(), "whoever lists teams means those");
    assert!(load(&format!("open = true\n{GOOD}{team}")).unwrap().0.is_open());
}

#[test]
fn what_does_not_work_is_said_with_its_key() {
    check_refused(&GOOD.replace("Ada@League.Test", "ada"), &["`address`", "like ada@example.org"]);
    check_refused(&GOOD.replace("manager@league.test", "@x"), &["`manager`"]);
    check_refused(&GOOD.replace("ADA_PASSWORD", "BOB_PASSWORD"), &["BOB_PASSWORD", "not set"]);
    check_refused(&GOOD.replace("password_env", "password"), &["unknown field `password`"]);
    check_refused("address = \"ada@league.test\"", &["missing field `imap`"]);
    check_refused(&GOOD.replace("password_env = \"ADA_PASSWORD\"", ""), &["`password_env`"]);
}

#[test]
fn an_address_is_one_agents_only() {
    let team = |group: &str, player: &str, referee: &str| {
        format!("[[team]]\ngroup = {group:?}\nplayer = {player:?}\nreferee = {referee:?}\n")
    };
    let [p1, p2, r1, r2] = ["p1@league.test", "p2@league.test", "r1@league.test", "r2@league.test"];
    let file = |one: &str, other: &str| format!("{GOOD}{one}{other}");
    assert!(load(&file(&team("alphateam", p1, r1), &team("betateam1", p2, r2))).is_ok());
    let both = ["`team.referee`", "P1@League.Test is both player and referee", "alphateam"];
    check_refused(&file(&team("alphateam", p1, "P1@League.Test"), ""), &both);
    let shared = ["`team.player`", "p1@league.test belongs to the teams alphateam and betateam1"];
    check_refused(&file(&team("alphateam", p1, r1), &team("betateam1", p1, r2)), &shared);
    let crossed = ["`team.referee`", "r1@league.test belongs to the teams alphateam and betateam1"];
    check_refused(&file(&team("alphateam", p1, r1), &team("betateam1", p2, r1)), &crossed);
}

#[test]
fn a_secret_is_not_shown() {
    let shown = format!("{:?}", load(GOOD).unwrap());
    assert!(!shown.contains("secret\""), "{shown}");
}
