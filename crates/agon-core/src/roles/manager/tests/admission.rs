//! Who is let in, by which policy, invitation or word of the operator's; and who is not any more.

use std::time::Duration;

use agon_proto::message::Heartbeat;
use agon_proto::tool::{AgentPlace, AgentRole, Invited};

use super::identity::{BEYOND, HERE, check_refused};
use super::*;
use crate::testing::{in_match, player, referee, refusal};
use crate::{AddressKey, AdmissionPolicy, AdmissionRules, Caller, CodeHash};

fn open_by(rules: AdmissionRules) -> League {
    League::open_with(settings(), ManagerOptions { admission: rules, ..options(None) })
}

fn with(players: AdmissionPolicy, referees: AdmissionPolicy) -> League {
    open_by(AdmissionRules { players, referees, ..AdmissionRules::local() })
}

fn approving() -> League {
    with(AdmissionPolicy::Approved, AdmissionPolicy::Approved)
}

fn about(agent: AgentId) -> ToolParams {
    let reason = Some(DisplayName::new("because"));
    match agent {
        AgentId::Player(id) => ToolParams { player_id: Some(id), reason, ..ToolParams::default() },
        AgentId::Referee(id) => {
            ToolParams { referee_id: Some(id), reason, ..ToolParams::default() }
        }
    }
}

impl League {
    #[track_caller]
    fn invite(&mut self, params: ToolParams) -> Box<Invited> {
        let effects = self.order(Command::Invite, params);
        let Answer::Tool(ToolAnswer::Invited(invited)) = answer(&effects) else {
            panic!("{effects:?} invites nobody");
        };
        invited.clone()
    }

    #[track_caller]
    fn come(&mut self, caller: Caller, entry: &Entry) -> AgentId {
        let (id, token) = admission(&self.bench.call_by(caller, entry.request())).unwrap();
        self.tokens.insert(id, token);
        id
    }

    fn place(&mut self, agent: AgentId) -> AgentPlace {
        let effects = self.bench.tool(Tool::ListAgents, ToolParams::default());
        let [Effect::ListAgents { list, .. }] = &effects[..] else { panic!("{effects:?}") };
        let is_it = |it: &&agon_proto::tool::AgentEntry| {
            it.player_id.map(AgentId::Player).or(it.referee_id.map(AgentId::Referee)) == Some(agent)
        };
        list.agents.iter().find(is_it).unwrap().state
    }
}

fn invited_as(role: AgentRole, uses: u32) -> ToolParams {
    ToolParams { role: Some(role), uses: Some(uses), ..ToolParams::default() }
}

fn showing(code: &Invited, name: &str, capacity: Option<u32>) -> Entry {
    Entry { code: Some(code.code.clone()), ..entry(name, capacity) }
}

const PLAYER: AgentId = AgentId::Player(PlayerId::new(1));
const REFEREE: AgentId = AgentId::Referee(RefereeId::new(1));

#[test]
fn a_policy_says_who_comes_unasked() {
    let elsewhere = Caller { origin: Origin::Elsewhere, ..BEYOND };
    let listed = AdmissionPolicy::Listed(vec![Endpoint::new("p1").into()]);
    let cases = [
        (AdmissionPolicy::Local, HERE, None),
        (AdmissionPolicy::Local, BEYOND, Some("E014")),
        (AdmissionPolicy::Open, HERE, None),
        (AdmissionPolicy::Open, BEYOND, None),
        // What a stranger has us call is at its own address.
        (AdmissionPolicy::Open, elsewhere, Some("E014")),
        (AdmissionPolicy::Invited, HERE, Some("E014")),
        (AdmissionPolicy::Invited, BEYOND, Some("E014")),
        (listed.clone(), BEYOND, None),
        (listed, elsewhere, Some("E014")),
        (AdmissionPolicy::Listed(Vec::new()), HERE, Some("E014")),
    ];
    for (policy, caller, refused) in cases {
        let mut league = with(policy, AdmissionPolicy::Invited);
        match refused {
            Some(code) => check_refused(&mut league, caller, &entry("p1", None), code),
            None => assert_eq!(league.come(caller, &entry("p1", None)), PLAYER),
        }
        check_refused(&mut league, caller, &entry("ref1", Some(1)), "E014");
    }
}

