//! What a player hears has one order: its round, its match, its end, the table, the next round.

use agon_proto::message::Heartbeat;

use super::*;
use crate::effect::Noticed;
use crate::testing::{check, in_match, lines, news, player, referee};
use crate::verdict::Seat;

/// Four players and one referee that says whom it has told. Nobody takes news by itself.
fn slow() -> (League, Vec<Effect>) {
    let mut league = League::with(settings(), 4, &[]);
    league.register(&Entry { says_told: true, ..entry("ref1", Some(9)) });
    league.bench.prompt = false;
    let effects = league.command(Command::StartLeague);
    (league, effects)
}

impl League {
    fn hears(&mut self, number: u32, seat: Seat, how: Noticed) -> Vec<Effect> {
        let round = self.bench.role.league().season().round();
        let tag = Tag::Announce { match_id: in_match(round, number), seat };
        self.bench.tell(Event::Noticed { tag, how })
    }

    /// Everybody takes what is among these effects; returns what follows from it.
    fn all_hear(&mut self, effects: &[Effect]) -> Vec<Effect> {
        let tags: Vec<_> = effects.iter().flat_map(news).collect();
        let heard = tags
            .into_iter()
            .flat_map(|tag| self.bench.tell(Event::Noticed { tag, how: Noticed::Taken }));
        heard.collect()
    }

    pub(super) fn says_told(&mut self, told: &[MatchId]) -> Vec<Effect> {
        let id = RefereeId::new(1);
        let beat = Heartbeat { league_id: super::league(), matches_held: 0, told: told.to_vec() };
        let token = self.token(AgentId::Referee(id));
        let conversation = ConversationId::new("conv-heartbeat");
        self.bench.call(letter(Sender::Referee(id), token, conversation, beat))
    }
}

/// Lines without answers to requests.
fn said(effects: &[Effect]) -> Vec<String> {
    lines(effects).into_iter().filter(|line| !line.starts_with("reply")).collect()
}

#[test]
fn a_match_is_given_out_when_its_players_and_its_referee_know_of_it() {
    let (mut league, effects) = slow();
    assert_eq!(said(&effects), ["ROUND_ANNOUNCEMENT to p1 p2 p3 p4 ref1"]);
    let tag = Tag::AnnounceTo { referee: referee(1), round: 1 };
    check(&league.bench.tell(Event::Noticed { tag, how: Noticed::Taken }), &[]);
    check(&league.hears(1, Seat::A, Noticed::Taken), &[]);
    // Who failed to take it once is not waited for.
    let given = league.hears(1, Seat::B, Noticed::Missed);
    assert_eq!(given_to(&given), ["R1M1 to REF01"]);
    check(&league.hears(1, Seat::B, Noticed::Taken), &[]);
    check(&league.hears(2, Seat::A, Noticed::Taken), &[]);
    assert_eq!(league.bench.role.deadline(), Some(at(10)));
}

#[test]
fn nobody_is_waited_for_longer_than_a_notice_takes() {
    let (mut league, _) = slow();
    check(&league.bench.at(9).tick(), &[]);
    let given = league.bench.at(10).tick();
    assert_eq!(given_to(&given), ["R1M1 to REF01", "R1M2 to REF01"]);
}

#[test]
fn the_table_and_the_next_round_wait_for_who_does_not_know_its_result() {
    let (mut league, effects) = slow();
    let given = assignments(&league.all_hear(&effects));
    league.play(&given[0]);
    let first = given[0].match_id;
    check(&league.says_told(&[first])[1..], &[]);
    let told = league.play(&given[1]);
    // P01 and P02 know theirs; P03 and P04 have yet to hear it, and referees wait for nobody.
    let now = ["p1 p2 ref1"; 3];
    let kinds = ["LEAGUE_STANDINGS_UPDATE", "ROUND_COMPLETED", "ROUND_ANNOUNCEMENT"];
    let expected = |to: [&str; 3]| -> Vec<String> {
        kinds.iter().zip(to).map(|(kind, to)| format!("{kind} to {to}")).collect()
    };
    assert_eq!(said(&told), expected(now));
    // In round 2 everybody has an opponent that waits.
    check(&league.all_hear(&told), &[]);
    let told = league.says_told(&[given[1].match_id]);
    assert_eq!(said(&told), expected(["p3 p4"; 3]));
    let given = league.all_hear(&told);
    assert_eq!(given_to(&given), ["R2M1 to REF01", "R2M2 to REF01"]);
}

