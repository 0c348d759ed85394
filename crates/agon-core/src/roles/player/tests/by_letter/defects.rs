//! What others got wrong, as regression tests: the defects that concern a player, by their number.

use super::*;
use agon_proto::BroadcastId;

/// 1: the same round, broadcast twice, killed the games that were under way.
#[test]
fn the_same_round_broadcast_twice_changes_nothing() {
    let mut stage = Stage::advanced(2);
    let before = durable(stage.player());
    check(&stage.manager("round-1", new_round(1)), &["reply 1: Acknowledged"]);
    assert_eq!(durable(stage.player()), before);
    // Also under another id.
    check(&stage.manager("round-1-again", new_round(1)), &["reply 1: Acknowledged"]);
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(2)));
    assert!(!stage.kinds().contains(&ActKind::StatusReport));
}

/// 1: an older round than the current one is not gone back to.
#[test]
fn an_older_round_is_ignored() {
    let mut stage = Stage::playing();
    stage.manager("round-2", new_round(2));
    let effects = stage.manager("round-1-late", new_round(1));
    assert_eq!(why(&effects), "out of turn: a later round has begun");
    assert_eq!(stage.player().rounds().current_round(), 2);
    let effects = stage.manager("round-0", new_round(0));
    assert_eq!(why(&effects), "invalid value: round_number: the letter names no round");
}

/// 2: a late letter of an old round is dropped, however often it comes.
#[test]
fn a_late_letter_of_an_old_round_is_dropped() {
    let mut stage = Stage::advanced(1);
    stage.referee("s", round_start(ONE));
    stage.manager("round-2", new_round(2));
    // Known by its id: dealt with before.
    check(&stage.referee("s", round_start(ONE)), &["reply 1: Acknowledged"]);
    for id in ["s2", "s3", "s4"] {
        let effects = stage.referee(id, round_start(ONE));
        assert_eq!(why(&effects), "out of turn: the round of this game is over");
    }
    assert_eq!(stage.asked.len(), 1, "only the question of before");
}

/// 3: a repeated ROUNDSTART asked the program again, and sent other questions.
#[test]
fn a_repeated_letter_gets_the_same_letter_again() {
    let mut stage = Stage::advanced(3);
    let first: Vec<_> = stage.posted.iter().map(|parcel| parcel.letter.clone()).collect();
    stage.dispatch_all();
    for (id, body) in whole_game(ONE).into_iter().take(3) {
        stage.bench.at(77);
        let posted = stage.posted.len();
        stage.referee(&format!("{id}-again"), body);
        let [again] = &stage.posted[posted..] else { panic!("one letter") };
        assert!(first.contains(&again.letter), "{:?}", again.letter);
    }
    assert_eq!(stage.asked, [], "and the program is not asked");
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(3)));
    assert_eq!(stage.controller(ONE).last_sent(), Some(ActKind::Move(2)));
}

/// 3: the same letter, delivered twice, gets nothing again.
#[test]
fn a_letter_that_is_delivered_twice_counts_once() {
    let mut stage = Stage::advanced(2);
    stage.dispatch_all();
    let posted = stage.posted.len();
    check(&stage.referee("start", round_start(ONE)), &["reply 1: Acknowledged"]);
    assert_eq!(stage.posted.len(), posted);
}

/// 3: five of them while the program thinks are one thought.
#[test]
fn a_repeat_joins_the_thought() {
    let mut stage = Stage::advanced(1);
    for id in ["s1", "s2", "s3", "s4", "s5"] {
        stage.referee(id, round_start(ONE));
    }
    assert_eq!(stage.asked.len(), 1);
    check(&stage.advise_all(), &["Q21QUESTIONSBATCH to ref@league.test"]);
}

/// 5: an unknown type stayed unread and was tried for ever.
#[test]
fn an_unknown_type_is_acknowledged() {
    let mut stage = Stage::playing();
    let unknown = || Act::Other("BROADCAST_END_GROUP_ASSIGNMENT".into());
    check(&stage.manager("x", unknown()), &["reply 1: Acknowledged"]);
    check(&stage.manager("x", unknown()), &["reply 1: Acknowledged"]);
    let mut of_game = letter("h", REFEREE, Role::Referee, Act::Other("Q21_HINTS".into()));
    of_game.head.context.game = Some(game(ONE));
    let from_referee = Proof::Vouched(address(REFEREE));
    check(&stage.post(from_referee, of_game), &["reply 1: Acknowledged"]);
    // A stranger's is refused: it is not in the way either.
    let effects = stage.mail(STRANGER, Role::Manager, "x", unknown());
    assert_eq!(why(&effects), "not permitted: only the league manager may say this");
}

/// 10: addresses and names are the same in whatever case they are written.
#[test]
fn addresses_are_the_same_in_any_case() {
    let mut stage = Stage::new();
    stage.mail("Manager@League.Test", Role::Manager, "open", start_season("S1"));
    let rows = rows(ONE, "Ref@League.test", ["ADA@league.test", "Bob@league.test"]);
    stage.mail("MANAGER@LEAGUE.TEST", Role::Manager, "table", table_of(rows));
    stage.manager("round-1", new_round(1));
    stage.mail("REF@league.TEST", Role::Referee, "w", warmup(ONE));
    assert_eq!(stage.asked.len(), 1);
}

/// 10: tables that name only groups.
#[test]
fn a_table_of_groups_is_read_in_any_case() {
    let mut all = rows(ONE, REFEREE, [ME, OPPONENT]);
    for row in &mut all[..2] {
        row.address = None;
        row.group = GroupId::new(if row.part == Part::Player1 { "AdaTeam1" } else { "bobteam1" });
    }
    let mut stage = Stage::new();
    stage.manager("table", table_of(all));
    assert_eq!(stage.player().rounds().assignments().count(), 1);
}

/// 11: real managers leave `sender.email` empty.
#[test]
fn a_manager_that_does_not_name_itself_is_known_by_its_mail() {
    let mut stage = Stage::enrolled();
    let mut unnamed = letter("round-1", MANAGER, Role::Manager, new_round(1));
    unnamed.head.from.address = None;
    unnamed.head.context.broadcast = Some(BroadcastId::new("bc-newround-1"));
    check(&stage.post(Proof::Vouched(address(MANAGER)), unnamed), &["reply 1: Acknowledged"]);
    assert_eq!(stage.player().rounds().current_round(), 1);
    let mut unnamed = letter("w", REFEREE, Role::Referee, warmup(ONE));
    unnamed.head.from.address = Some(address(""));
    stage.post(Proof::Vouched(address(REFEREE)), unnamed);
    assert_eq!(stage.asked.len(), 1);
}

/// 15: a second registration is answered with a rejection that is none.
#[test]
fn already_registered_is_success() {
    let mut stage = Stage::new();
    stage.manager("open", start_season("S1"));
    stage.manager("answer", registration(Approval::Rejected, Some("already_registered")));
    assert_eq!(stage.player().season_state(), SeasonState::AwaitingAssignment);
}