#[test]
fn an_invitation_for_one_is_that_agents_own() {
    let mut league = with(AdmissionPolicy::Invited, AdmissionPolicy::Invited);
    let code = league.invite(invited_as(AgentRole::Player, 1));
    assert_eq!(league.come(BEYOND, &showing(&code, "p1", None)), PLAYER);
    // Started anew, wherever it is now, it is the same one; also by the address alone.
    let moved = Entry { conversation: "conv-2".into(), ..showing(&code, "moved", None) };
    assert_eq!(league.come(BEYOND, &moved), PLAYER);
    let in_address = Caller { code: Some(CodeHash::of(code.code.reveal())), ..BEYOND };
    let again = Entry { conversation: "conv-3".into(), ..entry("moved", None) };
    assert_eq!(league.come(in_address, &again), PLAYER);
    assert_eq!(league.bench.role.league().registry.player_count(), 1);
    // Also when nobody new comes by it any more.
    let revoke = ToolParams { invitation: Some(code.number), ..ToolParams::default() };
    league.order(Command::RevokeInvitation, revoke);
    let once_more = Entry { conversation: "conv-4".into(), ..again };
    assert_eq!(league.come(in_address, &once_more), PLAYER);
    // Without it nobody is that agent, not even from its place.
    let other = Entry { conversation: "conv-5".into(), ..once_more };
    check_refused(&mut league, HERE, &other, "E017");
}

#[test]
fn who_keeps_its_token_is_not_replaced_by_its_invitation() {
    let mut league = with(AdmissionPolicy::Invited, AdmissionPolicy::Invited);
    let code = league.invite(invited_as(AgentRole::Player, 1));
    let keeping = Entry { keeps_token: true, ..showing(&code, "p1", None) };
    league.come(BEYOND, &keeping);
    let thief = Entry { conversation: "conv-2".into(), ..showing(&code, "thief", None) };
    check_refused(&mut league, BEYOND, &thief, "E017");
    let own = Entry { token: league.token(PLAYER), ..thief };
    assert_eq!(league.come(BEYOND, &own), PLAYER);
}

#[test]
fn an_invitation_for_several_ends_with_the_last() {
    let mut league = with(AdmissionPolicy::Invited, AdmissionPolicy::Invited);
    let code = league.invite(invited_as(AgentRole::Referee, 2));
    league.come(BEYOND, &showing(&code, "ref1", Some(1)));
    // It proves nothing: from the same place somebody without a token is not believed.
    let again = Entry { conversation: "conv-2".into(), ..showing(&code, "ref1", Some(1)) };
    check_refused(&mut league, BEYOND, &again, "E017");
    league.come(BEYOND, &showing(&code, "ref2", Some(1)));
    check_refused(&mut league, BEYOND, &showing(&code, "ref3", Some(1)), "E014");
    // Who is in stays in, with its token, whatever its code is worth by now.
    let token = league.token(AgentId::Referee(referee(2)));
    let own = Entry { token, conversation: "c".into(), ..showing(&code, "ref2", Some(1)) };
    assert_eq!(league.come(BEYOND, &own), AgentId::Referee(referee(2)));
}

#[test]
fn what_is_no_good_invitation_is_refused_from_everywhere() {
    let mut league = with(AdmissionPolicy::Open, AdmissionPolicy::Local);
    let until = Some(at(10));
    let brief = league.invite(ToolParams { until, ..invited_as(AgentRole::Player, 9) });
    let revoked = league.invite(invited_as(AgentRole::Player, 9));
    let for_referees = league.invite(invited_as(AgentRole::Referee, 9));
    let params = ToolParams { invitation: Some(revoked.number), ..ToolParams::default() };
    league.order(Command::RevokeInvitation, params);
    league.bench.at(10);
    let made_up = Invited { code: "not-the-code".parse().unwrap(), ..*revoked.clone() };
    for code in [&brief, &revoked, &for_referees, &Box::new(made_up)] {
        for caller in [HERE, BEYOND] {
            check_refused(&mut league, caller, &showing(code, "p1", None), "E014");
        }
    }
    let beyond = Caller { code: Some(CodeHash::of(brief.code.reveal())), ..BEYOND };
    check_refused(&mut league, beyond, &showing(&for_referees, "ref1", Some(1)), "E014");
}

