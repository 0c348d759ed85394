//! Only a player that is blamed loses without playing; a void attempt never counts.

use agon_core::{LeagueFact, Outcome, Seat};
use agon_proto::message::Cause;

use super::{Books, Kept, Sight, hold};

pub(super) fn only_the_blamed_lose(sight: &Sight<'_>, _: &Books) -> Kept {
    let Sight::LeagueWrote(LeagueFact::ResultAccepted { match_id, verdict, .. }) = sight else {
        return Ok(());
    };
    let blamed = Seat::BOTH.map(|seat| verdict.blames(seat));
    let played = verdict.cause == Cause::Played && verdict.gains.is_some();
    let fair = match verdict.outcome {
        Outcome::Won(_) | Outcome::Drawn => played && blamed == [false, false],
        Outcome::Forfeited(loser) => !played && blamed == Seat::BOTH.map(|seat| seat == loser),
        Outcome::BothForfeited => !played && blamed == [true, true],
        Outcome::Cancelled => !played,
        Outcome::Void => false,
    };
    hold(fair, || format!("{match_id} ended with {verdict:?}"))
}
