//! What was played in the matches of a season. Few things are, again and again: each is kept once,
//! so that a result has a small and fixed size.

use agon_proto::Payload;
use rustc_hash::FxHashMap;

/// The place of something that was played. The first is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DetailsId(u32);

/// Everything that was played.
#[derive(Debug)]
pub(super) struct Details {
    kept: Vec<Payload>,
    known: FxHashMap<Payload, DetailsId>,
}

impl Default for Details {
    fn default() -> Self {
        let nothing = Payload::default();
        let known = [(nothing.clone(), DetailsId::default())].into_iter().collect();
        Self { kept: vec![nothing], known }
    }
}

impl Details {
    pub(super) fn keep(&mut self, details: &Payload) -> DetailsId {
        if let Some(id) = self.known.get(details) {
            return *id;
        }
        let place = u32::try_from(self.kept.len()).expect("a season has fewer matches than that");
        self.kept.push(details.clone());
        self.known.insert(details.clone(), DetailsId(place));
        DetailsId(place)
    }

    pub(super) fn get(&self, id: DetailsId) -> &Payload {
        &self.kept[id.0 as usize]
    }
}
