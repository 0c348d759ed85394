//! A referee never plays more matches at once than it said it could.

use crate::audit::{Books, Kept, Sight, hold};

pub(super) fn capacity(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Playing { node, live, capacity } = sight else { return Ok(()) };
    let book = books.referees.get(node);
    let known = book.map_or(0, |book| book.playing.len());
    let is_scheduled = book.is_some_and(|book| book.is_scheduled);
    hold(is_scheduled || (known <= *capacity as usize && known == *live as usize), || {
        format!("node {node} plays {known} matches, says {live}, and can play {capacity}")
    })
}
