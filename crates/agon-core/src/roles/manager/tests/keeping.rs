//! What a referee may leave with the manager: messages of its own matches, once, within bounds.

use agon_proto::ErrorCode;
use agon_proto::piece::{PIECE_MAX, PIECES_MAX};
use agon_proto::tool::{MessagePiece, PieceBody, PieceId, PieceKept, PieceOf};

use super::recovery::restart;
use super::*;
use crate::testing::{in_match, referee, stolen};

const R1M1: PieceOf = PieceOf { match_id: MatchId::new(1, 1), attempt: 1, messages: 6, last: true };

fn piece(number: u32, of: PieceOf, bytes: usize) -> MessagePiece {
    let mut piece_id = PieceId([0; 8]);
    piece_id.0[..4].copy_from_slice(&number.to_le_bytes());
    MessagePiece { piece_id, matches: vec![of], body: PieceBody::new(vec![7; bytes]) }
}

impl League {
    /// What a referee hands in, and what it is answered.
    fn hand_in(&mut self, by: u32, piece: &MessagePiece) -> Result<bool, Refusal> {
        let token = self.token(AgentId::Referee(referee(by)));
        self.hand_in_as(token, piece)
    }

    /// The same, with that token. Says whether the piece was known.
    fn hand_in_as(
        &mut self,
        auth_token: Option<AuthToken>,
        piece: &MessagePiece,
    ) -> Result<bool, Refusal> {
        let piece_given = Some(Box::new(piece.clone()));
        let params = ToolParams { auth_token, piece: piece_given, ..ToolParams::default() };
        let effects = self.bench.tool(Tool::KeepMessages, params);
        let kept = effects.iter().filter(|effect| matches!(effect, Effect::Keep { .. })).count();
        match effects.into_iter().find(|effect| !matches!(effect, Effect::Keep { .. })) {
            Some(Effect::Reply { answer: Answer::Tool(ToolAnswer::Kept(said)), .. }) => {
                let PieceKept { piece_id, known } = said;
                assert_eq!((piece_id, kept), (piece.piece_id, usize::from(!known)));
                Ok(known)
            }
            Some(Effect::Refuse { refusal, .. }) => {
                assert_eq!(kept, 0, "what is refused is not kept");
                Err(refusal)
            }
            other => panic!("{other:?}"),
        }
    }

    /// Of each attempt at a match that is shown: how many messages it had, and whether these are
    /// all.
    fn attempts(&mut self, match_id: MatchId) -> Vec<(u32, u32, bool)> {
        let state = self.bench.role.league().match_state(match_id).unwrap();
        let attempts = state.messages.iter();
        attempts.map(|it| (it.attempt, it.messages_sent, it.complete)).collect()
    }
}

#[test]
fn a_piece_is_kept_once_and_known_again_after_a_restart() {
    let (mut league, _) = League::started(4, &[9]);
    let one = piece(1, R1M1, 100);
    assert_eq!(league.hand_in(1, &one), Ok(false));
    let facts = league.bench.facts.len();
    assert_eq!(league.hand_in(1, &one), Ok(true));
    assert_eq!(league.bench.facts.len(), facts, "a repeat changes nothing");
    let mut again = restart(&league.bench.facts, &league);
    assert_eq!(again.hand_in(1, &one), Ok(true));
}

#[test]
fn only_the_token_of_a_referee_proves_who_hands_in() {
    let (mut league, _) = League::started(4, &[9]);
    let of_a_player = league.token(AgentId::Player(PlayerId::new(1)));
    let facts = league.bench.facts.len();
    for token in [None, Some(stolen()), of_a_player, Some(operator())] {
        let refused = league.hand_in_as(token, &piece(1, R1M1, 100)).unwrap_err();
        let expected = [ErrorCode::AuthTokenMissing, ErrorCode::AuthTokenInvalid];
        let of_a_player = matches!(refused, Refusal::NotPermitted(_));
        assert!(of_a_player || expected.contains(&refused.code()), "{refused:?}");
    }
    assert_eq!(league.bench.facts.len(), facts);
}

