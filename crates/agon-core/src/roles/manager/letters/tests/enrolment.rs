//! Who gets in, and who is told that it does not.

use agon_proto::act::{AssignmentAck, LeagueRegistration, TableRequest};

use super::*;

fn as_role(group: &str, role: Option<Role>) -> Act {
    let group = Some(group).filter(|group| !group.is_empty()).map(GroupId::new);
    Act::Apply(Box::new(Applying { group, role, ..Applying::default() }))
}

fn enrolled(league: &League) -> Vec<String> {
    let facts = league.bench.facts.iter().filter_map(|fact| {
        let LeagueFact::Registered(it) = fact else { return None };
        let role = match it.agent {
            AgentId::Player(_) => Role::Player,
            AgentId::Referee(_) => Role::Referee,
        };
        let group = it.group.as_ref().unwrap();
        Some(format!("{} {} of {group}", it.contact.as_str(), role.name()))
    });
    facts.collect()
}

#[test]
fn everybody_on_the_roster_hears_of_the_season_once() {
    let mut league = League::open(terms(3));
    let sent = league.take_sent();
    let [(to, letter)] = &sent[..] else { panic!("one mail") };
    assert_eq!(to.len(), 6);
    assert!(matches!(letter.act, Act::StartSeason(_)));
    let facts = league.bench.facts.clone();
    let mut again = League::read(rules(terms(3)), options(None), facts);
    assert!(again.take_sent().is_empty());
}

#[test]
fn who_is_on_the_roster_gets_in_as_the_roster_says() {
    let mut league = League::open(terms(3));
    league.take_sent();
    // A referee that calls itself a player of another team is what the roster says.
    league.mail(&referee(2), as_role("team1", Some(Role::Player)));
    assert_eq!(enrolled(&league), ["r2@league.test REFEREE of team2"]);
    let sent = league.take_sent();
    assert_eq!(answered(&sent), (Said::Accepted, None));
    assert_eq!(sent[0].0, [referee(2)]);
    assert_eq!(sent[0].1.head.answers, Some(MessageId::new("letter-1")));
}

#[test]
fn a_second_registration_is_already_registered() {
    let mut league = League::open(terms(3));
    league.enrol(&player(1));
    league.take_sent();
    league.enrol(&player(1));
    assert_eq!(answered(&league.take_sent()), (Said::Rejected, Some("already_registered".into())));
    assert_eq!(enrolled(&league).len(), 1);
}

#[test]
fn addresses_are_the_same_in_whatever_case() {
    let mut league = League::open(terms(3));
    league.enrol(&address("P1@League.Test"));
    let mut letter = letter("named", Act::Apply(Box::default()));
    letter.head.from.address = Some(address("R1@LEAGUE.test"));
    league.post(Proof::Vouched(address("r1@league.TEST")), letter);
    league.enrol(&address("p1@LEAGUE.TEST"));
    let expected = ["P1@League.Test PLAYER of team1", "r1@league.TEST REFEREE of team1"];
    assert_eq!(enrolled(&league), expected, "each in the spelling of its owner, and once");
}

#[test]
fn a_letter_that_names_no_sender_is_its_mails() {
    let mut league = League::open(terms(3));
    let letter = letter("nobody", Act::Apply(Box::default()));
    assert_eq!(letter.head.from.address, None);
    league.post(Proof::Vouched(player(1)), letter);
    assert_eq!(enrolled(&league), ["p1@league.test PLAYER of team1"]);
}

#[test]
fn a_letter_that_names_somebody_else_is_refused() {
    let mut league = League::open(terms(3));
    let mut letter = letter("forged", Act::Apply(Box::default()));
    letter.head.from.address = Some(player(1));
    let effects = league.post(Proof::Vouched(player(2)), letter);
    assert!(matches!(refused(&effects), Refusal::NotPermitted(_)));
    assert!(enrolled(&league).is_empty());
}