#[test]
fn whoever_is_invited_already_is_shown_the_same_invitation() {
    let mut league = League::open();
    let label = Some(DisplayName::new("Ada"));
    let params = ToolParams { label, ..invited_as(AgentRole::Player, 1) };
    let first = league.invite(params.clone());
    let facts = league.bench.facts.clone();
    let again = league.invite(params.clone());
    assert_eq!((again.number, &again.code, again.known), (first.number, &first.code, true));
    assert_eq!(league.bench.facts, facts, "nothing is written down");
    // A code that was taken back is not shown again.
    let revoke = ToolParams { invitation: Some(first.number), ..ToolParams::default() };
    league.order(Command::RevokeInvitation, revoke);
    assert_ne!(league.invite(params).code, first.code);
    let journal = format!("{:?}", serde_json::to_string(&league.bench.facts).unwrap());
    assert!(!journal.contains(first.code.reveal()), "only its hash is written down");
}

#[test]
fn who_waits_takes_no_place_and_gets_no_match() {
    let mut league = approving();
    for name in ["p1", "p2", "p3"] {
        league.come(BEYOND, &entry(name, None));
    }
    league.come(BEYOND, &entry("ref1", Some(1)));
    assert_eq!(league.bench.role.state().players, 0);
    assert_eq!(league.place(PLAYER), AgentPlace::Waiting);
    // It is heard, and that is all.
    let beat = Heartbeat { league_id: super::league(), matches_held: 0, told: Vec::new() };
    let beats = |league: &mut League| {
        let token = league.token(REFEREE);
        let conversation = ConversationId::new("beat");
        league.bench.call(letter(Sender::Referee(referee(1)), token, conversation, beat.clone()))
    };
    assert!(matches!(answer(&beats(&mut league)), Answer::Receipt(_)));
    for agent in [PLAYER, AgentId::Player(player(3)), REFEREE] {
        league.order(Command::ApproveAgent, about(agent));
    }
    league.command(Command::StartLeague);
    // Who was not approved is in no fixture, and comes too late now.
    let season = league.bench.role.league().season();
    let fixture = season.fixture(in_match(1, 1)).unwrap();
    assert_eq!(fixture.players().map(PlayerId::number), [1, 3]);
    assert_eq!(season.matches(), 1);
    refusal(&league.order(Command::ApproveAgent, about(AgentId::Player(player(2)))));
}

#[test]
fn a_referee_that_is_approved_late_gets_matches() {
    let mut league = with(AdmissionPolicy::Local, AdmissionPolicy::Approved);
    let code = league.invite(invited_as(AgentRole::Referee, 1));
    league.come(HERE, &entry("p1", None));
    league.come(HERE, &entry("p2", None));
    league.come(HERE, &showing(&code, "ref1", Some(1)));
    league.come(HERE, &entry("ref2", Some(1)));
    league.command(Command::StartLeague);
    league.order(Command::ApproveAgent, about(AgentId::Referee(referee(2))));
    let effects = league.order(Command::RemoveAgent, about(REFEREE));
    let facts = &league.bench.facts;
    let moved = facts.iter().any(
        |fact| matches!(fact, LeagueFact::MatchReassigned { referee, .. } if referee.number() == 2),
    );
    assert!(moved, "{effects:?} {facts:?}");
    let again = Entry { conversation: "again".into(), ..showing(&code, "ref1", Some(1)) };
    check_refused(&mut league, HERE, &again, "E014");
}

#[test]
fn nobody_waits_for_ever_and_so_many_at_a_time() {
    let mut league = open_by(AdmissionRules {
        players: AdmissionPolicy::Approved,
        waiting_max: 1,
        waiting: Duration::from_secs(60),
        ..AdmissionRules::local()
    });
    league.come(BEYOND, &entry("p1", None));
    check_refused(&mut league, BEYOND, &entry("p2", None), "E020");
    assert_eq!(league.bench.role.deadline(), Some(at(60)));
    league.bench.at(60);
    league.bench.tick();
    assert_eq!(league.place(PLAYER), AgentPlace::Declined);
    // Its number was nobody's.
    assert_eq!(league.come(BEYOND, &entry("p2", None)), PLAYER);
    league.order(Command::ApproveAgent, about(PLAYER));
    assert_eq!(league.place(PLAYER), AgentPlace::In);
}

