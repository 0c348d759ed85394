//! How letters spell joining: each field with every name that a known generation gives it.

use super::codec::{Reading, Unreadable, Wire, Writing, spelled, wire};
use super::league::{GROUP, NAME, ROLE};
use crate::act::{Applying, Approval, Decided, Denial};
use crate::letter::Context;
use crate::{Address, AuthToken, Contact, DisplayName, GroupId, Role, SeasonId};

wire! {
    /// SEASON_REGISTRATION_REQUEST.
    struct RegistrationRequest {
        pub season: Option<SeasonId> = season([]),
        pub group: Option<GroupId> = group(GROUP),
        pub participant: Option<DisplayName> = name(["participant_id", "agent_id", "referee_id"]),
        pub name: Option<DisplayName> = name(NAME),
        pub role: Option<Role> = role(ROLE),
        pub also: Option<Address> = address(["also_reached_at"]),
    }

    /// SEASON_REGISTRATION_RESPONSE. Some readers compare its status without case; one takes only
    /// capitals for a yes. All take the first for a yes, and the other for a no.
    struct RegistrationAnswer {
        pub status: Approval = verdict(["status"]) or "`accepted` or `rejected`"
            => spelled("ACCEPTED", "rejected") ["status"],
        pub season: Option<SeasonId> = season([]),
        pub reason: Option<Box<str>> = word(["reason"]),
        pub text: Option<Box<str>> = text(["message", "message_text"]),
        pub registration: Option<Box<str>> = word(["registration_id"]),
        pub auth_token: Option<AuthToken> = token(["auth_token"]),
    }
}

impl From<&Applying> for RegistrationRequest {
    fn from(said: &Applying) -> Self {
        let Applying { season, group, participant, name, role, also, .. } = said.clone();
        let also = also.as_ref().map(Contact::address);
        Self { season, group, participant, name, role, also }
    }
}

impl Wire for Applying {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        let RegistrationRequest { season, group, participant, name, role, also } =
            RegistrationRequest::read(from)?;
        let also = also.as_ref().map(Contact::of);
        Ok(Self { season, group, participant, name, role, also, ..Self::default() })
    }

    fn write(&self, to: &mut Writing<'_>) {
        RegistrationRequest::from(self).write(to);
    }

    fn tell(&self, context: &mut Context) {
        RegistrationRequest::from(self).tell(context);
    }
}

/// The manager's words for what keeps somebody out.
static DENIALS: [(&str, Denial); 8] = [
    ("already_registered", Denial::AlreadyIn),
    ("registration_closed", Denial::Closed),
    ("unknown_season", Denial::UnknownSeason),
    ("not_on_roster", Denial::NotOnRoster),
    ("group_taken", Denial::TeamTaken),
    ("incomplete_team", Denial::TeamIncomplete),
    ("league_full", Denial::Full),
    ("code_needed", Denial::LeaveNeeded),
];

impl Denial {
    /// As it is sent.
    pub fn word(&self) -> Box<str> {
        if let Self::Other(word) = self {
            return word.clone();
        }
        let known = DENIALS.iter().find(|(_, denial)| denial == self);
        known.map(|(word, _)| (*word).into()).unwrap_or_default()
    }

    /// What that word means.
    pub fn of(word: &str) -> Self {
        let same = |(known, _): &&(&str, Self)| word.trim().eq_ignore_ascii_case(known);
        let known = DENIALS.iter().find(same).map(|(_, denial)| denial.clone());
        known.unwrap_or_else(|| Self::Other(word.into()))
    }
}

impl From<&Decided> for RegistrationAnswer {
    fn from(said: &Decided) -> Self {
        let Decided { denial, season, text, registration, token, .. } = said.clone();
        let status = if denial.is_none() { Approval::Accepted } else { Approval::Rejected };
        let reason = denial.map(|denial| denial.word()).filter(|word| !word.is_empty());
        Self { status, season, reason, text, registration, auth_token: token }
    }
}

impl Wire for Decided {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        let RegistrationAnswer { status, season, reason, text, registration, auth_token: token } =
            RegistrationAnswer::read(from)?;
        let denied = status == Approval::Rejected;
        let denial = denied.then(|| Denial::of(reason.as_deref().unwrap_or_default()));
        Ok(Self { denial, season, text, registration, token, ..Self::default() })
    }

    fn write(&self, to: &mut Writing<'_>) {
        RegistrationAnswer::from(self).write(to);
    }

    fn tell(&self, context: &mut Context) {
        RegistrationAnswer::from(self).tell(context);
    }
}
