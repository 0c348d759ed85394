//! Forgetting a season: everybody is told, and another one opens at once.
//!
//! Who had enrolled registers again. The new season has an id and a number of its own, so that
//! nobody takes a letter of the one for a letter of the other; what was dealt with stays so.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::act::{Act, Task};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Address, Contact, SeasonId};

use super::super::in_play::InPlay;
use super::super::news::News;
use super::Rounds;
use crate::Refusal;
use crate::fact::{LeagueFact, Order, SeasonFact};
use crate::league::League;
use crate::letterbox::{Letterbox, Parcel, ParcelId};

impl Rounds<'_> {
    /// The operator wants to begin anew. Where nobody has enrolled there is nothing to forget.
    pub(in crate::roles::manager) fn reset_season(&mut self, order: Order) -> Result<(), Refusal> {
        if !self.book.league().settings.says().seasons {
            let why =
                "reset_season: agents of this league know of no seasons, so none can be forgotten";
            return Err(Refusal::Unsupported(why));
        }
        if is_untouched(self.book.league()) {
            return Ok(());
        }
        for parcel in of_no_use(&self.book.records().letterbox) {
            self.book.settle(parcel);
        }
        let (league, at) = (self.book.league(), self.book.now);
        let (number, reason) = (league.resets, order.reason.clone());
        let (season, next) = (next_season(league), league.settings.seasons.next_number());
        let news = News::Halt { task: Task::Reset, number, reason };
        self.book.publish(news, expected(league));
        let fact = SeasonFact::SeasonReset { season, number: next, order, at };
        self.book.record(LeagueFact::Season(fact));
        *self.in_play = InPlay::default();
        *self.deaf_until = None;
        self.open_season();
        Ok(())
    }
}

/// Whether the season is as it was when it opened.
fn is_untouched(league: &League) -> bool {
    let phase = league.season.phase();
    let open = matches!(phase, LeaguePhase::Startup | LeaguePhase::AcceptingRegistrations);
    open && !league.season.paused() && league.everybody().next().is_none()
}

/// Letters that wait and that nobody wants after the season. By call a token and the reset
/// itself must arrive all the same: who never got the one cannot tell who says the other.
fn of_no_use(letterbox: &Letterbox) -> Vec<ParcelId> {
    let wanted = |parcel: &Parcel| {
        let called = parcel.to.iter().any(Address::is_endpoint);
        matches!(parcel.letter.act, Act::Reset(_))
            || called && matches!(parcel.letter.act, Act::Decide(_))
    };
    letterbox.waiting().filter(|parcel| !wanted(parcel)).map(|parcel| parcel.id).collect()
}

/// Everybody who has enrolled; and of those who are vouched for also who is on the roster or was in
/// a season before. Nobody else could tell that it is us.
pub(super) fn expected(league: &League) -> Vec<Contact> {
    let members = league.registry.everybody().map(|agent| agent.contact.clone());
    let roster = league.settings.seasons.roster.iter().flat_map(|entry| {
        [Some(&entry.player), entry.referee.as_ref()].into_iter().flatten().map(Contact::of)
    });
    let before = league.former.keys().cloned();
    let mut known = BTreeSet::new();
    let strangers = roster.chain(before).filter(Contact::vouches);
    let everybody = strangers.chain(members);
    everybody.filter(|one| known.insert(one.clone())).collect()
}

/// `S01-2` after `S01`, then `S01-3`.
fn next_season(league: &League) -> SeasonId {
    let (resets, ours) = (league.resets, league.settings.seasons.season.as_str());
    let ending = format!("-{}", resets + 1);
    // Only what we have added ourselves is taken away: `SEASON_2026-02` may be its name.
    let first = ours.strip_suffix(&ending).filter(|_| resets > 0).unwrap_or(ours);
    SeasonId::new(&format!("{first}-{}", resets + 2))
}