#[test]
fn who_is_taken_out_plays_no_more_until_it_is_reset() {
    let (mut league, _) = League::started(4, &[4]);
    league.order(Command::RemoveAgent, about(PLAYER));
    assert_eq!(league.place(PLAYER), AgentPlace::Removed);
    let facts = league.bench.facts.len();
    let again = Entry { conversation: "again".into(), ..entry("p1", None) };
    check_refused(&mut league, HERE, &again, "E014");
    let own = Entry { token: league.token(PLAYER), ..again.clone() };
    check_refused(&mut league, HERE, &own, "E014");
    league.order(Command::RemoveAgent, about(PLAYER));
    assert_eq!(league.bench.facts.len(), facts, "the second time nothing happens");
    let effects = league.order(Command::ResetAgent, about(PLAYER));
    let Answer::Tool(ToolAnswer::Fresh(fresh)) = answer(&effects) else { panic!("{effects:?}") };
    let own = Entry { token: Some(fresh.auth_token.clone()), ..again };
    assert_eq!(league.come(HERE, &own), PLAYER);
    assert_eq!(league.place(PLAYER), AgentPlace::In);
}

#[test]
fn one_endpoint_in_several_spellings_is_one_agent() {
    let mut league = with(AdmissionPolicy::Local, AdmissionPolicy::Local);
    let places = ["127.0.0.1:901", "localhost:901", "LOCALHOST:0901", "[::ffff:127.0.0.1]:901"];
    for place in places {
        let endpoint = format!("http://{place}/mcp");
        assert_eq!(league.come(HERE, &entry(&endpoint, None)), PLAYER);
        // It is called as it was spelled last.
        let known = league.bench.role.league().registry.agent(PLAYER).unwrap();
        assert_eq!(known.contact.as_str(), endpoint);
    }
    // Neither a token nor another role leads there.
    let other = league.come(HERE, &entry("http://127.0.0.1:902/mcp", None));
    let token = league.token(other);
    let moves = Entry { token, ..entry("HTTP://localhost.localdomain:901/mcp", None) };
    check_refused(&mut league, HERE, &moves, "E017");
    check_refused(&mut league, HERE, &entry("http://[::1]:901/mcp", Some(1)), "E017");
}

#[test]
fn a_reset_ends_what_an_invitation_proves() {
    let mut league = with(AdmissionPolicy::Invited, AdmissionPolicy::Invited);
    let code = league.invite(invited_as(AgentRole::Player, 1));
    league.come(BEYOND, &showing(&code, "p1", None));
    let effects = league.order(Command::ResetAgent, about(PLAYER));
    let Answer::Tool(ToolAnswer::Fresh(fresh)) = answer(&effects) else { panic!("{effects:?}") };
    let token = Some(fresh.auth_token.clone());
    let thief = |number: u32| Entry {
        conversation: format!("conv-{number}"),
        ..showing(&code, "elsewhere", None)
    };
    check_refused(&mut league, BEYOND, &thief(1), "E014");
    let own = Entry { token, conversation: "back".into(), ..showing(&code, "p1", None) };
    assert_eq!(league.come(BEYOND, &own), PLAYER);
    check_refused(&mut league, BEYOND, &thief(2), "E014");
    let there = Entry { conversation: "conv-3".into(), ..showing(&code, "p1", None) };
    check_refused(&mut league, BEYOND, &there, "E017");
}

