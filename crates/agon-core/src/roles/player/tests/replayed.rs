//! A match that is played again: a higher attempt begins anew, whatever was known of the older one.

use super::*;

/// R1M1 ended with 7: P01 said even and has lost.
fn lost() -> GameOver {
    let mut over = won();
    over.game_result.winner_player_id = Some(player(2));
    over.game_result.drawn_number = Some(7);
    over
}

#[track_caller]
fn check_history(bench: &Bench<Player>, expected: &[(u32, PlayedResult)]) {
    let history = bench.role.history();
    let found: Vec<_> = history.matches().iter().map(|one| (one.attempt, one.result)).collect();
    assert_eq!(found, expected);
    let count = |result| u32::try_from(found.iter().filter(|one| one.1 == result).count());
    let record = history.record();
    assert_eq!(Ok(record.wins), count(PlayedResult::Win));
    assert_eq!(Ok(record.losses), count(PlayedResult::Loss));
}

/// R1M1 is over, won in its first attempt.
fn winner() -> Bench<Player> {
    let mut bench = enrolled();
    ask(&mut bench, 1);
    think(&mut bench, 1, Some(Parity::Even));
    from_referee(&mut bench, 1, won());
    check_history(&bench, &[(1, PlayedResult::Win)]);
    bench
}

#[test]
fn what_is_played_again_replaces_what_was_known() {
    let mut bench = winner();
    check(&invite(&mut bench, 2), &["reply 3: GAME_JOIN_ACK"]);
    check(&ask(&mut bench, 2), &["think R1M1: choose_parity"]);
    let effects = think(&mut bench, 2, Some(Parity::Odd));
    assert_eq!(choice(&effects[0]), Some(Parity::Odd), "it is free to choose anew");
    from_referee(&mut bench, 2, lost());
    check_history(&bench, &[(2, PlayedResult::Loss)]);
    check_history(&restarted(bench.facts), &[(2, PlayedResult::Loss)]);
}

#[test]
fn late_news_of_the_older_attempt_ends_nothing() {
    let mut bench = winner();
    ask(&mut bench, 2);
    from_referee(&mut bench, 1, won());
    assert_eq!(bench.role.state().state, PlayerPhase::InGame);
    let effects = think(&mut bench, 2, Some(Parity::Odd));
    assert_eq!(choice(&effects[0]), Some(Parity::Odd));
    from_referee(&mut bench, 2, lost());
    from_referee(&mut bench, 1, won());
    check_history(&bench, &[(2, PlayedResult::Loss)]);
}

#[test]
fn it_is_played_again_also_when_its_round_is_over() {
    let mut bench = winner();
    from_manager(&mut bench, round_completed(1));
    from_manager(&mut bench, round_completed(2));
    assert_eq!(*refusal(&ask(&mut bench, 1)), Refusal::StaleAttempt { current: 1 });
    check(&ask(&mut bench, 2), &["think R1M1: choose_parity"]);
    // Somebody who never heard of the first attempt, too.
    let mut absent = enrolled();
    from_manager(&mut absent, round_completed(1));
    assert_eq!(*refusal(&ask(&mut absent, 1)), Refusal::StaleAttempt { current: 1 });
    check(&ask(&mut absent, 2), &["think R1M1: choose_parity"]);
}

#[test]
fn an_attempt_that_was_left_behind_is_not_begun_anew() {
    let mut bench = enrolled();
    ask(&mut bench, 2);
    from_manager(&mut bench, round_completed(2));
    assert_eq!(*refusal(&ask(&mut bench, 2)), Refusal::StaleAttempt { current: 2 });
    check(&ask(&mut bench, 3), &["think R1M1: choose_parity"]);
}

#[test]
fn a_history_that_was_written_without_attempts_can_be_read() {
    let bench = winner();
    let facts = bench.facts.iter().map(|fact| serde_json::to_string(fact).unwrap());
    let facts: Vec<String> = facts.collect();
    assert!(facts.iter().all(|fact| !fact.contains("Over") || !fact.contains("attempt")));
    let read = facts.iter().map(|fact| serde_json::from_str(fact).unwrap());
    let mut again = restarted(read.collect());
    check_history(&again, &[(1, PlayedResult::Win)]);
    refusal(&ask(&mut again, 1));
    check(&ask(&mut again, 2), &["think R1M1: choose_parity"]);
}
