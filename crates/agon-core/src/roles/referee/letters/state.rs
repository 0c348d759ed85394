//! Where a referee by letter stands in the season, in the words of its league.
//!
//! Spec: docs/protocol/q21.md

use crate::agent::Membership;
use crate::roles::referee::records::Records;

pub(crate) fn name(records: &Records) -> &'static str {
    let season = &records.me.season;
    if season.paused_at.is_some() {
        return "PAUSED";
    }
    if season.completed.is_some() {
        return "COMPLETED";
    }
    if records.schedule.has_table {
        return if records.matches.live > 0 { "IN_GAME" } else { "RUNNING" };
    }
    match season.membership {
        Membership::In => "WAITING_FOR_ASSIGNMENT",
        Membership::Applying => "WAITING_FOR_CONFIRMATION",
        Membership::Outside | Membership::Rejected(_) => "INIT_START_STATE",
    }
}