#[test]
fn who_waits_comes_by_an_invitation_as_far_as_there_is_room() {
    let mut league = approving();
    let waits = |name: &str| Entry { keeps_token: true, ..entry(name, None) };
    for name in ["p1", "p2", "p3"] {
        league.come(BEYOND, &waits(name));
    }
    // It has lost its token, or never had one.
    let code = league.invite(invited_as(AgentRole::Player, 1));
    let invited = Entry { conversation: "conv-2".into(), ..showing(&code, "p1", None) };
    assert_eq!(league.come(BEYOND, &invited), PLAYER);
    assert_eq!(league.place(PLAYER), AgentPlace::In);
    let for_referees = league.invite(invited_as(AgentRole::Referee, 1));
    league.come(HERE, &showing(&for_referees, "ref1", Some(1)));
    league.order(Command::ApproveAgent, about(AgentId::Player(player(2))));
    // The season has begun: nobody comes any more, with whatever is shown.
    league.bench.role.records.league.settings.players_max = 2;
    let code = league.invite(invited_as(AgentRole::Player, 9));
    let token = league.token(AgentId::Player(player(3)));
    let late = Entry { token, conversation: "late".into(), ..showing(&code, "p3", None) };
    check_refused(&mut league, BEYOND, &late, "E020");
    league.bench.role.records.league.settings.players_max = 9;
    league.command(Command::StartLeague);
    check_refused(&mut league, BEYOND, &late, "E019");
}

#[test]
fn who_is_not_let_in_is_told_so() {
    let mut league = approving();
    for name in ["p1", "p2", "p3", "p4"] {
        league.come(BEYOND, &entry(name, None));
    }
    league.come(BEYOND, &entry("ref1", Some(1)));
    let told = |effects: &[Effect]| {
        let told = effects.iter().filter_map(|effect| {
            let Effect::Broadcast(news) = effect else { return None };
            let Act::LeagueError(said) = &news.act else { return None };
            said.problem.as_ref().map(ToString::to_string)
        });
        told.collect::<Vec<_>>()
    };
    let no = league.order(Command::RemoveAgent, about(AgentId::Player(player(4))));
    assert_eq!(told(&no), ["the operator has not let this agent in: because"]);
    for agent in [PLAYER, AgentId::Player(player(2)), REFEREE] {
        league.order(Command::ApproveAgent, about(agent));
    }
    let begun = league.order(Command::StartLeague, ToolParams::default());
    assert_eq!(told(&begun), ["the operator has not let this agent in: the season has begun"]);
    let late = AgentId::Player(player(3));
    assert_eq!(league.place(late), AgentPlace::Declined);
    let query = agon_proto::message::LeagueQuery {
        league_id: super::league(),
        query_type: agon_proto::message::QueryType::GetStandings,
        query_params: agon_proto::message::QueryParams::default(),
    };
    let (token, conversation) = (league.token(late), ConversationId::new("q"));
    let asked = league.bench.call(letter(Sender::Player(player(3)), token, conversation, query));
    assert!(refusal(&asked).to_string().contains("has not let this agent in"), "{asked:?}");
}

#[test]
fn whoever_never_took_part_is_withdrawn_from_nothing() {
    let (mut league, _) = League::started(4, &[4]);
    league.bench.role.records.options.admission.referees = AdmissionPolicy::Approved;
    let stranger = AgentId::Player(player(5));
    let facts = league.bench.facts.len();
    let known = crate::testing::registration(
        stranger,
        "p9",
        TokenHash::of(&agon_proto::AuthToken::derived([9; 32])).unwrap(),
    );
    league.bench.role.apply(&LeagueFact::Registered(known.into()));
    league.order(Command::RemoveAgent, about(stranger));
    let new = &league.bench.facts[facts..];
    assert!(matches!(new, [LeagueFact::Removed { .. }]), "{new:?}");
}

#[test]
fn a_code_is_not_given_out_twice_after_a_backup() {
    let mut league = League::open();
    let label = |name| Some(DisplayName::new(name));
    let params = |name| ToolParams { label: label(name), ..invited_as(AgentRole::Player, 1) };
    let backup = league.bench.facts.clone();
    let ada = league.invite(params("Ada"));
    league.bench = Bench::new(Manager::new(settings(), options(None)), backup);
    league.bench.at(5);
    let blaise = league.invite(params("Blaise"));
    assert_eq!(blaise.number, ada.number);
    assert_ne!(blaise.code, ada.code);
    // Said again, also after a restart, it is the same.
    let facts = league.bench.facts.clone();
    league.bench = Bench::new(Manager::new(settings(), options(None)), facts);
    league.bench.at(9);
    assert_eq!(league.invite(params("Blaise")).code, blaise.code);
}

