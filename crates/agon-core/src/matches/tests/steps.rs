//! What was written down of a match makes the same match again, and nothing is judged twice.

use super::*;

/// What a match is played by that goes on after a restart, with that highest number.
fn resumable(draw_max: u32, ask_ms: u32) -> Arc<MatchTerms> {
    let rules = Rules::new("even_odd", &format!(r#"{{"draw_max":{draw_max}}}"#)).unwrap();
    let played = PlayedOnce { ask_ms: vec![ask_ms], ..PlayedOnce::course(rules) };
    Arc::new(MatchTerms::once(&played))
}

fn moved(seat: Seat, step: u16, answer: Move) -> MatchEvent {
    MatchEvent::Moved { seat, step, answer }
}

#[test]
fn a_match_is_the_same_after_every_step_under_any_terms() {
    let chosen = |parity: Parity| Move::Chosen(parity.payload());
    let failure = Failure::Silent;
    let played = [
        vec![
            moved(A, JOIN, Move::Join),
            moved(B, JOIN, Move::Join),
            moved(A, CHOICE, chosen(EVEN)),
            moved(B, CHOICE, chosen(ODD)),
            // Too high by the other terms.
            MatchEvent::Rolled(7),
        ],
        vec![
            moved(A, JOIN, Move::Join),
            moved(B, JOIN, Move::Join),
            moved(B, CHOICE, chosen(ODD)),
            failed(A, CHOICE, 1, failure),
        ],
    ];
    for script in played {
        let mut out = Vec::new();
        let mut live = Match::new(resumable(10, 30_000));
        let mut again = Match::new(resumable(3, 1));
        live.start([false; 2], at_ms(0), &mut out);
        again.restore(&live.progress());
        for event in script {
            live.handle(event, at_ms(0), &mut out);
            let text = serde_json::to_string(&live.progress()).unwrap();
            again.restore(&serde_json::from_str(&text).unwrap());
            assert_eq!(again.course.position, live.course.position);
            assert_eq!((again.stage, &again.tracks), (live.stage, &live.tracks));
        }
        assert!(again.verdict().is_some());
    }
}