#[test]
fn who_is_never_told_waits_only_so_long() {
    let (mut league, effects) = slow();
    let given = assignments(&league.all_hear(&effects));
    league.bench.at(60);
    league.play(&given[0]);
    league.play(&given[1]);
    assert_eq!(league.bench.role.deadline(), Some(at(70)));
    let told = league.bench.at(70).tick();
    let kinds: Vec<_> =
        said(&told).iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    let news = ["LEAGUE_STANDINGS_UPDATE", "ROUND_COMPLETED", "ROUND_ANNOUNCEMENT"];
    assert_eq!(kinds[..3], news);
    assert_eq!(given_to(&told), ["R2M1 to REF01", "R2M2 to REF01"]);
}

#[test]
fn only_the_referee_of_a_match_says_that_it_was_told() {
    let (mut league, effects) = slow();
    league.register(&Entry { says_told: true, ..entry("ref2", Some(1)) });
    let given = assignments(&league.all_hear(&effects));
    league.play(&given[0]);
    let other = league.token(AgentId::Referee(referee(2)));
    let told = vec![given[0].match_id, in_match(9, 9), in_match(0, 0)];
    let beat = Heartbeat { league_id: super::league(), matches_held: 0, told };
    let conversation = ConversationId::new("conv-heartbeat");
    league.bench.call(letter(Sender::Referee(referee(2)), other, conversation, beat));
    let told = league.play(&given[1]);
    assert_eq!(said(&told)[0], "LEAGUE_STANDINGS_UPDATE to ref1 ref2");
}

#[test]
fn a_referee_that_forgot_everything_is_not_waited_for() {
    let (mut league, effects) = slow();
    let given = assignments(&league.all_hear(&effects));
    league.play(&given[0]);
    league.play(&given[1]);
    let fresh = Entry { conversation: "conv-fresh".into(), ..entry("ref1", Some(9)) };
    let told = league.register(&fresh);
    let table = "LEAGUE_STANDINGS_UPDATE to p1 p2 p3 p4".to_owned();
    assert!(said(&told).contains(&table), "{:?}", lines(&told));
}

#[test]
fn a_referee_that_comes_late_hears_of_the_round_before_it_gets_a_match() {
    let (mut league, effects) = slow();
    let given = assignments(&league.all_hear(&effects));
    league.bench.at(60);
    let told = league.register(&entry("ref2", Some(1)));
    // The operator hears of it, too.
    assert_eq!(said(&told)[1..], ["ROUND_ANNOUNCEMENT to ref2"]);
    // What is given back goes to REF02, once it has heard of the round.
    check(&league.report(1, aborted(&given[0]))[1..], &[]);
    check(&league.bench.tick(), &[]);
    let given = league.all_hear(&told);
    assert_eq!(given_to(&given), ["R1M1 to REF02"]);
}

#[test]
fn a_referee_that_comes_late_is_waited_for_as_long_as_anybody() {
    let (mut league, effects) = slow();
    let given = assignments(&league.all_hear(&effects));
    league.bench.at(60);
    league.register(&entry("ref2", Some(1)));
    // Said again, it begins anew.
    league.bench.at(65);
    league.register(&Entry { conversation: "conv-again".into(), ..entry("ref2", Some(1)) });
    check(&league.report(1, aborted(&given[0]))[1..], &[]);
    check(&league.bench.at(74).tick(), &[]);
    assert_eq!(given_to(&league.bench.at(75).tick()), ["R1M1 to REF02"]);
}

