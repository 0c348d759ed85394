//! What is written is read, and what is no piece is not.

use super::*;

fn head(number: u32, request: &[u8], answer: &[u8]) -> MessageHead {
    MessageHead {
        match_id: MatchId::new(1, 2),
        attempt: 1,
        number,
        at: Timestamp::from_micros(1_700_000_000_000_123),
        direction: Direction::Sent,
        peer: ShortText::new("http://127.0.0.1:8101/mcp"),
        name: ShortText::new("GAME_INVITATION"),
        took_us: Some(812),
        outcome: ShortText::new("answered"),
        request: request.len().try_into().unwrap(),
        answer: answer.len().try_into().unwrap(),
        cut: 0,
    }
}

fn text(bodies: &[(&[u8], &[u8])]) -> PieceText {
    let mut text = PieceText::default();
    for (number, (request, answer)) in (1..).zip(bodies) {
        text.add(&head(number, request, answer), request, answer);
    }
    text
}

/// The number of a message, what was asked and what came back.
type Note = (u32, Vec<u8>, Vec<u8>);

/// What can be read of a piece before it makes no sense, if it does so at all.
fn read(packed: &[u8]) -> (Vec<Note>, Result<(), BadPiece>) {
    let mut notes = Vec::new();
    let end = read_piece(packed, |note| {
        notes.push((note.head.number, note.request.to_vec(), note.answer.to_vec()));
    });
    (notes, end)
}

#[test]
fn what_was_written_is_read() {
    // Whatever a body holds, be it line feeds or no text at all.
    let bodies: [(&[u8], &[u8]); 3] =
        [(b"{\"a\":1}", b"{}"), (b"\n\n", b""), (&[0xff, 0, b'\n'], b"<html>")];
    let packed = text(&bodies).pack();
    let (notes, end) = read(packed.as_bytes());
    let expected: Vec<_> = (1..)
        .zip(bodies)
        .map(|(number, (request, answer))| (number, request.to_vec(), answer.to_vec()))
        .collect();
    assert_eq!((notes, end), (expected, Ok(())));
}

#[test]
fn a_piece_that_grows_beyond_its_bound_is_not_unpacked() {
    let endless = PieceText(vec![b' '; PIECE_MAX + 1]).pack();
    assert!(endless.as_bytes().len() < 2_000, "it looks small");
    assert_eq!(read(endless.as_bytes()), (vec![], Err(BadPiece::Packed)));
    // One that lies about how long it is.
    let mut liar = PieceText(vec![b' '; PIECE_MAX]).pack().into_bytes();
    liar[..4].copy_from_slice(&100_u32.to_le_bytes());
    assert_eq!(read(&liar), (vec![], Err(BadPiece::Packed)));
}

#[test]
fn what_stands_before_a_flaw_is_read() {
    let mut flawed = text(&[(b"{}", b"{}")]);
    flawed.0.extend_from_slice(b"{\"match_id\":\"R1M1\"}\n");
    let (notes, end) = read(flawed.pack().as_bytes());
    assert_eq!((notes.len(), end), (1, Err(BadPiece::Text)));
    assert_eq!(read(b"").1, Err(BadPiece::Packed));
    assert_eq!(read(PieceText::default().pack().as_bytes()), (vec![], Ok(())));
}
