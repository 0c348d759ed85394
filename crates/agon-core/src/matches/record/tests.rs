//! What a long match leaves out of its transcript, and what it never does.

use agon_proto::ShortText;

use super::*;

/// Rounds in which a player answers well, as often as `answers` says, after one wrong answer.
fn noted(answers: u16, received: &str) -> Transcript {
    let mut notes = Notes(Some(Vec::new()));
    let at = Timestamp::from_micros(0);
    let fail = |notes: &mut Notes, seat: Party| {
        let lapse = notes.add((at, EntryKind::BadAnswer), seat, Party::Referee).unwrap();
        lapse.problem = Some(ShortText::new("not JSON"));
        lapse.received = Some(ShortText::new(received));
    };
    fail(&mut notes, Party::PlayerA);
    for step in 0..answers {
        let (referee, seat) = (Party::Referee, Party::PlayerA);
        notes.add((at, EntryKind::GameMoveCall), referee, seat).unwrap().step = Some(step);
        notes.add((at, EntryKind::GameMoveResponse), seat, referee).unwrap().step = Some(step);
        notes.add((at, EntryKind::GameError), referee, Party::PlayerB);
        if received.len() > 4 {
            fail(&mut notes, seat);
        }
    }
    fail(&mut notes, Party::PlayerB);
    notes.add((at, EntryKind::GameError), Party::Referee, Party::PlayerB);
    notes.add((at, EntryKind::Verdict), Party::Referee, Party::Referee);
    notes.take()
}

/// Who failed last is there, and so are the verdict and how much is not.
#[track_caller]
fn check(answers: u16, received: &str, lines: u32) {
    let transcript = noted(answers, received);
    let entries = &transcript.0;
    for seat in [Party::PlayerA, Party::PlayerB] {
        let mut lapses = entries.iter().filter(|it| it.is_lapse() && it.from == seat);
        assert!(lapses.next_back().is_some_and(|it| it.problem.is_some()), "{seat:?}");
    }
    assert_eq!(entries.last().unwrap().message_type, EntryKind::Verdict);
    let left_out: u32 = entries.iter().filter_map(|it| it.left_out).sum();
    assert_eq!(left_out + u32::try_from(entries.len()).unwrap(), lines);
    assert!(entries.len() <= TRANSCRIPT_MAX, "{}", entries.len());
    let text = serde_json::to_string(&transcript).unwrap();
    let came: Transcript = serde_json::from_str(&text).unwrap();
    assert!(came.fits(TRANSCRIPT_MAX), "{} bytes", text.len());
}

#[test]
fn a_short_match_is_noted_whole() {
    assert!(noted(10, "oh").0.iter().all(|it| it.left_out.is_none()));
    check(10, "oh", 34);
}

#[test]
fn a_long_match_leaves_questions_and_answers_out() {
    check(1_000, "oh", 3_004);
    let entries = noted(1_000, "oh").0;
    assert_eq!(entries.iter().filter(|it| it.is_lapse()).count(), 2);
}

#[test]
fn long_answers_leave_room_for_the_last_of_each_player() {
    check(80, &"\"".repeat(400), 324);
    check(400, &"é".repeat(400), 1_604);
}
