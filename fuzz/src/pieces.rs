//! Messages of matches as a referee hands them in: packed, and what stands in them.
//!
//! Spec: docs/protocol/match.md

use agon_proto::piece::{MessageHead, PIECE_MAX, PieceText, read_piece};

type Note = (MessageHead, Vec<u8>, Vec<u8>);

/// What was read is no longer than a piece may be and, written and read again, is the same. An
/// input is a piece as it comes, and the text of one.
pub fn check(bytes: &[u8]) {
    for packed in [bytes, &plain(bytes)] {
        let (notes, _) = read(packed);
        let size: usize = notes.iter().map(|(_, asked, came)| asked.len() + came.len()).sum();
        assert!(size <= PIECE_MAX, "{size} bytes came out of a piece");
        let mut text = PieceText::default();
        notes.iter().for_each(|(head, asked, came)| text.add(head, asked, came));
        // Our own spelling of a line may be longer than theirs.
        if text.len() <= PIECE_MAX {
            assert_eq!(read(text.pack().as_bytes()), (notes, true));
        }
    }
}

fn read(packed: &[u8]) -> (Vec<Note>, bool) {
    let mut notes = Vec::new();
    let end = read_piece(packed, |note| {
        notes.push((note.head, note.request.to_vec(), note.answer.to_vec()));
    });
    (notes, end.is_ok())
}

/// A block of LZ4 that holds nothing but these bytes as they are, with their length before it.
fn plain(text: &[u8]) -> Vec<u8> {
    let mut packed = u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    match text.len() {
        short @ 0..15 => packed.push((short as u8) << 4),
        long => {
            packed.push(0xf0);
            packed.extend(std::iter::repeat_n(0xff, (long - 15) / 0xff));
            packed.push(((long - 15) % 0xff) as u8);
        }
    }
    packed.extend_from_slice(text);
    packed
}