#[test]
fn one_address_brings_so_many() {
    let mut league = open_by(AdmissionRules {
        players: AdmissionPolicy::Open,
        per_address_max: 2,
        ..AdmissionRules::local()
    });
    let other = Caller { address: AddressKey([9; 16]), ..BEYOND };
    league.come(BEYOND, &entry("p1", None));
    league.come(BEYOND, &entry("p2", None));
    check_refused(&mut league, BEYOND, &entry("p3", None), "E020");
    league.come(other, &entry("p4", None));
    // Who is invited is not counted, and neither is our own machine.
    let code = league.invite(invited_as(AgentRole::Player, 1));
    league.come(BEYOND, &showing(&code, "p5", None));
    for number in 6..10 {
        league.come(HERE, &entry(&format!("p{number}"), None));
    }
}

#[test]
fn names_are_told_apart_by_people() {
    let mut league = League::open();
    let named = |name: &str, endpoint: &str| Entry {
        name: name.into(),
        conversation: format!("conv-{endpoint}"),
        ..entry(endpoint, None)
    };
    let called = |league: &mut League, said: &str, endpoint: &str| {
        let effects = league.bench.call_by(HERE, named(said, endpoint).request());
        let Answer::Message(letter) = answer(&effects) else { panic!("{effects:?}") };
        let Act::Decide(told) = &letter.act else { panic!("{letter:?}") };
        let told = told.name.as_ref().map(|name| name.to_string());
        let known = league.bench.role.league();
        let id = known.registry.player_count();
        let kept = known.player(player(id)).unwrap().0.to_owned();
        // It is told what it is called, if that is not what it said.
        assert_eq!(told.as_ref().unwrap_or(&said.to_owned()), &kept);
        kept
    };
    assert_eq!(called(&mut league, "Ada", "a"), "Ada");
    // Another case, and letters of other alphabets that look the same.
    assert_eq!(called(&mut league, "ADA", "b"), "ADA (P02)");
    assert_eq!(called(&mut league, "\u{410}d\u{430}", "c"), "\u{410}d\u{430} (P03)");
    assert_eq!(called(&mut league, "  ", "d"), "P04");
    assert_eq!(called(&mut league, "Bill (P06)", "e"), "Bill (P06)");
    // Nobody keeps another one from its name by taking what it would be called.
    assert_eq!(called(&mut league, "Bi1l", "f"), "Bi1l");
    assert_eq!(called(&mut league, "bill", "g"), "bill (P07)");
    // Whoever comes again keeps its own.
    let again = Entry { conversation: "again".into(), ..named("Ada", "a") };
    league.come(HERE, &again);
    assert_eq!(league.bench.role.league().player(player(1)).unwrap().0, "Ada");
}

#[test]
fn an_agent_that_comes_again_and_again_is_stopped() {
    let mut league = League::open();
    league.come(HERE, &entry("p1", None));
    for number in 0..60 {
        let again = Entry { conversation: format!("conv-{number}"), ..entry("p1", None) };
        league.come(HERE, &again);
    }
    let again = Entry { conversation: "once-more".into(), ..entry("p1", None) };
    check_refused(&mut league, HERE, &again, "E010");
    league.bench.at(60);
    league.come(HERE, &again);
}

#[test]
fn a_journal_makes_the_same_league_of_it() {
    let mut league = approving();
    let code = league.invite(invited_as(AgentRole::Player, 1));
    league.come(BEYOND, &showing(&code, "p1", None));
    league.come(BEYOND, &entry("p2", None));
    league.come(BEYOND, &entry("p3", None));
    league.order(Command::RemoveAgent, about(AgentId::Player(player(2))));
    let facts = league.bench.facts.clone();
    let options = ManagerOptions {
        admission: AdmissionRules { players: AdmissionPolicy::Approved, ..AdmissionRules::local() },
        ..options(None)
    };
    league.bench = Bench::new(Manager::new(settings(), options), facts);
    assert_eq!(league.place(PLAYER), AgentPlace::In);
    assert_eq!(league.place(AgentId::Player(player(2))), AgentPlace::Declined);
    assert_eq!(league.place(AgentId::Player(player(3))), AgentPlace::Waiting);
    let again = Entry { conversation: "conv-2".into(), ..showing(&code, "moved", None) };
    assert_eq!(league.come(BEYOND, &again), PLAYER);
}