#[test]
fn a_match_that_is_played_again_waits_for_its_own_players_whenever_that_is() {
    for second in [8, 60] {
        let (mut league, effects) = slow();
        let given = assignments(&league.all_hear(&effects));
        league.play(&given[0]);
        league.says_told(&[given[0].match_id]);
        league.bench.at(second);
        let told = league.rerun(given[0].match_id);
        check(&league.bench.at(second + 9).tick(), &[]);
        let again = league.all_hear(&told);
        assert_eq!(given_to(&again), ["R1M1 to REF01"], "after {second} s");
    }
    let (mut league, effects) = slow();
    let given = assignments(&league.all_hear(&effects));
    league.play(&given[0]);
    league.says_told(&[given[0].match_id]);
    league.bench.at(60);
    league.rerun(given[0].match_id);
    assert_eq!(given_to(&league.bench.at(70).tick()), ["R1M1 to REF01"]);
}

#[test]
fn news_that_comes_late_in_a_round_waits_for_how_the_match_ended() {
    let (mut league, effects) = slow();
    let given = assignments(&league.all_hear(&effects));
    league.bench.at(60);
    league.play(&given[0]);
    let params = super::corrections::because("gone");
    league.order(Command::WithdrawPlayer, ToolParams { player_id: Some(player(4)), ..params });
    check(&league.bench.at(69).tick(), &[]);
    let told = league.says_told(&[given[0].match_id]);
    assert_eq!(said(&told), ["PLAYER_WITHDRAWN to p1 p2"]);
}

/// P01 has heard of its match, and begins anew.
fn returned(second: u64) -> (League, Vec<Effect>) {
    let (mut league, effects) = slow();
    let tag = Tag::AnnounceTo { referee: referee(1), round: 1 };
    league.bench.tell(Event::Noticed { tag, how: Noticed::Taken });
    assert_eq!(said(&effects).len(), 1);
    league.hears(1, Seat::A, Noticed::Taken);
    let told = league.bench.at(second).comes_again();
    // The operator hears of it, too.
    assert_eq!(said(&told)[1..], ["heard p1", "ROUND_ANNOUNCEMENT to p1"]);
    (league, told)
}

impl Bench<Manager> {
    fn comes_again(&mut self) -> Vec<Effect> {
        let conversation = format!("conv-{:?}", self.now);
        self.call(Entry { conversation, ..entry("p1", None) }.request())
    }
}

#[test]
fn a_player_that_comes_back_hears_of_the_round_before_its_match() {
    let (mut league, told) = returned(3);
    check(&league.hears(1, Seat::B, Noticed::Taken), &[]);
    assert_eq!(given_to(&league.all_hear(&told)), ["R1M1 to REF01"]);
    // What is with its referee stays there.
    let told = league.bench.at(5).comes_again();
    // The operator hears of it, too.
    assert_eq!(said(&told)[1..], ["heard p1", "ROUND_ANNOUNCEMENT to p1"]);
    check(&league.all_hear(&told), &[]);
}

#[test]
fn who_comes_back_again_and_again_is_waited_for_once() {
    let (mut league, _) = returned(3);
    league.hears(1, Seat::B, Noticed::Taken);
    league.bench.at(9).comes_again();
    let others = league.bench.at(10).tick();
    assert_eq!(given_to(&others), ["R1M2 to REF01"]);
    assert_eq!(given_to(&league.bench.at(13).tick()), ["R1M1 to REF01"]);
}

#[test]
fn after_a_restart_everybody_is_told_again_in_the_same_order() {
    let (mut league, effects) = slow();
    let given = assignments(&league.all_hear(&effects));
    league.play(&given[0]);
    league.play(&given[1]);
    let facts = std::mem::take(&mut league.bench.facts);
    league.bench = Bench::new(Manager::new(settings(), options(None)), facts);
    league.bench.prompt = false;
    let effects = league.bench.resume();
    let kinds = ["LEAGUE_STANDINGS_UPDATE", "ROUND_COMPLETED", "ROUND_ANNOUNCEMENT"];
    let expected = |to: &str| kinds.map(|kind| format!("{kind} to {to}"));
    assert_eq!(said(&effects), expected("ref1"));
    let told = league.says_told(&[given[1].match_id, given[0].match_id]);
    assert_eq!(said(&told), expected("p1 p2 p3 p4"));
    let mut heard = league.all_hear(&effects);
    heard.extend(league.all_hear(&told));
    assert_eq!(given_to(&heard), ["R2M1 to REF01", "R2M2 to REF01"]);
}
