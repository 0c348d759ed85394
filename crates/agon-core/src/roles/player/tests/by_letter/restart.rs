//! 7: a restart at any moment costs nothing. The journal is written and read as it would be.

use super::*;

/// Everything that happens in a season of one game: letters, the program's words, letters taken.
enum Step {
    Manager(&'static str, Act),
    Referee(&'static str, Act),
    Advise,
    Taken,
}

fn season() -> Vec<Step> {
    let mut steps = vec![
        Step::Manager("open", start_season("S1")),
        Step::Taken,
        Step::Manager("answer", registration(Approval::Accepted, None)),
        Step::Manager("table", table_of(rows(ONE, REFEREE, [ME, OPPONENT]))),
        Step::Taken,
        Step::Manager("round-1", new_round(1)),
    ];
    for (id, body) in whole_game(ONE) {
        steps.extend([Step::Referee(id, body), Step::Advise, Step::Taken]);
    }
    steps.extend([Step::Manager("end", completed()), Step::Taken]);
    steps
}

fn take(stage: &mut Stage, step: Step) -> Vec<Effect> {
    match step {
        Step::Manager(id, body) => stage.manager(id, body),
        Step::Referee(id, body) => stage.referee(id, body),
        Step::Advise => stage.advise_all(),
        Step::Taken => stage.dispatch_all(),
    }
}

/// All letters that were ever posted, each once, and how the game ended.
fn outcome(stage: &Stage) -> (Vec<Letter>, Option<Box<Worth>>, PlayerStandings) {
    let mut letters: Vec<Letter> = Vec::new();
    for parcel in &stage.posted {
        let letter = parcel.letter.read().unwrap();
        if !letters.contains(&letter) {
            letters.push(letter);
        }
    }
    let game = stage.player().rounds().game(&game(ONE));
    (letters, game.and_then(|game| game.score.clone()), standings(stage))
}

#[test]
fn a_restart_after_every_step_changes_nothing() {
    let mut calm = Stage::new();
    for step in season() {
        take(&mut calm, step);
    }
    let (letters, result, _) = outcome(&calm);
    assert_eq!(letters.len(), 6);
    assert!(result.is_some());
    for crash in 0..season().len() {
        let mut stage = Stage::new();
        let mut finished = false;
        for (number, step) in season().into_iter().enumerate() {
            let effects = take(&mut stage, step);
            finished |= lines(&effects).contains(&"finish: LeagueCompleted".to_owned());
            if number == crash {
                stage = stage.restarted();
                let effects = stage.resume();
                finished |= lines(&effects).contains(&"finish: LeagueCompleted".to_owned());
            }
        }
        assert_eq!(outcome(&stage), outcome(&calm), "restarted after step {crash}");
        assert!(finished, "restarted after step {crash}");
    }
}

/// The effects were lost with the process: what they would have done is still owed.
#[test]
fn in_every_phase_it_asks_again_for_what_it_was_thinking_about() {
    let expected = [Callback::Warmup, Callback::Questions, Callback::Guess, Callback::Score];
    for (steps, wanted) in expected.into_iter().enumerate() {
        let mut stage = Stage::advanced(steps);
        let (id, body) = whole_game(ONE)[steps].clone();
        stage.referee(id, body);
        let mut stage = stage.restarted();
        stage.resume();
        let asked: Vec<_> = stage.asked.iter().map(callback).collect();
        assert_eq!(asked, [wanted]);
        // And the same letter, repeated, is known.
        let (id, body) = whole_game(ONE)[steps].clone();
        check(&stage.referee(id, body), &["reply 1: Acknowledged"]);
        assert_eq!(stage.asked.len(), 1);
    }
}

#[test]
fn in_every_phase_letters_that_were_not_taken_go_out_again() {
    let kinds = [ActKind::Move(0), ActKind::Move(1), ActKind::Move(2)];
    for (steps, kind) in (1..).zip(kinds) {
        let mut stage = Stage::advanced(steps - 1);
        stage.dispatch_all();
        let (id, body) = whole_game(ONE)[steps - 1].clone();
        stage.referee(id, body);
        stage.advise_all();
        let sent = stage.posted.last().unwrap().clone();
        assert_eq!(sent.letter.kind, kind);
        let mut stage = stage.restarted();
        stage.resume();
        assert_eq!(stage.posted.last(), Some(&sent));
        assert_eq!(stage.asked, [], "nothing is asked again that was said");
    }
}

#[test]
fn a_duplicate_is_known_across_a_restart() {
    let mut stage = Stage::advanced(2).restarted();
    stage.resume();
    for (id, body) in whole_game(ONE).into_iter().take(2) {
        check(&stage.referee(id, body), &["reply 1: Acknowledged"]);
    }
    check(&stage.manager("round-1", new_round(1)), &["reply 1: Acknowledged"]);
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(2)));
}
