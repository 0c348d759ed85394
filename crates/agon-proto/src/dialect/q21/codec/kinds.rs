//! The names of messages: ours, and those of everybody else.
//!
//! Case, underscores and blanks do not matter: `Q21_WARMUP_RESPONSE` is `Q21WARMUPRESPONSE`.

use crate::dialect::q21::{Kind, Task};

/// Names that are not those of [`Kind::name`], without underscores.
const ALIASES: &[(&str, Kind)] = &[
    ("RESPONSESEASONREGISTRATION", Kind::RegistrationAnswer),
    ("ASSIGNMENTTABLEREQUEST", Kind::TableRequest),
    ("ASSIGNMENTTABLERESPONSE", Kind::TableAnswer),
    ("BROADCASTENDSEASON", Kind::LeagueCompleted),
    ("KEEPALIVERESPONSE", Kind::State(Task::KeepAlive)),
    ("RESPONSEKEEPALIVE", Kind::State(Task::KeepAlive)),
    ("CRITICALPAUSERESPONSE", Kind::State(Task::Pause)),
    ("RESPONSECRITICALPAUSE", Kind::State(Task::Pause)),
    ("CRITICALCONTINUERESPONSE", Kind::State(Task::Continue)),
    ("RESPONSECRITICALCONTINUE", Kind::State(Task::Continue)),
    ("CRITICALRESETRESPONSE", Kind::State(Task::Reset)),
    ("RESPONSECRITICALRESET", Kind::State(Task::Reset)),
    ("RESPONSEFREETEXT", Kind::FreeTextAnswer),
    ("REFEREEREGISTERREQUEST", Kind::LeagueRegistration),
    ("LEAGUEREGISTERRESPONSE", Kind::LeagueRegistrationAnswer),
    ("REFEREEREGISTERRESPONSE", Kind::LeagueRegistrationAnswer),
    ("RESPONSEREFEREEREGISTER", Kind::LeagueRegistrationAnswer),
    ("EXTENSIONRESPONSE", Kind::ExtensionDecision),
    ("FORCEMAJEURERESULT", Kind::ForceMajeureDecision),
    ("LEAGUEERROR", Kind::Problem),
    ("GAMEERROR", Kind::Problem),
];

/// What a name means, if anybody here knows it. MATCH_RESULT_REPORT is the referee's; whether it is
/// a player's, only the letter tells.
pub(crate) fn kind_of(name: &str) -> Option<Kind> {
    let own = Kind::NAMED.iter().copied().find(|kind| same(kind.name(), name));
    own.or_else(|| ALIASES.iter().find(|(alias, _)| same(alias, name)).map(|(_, kind)| *kind))
}

/// Whether two names are the same but for case, underscores and blanks.
pub(super) fn same(one: &str, other: &str) -> bool {
    squashed(one).eq(squashed(other))
}

fn squashed(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-') && !c.is_whitespace());
    letters.map(|c| c.to_ascii_uppercase())
}
