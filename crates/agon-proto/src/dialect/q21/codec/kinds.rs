//! The names of messages: ours, and those of everybody else.
//!
//! Case, underscores and blanks do not matter: `Q21_WARMUP_RESPONSE` is `Q21WARMUPRESPONSE`.

use crate::dialect::q21::{ActKind, Task};

/// Names that are not those of [`ActKind::name`], without underscores.
const ALIASES: &[(&str, ActKind)] = &[
    ("RESPONSESEASONREGISTRATION", ActKind::Decide),
    ("ASSIGNMENTTABLEREQUEST", ActKind::TableRequest),
    ("ASSIGNMENTTABLERESPONSE", ActKind::TableAnswer),
    ("BROADCASTENDSEASON", ActKind::SeasonCompleted),
    ("KEEPALIVERESPONSE", ActKind::State(Task::KeepAlive)),
    ("RESPONSEKEEPALIVE", ActKind::State(Task::KeepAlive)),
    ("CRITICALPAUSERESPONSE", ActKind::State(Task::Pause)),
    ("RESPONSECRITICALPAUSE", ActKind::State(Task::Pause)),
    ("CRITICALCONTINUERESPONSE", ActKind::State(Task::Continue)),
    ("RESPONSECRITICALCONTINUE", ActKind::State(Task::Continue)),
    ("CRITICALRESETRESPONSE", ActKind::State(Task::Reset)),
    ("RESPONSECRITICALRESET", ActKind::State(Task::Reset)),
    ("RESPONSEFREETEXT", ActKind::FreeTextAnswer),
    ("REFEREEREGISTERREQUEST", ActKind::LeagueRegistration),
    ("LEAGUEREGISTERRESPONSE", ActKind::LeagueRegistrationAnswer),
    ("REFEREEREGISTERRESPONSE", ActKind::LeagueRegistrationAnswer),
    ("RESPONSEREFEREEREGISTER", ActKind::LeagueRegistrationAnswer),
    ("EXTENSIONRESPONSE", ActKind::ExtensionDecision),
    ("FORCEMAJEURERESULT", ActKind::ForceMajeureDecision),
    ("LEAGUEERROR", ActKind::Problem),
    ("GAMEERROR", ActKind::Problem),
];

/// What a name means, if anybody here knows it. MATCH_RESULT_REPORT is the referee's; whether it is
/// a player's, only the letter tells.
pub(crate) fn kind_of(name: &str) -> Option<ActKind> {
    let own = ActKind::NAMED.iter().copied().find(|kind| same(kind.name(), name));
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