#[test]
fn only_who_holds_or_held_an_attempt_may_tell_of_it() {
    let (mut league, effects) = League::started(4, &[1, 1]);
    let given = assignments(&effects);
    let of = |match_id, attempt| PieceOf { match_id, attempt, ..R1M1 };
    let (mine, other) = (given[0].match_id, given[1].match_id);
    assert_eq!(league.hand_in(1, &piece(1, of(other, 1), 10)), Err(Refusal::NotYourMatch(other)));
    assert_eq!(league.hand_in(1, &piece(2, of(mine, 2), 10)), Err(Refusal::NoSuchMatch));
    assert_eq!(league.hand_in(1, &piece(3, of(in_match(9, 9), 1), 10)), Err(Refusal::NoSuchMatch));
    // The match goes to the other referee: each has its own attempt, whatever became of it.
    league.play(&given[0]);
    league.play(&given[1]);
    league.rerun(mine);
    assert_eq!(league.hand_in(1, &piece(4, of(mine, 1), 10)), Ok(false));
    assert_eq!(league.hand_in(1, &piece(5, of(mine, 2), 10)), Err(Refusal::NotYourMatch(mine)));
    assert_eq!(league.hand_in(2, &piece(6, of(mine, 2), 10)), Ok(false));
}

#[test]
fn messages_are_shown_once_the_match_has_its_result_and_change_nothing_of_it() {
    let (mut league, effects) = League::started(4, &[1]);
    let given = assignments(&effects).remove(0);
    assert_eq!(league.hand_in(1, &piece(1, PieceOf { last: false, ..R1M1 }, 10)), Ok(false));
    assert_eq!(league.attempts(R1M1.match_id), []);
    league.play(&given);
    assert_eq!(league.attempts(R1M1.match_id), [(1, 6, false)]);
    let result = *league.bench.role.league().season().result(R1M1.match_id).unwrap();
    assert_eq!(league.hand_in(1, &piece(2, PieceOf { messages: 8, ..R1M1 }, 10)), Ok(false));
    assert_eq!(league.attempts(R1M1.match_id), [(1, 8, true)]);
    assert_eq!(league.bench.role.league().season().result(R1M1.match_id), Some(&result));
    let kept = league.bench.role.league().pieces(R1M1.match_id);
    assert_eq!((kept.pieces.len(), kept.players.len(), kept.referees.len()), (2, 2, 1));
}

#[test]
fn what_a_referee_may_leave_grows_with_the_attempts_that_it_held() {
    let (mut league, _) = League::started(4, &[9]);
    let too_long = league.hand_in(1, &piece(1, R1M1, PIECE_MAX + 5_000));
    assert!(matches!(too_long, Err(Refusal::BadValue(_))), "{too_long:?}");
    assert_eq!(league.hand_in(1, &piece(2, R1M1, 100_000)), Ok(false));
    let full = league.hand_in(1, &piece(3, R1M1, 100_000));
    assert!(matches!(full, Err(Refusal::BadValue(_))), "{full:?}");
    let other = PieceOf { match_id: in_match(1, 2), ..R1M1 };
    assert_eq!(league.hand_in(1, &piece(4, other, 100_000)), Ok(false));
}

#[test]
fn a_match_has_so_many_pieces_and_is_named_once_in_each() {
    let (mut league, _) = League::started(4, &[9]);
    for number in 0..PIECES_MAX {
        assert_eq!(league.hand_in(1, &piece(number, R1M1, 1)), Ok(false));
    }
    let one_more = league.hand_in(1, &piece(1_000, R1M1, 1));
    assert!(matches!(one_more, Err(Refusal::BadValue(_))), "{one_more:?}");
    let other = PieceOf { match_id: in_match(1, 2), ..R1M1 };
    let twice = MessagePiece { matches: vec![other, other], ..piece(1_001, other, 1) };
    assert!(matches!(league.hand_in(1, &twice), Err(Refusal::BadValue(_))));
}