#[test]
fn a_stranger_is_told_once_that_it_is_not_on_the_roster() {
    let mut league = League::open(terms(3));
    league.take_sent();
    let stranger = address("eve@league.test");
    league.enrol(&stranger);
    assert_eq!(answered(&league.take_sent()), (Said::Rejected, Some("not_on_roster".into())));
    let facts = league.bench.facts.len();
    assert!(matches!(refused(&league.enrol(&stranger)), Refusal::NotPermitted(_)));
    let beat = Act::StillHere(agon_proto::act::FreeText { text: "here".into() });
    assert!(matches!(refused(&league.mail(&stranger, beat)), Refusal::NotPermitted(_)));
    assert_eq!(league.bench.facts.len(), facts, "a stranger leaves no further trace");
}

#[test]
fn the_season_that_has_begun_is_closed() {
    let mut league = League::started(SeasonSettings { open_registration: true, ..terms(3) });
    league.take_sent();
    league.mail(&address("late@league.test"), as_role("late", None));
    assert_eq!(answered(&league.take_sent()), (Said::Rejected, Some("registration_closed".into())));
}

#[test]
fn another_season_is_not_this_one() {
    let mut league = League::open(terms(3));
    league.take_sent();
    let asked = |season: &str| {
        let season = Some(SeasonId::new(season));
        Act::Apply(Box::new(Applying { season, ..Applying::default() }))
    };
    league.mail(&player(1), asked("S77"));
    assert_eq!(answered(&league.take_sent()), (Said::Rejected, Some("unknown_season".into())));
    league.mail(&player(2), asked("s01"));
    assert_eq!(answered(&league.take_sent()), (Said::Accepted, None));
    league.mail(&player(3), asked(""));
    assert_eq!(answered(&league.take_sent()), (Said::Accepted, None));
    // Who asked for the wrong one may still ask for the right one.
    league.mail(&player(1), asked("S01"));
    assert_eq!(answered(&league.take_sent()), (Said::Accepted, None));
}

#[test]
fn where_registration_is_open_strangers_say_who_they_are() {
    let mut league = League::open(SeasonSettings { open_registration: true, ..terms(1) });
    league.mail(&address("a@x.test"), as_role("alpha", None));
    league.mail(&address("b@x.test"), as_role("ALPHA", Some(Role::Referee)));
    league.mail(&address("beta.player@x.test"), as_role("", None));
    league.mail(&address("beta.referee@x.test"), as_role("", Some(Role::Referee)));
    let expected = [
        "a@x.test PLAYER of alpha",
        "b@x.test REFEREE of ALPHA",
        "beta.player@x.test PLAYER of beta",
        "beta.referee@x.test REFEREE of beta",
    ];
    assert_eq!(enrolled(&league), expected);
    for taken in ["alpha", "team1"] {
        league.take_sent();
        league.mail(&address(&format!("{taken}@evil.test")), as_role(taken, None));
        assert_eq!(answered(&league.take_sent()), (Said::Rejected, Some("group_taken".into())));
    }
    league.enrol(&player(1));
    league.enrol(&referee(1));
    league.command(Command::StartLeague);
    assert_eq!(league.role().state().players, 3);
}

#[test]
fn a_full_league_takes_nobody() {
    let seasons = SeasonSettings { open_registration: true, ..terms(0) };
    let settings = Settings { players_max: 1, ..rules(seasons) };
    let mut league = League::read(settings, options(None), Vec::new());
    league.mail(&address("a@x.test"), as_role("alpha", None));
    league.take_sent();
    league.mail(&address("b@x.test"), as_role("beta", None));
    assert_eq!(answered(&league.take_sent()), (Said::Rejected, Some("league_full".into())));
}

#[test]
fn dedicated_referees_may_be_of_one_house() {
    let seasons = SeasonSettings { open_registration: true, ..terms(0) };
    let rules = Settings { format: FormatKind::Refereed, ..rules(seasons) };
    let mut league = League::read(rules, options(None), Vec::new());
    for name in ["a", "b"] {
        league.mail(&address(&format!("{name}@x.test")), as_role(name, None));
        league.mail(&address(&format!("r{name}@x.test")), as_role("staff", Some(Role::Referee)));
    }
    assert_eq!(enrolled(&league).len(), 4);
    league.command(Command::StartLeague);
    assert_eq!(league.role().state().referees, 2);
}

