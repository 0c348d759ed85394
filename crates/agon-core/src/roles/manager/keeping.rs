//! Keeping the messages of matches, which their referees hand in piece by piece.
//!
//! A referee may leave here only what is about attempts that it holds or has held, within bounds.
//! A repeat is acknowledged and kept once. No result depends on any of it.
//!
//! Spec: docs/protocol/match.md

use agon_proto::tool::{PieceKept, ToolParams};

use super::book::Book;
use crate::effect::Effect;
use crate::fact::LeagueFact;
use crate::{Refusal, gate};

/// Takes a piece from the referee whose token is shown.
pub(super) fn keep(book: &mut Book<'_>, params: &ToolParams) -> Result<PieceKept, Refusal> {
    let piece = params.piece.as_deref().ok_or(Refusal::BadValue("piece is missing"))?;
    let (league, piece_id) = (book.league(), piece.piece_id);
    let proved = gate::referee_by_token(&league.registry, params.auth_token.as_ref())?;
    let referee = *proved.get();
    if league.handed_in.knows(referee, piece_id) {
        return Ok(PieceKept { piece_id, known: true });
    }
    league.check_piece(referee, piece)?;
    let (matches, body, at) = (piece.matches.clone(), piece.body.clone(), book.now);
    let bytes = u32::try_from(body.as_bytes().len()).expect("no piece is so long");
    book.record(LeagueFact::MessagesKept { referee, piece: piece_id, bytes, matches, at });
    book.out.push(Effect::Keep { referee, piece: piece_id, body });
    Ok(PieceKept { piece_id, known: false })
}