#[test]
fn an_invitation_leads_to_nobody_elses_endpoint() {
    let mut league = with(AdmissionPolicy::Invited, AdmissionPolicy::Invited);
    let [own, other] = [(); 2].map(|()| league.invite(invited_as(AgentRole::Player, 1)));
    league.come(BEYOND, &showing(&own, "p1", None));
    league.come(BEYOND, &showing(&other, "p2", None));
    let thief = Entry { conversation: "again".into(), ..showing(&other, "p1", None) };
    check_refused(&mut league, BEYOND, &thief, "E017");
}

#[test]
fn who_is_in_and_was_not_invited_is_called_at_its_own_address_still() {
    let mut league = with(AdmissionPolicy::Open, AdmissionPolicy::Local);
    let elsewhere = Caller { origin: Origin::Elsewhere, address: AddressKey([9; 16]), ..BEYOND };
    league.come(BEYOND, &entry("p1", None));
    let again = |league: &League, endpoint: &str, life: &str| Entry {
        token: league.token(PLAYER),
        conversation: life.into(),
        ..entry(endpoint, None)
    };
    let moved = again(&league, "victim", "again");
    check_refused(&mut league, elsewhere, &moved, "E014");
    // It may call from wherever it likes, and move to where it is.
    let own = again(&league, "p1", "once-more");
    assert_eq!(league.come(elsewhere, &own), PLAYER);
    let moved = again(&league, "moved", "and-again");
    assert_eq!(league.come(BEYOND, &moved), PLAYER);
}

#[test]
fn who_moves_to_another_address_is_counted_there() {
    let mut league = open_by(AdmissionRules {
        players: AdmissionPolicy::Open,
        per_address_max: 1,
        ..AdmissionRules::local()
    });
    let other = Caller { address: AddressKey([9; 16]), ..BEYOND };
    league.come(BEYOND, &entry("p1", None));
    league.come(other, &entry("p2", None));
    let moved =
        Entry { token: league.token(PLAYER), conversation: "again".into(), ..entry("p1", None) };
    check_refused(&mut league, other, &moved, "E020");
    assert_eq!(league.come(BEYOND, &moved), PLAYER);
}

#[test]
fn a_network_of_ipv6_is_one_address_and_each_of_ipv4_is_one() {
    let from = |first: u8, last: u8| {
        let mut key = [0; 16];
        (key[0], key[15]) = (first, last);
        if first == 0 {
            key[10..12].fill(0xFF);
        }
        Caller { address: AddressKey(key), ..BEYOND }
    };
    let rules = || AdmissionRules {
        players: AdmissionPolicy::Open,
        per_address_max: 1,
        ..AdmissionRules::local()
    };
    let mut league = open_by(rules());
    league.come(from(0x20, 1), &entry("p1", None));
    check_refused(&mut league, from(0x20, 2), &entry("p2", None), "E020");
    league.come(from(0x21, 1), &entry("p2", None));
    league.come(from(0, 1), &entry("p3", None));
    league.come(from(0, 2), &entry("p4", None));
    check_refused(&mut league, from(0, 2), &entry("p5", None), "E020");
}

#[test]
fn a_referee_that_comes_in_late_begins_level_with_the_others() {
    let mut league = with(AdmissionPolicy::Local, AdmissionPolicy::Approved);
    let code = league.invite(invited_as(AgentRole::Referee, 1));
    for number in 1..=8 {
        league.come(HERE, &entry(&format!("p{number}"), None));
    }
    league.come(HERE, &showing(&code, "ref1", Some(4)));
    league.come(HERE, &entry("ref2", Some(4)));
    let late = AgentId::Referee(referee(2));
    let effects = league.command(Command::StartLeague);
    league.order(Command::ApproveAgent, about(late));
    league.play_on(&effects, |_, _, _| Fate::Played);
    let registry = &league.bench.role.league().registry;
    let reports = [REFEREE, late].map(|id| registry.agent(id).unwrap().reports[0]);
    // Four of the first round, and half of what came then.
    assert_eq!(reports, [16, 12]);
}