#[test]
fn an_incomplete_team_is_left_out_and_told() {
    let mut league = League::open(terms(5));
    league.enrol(&referee(5));
    league.enrol_all(3);
    league.enrol(&player(4));
    let state = league.role().state();
    assert_eq!((state.players, state.referees), (4, 4), "who has enrolled is counted");
    league.take_sent();
    league.command(Command::StartLeague);
    assert_eq!(league.role().state().players, 3);
    let sent = league.take_sent();
    let told: Vec<_> =
        sent.iter().filter(|(_, letter)| matches!(letter.act, Act::Decide(_))).collect();
    assert_eq!(told.len(), 2);
    for ((to, letter), expected) in told.iter().zip([player(4), referee(5)]) {
        assert_eq!(*to, [expected]);
        let alone = [(to.clone(), letter.clone())];
        assert_eq!(answered(&alone), (Said::Rejected, Some("incomplete_team".into())));
    }
    let round = sent.iter().find(|(_, letter)| matches!(letter.act, Act::NewRound(_)));
    assert_eq!(round.unwrap().0.len(), 6, "who is not in hears no more");
}

#[test]
fn ids_follow_the_order_of_enrolment() {
    let mut league = League::open(terms(3));
    for team in [3, 1, 2] {
        league.enrol(&referee(team));
        league.enrol(&player(team));
    }
    league.command(Command::StartLeague);
    for (number, team) in [(1, 3), (2, 1), (3, 2)] {
        let (name, endpoint) =
            league.role().league().player(agon_proto::PlayerId::new(number)).unwrap();
        assert_eq!(name, format!("Team {team}"));
        assert_eq!(endpoint, player(team).as_str());
        let (_, endpoint) =
            league.role().league().referee(agon_proto::RefereeId::new(number)).unwrap();
        assert_eq!(endpoint, referee(team).as_str());
    }
}

#[test]
fn two_complete_teams_are_no_season() {
    let mut league = League::open(terms(3));
    league.enrol_all(2);
    league.enrol(&player(3));
    let effects = league.command(Command::StartLeague);
    assert!(matches!(refused(&effects), Refusal::OutOfTurn(_)));
    assert_eq!(league.role().state().phase, LeaguePhase::AcceptingRegistrations);
}

#[test]
fn who_registers_with_the_league_is_shown_the_season() {
    let mut league = League::open(SeasonSettings { open_registration: true, ..terms(1) });
    league.take_sent();
    let said = |role| {
        let (group, name, contact) = (None, Some(DisplayName::new("Ada")), None);
        Act::LeagueRegistration(LeagueRegistration { role, group, name, contact })
    };
    let newcomer = address("ada@x.test");
    league.mail(&newcomer, said(Role::Player));
    assert_eq!(league.take_names(), ["RESPONSE_LEAGUE_REGISTER", "BROADCAST_START_SEASON"]);
    assert!(matches!(
        refused(&league.mail(&newcomer, said(Role::Player))),
        Refusal::NotPermitted(_)
    ));
    league.mail(&newcomer, as_role("", None));
    assert_eq!(league.take_names(), ["SEASON_REGISTRATION_RESPONSE"]);
    league.mail(&newcomer, said(Role::Player));
    assert_eq!(league.take_names(), ["RESPONSE_LEAGUE_REGISTER"]);
}

#[test]
fn the_table_is_sent_again_to_whoever_has_lost_it() {
    let mut league = League::open(terms(3));
    league.enrol_all(3);
    league.take_sent();
    let asked = || Act::TableRequest(TableRequest { season: None, group: None });
    league.mail(&player(1), asked());
    assert_eq!(league.take_names(), ["ERROR_RESPONSE"]);
    league.command(Command::StartLeague);
    league.take_sent();
    league.mail(&player(1), asked());
    let sent = league.take_sent();
    let [(to, Letter { act: Act::TableAnswer(table), .. })] = &sent[..] else {
        panic!("one table");
    };
    assert_eq!((to, table.rows.len()), (&vec![player(1)], 9));
}

#[test]
fn whoever_has_the_table_is_noted_once() {
    let mut league = League::started(terms(3));
    let ack = || Act::PlayerAck(AssignmentAck { season: None, group: None, received: 2 });
    league.mail(&player(1), ack());
    league.mail(&player(1), ack());
    let noted = league.bench.facts.iter().filter(|fact| {
        matches!(fact, LeagueFact::Season(SeasonFact::Acknowledged { received: 2, .. }))
    });
    assert_eq!(noted.count(), 1);
}
