//! Reading the books of a season: at its end, and after each death of the manager.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_node::Role;
use agon_proto::message::StandingsRow;

use crate::crash_test::check::{Fault, Finding, what_was_answered, who_was_let_in};
use crate::crash_test::lab::Part;
use crate::crash_test::member::{Inquest, log_of};
use crate::history::{self, History, League, PlayerBook, RefereeBook};

/// All books of a season whose processes are gone, and those among them that cannot be read.
pub(super) fn read(
    dir: &Path,
    cast: &[Part],
    table: Option<Vec<StandingsRow>>,
) -> (History, Vec<Finding>) {
    let mut history = History { table, ..History::default() };
    let mut found = Vec::new();
    for part in cast {
        let data = dir.join(&part.name);
        let read = match part.role {
            Role::Manager => {
                history.said = history::said(&log_of(dir, &part.name));
                League::read(&data).map(|league| history.league = league)
            }
            Role::Referee => RefereeBook::read(&data).map(|book| history.referees.push(book)),
            Role::Player => PlayerBook::read(&data).map(|book| history.players.push(book)),
        };
        if let Err(error) = read {
            found.push(Finding::general(Fault::Wrong, format!("{error:#}")));
        }
    }
    (history, found)
}

/// Whether nobody ever told that process that it is in. Players are: without them no season begins.
pub(super) fn is_stranger(dir: &Path, part: &Part) -> bool {
    let book = RefereeBook::read(&dir.join(&part.name));
    part.role == Role::Referee && book.is_ok_and(|book| book.id.is_none())
}

/// Looks at the books while the manager is dead: it cannot acknowledge anything, so whatever
/// anybody was told must be in the dead one's journal. A process that died young has left none.
pub(super) fn inquest(dir: &Path, cast: &[Part]) -> Inquest {
    let folders = |role: Role| -> Vec<PathBuf> {
        cast.iter().filter(|part| part.role == role).map(|part| dir.join(&part.name)).collect()
    };
    let (managers, referees) = (folders(Role::Manager), folders(Role::Referee));
    let players = folders(Role::Player);
    Arc::new(move || {
        let league = managers.first().and_then(|dir| League::read(dir).ok()).unwrap_or_default();
        let referees = referees.iter().filter_map(|dir| RefereeBook::read(dir).ok());
        let players = players.iter().filter_map(|dir| PlayerBook::read(dir).ok());
        let (referees, players): (Vec<_>, Vec<_>) = (referees.collect(), players.collect());
        let mut found = what_was_answered(&league, &referees);
        found.extend(who_was_let_in(&league, &referees, &players));
        found
    })
}
